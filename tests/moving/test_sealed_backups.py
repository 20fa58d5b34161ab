"""Backups of memories that are sealed with a key per person."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.errors import InvalidValueError, StoreError, StoreKeyError
from tests.copying.filled import CALM, Troubled, fill
from tests.copying.looking import kept, shown
from tests.store.engines import KEY, needs_ciphers
from tests.store.every_kind import KINDS, StoreKind


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
