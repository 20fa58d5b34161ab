"""Giving a file another key: a whole copy is made under the new key, and then takes the place of the file.

Until the copy is whole the file is as it was, and a process that is killed leaves it so; from then on it has the new
key, and what a kill broke off is finished by who opens it next. To encrypt the file page by page would not do: one that
is half done needs both keys, and who came with a wrong one would ruin it.

Nobody else may have the file open, which taking it out of write-ahead logging proves: that needs all others gone.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import replace

from ...errors import StoreCorruptError, StoreError
from .copies import copy_into
from .driver_errors import CORRUPT
from .drivers import Connection, choose
from .files import DatabaseFile, make_empty
from .keys import Key
from .opening import look, own_errors
from .patience import execute_patiently
from .replacing import COPY, is_unfinished, put_in_place, remove_copy


def rekey(file: DatabaseFile, key: Key | None, budget: float) -> DatabaseFile:
    """Encrypt a file with another key, or with none; gives how it is opened now.

    Raises StoreBusyError where others keep it open longer than the budget, StoreUnsupportedError, or StoreError; then
    the file has the key it had.
    """
    path = os.path.realpath(file.path)
    able = replace(file, path=path, driver=choose(None, encrypts=True))
    look(able)
    if os.stat(path).st_nlink > 1:
        raise StoreError(f"{path} has a second name (a hard link), under which it would keep its old key.")
    copy = replace(able, path=path + COPY, key=key)
    with own_errors(path), closing(able.connect("rw")) as connection:
        _take_alone(connection, path, budget)
        try:
            _make(copy, connection)
            _check(copy)
            put_in_place(path, connection.close)
        except OSError as error:
            if is_unfinished(path):
                raise StoreError(f"{path} has the new key, and opening it does what is left to do: {error}") from error
            raise StoreError(f"{path} keeps the key it had: {error}") from error
        finally:
            remove_copy(path)
    return replace(file, driver=able.driver, key=key)


def _take_alone(connection: Connection, path: str, budget: float) -> None:
    """Get and keep the lock that nobody else can have the file open beside."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    execute_patiently(cursor, "PRAGMA journal_mode = DELETE", budget)
    mode = cursor.fetchone()[0]
    if mode != "delete":
        raise StoreError(f"{path} could not be taken out of write-ahead logging (journal mode {mode}).")


def _make(copy: DatabaseFile, connection: Connection) -> None:
    remove_copy(copy.path.removesuffix(COPY))
    make_empty(copy.path)
    code = copy_into(copy, connection)
    if not code:
        return
    path = copy.path.removesuffix(COPY)
    if code in CORRUPT:
        raise StoreCorruptError(f"{path} is damaged, and keeps the key it had (SQLite's error {code}).")
    why = "there is no room for it" if code == sqlite3.SQLITE_FULL else f"SQLite's error {code}"
    raise StoreError(f"{path} keeps the key it had: a copy under the new one could not be written beside it ({why}).")


def _check(copy: DatabaseFile) -> None:
    """See that the copy is whole under its key, and have it keep a write-ahead log, as who opens it expects."""
    look(copy)
    with closing(copy.connect("rw")) as connection:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise StoreCorruptError(f"{copy.path.removesuffix(COPY)} is damaged, and keeps the key it had: {found}")
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
