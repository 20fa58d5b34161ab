"""Sizes are sums that are kept: they come along wherever a memory goes, and damage to them is found and put right."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.model.diagnosis import Finding
from tests.laws.test_sizes import SIZES, assert_sizes_hold

pytestmark = pytest.mark.of_files


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A memory with all there is to count: messages that wait, are settled and dismissed, corrections, people."""
    path = tmp_path / "memory.db"
    with opened(path) as mem:
        mem.register_predicate("lives_in")
        mem.register_predicate("languages", "many")
        for user in ("ann", "bob", "eve"):
            mem.add(user, "I live in Delhi")
            mem.flush(user)
            mem.replace_values(user, "languages", ["Go", "Rust"])
            mem.add(user, "I live in Pune")
        mem.correct(mem.history("ann", "lives_in").facts[0].id, "Oslo")
        mem.dismiss("bob", mem.jobs("bob")[0].seq)
        mem.forget("eve")
    return path


def opened(path: Path) -> Memory:
    extractor = FakeExtractor()
    extractor.usage = {"calls": 1, "input_tokens": 100, "output_tokens": 7}  # type: ignore[attr-defined]
    return Memory(path, llm=extractor, worker=False)


def sizes(mem: Memory) -> dict[str, int]:
    return {name: mem.stats()[name] for name in SIZES}


def test_what_is_told_is_what_there_is(path: Path) -> None:
    with opened(path) as mem:
        assert_sizes_hold(mem)
        assert sizes(mem)["scopes"] == 2
        assert mem.stats()["usage"]


def test_sizes_come_along_in_exports_backups_and_copies(path: Path, tmp_path: Path) -> None:
    with opened(path) as mem:
        wanted, exported = sizes(mem), io.BytesIO()
        mem.export(exported)
        mem.backup(tmp_path / "backup.db")
        with opened(tmp_path / "copied.db") as copy:
            mem.copy_to(copy)
            assert sizes(copy) == wanted
            assert_sizes_hold(copy)
    exported.seek(0)
    with opened(tmp_path / "imported.db") as mem:
        mem.import_(exported)
        assert sizes(mem) == wanted
        assert_sizes_hold(mem)
    Memory.restore(tmp_path / "backup.db", tmp_path / "restored.db")
    with opened(tmp_path / "restored.db") as mem:
        assert sizes(mem) == wanted
        assert_sizes_hold(mem)


def test_a_namespace_of_which_nobody_is_left_has_no_sizes(path: Path) -> None:
    with opened(path) as mem:
        for user in ("ann", "bob"):
            mem.forget(user)
        assert sizes(mem) == dict.fromkeys(SIZES, 0)
        assert mem.stats()["usage"] == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT * FROM sizes").fetchall() == []
        assert connection.execute("SELECT * FROM used").fetchall() == []


def finding(mem: Memory) -> Finding:
    found = mem.doctor().named("sizes")
    assert found is not None
    return found


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE sizes SET facts = facts + 1", "UPDATE sizes SET entries = 0", "DELETE FROM sizes", "DELETE FROM used",
        "UPDATE used SET calls = calls + 1", "INSERT INTO sizes VALUES ('nobody', 1, 1, 1, 1, 1, 1, 1)",
    ],
)  # fmt: skip
def test_sizes_that_do_not_hold_are_found_and_counted_anew(path: Path, damage: str) -> None:
    with opened(path) as mem:
        wanted, used = sizes(mem), mem.stats()["usage"]
        assert finding(mem).level == "ok"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(damage)
    with opened(path) as mem:
        assert (finding(mem).level, finding(mem).todo) == ("warning", "`tensemem rebuild` counts anew")
        assert mem.rebuild().identical
        assert finding(mem).level == "ok"
        assert (sizes(mem), mem.stats()["usage"]) == (wanted, used)


def test_a_rebuild_of_one_user_counts_nothing(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE sizes SET facts = facts + 1")
    with opened(path) as mem:
        mem.rebuild("ann")
        assert finding(mem).level == "warning"
