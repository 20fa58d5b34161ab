"""A disk that fails at the nth call, for every n there is: what was acknowledged stays, nothing else is there."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.errors import OutcomeUnknownError, StoreError, TensememError
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.scope import Scope
from tensemem.store.sqlite import SqliteStore
from tensemem.store.sqlite.driver_errors import DRIVER
from tests.store.faulty import ANY, FLUSHES, LOCKS, NAMES, READS, SIZES, WRITES, Disk, faulty_disk

pytestmark = pytest.mark.of_files
ALICE = Scope("default", "alice")
FOREVER = 10**9

FAULTS = [
    pytest.param(ANY, None, id="everything"),
    pytest.param(READS, None, id="reading"),
    pytest.param(WRITES, None, id="writing"),
    pytest.param(FLUSHES, None, id="flushing"),
    pytest.param(SIZES, None, id="cutting"),
    pytest.param(LOCKS, None, id="locking"),
    pytest.param(NAMES, None, id="opening"),
    pytest.param(WRITES, sqlite3.SQLITE_FULL, id="full"),
    pytest.param((*WRITES, *SIZES), sqlite3.SQLITE_READONLY, id="read only"),
    pytest.param(LOCKS, sqlite3.SQLITE_BUSY, id="locked"),
    pytest.param(LOCKS, sqlite3.SQLITE_PROTOCOL, id="locked out"),
    pytest.param(READS, sqlite3.SQLITE_CORRUPT, id="garbled"),
]
how_long = pytest.mark.parametrize("times", [1, FOREVER], ids=["once", "for good"])


@pytest.fixture
def disk() -> Iterator[Disk]:
    with faulty_disk() as disk:
        yield disk


def write(store: SqliteStore, rev: int) -> None:
    with store.write() as tx:
        head = tx.open_scope(ALICE)
        tx.append(head.id, Entry(EntryKind.WRITE, rev, rev, 1, 1, body={"x": "y" * 3000}))


def revs(store: SqliteStore) -> list[int]:
    with store.read() as reader:
        head = reader.head(ALICE)
        return [] if head is None else [entry.rev for entry in reader.entries(head.id)]


def checkpointed(store: SqliteStore) -> None:
    """Have SQLite move its log into the file, as it does by itself now and then; a failure of that loses nothing."""
    with store.write() as tx:
        cursor = tx._cursor = store._links._writer()
    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


class Told:
    """What writers were told: revs that are kept, and those of which nobody knows."""

    def __init__(self) -> None:
        self.kept: list[int] = []
        self.unknown: list[int] = []

    def try_(self, rev: int, step: Callable[[], Any]) -> None:
        try:
            step()
        except OutcomeUnknownError:
            self.unknown.append(rev)
        except StoreError:
            pass
        else:
            self.kept.append(rev)

    def agrees(self, found: list[int]) -> bool:
        return [rev for rev in found if rev not in self.unknown] == self.kept and found == sorted(set(found))


@how_long
@pytest.mark.parametrize(("calls", "code"), FAULTS)
def test_a_disk_that_fails_anywhere_loses_nothing_acknowledged(
    tmp_path: Path, disk: Disk, calls: tuple[str, ...], code: int | None, times: int
) -> None:
    number = 0
    empty = tmp_path / "empty.db"
    SqliteStore(empty, driver="apsw").close()
    while True:
        path = tmp_path / f"{number}.db"
        shutil.copy(empty, path)
        told = Told()
        with closing(SqliteStore(path, driver="apsw", busy_timeout=0.0)) as store:
            write(store, 1)
            told.kept.append(1)
            disk.break_(calls, number, code=code, times=times)
            write_on(store, told)
            has_failed = disk.failed
            disk.mend()
            assert told.agrees(revs(store))
            left = tmp_path / f"{number} left.db"  # what is there if the process dies now
            for ending in ("", "-wal"):
                shutil.copy(f"{path}{ending}", f"{left}{ending}")
            write(store, 5)
            told.kept.append(5)
            assert told.agrees(revs(store))
        with closing(SqliteStore(path, driver="apsw")) as store:
            assert told.agrees(revs(store))
        with closing(SqliteStore(left, driver="apsw")) as store:
            told.kept.pop()
            assert told.agrees(revs(store)), "an answer was not true after a crash"
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not has_failed:
            break
        number += 1
    assert number > 0, "nothing was tried"


def write_on(store: SqliteStore, told: Told) -> None:
    """Write, read and move the log, whatever fails."""
    for rev in (2, 3, 4):
        told.try_(rev, partial(write, store, rev))
        with suppress(StoreError):
            assert told.agrees(revs(store))
        if rev == 3:
            with suppress(StoreError, *DRIVER.kinds):
                checkpointed(store)


# Opening and closing


@how_long
@pytest.mark.parametrize(("calls", "code"), [(ANY, None), (WRITES, sqlite3.SQLITE_FULL), (FLUSHES, None)])
def test_a_file_that_can_t_be_opened_now_can_be_later(
    tmp_path: Path, disk: Disk, calls: tuple[str, ...], code: int | None, times: int
) -> None:
    number = 0
    while True:
        path = tmp_path / f"{number}.db"
        disk.break_(calls, number, code=code, times=times)
        has_failed = False
        try:
            store = SqliteStore(path, driver="apsw", busy_timeout=0.0)
        except StoreError:
            assert disk.failed
            has_failed = True
            disk.mend()
            store = SqliteStore(path, driver="apsw", busy_timeout=0.0)
        has_failed = has_failed or disk.failed > 0
        disk.mend()
        with closing(store):
            write(store, 1)
            assert revs(store) == [1]
        if not has_failed:
            break
        number += 1
    assert number > 5


@pytest.mark.parametrize(("calls", "code"), [(ANY, None), (WRITES, sqlite3.SQLITE_FULL), (FLUSHES, None)])
def test_closing_on_a_disk_that_fails_loses_nothing(
    tmp_path: Path, disk: Disk, calls: tuple[str, ...], code: int | None
) -> None:
    number = 0
    while True:
        path = tmp_path / f"{number}.db"
        store = SqliteStore(path, driver="apsw")
        for rev in (1, 2, 3):
            write(store, rev)
        disk.break_(calls, number, code=code)
        store.close()
        has_failed = disk.failed
        disk.mend()
        with closing(SqliteStore(path, driver="apsw")) as store:
            assert revs(store) == [1, 2, 3]
        if not has_failed:
            break
        number += 1
    assert number > 0


# Whole memories


def steps(mem: Memory) -> list[Callable[[], Any]]:
    """What an agent does; each may be asked for again."""
    return [
        lambda: mem.add("ann", "I live in Delhi", said_at="2026-01-01", idempotency_key="1"),
        lambda: mem.flush("ann"),
        lambda: mem.set("ann", "lives_in", "Pune", said_at="2026-02-01", idempotency_key="2"),
        lambda: mem.state("ann"),
        lambda: mem.correct(mem.history("ann").facts[-1].id, "Goa", user_id="ann", idempotency_key="3"),
        lambda: mem.search("ann", "Delhi"),
        lambda: mem.context("ann", "where?"),
        lambda: mem.rebuild("ann"),
    ]


@how_long
@pytest.mark.parametrize(("calls", "code"), [(ANY, None), (WRITES, sqlite3.SQLITE_FULL), (FLUSHES, None)])
def test_a_memory_goes_on_when_its_disk_works_again(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch, calls: tuple[str, ...], code: int | None, times: int
) -> None:
    monkeypatch.setenv("TENSEMEM_SQLITE", "apsw")
    expected = whole(tmp_path / "expected.db")
    number, failed_steps = 0, 0
    while True:
        path = tmp_path / f"{number}.db"
        with Memory(path, llm=FakeExtractor(), worker=False) as mem:
            mem.register_predicate("lives_in")
            disk.break_(calls, number, code=code, times=times)
            has_failed = 0
            for step in steps(mem):
                try:
                    step()
                except TensememError:
                    failed_steps += 1
                    has_failed += disk.failed
                    disk.mend()
                    step()
                    disk.break_(calls, number, code=code, times=times)
            has_failed += disk.failed
            disk.mend()
            assert told_by(mem) == expected
            assert mem.verify().identical
        with Memory(path, worker=False) as mem:
            assert told_by(mem) == expected
        if not has_failed:
            break
        number += 1 + number // 8
    assert failed_steps > 0


def whole(path: Path) -> Any:
    with Memory(path, llm=FakeExtractor(), worker=False) as mem:
        mem.register_predicate("lives_in")
        for step in steps(mem):
            step()
        return told_by(mem)


def told_by(mem: Memory) -> Any:
    facts = [(fact.id, fact.value, fact.status, fact.valid_from) for fact in mem.history("ann").facts]
    return facts, [message.content for message in mem.messages("ann")], mem.state("ann").rev, mem.jobs()
