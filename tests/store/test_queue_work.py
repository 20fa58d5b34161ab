"""What the queue of messages costs does not depend on how many of them wait."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.store.sqlite.statements import named

STEP = 10
"""Instructions of SQLite's machine between two counts."""


def waiting(path: Path, users: int, messages: int) -> None:
    with Memory(path, llm=FakeExtractor(), worker=False, durability="process") as mem:
        mem.register_predicate("lives_in")
        for number in range(messages):
            mem.add(f"user {number % users}", f"hello {number}")


@pytest.mark.parametrize("users", [1, 250], ids=["of one", "of many"])
@pytest.mark.parametrize("statement", ["enqueue", "dequeue", "next_due", "to_the_end"])
def test_a_statement_takes_as_many_steps_however_many_wait(tmp_path: Path, statement: str, users: int) -> None:
    steps = []
    for messages in (5, 500):
        path = tmp_path / f"{messages}.db"
        waiting(path, users, messages)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            scope = connection.execute("SELECT scope FROM pending").fetchone()[0]
            given = (0, "me", "[]", "[]", None) if statement == "next_due" else (scope,)
            counted: list[None] = []
            connection.set_progress_handler(partial(counted.append, None), STEP)
            connection.execute(named("queue.sql")[statement], given).fetchall()
            steps.append(len(counted))
    assert steps[1] <= steps[0] + 3
