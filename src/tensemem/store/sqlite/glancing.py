"""Glancing: one row at a time, read again only when anybody has committed anything since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .drivers import Cursor

_MOST = 4096


class Glancing:
    """A connection that never writes, and the rows it has read since the last commit of anybody else.

    SQLite tells a connection whether others have committed, in this process or another: as long as nobody has, what
    was read is what would be read. For one thread at a time.
    """

    __slots__ = ("_rows", "_version", "cursor")

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self._version = -1
        self._rows: dict[tuple[str, tuple[Any, ...]], Sequence[Any]] = {}

    def row(self, statement: str, values: tuple[Any, ...]) -> Sequence[Any]:
        """Give the one row that a statement gives."""
        run = self.cursor.execute
        version: int = run("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            self._rows.clear()
            self._version = version
        asked = statement, values
        known = self._rows.get(asked)
        if known is None:
            known = run(statement, values).fetchone()
            assert known is not None
            self.cursor.fetchone()  # the statement is at its end, and with it its snapshot
            if len(self._rows) >= _MOST:
                self._rows.clear()
            self._rows[asked] = known
        return known
