"""Backups and what is restored of them: whole or not at all, whoever else is at work, whatever breaks."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import stat
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory, Operation
from tensemem.engine import backing
from tensemem.errors import (
    ClosedError,
    InvalidScopeError,
    InvalidValueError,
    SchemaTooNewError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreKeyError,
)
from tensemem.store.sqlite import copies, migrations, replacing
from tests.copying.looking import kept, shown
from tests.copying.places import Places
from tests.copying.test_copying import CALM, Troubled, fill
from tests.store.children import start_child
from tests.store.engines import KEY, needs_ciphers
from tests.store.every_kind import KINDS, StoreKind


def left(folder: Path) -> list[str]:
    """Give what lies in a folder, but for what belongs to memories that are open."""
    return sorted(file.name for file in folder.iterdir() if not file.name.endswith(("-wal", "-shm")))


def free_pages(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        pages: int = connection.execute("PRAGMA freelist_count").fetchone()[0]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return pages


# Backups


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


def damage(path: Path, text: bytes) -> None:
    """Overwrite a page that holds some text."""
    raw = bytearray(path.read_bytes())
    page = raw.index(text) // 4096 * 4096
    raw[page : page + 64] = bytes(64)
    path.write_bytes(raw)


def test_a_memory_that_is_damaged_is_not_backed_up_as_if_it_were_not(one: Memory, tmp_path: Path) -> None:
    one.close()
    damage(tmp_path / "source.db", b"another Ann")
    with Memory(tmp_path / "source.db", **CALM) as mem, pytest.raises(StoreCorruptError):
        mem.backup(tmp_path / "b.db")
    assert left(tmp_path) == ["source.db"]


def spoil(path: Path) -> None:
    """Have facts that are not what the log folds to."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM facts WHERE scope IN (SELECT id FROM scopes WHERE user_id = 'ann')")
        connection.commit()


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


# Restoring


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
    child = start_child(KILLED, saved, tmp_path / "source.db", step)
    assert child.stdout is not None
    assert child.stdout.readline() == "inside\n"
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
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


# Sealed with a key per person


@needs_ciphers
def test_a_backup_of_a_sealed_memory_is_sealed_with_the_same_keys(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    path, options = tmp_path / "m.db", {"key": KEY, "shred": True, "llm": Troubled(), **CALM}
    with Memory(path, **options) as mem:
        fill(mem)
        report = mem.backup(tmp_path / "b.db")
        assert (report.scopes, report.different, report.encrypted) == (3, (), True)
        before = kept(mem)
    assert not (tmp_path / "b.db-keys").exists()
    with pytest.raises(StoreKeyError, match="sealed with a key per person"):
        Memory.restore(tmp_path / "b.db", tmp_path / "r.db", key=KEY)
    with pytest.raises(StoreError):
        Memory.restore(tmp_path / "b.db", tmp_path / "r.db", key=KEY, shred=True)  # whose keys are elsewhere
    assert not (tmp_path / "r.db").exists()
    with pytest.raises(InvalidValueError, match="restored to a file"):
        Memory.restore(tmp_path / "b.db", "postgresql://h/d", key=KEY, shred=True)
    assert Memory.restore(tmp_path / "b.db", path, key=KEY, shred=True, force=True).scopes == 3
    with Memory(path, **options) as mem:
        assert kept(mem) == before
        mem.export(tmp_path / "e.jsonl")
    Memory.restore(tmp_path / "b.db", tmp_path / "r.db", key=KEY, shred=f"{path}-keys")
    with Memory(tmp_path / "new.db", **options) as new:
        new.import_(tmp_path / "e.jsonl")
        assert shown(new, "ann")["digest"] == shown_digest(path, options)


def shown_digest(path: Path, options: Any) -> str:
    with Memory(path, **options) as mem:
        return mem.digest("ann")


@needs_ciphers
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name == "postgres18"], ids=str)
def test_what_is_sealed_on_a_server_stays_sealed_in_its_backup(
    kind: StoreKind, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pytest.importorskip("cryptography")
    from tests.store.every_kind import shelf_of

    shelf: Any = shelf_of(kind, tmp_path_factory)
    with Memory(shelf.address("m"), key=KEY, shred=tmp_path / "keys", llm=Troubled(), **CALM) as mem:
        fill(mem)
        assert mem.backup(tmp_path / "b.db").scopes == 3
        assert b"Delhi" not in (tmp_path / "b.db").read_bytes()
        digest = mem.digest("ann")
    with Memory(tmp_path / "b.db", key=KEY, shred=tmp_path / "keys", **CALM) as again:
        assert again.digest("ann") == digest


@needs_ciphers
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name == "postgres18"], ids=str)
def test_a_backup_of_what_is_sealed_on_a_server_makes_no_keys(
    kind: StoreKind, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pytest.importorskip("cryptography")
    from tests.store.every_kind import shelf_of

    shelf: Any = shelf_of(kind, tmp_path_factory)
    options: dict[str, Any] = {"key": KEY, "shred": tmp_path / "keys", "llm": Troubled(), **CALM}
    with Memory(shelf.address("m"), **options) as mem:
        fill(mem)
        digest = mem.digest("ann")
    with Memory(shelf.address("m"), read_only=True, **options) as mem:
        assert mem.backup(tmp_path / "b.db").scopes == 3
    with Memory(tmp_path / "b.db", **options) as again:
        assert again.digest("ann") == digest
    with Memory(shelf.address("m"), **options) as mem:
        ring = mem._engine.store.ring  # type: ignore[attr-defined]
        mem.digest("ann")  # so that its key is at hand here when it is destroyed elsewhere
        with closing(sqlite3.connect(tmp_path / "keys")) as rows:
            rows.execute("DELETE FROM keys")
            rows.commit()
        with pytest.raises(StoreKeyError, match="was destroyed when the scope was forgotten"):
            mem.backup(tmp_path / "late.db")
        assert (ring.count(), (tmp_path / "late.db").exists()) == (0, False)


def test_what_was_said_to_an_older_copy_after_the_forgetting_is_not_taken_for_what_was_meant(tmp_path: Path) -> None:
    """Its episodes have seqs that others had where it was forgotten; the ledger there must not take those away."""
    path, elsewhere = tmp_path / "m.db", tmp_path / "elsewhere.db"
    options: dict[str, Any] = {"llm": False, "worker": False, "durability": "process"}
    with Memory(path, **options) as mem:
        mem.register_predicate("lives_in")
        mem.register_predicate("works_at")
        mem.set("ann", "lives_in", "Old Town")
        mem.set("ann", "works_at", "Acme")
        mem.backup(elsewhere)
        for number in range(6):
            mem.set("ann", "works_at", f"Acme {number}")
        mem.set("ann", "lives_in", "Delhi")
        mem.erase("ann", 4)
        mem.forget("ann", predicate="lives_in")
    with Memory(elsewhere, **options) as mem:
        mem.set("ann", "lives_in", "Oslo")
        mem.set("ann", "works_at", "Initech")
        mem.backup(tmp_path / "b.db")
    Memory.restore(tmp_path / "b.db", path, force=True)
    with Memory(path, **options) as mem:
        assert mem.state("ann").values == {"lives_in": "Oslo", "works_at": "Initech"}
        assert [fact.value for fact in mem.history("ann", "lives_in").facts] == ["Oslo"]
        assert mem.verify().identical
    assert b"Old Town" not in path.read_bytes()
