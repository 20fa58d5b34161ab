"""The libraries under the store: which is chosen, that they answer alike, and that two never share a file."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem.errors import InvalidValueError, StoreBusyError, StoreError, StoreUnsupportedError
from tensemem.store.sqlite import SqliteStore, drivers, file_links, opening
from tensemem.store.sqlite.driver_errors import DRIVER, our_error, primary_code
from tensemem.store.sqlite.drivers import Connection, Driver
from tests.store.engines import needs_apsw


@pytest.fixture
def no_apsw(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    drivers.with_apsw.cache_clear()
    monkeypatch.setitem(sys.modules, "apsw", None)
    yield
    drivers.with_apsw.cache_clear()


@pytest.fixture
def old_sqlite3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 1))


# Choosing


def test_the_standard_library_s_is_the_default() -> None:
    driver = drivers.choose(None)
    assert (driver.name, driver.version) == ("sqlite3", sqlite3.sqlite_version_info)


@needs_apsw
def test_apsw_is_chosen_by_name() -> None:
    driver = drivers.choose("apsw")
    assert driver.name == "apsw"
    assert driver.version > (3, 45)


@needs_apsw
def test_where_sqlite_is_too_old_apsw_is_used(old_sqlite3: None) -> None:
    assert drivers.choose(None).name == "apsw"
    with pytest.raises(StoreUnsupportedError, match=r"3\.36\.1.*3\.37\.0.*extra `sqlite`"):
        drivers.choose("sqlite3")


def test_where_sqlite_is_too_old_and_apsw_is_missing_the_extra_is_named(no_apsw: None, old_sqlite3: None) -> None:
    with pytest.raises(StoreUnsupportedError, match=r"3\.36\.1.*3\.37\.0.*extra `sqlite`"):
        drivers.choose(None)


def test_where_apsw_is_missing_and_named_the_extra_is_named(no_apsw: None) -> None:
    with pytest.raises(StoreUnsupportedError, match=r"extra `sqlite`"):
        drivers.choose("apsw")


def test_where_apsw_is_missing_a_key_names_its_extra(no_apsw: None) -> None:
    with pytest.raises(StoreUnsupportedError, match=r"extra `encrypted`"):
        drivers.choose(None, encrypts=True)


@needs_apsw
def test_an_apsw_without_ciphers_names_the_extra_for_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Driver("apsw", (3, 50, 0), drivers.with_apsw().connect, lambda _connection, _number: b"")
    monkeypatch.setattr(drivers, "with_apsw", lambda: plain)
    with pytest.raises(StoreUnsupportedError, match=r"extra `encrypted`.*uninstall it first"):
        drivers.choose(None, encrypts=True)


@pytest.mark.parametrize(("name", "encrypts"), [("pysqlite", False), ("", False), ("sqlite3", True)])
def test_a_name_that_is_none_or_can_t_encrypt_is_refused(name: str, encrypts: bool) -> None:
    with pytest.raises(InvalidValueError, match="driver"):
        drivers.choose(name, encrypts=encrypts)


# Answering alike


@pytest.fixture(params=["sqlite3", pytest.param("apsw", marks=needs_apsw)])
def driver(request: pytest.FixtureRequest) -> Driver:
    return drivers.choose(request.param)


@pytest.fixture
def connection(driver: Driver, tmp_path: Path) -> Iterator[Connection]:
    opened = driver.connect(f"file:{tmp_path}/a.db", 0.0)
    opened.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL)")
    yield opened
    opened.close()


def test_rows_come_one_by_one_or_all(connection: Connection) -> None:
    cursor = connection.cursor()
    assert cursor.connection is connection
    cursor.executemany("INSERT INTO t VALUES (?, ?)", ((number, "x" * number) for number in range(3)))
    assert cursor.execute("SELECT b FROM t WHERE a = ?", (2,)).fetchone() == ("xx",)
    assert cursor.execute("SELECT b FROM t WHERE a = ?", (7,)).fetchone() is None
    assert cursor.execute("SELECT * FROM t").fetchall() == [(0, ""), (1, "x"), (2, "xx")]
    cursor.close()


@pytest.mark.parametrize("value", [None, 0, -(2**63), 2**63 - 1, 1.5, "Zoë", "a\0b", b"", b"\0\xff"])
def test_values_come_back_as_they_went_in(connection: Connection, value: Any) -> None:
    found = connection.execute("SELECT ?", (value,)).fetchone()[0]
    assert (type(found), found) == (type(value), value)


def test_changes_are_counted(connection: Connection) -> None:
    cursor = connection.cursor()
    before = connection.total_changes
    cursor.executemany("INSERT INTO t VALUES (?, 'x')", [(1,), (2,), (3,)])
    assert connection.total_changes - before == 3
    assert cursor.execute("UPDATE t SET b = 'y' WHERE a > 1").rowcount == 2
    assert cursor.execute("DELETE FROM t WHERE a = 99").rowcount == 0
    assert connection.total_changes - before == 5


def test_a_transaction_is_open_from_begin_to_its_end(connection: Connection) -> None:
    states = [connection.in_transaction]
    for statement in ("BEGIN IMMEDIATE", "COMMIT", "BEGIN", "ROLLBACK"):
        connection.execute(statement)
        states.append(connection.in_transaction)
    assert states == [False, True, False, True, False]


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("SELECT nothing", sqlite3.SQLITE_ERROR), ("INSERT INTO t VALUES (1, NULL)", sqlite3.SQLITE_CONSTRAINT),
        ("INSERT INTO t VALUES ('x', 'y')", sqlite3.SQLITE_MISMATCH),
    ],
)  # fmt: skip
def test_errors_have_sqlite_s_codes(connection: Connection, statement: str, code: int) -> None:
    with pytest.raises(DRIVER.kinds) as caught:
        connection.execute(statement).fetchall()
    assert primary_code(caught.value) == code


def test_a_file_kept_busy_is_said_to_be(driver: Driver, connection: Connection, tmp_path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    with closing(driver.connect(f"file:{tmp_path}/a.db", 0.0)) as other:
        with pytest.raises(DRIVER.kinds) as caught:
            other.execute("BEGIN IMMEDIATE")
        assert isinstance(our_error(caught.value, "a.db"), StoreBusyError)
        assert not other.in_transaction


def test_a_closed_connection_is_of_no_use(connection: Connection) -> None:
    connection.close()
    connection.close()
    with pytest.raises(DRIVER.kinds) as caught:
        connection.execute("SELECT 1")
    assert primary_code(caught.value) in (0, sqlite3.SQLITE_MISUSE)


def test_who_waits_for_rows_can_be_interrupted(connection: Connection) -> None:
    counting = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, stop(i) FROM n"

    def stop(number: int) -> None:
        if number == 1000:
            connection.interrupt()

    if isinstance(connection, sqlite3.Connection):
        connection.create_function("stop", 1, stop)
    else:
        connection.create_scalar_function("stop", stop, 1)  # type: ignore[attr-defined]  # apsw's
    with pytest.raises(DRIVER.kinds) as caught:
        connection.execute(counting).fetchall()
    assert primary_code(caught.value) == sqlite3.SQLITE_INTERRUPT


# Never two libraries on one file


@needs_apsw
@pytest.mark.parametrize(("first", "second"), [("sqlite3", "apsw"), ("apsw", "sqlite3")])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_second_library_on_an_open_file_is_refused(
    tmp_path: Path, first: Any, second: Any, read_only: bool
) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path, driver=first)) as store:
        with pytest.raises(StoreError, match=f"with {first}, and can't be opened with {second}"):
            SqliteStore(path, driver=second, read_only=read_only)
        with store.write() as tx:
            tx.set_meta("a", "1")
    SqliteStore(path, driver=second).close()


@needs_apsw
@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_file_is_known_by_any_of_its_names(tmp_path: Path, link: Any) -> None:
    with closing(SqliteStore(tmp_path / "memory.db")):
        link(tmp_path / "memory.db", tmp_path / "other.db")
        with pytest.raises(StoreError, match="can't be opened with apsw"):
            SqliteStore(tmp_path / "other.db", driver="apsw")


@needs_apsw
def test_who_does_not_choose_gets_the_library_that_has_the_file_open(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path, driver="apsw")), closing(SqliteStore(path)) as store:
        assert library_of(store) == "apsw"
    with closing(SqliteStore(path)) as store:
        assert library_of(store) == "sqlite3"


@needs_apsw
def test_a_snapshot_keeps_its_library_on_the_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = SqliteStore(path)
    with store.read() as reader:
        reader.meta("a")
        store.close()
        with pytest.raises(StoreError, match="can't be opened with apsw"):
            SqliteStore(path, driver="apsw")
    SqliteStore(path, driver="apsw").close()


def test_a_reader_that_is_just_opening_counts_as_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore(tmp_path / "memory.db")
    of_file: Any = store._links
    open_to_read = opening.open_to_read
    seen: list[bool] = []

    def open_late(*arguments: Any, **options: Any) -> Connection:
        of_file.close()  # as another thread may, just now
        seen.append(of_file.is_in_use)
        return open_to_read(*arguments, **options)

    monkeypatch.setattr(file_links, "open_to_read", open_late)
    with store.read() as reader:
        reader.meta("a")
    assert seen == [True]
    assert not of_file.is_in_use


def library_of(store: SqliteStore) -> str:
    with store.read() as reader:
        return "sqlite3" if isinstance(reader._cursor, sqlite3.Cursor) else "apsw"
