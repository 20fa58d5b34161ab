"""The store that keeps everything in a PostgreSQL database, for many machines."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Literal

import psycopg

from ...errors import InvalidValueError, ReadOnlyError, StoreError
from ...model.diagnosis import Finding
from ...model.scope import Scope
from . import checkup
from .address import parse_address
from .driver_errors import our_error, read_only_error
from .links import Connection, Links
from .migrations import migrate, missing, version_of
from .reading import PostgresReader
from .statements import statements
from .steps import VERSION
from .writing import PostgresWriter

_OLDEST_SERVER = 150000

ELSEWHERE = (
    "The bytes of removed rows stay in the files of the server's tables: VACUUM frees the pages and overwrites some of "
    "them, VACUUM FULL writes the tables anew.",
    "Its write-ahead log, archives of that, lagging standbys, backups and dumps hold them until they are recycled.",
)
"""What a server may still hold of removed rows, of which the library can do nothing."""


class PostgresStore:
    """A store in a database named by a URL, as ``postgresql://user@host:port/name``; see `parse_address`.

    ``durability="power"``: what a transaction wrote survives power loss of the server once it ended, and is on its
    synchronous standbys where it has any and its ``synchronous_commit`` waits for them (``on``, ``remote_apply``; not
    ``local``, and ``remote_write`` only until their power fails); ``"process"``: this process's end, but not the
    server's. Where the server itself does not flush (``fsync = off``), that is all there is. ``busy_timeout`` is how
    many seconds a lock or a connection is waited for. The tables are made in an empty database.

    Raises InvalidValueError for a URL, StoreBusyError where the server can't be reached, SchemaTooNewError for newer
    tables, StoreError for older ones (`tensemem migrate` brings them up to date) and where the server refuses the user.
    """

    def __init__(
        self,
        url: str,
        *,
        durability: Literal["power", "process"] = "power",
        read_only: bool = False,
        busy_timeout: float = 60.0,
        schema: str | None = None,
    ) -> None:
        if durability not in ("power", "process"):
            raise InvalidValueError(f"durability is 'power' or 'process', not {durability!r}")
        self.durability: str = durability
        self.read_only = read_only
        self._links = Links(parse_address(url, read_only=read_only, schema=schema), busy_timeout, read_only=read_only)
        self._look()

    @property
    def location(self) -> str:
        """Where the data is: the URL, without user and password."""
        return self._links.location

    @property
    def rollbacks(self) -> int:
        """How often something may have been taken back that was told of: a transaction, or what a server had lost."""
        return self._links.rollbacks + self._links.connected

    @property
    def ledger(self) -> None:
        """What was forgotten stands in the database alone: no file is beside it."""
        return None

    is_scrub_due = False
    elsewhere = ELSEWHERE

    def scrub(self) -> str:
        """A server overwrites by its own means, when it sees fit; so tell what is left."""
        return ELSEWHERE[0]

    def read(self) -> PostgresReader:
        """Open one snapshot."""
        return PostgresReader(self._links)

    def glance(self, scope: Scope) -> None:
        """A server is always waited for."""

    def write(self, *, alone: bool = False) -> PostgresWriter:  # noqa: ARG002 -- the server has writers share flushes
        """Open one transaction over one scope. Raises ReadOnlyError; on its way StoreBusyError and StoreRetryError."""
        if self.read_only:
            raise ReadOnlyError
        return PostgresWriter(self._links)

    @property
    def clock_ahead(self) -> int:
        """Microseconds by which the server's clock is ahead of this machine's."""
        return self._links.now - time.time_ns() // 1000

    def wait_for_commit(self, seconds: float) -> None:
        """Return when something may have been committed, by this process or another, at latest after some seconds."""
        self._links.check()
        self._links.commits.wait(seconds)

    def examine(self, *, thorough: bool = False, quick: bool = False) -> Iterator[Finding]:  # noqa: ARG002
        """Look at the server, as far as it tells this role."""
        self._links.check()
        with self._links.connect() as connection:
            yield from checkup.examine(connection, self._links.address.schema)

    def sizes(self) -> dict[str, int]:
        """Give the bytes of the tables with their indexes."""
        self._links.check()
        with self._links.connect() as connection:
            return checkup.sizes(connection, self._links.address.schema)

    def close(self) -> None:
        """Let go of every connection. A forked child lets its parent's be."""
        self._links.close()

    def _look(self) -> None:
        """Look at the server and its tables before anything is done; makes them where there are none."""
        with self._links.connect() as connection:
            try:
                self._look_at(connection)
            except psycopg.Error as error:
                raise our_error(error, self.location) from error

    def _look_at(self, connection: Connection) -> None:
        links, schema = self._links, self._links.address.schema
        settings = connection.execute(statements(schema)["settings"]).fetchone()
        usual = ("on", "on", "", None, False, "UTF8", False)
        flushes, waits, name, version, is_standby, encoding, links.is_spread = settings or usual
        if encoding not in ("UTF8", None):
            raise StoreError(f"{self.location} keeps text as {encoding}; make a database with the encoding UTF8.")
        if _is_postgresql(name) and version is not None and version < _OLDEST_SERVER:
            raise StoreError(f"{self.location} is PostgreSQL {version // 10000}; 15 or later is needed.")
        if is_standby and not self.read_only:
            raise read_only_error(self.location)
        if self.durability == "process" and waits is not None:
            links.setting = b"SET LOCAL synchronous_commit = off"
        elif waits == "off":
            links.setting = b"SET LOCAL synchronous_commit = on"
        if flushes == "off":
            self.durability = "process"  # what a receipt says must be true
        if version_of(connection, schema) == 0 and not self.read_only:
            migrate(connection, schema, self.location)
        left = missing(connection, schema, self.location)
        if left:
            found = left[0].version - 1
            raise StoreError(
                f"{self.location} has schema version {found} of {VERSION}: run `tensemem migrate` once."
                if found
                else f"{self.location} has no tables of tensemem yet; only opening it for writing makes them."
            )


def _is_postgresql(name: str) -> bool:
    """Tell whether it is PostgreSQL itself: engines that speak like it count their versions in their own way."""
    return name.startswith("PostgreSQL ") and "-YB-" not in name
