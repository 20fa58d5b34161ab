"""Looking at the server a memory is kept by: how it keeps what it is given, who sees what, who looks after it.

Other engines that speak like PostgreSQL lack some of its catalogs, and roles may not be shown all: then that is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import psycopg

from ...model.diagnosis import Finding
from ..sizes import size_text
from .link import Link
from .statements import in_schema, named

MANY_CONNECTIONS = 0.8
MANY_DEAD, DEAD_SHARE = 10_000, 0.2
OLD_TRANSACTIONS = 1_000_000_000
"""How many transactions old a database may be: at 2,147 millions the server stops taking any."""

Row = tuple[Any, ...]


def examine(connection: Link, schema: str) -> Iterator[Finding]:
    """Look at the server through a connection in autocommit."""
    for name, find in _LOOKS.items():
        try:
            row = connection.execute(_statements(schema)[name], [schema] if name in _OF_SCHEMA else None).fetchone()
        except psycopg.Error as error:
            told = type(error).__name__
            yield Finding(name, "note", f"the server does not tell ({told})", "another role may be told, or engine")
        else:
            if row is not None:
                yield from find(row)


def sizes(connection: Link, schema: str) -> dict[str, int]:
    """Give the bytes of the tables; nothing where the server does not tell."""
    try:
        row = connection.execute(_statements(schema)["size"], [schema]).fetchone()
    except psycopg.Error:
        return {}
    return {"table_bytes": int(row[0])} if row is not None else {}


@cache
def _statements(schema: str) -> dict[str, bytes]:
    return {name: in_schema(text, schema).encode() for name, text in named("checkup.sql").items()}


def _server(row: Row) -> Iterator[Finding]:
    name, version, flushes, whole_pages, waits, is_standby = row
    kind = str(name).split(" ")[0]
    yield Finding("server", "ok", f"{kind} {version}; driver psycopg {psycopg.__version__}")
    off = [setting for setting, value in (("fsync", flushes), ("full_page_writes", whole_pages)) if value == "off"]
    if off:
        found = f"{' and '.join(off)} off: a crash of the server may damage the database"
        yield Finding("server durability", "warning", found, "switch on in postgresql.conf")
    else:
        yield Finding("server durability", "ok", f"flushed to disk; synchronous_commit is {waits}")
    if is_standby:
        yield Finding("standby", "note", "it is one: it takes no writes", "to write, name the primary")


def _role(row: Row) -> Iterator[Finding]:
    role, is_super, passes, is_owner, has_walls, own = row
    if is_super or passes or is_owner:
        why = "a superuser" if is_super else "one that has BYPASSRLS" if passes else "the owner of the tables"
        found = f"{role} is {why}: it sees every namespace"
        yield Finding("role", "note", found, "give an application a role of its own: tensemem schema --grants ROLE")
    elif not has_walls:
        found = "there are no walls between namespaces in this database"
        yield Finding("role", "warning", found, "make them, as `tensemem schema` has them")
    else:
        yield Finding("role", "ok", f"{role} sees {own} of the namespaces, as the table of walls has it")


def _channel(row: Row) -> Iterator[Finding]:
    is_encrypted, client = row
    if is_encrypted:
        yield Finding("channel", "ok", "encrypted")
    elif client is None or str(client).startswith(("127.", "::1")):
        yield Finding("channel", "ok", "not encrypted, and within this machine")
    else:
        yield Finding("channel", "warning", "what is sent can be read on the way", "add sslmode=verify-full to the URL")


def _connections(row: Row) -> Iterator[Finding]:
    count, most = row
    if count > most * MANY_CONNECTIONS:
        todo = "lower tensemem_pool in the URLs, or put a pooler between"
        yield Finding("connections", "warning", f"{count} of {most}", todo)
    else:
        yield Finding("connections", "ok", f"{count} of {most}")


def _idle(row: Row) -> Iterator[Finding]:
    count, seconds = row
    if count:
        found = f"{count} transactions are left open, one for {seconds} s: they may hold locks, and keep old rows alive"
        todo = "end their programs, or set idle_in_transaction_session_timeout"
        yield Finding("idle transactions", "warning", found, todo)
    else:
        yield Finding("idle transactions", "ok", "none is left open")


def _copies(row: Row) -> Iterator[Finding]:
    standbys, unread, archive, fails = row
    if fails:
        todo = "see the server's own log: what can't be archived fills its disk"
        yield Finding("archive", "warning", "the newest attempt to archive the server's log failed", todo)
    if unread:
        found = f"{unread} replication slots are read by nobody: the server keeps its log for them without end"
        yield Finding("replication slots", "warning", found, "drop those that are not needed: pg_drop_replication_slot")
    if not standbys and archive in ("off", None):
        found = "no standby is connected, and the server's log is not archived"
        yield Finding("copies", "note", found, "if this server is lost, so is what it kept since its newest backup")
    else:
        archived = "not archived" if archive in ("off", None) else "archived"
        yield Finding("copies", "ok", f"{standbys} standbys; the log is {archived}")


def _upkeep(row: Row) -> Iterator[Finding]:
    dead, live, age = row
    if dead > MANY_DEAD and dead > live * DEAD_SHARE:
        found = f"{dead:,} rows that were changed or removed lie about, beside {live:,} that live"
        yield Finding("vacuum", "warning", found, "let autovacuum run, or VACUUM; what was forgotten is gone only then")
    else:
        yield Finding("vacuum", "ok", f"{dead:,} dead rows beside {live:,}")
    if age is not None and age > OLD_TRANSACTIONS:
        yield Finding("transaction numbers", "warning", f"{age:,} of 2,147 millions are used up", "VACUUM FREEZE, soon")


def _size(row: Row) -> Iterator[Finding]:
    yield Finding("size", "ok", f"tables and indexes take {size_text(row[0])}")


_LOOKS: dict[str, Callable[[Row], Iterator[Finding]]] = {
    "server": _server, "role": _role, "channel": _channel, "connections": _connections, "idle": _idle,
    "copies": _copies, "upkeep": _upkeep, "size": _size,
}  # fmt: skip
_OF_SCHEMA = ("upkeep", "size")
