"""Answers are judged by what they mean: spelling, order and other names of one thing aside, and nothing else."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from tensemem.bench.judging import Names
from tensemem.core.text import FoldedText

NAMES = Names({"PostgreSQL": {"aliases": ["Postgres", "pg"]}, "hall": {}})


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        (None, None),
        (None, ()),
        ("Graz", ("Graz",)),
        ("graz", "GRAZ"),
        (("Go", "C"), ("C", "Go")),
        ("pg", "PostgreSQL"),
        (41, (Decimal("41.0"),)),
        (21.5, 21.5),
        (True, (True,)),
        ("2026-09-12", date(2026, 9, 12)),
    ],
)
def test_these_are_one_answer(expected: Any, given: Any) -> None:
    assert NAMES.same(expected, given)


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        (None, "Graz"),
        ("Graz", None),
        ("Graz", "Linz"),
        (("Go",), ("Go", "C")),
        (("Go", "Go"), ("Go",)),
        ("C", "C++"),
        (True, False),
        (41, 40),
    ],
)
def test_these_are_two(expected: Any, given: Any) -> None:
    assert not NAMES.same(expected, given)


@pytest.mark.parametrize(
    ("value", "text", "stands"),
    [
        ("Linz", "Now it is Linz.", True),
        ("Linz", "LINZ!", True),
        ("Linz", "The Linzer cake.", False),
        ("New York", "in New  York, as ever", True),
        ("PostgreSQL", "we use pg", True),
        ("hall", "a challenge", False),
        ("杭州", "现在我住在杭州", True),
        (41, "I am 41.", True),
        (41, "I am 412.", False),
    ],
)
def test_a_value_stands_in_a_text_as_words_of_its_own(value: Any, text: str, stands: bool) -> None:
    assert NAMES.stands_in(value, FoldedText(text)) == stands
