"""A store for work that is thrown away: what grows out of memory goes to a file that has no name any more.

So nothing of it is left behind, whatever ends the process.
"""

from __future__ import annotations

from .drivers import choose
from .links import Links
from .memory_links import MemoryLinks
from .store import SqliteStore


class ScratchStore(SqliteStore):
    """A store of one connection that ends with it; see SqliteStore."""

    def __init__(self) -> None:
        super().__init__("")

    def _open(self, path: str, *_: object) -> Links:
        self.durability = "none"
        return MemoryLinks(choose(None), self._budget, path)
