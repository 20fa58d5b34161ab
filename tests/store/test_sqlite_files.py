"""Files: how they are made, what is refused and left alone, what is in them, and when they are flushed."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem.errors import (
    InvalidValueError,
    ReadOnlyError,
    SchemaTooNewError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreUnsupportedError,
)
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.scope import Scope
from tensemem.ports import ClaimRow, FactRow, SlotRow
from tensemem.store.sqlite import SqliteStore, drivers, migrations, opening, reading, removing, writing
from tensemem.store.sqlite.driver_errors import DRIVER, our_error
from tensemem.store.sqlite.migrations import MIGRATIONS, VERSION, Migration, migrate
from tests.store.children import run_child

ALICE = Scope("default", "alice")
needs_modes = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")


def write_something(store: SqliteStore, rev: int = 1, word: str = "Delhi") -> None:
    with store.write() as tx:
        head = tx.open_scope(ALICE)
        tx.append(head.id, Entry(EntryKind.MESSAGE, rev, rev, 1_000_000, 1_500_000, body={"content": word}))
        slot = tx.slot(head.id, "user", "home") or tx.add_slot(head.id, SlotRow(0, "user", "home", "user", "home"))
        tx.put_claims(head.id, [ClaimRow(slot.id, rev, 0, 0, "value", "admitted", word, "[]")])
        tx.put_facts(head.id, [FactRow(slot.id, 0, word, 1_000_000, 2**63 - 1, f'[0,0,"{word}"]')])
        tx.add_pending(head.id, rev)
        tx.index(head.id, [(f"e{rev}", word.lower())], rev)


def make(path: Path) -> None:
    with closing(SqliteStore(path, durability="process")) as store:
        write_something(store)


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def beside(path: Path) -> list[str]:
    return sorted(other.name for other in path.parent.iterdir() if other != path)


# Names and making


@pytest.mark.parametrize(
    "name",
    [
        "plain.db", "with space.db", "a#b.db", "a?b.db", "a?mode=memory.db", "100%.db", "%41.db", "caf\u00e9.db",
        "\u0926\u093f\u0932\u094d\u0932\u0940.db", "\U0001f600.db", "'quoted\".db", "a&b=c;d.db",
        "file:x.db", ":memory:x",
    ],
)  # fmt: skip
@pytest.mark.skipif(os.name != "posix", reason="other systems forbid some of these names")
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    make(path)
    assert path.stat().st_size > 0
    assert os.listdir(tmp_path) == [name]
    for read_only in (False, True):
        with closing(SqliteStore(str(path), read_only=read_only)) as store, store.read() as reader:
            assert store.location == str(path)
            assert reader.head(ALICE) is not None


def test_a_relative_name_means_a_place_that_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(SqliteStore("memory.db")) as store:
        monkeypatch.chdir(tmp_path.parent)
        assert store.location == str(tmp_path / "memory.db")
        write_something(store)


@needs_modes
def test_a_new_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path)) as store:
        write_something(store)
        modes = {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        assert len(list(tmp_path.iterdir())) == 3
    assert modes == {0o600}


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.touch()
    make(path)
    with closing(SqliteStore(path)) as store, store.read() as reader:
        assert reader.head(ALICE) is not None


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no folder"):
        SqliteStore(tmp_path / "no folder" / "memory.db")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder"):
        SqliteStore(tmp_path)


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_a_name_that_can_t_be_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError):
        SqliteStore(name)
    assert os.listdir(tmp_path) == []


def test_many_threads_that_make_one_file_all_succeed(tmp_path: Path) -> None:
    path, errors = tmp_path / "memory.db", []
    start = threading.Barrier(6)

    def open_and_write(number: int) -> None:
        start.wait()
        try:
            with closing(SqliteStore(path)) as store, store.write() as tx:
                tx.open_scope(Scope("default", f"user{number}"))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=open_and_write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with closing(SqliteStore(path)) as store, store.read() as reader:
        assert len(reader.scopes("default", "", None, 9)) == 6


def test_a_file_with_our_mark_only_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(raw(path)) as connection:  # as a process leaves it that ended between mark and tables
        connection.execute(f"PRAGMA application_id = {opening.APPLICATION_ID}")
    with pytest.raises(StoreError, match="open it for writing once"):
        SqliteStore(path, read_only=True)
    make(path)


# What is not ours


def foreign_table(path: Path) -> None:
    with closing(raw(path)) as connection:
        connection.execute("CREATE TABLE note (text)")


def foreign_mark(path: Path) -> None:
    with closing(raw(path)) as connection:
        connection.execute("PRAGMA application_id = 77")
        connection.execute("CREATE TABLE note (text)")


def foreign_with_log(path: Path) -> None:
    with closing(raw(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE note (text)")


def no_database(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 1000)


def short_text(path: Path) -> None:
    path.write_bytes(b"hello")


def half_a_header(path: Path) -> None:
    make(path)
    path.write_bytes(path.read_bytes()[:50])


def header_only(path: Path) -> None:
    make(path)
    path.write_bytes(path.read_bytes()[:100])


def half_a_file(path: Path) -> None:
    make(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zeros(path: Path) -> None:
    path.write_bytes(bytes(8192))


@pytest.mark.parametrize(
    "damage",
    [
        foreign_table, foreign_mark, foreign_with_log, no_database, short_text, half_a_header, header_only, half_a_file,
        zeros,
    ],
)  # fmt: skip
@pytest.mark.parametrize("read_only", [False, True])
def test_what_is_not_ours_is_refused_and_left_as_it_is(tmp_path: Path, damage: Any, read_only: bool) -> None:
    path = tmp_path / "memory.db"
    damage(path)
    before, mtime = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(StoreCorruptError, match=re.escape(str(path))):
        SqliteStore(path, read_only=read_only)
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == mtime
    assert beside(path) == []


def test_the_log_of_a_foreign_database_in_use_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(raw(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE note (text)")
        before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        assert len(before) == 3
        with pytest.raises(StoreCorruptError):
            SqliteStore(path)
        assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_file_is_refused_naming_both_versions(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "memory.db"
    make(path)
    with closing(raw(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 8}")
    before = path.read_bytes()
    with pytest.raises(SchemaTooNewError, match=rf"{VERSION + 8}.*{VERSION}"):
        SqliteStore(path, read_only=read_only)
    assert path.read_bytes() == before
    assert beside(path) == []


def test_a_damaged_page_becomes_our_error(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path, durability="process")) as store, store.write() as tx:
        id = tx.open_scope(ALICE).id
        tx.append_many(id, [Entry(EntryKind.WRITE, rev, rev, 0, 0, body={"x": "y" * 500}) for rev in range(1, 400)])
    size = path.stat().st_size
    with open(path, "r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * (size // 2))
    with closing(SqliteStore(path)) as store:
        with pytest.raises(StoreCorruptError) as caught, store.read() as reader:
            list(reader.entries(id))
        assert isinstance(caught.value.__cause__, DRIVER.kinds)
        with pytest.raises(StoreCorruptError), store.write() as tx:
            list(tx.entries(id))


def test_a_text_of_an_unknown_codec_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    with closing(raw(path)) as connection:
        connection.execute("UPDATE facts SET body = CAST(x'01' || body AS BLOB)")
    with closing(SqliteStore(path)) as store, pytest.raises(StoreCorruptError, match="codec"), store.read() as reader:
        reader.live(1, 0)


# Reading only, and errors


def test_a_file_opened_for_reading_is_read_and_not_written(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    before = path.read_bytes()
    with closing(SqliteStore(path, read_only=True)) as store:
        with store.read() as reader:
            assert reader.head(ALICE) is not None
        with pytest.raises(ReadOnlyError):
            store.write()
        store.wait_for_commit(0)
    assert path.read_bytes() == before


def test_a_reader_sees_what_is_written_after_it_was_opened(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    with closing(SqliteStore(path)) as writer, closing(SqliteStore(path, read_only=True)) as other:
        other.wait_for_commit(0)
        write_something(writer, 2)
        other.wait_for_commit(3600)
        with other.read() as reader:
            assert len(list(reader.entries(1))) == 2


def test_a_missing_file_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"memory\.db"):
        SqliteStore(tmp_path / "memory.db", read_only=True)
    assert os.listdir(tmp_path) == []


@needs_modes
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="the superuser may write anything")
def test_a_file_that_may_not_be_written_says_so(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    path.chmod(0o400)
    with pytest.raises(StoreError):
        SqliteStore(path)


@pytest.mark.parametrize(
    ("code", "ours"),
    [
        (sqlite3.SQLITE_BUSY, StoreBusyError), (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreBusyError),
        (sqlite3.SQLITE_LOCKED, StoreBusyError), (sqlite3.SQLITE_PROTOCOL, StoreBusyError),
        (sqlite3.SQLITE_CORRUPT, StoreCorruptError), (sqlite3.SQLITE_CORRUPT_INDEX, StoreCorruptError),
        (sqlite3.SQLITE_NOTADB, StoreCorruptError), (sqlite3.SQLITE_READONLY, ReadOnlyError),
        (sqlite3.SQLITE_READONLY_DBMOVED, ReadOnlyError), (sqlite3.SQLITE_FULL, StoreError),
        (sqlite3.SQLITE_IOERR_FSYNC, StoreError), (sqlite3.SQLITE_CANTOPEN, StoreError), (None, StoreError),
    ],
)  # fmt: skip
def test_driver_errors_become_ours_with_their_message(code: int | None, ours: type[StoreError]) -> None:
    error = sqlite3.OperationalError("what the driver says")
    if code is not None:
        error.sqlite_errorcode = code
    found = our_error(error, "memory.db")
    assert type(found) is ours
    assert "memory.db" in str(found)
    assert "what the driver says" in str(found)


def test_a_full_disk_becomes_our_error_and_undoes_the_transaction(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "memory.db", durability="process")) as store:
        write_something(store)
        with pytest.raises(StoreError, match="No room") as caught:
            write_too_much(store)
        assert isinstance(caught.value.__cause__, DRIVER.kinds)
        with store.read() as reader:
            assert len(list(reader.entries(1))) == 1


def write_too_much(store: SqliteStore) -> None:
    with store.write() as tx:
        tx._run("PRAGMA max_page_count = 1")
        for rev in range(2, 500):
            tx.append(1, Entry(EntryKind.WRITE, rev, rev, 0, 0, body={"x": "y" * 5000}))


def test_an_old_sqlite_is_refused() -> None:
    drivers.refuse_old((3, 37, 0))
    with pytest.raises(StoreUnsupportedError, match=r"3\.36\.1.*3\.37\.0"):
        drivers.refuse_old((3, 36, 1))


def test_an_sqlite_without_json_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "_has_json", lambda: False)
    with pytest.raises(StoreUnsupportedError, match="JSON"):
        drivers.refuse_old((3, 37, 2))
    drivers.refuse_old((3, 38, 0))


def test_an_unknown_durability_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match="durability"):
        SqliteStore(tmp_path / "memory.db", durability="none")  # type: ignore[arg-type]


def test_a_snapshot_can_t_be_used_outside_its_block(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        with store.read() as reader:
            pass
        with store.write() as tx:
            pass
        for use in (lambda: reader.meta("x"), lambda: tx.meta("x"), lambda: tx.put_facts(1, [])):
            with pytest.raises(StoreError, match="with block"):
                use()


def test_closing_lets_a_snapshot_end_and_leaves_one_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = SqliteStore(path)
    write_something(store)
    with store.read() as reader:
        store.close()
        assert reader.head(ALICE) is not None
    assert os.listdir(tmp_path) == ["memory.db"]


def test_closing_inside_a_transaction_is_refused(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "memory.db")) as store, store.write() as tx:
        with pytest.raises(StoreError, match="end it before closing"):
            store.close()
        tx.set_meta("a", "1")


# What is in a file


def test_the_log_can_t_be_changed_even_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    with closing(raw(path)) as connection:
        for change in ("body = x'00'", "said_at = 0", "seq = seq"):
            with pytest.raises(DRIVER.kinds, match="never updated"):
                connection.execute(f"UPDATE entries SET {change}")
        with pytest.raises(DRIVER.kinds, match="never updated"):
            connection.execute("INSERT INTO entries SELECT * FROM entries WHERE true ON CONFLICT DO UPDATE SET seq = 9")


def test_people_can_read_the_views(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    with closing(raw(path)) as connection:
        rows = {}
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall():
            columns = [column[1] for column in connection.execute(f"PRAGMA table_info({name})").fetchall()]
            rows[name] = dict(zip(columns, connection.execute(f"SELECT * FROM {name}").fetchone(), strict=True))
    assert set(rows) == {"view_scopes", "view_log", "view_claims", "view_facts", "view_pending"}
    assert {row["user_id"] for row in rows.values()} == {"alice"}
    assert rows["view_log"]["recorded_at"] == "1970-01-01T00:00:01.000Z"
    assert rows["view_log"]["said_at"] == "1970-01-01T00:00:01.500Z"
    assert rows["view_log"]["content"] == "Delhi"
    assert rows["view_facts"]["value"] == "Delhi"
    assert rows["view_facts"]["valid_to"] is None


def tables(connection: sqlite3.Connection) -> list[Any]:
    return connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").fetchall()


def test_a_migration_that_fails_leaves_nothing_of_itself(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    broken = Migration(VERSION + 1, "CREATE TABLE half (x);\nCREATE TABLE nonsense (;\n")
    with closing(raw(path)) as connection:
        before = tables(connection)
        with pytest.raises(DRIVER.kinds), opening._transaction(connection.cursor(), 1.0):
            migrate(connection.cursor(), "x", [*MIGRATIONS, broken])
        assert tables(connection) == before
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_pending_migrations_are_applied_in_order_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    steps = [*MIGRATIONS, Migration(4, "CREATE TABLE more (x);"), Migration(5, "ALTER TABLE more ADD COLUMN y;")]
    with closing(raw(path)) as connection:
        for _ in range(2):
            with opening._transaction(connection.cursor(), 1.0):
                migrate(connection.cursor(), "x", steps)
        assert connection.execute("PRAGMA user_version").fetchone() == (5,)
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (1,)


def statements() -> dict[str, str]:
    groups = (reading.READ, reading.SEARCH, writing.WRITE, writing.QUEUE, removing.REMOVE)
    return {name: text for group in groups for name, text in group.items()}


WALKS = {"all_pending", "workers", "owners", "release_all", "sizes_that_differ", "recount_sizes", "recount_used"}
"""What they are asked for is a whole table."""
HARMLESS = ("SCAN w ", "SCAN json_each ", "SCAN CONSTANT ", "SCAN (subquery", "SCAN found")  # what was given, or found


@pytest.mark.parametrize("name", sorted(set(statements()) - WALKS))
def test_no_statement_walks_over_a_table(name: str) -> None:
    text = statements()[name]
    with closing(opening.open_in_memory(drivers.with_sqlite3())) as connection:
        numbers = len(set(re.findall(r"\?(\d+)", text)))
        plan = connection.execute(f"EXPLAIN QUERY PLAN {text}", (None,) * numbers).fetchall()
    lines = [line for *_, line in plan]
    assert [line for line in lines if line.startswith("SCAN") and not line.startswith(HARMLESS)] == []


def test_every_statement_says_its_purpose() -> None:
    for file in Path(migrations.__file__).parent.glob("*.sql"):
        text = file.read_text(encoding="utf-8")
        if not file.name.startswith("schema"):
            names = re.findall(r"^-- name: (\w+)$", text, re.MULTILINE)
            described = re.findall(r"^-- name: (\w+)\n-- [A-Z\"]", text, re.MULTILINE)
            assert names == described
            assert len(names) == len(set(names))
            assert set(names) <= set(statements())


def test_removed_words_are_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path, durability="process")) as store:
        write_something(store, word="Zanzibar")
        with store.write() as tx:
            tx.clear_projection(1)
            tx.clear_index(1)
            tx._run("DELETE FROM entries")
    assert path.stat().st_size > 0
    assert b"anzibar" not in path.read_bytes()


# Flushing


def test_the_settings_are_those_of_the_durability(tmp_path: Path) -> None:
    for durability, synchronous in (("power", 2), ("process", 1)):
        with closing(SqliteStore(tmp_path / f"{durability}.db", durability=durability)) as store:  # type: ignore[arg-type]
            assert store.durability == durability
            with store.write() as tx:
                settings = {
                    name: tx._run(f"PRAGMA {name}").fetchone()[0]
                    for name in ("synchronous", "journal_mode", "secure_delete", "temp_store", "fullfsync")
                }
        assert settings == {
            "synchronous": synchronous, "journal_mode": "wal", "secure_delete": 1, "temp_store": 2, "fullfsync": 1,
        }  # fmt: skip


def test_a_store_in_memory_promises_no_durability() -> None:
    with closing(SqliteStore(":memory:", durability="power")) as store:
        assert store.durability == "none"


COMMITS = """
    import sys
    from tensemem.store.sqlite import SqliteStore
    store = SqliteStore(sys.argv[1], durability=sys.argv[2])
    for number in range(int(sys.argv[3])):
        with store.write() as tx:
            tx.set_meta("n", str(number))
"""


@pytest.mark.skipif(shutil.which("strace") is None, reason="flushes are counted by strace")
def test_every_commit_is_flushed_where_power_may_fail(tmp_path: Path) -> None:
    assert flushed(tmp_path, "power", 40) >= 40
    assert flushed(tmp_path, "process", 40) < 20


def flushed(tmp_path: Path, durability: str, commits: int) -> int:
    counted = tmp_path / "trace"
    trace = ["strace", "-f", "-qq", "-e", "trace=fsync,fdatasync", "-o", str(counted)]
    path = tmp_path / f"{durability}{commits}.db"
    try:
        run_child(COMMITS, path, durability, commits, prefix=trace)
    except subprocess.CalledProcessError as error:  # some machines forbid tracing
        if "ptrace" in error.stderr.lower():
            pytest.skip("tracing is not allowed here")
        raise
    return len(re.findall(r"\bf(?:data)?sync\(", counted.read_text()))
