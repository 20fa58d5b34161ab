"""What SQLite reports of an access store, in the library's own errors."""

from __future__ import annotations

import sqlite3

from ..errors import ReadOnlyError, StoreBusyError, StoreCorruptError, StoreError

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
"""SQLITE_ERROR is what a table that is not there gives, and all statements here are ours."""


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether the same may succeed a moment later."""
    return _code(error) in _BUSY


def our_error(error: sqlite3.Error, path: str) -> StoreError:
    """Give the library's error for SQLite's; the caller raises it ``from`` that one."""
    code = _code(error)
    if code in _BUSY:
        return StoreBusyError(f"the access store {path} is kept busy by another process; nothing was written.")
    if code in _CORRUPT:
        return StoreCorruptError(f"the access store {path} is damaged or none: {error}. Restore a copy of it.")
    if code == sqlite3.SQLITE_READONLY:
        return ReadOnlyError(f"the access store {path} can't be written: let its file and folder be written.")
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"the access store {path} can't be opened: see that it is there and may be read.")
    return StoreError(f"the access store {path}: {error}")


def _code(error: sqlite3.Error) -> int:
    return (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
