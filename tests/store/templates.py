"""New SQLite databases as copies of one that the library has made, for tests that are not about the making.

To make the tables takes longer than most tests do with them. What is opened is opened by the library as ever: it
finds a file that another process has just made.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tensemem.store.sqlite import SqliteStore, file_links, memory_links, opening
from tensemem.store.sqlite.drivers import Connection, Driver, with_sqlite3
from tensemem.store.sqlite.files import DatabaseFile, make_empty, prepared


@contextmanager
def copied_tables() -> Iterator[None]:
    """What is made inside, of plain files and in memory, is made by copying."""
    _tables(), _made_in_memory()  # made before anything is patched, and by one thread
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_links, "open_to_write", _copy_and_open)
        patch.setattr(memory_links, "open_in_memory", _copy_in_memory)
        yield


@contextmanager
def made_tables() -> Iterator[None]:
    """What is made inside is made as ever."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_links, "open_to_write", opening.open_to_write)
        patch.setattr(memory_links, "open_in_memory", opening.open_in_memory)
        yield


def _copy_and_open(file: DatabaseFile, *arguments: Any) -> Connection:
    if file.key is None and not os.path.lexists(file.path):
        with suppress(OSError, ValueError):  # where no file can be made, the library says so
            _copy(f"{file.path}.{secrets.token_hex(4)}", file.path)
    return opening.open_to_write(file, *arguments)


def _copy(made: str, path: str) -> None:
    make_empty(made)
    try:
        Path(made).write_bytes(_with_own_key(*_tables()))
        os.link(made, path)  # whole, or not at all, whoever else makes it
    finally:
        os.unlink(made)


def _copy_in_memory(driver: Driver, name: str = ":memory:") -> Connection:
    if name != ":memory:" or driver.name != "sqlite3":
        return opening.open_in_memory(driver, name)
    connection: Any = prepared(driver.connect(name, 0.0))
    with _copying:
        _made_in_memory().backup(connection)
    connection.execute("UPDATE meta SET value = ? WHERE name = 'forget_key'", (_new_key(),))
    return connection


@cache
def _tables() -> tuple[bytes, bytes]:
    """Give the bytes of an empty file of ours, and the key of its marks, which no two databases share."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "empty.db")
        SqliteStore(path).close()
        with closing(sqlite3.connect(path)) as connection:
            (key,) = connection.execute("SELECT value FROM meta WHERE name = 'forget_key'").fetchone()
        return path.read_bytes(), str(key).encode()


@cache
def _made_in_memory() -> Any:
    return opening.open_in_memory(with_sqlite3())


_copying = threading.Lock()


def _with_own_key(tables: bytes, key: bytes) -> bytes:
    return tables.replace(key, _new_key().encode())


def _new_key() -> str:
    return secrets.token_hex(32)
