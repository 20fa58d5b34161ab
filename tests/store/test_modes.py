"""Who may read what the library writes: its owner, whatever the process's umask is."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tests.store.engines import KEY, are_ciphers_there

pytestmark = [pytest.mark.of_files, pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")]


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def live(path: Path, **options: Any) -> None:
    """Do all that leaves a file somewhere."""
    with Memory(path, worker=False, **options) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
        mem.set("bob", "lives_in", "Pune")
        mem.forget("bob")
        mem.backup(path.with_name("backup.db"))
        mem.export(path.with_name("export.jsonl"))
        mem.copy_to(path.with_name("copied.db"))
        found = modes(path.parent)
    found |= modes(path.parent)
    keys: dict[str, Any] = {"key": options.get("key"), "shred": f"{path}-keys" if options.get("shred") else False}
    Memory.restore(path.with_name("backup.db"), path.with_name("restored.db"), **keys)
    found |= modes(path.parent)
    assert {mode: name for name, mode in found.items()}.keys() == {0o600}, found
    beside = {f"{path.name}{ending}" for ending in ("", "-wal", "-shm", "-forgotten")}
    assert found.keys() >= {*beside, "backup.db", "export.jsonl"}


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_what_is_made_is_its_owner_s_alone(tmp_path: Path, mask: int) -> None:
    with umask(mask):
        live(tmp_path / "memory.db")


@pytest.mark.skipif(not are_ciphers_there(), reason="needs apsw-sqlite3mc")
@pytest.mark.parametrize("shred", [False, True])
def test_so_is_what_is_encrypted_and_its_keys(tmp_path: Path, shred: bool) -> None:
    with umask(0):
        live(tmp_path / "memory.db", key=KEY, shred=shred)
        with Memory(tmp_path / "memory.db", worker=False, key=KEY, shred=shred) as mem:
            mem.rekey("another one")
            assert set(modes(tmp_path).values()) == {0o600}


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o600])
def test_a_file_that_is_there_keeps_its_mode_and_gives_it_to_what_is_beside_it(tmp_path: Path, mode: int) -> None:
    path, link = tmp_path / "memory.db", tmp_path / "link.db"
    Memory(path, worker=False).close()
    path.chmod(mode)
    link.symlink_to(path)
    with umask(0o077), Memory(link, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
        beside = {name: found for name, found in modes(tmp_path).items() if name.startswith("memory.db")}
        assert beside == {"memory.db": mode, "memory.db-wal": mode, "memory.db-shm": mode}
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_an_empty_file_made_by_hand_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.touch(0o640)
    Memory(path, worker=False).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_an_umask_that_takes_rights_from_the_owner_does_no_harm(tmp_path: Path) -> None:
    with umask(0o277):
        Memory(tmp_path / "memory.db", worker=False).close()
    assert modes(tmp_path) == {"memory.db": 0o600}
