"""Putting a finished copy in the place of a file, in the same file: nobody can be left with one that is gone.

So a file gets another key, and so a backup is restored to it.

A copy that is whole and has reached the disk is renamed to say so; from then on it is what counts. Its bytes then go
over those of the file, under the lock that nobody else can have the file open beside. Where that breaks off, whoever
opens the file next does it again, which needs no key.

To put the copy itself in the file's place would not do: who had opened the old file would join it with the log of the
new one, since SQLite finds a log by its name.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from ...errors import StoreBusyError, StoreError
from . import holders
from .files import flush_folder

COPY = "-rekey"
"""What the name of a copy ends with that is being made."""
FINISHED = "-rekeyed"
"""What it ends with once it counts."""

_LOCK_AT, _LOCK_BYTES = 0x40000000, 512  # SQLite's own locks: who has them all has the file alone
_MARK_BYTES = 100  # SQLite's header, which changes with the content; encrypted, with every write
_CHUNK = 1 << 20
_PAUSE = 0.01


def is_unfinished(path: str) -> bool:
    """Tell whether a copy counts that is not in the file's place yet."""
    return os.path.exists(os.path.realpath(path) + FINISHED)


def remove_copy(path: str) -> None:
    """Remove what a process left that was killed while it made a copy; for who knows that nobody makes one now."""
    copy = os.path.realpath(path) + COPY
    if os.path.exists(copy):
        _remove(copy, "", "-journal", "-wal", "-shm", "-forgotten")


def put_in_place(path: str, release: Callable[[], None]) -> None:
    """Have the copy count, then put it in the file's place. Only for who has the file alone, with SQLite's lock.

    ``release`` gives that lock up, once all is done. Raises OSError; while the copy does not count the file is as it
    was.
    """
    path = os.path.realpath(path)
    with open(path, "r+b") as file:
        _seal(path + COPY, file.read(_MARK_BYTES))
        os.replace(path + COPY, path + FINISHED)
        flush_folder(path)
        _overwrite(file, path)
        release()  # before the file is closed here, which would drop the lock behind SQLite's back


def refuse_open(path: str) -> None:
    """Raise StoreBusyError where anybody has a file open, in this process or another."""
    if not os.path.exists(path):
        return
    if not holders.are_there(path):  # whose locks would be lost
        with open(path, "r+b") as file:
            if _is_locked(file):
                return
    raise StoreBusyError(f"{path} is open, here or in another process; close it there first. It was left as it is.")


def put_over(path: str) -> None:
    """Have a copy count, then put it in the place of a file that nobody has open, or that is not there.

    Raises StoreBusyError and OSError; while the copy does not count the file is as it was.
    """
    path = os.path.realpath(path)
    if not os.path.exists(path + COPY):
        raise StoreBusyError(f"{path} was opened while the copy was made; close it there first. It was left as it is.")
    if holders.are_there(path):
        raise StoreBusyError(f"{path} was opened meanwhile; close it there first. It was left as it is.")
    is_new = not os.path.exists(path)
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        if not _is_locked(file):
            raise StoreBusyError(f"{path} was opened meanwhile; close it there first. It was left as it is.")
        try:
            _seal(path + COPY, file.read(_MARK_BYTES))
            os.replace(path + COPY, path + FINISHED)
        except BaseException:
            if is_new:
                os.unlink(path)
            raise
        flush_folder(path)
        _overwrite(file, path)


def finish(path: str, seconds: float) -> None:
    """Put a copy that counts in the file's place, where that was broken off; waits for a process that is at it.

    Raises StoreBusyError after some seconds, StoreError where the file can't be written, or is not the one that the
    copy was made of.
    """
    path = os.path.realpath(path)
    give_up = time.monotonic() + seconds
    while is_unfinished(path) and not holders.are_there(path):
        try:
            with open(path, "r+b") as file:
                if _is_locked(file):
                    if is_unfinished(path):
                        _refuse_another(file, path)
                        _overwrite(file, path)
                    return
        except OSError as error:
            raise StoreError(f"{path} is being replaced, and that can't be finished: {error}") from error
        if time.monotonic() >= give_up:
            raise StoreBusyError(f"{path} is being replaced by another process.")
        time.sleep(_PAUSE)


def _seal(copy: str, mark: bytes) -> None:
    """Note at the end of a copy what the file it was made of begins with, and have all of it reach the disk."""
    with open(copy, "ab") as sealed:
        sealed.write(mark.ljust(_MARK_BYTES, b"\0"))
        sealed.flush()
        os.fsync(sealed.fileno())


def _refuse_another(file: BinaryIO, path: str) -> None:
    """Raise StoreError for a file that was put there since, such as a backup: it is neither the old one nor the new."""
    with open(path + FINISHED, "rb") as copy:
        new = copy.read(_MARK_BYTES)
        copy.seek(-_MARK_BYTES, os.SEEK_END)
        old = copy.read()
    if file.read(_MARK_BYTES).ljust(_MARK_BYTES, b"\0") not in (new, old):
        raise StoreError(
            f"Giving {path} another key, or restoring a backup to it, was broken off, and the file is not the one it "
            f"was then. The memory is whole in {path}{FINISHED}. Move that one away to use the file that is there."
        )


def _overwrite(file: BinaryIO, path: str) -> None:
    _remove(path, "-wal", "-shm", "-journal")  # of the content that was
    with open(path + FINISHED, "rb") as copy:
        _write(copy, file, os.path.getsize(path + FINISHED) - _MARK_BYTES)
    file.flush()
    os.fsync(file.fileno())
    os.unlink(path + FINISHED)
    flush_folder(path)


def _write(copy: BinaryIO, file: BinaryIO, size: int) -> None:
    """Write so many bytes of a copy over a file from its beginning, and nothing behind them."""
    file.seek(0)
    for begin in range(0, size, _CHUNK):
        file.write(copy.read(min(_CHUNK, size - begin)))
    file.truncate()


def _is_locked(file: BinaryIO) -> bool:
    """Take all of SQLite's locks on a file, unless somebody has any; they end when it is closed."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(_LOCK_AT)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, _LOCK_BYTES)  # type: ignore[attr-defined]
            file.seek(0)
        else:
            import fcntl

            fcntl.lockf(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCK_BYTES, _LOCK_AT)
    except OSError:
        return False
    return True


def _remove(path: str, *ends: str) -> None:
    for end in ends:
        with suppress(FileNotFoundError):
            os.unlink(path + end)
