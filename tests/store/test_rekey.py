"""Another key for a file: everything is kept, others are kept out, and a kill leaves one of the two keys."""

from __future__ import annotations

import importlib
import os
import signal
import stat
import subprocess
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.errors import (
    InvalidValueError,
    ReadOnlyError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreKeyError,
    StoreRetryError,
    StoreUnsupportedError,
)
from tensemem.store.sqlite import SqliteStore, copies, drivers, rekeying, replacing
from tests.store import test_sqlite_files as files
from tests.store.children import finish, start_child
from tests.store.dump import everything
from tests.store.engines import needs_ciphers

OLD, NEW = "the old key", "the new key"
pytestmark = needs_ciphers


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def make(path: Path, key: Any = OLD) -> None:
    with closing(SqliteStore(path, durability="process", key=key)) as store:
        files.write_something(store)


def opens_with(path: Path, *keys: Any) -> list[Any]:
    """Give those of the keys that open the file, and see that all of it is there."""
    fitting = []
    for key in keys:
        try:
            store = SqliteStore(path, key=key)
        except StoreKeyError:
            continue
        fitting.append(key)
        with closing(store), store.read() as reader:
            assert [entry.body for entry in reader.entries(1)] == [{"content": "Delhi"}]
            assert reader._run("PRAGMA integrity_check").fetchall() == [("ok",)]
    return fitting


@pytest.mark.parametrize("old", [OLD, bytes(32), None])
@pytest.mark.parametrize("new", [NEW, OLD, b"\1" * 32, None])
def test_a_file_has_its_new_key_and_everything_it_had(path: Path, old: Any, new: Any) -> None:
    make(path, old)
    with closing(SqliteStore(path, durability="process", key=old)) as store:
        before = everything(store)
        store.rekey(new, timeout=60)
        assert everything(store) == before
        files.write_something(store, 2, "Goa")
        store.wait_for_commit(0)
        after = everything(store)
        assert after != before
    assert os.listdir(path.parent) == [path.name]
    with closing(SqliteStore(path, key=new)) as store:
        assert everything(store) == after
    if old != new:
        with pytest.raises(StoreKeyError):
            SqliteStore(path, key=old)


def test_a_memory_goes_on_under_its_new_key(path: Path) -> None:
    with Memory(path) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
        digest = mem.digest("ann")
        mem.rekey(OLD)
        mem.rekey(NEW)
        assert mem.digest("ann") == digest
        mem.set("ann", "lives_in", "Goa")
    with Memory(path, key=NEW) as mem:
        assert mem.get("ann", "lives_in") == "Goa"
        assert mem.verify().identical


def test_numbers_of_scopes_go_on_where_they_were(path: Path) -> None:
    make(path)
    with closing(SqliteStore(path, key=OLD)) as store:
        with store.write() as tx:
            tx._run("DELETE FROM scopes")
        store.rekey(NEW, timeout=60)
        with store.write() as tx:
            assert tx.open_scope(files.ALICE).id == 2


@pytest.mark.skipif(os.name != "posix", reason="modes and links are POSIX's")
def test_mode_and_link_stay(path: Path) -> None:
    make(path)
    path.chmod(0o640)
    link = path.with_name("link.db")
    link.symlink_to(path)
    with closing(SqliteStore(link, key=OLD)) as store:
        store.rekey(NEW, timeout=60)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert opens_with(path, OLD, NEW) == [NEW]


# What is refused, and changes nothing


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
    with open(path, "r+b") as file:
        file.seek(path.stat().st_size // 8192 * 4096)  # of a table; those at the end name the tables
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


# Other processes

HOLDS = """
    import sys
    from tensemem.store.sqlite import SqliteStore
    store = SqliteStore(sys.argv[1], key=sys.argv[2], read_only=sys.argv[3] == "ro")
    print("open", flush=True)
    sys.stdin.readline()
    store.close()
"""


@pytest.mark.parametrize("mode", ["rw", "ro"])
def test_a_file_that_another_process_has_open_keeps_its_key(path: Path, mode: str) -> None:
    make(path)
    child = start_child(HOLDS, path, OLD, mode)
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    with closing(SqliteStore(path, key=OLD)) as store:
        refused(store, StoreBusyError, "kept busy by another process .* Try again", timeout=0.02)
        tell(child)
        finish(child)
        store.rekey(NEW, timeout=60)
    with closing(SqliteStore(path, key=NEW)) as store, store.read() as reader:
        assert len(list(reader.entries(1))) == 2


COMES = """
    import sys
    from tensemem.errors import StoreError
    from tensemem.store.sqlite import SqliteStore, files, replacing
    place, name = {"open": (files, "prepared"), "waiting": (replacing.time, "sleep")}[sys.argv[4]]
    go_on = getattr(place, name)
    def tell(*arguments):
        setattr(place, name, go_on)
        print("there", flush=True)
        return go_on(*arguments)
    setattr(place, name, tell)
    try:
        store = SqliteStore(sys.argv[1], key=sys.argv[2], read_only=sys.argv[3] == "ro")
    except StoreError as error:
        print(type(error).__name__)
    else:
        with store.read() as reader:
            print(reader.meta("before"))
        store.close()
"""


# The other process has opened the old file and waits for the lock, or comes when the copy counts already.
@pytest.mark.parametrize("comes", ["open os.replace", "waiting tensemem.store.sqlite.replacing._overwrite"])
@pytest.mark.parametrize(("key", "answer"), [(OLD, "kept"), (NEW, "StoreKeyError")])
@pytest.mark.parametrize("mode", ["rw", "ro"])
def test_who_opens_a_file_meanwhile_gets_what_it_is_afterwards(
    path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, key: str, answer: str, comes: str
) -> None:
    where, step = comes.split()
    make(path)
    children = []
    with monkeypatch.context() as patch, closing(SqliteStore(path, key=OLD)) as store:
        place, _, name = step.rpartition(".")
        go_on = getattr(importlib.import_module(place), name)

        def start_and_go_on(*arguments: Any) -> None:
            child = start_child(COMES, path, OLD, mode, where)
            assert child.stdout is not None
            assert child.stdout.readline() == "there\n"
            children.append(child)
            go_on(*arguments)

        patch.setattr(step, start_and_go_on)
        with store.write() as tx:
            tx.set_meta("before", "kept")
        store.rekey(key, timeout=60)  # the same key has another salt now
    out, err = children[0].communicate(timeout=90)
    assert out == f"{answer}\n", err
    assert opens_with(path, OLD, NEW) == [key]
    assert os.listdir(path.parent) == [path.name]


def tell(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    child.stdin.write("go\n")
    child.stdin.flush()


KILLED = """
    import os, signal, sys
    from tensemem.store.sqlite import SqliteStore, rekeying, replacing
    where, old, new = sys.argv[2], sys.argv[3] or None, sys.argv[4] or None
    def die(*_):
        os.kill(os.getpid(), signal.SIGKILL)
    def before(place, name):
        setattr(place, name, die)
    def after(place, name):
        step = getattr(place, name)
        setattr(place, name, lambda *arguments: (step(*arguments), die()))
    store = SqliteStore(sys.argv[1], key=old)
    if where == "halfway":
        def write_half(copy, file, _size):
            file.seek(0)
            file.write(copy.read(10_000))
            file.flush()
            die()
        replacing._write = write_half
    elif where == "inside":
        make = rekeying._make
        def make_and_die(copy, connection):
            connection.set_progress_handler(die, 40)
            make(copy, connection)
        rekeying._make = make_and_die
    else:
        order, place, name = where.split()
        {"before": before, "after": after}[order]({"os": os, "rekeying": rekeying, "replacing": replacing}[place], name)
    store.rekey(new, timeout=60)
    print("not killed")
"""
MOMENTS = [
    ("after rekeying _take_alone", True), ("inside", True), ("before rekeying _check", True),
    ("after rekeying _check", True), ("before os replace", True), ("after os replace", False),
    ("before replacing _overwrite", False), ("halfway", False),
    ("after replacing _overwrite", False), ("after rekeying put_in_place", False),
]  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="there is no kill -9 here")
@pytest.mark.parametrize(("where", "is_old"), MOMENTS)
@pytest.mark.parametrize(("old", "new"), [(OLD, NEW), (None, NEW), (OLD, None)])
def test_a_kill_leaves_one_of_the_two_keys(path: Path, where: str, is_old: bool, old: Any, new: Any) -> None:
    make(path, old)
    child = start_child(KILLED, path, where, old or "", new or "")
    out, err = child.communicate(timeout=60)
    assert child.returncode == -signal.SIGKILL, (out, err)
    for stranger in ("neither", "nor that one"):
        with pytest.raises(StoreKeyError):
            SqliteStore(path, key=stranger)
    assert opens_with(path, old, new) == [old if is_old else new]
    assert os.listdir(path.parent) == [path.name], "what was left has been removed"


DIES = """
    import os, signal, sys
    from tensemem.store.sqlite import SqliteStore, replacing
    def wait_for_others(*arguments):
        print("now", flush=True)
        sys.stdin.readline()
        replace(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)
    replace, os.replace = os.replace, wait_for_others
    SqliteStore(sys.argv[1], key=sys.argv[2]).rekey(sys.argv[3], timeout=60)
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no kill -9 here")
@pytest.mark.parametrize("mode", ["rw", "ro"])
def test_who_waits_for_a_process_that_is_killed_finishes_its_work(path: Path, mode: str) -> None:
    make(path)
    dying = start_child(DIES, path, OLD, NEW)
    assert dying.stdout is not None
    assert dying.stdout.readline() == "now\n"
    waiting = start_child(COMES, path, OLD, mode, "open")
    assert waiting.stdout is not None
    assert waiting.stdout.readline() == "there\n"
    tell(dying)
    dying.communicate(timeout=60)
    assert dying.returncode == -signal.SIGKILL
    out, err = waiting.communicate(timeout=90)
    assert out == "StoreKeyError\n", err  # the old content was whole still, but it does not count any more
    assert not path.with_name(path.name + replacing.FINISHED).exists()
    assert opens_with(path, OLD, NEW) == [NEW]


@pytest.mark.skipif(os.name != "posix", reason="there is no kill -9 here")
@pytest.mark.parametrize("where", ["before replacing _overwrite", "halfway"])
@pytest.mark.parametrize("old", [OLD, None])
def test_a_backup_put_in_the_place_of_a_half_written_file_is_not_overwritten(
    path: Path, where: str, old: Any
) -> None:
    make(path, old)
    backup = path.read_bytes()
    with closing(SqliteStore(path, key=old)) as store:
        files.write_something(store, 2)
    start_child(KILLED, path, where, old or "", NEW).communicate(timeout=60)
    path.write_bytes(backup)
    left = path.with_name(path.name + replacing.FINISHED)
    for key in (old, NEW):
        with pytest.raises(StoreError, match="not the one it was then"):
            SqliteStore(path, key=key)
        assert path.read_bytes() == backup
        assert left.exists()
    moved = path.with_name("moved.db")
    left.rename(moved)
    assert opens_with(path, old, NEW) == [old]
    with closing(SqliteStore(moved, key=NEW)) as store, store.read() as reader:
        assert len(list(reader.entries(1))) == 2


@pytest.mark.skipif(os.name != "posix", reason="there is no kill -9 here")
def test_after_a_kill_the_key_can_be_changed_again(path: Path) -> None:
    make(path)
    child = start_child(KILLED, path, "before os replace", OLD, NEW)
    child.communicate(timeout=60)
    assert path.with_name(path.name + replacing.COPY).exists()
    with closing(SqliteStore(path, key=OLD)) as store:
        store.rekey(NEW, timeout=60)
    assert opens_with(path, OLD, NEW) == [NEW]


def test_writers_of_this_process_lose_nothing(path: Path) -> None:
    written: list[str] = []
    going, has_written, may_go_on = threading.Event(), threading.Event(), threading.Event()
    with closing(SqliteStore(path, durability="process", key=OLD)) as store:

        def write(worker: int) -> None:
            number = 0
            while going.is_set():
                number += 1
                try:
                    with store.write() as tx:
                        tx.set_meta(f"{worker} {number}", "x")
                except StoreBusyError:
                    may_go_on.wait(60)
                else:
                    written.append(f"{worker} {number}")
                    has_written.set()

        going.set()
        threads = [threading.Thread(target=write, args=(worker,)) for worker in range(3)]
        for thread in threads:
            thread.start()
        for key in (NEW, OLD, NEW):
            has_written.clear()
            assert has_written.wait(60)
            may_go_on.clear()
            store.rekey(key, timeout=30)
            may_go_on.set()
        going.clear()
        for thread in threads:
            thread.join()
    with closing(SqliteStore(path, key=NEW)) as store, store.read() as reader:
        assert [name for name in written if reader.meta(name) is None] == []


def test_a_copy_that_can_not_be_written_tells_no_key(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(path)
    key = "a passphrase that nobody may see"

    def elsewhere(name: str, options: str) -> str:
        return f"file:{path.parent}/no-such-folder/{name.rpartition('/')[2]}?{options}"

    monkeypatch.setattr(copies, "file_uri", elsewhere)
    with Memory(path, key=OLD, llm=False) as mem, pytest.raises(StoreError, match="keeps the key it had") as caught:
        mem.rekey(key)
    error: BaseException | None = caught.value
    while error is not None:
        assert "key=" not in str(error)
        assert key not in str(error)
        error = error.__cause__ or error.__context__
    Memory(path, key=OLD, llm=False).close()
