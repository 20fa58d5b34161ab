"""Notes about somebody are told in the first person; anything else is left alone."""

from __future__ import annotations

import pytest

from tensemem.trial.retelling import retold


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("Lives in Delhi", "I live in Delhi"),
        ("User lives in Delhi", "I live in Delhi"),
        ("The user lives in Delhi", "I live in Delhi"),
        ("User's name is Ana", "My name is Ana"),
        ("user’s wife lives in Pune", "My wife lives in Pune"),
        ("Is a vegetarian", "I am a vegetarian"),
        ("Has a dog", "I have a dog"),
        ("Moved to Bangalore", "I moved to Bangalore"),
        ("User has moved to Bangalore", "I have moved to Bangalore"),
        ("No longer lives in Delhi", "I no longer live in Delhi"),
        ("Never lived in Rome", None),
        ("Doesn't like coffee", "I don't like coffee"),
        ("Teaches physics", "I teach physics"),
        ("Allergic to peanuts", "I am allergic to peanuts"),
        ("Bus leaves at nine", None),
        ("Delhi", None),
        ("users are many", None),
        ("", None),
        ("我住在德里", None),
    ],
)
def test_a_note_is_told_in_the_first_person(note: str, told: str | None) -> None:
    assert retold(note) == told
