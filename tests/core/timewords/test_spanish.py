"""Spanish time expressions."""

from __future__ import annotations

import pytest

from tests.core.timewords.reading_cases import reading

CASES = [
    ("llegué ayer", "ayer", "2025-05-13..2025-05-14 day"),
    ("me mudé el mes pasado", "el mes pasado", "2025-04-01..2025-05-01 month"),
    ("nací en marzo de 1990", "marzo de 1990", "1990-03-01..1990-04-01 month"),
    ("el 5 de mayo de 2024 firmé", "5 de mayo de 2024", "2024-05-05..2024-05-06 day"),
    ("el viernes próximo", "viernes próximo", "2025-05-16..2025-05-17 day"),
    ("el lunes pasado", "lunes pasado", "2025-05-12..2025-05-13 day"),
    ("hace dos semanas", "hace dos semanas", "~2025-04-28..2025-05-05 week"),
    ("hace tres años vivía aquí", "hace tres años", "~2022-01-01..2023-01-01 year"),
    ("dentro de dos semanas", "dentro de dos semanas", "~2025-05-26..2025-06-02 week"),
    ("en verano de 2019", "verano de 2019", "2019-06-01..2019-09-01 season"),
    ("el verano pasado", "el verano pasado", "2024-06-01..2024-09-01 season"),
    ("en la década de 1990", "década de 1990", "1990-01-01..2000-01-01 decade"),
    ("los años noventa", "años noventa", "1990-01-01..2000-01-01 decade"),
    ("a principios de marzo de 2024", "principios de marzo de 2024", "~2024-03-01..2024-03-11 month"),
    ("a mediados de mayo", "mediados de mayo", "~2025-05-11..2025-05-21 month"),
    ("a finales de 2019", "finales de 2019", "~2019-09-01..2020-01-01 year"),
    ("desde 2019", "desde 2019", "2019-01-01.. year since"),
    ("desde marzo", "desde marzo", "2025-03-01.. month since"),
    ("desde hace tres años", "desde hace tres años", "2022-05-14.. year since"),
    ("hasta el viernes", "hasta el viernes", "..2025-05-17 day until"),
    ("antes de 2018", "antes de 2018", "..2018-01-01 year until"),
    ("después de 2016", "después de 2016", "2017-01-01.. year since"),
    ("entre 2015 y 2017", "entre 2015 y 2017", "2015-01-01..2018-01-01 year range"),
    ("de marzo a junio de 2024", "de marzo a junio de 2024", "2024-03-01..2024-07-01 month range"),
    ("del 3 al 5 de mayo", "del 3 al 5 de mayo", "2025-05-03..2025-05-06 day range"),
    ("los últimos tres meses", "últimos tres meses", "2025-02-14..2025-05-14 month range"),
    ("la primera semana de julio de 2024", "la primera semana de julio de 2024", "2024-07-01..2024-07-08 week"),
    ("el tercer trimestre de 2019", "tercer trimestre de 2019", "2019-07-01..2019-10-01 quarter"),
    ("mañana a las 3", "mañana a las 3", "2025-05-15T15:00..2025-05-15T16:00 hour"),
    ("en 2019 trabajé allí", "2019", "2019-01-01..2020-01-01 year"),
    ("en marzo", "marzo", "2025-03-01..2025-04-01 month"),
    ("alrededor de 2019", "alrededor de 2019", "~2019-01-01..2020-01-01 year"),
    ("el siglo XXI", "siglo XXI", "2000-01-01..2100-01-01 decade"),
    ("Navidad de 2020", "Navidad de 2020", "2020-12-25..2020-12-26 day"),
]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_an_expression_is_read(text: str, quote: str, meaning: str) -> None:
    assert reading(text, "es") == [(quote, meaning)]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_it_is_read_alike_when_the_language_is_not_told(text: str, quote: str, meaning: str) -> None:
    assert reading(text) == [(quote, meaning)]
