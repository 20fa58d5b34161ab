"""The SQL of a PostgreSQL database as text: its tables, and what a role needs; no server is asked."""

from __future__ import annotations

from .wiring import is_postgres

ENGINES = ("citus", "cockroach")
"""The engines of several machines that there is SQL for."""


def tables_of(path: str, distributed: str | None = None) -> str:
    """Give the SQL that makes the tables of a database, for one server or an engine of several machines."""
    from ..store.postgres.definitions import schema_sql

    return schema_sql(_sql_schema(path), distributed)


def grants_of(path: str, role: str, namespace: str | None, *, keys: bool = False) -> str:
    """Give the SQL that lets a role at one namespace, or at all of them; raises InvalidValueError for a bad name.

    ``keys``: at the keys to a served memory too.
    """
    from ..access.grants import grants_sql as key_grants_sql
    from ..store.postgres.definitions import grants_sql, quoted_role

    schema = _sql_schema(path)
    more = key_grants_sql(quoted_role(role), schema) if keys else ""
    return grants_sql(role, namespace, schema, more)


def _sql_schema(path: str) -> str:
    """Give the SQL schema that a URL names; the usual one for a file."""
    from ..store.postgres.address import DEFAULT_SCHEMA, parse_address

    return parse_address(path).schema if is_postgres(path) else DEFAULT_SCHEMA
