"""Opening a file: look before touching it, make it if it is new, bring it up to date.

What is not ours is refused and left as it is, byte for byte: the first look is at the main file alone, without locks,
and leaves nothing beside it. A new file gets our mark (``application_id``) in its very first page write, before it
knows a write-ahead log; so a file that has anything in it says in its header whose it is.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace

from ...errors import StoreBusyError, StoreCorruptError, StoreError, StoreKeyError
from ...logs import Log
from . import holders
from .driver_errors import DRIVER, is_certain, our_error, primary_code
from .drivers import Connection, Cursor, Driver
from .files import DatabaseFile, let_log_be_written, make_file, prepared
from .logsize import LONGEST_LOG
from .migrations import migrate, newest, refuse_newer, version_of
from .patience import execute_patiently
from .replacing import finish, is_unfinished, remove_copy
from .saving import drop, save

log = Log("store")

APPLICATION_ID = 0x74656E73
"""What ``PRAGMA application_id`` gives for a file of ours ("tens")."""

# What is deleted is overwritten; on macOS a flush reaches the disk itself and not only its cache.
_DURABLE = ("secure_delete = ON", "fullfsync = 1", "checkpoint_fullfsync = 1")

_HEADER_BYTES = 24
_ATTEMPTS = (False,) * 9 + (True,)
_PAUSE_BETWEEN_LOOKS = 0.02


@contextmanager
def own_errors(location: str) -> Iterator[None]:
    """Turn what the driver raises inside into the library's errors."""
    try:
        yield
    except DRIVER.kinds as error:
        raise our_error(error, location) from error
    except OSError as error:
        raise StoreError(f"{location} can't be looked at: {error}") from error


def open_to_write(
    file: DatabaseFile, budget: float, synchronous: str, copies: list[str] | None = None
) -> Connection:
    """Give the connection that writes to a file of ours, made and migrated as needed.

    The name of a copy that was kept of an older one is put into ``copies``.
    Raises StoreCorruptError, StoreKeyError, SchemaTooNewError, ReadOnlyError or StoreError; then the file is as it was.
    """
    make_file(file.path)
    let_log_be_written(file.path)
    look(file, budget)
    return _opened(file, budget, lambda: _open_to_write(file, budget, synchronous, copies))


def _opened(file: DatabaseFile, budget: float, attempt: Callable[[], Connection]) -> Connection:
    """Open a file to which others may be doing what changes its salt: making it, or giving it another key.

    Then what was opened is not what is there, and is opened again.
    """
    for is_last in _ATTEMPTS:
        try:
            connection = attempt()
        except DRIVER.kinds as error:
            if is_last or primary_code(error) != sqlite3.SQLITE_NOTADB:
                raise our_error(error, file.path) from error
        else:
            if not is_unfinished(file.path):
                return connection
            connection.close()
        look(file, budget)
    raise StoreBusyError(f"{file.path} is being given another key by another process.")


def _open_to_write(
    file: DatabaseFile, budget: float, synchronous: str, copies: list[str] | None
) -> Connection:
    connection = file.connect("rw")
    try:
        log = f"journal_size_limit = {LONGEST_LOG:d}"
        for pragma in (f"busy_timeout = {budget * 1000:.0f}", *_DURABLE, f"synchronous = {synchronous}", log):
            connection.execute(f"PRAGMA {pragma}")
        version_of(connection.cursor())  # waits for who has the file alone
        if is_unfinished(file.path):
            return connection  # to be finished first: what is written now would not count
        copy = _bring_up_to_date(connection.cursor(), file, budget)
        if copy is not None and copies is not None:
            copies.append(copy)
        connection.execute("PRAGMA busy_timeout = 0")  # from here on execute_patiently waits
        remove_copy(file.path)  # nobody makes one beside a connection that keeps a log
    except BaseException:
        connection.close()
        raise
    return connection


def open_to_read(file: DatabaseFile, budget: float, *, mode: str) -> Connection:
    """Give one more connection, which can't write. ``mode`` is "ro", or "rw" beside a connection that writes."""
    if mode == "ro":
        return _opened(file, budget, lambda: _open_to_read(file, budget, mode))
    with own_errors(file.path):
        return _open_to_read(file, budget, mode)


def _open_to_read(file: DatabaseFile, budget: float, mode: str) -> Connection:
    connection = file.connect(mode, timeout=budget)
    try:
        connection.execute("PRAGMA query_only = ON")
        if mode == "ro":
            version_of(connection.cursor())  # from here on, as long as the file keeps a log, nobody has it alone
    except BaseException:
        connection.close()
        raise
    return connection


def open_in_memory(driver: Driver, name: str = ":memory:") -> Connection:
    """Give a database that lives as long as its connection; "" names one that goes to a nameless file if it grows."""
    with own_errors(":memory:"):
        connection = prepared(driver.connect(name, 0.0))
        cursor = connection.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        migrate(cursor, ":memory:")
        cursor.execute("COMMIT")
    return connection


def look(file: DatabaseFile, budget: float = 0.0) -> None:
    """Look at a file without touching it; raises StoreCorruptError or SchemaTooNewError unless it is ours or empty.

    Where giving it another key was broken off, that is finished first, or waited for.
    """
    with own_errors(file.path):
        finish(file.path, budget)
        if os.path.getsize(file.path) == 0:
            return
        for is_last in _ATTEMPTS:
            try:
                _look_once(file)
                return
            except DRIVER.kinds as error:
                # While another process moves pages from its log into the file, header and size may differ.
                may_change = not is_last and primary_code(error) == sqlite3.SQLITE_CORRUPT
                if is_unfinished(file.path):
                    finish(file.path, budget)
                elif primary_code(error) == sqlite3.SQLITE_NOTADB:
                    raise _unreadable(file) from error
                elif not may_change:
                    raise
            time.sleep(_PAUSE_BETWEEN_LOOKS)


def look_to_read(file: DatabaseFile, budget: float) -> None:
    """Look at a file that is to be read only; raises StoreError where there is none, or nothing in it yet."""
    path = file.path
    if not os.path.isfile(path):
        raise StoreError(f"There is no database {path}; only opening it for writing makes one.")
    look(file, budget)
    with own_errors(path), closing(open_to_read(file, budget, mode="ro")) as connection:
        version = version_of(connection.cursor())
        refuse_newer(version, path)
        if version != newest():
            raise StoreError(
                f"{path} has schema version {version} of {newest()}: open it for writing once, or `tensemem migrate`."
            )


def _look_once(file: DatabaseFile) -> None:
    path = file.path
    with closing(file.connect_to_look()) as connection:
        cursor = connection.cursor()
        cursor.execute("PRAGMA writable_schema = ON")  # or a file cut short would not even show its header
        _refuse_foreign(cursor, path)
        refuse_newer(version_of(cursor), path)
        has_log = os.path.exists(path + "-wal") and os.path.getsize(path + "-wal") > 0
        if not has_log:
            cursor.execute("PRAGMA writable_schema = OFF")
            cursor.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def _unreadable(file: DatabaseFile) -> StoreError:
    """Tell why a file is no database as it was opened: damaged or foreign, encrypted, or not."""
    path = file.path
    if file.key is not None:
        plain = replace(file, key=None)
        with suppress(*DRIVER.kinds), closing(plain.connect_to_look()) as connection:
            mark = connection.execute("PRAGMA application_id").fetchone()[0]
            if mark == APPLICATION_ID:
                return StoreKeyError(
                    f"{path} is not encrypted: open it without a key, and encrypt it with rekey. It was left as it is."
                )
            return StoreCorruptError(f"{path} is not a tensemem database; it was left as it is.")
    if not _seems_encrypted(_header(file), os.path.getsize(path)):
        return StoreCorruptError(f"{path} is damaged or not a database; it was left as it is.")
    if file.key is None:
        return StoreKeyError(f"{path} is encrypted: open it with its key. It was left as it is.")
    return StoreKeyError(f"{path} can't be read with this key: it has another, or is damaged. It was left as it is.")


def _header(file: DatabaseFile) -> bytes:
    """Give the first bytes of a file that is no database without a key; nothing where they can't be had safely."""
    with suppress(*DRIVER.kinds, OSError):
        with closing(replace(file, key=None).connect_to_look()) as connection:
            if found := file.driver.first_bytes(connection, _HEADER_BYTES):
                return found
        if not holders.are_there(file.path):  # who has it open here would lose its locks
            with open(file.path, "rb") as opened:
                return opened.read(_HEADER_BYTES)
    return b""


def _seems_encrypted(header: bytes, size: int) -> bool:
    """Tell whether a header is that of a whole encrypted database, of which SQLite needs eight bytes as they are."""
    if len(header) < _HEADER_BYTES or header.startswith(b"SQLite format 3"):
        return False
    page_size = int.from_bytes(header[16:18])
    return page_size >= 512 and size % page_size == 0 and header[21:24] == b"\x40\x20\x20"


def _refuse_foreign(cursor: Cursor, path: str) -> None:
    if cursor.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreCorruptError(f"{path} is not a tensemem database; it was left as it is.")


def _bring_up_to_date(cursor: Cursor, file: DatabaseFile, budget: float) -> str | None:
    """Make what is missing in a file; gives the name of the copy that was kept of an older one."""
    path = file.path
    if cursor.execute("PRAGMA page_count").fetchone()[0] == 0:
        with _transaction(cursor, budget):
            if not cursor.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
                cursor.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
    _refuse_foreign(cursor, path)
    execute_patiently(cursor, "PRAGMA journal_mode = WAL", budget)
    mode = cursor.fetchone()[0]
    if mode != "wal":
        raise StoreError(f"The file system of {path} can't keep a write-ahead log (journal mode {mode}).")
    return None if version_of(cursor) == newest() else _upgrade(cursor, file, budget)


def _upgrade(cursor: Cursor, file: DatabaseFile, budget: float) -> str | None:
    """Run the steps a file lacks, all or none; before that a copy of it is kept, unless nothing is in it yet."""
    copy, found = None, 0
    try:
        with _transaction(cursor, budget):
            found = version_of(cursor)  # who waited for another that has done it has nothing left to do
            refuse_newer(found, file.path)
            if found not in (0, newest()) and file.saves:
                copy = save(file, newest())
            migrate(cursor, file.path)
    except BaseException as error:
        if copy is not None and is_certain(error) and version_of(cursor) == found:
            drop(copy)  # unless an interrupt came when all was done, or a crash could bring it about
        raise
    if found not in (0, newest()):
        kept = "no copy of it was kept" if copy is None else f"as it was before it is kept in {copy}"
        told = "tensemem upgraded %s from schema version %s to %s; %s"
        log.tell("upgraded", told, file.path, found, newest(), kept, location=file.path)
    return copy


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
