"""A database file: its name as SQLite wants it, how it is connected to, how an empty one is made."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass

from ...errors import StoreError
from .drivers import Connection, Driver, unlock
from .keys import Key

OWNER_ONLY = 0o600
"""The mode of every file that the library makes."""


@dataclass(frozen=True, slots=True)
class DatabaseFile:
    """A file, the library that opens it, and the key it is encrypted with.

    ``saves`` tells whether a copy of an older one is kept before its tables are changed.
    """

    path: str
    driver: Driver
    key: Key | None = None
    saves: bool = True

    def connect(self, mode: str, *, timeout: float = 0.0) -> Connection:
        """Connect to the file, which exists; ``mode`` is "ro" or "rw"."""
        return prepared(self._connect(f"mode={mode}", timeout))

    def connect_to_look(self) -> Connection:
        """Connect to the main file alone, without locks, leaving nothing beside it."""
        # Not with open(): to close such a file would drop every lock this process holds on it.
        return self._connect("mode=ro&immutable=1", 0.0)

    def _connect(self, options: str, timeout: float) -> Connection:
        connection = self.driver.connect(file_uri(self.path, options), timeout)
        if self.key is not None:
            try:
                unlock(self.driver, connection, self.key)
            except BaseException:
                connection.close()
                raise
        return connection


def prepared(connection: Connection) -> Connection:
    """Have a connection keep everything in memory that is not in the file, and trust nothing that it finds there."""
    # temp_store: what is sorted stays in memory, or forgotten words would be left in temporary files.
    for pragma in ("trusted_schema = OFF", "temp_store = MEMORY", "mmap_size = 0", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def file_uri(path: str, options: str) -> str:
    """Give a file name as SQLite's URIs want it: three characters mean something there."""
    for character in "%?#":
        path = path.replace(character, f"%{ord(character):02x}")
    if os.sep == "\\":
        path = "/" + path.replace("\\", "/")
    return f"file:{path}?{options}"


def make_file(path: str) -> None:
    """Make an empty file that only its owner can read, unless there is one."""
    try:
        make_empty(path)
    except FileExistsError:
        if os.path.isdir(path):
            raise StoreError(f"{path} is a folder; name a file in it.") from None
    except FileNotFoundError as error:
        raise StoreError(f"The folder {os.path.dirname(path)} does not exist; make it first.") from error
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} can't be made: {error}") from error


def make_empty(path: str) -> None:
    """Make an empty file that only its owner can read and write, whatever the umask; raises FileExistsError, OSError.

    What SQLite puts beside a file, its log among it, gets the mode of that file from SQLite.
    """
    opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    try:
        if os.name == "posix":
            os.fchmod(opened, OWNER_ONLY)
    finally:
        os.close(opened)


def let_log_be_written(path: str) -> None:
    """Let what SQLite keeps beside a file be written by its owner again, where the file is.

    SQLite gives it the mode that the file has then: who reads a file that is read only leaves beside it what is read
    only too, and stays so when the file may be written again.
    """
    if os.name != "posix":
        return
    mode = stat.S_IMODE(os.stat(path).st_mode)
    for end in ("-wal", "-shm"):
        with suppress(OSError):  # it is not there, or somebody else's: then SQLite tells
            if mode & stat.S_IWUSR and not os.stat(path + end).st_mode & stat.S_IWUSR:
                os.chmod(path + end, mode)


def flush_file(path: str) -> None:
    """Have what a file holds reach the disk. Only for a file that nobody has open: closing it drops SQLite's locks."""
    opened = os.open(path, os.O_RDWR)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def flush_folder(path: str) -> None:
    """Have the name of a file reach the disk."""
    if os.name != "nt":  # which has no such thing
        opened = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
