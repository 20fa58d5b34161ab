"""Backups: everything, in one file, of one moment."""

from __future__ import annotations

import sqlite3
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Operation
from tensemem.engine import backing
from tensemem.errors import (
    ClosedError,
    InvalidScopeError,
    InvalidValueError,
    StoreCorruptError,
    StoreError,
    StoreKeyError,
)
from tensemem.store.sqlite import copies
from tests.copying.filled import CALM, Troubled, fill
from tests.copying.looking import kept, shown
from tests.copying.places import Places
from tests.moving.damage import damage, free_pages, left, spoil
from tests.store.engines import KEY, needs_ciphers
from tests.store.every_kind import KINDS, StoreKind


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.name.startswith(("encrypted", "sealed"))], ids=str)
def test_a_backup_holds_everything_in_one_file_of_its_owner(kind: StoreKind, places: Places, tmp_path: Path) -> None:
    path = tmp_path / "b.db"
    with places.opened(kind, "source", llm=Troubled(), **CALM) as mem:
        fill(mem)
        report = mem.backup(path)
        assert (report.scopes, report.entries, report.different) == (3, mem.stats()["entries"], ())
        assert (report.destination, report.size, report.encrypted) == (str(path), path.stat().st_size, False)
        assert left(tmp_path) == ["b.db"]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert path.read_bytes()[18:20] == b"\1\1"  # no write-ahead log
        assert free_pages(path) == 0
        with Memory(path, llm=Troubled(), **CALM) as again:
            assert kept(again) == kept(mem)
            assert shown(again, "ann") == shown(mem, "ann")


@needs_ciphers
def test_a_backup_of_an_encrypted_memory_has_the_same_key_and_another_salt(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", key=KEY, llm=Troubled(), **CALM) as mem:
        fill(mem)
        assert mem.backup(tmp_path / "b.db").encrypted
        with pytest.raises(InvalidValueError, match="have the same; leave key out"):
            mem.backup(tmp_path / "c.db", key="another")
        with Memory(tmp_path / "b.db", key=KEY, llm=Troubled(), **CALM) as again:
            assert kept(again) == kept(mem)
    assert b"Delhi" not in (tmp_path / "b.db").read_bytes()
    assert (tmp_path / "b.db").read_bytes()[:16] != (tmp_path / "m.db").read_bytes()[:16]
    with pytest.raises(StoreKeyError):
        Memory(tmp_path / "b.db")


@needs_ciphers
def test_a_backup_of_what_is_no_file_may_be_encrypted(tmp_path: Path, places: Places) -> None:
    plain = next(kind for kind in KINDS if kind.name == "plain")
    with places.opened(plain, "source", llm=Troubled(), **CALM) as mem:
        fill(mem)
        assert mem.backup(tmp_path / "b.db", key=KEY).encrypted
    assert Memory.restore(tmp_path / "b.db", tmp_path / "r.db", key=KEY).scopes == 3
    assert left(tmp_path) == ["b.db", "r.db"]


def test_a_backup_is_made_by_who_only_reads(one: Memory, tmp_path: Path) -> None:
    with Memory(tmp_path / "source.db", read_only=True) as reading:
        reading.backup(tmp_path / "b.db")
    with Memory(tmp_path / "b.db", llm=Troubled(), **CALM) as again:
        assert kept(again) == kept(one)


def test_nothing_of_what_was_overwritten_or_of_processes_is_in_it(one: Memory, tmp_path: Path) -> None:
    with one._engine.store.write() as tx:
        assert tx.lease("owner of a lease", 10, 20, [], []) is not None
        tx._run("CREATE TABLE t (x)")  # type: ignore[attr-defined]
        tx._run("INSERT INTO t VALUES ('something that was written once' || hex(zeroblob(9000)))")  # type: ignore[attr-defined]
        tx._run("PRAGMA secure_delete = OFF")  # type: ignore[attr-defined]
    with one._engine.store.write() as tx:
        tx._run("DROP TABLE t")  # type: ignore[attr-defined]
    one.backup(tmp_path / "b.db")
    raw = (tmp_path / "b.db").read_bytes()
    assert b"Delhi" in raw
    assert b"written once" not in raw
    assert b"owner of a lease" not in raw
    with one._engine.store.read() as reader:
        assert reader.owners() == ["owner of a lease"]


def test_a_backup_is_of_one_moment_while_others_write(one: Memory, tmp_path: Path) -> None:
    stop, written = threading.Event(), 0

    def write() -> None:
        nonlocal written
        while not stop.is_set():
            one.write("zoe", [Operation("set", "lives_in", f"town {written}")])
            one.set("yan", "lives_in", f"town {written}")
            written += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(3):
            seen = written
            report = one.backup(tmp_path / f"{number}.db")
            assert report.different == ()
            with Memory(tmp_path / f"{number}.db", read_only=True) as again:
                revs = [again.state(user).rev for user in ("zoe", "yan")]
                assert revs[0] - revs[1] in (0, 1)
                assert seen - 1 <= revs[1] <= written + 1
    finally:
        stop.set()
        writer.join()


def test_a_backup_never_takes_the_place_of_another_file_unless_told_to(one: Memory, tmp_path: Path) -> None:
    path = tmp_path / "b.db"
    one.backup(path)
    before = path.read_bytes()
    one.set("ann", "lives_in", "Goa")
    with pytest.raises(StoreError, match="exists; name another file, or pass overwrite=True"):
        one.backup(path)
    assert path.read_bytes() == before
    one.backup(path, overwrite=True)
    assert path.read_bytes() != before
    with pytest.raises(StoreError, match="is the memory itself"):
        one.backup(tmp_path / "source.db", overwrite=True)
    with Memory(tmp_path / "open.db", **CALM) as used:
        used.register_predicate("lives_in")
        with pytest.raises(StoreError, match="is a memory in use"):
            one.backup(tmp_path / "open.db", overwrite=True)


@pytest.mark.parametrize("dest", [3, "", ":memory:", "postgresql://h/d", "a\0b", b"bytes", None])
def test_what_is_no_file_is_refused(one: Memory, tmp_path: Path, dest: Any) -> None:
    with pytest.raises(InvalidValueError, match="a backup is a file; give its path"):
        one.backup(dest)
    with pytest.raises(InvalidValueError, match="a backup is a file; give its path"):
        Memory.restore(dest, tmp_path / "r.db")


def test_who_may_see_a_part_only_backs_nothing_up(one: Memory, tmp_path: Path) -> None:
    with (
        Memory(tmp_path / "source.db", namespace="default", **CALM) as pinned,
        pytest.raises(InvalidScopeError, match="backup concerns all"),
    ):
        pinned.backup(tmp_path / "b.db")
    one.close()
    with pytest.raises(ClosedError):
        one.backup(tmp_path / "b.db")
    assert left(tmp_path) == ["source.db"]


def test_a_backup_that_can_not_be_written_leaves_nothing(
    one: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StoreError):
        one.backup(tmp_path / "no" / "folder.db")
    with pytest.raises(StoreError, match="is a folder"):
        one.backup(tmp_path)
    for code, says in ((sqlite3.SQLITE_FULL, "there is no room"), (sqlite3.SQLITE_IOERR, "SQLite's error 10")):
        monkeypatch.setattr(copies, "copy_into", lambda *_, code=code: code)
        with pytest.raises(StoreError, match=says):
            one.backup(tmp_path / "b.db")
    monkeypatch.undo()

    def fail(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(backing, "publish", fail)
    with pytest.raises(KeyboardInterrupt):
        one.backup(tmp_path / "b.db")
    assert left(tmp_path) == ["source.db"]


def test_a_memory_that_is_damaged_is_not_backed_up_as_if_it_were_not(one: Memory, tmp_path: Path) -> None:
    one.close()
    damage(tmp_path / "source.db", b"another Ann")
    with Memory(tmp_path / "source.db", **CALM) as mem, pytest.raises(StoreCorruptError):
        mem.backup(tmp_path / "b.db")
    assert left(tmp_path) == ["source.db"]


def test_facts_that_are_not_what_the_log_says_are_told_and_put_right(one: Memory, tmp_path: Path) -> None:
    before = kept(one)
    one.close()
    spoil(tmp_path / "source.db")
    with Memory(tmp_path / "source.db", **CALM) as mem:
        assert set(mem.backup(tmp_path / "b.db").different) == {"ann"}
        assert mem.backup(tmp_path / "c.db", verify=False).different == ()
    report = Memory.restore(tmp_path / "b.db", tmp_path / "r.db")
    assert set(report.rebuilt) == {"ann"}
    with Memory(tmp_path / "r.db", **CALM) as mem:
        assert kept(mem) == before
