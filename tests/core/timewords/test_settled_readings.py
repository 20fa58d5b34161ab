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


def test_quarters_of_a_fiscal_year_need_not_be_those_of_the_calendar() -> None:
    assert read("last fiscal quarter", "en", fiscal_year_start=2) == [("2025-11-01..2026-02-01 quarter", "")]
    assert read("this fiscal quarter", "en", fiscal_year_start=3) == [("2026-03-01..2026-06-01 quarter", "")]


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


FROM_A_DAY = [
    ("am 15. nächsten Monats", "de", "2026-04-15..2026-04-16 day", ""),
    ("am 15. des nächsten Monats", "de", "2026-04-15..2026-04-16 day", ""),
    ("bis zum 15. nächsten Monats", "de", "..2026-04-16 day until", "..2026-04-15"),
    ("lundi en huit", "fr", "2026-03-30..2026-03-31 day", "2026-04-06..2026-04-07"),
    ("lundi en quinze", "fr", "2026-04-06..2026-04-07 day", "2026-04-13..2026-04-14"),
    ("aujourd'hui en huit", "fr", "2026-04-01..2026-04-02 day", "2026-04-02..2026-04-03"),
    ("Montag in acht Tagen", "de", "2026-04-06..2026-04-07 day", "2026-03-30..2026-03-31"),
    ("heute in acht Tagen", "de", "2026-04-01..2026-04-02 day", "2026-04-02..2026-04-03"),
    ("heute in einer Woche", "de", "2026-04-01..2026-04-02 day", ""),
    ("heute vor einem Jahr", "de", "2025-03-25..2025-03-26 day", ""),
    ("hoy hace un año", "es", "2025-03-25..2025-03-26 day", ""),
    ("el martes en ocho días", "es", "2026-04-07..2026-04-08 day", "2026-03-31..2026-04-01"),
    ("today in two weeks", "en", "2026-04-08..2026-04-09 day", ""),
    ("tomorrow in a week", "en", "2026-04-02..2026-04-03 day", ""),
    ("a year ago today", "en", "2025-03-25..2025-03-26 day", ""),
    ("on Friday in two weeks", "en", "2026-04-10..2026-04-11 day", ""),
    ("in two weeks on Friday", "en", "2026-04-10..2026-04-11 day", ""),
    ("two weeks ago on Friday", "en", "2026-03-13..2026-03-14 day", ""),
    ("a week from Friday", "en", "2026-04-03..2026-04-04 day", "2026-03-27..2026-03-28"),
    ("two weeks from Monday", "en", "2026-04-13..2026-04-14 day", "2026-04-06..2026-04-07"),
    ("a week from tomorrow", "en", "2026-04-02..2026-04-03 day", "2026-03-30..2026-04-06"),
    ("two days after Monday", "en", "2026-03-25..2026-03-26 day", "2026-04-01..2026-04-02"),
    ("Tuesday week", "en", "2026-04-07..2026-04-08 day", "2026-03-31..2026-04-01"),
    ("two Fridays ago", "en", "2026-03-13..2026-03-14 day", ""),
    ("two Wednesdays ago", "en", "2026-03-11..2026-03-12 day", ""),
]
IN_A_YEAR = [
    ("last year in March", "en", "2025-03-01..2025-04-01 month", ""),
    ("last year on 5 May", "en", "2025-05-05..2025-05-06 day", ""),
    ("two years ago in May", "en", "2024-05-01..2024-06-01 month", ""),
    ("next year in Q3", "en", "2027-07-01..2027-10-01 quarter", ""),
    ("vor zwei Jahren im Mai", "de", "2024-05-01..2024-06-01 month", ""),
    ("letztes Jahr im März", "de", "2025-03-01..2025-04-01 month", ""),
    ("il y a deux ans en mai", "fr", "2024-05-01..2024-06-01 month", ""),
    ("l'année dernière en mars", "fr", "2025-03-01..2025-04-01 month", ""),
    ("hace dos años en mayo", "es", "2024-05-01..2024-06-01 month", ""),
]
COMING_FIRST = [
    ("el próximo viernes", "es", "2026-03-27..2026-03-28 day", "2026-04-03..2026-04-04"),
    ("el viernes que viene", "es", "2026-03-27..2026-03-28 day", "2026-04-03..2026-04-04"),
    ("el próximo miércoles", "es", "2026-04-01..2026-04-02 day", ""),
    ("el próximo viernes 3 de abril de 2026", "es", "2026-04-03..2026-04-04 day", ""),
    ("次の金曜日", "ja", "2026-03-27..2026-03-28 day", "2026-04-03..2026-04-04"),
    ("来週の金曜日", "ja", "2026-04-03..2026-04-04 day", ""),
    ("vendredi prochain", "fr", "2026-03-27..2026-03-28 day", "2026-04-03..2026-04-04"),
    ("nächsten Freitag", "de", "2026-03-27..2026-03-28 day", "2026-04-03..2026-04-04"),
    ("nächsten Freitag, den 3. April 2026", "de", "2026-04-03..2026-04-04 day", ""),
    ("übernächsten Freitag", "de", "2026-04-03..2026-04-04 day", "2026-04-10..2026-04-11"),
    ("nächste Woche Freitag", "de", "2026-04-03..2026-04-04 day", ""),
    ("venerdì prossimo", "it", "2026-03-27..2026-03-28 day", "2026-04-03..2026-04-04"),
    ("na próxima sexta-feira", "pt", "2026-03-27..2026-03-28 day", "2026-04-03..2026-04-04"),
    ("na sexta que vem", "pt", "2026-03-27..2026-03-28 day", "2026-04-03..2026-04-04"),
    ("下周五", "zh", "2026-04-03..2026-04-04 day", ""),
    ("next Friday", "en", "2026-04-03..2026-04-04 day", "2026-03-27..2026-03-28"),
    ("next weekend", "en", "2026-04-04..2026-04-06 day", "2026-03-28..2026-03-30"),
    ("el próximo fin de semana", "es", "2026-04-04..2026-04-06 day", "2026-03-28..2026-03-30"),
]


@pytest.mark.parametrize(("text", "language", "meaning", "other"), [*FROM_A_DAY, *IN_A_YEAR, *COMING_FIRST])
def test_what_belongs_together_is_one_value(text: str, language: str, meaning: str, other: str) -> None:
    assert read(text, language) == [(meaning, other)]


def test_a_weekend_that_has_begun_is_not_the_next_one() -> None:
    (value,) = find("next weekend", reference=datetime(2026, 3, 28, 10, 0, tzinfo=UTC), language="en")
    assert (told(value), others(value)) == ("2026-04-04..2026-04-06 day", [])


NO_TIME = [
    "he's in his 80s",
    "She is in her thirties",
    "they are in their early forties",
    "a man in his late 50s",
    "a widow in her 70s living alone",
    "in his mid-thirties",
    "people in their '80s",
    "er ist in seinen 80ern",
    "er ist in den Achtzigern",
    "tiene unos 80",
    "está en sus 80",
    "il est dans la trentaine",
    "temperatures in the 70s",
    "highs in the low 80s",
    "the temperature is in the 90s",
    "mid-80s temperatures",
    "in 2000 machines",
    "it runs in 2000 machines worldwide",
    "wir haben es in 2000 Maschinen",
    "funciona en 2000 máquinas",
    "il tourne dans 2000 machines",
    "on the Monday app",
    "in the Friday release train",
]


@pytest.mark.parametrize("text", NO_TIME)
def test_ages_temperatures_and_numbers_of_things_are_no_times(text: str) -> None:
    assert read(text) == []


STILL_A_TIME = [
    ("in the 70s we lived there", "en", "1970-01-01..1980-01-01 decade"),
    ("her 80s hits", "en", "1980-01-01..1990-01-01 decade"),
    ("in his 1980s work", "en", "1980-01-01..1990-01-01 decade"),
    ("in den 80ern", "de", "1980-01-01..1990-01-01 decade"),
    ("en los 80", "es", "1980-01-01..1990-01-01 decade"),
    ("In 2000 sales rose", "en", "2000-01-01..2001-01-01 year"),
    ("but in 2000 prices were low", "en", "2000-01-01..2001-01-01 year"),
    ("born in 2000 near the sea", "en", "2000-01-01..2001-01-01 year"),
    ("en 2000 vivíamos allí", "es", "2000-01-01..2001-01-01 year"),
    ("on the Monday", "en", "2026-03-23..2026-03-24 day"),
    ("on Monday work begins", "en", "2026-03-23..2026-03-24 day"),
]


@pytest.mark.parametrize(("text", "language", "meaning"), STILL_A_TIME)
def test_decades_years_and_weekdays_are_still_read(text: str, language: str, meaning: str) -> None:
    assert [value for value, _ in read(text, language)] == [meaning]


WEEKENDS = [
    ("周末我去爬山", "past", [("2026-03-21..2026-03-23 day", "2026-03-28..2026-03-30")]),
    ("周末我去爬山", "future", [("2026-03-28..2026-03-30 day", "2026-03-21..2026-03-23")]),
    ("下周末", "past", [("2026-04-04..2026-04-06 day", "")]),
    ("每个周末", "past", []),
    ("两个周末", "past", []),
    ("周末愉快", "past", []),
]


@pytest.mark.parametrize(("text", "prefer", "expected"), WEEKENDS)
def test_a_chinese_weekend_needs_no_cue(text: str, prefer: str, expected: list[tuple[str, str]]) -> None:
    assert read(text, "zh", prefer=prefer) == expected


def test_a_chinese_weekend_that_lasts_is_this_one() -> None:
    (value,) = find("周末", reference=datetime(2026, 3, 29, 10, 0, tzinfo=UTC), language="zh", prefer="future")
    assert told(value) == "2026-03-28..2026-03-30 day"
