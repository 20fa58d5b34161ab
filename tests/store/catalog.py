"""What a database says of its tables: two that answer the same have the same structure, however they came to it."""

from __future__ import annotations

import sqlite3
from typing import Any

Structure = dict[str, list[Any]]

_ASKED = {
    "columns": "SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name "
    "FROM information_schema.columns WHERE table_schema = '{}' ORDER BY 1, 2",
    "indexes": "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = '{}' ORDER BY 1, 2",
    "constraints": "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE connamespace = '{}'::regnamespace ORDER BY 1, 2",
    "policies": "SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check FROM pg_policies "
    "WHERE schemaname = '{}' ORDER BY 1, 2",
    "walled": "SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class "
    "WHERE relnamespace = '{}'::regnamespace AND relkind = 'r' ORDER BY 1",
    "triggers": "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger "
    "WHERE NOT tgisinternal ORDER BY 1, 2",
    "functions": "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = '{}'::regnamespace ORDER BY 1",
    "views": "SELECT viewname, definition FROM pg_views WHERE schemaname = '{}' ORDER BY 1",
}


def of_postgres(url: str, schema: str = "tensemem") -> Structure:
    """Ask the catalog of a PostgreSQL database; the order of columns says nothing, for none is read by its place."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        return {name: connection.execute(question.format(schema)).fetchall() for name, question in _ASKED.items()}


def of_sqlite(connection: sqlite3.Connection) -> Structure:
    """Ask an SQLite database, by what it understood rather than by what it was told."""
    listed = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
    tables = [name for kind, name, *_ in listed if kind == "table"]
    indexes = [name for kind, name, *_ in listed if kind == "index"]
    return {
        "columns": [(name, sorted(row[1:] for row in _pragma(connection, "table_xinfo", name))) for name in tables],
        "strict": sorted(row for row in connection.execute("PRAGMA table_list").fetchall() if row[1] in tables),
        "indexes": [(name, _pragma(connection, "index_xinfo", name)) for name in indexes],
        "others": [row for row in listed if row[0] in ("trigger", "view")],
        "partial": [(name, sql and sql.partition(" WHERE ")[2]) for kind, name, _, sql in listed if kind == "index"],
    }


def _pragma(connection: sqlite3.Connection, question: str, name: str) -> list[Any]:
    return connection.execute(f"PRAGMA {question}('{name}')").fetchall()
