"""What the offline extractor is worth: a false assertion is worse than ten that are missing, so those are gated."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tensemem import OfflineExtractor
from tensemem.extract.calling import as_extractor
from tests.extract.sentences import LANGUAGES, load
from tests.extract.sentences.scoring import TOTAL, Figures, Score, score
from tools.extraction_score import asking, ready

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "extraction-figures.md"


@cache
def scored(half: str) -> Score:
    return score(asking(as_extractor(OfflineExtractor()), ready()), load(half=half))  # type: ignore[arg-type]


@pytest.mark.parametrize("half", ["dev", "test"])
def test_of_a_hundred_sentences_one_at_most_is_read_falsely(half: str) -> None:
    assert scored(half).total.rate <= 0.01


def row(language: str, figures: Figures) -> str:
    return (
        f"| {language} | {figures.sentences} | {figures.false} | {figures.rate:.1%} | "
        f"{figures.recall:.0%} | {figures.precision:.0%} |"
    )


@pytest.mark.parametrize("half", ["dev", "test"])
def test_the_page_tells_the_figures_as_they_are(half: str) -> None:
    section = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    title = {"dev": "The development half", "test": "The test half"}[half]
    text = next(part for part in section if part.startswith(title))
    result = scored(half)
    rows = [row(language, result.by_language()[language]) for language in LANGUAGES]
    assert [line for line in text.splitlines() if re.match(r"\| (?:en|zh|es|de|all) ", line)] == [
        *rows,
        row(TOTAL, result.total),
    ]
