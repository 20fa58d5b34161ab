"""Work of reads that give a part: what they give decides it, never what lies before it, behind it or beside it.

Counted in calls of Python, in instructions of SQLite's machine, and in slots that are folded; no clock is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tensemem import Memory, Operation
from tensemem.core import fold
from tensemem.engine import project, replay
from tests.counting import calls_of

pytestmark = pytest.mark.of_files  # what is counted is SQLite's work

SMALL, LARGE = 80, 800
SLOTS, PAGE = 5, 10
SLACK = 400
"""Calls that may differ for other reasons: a batch of rows more, one more digit."""


def opened() -> Memory:
    mem = Memory(":memory:", worker=False)
    for number in range(SLOTS):
        mem.register_predicate(f"p{number}")
    mem.register_predicate("likes", "many")
    return mem


def long_slots(count: int) -> Memory:
    """Slots that have changed often, one of them many-valued."""
    mem = opened()
    for number in range(count):
        for slot in range(SLOTS):
            mem.set("u", f"p{slot}", f"value {number}")
        mem.replace_values("u", "likes", [f"food {number}", f"drink {number}"])
    return mem


def many_slots(count: int) -> Memory:
    """As many subjects, each with a few facts, said one after the other."""
    mem = opened()
    for number in range(count):
        mem.set("u", "p0", "here", subject=f"thing {number}")
        mem.set("u", "p0", "there", subject=f"thing {number}")
    return mem


def many_users(count: int) -> Memory:
    mem = opened()
    for number in range(count):
        mem.set(f"user {number}", "p0", "here")
        mem.add(f"user {number}", "hello")
    return mem


def instructions_of(mem: Memory, task: Callable[[], object]) -> int:
    """How many instructions SQLite's machine runs for a task."""
    task()  # what is prepared on first use is no part of it
    with mem._engine.store.read() as reader:
        connection: Any = reader._cursor.connection  # type: ignore[attr-defined]
    counted: list[None] = []
    connection.set_progress_handler(partial(counted.append, None), 1)
    try:
        task()
    finally:
        connection.set_progress_handler(None, 0)
    assert counted
    return len(counted)


def newest_changes(mem: Memory) -> Any:
    return mem.changes("u", mem.state("u", predicates=["p0"], subject="user").rev - PAGE)


def oldest_changes(mem: Memory) -> Any:
    return mem.changes("u", SLOTS * 4, limit=PAGE)


def first_page(mem: Memory) -> Any:
    return mem.history("u", limit=PAGE)


def later_page(mem: Memory) -> Any:
    return mem.history("u", limit=PAGE, after=mem.history("u", limit=3 * PAGE).next)


def page_of_a_slot(mem: Memory) -> Any:
    return mem.history("u", "p1", limit=PAGE)


def page_of_all(mem: Memory) -> Any:
    return mem.history("u", subject=None, limit=PAGE)


PAGES = {
    "the newest changes": newest_changes, "the oldest changes": oldest_changes, "a first page": first_page,
    "a later page": later_page, "a page of a slot": page_of_a_slot, "a page of all": page_of_all,
}  # fmt: skip


def assert_alike(small: Memory, large: Memory, task: Callable[[Memory], object]) -> None:
    assert calls_of(partial(task, large)) <= calls_of(partial(task, small)) * 1.1 + SLACK
    assert instructions_of(large, partial(task, large)) <= instructions_of(small, partial(task, small)) * 1.1 + SLACK


def told_of(found: Any) -> Any:
    return found if isinstance(found, tuple) else found.facts


@pytest.mark.parametrize("name", PAGES)
def test_a_page_costs_the_same_however_often_slots_have_changed(name: str, memories: Any) -> None:
    small, large = (memories(_without_statements, count) for count in (SMALL, LARGE))
    assert len(told_of(PAGES[name](large))) >= PAGE
    assert_alike(small, large, PAGES[name])


def _without_statements(count: int) -> Memory:
    """What took away is told with every page; so there is none."""
    mem = opened()
    for number in range(count):
        for slot in range(SLOTS):
            mem.set("u", f"p{slot}", f"value {number}")
    return mem


@pytest.mark.parametrize("name", ["the newest changes", "the oldest changes"])
def test_changes_of_many_valued_slots_cost_the_same_however_often_they_have_changed(name: str, memories: Any) -> None:
    small, large = (memories(long_slots, count) for count in (SMALL, LARGE))
    assert len(PAGES[name](large)) >= PAGE
    assert_alike(small, large, PAGES[name])


@pytest.mark.parametrize("name", ["the newest changes", "the oldest changes", "a page of all"])
def test_a_page_costs_the_same_however_many_slots_there_are(name: str, memories: Any) -> None:
    small, large = (memories(many_slots, count) for count in (SMALL, LARGE))
    assert len(told_of(PAGES[name](large))) >= PAGE
    assert_alike(small, large, PAGES[name])


def test_stats_cost_the_same_however_many_scopes_there_are(memories: Any) -> None:
    small, large = (memories(many_users, count) for count in (SMALL, LARGE))
    assert (large.stats()["scopes"], large.stats()["facts"], large.stats()["entries"]) == (LARGE, LARGE, 2 * LARGE)
    assert_alike(small, large, lambda mem: mem.stats())


def folds_of(task: Callable[[], object], where: Any = replay) -> list[int]:
    """How many claims each slot has that is folded for a task."""
    found: list[int] = []

    def counted(log: Any) -> Any:
        found.append(len(log.claims))
        return fold.fold_slot(log)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, "fold_slot", counted)
        task()
    return found


def test_what_a_correction_has_left_behind_is_folded_once_for_a_page_and_the_correction_once_more() -> None:
    with opened() as mem:
        facts = [mem.set("u", "p0", f"value {number}").fact_id or "" for number in range(3 * PAGE)]
        assert folds_of(lambda: mem.changes("u")) == []
        mem.correct(facts[PAGE])
        assert folds_of(lambda: mem.changes("u", 2 * PAGE)) == [2 * PAGE, 3 * PAGE]
        for number in range(PAGE):
            mem.set("u", "p0", f"another {number}")
        assert folds_of(lambda: mem.changes("u", 3 * PAGE + 1)) == []


def test_a_history_is_folded_where_more_is_to_be_told_than_runs() -> None:
    with opened() as mem:
        mem.write("u", [Operation("set", "p0", "here", subject=f"thing {number}") for number in range(PAGE)])
        wrong = mem.set("u", "p1", "wrong").fact_id or ""
        mem.set("u", "p1", "right")
        mem.correct(wrong)
        told: list[str] = []

        def page() -> None:
            told[:] = [str(fact.status) for fact in mem.history("u", subject=None, limit=PAGE + 2)]

        assert folds_of(page, project) == [2]
        assert (told.count("active"), told.count("corrected")) == (PAGE + 1, 1)
