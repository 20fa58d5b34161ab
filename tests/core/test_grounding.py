"""Grounding on real wording: how often a right value is held, and how often an invented one is shown.

The figures are upper bounds: a change of the rule may better them, and then they are lowered here.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tensemem.core.text import comparison_key, grounding
from tests.core.grounding import INVENTED, LANGUAGES, RIGHT, Case, Figures, by, load, measure
from tools import grounding_score

CASES = load()
WHOLE = "all"

# Language: right values that are held, invented ones that are shown, and of those the unmarked.
AT_MOST = {
    "en": (25, 26, 5),
    "zh": (59, 2, 0),
    "es": (15, 22, 5),
    "de": (28, 19, 10),
    "fr": (17, 19, 4),
    "ja": (54, 1, 0),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rule_is_no_worse_than_it_was(language: str) -> None:
    figures = measure(grounding, by(CASES, "language")[language])
    held, shown, unmarked = AT_MOST[language]
    assert (figures.held <= held, figures.shown <= shown, figures.unmarked <= unmarked) == (True, True, True), figures


def test_a_value_that_stands_in_the_message_is_never_held() -> None:
    verbatim = by(CASES, "kind")["verbatim"]
    assert {grounding(case.value, case.message) for case in verbatim} == {WHOLE}


def test_what_only_an_assistant_said_is_hardly_ever_shown() -> None:
    assert measure(grounding, by(CASES, "kind")["assistant"]).shown_rate < 0.05


def test_there_are_enough_cases_in_six_languages() -> None:
    right = [case for case in CASES if case.right]
    assert len(right) - sum(case.kind == "verbatim" for case in right) >= 400
    assert len(CASES) - len(right) >= 400
    for language, cases in by(CASES, "language").items():
        assert language in LANGUAGES
        assert min(Counter(case.right for case in cases).values()) >= 60
    assert set(by(CASES, "language")) == set(LANGUAGES)


def test_the_cases_are_well_formed() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    assert len({(comparison_key(case.message), comparison_key(case.value)) for case in CASES}) == len(CASES)
    assert {case.kind for case in CASES if case.right} == set(RIGHT)
    assert {case.kind for case in CASES if not case.right} == set(INVENTED)
    assert [case.id for case in CASES if not (case.message.strip() and case.value.strip())] == []


def test_no_invented_value_stands_in_its_message() -> None:
    """Such a value would be shown by any rule, and says nothing of this one; as part of a word it may stand there."""
    bare = [case for case in CASES if not case.right and f" {case.value} " in f" {case.message} "]
    assert bare == []


def test_counting_by_a_rule_that_is_known() -> None:
    cases = [
        Case("en-1", "m", "all", True, "order"),
        Case("en-2", "m", "some", True, "order"),
        Case("en-3", "m", "none", True, "order"),
        Case("en-4", "m", "all", False, "prefix"),
        Case("en-5", "m", "some", False, "prefix"),
        Case("en-6", "m", "none", False, "prefix"),
    ]
    figures = measure(lambda value, _message: value, cases)  # type: ignore[arg-type,return-value]  # a rule by name
    assert figures == Figures(right=3, held=1, invented=3, shown=2, unmarked=1)
    assert (figures.held_rate, figures.shown_rate, figures.unmarked_rate) == (1 / 3, 2 / 3, 1 / 3)
    assert Figures(0, 0, 0, 0, 0).held_rate == 0.0


def test_the_tool_prints_a_line_for_each_language_and_kind_and_the_faults(capsys: pytest.CaptureFixture[str]) -> None:
    assert grounding_score.main(["--show", "held"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in lines[1 : lines.index("")]]
    assert set(names) == {*LANGUAGES, *RIGHT, *INVENTED, "all"}
    total = measure(grounding, CASES)
    assert lines[len(names)].split()[1:3] == [str(total.right), str(total.held)]
    assert len(lines) - len(names) - 2 == total.held
    assert grounding_score.main(["--language", "ja", "--show", "shown"]) == 0
    assert len(capsys.readouterr().out.splitlines()[-1].split()) > 3
