"""Keys that can't be changed now: who is told so, and nothing is changed."""

from __future__ import annotations

import os
import threading
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from tensemem import Memory
from tensemem.errors import (
    InvalidValueError,
    ReadOnlyError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreRetryError,
    StoreUnsupportedError,
)
from tensemem.store.sqlite import SqliteStore, drivers, rekeying, replacing
from tests.store import test_sqlite_files as files
from tests.store.dump import everything
from tests.store.engines import needs_ciphers
from tests.store.rekeying.files import NEW, OLD, make, opens_with

pytestmark = needs_ciphers


def refused(store: SqliteStore, kind: type[Exception], says: str, timeout: float = 0) -> None:
    before = everything(store)
    with pytest.raises(kind, match=says):
        store.rekey(NEW, timeout=timeout)
    assert everything(store) == before
    files.write_something(store, 2)
    assert not Path(store.location + replacing.COPY).exists()


def test_a_file_open_a_second_time_in_this_process_is_refused(path: Path) -> None:
    make(path)
    with closing(SqliteStore(path, key=OLD)) as store, closing(SqliteStore(path, key=OLD)):
        refused(store, StoreBusyError, "second time in this process")


@pytest.mark.parametrize("old", [OLD, None])
def test_a_snapshot_that_does_not_end_is_waited_for_and_kept(path: Path, old: Any) -> None:
    make(path, old)
    with closing(SqliteStore(path, key=old)) as store:
        with store.read() as reader:
            assert reader.head(files.ALICE) is not None
            refused(store, StoreBusyError, "still being read", timeout=0.02)
            assert len(list(reader.entries(1))) == 1
        store.rekey(NEW, timeout=60)


def test_a_snapshot_that_ends_in_time_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(path)
    with closing(SqliteStore(path, key=OLD)) as store:
        reader = store.read()
        reader.__enter__()
        monkeypatch.setattr("time.sleep", lambda _seconds: reader.__exit__(None, None, None))
        store.rekey(NEW, timeout=60)
    assert opens_with(path, OLD, NEW) == [NEW]


def test_a_thread_with_a_transaction_open_is_told_so(path: Path) -> None:
    make(path)
    with closing(SqliteStore(path, key=OLD)) as store:
        with store.write() as tx:
            with pytest.raises(StoreError, match="transaction open"):
                store.rekey(NEW, timeout=0)
            tx.set_meta("a", "1")
        with store.read() as reader:
            assert reader.meta("a") == "1"


def test_who_comes_meanwhile_is_refused_and_may_come_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(path)
    make_copy = rekeying._make
    seen: list[Exception] = []

    def look_on(*arguments: Any) -> None:
        for come in (lambda: store.read().__enter__(), lambda: store.write().__enter__()):
            with pytest.raises(StoreRetryError, match="another key") as caught:
                come()
            seen.append(caught.value)
        make_copy(*arguments)

    monkeypatch.setattr(rekeying, "_make", look_on)
    with closing(SqliteStore(path, key=OLD)) as store:
        store.rekey(NEW, timeout=60)
        assert len(seen) == 2
        files.write_something(store, 2)


def test_a_memory_s_other_calls_wait_meanwhile(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_copy = rekeying._make
    found: list[Any] = []
    threads: list[threading.Thread] = []
    is_done = threading.Event()
    with Memory(path, key=OLD) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
        calls = [
            lambda: mem.get("ann", "lives_in"), lambda: mem.set("bob", "lives_in", "Goa").changed,
            lambda: mem.changes("ann", 0, wait=60)[0].subject, lambda: len(mem.changes("cid", wait=60)),
        ]  # fmt: skip

        def let_others_come(*arguments: Any) -> None:
            refused = threading.Semaphore(0)

            def pause(_seconds: float) -> None:
                refused.release()
                is_done.wait(60)

            monkeypatch.setattr("tensemem.engine.flow.time.sleep", pause)
            threads.extend(threading.Thread(target=lambda call=call: found.append(call())) for call in calls)
            for thread in threads:
                thread.start()
            for _ in calls:
                assert refused.acquire(timeout=60)
            monkeypatch.undo()
            make_copy(*arguments)

        monkeypatch.setattr(rekeying, "_make", let_others_come)
        mem.rekey(NEW)
        is_done.set()
        mem.set("cid", "lives_in", "Rome")
        for thread in threads:
            thread.join(60)
        assert sorted(map(str, found)) == ["1", "Delhi", "True", "user"]


def test_the_count_of_what_was_taken_back_never_falls(path: Path) -> None:
    make(path)
    with closing(SqliteStore(path, key=OLD)) as store:
        for _ in range(3):
            with pytest.raises(ZeroDivisionError), store.write() as tx:
                tx.set_meta("a", str(1 // 0))
        before = store.rollbacks
        assert before == 3
        store.rekey(NEW, timeout=60)
        assert store.rollbacks > before


def test_a_file_open_for_reading_only_stays_as_it_is(path: Path) -> None:
    make(path)
    with closing(SqliteStore(path, key=OLD, read_only=True)) as store, pytest.raises(ReadOnlyError):
        store.rekey(NEW, timeout=0)


def test_what_is_in_memory_has_no_key() -> None:
    with closing(SqliteStore(":memory:")) as store, pytest.raises(StoreError, match=":memory:"):
        store.rekey(NEW, timeout=0)


@pytest.mark.parametrize("timeout", [-1, True, "1", float("nan")])
def test_a_timeout_is_a_number_of_seconds(path: Path, timeout: Any) -> None:
    with Memory(path) as mem, pytest.raises(InvalidValueError, match="timeout"):
        mem.rekey(NEW, timeout=timeout)


def test_a_bad_key_changes_nothing(path: Path) -> None:
    make(path)
    with closing(SqliteStore(path, key=OLD)) as store:
        with pytest.raises(InvalidValueError):
            store.rekey("", timeout=0)
        files.write_something(store, 2)


def test_a_second_name_would_keep_the_old_key_and_is_refused(path: Path) -> None:
    make(path)
    os.link(path, path.with_name("second.db"))
    with closing(SqliteStore(path, key=OLD)) as store:
        refused(store, StoreError, "hard link")


def test_without_the_extra_a_plain_file_stays_plain(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(path, None)
    with closing(SqliteStore(path)) as store:
        monkeypatch.setattr(drivers, "with_apsw", drivers.with_sqlite3)
        refused(store, StoreUnsupportedError, r"extra `encrypted`")


def test_a_damaged_file_keeps_its_key(path: Path) -> None:
    make(path)
    with closing(SqliteStore(path, key=OLD)) as store, store.read() as reader:
        run = cast("Any", reader)._run  # the page of a table that is not read on opening
        page = run("SELECT rootpage FROM sqlite_schema WHERE name = 'entries'", ()).fetchone()[0]
    with open(path, "r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)
    before = path.read_bytes()
    with closing(SqliteStore(path, key=OLD)) as store, pytest.raises(StoreCorruptError):
        store.rekey(NEW, timeout=0)
    assert path.read_bytes()[4096:] == before[4096:]


@pytest.mark.parametrize("step", ["os.replace", "os.fsync"])
def test_a_disk_that_refuses_leaves_the_old_key(path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    make(path)

    def refuse(*_: Any) -> None:
        raise OSError("the disk refuses")

    with closing(SqliteStore(path, key=OLD)) as store:
        with monkeypatch.context() as patch:
            patch.setattr(step, refuse)
            with pytest.raises(StoreError, match="keeps the key it had: the disk refuses"):
                store.rekey(NEW, timeout=0)
        files.write_something(store, 2)
    assert os.listdir(path.parent) == [path.name]
