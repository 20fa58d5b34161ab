"""Copies that were broken off: not used as if they were whole, and gone on with."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.errors import ConflictError, StoreBusyError
from tensemem.model.scope import Scope
from tests.copying.filled import CALM
from tests.copying.looking import kept
from tests.store.children import finish, killed_when_told, start_child

READS: list[Callable[[Memory], Any]] = [
    lambda mem: mem.state("ann"), lambda mem: mem.get("ann", "lives_in"), lambda mem: mem.history("ann"),
    lambda mem: mem.context("ann"), lambda mem: mem.search("ann", "Delhi"), lambda mem: mem.changes("ann"),
    lambda mem: mem.decisions("ann", 1), lambda mem: mem.messages("ann"), lambda mem: mem.questions("ann"),
    lambda mem: mem.digest("ann"), lambda mem: mem.verify("ann"), lambda mem: mem.flush("ann"),
    lambda mem: mem.explain(f"{Scope('default', 'ann').tag}-1-1-0"), lambda mem: mem.state("ann", known_at=1),
    lambda mem: mem.state("ann", wait=1), lambda mem: mem.preview("ann", "I live in Goa"),
]  # fmt: skip
WRITES: list[Callable[[Memory], Any]] = [
    lambda mem: mem.set("ann", "lives_in", "Goa"), lambda mem: mem.add("ann", "I live in Goa"),
    lambda mem: mem.add("ann", "I live in Delhi", idempotency_key="first"),
    lambda mem: mem.correct(f"{Scope('default', 'ann').tag}-1-1-0"), lambda mem: mem.rebuild("ann"),
    lambda mem: mem.reextract("ann", FakeExtractor(), dry_run=False),
]  # fmt: skip


@pytest.mark.parametrize("verb", [*READS, *WRITES])
def test_half_a_memory_is_not_used_as_if_it_were_whole(half: Memory, verb: Callable[[Memory], Any]) -> None:
    before = kept(half)
    with pytest.raises(StoreBusyError, match="'ann' is being copied here and is not whole yet"):
        verb(half)
    assert kept(half) == before


def test_half_a_memory_holds_up_nobody_else(half: Memory) -> None:
    half.set("dora", "lives_in", "Rome")
    half.add("dora", "I live in Oslo")
    assert half.flush().is_current
    assert half.verify().identical
    assert half.rebuild().scopes == 1
    assert half.proposals() == ()
    assert [info.user_id for info in half.scopes()] == ["ann", "dora"]


def test_a_copy_that_was_broken_off_goes_on_where_it_stopped(half: Memory, one: Memory) -> None:
    whole = len(kept(one)["Scope(namespace='default', user_id='ann', agent_id='')"]["entries"])
    report = one.copy_to(half)
    assert 0 < report.entries < whole + 3
    assert kept(half) == kept(one)


def test_half_a_memory_is_not_copied_on(half: Memory, tmp_path: Path) -> None:
    with pytest.raises(StoreBusyError, match="not whole yet"):
        half.copy_to(tmp_path / "third.db")


def test_what_was_broken_off_of_a_newer_state_is_not_ended_by_an_older_one(
    half: Memory, one: Memory, tmp_path: Path
) -> None:
    with Memory(tmp_path / "older.db", **CALM) as older:
        older.register_predicate("lives_in")
        older.register_predicate("languages", "many")
        older.register_entity("Bombay", aliases=["Mumbai"])
        older.add("ann", "I live in Delhi", said_at="2026-01-05", idempotency_key="first")
        with pytest.raises(ConflictError, match="of a newer state"):
            older.copy_to(half)


KILLED = """
    import sys
    from tensemem import Memory
    from tensemem.engine import filling
    filling.ROWS = 50
    pauses = 0
    def tell(event, fields):
        global pauses
        pauses += event == "copying"
        if event == "copying" and pauses == int(sys.argv[3]):
            print("inside", flush=True)
            sys.stdin.readline()
    with Memory(sys.argv[1], read_only=True) as mem:
        mem.on(tell)
        mem.copy_to(sys.argv[2])
    print("done", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no kill -9 here")
def test_a_killed_copy_goes_on_where_it_stopped(one: Memory, tmp_path: Path) -> None:
    for number in range(120):
        one.set("ann", "lives_in", f"town {number}")
    path = tmp_path / "killed.db"
    for pauses in (1, 3, 5):
        killed_when_told(start_child(KILLED, tmp_path / "source.db", path, pauses))
        with Memory(path, **CALM) as mem, pytest.raises(StoreBusyError, match="not whole"):
            mem.state("ann")
    assert finish(start_child(KILLED, tmp_path / "source.db", path, 0)) == "done\n"
    with Memory(path, **CALM) as mem:
        assert kept(mem) == kept(one)
        assert mem.verify().identical
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
