"""German time expressions."""

from __future__ import annotations

import pytest

from tests.core.timewords.reading_cases import reading

CASES = [
    ("ich kam gestern an", "gestern", "2025-05-13..2025-05-14 day"),
    ("letzten Monat bin ich umgezogen", "letzten Monat", "2025-04-01..2025-05-01 month"),
    ("im März 1990 geboren", "März 1990", "1990-03-01..1990-04-01 month"),
    ("am 5. Mai 2024 unterschrieben", "5. Mai 2024", "2024-05-05..2024-05-06 day"),
    ("am 22.04.2024", "22.04.2024", "2024-04-22..2024-04-23 day"),
    ("nächsten Freitag", "nächsten Freitag", "2025-05-16..2025-05-17 day"),
    ("letzten Montag", "letzten Montag", "2025-05-12..2025-05-13 day"),
    ("vor zwei Wochen", "vor zwei Wochen", "~2025-04-28..2025-05-05 week"),
    ("vor drei Jahren wohnte ich hier", "vor drei Jahren", "~2022-01-01..2023-01-01 year"),
    ("in zwei Wochen", "in zwei Wochen", "~2025-05-26..2025-06-02 week"),
    ("im Sommer 2019", "Sommer 2019", "2019-06-01..2019-09-01 season"),
    ("letzten Sommer", "letzten Sommer", "2024-06-01..2024-09-01 season"),
    ("in den neunziger Jahren", "den neunziger Jahren", "1990-01-01..2000-01-01 decade"),
    ("Anfang März 2024", "Anfang März 2024", "~2024-03-01..2024-03-11 month"),
    ("Mitte Mai", "Mitte Mai", "~2025-05-11..2025-05-21 month"),
    ("Ende 2019", "Ende 2019", "~2019-09-01..2020-01-01 year"),
    ("seit 2019", "seit 2019", "2019-01-01.. year since"),
    ("seit März", "seit März", "2025-03-01.. month since"),
    ("seit drei Jahren", "seit drei Jahren", "2022-05-14.. year since"),
    ("bis Freitag", "bis Freitag", "..2025-05-17 day until"),
    ("vor 2018", "vor 2018", "..2018-01-01 year until"),
    ("nach 2016", "nach 2016", "2017-01-01.. year since"),
    ("zwischen 2015 und 2017", "zwischen 2015 und 2017", "2015-01-01..2018-01-01 year range"),
    ("von März bis Juni 2024", "von März bis Juni 2024", "2024-03-01..2024-07-01 month range"),
    ("vom 3. bis zum 5. Mai", "vom 3. bis zum 5. Mai", "2025-05-03..2025-05-06 day range"),
    ("in den letzten drei Monaten", "letzten drei Monaten", "2025-02-14..2025-05-14 month range"),
    ("am Dienstagabend", "Dienstagabend", "~2025-05-13T17:00..2025-05-13T22:00 day"),
    ("im dritten Quartal 2019", "dritten Quartal 2019", "2019-07-01..2019-10-01 quarter"),
    ("morgen um 15 Uhr", "morgen um 15 Uhr", "2025-05-15T15:00..2025-05-15T16:00 hour"),
    ("im Jahr 2019", "Jahr 2019", "2019-01-01..2020-01-01 year"),
    ("im März", "März", "2025-03-01..2025-04-01 month"),
    ("KW 10", "KW 10", "2025-03-03..2025-03-10 week"),
    ("im 21. Jahrhundert", "21. Jahrhundert", "2000-01-01..2100-01-01 decade"),
    ("an Ostern 2024", "Ostern 2024", "2024-03-31..2024-04-01 day"),
    ("übermorgen", "übermorgen", "2025-05-16..2025-05-17 day"),
    ("unter der Woche", "unter der Woche", "2025-05-12..2025-05-17 week"),
]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_an_expression_is_read(text: str, quote: str, meaning: str) -> None:
    assert reading(text, "de") == [(quote, meaning)]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_it_is_read_alike_when_the_language_is_not_told(text: str, quote: str, meaning: str) -> None:
    assert reading(text) == [(quote, meaning)]
