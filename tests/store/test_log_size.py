"""The write-ahead log stays short whoever reads, readers never wait, and no reader of ours stays open across calls."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Message
from tensemem.store.sqlite import SqliteStore, logsize, opening
from tests.store.sharing import Watched

LONGEST = 300_000
WRITES = 400


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteStore]:
    for module in (logsize, opening):
        monkeypatch.setattr(module, "LONGEST_LOG", LONGEST)
    monkeypatch.setattr(logsize, "COMMITS_BETWEEN", 4)
    with closing(SqliteStore(tmp_path / "memory.db", durability="process")) as opened:
        # SQLite moves the log at each of these many pages; here, sooner than a log is too long.
        opened._links._cursor.execute("PRAGMA wal_autocheckpoint = 20")  # type: ignore[union-attr]
        yield opened


def log_size(store: SqliteStore) -> int:
    return os.path.getsize(store.location + "-wal")


def write(store: SqliteStore, number: int) -> None:
    with store.write() as tx:
        tx.set_meta(f"name {number % 7}", f"{number:05}" * 1_800)


def test_readers_that_overlap_without_end_do_not_let_the_log_grow(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    # At every commit somebody still reads what was there before; only while the writer pauses do they come to an end.
    def reading() -> Any:
        reader = store.read()
        reader.__enter__().meta("name 1")
        return reader

    readers = [reading()]
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        readers.append(reading())  # one that comes meanwhile is not held up, and holds up nobody
        readers.pop(0).__exit__(None, None, None)

    monkeypatch.setattr("tensemem.store.sqlite.logsize.time.sleep", pause)
    sizes = []
    for number in range(WRITES):
        write(store, number)
        sizes.append(log_size(store))
        readers.append(reading())
        readers.pop(0).__exit__(None, None, None)
    for reader in readers:
        reader.__exit__(None, None, None)
    assert max(sizes) < 2 * LONGEST
    assert 0 < len(pauses) < WRITES


def test_without_that_the_log_would_grow(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logsize.LogSize, "look", lambda *_: None)
    with pytest.raises(AssertionError):
        test_readers_that_overlap_without_end_do_not_let_the_log_grow(store, monkeypatch)


def test_a_reader_that_stays_costs_writers_few_attempts_and_the_log_is_cut_when_it_goes(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logsize, "_PATIENCE", 0.0)
    watched = Watched(store)
    with store.read() as reader:
        seen = reader.meta("name 1")
        for number in range(WRITES):
            write(store, number)
        assert reader.meta("name 1") == seen
        assert log_size(store) > 4 * LONGEST, "or this proves nothing"
        assert watched.count("PRAGMA") < 20
    watched.ran.clear()
    for number in range(WRITES):  # until it has grown by half again, the log is left alone
        write(store, number)
    assert log_size(store) <= 2 * LONGEST
    assert watched.count("PRAGMA") < 5


def test_a_checkpoint_that_fails_takes_nothing_back(store: SqliteStore) -> None:
    watched = Watched(store)

    def fail() -> None:
        raise sqlite3.OperationalError("disk I/O error")

    watched.before["PRAGMA"] = fail
    with store.read() as reader:
        reader.meta("name 1")
        for number in range(60):
            write(store, number)
    assert watched.count("PRAGMA") > 0
    with store.read() as reader:
        assert all(reader.meta(f"name {number % 7}") == f"{number:05}" * 1_800 for number in range(53, 60))


def test_no_reader_of_ours_stays_open_between_the_steps_of_a_generator(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", worker=False, durability="process") as mem:
        links: Any = mem._engine.store._links  # type: ignore[attr-defined]
        mem.register_predicate("lives_in")
        for number in range(20):
            mem.set("ann", "lives_in", f"town {number}")

        def is_idle() -> bool:
            return len(links._readers) == len(links._idle) and links._turn.holder is None

        told: list[bool] = []
        mem.on(lambda *_: told.append(is_idle()))
        for _ in mem.add_many((Message("ann", f"hello {number}") for number in range(5)), batch=2):
            assert is_idle()
        mem.verify()
        mem.rebuild("ann")
        assert told
        assert all(told), "a hook was called while a snapshot or a transaction was open"
