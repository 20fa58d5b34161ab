"""What the driver reports, in the library's own errors."""

from __future__ import annotations

import sqlite3

from ...errors import ReadOnlyError, StoreBusyError, StoreCorruptError, StoreError

BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
"""Somebody else is at it; the same step may succeed a moment later."""

CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def primary_code(error: sqlite3.Error) -> int:
    """Give SQLite's result code without its details; 0 where the driver itself complains."""
    code: int = getattr(error, "sqlite_errorcode", 0) or 0
    return code & 0xFF


def is_busy(error: BaseException) -> bool:
    """Tell whether it is worth trying again."""
    return isinstance(error, sqlite3.Error) and primary_code(error) in BUSY


def our_error(error: sqlite3.Error, location: str) -> StoreError:
    """Give the library's error for a driver's; the caller raises it ``from`` that one."""
    code = primary_code(error)
    if code in BUSY:
        return StoreBusyError(f"{location} is kept busy by another process ({error}); nothing was written")
    if code in CORRUPT:
        return StoreCorruptError(f"{location} is damaged or not a database: {error}")
    if code == sqlite3.SQLITE_READONLY:
        return ReadOnlyError(f"{location} can't be written: {error}")
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"No room to write to {location}: {error}")
    return StoreError(f"{location}: {error}")
