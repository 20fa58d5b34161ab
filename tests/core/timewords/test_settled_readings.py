"""Expressions whose parts mislead when they are read one by one: each is one value, or none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tensemem.times import find
from tests.core.timewords.reading_cases import others, told

REFERENCE = datetime(2026, 3, 25, 10, 0, tzinfo=UTC)
"""A Wednesday."""


def read(text: str, language: str | None = None, **choices: object) -> list[tuple[str, str]]:
    """Give what is found as (told, the first other reading or nothing)."""
    found = find(text, reference=REFERENCE, language=language, **choices)  # type: ignore[arg-type]
    return [(told(value), "".join(others(value)[:1])) for value in found]


FIRST_QUARTERS = (
    "Q1 FY2026", "Q1 FY26", "Q1 of FY2026", "FY2026 Q1", "FY26 Q1", "Q1 of fiscal year 2026", "fiscal Q1 2026",
    "Q1 of fiscal 2026", "the first quarter of FY2026", "the first quarter of fiscal 2026",
    "first fiscal quarter of 2026",
)  # fmt: skip


@pytest.mark.parametrize("text", FIRST_QUARTERS)
@pytest.mark.parametrize(
    ("month", "meaning"),
    [
        (1, "2026-01-01..2026-04-01 quarter"),
        (4, "2025-04-01..2025-07-01 quarter"),
        (10, "2025-10-01..2026-01-01 quarter"),
    ],
)
def test_a_fiscal_quarter_is_counted_from_the_month_the_year_begins_with(text: str, month: int, meaning: str) -> None:
    assert [value for value, _ in read(text, "en", fiscal_year_start=month)] == [meaning]


FISCAL = [
    ("H2 FY2026", "2025-10-01..2026-04-01 quarter"),
    ("fiscal H2 2026", "2025-10-01..2026-04-01 quarter"),
    ("the second half of FY2026", "2025-10-01..2026-04-01 quarter"),
    ("fiscal 2026", "2025-04-01..2026-04-01 year"),
    ("March of FY2026", "2026-03-01..2026-04-01 month"),
    ("May of FY2026", "2025-05-01..2025-06-01 month"),
    ("in Q4 of this fiscal year", "2026-01-01..2026-04-01 quarter"),
    ("Q1 2026", "2026-01-01..2026-04-01 quarter"),
]


@pytest.mark.parametrize(("text", "meaning"), FISCAL)
def test_so_is_what_else_lies_in_a_fiscal_year(text: str, meaning: str) -> None:
    assert [value for value, _ in read(text, "en", fiscal_year_start=4)] == [meaning]


DOTTED = [
    ("01.04.2026", "2026-04-01..2026-04-02 day"),
    ("on 01.04.2026", "2026-04-01..2026-04-02 day"),
    ("Am 01.04.2026", "2026-04-01..2026-04-02 day"),
    ("01.04.26", "2026-04-01..2026-04-02 day"),
    ("04.13.2026", "2026-04-13..2026-04-14 day"),
    ("on 01.04", "2025-04-01..2025-04-02 day"),
]


@pytest.mark.parametrize(("text", "meaning"), DOTTED)
@pytest.mark.parametrize("day_first", [None, True, False])
def test_dots_put_the_day_first(text: str, meaning: str, day_first: bool | None) -> None:
    assert [value for value, _ in read(text, day_first=day_first)] == [meaning]


@pytest.mark.parametrize("language", ["en", "zh", "es", "de", "fr", "ja", "pt", "it", "hi"])
def test_dots_put_the_day_first_in_every_language(language: str) -> None:
    assert read("01.04.2026", language) == [("2026-04-01..2026-04-02 day", "2026-01-04..2026-01-05")]


def test_slashes_still_go_by_the_language() -> None:
    assert read("01/04/2026", "en") == [("2026-01-04..2026-01-05 day", "2026-04-01..2026-04-02")]
