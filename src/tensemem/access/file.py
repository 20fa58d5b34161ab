"""An access store in a small SQLite file of its own, which stands beside the memory's file.

Any number of processes may have it open: each request looks at its key's row, so what one of them revokes is closed in
all at once. It keeps a write-ahead log where the file system allows it, so that who looks waits for nobody; the log is
brought into the file with every write. What is removed is overwritten. Where the file was moved, removed or put back
from a copy, the one that is there now is read a moment later, and none is ever made in its place.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ..errors import ClosedError, SchemaTooNewError, StoreCorruptError, StoreError
from .file_errors import is_busy, our_error
from .rows import VERSION, ActRow, KeyRow, NoAccessStoreError, sql

ENDING = "-access"
"""What the name of a memory's file is followed by in the name of its access store's."""

APPLICATION_ID = 0x74656E61
"""What ``PRAGMA application_id`` gives for an access store ("tena")."""

OWNER_ONLY = 0o600
PATIENCE = 10.0
"""Seconds for which a writer waits for others."""

SQL = {name: text.replace("tensemem_access.", "").replace("$", "?") for name, text in sql().items()}
_FIND = SQL["find"]
_ANYTHING = "SELECT 1 FROM sqlite_master LIMIT 1"

_BRIEFLY = 0.02
"""Seconds for which who only looks waits for who is just writing; then it is left to who has more time."""

MOMENT = 0.1
"""Seconds for which a file is taken to be the one that it was."""
MOST_SEEN = 4096
"""How many rows are kept until somebody writes."""

_inherited: list[sqlite3.Connection] = []
"""Connections of the parent of this process: to close one would let go of locks that are not ours."""


class FileTransaction:
    """One transaction; ``rows.Transaction`` says what each method does."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute

    def meta(self, name: str) -> bytes | None:
        row = self._run(SQL["meta"], (name,)).fetchone()
        return None if row is None else row[0]

    def add_meta(self, name: str, value: bytes) -> None:
        self._run(SQL["add_meta"], (name, value))

    def find(self, key_id: str) -> KeyRow | None:
        row = self._run(SQL["find"], (key_id,)).fetchone()
        return None if row is None else KeyRow(*row)

    def all(self) -> list[KeyRow]:
        return [KeyRow(*row) for row in self._run(SQL["all"])]

    def count(self) -> int:
        return _number(self._run(SQL["count"]).fetchone())

    def add(self, row: KeyRow) -> None:
        self._run(SQL["add"], row)

    def revoke(self, key_id: str, at: int) -> bool:
        return self._run(SQL["revoke"], (at, key_id)).rowcount > 0

    def limited(self) -> list[KeyRow]:
        return [KeyRow(*row) for row in self._run(SQL["limited"])]

    def set_users(self, key_id: str, users: str) -> None:
        self._run(SQL["set_users"], (users, key_id))

    def write_act(self, row: ActRow) -> None:
        self._run(SQL["write_act"], row)

    def acts(self, after: int, limit: int) -> list[tuple[int, ActRow]]:
        return [(row[0], ActRow(*row[1:])) for row in self._run(SQL["acts"], (after, limit))]

    def last_acts(self, limit: int) -> list[tuple[int, ActRow]]:
        return [(row[0], ActRow(*row[1:])) for row in self._run(SQL["last_acts"], (limit,))]

    def prune(self, before: int) -> int:
        return self._run(SQL["prune"], (before,)).rowcount


def _number(row: tuple[Any, ...]) -> int:
    return int(row[0])


class FileRows:
    """The rows in a file, which is made where ``make`` says so and there is none.

    Who only looks has a connection of its own, so that nobody waits for who writes. Raises StoreCorruptError for a
    file that is none of ours, which is left as it is, SchemaTooNewError and StoreError.
    """

    is_near = True

    def __init__(
        self, path: str | os.PathLike[str], *, make: bool, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.location = os.path.abspath(path)
        if make:
            _make_file(self.location)
        elif not os.path.exists(self.location):
            raise NoAccessStoreError(f"there is no access store {self.location}; 'tensemem keys mint' makes one")
        self._looks = _Link(self.location, _BRIEFLY, MOMENT, monotonic)
        self._works = _Link(self.location, PATIENCE, 0.0, monotonic)
        self._seen: dict[str, KeyRow | None] = {}
        self._seen_in: tuple[sqlite3.Connection, int] | None = None
        try:
            self._works.open(prepares=make)
        except (sqlite3.Error, OSError) as error:
            raise self._works.own(error) from error

    def look(self, key_id: str) -> KeyRow | None:
        with self._looks.turn:
            try:
                return self._looked(self._looks.current(), key_id)
            except (sqlite3.Error, OSError) as error:
                raise self._looks.own(error) from error

    def _looked(self, connection: sqlite3.Connection, key_id: str) -> KeyRow | None:
        """Give a row as it was read before, where nobody has written since: SQLite tells, for less than a row costs."""
        seen_in = connection, connection.execute("PRAGMA data_version").fetchone()[0]
        if seen_in != self._seen_in or len(self._seen) >= MOST_SEEN:
            self._seen, self._seen_in = {}, seen_in
        if key_id not in self._seen:
            row = connection.execute(_FIND, (key_id,)).fetchone()
            self._seen[key_id] = None if row is None else KeyRow(*row)
        return self._seen[key_id]

    @contextmanager
    def begin(self, *, write: bool) -> Iterator[FileTransaction]:
        """Open a transaction. Raises StoreBusyError where other processes keep the file too long."""
        with self._works.turn:
            try:
                yield from _transaction(self._works.current(), write=write)
            except (sqlite3.Error, OSError) as error:
                raise self._works.own(error) from error

    def scrub(self) -> None:
        with self._works.turn:
            try:
                self._works.current().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except (sqlite3.Error, OSError) as error:
                raise self._works.own(error) from error

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        for link in (self._looks, self._works):
            with link.turn:
                link.is_closed = True
                link.let_go()


def _transaction(connection: sqlite3.Connection, *, write: bool) -> Iterator[FileTransaction]:
    connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
    try:
        yield FileTransaction(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


class _Link:
    """A connection to the file that is there now, which another process may have put there.

    ``patience`` is for how long others are waited for, ``moment`` for how long the file is taken to be the same.
    """

    def __init__(self, path: str, patience: float, moment: float, monotonic: Callable[[], float]) -> None:
        self._path, self._patience, self._moment, self._monotonic = path, patience, moment, monotonic
        self.turn, self.is_closed = threading.RLock(), False
        self._connection: sqlite3.Connection | None = None
        self._owner, self._identity, self._found = 0, (0, 0), 0.0

    def let_go(self) -> None:
        if self._connection is not None:
            if self._owner == os.getpid():
                self._connection.close()
            else:
                _inherited.append(self._connection)
            self._connection = None

    def current(self) -> sqlite3.Connection:
        if self.is_closed:
            raise ClosedError("This access store has been closed. Open another with Access.open(...).")
        if self._connection is None or self._owner != os.getpid() or not self._is_there():
            self.let_go()
            return self.open(prepares=False)
        return self._connection

    def _is_there(self) -> bool:
        """Whether the file is still the one that was opened; it is looked at now and then."""
        now = self._monotonic()
        if now - self._found < self._moment:
            return True
        is_there = _identity(self._path) == self._identity
        self._found = now
        return is_there

    def open(self, *, prepares: bool) -> sqlite3.Connection:
        self._found, identity = self._monotonic(), _identity(self._path)
        connection = sqlite3.connect(
            f"file:{_escaped(self._path)}?mode=rw", uri=True, isolation_level=None, timeout=self._patience,
            check_same_thread=False,
        )  # fmt: skip
        try:
            for pragma in ("trusted_schema = OFF", "temp_store = MEMORY", "mmap_size = 0", "cell_size_check = ON"):
                connection.execute(f"PRAGMA {pragma}")
            if prepares:
                _prepare(connection)
            _refuse_foreign(connection, self._path)
            # A revocation survives a loss of power, on macOS too, and of a name that is removed nothing is left.
            for pragma in ("secure_delete = ON", "synchronous = FULL", "fullfsync = 1", "wal_autocheckpoint = 1"):
                connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()
            raise
        self._connection, self._owner, self._identity = connection, os.getpid(), identity
        return connection

    def own(self, error: sqlite3.Error | OSError) -> StoreError:
        """Give the library's error for what went wrong; unless others were in the way, the next one begins anew."""
        if isinstance(error, OSError):
            return StoreError(f"the access store {self._path} can't be read: {error.strerror}")
        if not is_busy(error):
            self.let_go()
        return our_error(error, self._path)


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _escaped(path: str) -> str:
    for character in "%?#":
        path = path.replace(character, f"%{ord(character):02x}")
    return "/" + path.replace("\\", "/") if os.sep == "\\" else path


def _make_file(path: str) -> None:
    """Make an empty file that only its owner can read and write, unless there is one."""
    try:
        opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    except FileExistsError:
        if os.path.isdir(path):
            raise StoreError(f"{path} is a folder; name a file in it.") from None
        return
    except FileNotFoundError as error:
        raise StoreError(f"The folder {os.path.dirname(path)} does not exist; make it first.") from error
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} can't be made: {error}") from error
    try:
        if os.name == "posix":
            os.fchmod(opened, OWNER_ONLY)  # whatever the umask
    finally:
        os.close(opened)


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the tables in a file that has nothing in it yet."""
    if connection.execute(_ANYTHING).fetchone() is None:
        connection.execute("BEGIN IMMEDIATE")
        try:
            if connection.execute(_ANYTHING).fetchone() is None:  # else another was faster
                for statement in SQL["make_in_file"].split(";"):
                    connection.execute(statement)
                connection.execute(SQL["add_meta"], ("secret", os.urandom(32)))
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
                connection.execute(f"PRAGMA user_version = {VERSION:d}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    elif connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        return  # it is refused, and left as it is
    with suppress(sqlite3.OperationalError):  # others have it open just now; and without a log it works as well
        connection.execute("PRAGMA journal_mode = WAL").fetchall()


def _refuse_foreign(connection: sqlite3.Connection, path: str) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreCorruptError(f"{path} is no access store of tensemem; it was left as it is.")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise SchemaTooNewError(
            f"the access store {path} is of version {version}, made by a newer tensemem; this one knows version "
            f"{VERSION}. It was left as it is."
        )
