"""The SQLite libraries a store can work with, behind the few calls it makes.

The standard library's ``sqlite3`` is the measure: the store speaks to its connections and cursors as they are. apsw,
plain or with ciphers, is made to answer to the same names, by classes that inherit from its own; so a statement costs
no call more on either.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Protocol, Self, cast

from ...errors import InvalidValueError, StoreError, StoreUnsupportedError
from ...extras import install
from .driver_errors import DRIVER
from .keys import SALT_BYTES, Key

DriverName = Literal["sqlite3", "apsw"]
DRIVERS: tuple[DriverName, ...] = ("sqlite3", "apsw")

OLDEST_SQLITE = (3, 37, 0)
_JSON_IS_ALWAYS_THERE = (3, 38, 0)
_STATEMENTS_KEPT = 256

_NO_CIPHERS = (
    f"A memory with a key needs SQLite3 Multiple Ciphers, which is not installed: {install('encrypted')}. "
    "(Its package apsw-sqlite3mc stands in for apsw; where apsw is installed, uninstall it first.)"
)


class Cursor(Protocol):
    """What runs statements. ``rowcount`` is how many rows the last INSERT, UPDATE or DELETE that ran once changed."""

    @property
    def connection(self) -> Connection: ...
    @property
    def rowcount(self) -> int: ...
    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Self: ...
    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Self: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def close(self) -> None: ...


class Connection(Protocol):
    """An open database. Transactions begin and end where a statement says so, and nowhere else."""

    @property
    def in_transaction(self) -> bool: ...
    @property
    def total_changes(self) -> int: ...
    def cursor(self) -> Cursor: ...
    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Cursor: ...
    def interrupt(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Driver:
    """One of the libraries: its SQLite's version, whether it encrypts, and how it connects.

    ``connect`` takes a URI (or ":memory:") and the seconds that a statement waits for a lock. ``first_bytes`` gives so
    many of the file's bytes as they lie on the disk, through the connection; nothing where the library can't.
    """

    name: DriverName
    version: tuple[int, ...]
    connect: Callable[[str, float], Connection]
    first_bytes: Callable[[Connection, int], bytes]
    has_ciphers: bool = False


def choose(name: str | None, *, encrypts: bool = False) -> Driver:
    """Give the driver of a name; without one the standard library's, or apsw where that one's SQLite is too old.

    Only apsw ``encrypts``, and only as the extra for it brings it. Raises StoreUnsupportedError, naming the extra that
    helps, and InvalidValueError for a name that is none.
    """
    if name not in (None, *DRIVERS):
        raise InvalidValueError(f"the SQLite driver is {' or '.join(DRIVERS)}, not {name!r}")
    if encrypts:
        return _with_ciphers(name)
    if name == "apsw":
        return with_apsw()
    try:
        return with_sqlite3()
    except StoreUnsupportedError:
        if name == "sqlite3" or not _is_apsw_there():
            raise
        return with_apsw()


def unlock(driver: Driver, connection: Connection, key: Key) -> None:
    """Have a connection that has read nothing yet read and write with a key; a file with nothing in it gets a salt."""
    salt = driver.first_bytes(connection, SALT_BYTES) or os.urandom(SALT_BYTES)
    try:
        connection.execute("PRAGMA cipher = 'chacha20'")
        connection.execute(f"PRAGMA key = '{key.for_cipher(salt)}'")
        return
    except DRIVER.kinds:
        pass  # what the driver says may hold the statement, and so the key
    raise StoreError("SQLite did not take the key.")


def with_sqlite3() -> Driver:
    """Give the standard library's driver; raises StoreUnsupportedError where its SQLite is too old."""
    driver = Driver("sqlite3", sqlite3.sqlite_version_info, _sqlite3_connection, lambda _connection, _number: b"")
    refuse_old(driver.version)
    return driver


@cache
def with_apsw() -> Driver:
    """Give apsw's driver; raises StoreUnsupportedError where apsw is not installed, or its SQLite is too old."""
    try:
        import apsw
    except ImportError as error:
        raise StoreUnsupportedError(
            f"apsw is not installed: {install('sqlite')}, or `encrypted` for memories with a key."
        ) from error

    class ApswCursor(apsw.Cursor):
        @property
        def rowcount(self) -> int:
            return int(self.connection.changes())

        def close(self, force: bool = True) -> None:
            super().close(force)

    class ApswConnection(apsw.Connection):
        @property
        def total_changes(self) -> int:  # a method there, an attribute in sqlite3
            return int(super().total_changes())

        def close(self, force: bool = True) -> None:
            super().close(force)

    flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE

    def connect(name: str, timeout: float) -> Connection:
        connection = ApswConnection(name, flags=flags, statementcachesize=_STATEMENTS_KEPT)
        connection.cursor_factory = ApswCursor
        connection.set_busy_timeout(round(timeout * 1000))
        return cast("Connection", connection)

    version = tuple(map(int, apsw.sqlite_lib_version().split(".")))
    if version < OLDEST_SQLITE:
        found, needed = _dotted(version), _dotted(OLDEST_SQLITE)
        raise StoreUnsupportedError(f"apsw's SQLite is {found}; {needed} or later is needed.")
    DRIVER.know(apsw.Error)
    return Driver("apsw", version, connect, _first_bytes, hasattr(apsw, "mc_version"))


def _first_bytes(connection: Any, number: int) -> bytes:
    is_whole, found = connection.read("main", 0, 0, number)
    return bytes(found) if is_whole else b""


def _with_ciphers(name: str | None) -> Driver:
    """Give the driver that encrypts; raises StoreUnsupportedError, naming its extra."""
    if name == "sqlite3":
        raise InvalidValueError("the driver 'sqlite3' can't encrypt; leave it out where there is a key")
    try:
        driver = with_apsw()
    except StoreUnsupportedError as error:
        raise StoreUnsupportedError(_NO_CIPHERS) from error
    if not driver.has_ciphers:
        raise StoreUnsupportedError(_NO_CIPHERS)
    return driver


def refuse_old(version: tuple[int, ...]) -> None:
    """Raise StoreUnsupportedError where this Python's SQLite is too old, or was built without JSON."""
    help_ = "The extra `sqlite` brings a newer one: pip install '.[sqlite]' in a clone of the repository."
    if version < OLDEST_SQLITE:
        found, needed = _dotted(version), _dotted(OLDEST_SQLITE)
        raise StoreUnsupportedError(
            f"This Python's SQLite is {found}; {needed} or later is needed (STRICT tables). {help_}"
        )
    if version < _JSON_IS_ALWAYS_THERE and not _has_json():
        raise StoreUnsupportedError(f"This Python's SQLite was built without JSON functions, which are needed. {help_}")


def _sqlite3_connection(name: str, timeout: float) -> Connection:
    return cast(
        "Connection",
        sqlite3.connect(
            name, timeout=timeout, uri=True, isolation_level=None, check_same_thread=False,
            cached_statements=_STATEMENTS_KEPT,
        ),
    )  # fmt: skip


def _is_apsw_there() -> bool:
    try:
        with_apsw()
    except StoreUnsupportedError:
        return False
    return True


def _has_json() -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("SELECT json('1')")
        except sqlite3.OperationalError:
            return False
    return True


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
