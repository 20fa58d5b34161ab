"""Files of every released schema, opened by the code of today: all that they told then they tell now."""

from __future__ import annotations

import gzip
import importlib.util
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.engine.upgrading import upgrade
from tensemem.errors import StoreError
from tensemem.model.entry import EntryKind
from tensemem.store.postgres import steps as postgres_steps
from tensemem.store.sqlite.migrations import MIGRATIONS, migrate
from tests.released.conversation import TOLD_TWICE, Troubled
from tests.released.shelf import HERE, LOG, OLDER, TODAY, digest_of, recorded, rows, unpacked
from tests.released.telling import LOOKED_AT, missing, told
from tests.servers import needed
from tests.store.catalog import of_postgres, of_sqlite

RELEASED = {
    1: ("ea953de15d05762b38c54c936e6e1b68", "fc27943a174d7f1c099fc50cbc24a10b"),
    2: ("cd1a3985be2e63112b5de10946218295", "7b5f9143cb22bf4c6b85ca8bd681ddeb"),
    3: ("934b40ea77c46cb2ef01ce193d5ae35b", "94adf7ce2385a3b1f0d70aa5fe0e7b42"),
}
"""What the text of each released step is known by: for a file, and for a database on a server."""

KINDS = {
    1: {"message", "write", "extraction", "skip", "correction", "reinstatement", "review", "predicate", "entity"},
    2: {kind.value for kind in EntryKind},
    3: {kind.value for kind in EntryKind},
}
"""The kinds of entry that there are in each."""

needs_driver = pytest.mark.skipif(importlib.util.find_spec("psycopg") is None, reason="PostgreSQL needs psycopg")
versions = pytest.mark.parametrize("version", OLDER)
ways = pytest.mark.parametrize("killed", [False, True], ids=["closed", "killed"])
pytestmark = pytest.mark.of_files


# What is released stays


def test_no_released_step_was_changed_and_every_step_is_in_the_table() -> None:
    files = {step.version: digest_of(step.script) for step in MIGRATIONS}
    servers = {step.version: step.checksum for step in postgres_steps.MIGRATIONS}
    assert {version: (files[version], servers[version]) for version in files} == RELEASED


def test_every_version_has_its_files() -> None:
    """A new one has them made by `tools/make_released.py` before it is released."""
    assert OLDER == list(range(1, TODAY + 1)) == [step.version for step in postgres_steps.MIGRATIONS]
    for version in OLDER:
        names = (".db.gz", "-killed.db.gz", f"-killed.db{LOG}.gz", ".json.gz", ".postgres.sql.gz")
        assert [name for name in names if not (HERE / f"schema{version}{name}").is_file()] == []


@versions
@ways
def test_a_file_is_of_its_version_and_holds_every_kind_of_entry(tmp_path: Path, version: int, killed: bool) -> None:
    with closing(sqlite3.connect(unpacked(version, tmp_path, killed=killed))) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (version,)
        kinds = {kind for (kind,) in connection.execute("SELECT DISTINCT kind FROM entries").fetchall()}
        assert kinds == KINDS[version]
        states = {state for (state,) in connection.execute("SELECT DISTINCT state FROM pending").fetchall()}
        assert states == {"failed", "waiting"}


def test_the_log_of_a_killed_process_is_needed(tmp_path: Path) -> None:
    path = unpacked(1, tmp_path, killed=True)
    Path(f"{path}{LOG}").unlink()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM entries WHERE kind = 'review'").fetchone() == (0,)


# Opened today


@versions
@ways
def test_all_that_a_file_told_it_tells_today(tmp_path: Path, version: int, killed: bool) -> None:
    path = unpacked(version, tmp_path, killed=killed)
    with Memory(path, worker=False, clock=lambda: LOOKED_AT) as mem:
        assert missing(recorded(version), told(mem)) == []
        assert mem.verify().identical
        assert mem.rebuild().identical
        assert missing(recorded(version), told(mem)) == []
    with Memory(path, worker=False, clock=lambda: LOOKED_AT, read_only=True) as mem:
        assert missing(recorded(version), told(mem)) == []


@versions
@ways
def test_work_goes_on_where_it_was_left(tmp_path: Path, version: int, killed: bool) -> None:
    path = unpacked(version, tmp_path, killed=killed)
    with Memory(path, worker=False, clock=lambda: LOOKED_AT, llm=Troubled()) as mem:
        user, text, key = TOLD_TWICE
        assert mem.add(user, text, said_at="2026-01-05", session_id="s1", idempotency_key=key).duplicate
        mem.flush("bob")  # the lease is of a worker that is gone
        assert [job.state for job in mem.jobs()] == ["failed"]
        assert "Rome" in [fact.value for fact in mem.history("bob", "lives_in")]
        before = mem.state("ann").rev
        assert mem.set("ann", "lives_in", "Quito").rev == before + 1
        assert mem.verify().identical


@versions
def test_an_older_file_opened_for_reading_is_refused_or_read_and_left_as_it_is(tmp_path: Path, version: int) -> None:
    path = unpacked(version, tmp_path)
    before = path.read_bytes()
    if version == TODAY:
        Memory(path, read_only=True).close()
    else:
        with pytest.raises(StoreError, match=rf"schema version {version} of {TODAY}: open it for writing once, or"):
            Memory(path, read_only=True)
    assert path.read_bytes() == before


# The same tables, however one came to them


@versions
@ways
def test_an_upgraded_file_has_the_tables_of_a_new_one(tmp_path: Path, version: int, killed: bool) -> None:
    path = unpacked(version, tmp_path, killed=killed)
    assert upgrade(path).found == version
    with closing(sqlite3.connect(path)) as upgraded, closing(sqlite3.connect(":memory:")) as made:
        made.isolation_level = None
        migrate(made.cursor(), "x")
        assert of_sqlite(upgraded) == of_sqlite(made)
        assert upgraded.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert upgraded.execute("PRAGMA foreign_key_check").fetchall() == []


# Databases on a server


@pytest.fixture(params=["18", "15"])
def url(request: pytest.FixtureRequest) -> str:
    return needed(request.param).create_database()


def fill(url: str, version: int, patch: pytest.MonkeyPatch) -> None:
    """Make a database as it was: the tables of that version, with its rows."""
    import psycopg

    from tensemem.store.postgres import migrations

    steps = [step for step in postgres_steps.MIGRATIONS if step.version <= version]
    with patch.context() as within:
        for name in ("migrate", "missing"):
            run = getattr(migrations, name)
            within.setattr(f"tensemem.store.postgres.upgrading.{name}", partial(run, steps=steps))
        upgrade(url)
    with psycopg.connect(url) as connection:
        connection.execute("DELETE FROM tensemem.meta")  # the tag of this one, where its own is among the rows
        connection.execute(rows(version).encode())


@needs_driver
@versions
def test_all_that_a_database_told_it_tells_today(url: str, version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(url, version, monkeypatch)
    assert upgrade(url).found == version
    with Memory(url, worker=False, clock=lambda: LOOKED_AT) as mem:
        assert missing(recorded(version), told(mem)) == []
        assert mem.verify().identical
    with Memory(url, worker=False, clock=lambda: LOOKED_AT, llm=Troubled()) as mem:
        mem.flush("bob")
        assert "Rome" in [fact.value for fact in mem.history("bob", "lives_in")]


@needs_driver
@versions
def test_an_upgraded_database_has_the_tables_of_a_new_one(
    url: str, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(url, version, monkeypatch)
    upgrade(url)
    assert of_postgres(url) == of_postgres(made_beside(url))


def made_beside(url: str) -> str:
    """Make another database on the same server, with the tables of today; gives its address."""
    import psycopg

    base, _, name = url.rpartition("/")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}_new".encode())
    upgrade(f"{base}/{name}_new")
    return f"{base}/{name}_new"


# What the comparison notices


@pytest.mark.parametrize(
    ("before", "now", "lines"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, 0), ({"a": 1}, {"a": 2}, 1), ({"a": 1}, {}, 1), ([1, 2], [1], 1),
        ({"a": [{"b": 1}]}, {"a": [{"b": 2, "c": 3}]}, 1), ([], [], 0), ({"a": None}, {}, 0),
    ],
)  # fmt: skip
def test_what_is_gone_or_another_is_noticed(before: Any, now: Any, lines: int) -> None:
    assert len(missing(before, now)) == lines


def test_the_files_are_small() -> None:
    assert sum(file.stat().st_size for file in HERE.glob("*.gz")) < 150_000 * len(OLDER)
    assert all(gzip.decompress(file.read_bytes()) for file in HERE.glob("*.gz"))
