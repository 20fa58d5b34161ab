"""Whole copies of a database: compact, as of one moment, made while others read and write."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace

from ...errors import StoreCorruptError, StoreError
from . import holders
from .driver_errors import CORRUPT, DRIVER, primary_code
from .drivers import Connection, Cursor, choose
from .files import DatabaseFile, file_uri, flush_file, make_empty
from .keys import SALT_BYTES, Key
from .migrations import version_of
from .opening import APPLICATION_ID, look, own_errors
from .removing import TABLES

_PATIENCE = 10.0
_OF_PROCESSES = ("leases", "workers")
"""Tables about processes that run now, which mean nothing elsewhere."""


def copy_into(copy: DatabaseFile, connection: Connection) -> int:
    """Write what a connection sees to an empty file; gives SQLite's error code, or 0.

    Nothing else is told of an error: what it says may hold the file's name with the key in it.
    """
    options = ""
    if copy.driver.has_ciphers:
        key = "" if copy.key is None else copy.key.for_cipher(os.urandom(SALT_BYTES))
        options = f"cipher=chacha20&key={key}"
    try:
        connection.execute("VACUUM INTO ?", (file_uri(copy.path, options),))
    except DRIVER.kinds as error:
        return primary_code(error) or sqlite3.SQLITE_ERROR
    return 0


def write_copy(copy: DatabaseFile, connection: Connection, location: str) -> DatabaseFile:
    """Write a copy that only its owner can read, without what is about processes; look through it, and flush it.

    Raises StoreCorruptError and StoreError; then no copy is left.
    """
    try:
        make_empty(copy.path)
        code = copy_into(copy, connection)
        if code in CORRUPT:
            raise StoreCorruptError(f"{location} is damaged: SQLite can't copy it (error {code}).")
        if code:
            why = "there is no room for it" if code == sqlite3.SQLITE_FULL else f"SQLite's error {code}"
            raise StoreError(f"no copy of {location} could be written to {os.path.dirname(copy.path)} ({why})")
        with own_errors(copy.path), closing(copy.connect("rw")) as written:
            _tidy(written.cursor())
            _check(written.cursor(), location)
        flush_file(copy.path)
    except BaseException as error:
        for end in ("", "-journal"):
            with suppress(OSError):
                os.unlink(copy.path + end)
        if isinstance(error, OSError):
            raise StoreError(f"no copy of {location} could be written: {error}") from error
        raise
    return copy


def copy_of(path: str, into: str, key: str | bytes | None) -> int:
    """Write a copy of a file that is not open here, of whatever version; gives the version.

    Raises StoreCorruptError for what is none of ours, StoreKeyError, SchemaTooNewError and StoreError.
    """
    if not os.path.isfile(path):
        raise StoreError(f"there is no backup {path}")
    driver = choose(holders.library(path, None), encrypts=key is not None)
    file = DatabaseFile(path, driver, None if key is None else Key(key))
    look(file)
    if os.path.getsize(path) == 0:
        raise StoreCorruptError(f"{path} is empty; it is no backup")
    with own_errors(path), closing(file.connect("ro", timeout=_PATIENCE)) as connection:
        version = version_of(connection.cursor())
        write_copy(replace(file, path=into), connection, path)
    return version


def _tidy(cursor: Cursor) -> None:
    """Remove what is about processes, and what is being forgotten, and overwrite it; what is left has no free pages."""
    cursor.execute("PRAGMA journal_mode = MEMORY").fetchall()
    cursor.execute("PRAGMA secure_delete = ON").fetchall()
    cursor.execute(f"PRAGMA application_id = {APPLICATION_ID:d}").fetchall()  # one in memory has none
    cursor.execute("BEGIN")
    for table in _OF_PROCESSES:
        cursor.execute(f"DELETE FROM {table}")
    if cursor.execute("SELECT 1 FROM sqlite_schema WHERE name = 'removals'").fetchone():
        for table in TABLES:  # rows of the forgotten that nobody has come to remove yet
            cursor.execute(f"DELETE FROM {table} WHERE scope IN (SELECT scope FROM removals)")
        cursor.execute("DELETE FROM removals")
    cursor.execute("COMMIT")
    if cursor.execute("PRAGMA freelist_count").fetchone()[0]:
        cursor.execute("VACUUM")


def _check(cursor: Cursor, location: str) -> None:
    found = [row[0] for row in cursor.execute("PRAGMA integrity_check(10)").fetchall()]
    if found != ["ok"]:
        raise StoreCorruptError(f"{location} is damaged: {'; '.join(map(str, found))[:300]}")
