"""Connections: a pool of them, and sessions, each one transaction from its first statement to its end.

A session begins together with its first statement, in one round trip. Writes that give nothing back are kept until
something has to be read, or until the end, and then sent in one go, the COMMIT with them.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import psycopg
from psycopg import RawCursor
from psycopg import errors as pg
from psycopg.types.numeric import Int8BinaryDumper

from ...errors import ClosedError, StoreError, TensememError
from ...logs import keep_silent
from .. import forks
from . import texts
from .address import Address
from .commits import Commits
from .driver_errors import (
    bad_url,
    connecting_error,
    interrupt_behind,
    is_at_rest,
    is_collision,
    is_lost,
    may_be_asked,
    our_error,
)
from .link import Link
from .pool import Pool
from .statements import statements

Connection: TypeAlias = Link
Cursor: TypeAlias = psycopg.Cursor[tuple[Any, ...]]

keep_silent("psycopg")  # what it says may name hosts and users

READ = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
WRITE = b"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
_COMMIT, _ROLLBACK, _NOTHING = b"COMMIT", b"ROLLBACK", b"SELECT 1"
_PREPARE_AFTER = 3
_IDLE_TRANSACTION = 300
"""Seconds after which the server ends a transaction whose client has fallen silent, so that it locks nobody out."""
_CONNECT, _CONNECT_TO_ONE_OF_SEVERAL = 10, 3
"""Seconds for connecting to a host; where there is a next one, a machine that is gone must not hold up everybody."""
_LIVENESS = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4, "tcp_user_timeout": 30_000}
"""A machine that is gone without a word is noticed within half a minute, whether we wait for it or it for us."""
_NO_SUCH_SETTING = (pg.UndefinedObject, pg.InvalidParameterValue, pg.FeatureNotSupported, pg.InsufficientPrivilege)
_BEYOND_THE_SERVER = 10.0
"""Seconds for which an answer is waited for beyond the server's own limit, at most as long again as that."""


class Links:
    """What sessions are made from. ``refusal`` is the error for whoever comes now: None while the store is open.

    ``budget`` is how many seconds a lock or a connection is waited for. ``here`` tells whether this thread writes.
    """

    refusal: tuple[type[TensememError], str | None] | None = None
    is_spread = False
    """Whether the tables lie on several servers, which takes other forms of some statements."""

    def __init__(self, address: Address, budget: float, *, read_only: bool) -> None:
        self.address, self.budget = address, budget
        self.location = address.shown
        self.setting: bytes | None = None
        self.rollbacks = self.connected = 0
        self._clock = (time.time_ns() - time.monotonic_ns()) // 1000
        self._read_only = read_only
        self._pid = os.getpid()
        self._for_each = self._usual_settings()
        self.here = threading.local()
        self.commits = Commits(self.connect, address.channel)
        self._pool = Pool(self._connected, address.pool, self.check)
        forks.guard(self)

    @property
    def sql(self) -> Mapping[str, bytes]:
        """Every statement by name, in the form for these tables."""
        return statements(self.address.schema, self.is_spread)

    def connect(self) -> Connection:
        """Open a connection outside the pool, in autocommit."""
        try:
            return self._connected()
        except psycopg.ProgrammingError as error:
            raise bad_url(error) from None
        except psycopg.OperationalError as error:
            raise connecting_error(error, self.location) from error

    def take(self, deadline: float) -> Connection:
        """Take a connection of the pool; raises StoreBusyError where none is to be had in time."""
        try:
            return self._pool.take(deadline)
        except psycopg.OperationalError as error:
            raise connecting_error(error, self.location) from error

    def give_back(self, connection: Connection) -> None:
        """Give it back; one that is broken is dropped there, and so is any once the store is closed."""
        self.check_process()
        self._pool.give_back(connection)

    def check(self) -> None:
        """Raise what whoever comes now is told."""
        if self.refusal is not None:
            kind, message = self.refusal
            raise kind(message)

    def check_process(self) -> None:
        """Raise where this is a forked child, which shares its parent's connections and must not touch them."""
        if self.refusal == forks.REFUSAL:
            self.check()

    def close(self) -> None:
        """Refuse whoever comes from now on and close what is idle; a forked child lets its parent's be."""
        if self.refusal is not None:
            return
        self.refusal = (ClosedError, None)
        self.commits.close()
        self._pool.close()

    def _connected(self) -> Connection:
        connection = Link.connect(self.address.url, **self._options())
        self.connected += 1  # perhaps to another server, or to one that came back without its latest commits
        connection.patience = self.address.seconds + min(_BEYOND_THE_SERVER, self.address.seconds)
        connection.listen_to_warnings()
        self._configure(connection)
        return connection

    def _options(self) -> dict[str, Any]:
        usual = {
            "application_name": "tensemem",
            "client_encoding": "utf8",
            "connect_timeout": _CONNECT_TO_ONE_OF_SEVERAL if self.address.has_several_hosts else _CONNECT,
            **_LIVENESS,
        }
        return {
            "autocommit": True,  # transactions begin and end where a statement says so, and nowhere else
            "cursor_factory": RawCursor,
            "prepare_threshold": _PREPARE_AFTER if self.address.prepares else None,
            **{name: value for name, value in usual.items() if name not in self.address.named},
        }

    def _configure(self, connection: Connection) -> None:
        # One kind of integer: else each size of number would make another prepared statement.
        connection.adapters.register_dumper(int, Int8BinaryDumper)
        texts.register(connection.adapters)
        try:
            self._set(connection, self._for_each)
        except _NO_SUCH_SETTING:
            self._for_each = {
                name: value for name, value in self._for_each.items() if self._can_set(connection, name, value)
            }

    def _can_set(self, connection: Connection, name: str, value: int) -> bool:
        """Make one setting, and tell whether the server has it: other engines lack some, and need none of them."""
        try:
            self._set(connection, {name: value})
        except _NO_SUCH_SETTING:
            return False
        return True

    def _set(self, connection: Connection, given: dict[str, int]) -> None:
        """Make settings, and look at the server's clock."""
        asked = time.monotonic_ns()
        row = connection.execute(_settings(given)).fetchone()
        if row is not None:
            self._clock = row[-1] - (asked + time.monotonic_ns()) // 2000

    def _usual_settings(self) -> dict[str, int]:
        return {
            "statement_timeout": int(self.address.seconds * 1000),
            "lock_timeout": int(min(self.budget, self.address.seconds) * 1000),
            "idle_in_transaction_session_timeout": _IDLE_TRANSACTION * 1000,
            # What the client's end does too: a machine that is gone must not hold the lock of a scope for long.
            "tcp_keepalives_idle": 10, "tcp_keepalives_interval": 5, "tcp_keepalives_count": 4,
            "tcp_user_timeout": 30_000,
        }  # fmt: skip

    @property
    def now(self) -> int:
        """The server's clock in microseconds, as it was told with the newest connection."""
        return self._clock + time.monotonic_ns() // 1000


def _settings(given: dict[str, int]) -> bytes:
    """Give the statement that makes settings, and tells the server's time."""
    sets = "".join(f"set_config('{name}', '{value}', false), " for name, value in given.items())
    return f"SELECT {sets}(extract(epoch FROM clock_timestamp()) * 1000000)::bigint".encode()


class UnconfirmedCommit(psycopg.OperationalError):
    """A COMMIT was given back by a server that stopped waiting for its standbys: whether it lasts is not known."""


class Session:
    """One transaction on one connection, from its first statement on."""

    __slots__ = ("_begin", "_connection", "_kept", "_links", "has_written", "is_committed", "was_sent")

    def __init__(self, links: Links, begin: bytes) -> None:
        self._links, self._begin = links, begin
        self._connection: Connection | None = None
        self._kept: list[tuple[bytes, Sequence[Any], bool]] = []
        self.has_written = self.is_committed = False
        self.was_sent = False

    @property
    def is_lost(self) -> bool:
        """Whether its connection broke."""
        return self._connection is not None and is_lost(self._connection)

    def run(self, statement: bytes, parameters: Sequence[Any] = ()) -> Cursor:
        """Send what is kept and a statement, and give its cursor."""
        known = sys.exception()
        try:
            return self._run(statement, parameters)
        except Exception as error:
            interrupt = interrupt_behind(error, known)
            if interrupt is None:
                raise
            if self._connection is not None:
                self._connection.close()  # nobody knows what is still on its way
            raise interrupt from None

    def _run(self, statement: bytes, parameters: Sequence[Any]) -> Cursor:
        if self._connection is not None:
            return self._send(self._connection, statement, parameters)
        deadline = time.monotonic() + self._links.budget
        while True:
            connection = self._links.take(deadline)
            try:
                found = self._first(connection, statement, parameters)
            except BaseException as error:
                may_try_again = isinstance(error, psycopg.Error) and (is_lost(connection) or is_collision(error))
                self._drop(connection)
                # A connection that lay idle may have died meanwhile, and where a snapshot is older than the lock that
                # was waited for, both are taken anew; nothing has been done yet.
                if not may_try_again or time.monotonic() >= deadline:
                    raise
            else:
                self._connection = connection
                self._kept.clear()
                return found

    def keep(self, statement: bytes, parameters: Sequence[Any]) -> None:
        """Send a statement later, together with others."""
        self.has_written = True
        self._kept.append((statement, parameters, False))

    def keep_many(self, statement: bytes, rows: Sequence[Sequence[Any]]) -> None:
        """Send a statement later, once for each row."""
        if rows:
            self.has_written = True
            self._kept.append((statement, rows, True))

    def commit(self) -> None:
        """Send what is kept and end the transaction; raises the driver's error, the connection still at hand."""
        if self._connection is None and not self._kept:
            return
        if self._connection is None:
            self.run(_NOTHING)  # to begin: only before its COMMIT may a transaction be sent again
        self.was_sent = True
        done = self.run(_COMMIT)
        self.is_committed = done.statusmessage == "COMMIT"
        if not self.is_committed:
            raise psycopg.errors.InFailedSqlTransaction("the transaction was rolled back")
        if self._connection is not None and self._connection.is_unconfirmed:
            self._connection.close()  # whatever it waited for, it does not wait any more
            raise UnconfirmedCommit("the standbys have not confirmed it")

    def end(self) -> None:
        """Undo what is not committed, and let go of the connection; once."""
        self.let_go()
        if self.has_written and not self.is_committed:
            self._links.rollbacks += 1

    def let_go(self) -> None:
        """Let go of the connection, on which nothing stays open, before it is known what has become of it."""
        connection, self._connection = self._connection, None
        self._kept.clear()
        if connection is not None:
            self._drop(connection)

    def _drop(self, connection: Connection) -> None:
        self._links.check_process()
        if not is_at_rest(connection):
            try:
                if not may_be_asked(connection):
                    connection.close()  # broken off in the middle: an answer may never come
                else:
                    connection.execute(_ROLLBACK)
            except psycopg.Error:
                connection.close()
        self._links.give_back(connection)

    def _first(self, connection: Connection, statement: bytes, parameters: Sequence[Any]) -> Cursor:
        setting = self._links.setting if self._begin is WRITE else None
        with connection.pipeline():
            connection.execute(self._begin)
            if setting is not None:
                connection.execute(setting)
            self._send_kept(connection)
            return connection.execute(statement, parameters, binary=True)

    def _send(self, connection: Connection, statement: bytes, parameters: Sequence[Any]) -> Cursor:
        if not self._kept:
            return connection.execute(statement, parameters, binary=True)
        with connection.pipeline():
            self._send_kept(connection)
            found = connection.execute(statement, parameters, binary=True)
        self._kept.clear()
        return found

    def _send_kept(self, connection: Connection) -> None:
        for statement, parameters, is_many in self._kept:
            if is_many:
                with connection.cursor() as cursor:
                    cursor.executemany(statement, parameters)
            else:
                connection.execute(statement, parameters)


def lost_error(links: Links, session: Session, error: psycopg.Error) -> StoreError:
    """Give the library's error for one inside a session that has committed nothing."""
    return our_error(error, links.location, lost=session.is_lost)
