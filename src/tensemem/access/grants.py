"""The SQL that lets a database's role at the keys of a served memory, as text: what the statements do, and no more."""

from __future__ import annotations

_TABLES = {
    "access_keys": "SELECT, INSERT, UPDATE", "access_acts": "SELECT, INSERT, DELETE", "access_meta": "SELECT, INSERT",
}  # fmt: skip

_HEADING = """-- What the role needs to look at keys and to write down acts: for who serves the memory, and nobody else.
-- The tables are there once 'tensemem keys mint' was run by who may make them."""


def grants_sql(role: str, schema: str) -> str:
    """Give the SQL. ``role`` is quoted already; ``schema`` is the memory's, a plain name."""
    own = f"{schema}_access"
    lines = [_HEADING, f"GRANT USAGE ON SCHEMA {own} TO {role};"]
    return "\n".join([*lines, *(f"GRANT {verbs} ON {own}.{table} TO {role};" for table, verbs in _TABLES.items())])
