"""French time expressions."""

from __future__ import annotations

import pytest

from tests.core.timewords.reading_cases import reading

CASES = [
    ("je suis arrivé hier", "hier", "2025-05-13..2025-05-14 day"),
    ("j'ai déménagé le mois dernier", "le mois dernier", "2025-04-01..2025-05-01 month"),
    ("né en mars 1990", "mars 1990", "1990-03-01..1990-04-01 month"),
    ("le 5 mai 2024 nous avons signé", "5 mai 2024", "2024-05-05..2024-05-06 day"),
    ("vendredi prochain", "vendredi prochain", "2025-05-16..2025-05-17 day"),
    ("lundi dernier", "lundi dernier", "2025-05-12..2025-05-13 day"),
    ("il y a deux semaines", "il y a deux semaines", "~2025-04-28..2025-05-05 week"),
    ("il y a trois ans", "il y a trois ans", "~2022-01-01..2023-01-01 year"),
    ("dans deux semaines", "dans deux semaines", "~2025-05-26..2025-06-02 week"),
    ("l'été 2019", "été 2019", "2019-06-01..2019-09-01 season"),
    ("l'été dernier", "l'été dernier", "2024-06-01..2024-09-01 season"),
    ("dans les années 1990", "les années 1990", "1990-01-01..2000-01-01 decade"),
    ("dans les années quatre-vingt-dix", "années quatre-vingt-dix", "1990-01-01..2000-01-01 decade"),
    ("début mars 2024", "début mars 2024", "~2024-03-01..2024-03-11 month"),
    ("à la mi-mai", "mi-mai", "~2025-05-11..2025-05-21 month"),
    ("fin 2019", "fin 2019", "~2019-09-01..2020-01-01 year"),
    ("depuis 2019", "depuis 2019", "2019-01-01.. year since"),
    ("depuis mars", "depuis mars", "2025-03-01.. month since"),
    ("depuis trois ans", "depuis trois ans", "2022-05-14.. year since"),
    ("jusqu'à vendredi", "jusqu'à vendredi", "..2025-05-17 day until"),
    ("avant 2018", "avant 2018", "..2018-01-01 year until"),
    ("après 2016", "après 2016", "2017-01-01.. year since"),
    ("entre 2015 et 2017", "entre 2015 et 2017", "2015-01-01..2018-01-01 year range"),
    ("de mars à juin 2024", "de mars à juin 2024", "2024-03-01..2024-07-01 month range"),
    ("du 3 au 5 mai", "du 3 au 5 mai", "2025-05-03..2025-05-06 day range"),
    ("les trois derniers mois", "trois derniers mois", "2025-02-14..2025-05-14 month range"),
    ("la première semaine de juillet 2024", "la première semaine de juillet 2024", "2024-07-01..2024-07-08 week"),
    ("le troisième trimestre 2019", "troisième trimestre 2019", "2019-07-01..2019-10-01 quarter"),
    ("demain à 15h30", "demain à 15h30", "2025-05-15T15:30..2025-05-15T15:31 minute"),
    ("en 2019", "2019", "2019-01-01..2020-01-01 year"),
    ("en mars", "mars", "2025-03-01..2025-04-01 month"),
    ("vers 2019", "vers 2019", "~2019-01-01..2020-01-01 year"),
    ("au XXIe siècle", "XXIe siècle", "2000-01-01..2100-01-01 decade"),
    ("à Noël 2020", "Noël 2020", "2020-12-25..2020-12-26 day"),
    ("après-demain", "après-demain", "2025-05-16..2025-05-17 day"),
    ("ce mois-ci", "ce mois-ci", "2025-05-01..2025-06-01 month"),
]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_an_expression_is_read(text: str, quote: str, meaning: str) -> None:
    assert reading(text, "fr") == [(quote, meaning)]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_it_is_read_alike_when_the_language_is_not_told(text: str, quote: str, meaning: str) -> None:
    assert reading(text) == [(quote, meaning)]
