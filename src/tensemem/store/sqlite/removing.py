"""Removing the rows of a scope that is gone, some at a time, so that others get their turn between."""

from __future__ import annotations

from typing import Any

from .statements import named

REMOVE = named("removing.sql")

TABLES = ("entries", "claims", "facts", "slots", "texts", "postings", "keys", "usage")

_BYTES_OF_A_ROW = 4_000
"""A row counts once more for each so many bytes."""


def remove_rows(run: Any, scope_id: int, limit: int) -> dict[str, int]:
    """Remove about so many rows of a scope; gives how many of each table went, nothing once all have."""
    gone: dict[str, int] = {}
    left = limit
    for table in TABLES:
        while left > 0:
            place, rows, spent = _first(run, table, scope_id, left)
            if not rows:
                break
            run(REMOVE[f"remove_{table}"], (scope_id, *place))
            gone[table] = gone.get(table, 0) + rows
            left -= spent
    return gone


def _first(run: Any, table: str, scope_id: int, limit: int) -> tuple[tuple[Any, ...], int, int]:
    """Give the place up to which to remove, how many rows that is, and what they count."""
    place: tuple[Any, ...] = ()
    rows = spent = 0
    for *found, length in run(REMOVE[f"first_{table}"], (scope_id, limit)).fetchall():
        place = tuple(found)
        rows += 1
        spent += 1 + length // _BYTES_OF_A_ROW
        if spent >= limit:
            break
    return place, rows, spent
