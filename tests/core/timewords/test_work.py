"""No text costs more than its length: the work is counted, not timed."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from tensemem.core.timewords.asking import MODULES, load
from tensemem.times import find
from tests.counting import lines_of

REFERENCE = datetime(2025, 5, 14, 10, tzinfo=UTC)
HOSTILE = {
    "digits": "7",
    "digits and dots": "1.",
    "digits and slashes": "12/",
    "digits and hyphens": "2024-",
    "clock": "12:",
    "last": "last ",
    "the": "the ",
    "of": "of the ",
    "from": "from May to ",
    "and": "2 weeks and ",
    "numbers": "twenty two ",
    "row": "1 ",
    "row of years": "2019 ",
    "row of decimals": "1.5 ",
    "row broken": "1 2 3 4 5 6 x ",
    "days": "yesterday ",
    "years": "in 2019, ",
    "months": "May ",
    "numerals": "一",
    "tens": "十百",
    "era": "平成",
    "no": "の",
    "prefix": "今",
    "weekdays": "星期",
    "de": "de la semana ",
    "vor": "vor dem ",
    "hyphens": "-",
    "quotes": "'",
    "blanks": " ",
    "breaks": "\n",
    "letters": "a",
    "addresses": "http://",
    "full width": "１２／",
    "marks": "a\u0301",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("language", [None, *MODULES])
def test_work_grows_with_the_length_and_no_faster(language: str | None, name: str) -> None:
    unit = HOSTILE[name]
    find(unit * 3, reference=REFERENCE, language=language)
    small, large = (
        lines_of(lambda size=size: find(unit * size, reference=REFERENCE, language=language))  # type: ignore[misc]
        for size in (40, 160)
    )
    assert large <= 4.4 * small + 400


@pytest.mark.parametrize("name", HOSTILE)
def test_a_long_hostile_text_is_read_to_its_end(name: str) -> None:
    text = HOSTILE[name] * (10_000 // len(HOSTILE[name])) + " "
    for language in MODULES:
        found = find(text + "2024-03-05", reference=REFERENCE, language=language)
        assert found == () or found[-1].stop <= len(text) + 10


@pytest.mark.parametrize("language", MODULES)
def test_no_expression_over_categories_repeats_without_bound(language: str) -> None:
    for step in load(language).passes:
        for rule in step.rules:
            assert not re.search(r"[*+{]", rule.pattern.pattern)


@pytest.mark.parametrize("language", MODULES)
def test_a_long_row_of_numbers_costs_no_more_than_a_short_one(language: str) -> None:
    short, long = ("in March " + "7 " * size + "on 5.6.2024" for size in (10, 400))
    found = find(short, reference=REFERENCE, language=language)
    assert find(long, reference=REFERENCE, language=language)[-1].start == found[-1].start

    def cost(text: str) -> int:
        return lines_of(lambda: find(text, reference=REFERENCE, language=language))

    assert cost(long) <= cost(short) + 20


def test_the_ends_of_a_row_of_numbers_are_still_read() -> None:
    found = find("5 March 2024 1 2 3 4 5 6 7 8 9 10 days ago", reference=REFERENCE, language="en")
    assert [value.quote for value in found] == ["5 March 2024", "10 days ago"]
