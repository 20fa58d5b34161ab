"""Laws of the guards: who may not teach changes nothing, quoted words are never shown, and all of it in linear time."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import FakeExtractor, Memory
from tensemem.core.echo import begins_with_name, printed_facts
from tensemem.core.fence import find_titled
from tensemem.core.formats import HEADING
from tensemem.core.persons import person_meant, person_of
from tensemem.core.phrases import is_bare_answer
from tensemem.core.quoting import quoted_regions
from tensemem.model.operation import MODALITIES, OPS
from tests.cases.bench import Hands, day
from tests.guards.playing import PREDICATES, USER, shown
from tests.settings import law_settings, some_settings

WORDS = ["I", "live", "in", "Goa", "the", "user", "left", "Pune", "yes", "no", "my", "wife", "Go", "12", "pro", "true"]
texts = st.lists(st.sampled_from(WORDS), min_size=2, max_size=6).map(" ".join)
proposals = st.fixed_dictionaries(
    {
        "op": st.sampled_from(OPS),
        "predicate": st.sampled_from([name for name in PREDICATES if name != "deploy"]),
        "value": st.sampled_from(["Goa", "Pune", "Go", 12, True, "pro", ["Go", "Goa"], [], None]),
        "subject": st.sampled_from(["user", "the user", "wife", "Mira", "User", "uѕer"]),
        "modality": st.sampled_from(MODALITIES),
        "confidence": st.sampled_from([0.2, 1.0]),
    }
)


@some_settings
@given(
    role=st.sampled_from(["assistant", "tool", "system"]),
    source=st.sampled_from([None, "user", "application", "User", "ann", "crm"]),
    speaker=st.sampled_from([None, "user", "Bo", "wife"]),
    said=st.lists(st.tuples(texts, st.lists(proposals, max_size=3)), min_size=1, max_size=3),
)
def test_who_may_not_write_changes_nothing_whatever_is_proposed(
    role: str, source: str | None, speaker: str | None, said: list[tuple[str, list[dict[str, Any]]]]
) -> None:
    script = {text: [{"quote": text, **body} for body in ops] for text, ops in said}
    with Memory(":memory:", llm=FakeExtractor(script), worker=False, clock=Hands(day(10))) as mem:
        for name, definition in PREDICATES.items():
            mem.register_predicate(name, **definition)
        mem.set(USER, "lives_in", "Pune")
        mem.add_value(USER, "languages", "Go")
        mem.set(USER, "lives_in", "Pune", subject="wife")
        before = shown(mem), mem.context(USER).text, mem.digest(USER)
        for text, _ in said:
            mem.add(USER, text, role=role, source=source, speaker=speaker)
            mem.flush(USER)
        assert (shown(mem), mem.context(USER).text, mem.digest(USER)) == before


PAIRS = [
    "“”",
    "„“",
    "„”",
    "«»",
    "»«",
    "‘’",
    "‚‘",
    "‹›",
    "›‹",
    "「」",
    "『』",
    "｢｣",
    "﹁﹂",
    "〝〟",
    '""',
    "''",
    "``",
    "””",
    "»»",
]
SENTENCES = [
    "I live in Goa now",
    "Ich wohne jetzt in Goa",
    "we don't live in Goa",
    "私は今ゴアに住んでいます",
    "мы все живём в Гоа",
]
around = st.sampled_from(
    ["", "Bo said ", "It's true: ", "彼は", "Они говорят: ", "the boys' friends say ", 'my 27" says ']
)
behind = st.sampled_from(["", " today", ", he said. I don't know", "と言った", " and the girls' too"])


@law_settings
@given(pair=st.sampled_from(PAIRS), sentence=st.sampled_from(SENTENCES), before=around, after=behind)
def test_a_sentence_between_marks_is_quoted(pair: str, sentence: str, before: str, after: str) -> None:
    text = f"{before}{pair[0]}{sentence}{pair[1]}{after}"
    begin = len(before) + 1
    assert any(first <= begin and begin + len(sentence) <= stop for first, stop in quoted_regions(text)), text


OWN = [
    "I don't",
    "the boys' house",
    "rock 'n' roll",
    "'em",
    "it's",
    "y'all",
    "'90s",
    "livin'",
    "5'11\"",
    "l'ami",
    "J'ai",
    "Go",
]


@law_settings
@given(st.lists(st.sampled_from(OWN), max_size=12))
def test_apostrophes_quote_nothing(parts: list[str]) -> None:
    assert quoted_regions(" ".join(parts)) == ()


@pytest.mark.parametrize(
    "text", ["yes", "No.", "that's right", "yes, I do", "I am", "nein, bin ich nicht", "是的", "はい"]
)
def test_a_bare_answer_says_nothing_of_its_own(text: str) -> None:
    assert is_bare_answer(text)


@pytest.mark.parametrize(
    "text", ["", "I'm good", "yes, Goa", "no sugar", "I am vegan", "not in Goa", "👍", "是的我住在果阿"]
)
def test_other_words_make_it_more_than_an_answer(text: str) -> None:
    assert not is_bare_answer(text)


# Work: calls into the functions' own code, and characters that regular expressions are given to look at, are what
# grows. Both are counted, not timed.

REPEATED = [
    "'a ", "“a ", '"a ', " 'a b'", "“„«»”‘’‚", "\n\n", "a\u200b", "&quot;", "`", "“a\n\n", "since 2026-01-11 ",
    "lives_in: Delhi (since 2026-01-11) ", "(since ", "(since a b c d e f ", "aaa bbb ", "(aaa bbb ", "predicate: ",
    '"predicate": "lives_in", "value": "x", ', '<fact subject="user" predicate="lives_in">', "&lt;", "&amp;lt;",
    f"{HEADING} ", f"{HEADING}\n", f"{HEADING}:\n- a\n", "a|", "lives_in|", "<document>", "[quote]", "From: a\nTo: b\n",
    "On 3 May 2026 wrote:\n", "[10:12, 3/5/2026] Bo: x\n", "[10:12", "User: x\nAI: y\n", '{"role": "user"', "I you ",
]  # fmt: skip


def is_known(name: str) -> bool:
    return name in ("lives_in", "name")


LOOKED: dict[str, Callable[[str], object]] = {
    "quoted regions": quoted_regions,
    "printed facts": lambda text: list(printed_facts(text, is_known)),
    "titles": lambda text: find_titled(text, HEADING, is_context_line=lambda one: begins_with_name(one, is_known)),
    "persons": lambda text: (person_of(text), person_meant(text, (0, len(text)), "Goa")),
}


def work(function: Callable[[str], object], text: str) -> int:
    """Count the lines of our own code that run."""
    count = 0

    def trace(frame: Any, event: str, arg: object) -> Any:
        nonlocal count
        if not re.search(r"core.(?:quot|echo|fence|persons|first|regions|text)", frame.f_code.co_filename):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("what", LOOKED)
def test_work_grows_with_the_text_and_not_faster(what: str) -> None:
    function = LOOKED[what]
    for unit in REPEATED:
        once, four = (work(function, unit * (size // len(unit))) for size in (2_000, 8_000))
        assert four <= 4.6 * once + 500, unit
