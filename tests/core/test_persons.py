"""Of whom a sentence speaks."""

from __future__ import annotations

import pytest

from tensemem.core.persons import person_meant, person_of


@pytest.mark.parametrize(
    ("text", "quote", "value", "person"),
    [
        ("I live in Goa", "I live in Goa", "Goa", "speaker"),
        ("You live in Goa", "You live in Goa", "Goa", "listener"),
        ("I think you live in Goa", "live in Goa", "Goa", "listener"),
        ("I told you I live in Goa", "live in Goa", "Goa", "speaker"),
        ("I live with you in Goa", "live with you in Goa", "Goa", "speaker"),
        ("Goa is where I live", "Goa is where I live", "Goa", "speaker"),
        ("You live in Pune. I live in Goa", "live in Goa", "Goa", "speaker"),
        ("I am Bo. You live in Goa", "live in Goa", "Goa", "listener"),
        ("the user lives in Goa, I say", "lives in Goa", "Goa", "listener"),
        ("wie du weißt, wohne ich in Goa", "in Goa", "Goa", "speaker"),
        ("du wohnst in Goa, glaube ich", "du wohnst in Goa, glaube ich", "Goa", "listener"),
        ("我觉得你住在果阿", "住在果阿", "果阿", "listener"),
        ("你知道我住在果阿", "住在果阿", "果阿", "speaker"),
        ("lives in Goa", "lives in Goa", "Goa", None),
        ("I live in Goa", "I live in Goa", "elsewhere", "speaker"),
        ("I live in Goa", "I live in Goa", "", "speaker"),
    ],
)
def test_the_word_before_the_value_decides(text: str, quote: str, value: str, person: str | None) -> None:
    begin = text.index(quote)
    assert person_meant(text, (begin, begin + len(quote)), value) == person


@pytest.mark.parametrize(
    ("text", "person"), [("I moved", "speaker"), ("you moved", "listener"), ("I saw you moving", None), ("moved", None)]
)
def test_a_text_of_one_person_is_about_that_one(text: str, person: str | None) -> None:
    assert person_of(text) == person
