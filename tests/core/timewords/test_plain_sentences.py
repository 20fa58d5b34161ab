"""No time is seen where none is meant: plain sentences, one a line, in `plain/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensemem.times import find
from tests.core.timewords.reading_cases import REFERENCE

FOLDER = Path(__file__).parent / "plain"
FILES = sorted(FOLDER.glob("*.txt"))
SENTENCES = {file.stem: file.read_text(encoding="utf-8").splitlines() for file in FILES}


def test_there_are_at_least_five_hundred_and_all_differ() -> None:
    everything = [sentence for sentences in SENTENCES.values() for sentence in sentences]
    assert len(everything) >= 500
    assert len(set(everything)) == len(everything)


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("told", [True, False], ids=["language told", "language tried"])
def test_no_time_is_found_in_plain_sentences(language: str, told: bool) -> None:
    false = {
        sentence: [value.quote for value in found]
        for sentence in SENTENCES[language]
        if (found := find(sentence, reference=REFERENCE, language=language if told else None))
    }
    assert false == {}
