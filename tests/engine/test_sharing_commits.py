"""What users see of group commit: many writers, few commits, and nothing else that differs."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.engine.awaiting import finished
from tensemem.errors import ConflictError, StoreError
from tensemem.store.sqlite import batches
from tests.engine.bench import ANN
from tests.store.sharing import Watched, Writer, ended, line_up

pytestmark = pytest.mark.of_files

WRITERS = 32


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "LONGEST", 3600.0)  # however slow the machine, a batch takes in who waits


def opened(path: Path) -> Memory:
    mem = Memory(path / "memory.db", worker=False)
    mem.register_predicate("lives_in")
    mem.register_predicate("likes", "many")
    return mem


def at_once(mem: Memory, works: list[Any]) -> tuple[list[Writer], Watched]:
    """Do things in threads of their own, in one batch behind a transaction that is open when they come."""
    store: Any = mem._engine.store
    writers = [Writer(work) for work in works]
    watched = Watched(store)
    with store.write():
        line_up(store, writers)
    ended(writers)
    return writers, watched


def test_32_writers_of_one_user_share_a_commit_and_their_revisions_have_no_gap(tmp_path: Path) -> None:
    with opened(tmp_path) as mem:
        receipts: list[tuple[int, int]] = []

        def write(number: int) -> None:
            receipt = mem.set("ann", "lives_in", f"town {number}")
            receipts.append((receipt.seq, receipt.rev))

        writers, watched = at_once(mem, [lambda n=number: write(n) for number in range(WRITERS)])
        assert [writer.error for writer in writers] == [None] * WRITERS
        assert watched.count("COMMIT") == 1
        assert sorted(receipts) == [(number, number) for number in range(1, WRITERS + 1)]
        assert mem.get("ann", "lives_in") == f"town {WRITERS - 1}"
        assert mem.verify("ann").identical


def test_a_refused_write_and_a_conflict_cost_their_neighbours_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as mem:
        seen = mem.set("ann", "lives_in", "Oslo").rev
        writers, watched = at_once(
            mem,
            [
                lambda: mem.set("ann", "lives_in", "Rome", expected_rev=seen),
                lambda: mem.set("ann", "lives_in", "Bern", expected_rev=seen),
                lambda: mem.add_value("ann", "likes", "tea"),
                lambda: mem.set("ann", "unknown", "x"),
                lambda: mem.set("bob", "lives_in", "Pune"),
            ],
        )
        assert [writer.error is None for writer in writers] == [True, False, True, False, True]
        assert writers[1].error is ConflictError
        assert watched.count("COMMIT") == 1
        assert mem.state("ann").values == {"lives_in": "Rome", "likes": ("tea",)}
        assert mem.state("bob").values == {"lives_in": "Pune"}
        with mem._engine.store.read() as reader:
            head = reader.head(ANN)
            assert head is not None
            assert [entry.rev for entry in reader.entries(head.id)] == list(range(1, head.rev + 1))
        assert all(mem.verify(user).identical for user in ("ann", "bob"))


def test_a_registry_whose_commit_failed_is_never_read_again(tmp_path: Path) -> None:
    with opened(tmp_path) as mem:

        def fail() -> None:
            watched.before.clear()
            raise sqlite3.OperationalError("disk I/O error")

        store: Any = mem._engine.store
        writers = [
            Writer(lambda: mem.register_predicate("speaks")),
            Writer(lambda: mem.set("ann", "speaks", "Hindi")),  # read the registry that was not to be
        ]
        watched = Watched(store)

        def open_first() -> None:
            with store.write():
                line_up(store, writers)
                watched.before["COMMIT"] = fail

        first = Writer(open_first)
        first.start()
        ended([first])
        ended(writers)
        assert [writer.error for writer in (first, *writers)] == [StoreError] * 3
        with Memory(tmp_path / "memory.db", worker=False) as other:
            other.register_predicate("speaks", "many")  # gets the revision of the lost one
        mem.add_value("ann", "speaks", "Hindi")
        mem.add_value("ann", "speaks", "Urdu")
        assert mem.get("ann", "speaks") == ("Hindi", "Urdu")
        assert mem.verify("ann").identical


def test_tasks_of_an_event_loop_share_commits(tmp_path: Path) -> None:
    async def main() -> tuple[int, list[int]]:
        mem: Any = AsyncMemory(tmp_path / "memory.db", worker=False)
        async with mem:
            await mem.register_predicate("lives_in")
            store: Any = (await finished(mem._opening))._engine.store
            watched = Watched(store)
            with store.write():
                tasks = [asyncio.create_task(mem.set("ann", "lives_in", f"town {n}")) for n in range(WRITERS)]
                while len(store._links._turn._waiting) < WRITERS:
                    await asyncio.sleep(0)
            receipts = await asyncio.gather(*tasks)
            return watched.count("COMMIT"), sorted(receipt.seq for receipt in receipts)

    commits, seqs = asyncio.run(main())
    assert commits == 1
    assert seqs == list(range(1, WRITERS + 1))
