"""What a forked child holds of a file that its parent has open.

SQLite counts its locks in the memory of a process, which a fork copies: a connection that the child opens finds the
file locked already, as the parent's connections had it, and asks the system for nothing. So nobody else would know that
the child has the file open, and whoever closes it last elsewhere would take away the log that the child writes to. So
the child takes those locks itself, and keeps them to its end.
"""

from __future__ import annotations

import os
from contextlib import suppress

from ...errors import StoreError

try:
    import fcntl
except ImportError:  # where nothing is forked
    _can_lock = False
else:
    _can_lock = True

# Where SQLite locks: whoever has a file open shares these bytes of it, and this one of the memory beside it.
_SHARED_AT, _SHARED_BYTES = 0x40000002, 510
_IN_USE_AT = 128

_GONE = (
    "{path} was closed by the process that this one was forked from at that very moment: this process can't open it "
    "any more. Start another one, or close the memory before forking."
)

_held: set[tuple[int, int]] = set()
_lost: set[tuple[int, int]] = set()


class Inheritance:
    """The files that stood there when a process was forked: what is open in it under a name."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = _identity(path)
        self._shared = _identity(path + "-shm")

    def take(self) -> None:
        """Lock them, in the child; where they are gone or others by now, the file is not opened any more."""
        if self._file is None or self._shared is None or not _can_lock:
            return
        _held.add(self._file)
        held = _share(self._path, _SHARED_AT, _SHARED_BYTES) and _share(self._path + "-shm", _IN_USE_AT, 1)
        # Looked at only now: while these locks are held nobody takes the files away.
        if not held or _identity(self._path) != self._file or _identity(self._path + "-shm") != self._shared:
            _lost.add(self._file)


def is_held(path: str) -> bool:
    """Tell whether this process holds a file that its parent had open, and would not any more once it closes it."""
    return bool(_held) and _identity(path) in _held


def refuse_lost(path: str) -> None:
    """Raise StoreError for a file that the parent let go of before this process could hold it."""
    if _lost and _identity(path) in _lost:
        raise StoreError(_GONE.format(path=path))


def _share(path: str, place: int, size: int) -> bool:
    """Share a lock to the end of this process: what is opened for it is never closed, or the lock would be lost."""
    with suppress(OSError):
        opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.lockf(opened, fcntl.LOCK_SH | fcntl.LOCK_NB, size, place)
        return True
    return False


def _identity(path: str) -> tuple[int, int] | None:
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None
