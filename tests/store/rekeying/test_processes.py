"""Keys are changed beside other processes, and by some that are killed."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem.errors import StoreBusyError, StoreError, StoreKeyError
from tensemem.store.sqlite import SqliteStore, replacing
from tests.store import test_sqlite_files as files
from tests.store.children import finish, start_child
from tests.store.engines import needs_ciphers
from tests.store.rekeying.files import NEW, OLD, make, opens_with
from tests.store.rekeying.test_refusals import refused

pytestmark = needs_ciphers


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
