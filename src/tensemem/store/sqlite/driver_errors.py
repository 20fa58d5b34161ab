"""What a driver reports, in the library's own errors."""

from __future__ import annotations

import sqlite3

from ...errors import ReadOnlyError, StoreBusyError, StoreCorruptError, StoreError

BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
"""Somebody else is at it; the same step may succeed a moment later."""

CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class DriverErrors:
    """The error classes of the drivers in use, for ``except DRIVER.kinds``.

    apsw's are of no common kind with the standard library's, and are not known before apsw is loaded.
    """

    def __init__(self) -> None:
        self.kinds: tuple[type[Exception], ...] = (sqlite3.Error,)

    def know(self, kind: type[Exception]) -> None:
        """Count the errors of one more driver as such."""
        if kind not in self.kinds:
            self.kinds = (*self.kinds, kind)


DRIVER = DriverErrors()


def primary_code(error: BaseException) -> int:
    """Give SQLite's result code without its details; 0 where the driver itself complains."""
    code: int = getattr(error, "sqlite_errorcode", 0) or getattr(error, "result", 0) or 0
    return code & 0xFF


def is_busy(error: BaseException) -> bool:
    """Tell whether it is worth trying again."""
    return isinstance(error, DRIVER.kinds) and primary_code(error) in BUSY


def our_error(error: Exception, location: str) -> StoreError:
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
