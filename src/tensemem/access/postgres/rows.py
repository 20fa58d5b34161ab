"""An access store in a PostgreSQL database: an SQL schema of its own, named as the memory's with ``_access`` behind it.

One connection does, since keys are looked at once a second at most. What is written waits for the server's disk.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import psycopg
from psycopg import RawCursor
from psycopg import errors as pg
from psycopg.types.numeric import Int8BinaryDumper

from ...errors import ClosedError, InvalidValueError, SchemaTooNewError, StoreBusyError, StoreCorruptError, StoreError
from ...logs import keep_silent
from ..rows import VERSION, ActRow, KeyRow, NoAccessStoreError, sql

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

_SCHEMA = "tensemem_access"
_ENDING = "_access"
_SCHEMA_NAME = re.compile(r"[a-z_][a-z0-9_]{0,55}")
_MAKING = ("make_schema", "make_keys", "make_acts", "make_meta")
_MAKING_MEETS = (pg.UniqueViolation, pg.DuplicateTable, pg.DuplicateSchema, pg.DuplicateObject)
"""IF NOT EXISTS does not look at what another one is just making."""
_NOT_THERE = (pg.UndefinedTable, pg.InvalidSchemaName)
_BUSY = (pg.LockNotAvailable, pg.QueryCanceled, pg.TooManyConnections, pg.SerializationFailure, pg.DeadlockDetected)

keep_silent("psycopg")  # what it says may name hosts and users

_inherited: list[Connection] = []
"""Connections of the parent of this process: to close one would end the parent's session."""


class TableTransaction:
    """One transaction; ``rows.Transaction`` says what each method does."""

    def __init__(self, connection: Connection, statements: dict[str, bytes]) -> None:
        self._connection, self._sql = connection, statements

    def _run(self, name: str, *values: object) -> psycopg.Cursor[tuple[Any, ...]]:
        return self._connection.execute(self._sql[name], values)

    def meta(self, name: str) -> bytes | None:
        row = self._run("meta", name).fetchone()
        return None if row is None else bytes(row[0])

    def add_meta(self, name: str, value: bytes) -> None:
        self._run("add_meta", name, value)

    def find(self, key_id: str) -> KeyRow | None:
        row = self._run("find", key_id).fetchone()
        return None if row is None else KeyRow(*row)

    def all(self) -> list[KeyRow]:
        return [KeyRow(*row) for row in self._run("all")]

    def count(self) -> int:
        row = self._run("count").fetchone()
        return 0 if row is None else int(row[0])

    def add(self, row: KeyRow) -> None:
        self._run("add", *row)

    def revoke(self, key_id: str, at: int) -> bool:
        return self._run("revoke", at, key_id).rowcount > 0

    def limited(self) -> list[KeyRow]:
        return [KeyRow(*row) for row in self._run("limited")]

    def set_users(self, key_id: str, users: str) -> None:
        self._run("set_users", users, key_id)

    def write_act(self, row: ActRow) -> None:
        self._run("write_act", *row)

    def acts(self, after: int, limit: int) -> list[tuple[int, ActRow]]:
        return [(row[0], ActRow(*row[1:])) for row in self._run("acts", after, limit)]

    def last_acts(self, limit: int) -> list[tuple[int, ActRow]]:
        return [(row[0], ActRow(*row[1:])) for row in self._run("last_acts", limit)]

    def prune(self, before: int) -> int:
        return self._run("prune", before).rowcount


class TableRows:
    """The rows in a database, where the tables are made if ``make`` says so and there are none.

    Raises InvalidValueError for a URL that can't be read, SchemaTooNewError, StoreBusyError and StoreError.
    """

    is_near = False

    def __init__(self, url: str, *, make: bool) -> None:
        self._url, self.location, schema = _parsed(url)
        self._sql = {name: text.replace(_SCHEMA, schema).encode() for name, text in sql().items()}
        self._turn = threading.RLock()
        self._is_closed, self._owner = False, os.getpid()
        self._connection: Connection | None = None
        try:
            with self._own_errors():
                self._prepare(self._current(), make=make)
        except BaseException:
            self.close()
            raise

    def look(self, key_id: str) -> KeyRow | None:
        with self.begin(write=False) as tx:
            return tx.find(key_id)

    @contextmanager
    def begin(self, *, write: bool) -> Iterator[TableTransaction]:
        """Open a transaction, on another connection where the one at hand was lost."""
        with self._turn, self._own_errors():
            connection = self._current()
            with connection.transaction():
                if write:
                    connection.execute(b"SET LOCAL synchronous_commit = on")
                    connection.execute(self._sql["hold"])
                yield TableTransaction(connection, self._sql)

    def scrub(self) -> None:
        """Have the server clear away what was removed, as soon as nobody can see it any more."""
        with self._turn, suppress(psycopg.Error):
            self._current().execute(b"VACUUM " + self._sql["count"].rpartition(b" ")[2])

    def close(self) -> None:
        """Close the connection; closing twice is fine."""
        with self._turn:
            self._is_closed = True
            self._let_go()

    def _let_go(self) -> None:
        if self._connection is not None:
            if self._owner == os.getpid():
                self._connection.close()
            else:
                _inherited.append(self._connection)
            self._connection = None

    def _current(self) -> Connection:
        if self._is_closed:
            raise ClosedError("This access store has been closed. Open another with Access.open(...).")
        if self._owner != os.getpid():
            self._let_go()
        if self._connection is not None:
            try:  # one that lay idle may have died meanwhile
                self._connection.execute(b"SELECT 1")
                return self._connection
            except psycopg.OperationalError:
                self._let_go()
        self._connection, self._owner = self._connect(), os.getpid()
        return self._connection

    def _connect(self) -> Connection:
        try:
            connection: Connection = psycopg.connect(
                self._url, autocommit=True, cursor_factory=RawCursor, application_name="tensemem", connect_timeout=10,
                client_encoding="utf8", prepare_threshold=None,
            )  # fmt: skip
        except psycopg.ProgrammingError as error:
            raise InvalidValueError("the URL of the access store's database is not one that libpq takes") from error
        except psycopg.OperationalError as error:
            raise StoreBusyError(f"{self.location} can't be reached, or refuses the connection") from error
        connection.adapters.register_dumper(int, Int8BinaryDumper)
        with suppress(psycopg.Error):  # other engines lack some of them, and need none
            for name, milliseconds in (("statement_timeout", 10_000), ("lock_timeout", 10_000)):
                connection.execute(f"SET {name} = {milliseconds:d}".encode())
        return connection

    def _prepare(self, connection: Connection, *, make: bool) -> None:
        try:
            connection.execute(self._sql["count"])
        except _NOT_THERE:
            if not make:
                raise NoAccessStoreError(
                    f"there is no access store at {self.location}; 'tensemem keys mint' makes one"
                ) from None
            for name in _MAKING:
                self._make(connection, self._sql[name])
        tx = TableTransaction(connection, self._sql)
        if make:
            tx.add_meta("secret", os.urandom(32))
            tx.add_meta("version", str(VERSION).encode())
        self._refuse_newer(tx.meta("version"))

    def _make(self, connection: Connection, statement: bytes) -> None:
        for is_last in (False, False, True):
            try:
                connection.execute(statement)
                return
            except _MAKING_MEETS:
                if is_last:
                    raise

    def _refuse_newer(self, version: bytes | None) -> None:
        text = (version or b"").decode("ascii", "replace")
        if not text.isdigit():
            raise StoreCorruptError(f"the access store {self.location} does not say its version; restore a copy of it.")
        if int(text[:9]) > VERSION:
            raise SchemaTooNewError(
                f"the access store {self.location} is of version {text[:9]}, made by a newer tensemem; this one knows "
                f"version {VERSION}. It was left as it is."
            )

    @contextmanager
    def _own_errors(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            told = (error.diag.message_primary or type(error).__name__).splitlines()[0]
            kind = StoreBusyError if isinstance(error, _BUSY) or error.sqlstate is None else StoreError
            raise kind(f"the access store {self.location}: {told}") from error


def _parsed(url: str) -> tuple[str, str, str]:
    """Give what libpq is given, the address as it may be shown, and the SQL schema; raises InvalidValueError."""
    try:
        parts = urlsplit(url)
        query = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        raise InvalidValueError("the URL of the access store's database can't be read") from None
    own = {name: value for name, value in query if name.startswith("tensemem_")}
    rest = urlencode([pair for pair in query if pair[0] not in own], quote_via=quote)
    schema = own.get("tensemem_schema", "tensemem")
    if not _SCHEMA_NAME.fullmatch(schema) or schema.startswith("pg_"):
        raise InvalidValueError("an SQL schema's name has small letters, digits and underscores, at most 56")
    shown = f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path} ({schema}{_ENDING})"
    plain = f"postgresql://{parts.netloc}{parts.path}{'?' if rest else ''}{rest}"
    return plain, shown, schema + _ENDING
