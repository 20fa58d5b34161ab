"""Changes are asked for behind a revision that was read; where that was in another log, whoever asks is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensemem import Memory, errors


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.db"


@pytest.mark.of_files
def test_who_is_ahead_of_a_restored_copy_is_told(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with Memory(path) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
        mem.backup(copy)
        last = mem.set("ann", "lives_in", "Pune").rev
        assert mem.changes("ann", last) == ()
    Memory.restore(copy, path, force=True)
    with Memory(path) as mem:
        with pytest.raises(errors.ConflictError, match=f"{last}, and the log ends with revision {last - 1}"):
            mem.changes("ann", last)
        with pytest.raises(errors.ConflictError):
            mem.changes("ann", last, wait=30)
        with pytest.raises(errors.ConflictError, match="ends with revision 0"):
            mem.changes("bob", 1)
        assert mem.changes("ann", last - 1) == ()
        mem.set("ann", "lives_in", "Goa")
        assert mem.changes("ann", last) == ()


def test_who_is_forgotten_counts_on_and_so_does_who_follows(path: Path) -> None:
    with Memory(path) as mem:
        mem.register_predicate("lives_in")
        last = mem.set("ann", "lives_in", "Delhi").rev
        mem.forget("ann")
        assert mem.changes("ann", last) == ()
        with pytest.raises(errors.ConflictError):
            mem.changes("ann", last + 1)
        mem.set("ann", "lives_in", "Pune")
        assert [change.value for change in mem.changes("ann", last)] == ["Pune"]


def test_a_copy_that_can_only_be_read_may_lag(path: Path) -> None:
    with Memory(path) as mem:
        mem.register_predicate("lives_in")
        last = mem.set("ann", "lives_in", "Delhi").rev
    with Memory(path, read_only=True) as mem:
        assert mem.changes("ann", last + 1) == ()
