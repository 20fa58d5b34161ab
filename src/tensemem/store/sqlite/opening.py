"""Opening a file: look before touching it, make it if it is new, bring it up to date.

What is not ours is refused and left as it is, byte for byte: the first look is at the main file alone, without locks,
and leaves nothing beside it. A new file gets our mark (``application_id``) in its very first page write, before it
knows a write-ahead log; so a file that has anything in it says in its header whose it is.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from ...errors import StoreCorruptError, StoreError
from .driver_errors import DRIVER, our_error, primary_code
from .drivers import Connection, Cursor, Driver
from .logsize import LONGEST_LOG
from .migrations import VERSION, migrate, refuse_newer, version_of
from .patience import execute_patiently

APPLICATION_ID = 0x74656E73
"""What ``PRAGMA application_id`` gives for a file of ours ("tens")."""

# What is deleted is overwritten; on macOS a flush reaches the disk itself and not only its cache.
_DURABLE = ("secure_delete = ON", "fullfsync = 1", "checkpoint_fullfsync = 1")

_LOOKS, _PAUSE_BETWEEN_LOOKS = 10, 0.02


@dataclass(frozen=True, slots=True)
class DatabaseFile:
    """A file, and the library that opens it."""

    path: str
    driver: Driver

    def connect(self, mode: str, *, timeout: float = 0.0) -> Connection:
        """Connect to the file, which exists; ``mode`` is "ro" or "rw"."""
        return _prepared(self.driver.connect(_file_uri(self.path, f"mode={mode}"), timeout))

    def connect_to_look(self) -> Connection:
        """Connect to the main file alone, without locks, leaving nothing beside it."""
        return self.driver.connect(_file_uri(self.path, "mode=ro&immutable=1"), 0.0)


@contextmanager
def own_errors(location: str) -> Iterator[None]:
    """Turn what the driver raises inside into the library's errors."""
    try:
        yield
    except DRIVER.kinds as error:
        raise our_error(error, location) from error


def open_to_write(file: DatabaseFile, budget: float, synchronous: str) -> Connection:
    """Give the connection that writes to a file of ours, made and migrated as needed.

    Raises StoreCorruptError, SchemaTooNewError, ReadOnlyError or StoreError; then the file is as it was.
    """
    path = file.path
    make_file(path)
    look(file)
    with own_errors(path):
        connection = file.connect("rw")
        try:
            log = f"journal_size_limit = {LONGEST_LOG:d}"
            for pragma in (f"busy_timeout = {budget * 1000:.0f}", *_DURABLE, f"synchronous = {synchronous}", log):
                connection.execute(f"PRAGMA {pragma}")
            _bring_up_to_date(connection.cursor(), path, budget)
            connection.execute("PRAGMA busy_timeout = 0")  # from here on execute_patiently waits
        except BaseException:
            connection.close()
            raise
    return connection


def open_to_read(file: DatabaseFile, budget: float, *, mode: str) -> Connection:
    """Give one more connection, which can't write. ``mode`` is "ro", or "rw" beside a connection that writes."""
    with own_errors(file.path):
        connection = file.connect(mode, timeout=budget)
        connection.execute("PRAGMA query_only = ON")
    return connection


def open_in_memory(driver: Driver) -> Connection:
    """Give a database that lives as long as its connection."""
    with own_errors(":memory:"):
        connection = _prepared(driver.connect(":memory:", 0.0))
        cursor = connection.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        migrate(cursor, ":memory:")
        cursor.execute("COMMIT")
    return connection


def _prepared(connection: Connection) -> Connection:
    # temp_store: what is sorted stays in memory, or forgotten words would be left in temporary files.
    for pragma in ("trusted_schema = OFF", "temp_store = MEMORY", "mmap_size = 0", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _file_uri(path: str, options: str) -> str:
    """Give a file name as SQLite's URIs want it: three characters mean something there."""
    for character in "%?#":
        path = path.replace(character, f"%{ord(character):02x}")
    if os.sep == "\\":
        path = "/" + path.replace("\\", "/")
    return f"file:{path}?{options}"


def make_file(path: str) -> None:
    """Make an empty file that only its owner can read, unless there is one."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if os.path.isdir(path):
            raise StoreError(f"{path} is a folder; name a file in it.") from None
    except FileNotFoundError as error:
        raise StoreError(f"The folder {os.path.dirname(path)} does not exist; make it first.") from error
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} can't be made: {error}") from error


def look(file: DatabaseFile) -> None:
    """Look at a file without touching it; raises StoreCorruptError or SchemaTooNewError unless it is ours or empty."""
    with own_errors(file.path):
        if os.path.getsize(file.path) == 0:
            return
        for is_last in (False,) * (_LOOKS - 1) + (True,):
            try:
                _look_once(file)
                return
            except DRIVER.kinds as error:
                # While another process moves pages from its log into the file, header and size may differ.
                if is_last or primary_code(error) != sqlite3.SQLITE_CORRUPT:
                    raise
            time.sleep(_PAUSE_BETWEEN_LOOKS)


def look_to_read(file: DatabaseFile) -> None:
    """Look at a file that is to be read only; raises StoreError where there is none, or nothing in it yet."""
    path = file.path
    if not os.path.isfile(path):
        raise StoreError(f"There is no database {path}; only opening it for writing makes one.")
    look(file)
    with own_errors(path), closing(file.connect("ro", timeout=1.0)) as connection:
        version = version_of(connection.cursor())
        refuse_newer(version, path)
        if version != VERSION:
            raise StoreError(f"{path} has schema version {version} of {VERSION}: open it for writing once.")


def _look_once(file: DatabaseFile) -> None:
    path = file.path
    # Not with open(): to close such a file would drop every lock this process holds on it.
    with closing(file.connect_to_look()) as connection:
        cursor = connection.cursor()
        cursor.execute("PRAGMA writable_schema = ON")  # or a file cut short would not even show its header
        _refuse_foreign(cursor, path)
        refuse_newer(version_of(cursor), path)
        has_log = os.path.exists(path + "-wal") and os.path.getsize(path + "-wal") > 0
        if not has_log:
            cursor.execute("PRAGMA writable_schema = OFF")
            cursor.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def _refuse_foreign(cursor: Cursor, path: str) -> None:
    if cursor.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreCorruptError(f"{path} is not a tensemem database; it was left as it is.")


def _bring_up_to_date(cursor: Cursor, path: str, budget: float) -> None:
    if cursor.execute("PRAGMA page_count").fetchone()[0] == 0:
        with _transaction(cursor, budget):
            if not cursor.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
                cursor.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
    _refuse_foreign(cursor, path)
    execute_patiently(cursor, "PRAGMA journal_mode = WAL", budget)
    mode = cursor.fetchone()[0]
    if mode != "wal":
        raise StoreError(f"The file system of {path} can't keep a write-ahead log (journal mode {mode}).")
    if version_of(cursor) != VERSION:
        with _transaction(cursor, budget):
            migrate(cursor, path)


@contextmanager
def _transaction(cursor: Cursor, budget: float) -> Iterator[None]:
    execute_patiently(cursor, "BEGIN IMMEDIATE", budget)
    try:
        yield
        execute_patiently(cursor, "COMMIT", budget)
    except BaseException:
        if cursor.connection.in_transaction:
            cursor.execute("ROLLBACK")
        raise
