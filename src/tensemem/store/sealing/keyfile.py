"""Keys in a small SQLite file of their own, which stands beside the memory's and is never part of its backups.

It keeps a rollback journal that is cut to nothing after each transaction, and what is deleted is overwritten: after a
key was destroyed, nothing of it is in the file or beside it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ...errors import ClosedError, SchemaTooNewError, StoreCorruptError, StoreKeyError, TensememError
from .. import forks
from ..scripts import named
from ..sqlite.drivers import Connection, Cursor, choose
from ..sqlite.files import file_uri, make_file
from ..sqlite.opening import own_errors
from ..sqlite.patience import execute_patiently
from .places import Door

ENDING = "-keys"
"""What the name of a memory's file is followed by in the name of its key store's."""

APPLICATION_ID = 0x74656E6B
"""What ``PRAGMA application_id`` gives for a file with keys ("tenk")."""

VERSION = 1
_PATIENCE = 60.0
_PREFIX = "tensemem_keys."
SQL = {name: text.replace(_PREFIX, "").replace("$", "?") for name, text in named(__package__, "keys.sql").items()}


class FileRows:
    """One transaction; ``places.KeyRows`` says what each method does."""

    def __init__(self, cursor: Cursor) -> None:
        self._run, self._many = cursor.execute, cursor.executemany

    def doors(self) -> list[Door]:
        return [Door(*row) for row in self._run(SQL["doors"]).fetchall()]

    def put_doors(self, doors: Sequence[Door]) -> None:
        self._run(SQL["drop_doors"])
        self._many(SQL["add_door"], doors)

    def find(self, name: bytes) -> bytes | None:
        row = self._run(SQL["find"], (name,)).fetchone()
        return None if row is None else row[0]

    def add(self, name: bytes, wrapped: bytes) -> bytes:
        self._run(SQL["add"], (name, wrapped))
        return wrapped  # nobody else writes meanwhile

    def drop(self, name: bytes) -> bool:
        return self._run(SQL["drop"], (name,)).rowcount > 0

    def page(self, after: bytes, limit: int) -> list[tuple[bytes, bytes]]:
        found: list[tuple[bytes, bytes]] = self._run(SQL["page"], (after, limit)).fetchall()
        return found

    def replace(self, keys: Sequence[tuple[bytes, bytes]]) -> None:
        self._many(SQL["replace"], keys)

    def count(self) -> int:
        found: int = self._run(SQL["count"]).fetchone()[0]
        return found


class KeyFile:
    """A key store in a file, made where ``make`` says so and there is none.

    Raises StoreKeyError where there is no such file, StoreCorruptError for one that is none of ours, SchemaTooNewError,
    and StoreError.
    """

    elsewhere = (
        "Of a person who was forgotten as a whole, what copies hold can only be read with a copy of the key store that "
        "was made before: delete those.",
    )
    refusal: tuple[type[TensememError], str | None] | None = None

    def __init__(self, path: str | os.PathLike[str], *, make: bool, read_only: bool = False) -> None:
        self.location = os.path.abspath(path)
        self.read_only = read_only
        if make:
            make_file(self.location)
        elif not os.path.isfile(self.location):
            raise StoreKeyError(
                f"the key store {self.location} is not there: restore it from its own backup, or say where it is with "
                "shred=. Without it nothing in this memory can be read."
            )
        self._turn = threading.RLock()
        with own_errors(self.location):
            self._connection = self._opened()
        forks.guard(self)

    @property
    def is_inherited(self) -> bool:
        """Whether it is the parent's of a process that was forked off."""
        return self.refusal == forks.REFUSAL

    @contextmanager
    def begin(self, *, write: bool) -> Iterator[FileRows]:
        """Open a transaction. Raises StoreBusyError where other processes keep the file too long."""
        with self._turn, own_errors(self.location):
            self._check()
            cursor = self._connection.cursor()
            execute_patiently(cursor, "BEGIN IMMEDIATE" if write else "BEGIN", _PATIENCE)
            try:
                yield FileRows(cursor)
                execute_patiently(cursor, "COMMIT", _PATIENCE)
            except BaseException:
                if self._connection.in_transaction:
                    cursor.execute("ROLLBACK")
                raise

    def scrub(self) -> None:
        """What was deleted is overwritten already, and the journal empty."""

    def close(self) -> None:
        """Close the file."""
        with self._turn:
            if self.refusal is None:
                self.refusal = (ClosedError, None)
                self._connection.close()

    def _check(self) -> None:
        if self.refusal is not None:
            kind, message = self.refusal
            raise kind(message)

    def _opened(self) -> Connection:
        mode = "ro" if self.read_only else "rw"
        connection = choose(None).connect(file_uri(self.location, f"mode={mode}"), _PATIENCE)
        try:
            for pragma in ("trusted_schema = OFF", "temp_store = MEMORY", "mmap_size = 0", "cell_size_check = ON"):
                connection.execute(f"PRAGMA {pragma}")
            if self.read_only:
                connection.execute("PRAGMA query_only = ON")
            else:
                self._prepare(connection)
            self._refuse_foreign(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: Connection) -> None:
        if connection.execute("PRAGMA page_count").fetchone()[0]:
            self._refuse_foreign(connection)
        # What is deleted is overwritten, and a key is on the disk before what it seals; on macOS on the disk itself.
        for pragma in ("secure_delete = ON", "journal_mode = TRUNCATE", "synchronous = FULL", "fullfsync = 1"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        cursor = connection.cursor()
        execute_patiently(cursor, "BEGIN IMMEDIATE", _PATIENCE)
        try:
            if cursor.execute("PRAGMA user_version").fetchone()[0] == 0:
                for statement in SQL["make_in_file"].split(";"):
                    cursor.execute(statement)
                cursor.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
                cursor.execute(f"PRAGMA user_version = {VERSION:d}")
            cursor.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                cursor.execute("ROLLBACK")
            raise

    def _refuse_foreign(self, connection: Connection) -> None:
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StoreCorruptError(f"{self.location} is no key store of tensemem; it was left as it is.")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise SchemaTooNewError(
                f"the key store {self.location} is of version {version}, made by a newer tensemem; this one knows "
                f"version {VERSION}. It was left as it is."
            )
