"""From an empty database to the tables of today, step by step.

Steps are numbered, run each in a transaction of its own, and are never changed once released: what was run stands in
``schema_version`` with a checksum. Whoever migrates holds a row of that table, so two that start at once do it once.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from psycopg import errors as pg

from ...errors import SchemaTooNewError, StoreError
from .links import Connection
from .statements import in_schema, schema_name
from .steps import MIGRATIONS, VERSION, Migration, preparation

_MADE_ONCE = {1: ("fence", 16), 2: ("forget_key", 32)}
"""Settings that are drawn with a step: their names, and how many bytes each."""

_LOCK = 0
"""The row that whoever migrates holds; no step has this number."""


def version_of(connection: Connection, schema: str) -> int:
    """Give the version a database says it has; 0 where nothing is in it yet."""
    try:
        found = connection.execute(_applied(schema)).fetchall()
    except (pg.UndefinedTable, pg.InvalidSchemaName):
        return 0
    return max((version for version, _ in found), default=0)


def missing(
    connection: Connection, schema: str, location: str, steps: Sequence[Migration] = MIGRATIONS
) -> list[Migration]:
    """Give the steps that are still to be run.

    Raises SchemaTooNewError where the database is ahead of the steps, and StoreError where a step was changed after it
    had been run.
    """
    try:
        applied: dict[int, str] = dict(connection.execute(_applied(schema)).fetchall())
    except (pg.UndefinedTable, pg.InvalidSchemaName):
        applied = {}
    refuse_newer(max(applied, default=0), location, steps[-1].version)
    for step in steps:
        if applied.get(step.version, step.checksum) != step.checksum:
            raise StoreError(f"{location}: step {step.version} of its schema is not the one this version knows.")
    return [step for step in steps if step.version not in applied]


def migrate(
    connection: Connection, schema: str, location: str, steps: Sequence[Migration] = MIGRATIONS
) -> list[Migration]:
    """Run what is missing, each step in a transaction of its own; gives what was run. Raises as `missing` does."""
    _prepare(connection, schema)
    done: list[Migration] = []
    while True:
        with connection.transaction():
            connection.execute(_locked(schema)).fetchone()
            left = missing(connection, schema, location, steps)
            if not left:
                return done
            step = left[0]
            with _no_hurry(connection):
                connection.execute(in_schema(step.script, schema).encode())
            if step.version in _MADE_ONCE:  # here, where one at a time comes by: two that open a new database share it
                name, size = _MADE_ONCE[step.version]
                connection.execute(
                    f"INSERT INTO {schema_name(schema)}.meta (name, value) VALUES ($1, $2)".encode(),
                    (name, secrets.token_hex(size)),
                )
            connection.execute(
                f"INSERT INTO {schema_name(schema)}.schema_version (version, checksum) VALUES ($1, $2)".encode(),
                (step.version, step.checksum),
            )
            done.append(step)


def refuse_newer(version: int, location: str, known: int = VERSION) -> None:
    """Raise SchemaTooNewError, naming both versions, where a database is ahead of this code."""
    if version > known:
        raise SchemaTooNewError(
            f"{location} has schema version {version}, made by a newer tensemem; this one knows versions up to "
            f"{known}. Upgrade the library; the database was left as it is."
        )


@contextmanager
def _no_hurry(connection: Connection) -> Iterator[None]:
    """Let what a transaction does take its time: a step over a large table does, and waits for no other user."""
    patience, connection.patience = connection.patience, None
    connection.execute("SET LOCAL statement_timeout = 0")
    try:
        yield
    finally:
        connection.patience = patience


def _prepare(connection: Connection, schema: str) -> None:
    for is_last in (False, False, True):
        try:
            connection.execute(preparation(schema).encode())
            return
        except (pg.UniqueViolation, pg.DuplicateTable, pg.DuplicateSchema):
            if is_last:  # IF NOT EXISTS does not look at what another one is just making
                raise


def _applied(schema: str) -> bytes:
    return f"SELECT version, checksum FROM {schema_name(schema)}.schema_version WHERE version > {_LOCK}".encode()


def _locked(schema: str) -> bytes:
    return f"SELECT version FROM {schema_name(schema)}.schema_version WHERE version = {_LOCK} FOR UPDATE".encode()
