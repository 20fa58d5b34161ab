"""Migrating: from any version to that of today, told before it is done, the same tables as made from scratch."""

from __future__ import annotations

import importlib.util
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tensemem.engine.upgrading import upgrade
from tensemem.errors import SchemaTooNewError, StoreBusyError, StoreCorruptError, StoreError
from tensemem.store.postgres import steps as postgres_steps
from tensemem.store.sqlite import SqliteStore, migrations
from tensemem.store.sqlite.migrations import MIGRATIONS, Migration, migrate
from tests.servers import needed
from tests.store.catalog import of_postgres, of_sqlite

needs_driver = pytest.mark.skipif(importlib.util.find_spec("psycopg") is None, reason="PostgreSQL needs psycopg")


def script() -> str:
    return (Path(migrations.__file__).parent / "schema.sql").read_text(encoding="utf-8")


def connected() -> Any:
    return closing(sqlite3.connect(":memory:", isolation_level=None))


# Files

MORE = "CREATE TABLE more (scope INTEGER PRIMARY KEY, x TEXT) STRICT;"
STEPS = ((1, "the tables"), (2, "forgetting"), (3, "reads that cost what they give"))
LATER = [Migration(4, MORE, "more"), Migration(5, "ALTER TABLE more ADD COLUMN y TEXT;", "a column")]


def test_all_steps_lead_to_the_tables_that_the_script_shows() -> None:
    with connected() as by_steps, connected() as by_script:
        migrate(by_steps.cursor(), "x")
        by_script.executescript(script())
        assert of_sqlite(by_steps) == of_sqlite(by_script)


def test_made_up_steps_lead_to_a_made_up_script_however_it_is_written() -> None:
    with connected() as by_steps, connected() as by_script:
        migrate(by_steps.cursor(), "x", [*MIGRATIONS, *LATER])
        by_script.executescript(script() + "CREATE TABLE more (scope INTEGER PRIMARY KEY, y TEXT, x TEXT) STRICT;")
        assert of_sqlite(by_steps) == of_sqlite(by_script)


@pytest.mark.parametrize(
    "forgotten",
    ["", MORE, MORE.replace("STRICT", ""), f"{MORE} ALTER TABLE more ADD COLUMN y TEXT NOT NULL DEFAULT '';",
     f"{MORE} ALTER TABLE more ADD COLUMN y TEXT; CREATE INDEX i ON more (y);"],
)  # fmt: skip
def test_a_script_that_does_not_show_what_the_steps_do_is_noticed(forgotten: str) -> None:
    with connected() as by_steps, connected() as by_script:
        migrate(by_steps.cursor(), "x", [*MIGRATIONS, *LATER])
        by_script.executescript(script() + forgotten)
        assert of_sqlite(by_steps) != of_sqlite(by_script)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.db"
    SqliteStore(path).close()
    return path


def know_steps(patch: pytest.MonkeyPatch, *steps: Migration) -> None:
    """Make it a version of the library that knows these steps."""
    patch.setattr("tensemem.store.sqlite.migrations.MIGRATIONS", steps)


@pytest.fixture
def newer(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version of the library that knows two steps more."""
    know_steps(monkeypatch, *MIGRATIONS, *LATER)


def test_a_file_of_today_needs_nothing(file: Path) -> None:
    found = upgrade(file)
    assert (found.location, found.found, found.known, found.steps) == (str(file), 3, 3, ())


@pytest.mark.usefixtures("newer")
def test_a_dry_run_tells_the_steps_and_changes_nothing(file: Path) -> None:
    before = file.read_bytes()
    for _ in range(2):
        found = upgrade(file, dry_run=True)
        assert (found.found, found.known, found.steps, found.applied) == (3, 5, ((4, "more"), (5, "a column")), False)
    assert file.read_bytes() == before


@pytest.mark.usefixtures("newer")
def test_what_was_told_is_done_once(file: Path) -> None:
    found = upgrade(file)
    assert (found.found, found.steps, found.applied) == (3, ((4, "more"), (5, "a column")), True)
    assert upgrade(file).steps == ()
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT x, y FROM more").fetchall() == []


def test_a_newer_file_is_refused_and_left_as_it_is(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 7")
    before = file.read_bytes()
    for dry_run in (True, False):
        with pytest.raises(SchemaTooNewError, match="version 7"):
            upgrade(file, dry_run=dry_run)
    assert file.read_bytes() == before


def test_what_is_no_memory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no database"):
        upgrade(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "other").write_text("something else entirely, and long enough to be looked at" * 50)
    with pytest.raises(StoreCorruptError):
        upgrade(tmp_path / "other")
    with pytest.raises(StoreError, match="begins anew"):
        upgrade(":memory:")
    with pytest.raises(StoreError, match="no store for mysql"):
        upgrade("mysql://x/y")


# Databases

PG_MORE = "CREATE TABLE tensemem.more (scope bigint PRIMARY KEY, x text);"
PG_LATER = (
    postgres_steps.Migration(4, "more", PG_MORE),
    postgres_steps.Migration(5, "a column", "ALTER TABLE tensemem.more ADD COLUMN y text;"),
)


@pytest.fixture(params=["18", "15"])
def url(request: pytest.FixtureRequest) -> str:
    return needed(request.param).create_database()


def know_more(patch: pytest.MonkeyPatch) -> None:
    """Make it a version of the library that knows two steps more."""
    from tensemem.store.postgres import migrations as ours

    steps = (*postgres_steps.MIGRATIONS, *PG_LATER)
    run, find = ours.migrate, ours.missing
    patch.setattr("tensemem.store.postgres.upgrading.migrate", partial(run, steps=steps))
    patch.setattr("tensemem.store.postgres.upgrading.missing", partial(find, steps=steps))
    patch.setattr("tensemem.store.postgres.upgrading.VERSION", 5)


def rows(url: str, question: str) -> list[Any]:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(question)
        return cursor.fetchall() if cursor.description else []


@needs_driver
def test_an_empty_database_gets_all_tables(url: str) -> None:
    told = upgrade(url, dry_run=True)
    assert (told.found, told.known, told.steps, told.applied) == (0, 3, STEPS, False)
    assert rows(url, "SELECT 1 FROM pg_namespace WHERE nspname = 'tensemem'") == []
    done = upgrade(url)
    assert (done.found, done.steps, done.applied) == (0, STEPS, True)
    assert upgrade(url).steps == ()
    other = upgrade(f"{url}?tensemem_schema=other", dry_run=True)
    assert (other.found, other.location.endswith("?tensemem_schema=other")) == (0, True)


@needs_driver
def test_a_database_is_told_its_steps_and_then_gets_them(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch, shown = (url.rpartition("/")[0] + "/" + name for name in made(url, 2))
    upgrade(url)
    upgrade(shown)
    rows(shown, "CREATE TABLE tensemem.more (scope bigint PRIMARY KEY, x text, y text)")
    know_more(monkeypatch)
    before = of_postgres(url)
    told = upgrade(url, dry_run=True)
    assert (told.found, told.known, told.steps) == (3, 5, ((4, "more"), (5, "a column")))
    assert of_postgres(url) == before
    assert upgrade(url).steps == told.steps
    assert [version for version, _ in upgrade(scratch).steps] == [1, 2, 3, 4, 5]
    assert of_postgres(url) == of_postgres(scratch) == of_postgres(shown)


@needs_driver
def test_a_step_may_take_longer_than_a_statement_of_whoever_is_waited_for(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(url)
    slow = postgres_steps.Migration(4, "slow", "SELECT pg_sleep(0.7); CREATE TABLE tensemem.more (x text);")
    monkeypatch.setattr(f"{__name__}.PG_LATER", (slow, PG_LATER[1]))
    know_more(monkeypatch)
    hurried = f"{url}?tensemem_statement_timeout=0.3"  # and 0.3 s more for an answer that does not come
    assert [version for version, _ in upgrade(hurried).steps] == [4, 5]
    assert rows(url, "SELECT x, y FROM tensemem.more") == []


def made(url: str, count: int) -> list[str]:
    """Make more databases beside one; gives their names."""
    names = [f"{url.rpartition('/')[2]}_{number}" for number in range(count)]
    for name in names:
        rows(url, f"CREATE DATABASE {name}")
    return names


@needs_driver
@pytest.mark.parametrize(
    "forgotten",
    ["CREATE TABLE tensemem.more (scope bigint PRIMARY KEY, x text)",
     "CREATE TABLE tensemem.more (scope bigint PRIMARY KEY, x text, y text NOT NULL)",
     "CREATE TABLE tensemem.more (scope bigint, x text, y text)"],
)  # fmt: skip
def test_tables_that_differ_are_noticed(forgotten: str) -> None:
    one, other = (needed("18").create_database() for _ in range(2))
    whole = "CREATE TABLE tensemem.more (scope bigint PRIMARY KEY, x text, y text)"
    for place, text in ((one, whole), (other, forgotten)):
        upgrade(place)
        rows(place, text)
    assert of_postgres(one) != of_postgres(other)


@needs_driver
def test_a_newer_database_is_refused_and_left_as_it_is(url: str) -> None:
    upgrade(url)
    rows(url, "INSERT INTO tensemem.schema_version (version, checksum) VALUES (7, 'x')")
    before = of_postgres(url)
    for dry_run in (True, False):
        with pytest.raises(SchemaTooNewError, match="version 7"):
            upgrade(url, dry_run=dry_run)
    assert of_postgres(url) == before


@needs_driver
def test_a_database_whose_step_was_another_is_refused(url: str) -> None:
    upgrade(url)
    rows(url, "UPDATE tensemem.schema_version SET checksum = 'x' WHERE version = 1")
    with pytest.raises(StoreError, match="step 1 of its schema is not the one"):
        upgrade(url)


@needs_driver
def test_a_server_that_is_not_there_is_told_of() -> None:
    with pytest.raises(StoreBusyError, match="can't be reached"):
        upgrade("postgresql://127.0.0.1:1/x?connect_timeout=2")
