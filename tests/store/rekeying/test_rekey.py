"""A key is changed: the file has the new one, and everything it had."""

from __future__ import annotations

import os
import stat
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.errors import StoreBusyError, StoreError, StoreKeyError
from tensemem.store.sqlite import SqliteStore, copies
from tests.store import test_sqlite_files as files
from tests.store.dump import everything
from tests.store.engines import needs_ciphers
from tests.store.rekeying.files import NEW, OLD, make, opens_with

pytestmark = needs_ciphers


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
