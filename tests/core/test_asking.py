"""The words of questions: readable for any name, on one line for any value, the same for the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import Predicate
from tensemem.core.asking import LONGEST_SHOWN, Asker, fit, sentence
from tensemem.model.claim import ClaimKind


def asker(name: str, subject: str = "user", **options: Any) -> Asker:
    return Asker(subject, Predicate(name, **options))


@pytest.mark.parametrize(
    ("name", "options", "value", "expected"),
    [
        ("lives_in", {}, "Delhi", "Do you still live in Delhi?"),
        ("works_at", {}, "Acme", "Do you still work at Acme?"),
        ("studies_at", {}, "MIT", "Do you still study at MIT?"),
        ("commutes_by", {}, "train", "Do you still commute by train?"),
        ("vouches_for", {}, "Mira", "Do you still vouch for Mira?"),
        ("goes_to", {}, "church", "Do you still go to church?"),
        ("has", {"cardinality": "many"}, "a cat", "Do you still have a cat?"),
        ("likes", {"cardinality": "many"}, "jazz", "Do you still like jazz?"),
        ("watches", {"cardinality": "many"}, "football", "Do you still watch football?"),
        ("allergic_to", {"cardinality": "many"}, "nuts", "Are you still allergic to nuts?"),
        ("diet", {}, "vegetarian", "Is your diet still vegetarian?"),
        ("job_title", {}, "baker", "Is your job title still baker?"),
        ("languages", {"cardinality": "many"}, "Go", "Is Go still one of your languages?"),
        ("equipment", {"cardinality": "many"}, "a saw", "Is a saw still part of your equipment?"),
        ("address", {}, "Main Street", "Is your address still Main Street?"),
        ("tz", {"description": "The person's time zone"}, "UTC", "Is your time zone still UTC?"),
        ("db", {"description": "The project's database"}, "pg", "Is the project's database still pg?"),
        ("diet", {"description": "How the person eats: vegan …"}, "vegan", "Is your diet still vegan?"),
        ("is_vegetarian", {"type": "bool"}, "true", "Is it still true that you are vegetarian?"),
        ("is_vegetarian", {"type": "bool"}, "false", "Is it still true that you are not vegetarian?"),
        ("dark_mode", {"type": "bool"}, "false", "Is “dark mode” for you still false?"),
        ("城市", {}, "德里", "Is your 城市 still 德里?"),
        ("in", {}, "Delhi", "Is your in still Delhi?"),
        ("s", {}, "x", "Is your s still x?"),
    ],
)
def test_a_name_is_read_as_what_one_does_is_or_has(
    name: str, options: dict[str, Any], value: str, expected: str
) -> None:
    assert asker(name, **options).states(value, still=True) == expected


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("user", "Do you live in Delhi?"),
        ("Mira", "Does Mira live in Delhi?"),
        ("user.wife", "Does your wife live in Delhi?"),
        ("user.wife.mother_in_law", "Does your wife's mother-in-law live in Delhi?"),
    ],
)
def test_a_question_names_whom_it_is_about(subject: str, expected: str) -> None:
    assert asker("lives_in", subject).states("Delhi") == expected


def test_the_possessive_follows_the_subject() -> None:
    assert asker("diet", "user.wife").states("vegan") == "Is your wife's diet vegan?"
    assert asker("allergic_to", "Mira").states("nuts") == "Is Mira allergic to nuts?"
    assert asker("tz", "Mira", description="The person's time zone").states("UTC") == "Is Mira's time zone UTC?"
    assert asker("is_vegan", "Mira", type="bool").states("true") == "Is it true that Mira is vegan?"


@pytest.mark.parametrize(
    ("name", "kind", "values", "expected"),
    [
        ("lives_in", ClaimKind.CONFIRM, ["Delhi"], "Do you live in Delhi?"),
        ("lives_in", ClaimKind.RETRACT, ["Delhi"], "Is it right that you no longer live in Delhi?"),
        ("lives_in", ClaimKind.RETRACT, [], "Is it right that nothing of “lives in” for you holds any longer?"),
        ("lives_in", ClaimKind.DENY, ["Delhi"], "Is it right that “lives in” for you was never Delhi?"),
        ("diet", ClaimKind.RETRACT, ["vegan"], "Is it right that your diet is no longer vegan?"),
        ("allergic_to", ClaimKind.RETRACT, ["nuts"], "Is it right that you are no longer allergic to nuts?"),
    ],
)
def test_what_takes_away_is_asked_for_as_it_stands(
    name: str, kind: ClaimKind, values: list[str], expected: str
) -> None:
    assert sentence(asker(name), kind, values) == expected


def test_several_values_are_listed() -> None:
    many = asker("languages", cardinality="many")
    assert sentence(many, ClaimKind.RETRACT, ["Go"]) == "Is it right that Go is no longer one of your languages?"
    only = "Is it right that “languages” for you is now Go, SQL and nothing else?"
    assert sentence(many, ClaimKind.REPLACE, ["Go", "SQL"]) == only
    assert "is now nothing and nothing else" in sentence(many, ClaimKind.REPLACE, [])


def test_the_third_person_keeps_its_verb() -> None:
    assert asker("lives_in", "Mira").ended("Delhi") == "Is it right that Mira no longer lives in Delhi?"


def test_what_gives_way_is_named_with_its_preposition() -> None:
    assert asker("lives_in").instead_of("Delhi") == ", and no longer in Delhi"
    assert asker("diet").instead_of("vegan") == ", and no longer vegan"
    assert asker("allergic_to").instead_of("nuts") == ", and no longer to nuts"
    assert asker("dark_mode", type="bool").instead_of("true") == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Delhi", "Delhi"),
        ("C#", "C#"),
        ("St. Gallen", "“St. Gallen”"),
        ("3.12", "3.12"),
        ("Is it?", "“Is it?”"),
        ("two\nlines", r"“two\nlines”"),
        ("a, b", "“a, b”"),
        ('{"a": 1}', '“{"a": 1}”'),
        ("", "(no value)"),
    ],
)
def test_a_value_that_may_be_a_sentence_stands_in_quotation_marks(value: str, expected: str) -> None:
    assert fit(value) == expected


_names = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=30)


@given(name=_names, value=st.text(max_size=400), subject=st.sampled_from(("user", "Mira", "user.wife")))
def test_any_name_and_value_give_one_line_of_bounded_length(name: str, value: str, subject: str) -> None:
    for kind in ClaimKind:
        for type_ in ("text", "bool"):
            text = sentence(asker(name, subject, type=type_), kind, [value])
            assert text.endswith("?")
            assert len(text.splitlines()) == 1
            assert len(text) < 4 * LONGEST_SHOWN
            assert text == sentence(asker(name, subject, type=type_), kind, [value])
