"""The sentences themselves: every line is well formed, says what it says once, and half of them say nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tensemem import Predicate
from tensemem.core.subjects import is_relation_or_user, normalise_subject
from tensemem.core.text import comparison_key
from tests.extract.sentences import FOLDER, KINDS, LANGUAGES, PREDICATES, half_of, load, rows

ROWS = {language: rows(FOLDER / f"{language}.jsonl") for language in LANGUAGES}
EVERY = [row for lines in ROWS.values() for row in lines]
BY_NAME: Mapping[str, Predicate] = {predicate.name: predicate for predicate in PREDICATES}
AT_LEAST = {"en": 400, "zh": 200, "es": 200, "de": 200}
PARTS = ("expect", "allowed", "planned")
OTHERS = frozenset(f"user.{name}" for name in ("parents", "children", "brother-in-law", "sister-in-law", "dog"))
"""Subjects that are no relation word of the library: several people, in-laws, an animal."""


def operations(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (operation for part in PARTS for operation in row.get(part, ()))


def faults(row: Mapping[str, Any]) -> list[str]:
    """Everything wrong with one line."""
    found = [f"unknown field {name}" for name in row.keys() - {"id", "text", "kind", *PARTS}]
    if row["kind"] not in KINDS:
        found.append(f"unknown kind {row['kind']}")
    if not row["text"].strip() or row["text"] != row["text"].strip():
        found.append("blank, or blanks around the text")
    for operation in operations(row):
        found += faults_of_operation(operation, row["text"])
    return found


def faults_of_operation(operation: Mapping[str, Any], text: str) -> Iterator[str]:
    known = {"op", "predicate", "value", "values", "subject", "subjects", "when"}
    yield from (f"unknown field {name}" for name in operation.keys() - known)
    if operation["predicate"] not in BY_NAME:
        yield f"unknown predicate {operation['predicate']}"
        return
    if operation["op"] not in ops_of(BY_NAME[operation["predicate"]], operation):
        yield f"{operation['op']} on {operation['predicate']}"
    if operation.get("when", "past") != "past":
        yield f"when is {operation['when']}"
    variants = operation.get("values", [operation["value"]] if "value" in operation else [])
    if variants and variants[0] != operation.get("value"):
        yield "the first variant is not the value"
    if variants and not any(stands_in(variant, text) for variant in variants):
        yield f"{variants} is not in the text"
    if not variants and operation["op"] != "retract":
        yield "no value"
    for subject in operation.get("subjects", [operation["subject"]]):
        yield from faults_of_subject(subject, text)


def ops_of(predicate: Predicate, operation: Mapping[str, Any]) -> set[str]:
    """The operations that fit the predicate's cardinality."""
    if not predicate.is_many:
        return {"set", "retract", "deny"}
    return {"add", "remove", "replace", "deny"} if "value" in operation else {"retract"}


def faults_of_subject(subject: str, text: str) -> Iterator[str]:
    key, _ = normalise_subject(subject)
    if not is_relation_or_user(key) and subject not in OTHERS and not stands_in(subject, text):
        yield f"{subject} is neither a relation nor in the text"


def stands_in(value: Any, text: str) -> bool:
    if isinstance(value, list):
        return all(stands_in(one, text) for one in value)
    return comparison_key(str(value)) in comparison_key(text)


def test_every_line_is_well_formed() -> None:
    assert {row["id"]: found for row in EVERY if (found := faults(row))} == {}


@pytest.mark.parametrize(
    "spoilt",
    [
        {"kind": "guess"},
        {"text": " I live in Oslo"},
        {"note": "x"},
        {"expect": [{"op": "set", "predicate": "lives_in", "value": "Rome", "subject": "user"}]},
        {"expect": [{"op": "add", "predicate": "lives_in", "value": "Oslo", "subject": "user"}]},
        {"expect": [{"op": "set", "predicate": "shoe_size", "value": "Oslo", "subject": "user"}]},
        {"expect": [{"op": "set", "predicate": "lives_in", "subject": "user"}]},
        {"expect": [{"op": "set", "predicate": "lives_in", "value": "Oslo", "subject": "Mira"}]},
        {"expect": [{"op": "set", "predicate": "lives_in", "value": "Oslo", "subject": "user", "when": "soon"}]},
        {"expect": [{"op": "set", "predicate": "lives_in", "value": "Oslo", "values": ["x"], "subject": "user"}]},
    ],
)
def test_a_spoilt_line_is_reported(spoilt: dict[str, Any]) -> None:
    line = {"id": "en-0001", "text": "I live in Oslo", "kind": "positive", "expect": []}
    assert faults(line) == []
    assert len(faults({**line, **spoilt})) >= 1


def test_ids_are_of_their_file_and_count_up() -> None:
    for language, lines in ROWS.items():
        ids = [row["id"] for row in lines]
        own = [id for id in ids if id[3] not in "ab"]
        assert own == [f"{language}-{number:04}" for number in range(1, len(own) + 1)]
        for batch in "ab":
            later = [id for id in ids if id[3] == batch]
            assert later == [f"{language}-{batch}{number:03}" for number in range(1, len(later) + 1)]
            assert {half_of(id) for id in later} == {"dev" if batch == "a" else "test"}


def test_no_sentence_is_there_twice() -> None:
    keys = Counter(re.sub(r"\W+", " ", comparison_key(row["text"])).strip() for row in EVERY)
    assert [text for text, count in keys.items() if count > 1] == []


def test_no_two_sentences_of_a_language_are_nearly_the_same() -> None:
    """Four in five of their pairs of neighbouring characters in common: a word changed in a long sentence."""
    for lines in ROWS.values():
        grams = [(row["id"], frozenset(map(str.__add__, row["text"], row["text"][1:]))) for row in lines]
        twins = [
            (one, other)
            for place, (one, mine) in enumerate(grams)
            for other, theirs in grams[:place]
            if len(mine & theirs) > 0.8 * len(mine | theirs)
        ]
        assert twins == []


def test_there_are_enough_of_them_and_half_assert_nothing() -> None:
    assert len(EVERY) >= 1_000
    for language, lines in ROWS.items():
        assert len(lines) >= AT_LEAST[language]
        assert sum(not row["expect"] for row in lines) >= 0.45 * len(lines)
        assert sum(bool(row["expect"]) for row in lines) >= 0.4 * len(lines)


def test_every_predicate_is_expected_in_every_language_and_every_kind_occurs() -> None:
    for language, lines in ROWS.items():
        expected = {operation["predicate"] for row in lines for operation in row["expect"]}
        assert set(BY_NAME) - expected == set(), language
        assert KINDS - {row["kind"] for row in lines} == set(), language


def test_the_halves_are_one_split_of_all() -> None:
    for language in LANGUAGES:
        dev, test = load(language, "dev"), load(language, "test")
        assert sorted(one.id for one in dev + test) == [one.id for one in load(language)]
        assert 0.4 < len(test) / len(dev + test) < 0.6
    assert half_of("en-0001") == "test"  # pinned: the split may never move
    assert half_of("en-0002") == "dev"


def test_sentences_are_read_as_they_stand() -> None:
    every = load()
    assert [one.id for one in every] == [row["id"] for row in EVERY]
    assert {one.language for one in every} == set(LANGUAGES)
    assert sum(len(one.expect) for one in every) == sum(len(row["expect"]) for row in EVERY)
    assert {one.half for one in load("es", "test")} == {"test"}


@pytest.mark.parametrize("wrong", [{"language": "fr"}, {"half": "both"}])
def test_what_there_is_not_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"only in en, zh, es, de|not 'both'"):
        load(**wrong)
