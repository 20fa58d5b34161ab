"""Portuguese time expressions."""

from __future__ import annotations

import pytest

from tests.core.timewords.reading_cases import reading

CASES = [
    ("cheguei ontem", "ontem", "2025-05-13..2025-05-14 day"),
    ("mudei-me no mês passado", "mês passado", "2025-04-01..2025-05-01 month"),
    ("nasci em março de 1990", "março de 1990", "1990-03-01..1990-04-01 month"),
    ("no dia 5 de maio de 2024", "dia 5 de maio de 2024", "2024-05-05..2024-05-06 day"),
    ("na próxima sexta-feira", "próxima sexta-feira", "2025-05-16..2025-05-17 day"),
    ("há duas semanas", "há duas semanas", "~2025-04-28..2025-05-05 week"),
    ("há três anos", "há três anos", "~2022-01-01..2023-01-01 year"),
    ("em duas semanas", "em duas semanas", "~2025-05-26..2025-06-02 week"),
    ("no verão de 2019", "verão de 2019", "2019-06-01..2019-09-01 season"),
    ("nos anos noventa", "anos noventa", "1990-01-01..2000-01-01 decade"),
    ("no início de março de 2024", "início de março de 2024", "~2024-03-01..2024-03-11 month"),
    ("no final de 2019", "final de 2019", "~2019-09-01..2020-01-01 year"),
    ("desde 2019", "desde 2019", "2019-01-01.. year since"),
    ("até sexta-feira", "até sexta-feira", "..2025-05-17 day until"),
    ("antes de 2018", "antes de 2018", "..2018-01-01 year until"),
    ("depois de 2016", "depois de 2016", "2017-01-01.. year since"),
    ("entre 2015 e 2017", "entre 2015 e 2017", "2015-01-01..2018-01-01 year range"),
    ("de março a junho de 2024", "de março a junho de 2024", "2024-03-01..2024-07-01 month range"),
    ("os últimos três meses", "últimos três meses", "2025-02-14..2025-05-14 month range"),
    ("a primeira semana de julho de 2024", "a primeira semana de julho de 2024", "2024-07-01..2024-07-08 week"),
    ("amanhã às 3", "amanhã às 3", "2025-05-15T15:00..2025-05-15T16:00 hour"),
    ("em 2019", "2019", "2019-01-01..2020-01-01 year"),
    ("em março", "março", "2025-03-01..2025-04-01 month"),
]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_an_expression_is_read(text: str, quote: str, meaning: str) -> None:
    assert reading(text, "pt") == [(quote, meaning)]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_it_is_read_alike_when_the_language_is_not_told(text: str, quote: str, meaning: str) -> None:
    assert reading(text) == [(quote, meaning)]
