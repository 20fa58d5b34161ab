"""Group commit: writers that come together share one transaction, and with it one flush.

The first writer opens the transaction. Where others wait when it is done, it does not commit: it hands the open
transaction on and sleeps until that is over. Each of the others writes inside a savepoint, so that one that fails takes
back its own and nobody else's. Whoever finds nobody waiting, or the batch full or old, commits; only then does any of
them return. A writer that is alone commits at once, without a savepoint: sharing costs it nothing.
"""

from __future__ import annotations

import time
from enum import Enum

from ...errors import StoreError
from .driver_errors import DRIVER
from .drivers import Cursor

MOST_WRITES = 256
"""Writes in one transaction."""
LONGEST = 0.01
"""Seconds after which an open transaction takes in no more, so that other processes get at the file."""


class Saved(Enum):
    """Where a writer is with its savepoint; written before the statement that leads there."""

    NOT = "no savepoint is open"
    OPENING = "it may have been opened"
    OPEN = "it is open"
    RELEASING = "it may have been released"


class Batch:
    """One transaction and what became of it; touched by whoever has the turn, read by its writers when it is over.

    ``writes`` counts those that are done. ``error`` is why nothing of it was kept.
    """

    __slots__ = ("_began", "_changes", "error", "has_changed", "is_committing", "is_over", "saved", "writes")

    def __init__(self, changes: int) -> None:
        self._began = time.monotonic()
        self._changes = changes
        self.writes = 0
        self.saved = Saved.NOT
        self.has_changed = self.is_committing = self.is_over = False
        self.error: BaseException | None = None

    def is_full(self) -> bool:
        """Whether it must be committed before anyone else writes."""
        return self.writes >= MOST_WRITES or time.monotonic() - self._began > LONGEST

    def save(self, cursor: Cursor) -> None:
        """Begin a write behind those of others."""
        self.saved = Saved.OPENING
        cursor.execute("SAVEPOINT one")
        self.saved = Saved.OPEN

    def join(self, cursor: Cursor) -> None:
        """Let a write that succeeded be part of the batch."""
        if self.saved is Saved.OPEN:
            self.saved = Saved.RELEASING
            cursor.execute("RELEASE one")
            self.saved = Saved.NOT
        self.writes += 1

    def take_back(self, cursor: Cursor) -> None:
        """Undo the write that is going on, and none before it; raises where the transaction is lost."""
        if not cursor.connection.in_transaction:
            raise StoreError("the transaction was rolled back")
        if self.saved is Saved.NOT:
            return
        try:
            if self.saved is not Saved.OPENING:
                cursor.execute("ROLLBACK TO one")
            cursor.execute("RELEASE one")
        except DRIVER.kinds:
            if self.saved is Saved.OPEN or not cursor.connection.in_transaction:
                raise
            # An interrupt came before it was opened, or after it was released: then there is none.
        self.saved = Saved.NOT

    def commit(self, cursor: Cursor) -> None:
        """Commit, or after an interrupt tell whether that was done; raises where nothing is kept."""
        is_open = cursor.connection.in_transaction
        if self.is_committing and not is_open:
            return  # an interrupt came right after it: a COMMIT that fails sets ``error`` before any can
        if not is_open:
            raise StoreError("the transaction was rolled back")
        self.has_changed = cursor.connection.total_changes != self._changes
        self.is_committing = True
        cursor.execute("COMMIT")
