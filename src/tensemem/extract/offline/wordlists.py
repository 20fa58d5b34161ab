"""How word lists are written: items between commas, compared by their key."""

from __future__ import annotations

from ...core.text import comparison_key


def listed(*tables: str) -> frozenset[str]:
    """Give the comparison keys of the items of tables."""
    return frozenset(comparison_key(item) for table in tables for item in table.split(",") if item.strip())


def spaced(table: str) -> tuple[str, ...]:
    """Give the items of a table that blanks separate."""
    return tuple(table.split())
