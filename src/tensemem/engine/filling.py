"""Filling one scope of a store with what another store holds of it, in transactions of bounded size.

A small scope is filled in one transaction. Between the transactions of a larger one its head says FILLING, so that
nobody reads half a log as if it were whole, or writes to it. The head also carries the mark of who fills it: whoever
was cut off for long and finds another's mark there writes nothing more.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self, TypeVar

from ..errors import StoreBusyError
from ..model.entry import Entry
from ..model.jsontext import encode
from ..model.scope import Scope
from ..ports import FILLING, Head, PendingRow, Store, UsageRow, Writer
from .verifying import Remade

T = TypeVar("T")

ROWS = 1_000
"""Rows written in one transaction, about."""

TEXT = 4_000
"""Characters of an entry that count as one row more."""


class Filling:
    """A context manager: what is put into it is in the store when it ends without an error.

    ``found`` is the scope's head in the store as it was looked at before; ``tell`` is called at each pause with the
    revision reached. Raises StoreBusyError where somebody else
    has written to the scope since, or has begun to fill it.
    """

    def __init__(self, store: Store, scope: Scope, found: Head | None, tell: Callable[[int], None]) -> None:
        self._store, self._scope, self._found, self._tell = store, scope, found, tell
        self._mark = secrets.randbits(61)
        self._open = ExitStack()
        self._spent = 0
        self.has_paused = False
        self.tx: Writer
        self.head: Head

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.tx = stack.enter_context(self._store.write(alone=True))
            self.head = self.tx.open_scope(self._scope)
            if self.head != (self._found or Head(self.head.id, self._scope)):
                raise StoreBusyError(f"the memory of {self._scope.user_id!r} was written to meanwhile; copy again")
            self._clear()
            self._open = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)

    def pause(self, meanwhile: Callable[[], T] | None = None) -> T | None:
        """Keep what was put in so far, and let others have their turn; gives what is to be done meanwhile."""
        self.tx.save_head(self.head)
        self._open.close()
        self._spent, self.has_paused = 0, True
        self._tell(self.head.rev)
        found = None if meanwhile is None else meanwhile()
        with ExitStack() as stack:
            self.tx = stack.enter_context(self._store.write(alone=True))
            head = self.tx.head(self._scope)
            if head is None or (head.registry_rev, head.last_recorded) != (FILLING, self._mark):
                raise StoreBusyError(f"another copy fills the memory of {self._scope.user_id!r} now; let it end")
            self._open = stack.pop_all()
        return found

    def append(self, entries: Iterable[Entry]) -> int:
        """Append to the log; gives how many there were."""
        done = 0
        waiting: list[Entry] = []
        for entry in entries:
            waiting.append(entry)
            self._spent += 1 + len(encode(entry.body)) // TEXT
            if self._spent >= ROWS:
                done += self._append(waiting)
                waiting = []
                self.pause()
        return done + self._append(waiting)

    def _append(self, entries: list[Entry]) -> int:
        if entries:
            self.tx.append_many(self.head.id, entries)
            self.head.rev = entries[-1].rev
        return len(entries)

    def remember(self, keys: Iterable[tuple[str, int, str]]) -> None:
        """Keep idempotency and duplicate keys."""
        for key, seq, digest in keys:
            self.tx.remember_key(self.head.id, key, seq, digest)
            self._spend(1)

    def put(self, slot: Remade) -> None:
        """Keep a slot with its claims and facts."""
        number = self.tx.add_slot(self.head.id, replace(slot.slot, id=0)).id
        for claims in _some(slot.claims):
            self.tx.put_claims(self.head.id, [row._replace(slot=number) for row in claims])
            self._spend(len(claims))
        for facts in _some(slot.facts):
            self.tx.put_facts(self.head.id, [row._replace(slot=number) for row in facts])
            self._spend(len(facts))

    def finish(self, head: Head, pending: Sequence[PendingRow], used: Sequence[UsageRow]) -> None:
        """Make the scope what it is where it comes from. From the end of this transaction on it may be used.

        The queue comes last and at once: nobody is given work on a scope that is not whole.
        """
        for row in pending:
            self.tx.add_pending(self.head.id, row.seq)
            if replace(row, scope_id=0) != PendingRow(0, row.seq):
                self.tx.save_pending(replace(row, scope_id=self.head.id))
        known = {one[:2]: one for one in self.tx.usage_of(self.head.id)}
        for one in used:
            more = _less(one, known.get(one[:2]))
            if any(more[2:]):
                self.tx.add_usage(self.head.id, more)
        self.tx.save_head(replace(head, id=self.head.id))

    def _clear(self) -> None:
        """Mark the scope as being filled, and drop all that is made anew; a log that is there stays."""
        if self.head.rev:
            for row in self.tx.pending(self.head.id):
                self.tx.drop_pending(self.head.id, row.seq)
            self.tx.clear_projection(self.head.id)
            self.tx.clear_index(self.head.id)
        self.head.registry_rev, self.head.last_recorded = FILLING, self._mark
        self.head.pending = self.head.failed = 0

    def _spend(self, rows: int) -> None:
        self._spent += rows
        if self._spent >= ROWS:
            self.pause()


def _some(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    for first in range(0, len(rows), ROWS):
        yield rows[first : first + ROWS]


def _less(one: UsageRow, known: UsageRow | None) -> UsageRow:
    """Give what was used beyond what is known already."""
    if known is None:
        return one
    return UsageRow(*one[:2], *(max(0, a - b) for a, b in zip(one[2:], known[2:], strict=True)))
