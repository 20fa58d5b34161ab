"""Keys in a PostgreSQL database: an SQL schema of their own, in the memory's database or in another one.

A server keeps more than its tables: its write-ahead log, its replicas and its dumps hold a key that was destroyed until
they are gone themselves. A key store in a file, or on a server that is not backed up with the memory's, forgets sooner.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psycopg
from psycopg import errors as pg

from ...errors import ClosedError, ReadOnlyError, StoreError, StoreKeyError, TensememError
from .. import forks
from ..postgres.address import parse_address
from ..postgres.driver_errors import is_lost, our_error
from ..postgres.links import Connection, Links
from ..postgres.statements import schema_name
from ..scripts import named
from .keyfile import ENDING
from .places import Door

_PATIENCE = 60.0
_PREFIX = "tensemem_keys"
_ENDING = ENDING.replace("-", "_")
_MAKING = ("make_schema", "make_doors", "make_keys")
_MAKING_MEETS = (pg.UniqueViolation, pg.DuplicateTable, pg.DuplicateSchema, pg.DuplicateObject)
"""IF NOT EXISTS does not look at what another one is just making."""


class TableRows:
    """One transaction; ``places.KeyRows`` says what each method does."""

    def __init__(self, connection: Connection, sql: dict[str, bytes], *, write: bool) -> None:
        self._connection, self._sql = connection, sql
        if write:
            connection.execute(sql["hold_doors"])

    def doors(self) -> list[Door]:
        return [Door(*row) for row in self._connection.execute(self._sql["doors"]).fetchall()]

    def put_doors(self, doors: Sequence[Door]) -> None:
        self._connection.execute(self._sql["drop_doors"])
        for door in doors:
            self._connection.execute(self._sql["add_door"], door)

    def find(self, name: bytes) -> bytes | None:
        row = self._connection.execute(self._sql["find"], (name,)).fetchone()
        return None if row is None else row[0]

    def add(self, name: bytes, wrapped: bytes) -> bytes:
        self._connection.execute(self._sql["add"], (name, wrapped))
        return wrapped  # nobody else writes while the doors are held

    def drop(self, name: bytes) -> bool:
        return self._connection.execute(self._sql["drop"], (name,)).rowcount > 0

    def page(self, after: bytes, limit: int) -> list[tuple[bytes, bytes]]:
        return [(name, wrapped) for name, wrapped in self._connection.execute(self._sql["page"], (after, limit))]

    def replace(self, keys: Sequence[tuple[bytes, bytes]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(self._sql["replace"], keys)

    def count(self) -> int:
        row = self._connection.execute(self._sql["count"]).fetchone()
        return 0 if row is None else row[0]


class KeyTable:
    """A key store in a database: the schema is named as the memory's would be there, with ``_keys`` behind it.

    Raises StoreKeyError where there is none and none is to be made, and StoreError.
    """

    refusal: tuple[type[TensememError], str | None] | None = None
    elsewhere = (
        "Of a person who was forgotten as a whole, what copies hold can only be read with a key that was destroyed: "
        "dumps, replicas and archived write-ahead logs of the server that keeps the keys hold it until they are "
        "deleted, and its tables and own log until it has overwritten them.",
    )

    def __init__(self, url: str, *, make: bool, read_only: bool = False) -> None:
        schema = parse_address(url).schema + _ENDING
        self._links = Links(parse_address(url, read_only=read_only, schema=schema), _PATIENCE, read_only=read_only)
        self.location, self.read_only = self._links.location, read_only
        self._turn = threading.RLock()
        self._sql = {
            name: text.replace(_PREFIX, schema_name(schema)).encode()
            for name, text in named(__package__, "keys.sql").items()
        }
        self._connection = self._links.connect()
        try:
            self._look(make=make)
        except BaseException:
            self.close()
            raise
        forks.guard(self)

    @property
    def is_inherited(self) -> bool:
        """Whether it is the parent's of a process that was forked off."""
        return self.refusal == forks.REFUSAL

    @contextmanager
    def begin(self, *, write: bool) -> Iterator[TableRows]:
        """Open a transaction, on another connection where the one at hand was lost."""
        if write and self.read_only:
            raise ReadOnlyError
        with self._turn, self._own_errors():
            if self.refusal is not None:
                kind, message = self.refusal
                raise kind(message)
            self._reconnect()
            with self._connection.transaction():
                # Whatever the memory promises of its writes, a key is on the disk before what it seals.
                self._connection.execute("SET LOCAL synchronous_commit = on")
                yield TableRows(self._connection, self._sql, write=write)

    def scrub(self) -> None:
        """Have the server clear away the row that was removed, as soon as nobody can see it any more."""
        with self._turn, suppress(psycopg.Error, StoreError):
            self._connection.execute(b"VACUUM " + self._sql["count"].rpartition(b" ")[2])

    def close(self) -> None:
        """Close the connection."""
        with self._turn:
            if self.refusal is None:
                self.refusal = (ClosedError, None)
                self._connection.close()
            self._links.close()

    def _reconnect(self) -> None:
        """Have a connection that answers: one that lay idle may have died meanwhile."""
        if not is_lost(self._connection):
            try:
                self._connection.execute(b"SELECT 1")
                return
            except psycopg.OperationalError:
                self._connection.close()
        self._connection = self._links.connect()

    def _look(self, *, make: bool) -> None:
        with self._own_errors():
            try:
                self._connection.execute(self._sql["doors"])
                return
            except (pg.UndefinedTable, pg.InvalidSchemaName):
                if not make:
                    raise StoreKeyError(
                        f"there is no key store at {self.location}: restore it, or say where it is with shred=. "
                        "Without it nothing in this memory can be read."
                    ) from None
            for name in _MAKING:
                self._make(self._sql[name])

    def _make(self, statement: bytes) -> None:
        for is_last in (False, False, True):
            try:
                self._connection.execute(statement)
                return
            except _MAKING_MEETS:
                if is_last:
                    raise

    @contextmanager
    def _own_errors(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise our_error(error, self.location, lost=is_lost(self._connection)) from error
