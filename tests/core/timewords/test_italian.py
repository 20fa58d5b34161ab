"""Italian time expressions."""

from __future__ import annotations

import pytest

from tests.core.timewords.reading_cases import reading

CASES = [
    ("sono arrivato ieri", "ieri", "2025-05-13..2025-05-14 day"),
    ("mi sono trasferito il mese scorso", "il mese scorso", "2025-04-01..2025-05-01 month"),
    ("nato nel marzo 1990", "marzo 1990", "1990-03-01..1990-04-01 month"),
    ("il 5 maggio 2024", "5 maggio 2024", "2024-05-05..2024-05-06 day"),
    ("venerdì prossimo", "venerdì prossimo", "2025-05-16..2025-05-17 day"),
    ("due settimane fa", "due settimane fa", "~2025-04-28..2025-05-05 week"),
    ("tre anni fa", "tre anni fa", "~2022-01-01..2023-01-01 year"),
    ("tra due settimane", "tra due settimane", "~2025-05-26..2025-06-02 week"),
    ("nell'estate 2019", "estate 2019", "2019-06-01..2019-09-01 season"),
    ("negli anni novanta", "anni novanta", "1990-01-01..2000-01-01 decade"),
    ("all'inizio di marzo 2024", "inizio di marzo 2024", "~2024-03-01..2024-03-11 month"),
    ("alla fine del 2019", "fine del 2019", "~2019-09-01..2020-01-01 year"),
    ("dal 2019", "dal 2019", "2019-01-01.. year since"),
    ("fino a venerdì", "fino a venerdì", "..2025-05-17 day until"),
    ("prima del 2018", "prima del 2018", "..2018-01-01 year until"),
    ("dopo il 2016", "dopo il 2016", "2017-01-01.. year since"),
    ("tra il 2015 e il 2017", "tra il 2015 e il 2017", "2015-01-01..2018-01-01 year range"),
    ("da marzo a giugno 2024", "da marzo a giugno 2024", "2024-03-01..2024-07-01 month range"),
    ("gli ultimi tre mesi", "ultimi tre mesi", "2025-02-14..2025-05-14 month range"),
    ("la prima settimana di luglio 2024", "la prima settimana di luglio 2024", "2024-07-01..2024-07-08 week"),
    ("domani alle 3", "domani alle 3", "2025-05-15T15:00..2025-05-15T16:00 hour"),
    ("nel 2019", "2019", "2019-01-01..2020-01-01 year"),
]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_an_expression_is_read(text: str, quote: str, meaning: str) -> None:
    assert reading(text, "it") == [(quote, meaning)]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_it_is_read_alike_when_the_language_is_not_told(text: str, quote: str, meaning: str) -> None:
    assert reading(text) == [(quote, meaning)]
