"""A copy of a file as it was, kept beside it before its tables are changed.

Whoever changes the tables holds the lock that writers need; what another connection reads meanwhile is what the steps
begin with, to the last commit. The copy is compact and has the file's own key. It gets its name once it is whole and
has reached the disk: what a process leaves that was killed on the way has another one, and is removed by the next.

A copy keeps what is forgotten in the memory later. So whoever forgets, or looks after a memory, asks for ``copies_of``.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass

from ...errors import StoreCorruptError, StoreError
from .driver_errors import CORRUPT, DRIVER, primary_code
from .files import DatabaseFile, file_uri, flush_file, flush_folder, make_empty
from .keys import SALT_BYTES

BEFORE = "-before-"
_PART = "-part"
_NAME = re.compile(rf"{BEFORE}(\d+)(?:-\d+)?(?:{_PART})?")
_ROOM_BESIDE = 2**20
_MOST_NAMES = 1000
_WITHOUT = "or go without one: Memory(..., backup_before_upgrade=False), `tensemem migrate --no-backup`"
_NO_COPY = "{} was left as it was: no copy could be made beside it ({}). Help that, " + _WITHOUT + "."


@dataclass(frozen=True, slots=True)
class KeptCopy:
    """A copy of a file from before its tables became those of a version; ``size`` in bytes, ``made_at`` in seconds.

    ``is_whole`` is false for what a process left that was killed while it made one.
    """

    path: str
    version: int
    size: int
    made_at: float
    is_whole: bool


def copies_of(path: str) -> tuple[KeptCopy, ...]:
    """Find the copies that upgrades have left beside a file, the oldest first; nothing is opened.

    Each holds what the file held then, also what was forgotten since. Raises OSError where the folder can't be read.
    """
    folder, name = os.path.split(os.path.realpath(path))
    found = []
    for other in os.scandir(folder):
        match = _NAME.fullmatch(other.name.removeprefix(name)) if other.name.startswith(name) else None
        if match and other.is_file():
            facts = other.stat()
            is_whole = not other.name.endswith(_PART)
            found.append(KeptCopy(other.path, int(match[1]), facts.st_size, facts.st_mtime, is_whole))
    return tuple(sorted(found, key=lambda copy: (copy.made_at, copy.path)))


def save(file: DatabaseFile, version: int) -> str:
    """Copy a file beside it as it is now, before its tables become those of a version; gives the name of the copy.

    Only for who holds the lock that writers need. Raises StoreError where there is no room, or it can't be written,
    and StoreCorruptError; then there is no copy.
    """
    path = os.path.realpath(file.path)
    with closing(file.connect("ro")) as connection:
        pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        _refuse_without_room(path, pages * size)
        part = f"{path}{BEFORE}{version}{_PART}"
        try:
            _remove(part)
            make_empty(part)
            connection.execute("VACUUM INTO ?", (_uri(file, part),))
            flush_file(part)
            return _named(part)
        except DRIVER.kinds as error:
            _remove(part)
            raise _refusal(error, path) from None  # what the driver says may hold the name, with the key in it
        except OSError as error:
            _remove(part)
            raise StoreError(_NO_COPY.format(path, error)) from error
        except BaseException:
            _remove(part)
            raise


def drop(copy: str) -> None:
    """Remove a copy of a file whose tables stayed as they were after all."""
    _remove(copy)


def _uri(file: DatabaseFile, part: str) -> str:
    if file.key is None:
        return file_uri(part, "mode=rw")
    return file_uri(part, f"cipher=chacha20&key={file.key.for_cipher(os.urandom(SALT_BYTES))}")


def _named(part: str) -> str:
    """Give a copy that is whole its name, or the next one that is free."""
    whole = part.removesuffix(_PART)
    for number in range(_MOST_NAMES):
        name = f"{whole}-{number}" if number else whole
        if not os.path.exists(name):  # nobody else makes one now, and none is ever overwritten
            os.rename(part, name)
            flush_folder(name)
            return name
    raise StoreError(f"There are {_MOST_NAMES} copies named {whole}; move them away.")


def _refuse_without_room(path: str, needed: int) -> None:
    free = shutil.disk_usage(os.path.dirname(path)).free
    if free < needed + _ROOM_BESIDE:
        raise StoreError(
            f"{path} is of an older version, and there is no room to keep a copy of it before it is upgraded: {needed} "
            f"bytes are needed, {free} are free. It was left as it was. Make room, {_WITHOUT}."
        )


def _refusal(error: Exception, path: str) -> StoreError:
    code = primary_code(error)
    if code in CORRUPT:
        return StoreCorruptError(f"{path} is damaged (SQLite's error {code}), and was left as it was.")
    why = "there is no room" if code == sqlite3.SQLITE_FULL else f"SQLite's error {code}"
    return StoreError(_NO_COPY.format(path, why))


def _remove(part: str) -> None:
    for end in ("", "-journal"):
        with suppress(FileNotFoundError):
            os.unlink(part + end)
