"""Work per call: what a call touches and gives back decides it, never the history behind, the scope or the file.

Counted in calls of Python and of built-in functions, one for each row at least, so that no clock is asked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tensemem import Memory, Operation
from tests.counting import calls_of

pytestmark = pytest.mark.of_files  # its memories outlive a test, and stores of other kinds are cleared between tests

SMALL, LARGE = 20, 600
SLACK = 60
"""Calls that may differ for other reasons: caches, a statement prepared anew, one more digit."""


def opened() -> Memory:
    mem = Memory(":memory:", worker=False)
    mem.register_predicate("lives_in")
    mem.register_predicate("likes", "many")
    mem.register_predicate("name")
    return mem


def long_slots(count: int) -> Memory:
    """One user whose slots have changed often."""
    mem = opened()
    for number in range(count):
        mem.set("u", "lives_in", f"town {number}")
        mem.replace_values("u", "likes", [f"food {number}"])
    return mem


def many_slots(count: int) -> Memory:
    """One user with many slots."""
    mem = opened()
    mem.write("u", [Operation("set", "name", f"name {n}", subject=f"pet {n}") for n in range(count)])
    mem.set("u", "lives_in", "Delhi")
    mem.replace_values("u", "likes", ["tea"])
    return mem


def many_users(count: int) -> Memory:
    """Many users with a few facts, and messages that wait."""
    mem = opened()
    for number in range(count):
        mem.set(f"other {number}", "lives_in", "Delhi")
        mem.add(f"other {number}", "hello there")
    mem.set("u", "lives_in", "Delhi")
    mem.replace_values("u", "likes", ["tea"])
    return mem


_numbers = itertools.count()


def _set_again(mem: Memory) -> Any:
    key = f"key {next(_numbers)}"
    return [mem.set("u", "lives_in", "Oslo", idempotency_key=key).fact_id for _ in range(2)]


def _compare_and_set(mem: Memory) -> Any:
    seen = mem.state("u", predicates=["lives_in"], subject="user").rev
    return mem.set("u", "lives_in", f"town {next(_numbers)}", expected_rev=seen)


CALLS: dict[str, Callable[[Memory], object]] = {
    "get": lambda mem: mem.get("u", "lives_in"),
    "get of many": lambda mem: mem.get("u", "likes"),
    "state of a slot": lambda mem: mem.state("u", predicates=["lives_in"], subject="user").values,
    "set": lambda mem: mem.set("u", "lives_in", f"new {next(_numbers)}").fact_id,
    "set the same": lambda mem: mem.set("u", "lives_in", "Rome").current,
    "retract": lambda mem: (mem.retract("u", "lives_in"), mem.set("u", "lives_in", "Bern")),
    "add_value": lambda mem: mem.add_value("u", "likes", f"drink {next(_numbers)}").changed,
    "replace_values": lambda mem: mem.replace_values("u", "likes", ["tea"]).changed,
    "set twice with one key": _set_again,
    "compare and set": _compare_and_set,
    "add": lambda mem: mem.add("u", "hello there").seq,
}
READS_ONE_USER: dict[str, Callable[[Memory], object]] = {
    "state": lambda mem: mem.state("u", at=None).values,
    "context": lambda mem: mem.context("u").text,
    "history": lambda mem: mem.history("u", "likes"),
    "questions": lambda mem: mem.questions("u"),
    "correct": lambda mem: mem.correct(mem.set("u", "name", f"wrong {next(_numbers)}").fact_id or ""),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("make", [long_slots, many_slots, many_users])
def test_a_call_costs_the_same_however_much_lies_around(name: str, make: Any, memories: Any) -> None:
    small, large = (calls_of(partial(CALLS[name], memories(make, count))) for count in (SMALL, LARGE))
    assert large <= small + SLACK


@pytest.mark.parametrize("name", READS_ONE_USER)
def test_a_call_costs_the_same_however_many_other_users_there_are(name: str, memories: Any) -> None:
    small, large = (calls_of(partial(READS_ONE_USER[name], memories(many_users, count))) for count in (SMALL, LARGE))
    assert large <= small + SLACK
