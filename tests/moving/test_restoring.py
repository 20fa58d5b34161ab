"""Restoring: in the place of a memory only if told so, and whole or not at all."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.engine import backing
from tensemem.errors import (
    InvalidValueError,
    SchemaTooNewError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreKeyError,
)
from tensemem.store.sqlite import migrations, replacing
from tests.copying.filled import CALM, Troubled, fill
from tests.copying.looking import kept
from tests.moving.damage import damage, left
from tests.store.children import killed_when_told, start_child
from tests.store.engines import KEY, needs_ciphers
from tests.store.every_kind import KINDS, StoreKind


@pytest.fixture
def saved(one: Memory, tmp_path: Path) -> Path:
    """A backup of Ann's and Bob's, whose memory has gone on since."""
    one.backup(tmp_path / "b.db")
    one.set("ann", "lives_in", "Goa")
    return tmp_path / "b.db"


def test_a_backup_is_restored_to_a_new_file(one: Memory, saved: Path, tmp_path: Path) -> None:
    before = saved.read_bytes()
    report = Memory.restore(saved, tmp_path / "r.db")
    assert (report.scopes, report.entries, report.rebuilt) == (3, one.stats()["entries"] - 1, ())
    assert report.schema_version == migrations.VERSION
    assert left(tmp_path) == ["b.db", "r.db", "source.db"]
    assert stat.S_IMODE((tmp_path / "r.db").stat().st_mode) == 0o600
    assert saved.read_bytes() == before
    with Memory(tmp_path / "r.db", llm=Troubled(), **CALM) as mem:
        assert mem.verify().identical
        assert mem.state("ann").rev == one.state("ann").rev - 1
        assert mem.set("ann", "lives_in", "Goa").fact_ids == (one.state("ann").fact("lives_in").id,)  # type: ignore[union-attr]


def test_a_memory_is_replaced_only_if_told_to_and_only_while_nobody_has_it_open(
    one: Memory, saved: Path, tmp_path: Path
) -> None:
    dest = tmp_path / "source.db"
    with pytest.raises(StoreError, match="pass force=True to replace it"):
        Memory.restore(saved, dest)
    with pytest.raises(StoreBusyError, match="is open, here or in another process"):
        Memory.restore(saved, dest, force=True)
    assert one.get("ann", "lives_in") == "Goa"
    one.close()
    Memory.restore(saved, dest, force=True)
    with Memory(dest, **CALM) as mem:
        assert mem.get("ann", "lives_in") != "Goa"
        assert mem.verify().identical
    assert left(tmp_path) == ["b.db", "source.db"]


HOLDS = """
    import sys
    from tensemem import Memory
    with Memory(sys.argv[1], read_only=sys.argv[2] == "ro", worker=False) as mem:
        print("open", flush=True)
        sys.stdin.readline()
        print(mem.get("ann", "lives_in"), flush=True)
"""


@pytest.mark.parametrize("how", ["ro", "rw"])
def test_another_process_that_has_it_open_keeps_it(one: Memory, saved: Path, tmp_path: Path, how: str) -> None:
    one.close()
    child = start_child(HOLDS, tmp_path / "source.db", how)
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    with pytest.raises(StoreBusyError, match="is open, here or in another process"):
        Memory.restore(saved, tmp_path / "source.db", force=True)
    out, _ = child.communicate("\n")
    assert out == "Goa\n"
    Memory.restore(saved, tmp_path / "source.db", force=True)


def test_who_opens_it_meanwhile_keeps_it(
    one: Memory, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dest = tmp_path / "source.db"
    one.close()
    opened: list[Memory] = []
    through = backing._looked_through

    def late(*arguments: Any, **options: Any) -> Any:
        opened.append(Memory(dest, **CALM))
        return through(*arguments, **options)

    monkeypatch.setattr(backing, "_looked_through", late)
    with pytest.raises(StoreError):
        Memory.restore(saved, dest, force=True)
    with opened[0] as mem:
        assert mem.get("ann", "lives_in") == "Goa"
        mem.set("ann", "lives_in", "Rome")
    with Memory(dest, **CALM) as mem:
        assert mem.get("ann", "lives_in") == "Rome"


def test_the_log_that_a_dead_process_left_does_not_get_into_what_is_restored(
    one: Memory, saved: Path, tmp_path: Path
) -> None:
    dest = tmp_path / "crashed.db"
    for end in ("", "-wal"):
        shutil.copy(tmp_path / f"source.db{end}", f"{dest}{end}")
    assert (tmp_path / "crashed.db-wal").stat().st_size > 0
    Memory.restore(saved, dest, force=True)
    with Memory(dest, **CALM) as mem:
        assert mem.get("ann", "lives_in") != "Goa"
        assert mem.verify().identical
    shutil.copy(tmp_path / "source.db-wal", f"{tmp_path / 'new.db'}-wal")  # of a file that is gone
    Memory.restore(saved, tmp_path / "new.db")
    with Memory(tmp_path / "new.db", **CALM) as mem:
        assert mem.get("ann", "lives_in") != "Goa"


def test_a_memory_that_is_damaged_is_replaced_too(one: Memory, saved: Path, tmp_path: Path) -> None:
    one.close()
    (tmp_path / "source.db").write_bytes(b"\xff" * 5000)
    Memory.restore(saved, tmp_path / "source.db", force=True)
    with Memory(tmp_path / "source.db", **CALM) as mem:
        assert mem.verify().scopes == 3


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


BAD: list[tuple[Callable[[Path], Any], type[Exception], str]] = [
    (lambda path: path.unlink(), StoreError, "there is no backup"),
    (lambda path: path.write_bytes(b""), StoreCorruptError, "is empty"),
    (lambda path: path.write_bytes(b"hello" * 1000), StoreCorruptError, "not a database"),
    (lambda path: path.write_bytes(path.read_bytes()[:9000]), StoreCorruptError, "damaged"),
    (lambda path: damage(path, b"another Ann"), StoreCorruptError, "damaged"),
    (newer, SchemaTooNewError, "99"),
]


@pytest.mark.parametrize(("spoiled", "error", "says"), BAD)
def test_what_is_no_backup_replaces_nothing(
    one: Memory, saved: Path, tmp_path: Path, spoiled: Callable[[Path], Any], error: type[Exception], says: str
) -> None:
    one.close()
    before = (tmp_path / "source.db").read_bytes()
    spoiled(saved)
    for dest in ("source.db", "new.db"):
        with pytest.raises(error, match=says):
            Memory.restore(saved, tmp_path / dest, force=True)
    assert (tmp_path / "source.db").read_bytes() == before
    assert set(left(tmp_path)) <= {"b.db", "source.db"}
    with Memory(tmp_path / "source.db", **CALM) as mem:
        assert mem.get("ann", "lives_in") == "Goa"


def test_a_backup_is_not_restored_to_itself_nor_to_a_folder(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is the backup itself"):
        Memory.restore(saved, saved, force=True)
    with pytest.raises(StoreError, match="is a folder"):
        Memory.restore(saved, tmp_path, force=True)
    with pytest.raises(InvalidValueError, match="what is restored is a file"):
        Memory.restore(saved, ":memory:")
    with pytest.raises(StoreError):
        Memory.restore(saved, tmp_path / "no" / "folder.db")


@needs_ciphers
def test_an_encrypted_backup_needs_its_key(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", key=KEY, llm=Troubled(), **CALM) as mem:
        fill(mem)
        mem.backup(tmp_path / "b.db")
        for key in (None, "another key"):
            with pytest.raises(StoreKeyError):
                Memory.restore(tmp_path / "b.db", tmp_path / "r.db", key=key)
        Memory.restore(tmp_path / "b.db", tmp_path / "r.db", key=KEY)
        with Memory(tmp_path / "r.db", key=KEY, llm=Troubled(), **CALM) as again:
            assert kept(again) == kept(mem)
    assert b"Delhi" not in (tmp_path / "r.db").read_bytes()


@pytest.mark.parametrize("step", ["_seal", "flush_folder", "_overwrite"])
def test_a_restore_that_fails_leaves_the_old_memory_or_the_whole_new_one(
    one: Memory, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    one.close()

    def fail(*_: Any) -> None:
        raise OSError("the disk is gone")

    for dest in ("source.db", "new.db"):
        with monkeypatch.context() as patch:
            patch.setattr(replacing, step, fail)
            with pytest.raises(StoreError, match="the disk is gone"):
                Memory.restore(saved, tmp_path / dest, force=True)
    assert (tmp_path / "new.db").exists() is (step != "_seal")
    with Memory(tmp_path / "source.db", **CALM) as mem:
        assert (mem.get("ann", "lives_in") == "Goa") is (step == "_seal")
        assert mem.verify().identical
    if step != "_seal":
        with Memory(tmp_path / "new.db", **CALM) as mem:
            assert mem.verify().scopes == 3
    assert set(left(tmp_path)) <= {"b.db", "source.db", "new.db"}


KILLED = """
    import sys
    from tensemem import Memory
    from tensemem.store.sqlite import replacing
    def stop(*_):
        print("inside", flush=True)
        sys.stdin.readline()
    setattr(replacing, sys.argv[3], stop)
    Memory.restore(sys.argv[1], sys.argv[2], force=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no kill -9 here")
@pytest.mark.parametrize("step", ["put_over", "_seal", "_overwrite", "_write"])
def test_a_restore_that_is_killed_leaves_one_of_the_two(one: Memory, saved: Path, tmp_path: Path, step: str) -> None:
    one.close()
    killed_when_told(start_child(KILLED, saved, tmp_path / "source.db", step))
    with Memory(tmp_path / "source.db", **CALM) as mem:
        assert (mem.get("ann", "lives_in") == "Goa") is (step in ("put_over", "_seal"))
        assert mem.verify().identical
    assert left(tmp_path) == ["b.db", "source.db"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name.startswith("postgres")], ids=str)
def test_a_backup_is_restored_to_a_server(
    one: Memory, kind: StoreKind, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from tests.store.every_kind import shelf_of

    shelf: Any = shelf_of(kind, tmp_path_factory)
    one.backup(tmp_path / "b.db")
    assert Memory.restore(tmp_path / "b.db", shelf.address("dest")).scopes == 3
    with Memory(shelf.address("dest"), llm=Troubled(), **CALM) as mem:
        assert kept(mem) == kept(one)
        with pytest.raises(StoreError, match="holds memories"):
            Memory.restore(tmp_path / "b.db", shelf.address("dest"))
        again = Memory.restore(tmp_path / "b.db", shelf.address("dest"), force=True)
        assert (again.scopes, again.entries, again.unchanged) == (0, 0, 3)
        assert kept(mem) == kept(one)
        mem.forget("ann")
        mem.set("bob", "lives_in", "Goa")
        again = Memory.restore(tmp_path / "b.db", shelf.address("dest"), force=True)
        assert (again.scopes, again.unchanged, again.ahead, again.forgotten) == (0, 0, 1, 2)
        assert mem.scopes("ann") == ()


def test_awaited_memories_are_backed_up_and_restored_too(one: Memory, tmp_path: Path) -> None:
    async def moved() -> None:
        async with AsyncMemory(tmp_path / "source.db", read_only=True) as mem:
            await mem.backup(tmp_path / "b.db")
        told: list[str] = []

        def on(event: str, fields: Mapping[str, Any]) -> None:
            told.append(event)

        assert (await AsyncMemory.restore(tmp_path / "b.db", tmp_path / "r.db", on=on)).scopes == 3
        assert told.count("rebuilt") == 3

    asyncio.run(moved())
    with Memory(tmp_path / "r.db", **CALM) as mem:
        assert kept(mem) == kept(one)
