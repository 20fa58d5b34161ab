"""What a driver reports, in the library's own errors."""

from __future__ import annotations

import os
import sqlite3

from ...errors import ReadOnlyError, StoreBusyError, StoreCorruptError, StoreError

BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
"""Somebody else is at it; the same step may succeed a moment later."""

CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


UNSOUND = CORRUPT | {sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL}
"""A connection may go on to tell this when it is not so any more; another one does not."""


_CERTAIN = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY})

_DOING = {
    sqlite3.SQLITE_IOERR_READ: "while it was read", sqlite3.SQLITE_IOERR_SHORT_READ: "while it was read",
    sqlite3.SQLITE_IOERR_WRITE: "while it was written", sqlite3.SQLITE_IOERR_FSYNC: "while it was flushed",
    sqlite3.SQLITE_IOERR_DIR_FSYNC: "while it was flushed", sqlite3.SQLITE_IOERR_TRUNCATE: "while its log was cut",
    sqlite3.SQLITE_IOERR_LOCK: "while it was locked", sqlite3.SQLITE_IOERR_RDLOCK: "while it was locked",
    sqlite3.SQLITE_IOERR_UNLOCK: "while it was locked", sqlite3.SQLITE_IOERR_SHMSIZE: "for want of room",
    sqlite3.SQLITE_IOERR_SHMMAP: "while its index was shared",
    sqlite3.SQLITE_IOERR_SHMOPEN: "while its index was opened",
    sqlite3.SQLITE_IOERR_DELETE: "while its log was removed",
}  # fmt: skip
"""What was being done when a disk failed; for others nothing is said."""


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


def is_unsound(error: BaseException) -> bool:
    """Tell whether the connection that told it is better not used again."""
    return isinstance(error, DRIVER.kinds) and primary_code(error) in UNSOUND


def is_certain(error: BaseException) -> bool:
    """Tell whether a COMMIT that got this answer has left nothing that could come back after a crash.

    What could not be written is not there; what could not be flushed may be.
    """
    if not isinstance(error, DRIVER.kinds):
        return True
    return primary_code(error) in _CERTAIN or _code(error) == sqlite3.SQLITE_IOERR_WRITE


def our_error(error: Exception, location: str) -> StoreError:
    """Give the library's error for a driver's; the caller raises it ``from`` that one."""
    code, told = primary_code(error), _told(error)
    if code in BUSY:
        return StoreBusyError(f"{location} is kept busy by another process ({told}); nothing was written")
    if code in CORRUPT:
        return StoreCorruptError(f"{location} is damaged or not a database: {told}. Restore a backup.")
    if code == sqlite3.SQLITE_READONLY:
        return ReadOnlyError(
            f"{location} can't be written: {told}. Let its file, those beside it, its folder and disk be written; this "
            "memory then goes on."
        )
    if code == sqlite3.SQLITE_FULL:
        return StoreError(
            f"No room to write to {location}: {told}. Make room on its disk; this memory then goes on, and what was "
            "acknowledged is kept."
        )
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"{location} can't be opened: {told}. {_why_not_opened(location)}")
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(f"{location}: its disk failed {_doing(error)}: {told}. {_help_for_disk(error)}")
    if code == sqlite3.SQLITE_NOMEM:
        return StoreError(f"{location}: there is no memory left for SQLite: {told}. Nothing was written.")
    return StoreError(f"{location}: {told}")


def told_unknown(error: BaseException, location: str) -> str:
    """Say that it is not known whether a COMMIT was kept that failed."""
    return (
        f"{location}: the disk failed while a write was to be kept ({_told(error)}), and after a crash it may be found "
        "there or not. Look after the disk, then ask for the same again with the same idempotency_key."
    )


def _code(error: BaseException) -> int:
    """Give SQLite's result code with its details."""
    code: int = getattr(error, "sqlite_errorcode", 0) or getattr(error, "extendedresult", 0) or 0
    return code


def _told(error: BaseException) -> str:
    return str(error) or getattr(error, "sqlite_errorname", "") or type(error).__name__


def _doing(error: BaseException) -> str:
    return _DOING.get(_code(error), "")


def _help_for_disk(error: BaseException) -> str:
    if _code(error) == sqlite3.SQLITE_IOERR_WRITE:
        return "Look after the disk, a quota, the limit on the size of files (`ulimit -f`); this memory then goes on."
    return "Look after the disk; this memory then goes on."


def _why_not_opened(location: str) -> str:
    """Say what stands in the way, as far as the system tells."""
    folder = os.path.dirname(location)
    if not os.path.isdir(folder):
        return f"Its folder {folder} is gone; put it back."
    if not os.path.exists(location):
        return "It is gone; put it back."
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as why:
        return f"This process can open nothing more ({why.strerror}): close what it does not need, or raise its limit."
    if not os.access(location, os.R_OK | os.W_OK) or not os.access(folder, os.W_OK | os.X_OK):
        return "This user may not read and write it and its folder; allow that."
    return "Look at the file and its folder; this memory goes on once they can be opened."
