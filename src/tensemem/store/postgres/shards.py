"""A database spread over servers by PostgreSQL itself: tables partitioned by scope, each part on a server of its own.

Every server has the usual tables; one more, the coordinator, has the same names as partitioned tables over foreign
ones (``postgres_fdw``) and is what a memory is opened on. All rows of a scope hash to one server, and a transaction is
about one scope, so what it keeps is kept by that server's own COMMIT.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from psycopg import conninfo

from ...errors import InvalidValueError
from .address import DEFAULT_SCHEMA
from .definitions import parts_of
from .statements import in_schema
from .steps import MIGRATIONS

KEYS = {
    "scopes": "id", "entries": "scope", "keys": "scope", "slots": "scope", "claims": "scope", "facts": "scope",
    "pending": "scope", "queue": "scope", "leases": "scope", "usage": "scope", "texts": "scope", "postings": "scope",
}  # fmt: skip
"""The tables that are spread, each with the column that says whose a row is. The others stay on the coordinator."""

_OURS = {
    # A foreign server that is cut off without a word is noticed, and no lock on it is waited for without end.
    "options": "-c synchronous_commit=on -c lock_timeout=60s -c idle_in_transaction_session_timeout=300s",
    "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "4", "tcp_user_timeout": "30000",
    "connect_timeout": "10", "async_capable": "true", "fetch_size": "1000",
}  # fmt: skip
_TO_THE_USER = ("user", "password")


@dataclass(frozen=True, slots=True)
class Shard:
    """A server that keeps a part, by the URL the coordinator reaches it under."""

    name: str
    url: str = field(repr=False)

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z_][a-z0-9_]{0,30}", self.name):
            raise InvalidValueError("a shard's name has small letters, digits and underscores")
        if not self.url.startswith(("postgresql://", "postgres://")):
            raise InvalidValueError("the URL of a shard begins with postgresql://")


def coordinator_script(shards: Sequence[Shard], schema: str = DEFAULT_SCHEMA) -> str:
    """Give the SQL that makes a coordinator of a database which has the usual tables, still empty.

    Run it in one transaction, as a role that may create servers; it holds the passwords that the URLs do. A row's
    part is decided by how many shards there are: their number and order stay as they are. Raises InvalidValueError
    where there is none.
    """
    if not shards:
        raise InvalidValueError("name at least one server to keep the rows")
    if len({shard.name for shard in shards}) < len(shards):
        raise InvalidValueError("two shards have one name; each needs its own")
    lines = ["CREATE EXTENSION IF NOT EXISTS postgres_fdw;"]
    for shard in shards:
        lines += _server(shard)
    lines += ["DROP VIEW tensemem.view_log;", "DROP VIEW tensemem.view_facts;"]
    for table, key in KEYS.items():
        lines += _table(table, key, shards)
    lines += _policies_and_views()
    return in_schema("\n".join(lines) + "\n", schema).replace(_quoted(DEFAULT_SCHEMA), _quoted(schema))


def _server(shard: Shard) -> Iterator[str]:
    found = {name: str(value) for name, value in conninfo.conninfo_to_dict(shard.url).items()}
    user = {name: found.pop(name) for name in _TO_THE_USER if name in found}
    yield (f"CREATE SERVER {shard.name} FOREIGN DATA WRAPPER postgres_fdw OPTIONS ({_options({**_OURS, **found})});")
    yield f"CREATE USER MAPPING FOR CURRENT_USER SERVER {shard.name} OPTIONS ({_options(user)});"


def _table(table: str, key: str, shards: Sequence[Shard]) -> Iterator[str]:
    yield f"ALTER TABLE tensemem.{table} RENAME TO {table}_unspread;"
    yield (
        f"CREATE TABLE tensemem.{table} (LIKE tensemem.{table}_unspread INCLUDING DEFAULTS) PARTITION BY HASH ({key});"
    )
    yield f"DROP TABLE tensemem.{table}_unspread CASCADE;"
    for number, shard in enumerate(shards):
        yield (
            f"CREATE FOREIGN TABLE tensemem.{table}_{number} PARTITION OF tensemem.{table} "
            f"FOR VALUES WITH (MODULUS {len(shards)}, REMAINDER {number}) SERVER {shard.name} "
            f"OPTIONS (schema_name {_quoted(DEFAULT_SCHEMA)}, table_name {_quoted(table)});"
        )
    yield f"ALTER TABLE tensemem.{table} ENABLE ROW LEVEL SECURITY;"


def _policies_and_views() -> list[str]:
    """Give what the usual scripts say about walls and views: it holds for the spread tables too."""
    parts = [part for step in MIGRATIONS for part in parts_of(step.script)]
    return [part.statement for part in parts if part.begins("CREATE POLICY wall", "CREATE VIEW")]


def _options(given: dict[str, str]) -> str:
    return ", ".join(f"{name} {_quoted(value)}" for name, value in given.items())


def _quoted(text: str) -> str:
    if "\\" in text:
        raise InvalidValueError("a backslash in the URL of a shard is not supported")
    return "'" + text.replace("'", "''") + "'"
