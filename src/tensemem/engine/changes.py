"""What changed since a revision, entry by entry, for delta prompts and audits; and what would change."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from ..core.fold import SlotLog, fold_slot
from ..errors import InvalidValueError
from ..model.entry import Entry, EntryKind
from ..model.results import Change
from ..model.scope import Scope
from ..ports import FactRow, SlotRow
from . import rows
from .core import Engine
from .factview import FactView
from .flow import Flow, Pause, Work
from .freshness import LONGEST_PAUSE, wait_seconds
from .logfold import LoggedSlot, read_log
from .project import slot_log
from .receipts import changes_between
from .state import Snapshot, with_snapshot


def changes(
    engine: Engine, scope: Scope, after_rev: int, limit: int | None, wait: Any
) -> Flow[tuple[Change, ...]]:
    """Give the values that changed after a revision, in order; ``wait`` returns as soon as there is one."""
    if not isinstance(after_rev, int) or isinstance(after_rev, bool) or after_rev < 0:
        raise InvalidValueError("after_rev must be a revision: an integer of 0 or more")
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        raise InvalidValueError("limit must be an integer of 1 or more")
    seconds = wait_seconds(wait)
    deadline = None if seconds is None else time.monotonic() + seconds
    pause = 0.001

    def look() -> tuple[Change, ...]:
        seen: tuple[Change, ...] = with_snapshot(engine, scope, lambda snapshot: _changes(snapshot, after_rev, limit))
        return seen

    while True:
        found: tuple[Change, ...] = yield Work(look)
        left = 0.0 if deadline is None else deadline - time.monotonic()
        if found or left <= 0:
            return found if limit is None else _whole_entries(found, limit)
        yield Pause(min(pause, left), engine.store.wait_for_commit)
        pause = min(pause * 2, LONGEST_PAUSE)


def _whole_entries(found: Sequence[Change], limit: int) -> tuple[Change, ...]:
    """Cut after ``limit`` changes, but never inside an entry: the last rev is the next ``after_rev``."""
    if len(found) <= limit:
        return tuple(found)
    last = found[limit - 1].rev
    return tuple(change for change in found if change.rev <= last)


def _changes(snapshot: Snapshot, after_rev: int, limit: int | None) -> tuple[Change, ...]:
    head, registry = snapshot.head, snapshot.registry
    if head is None or after_rev >= head.rev:
        return ()
    view = FactView(head.scope.tag, registry, snapshot.moment)
    if not snapshot.is_projected:
        return _from_log(snapshot, view, after_rev)
    walk = _Walk(snapshot, view)
    found: list[Change] = []
    for entry in snapshot.reader.entries(head.id, after_rev):
        if entry.extraction > 1:
            return _from_log(snapshot, view, after_rev)
        found += walk.step(entry)
        if limit is not None and len(found) >= limit:
            break
    return _in_order(found)


class _Walk:
    """Goes through a log entry by entry; each slot is folded before and after the entries that speak of it."""

    def __init__(self, snapshot: Snapshot, view: FactView) -> None:
        self._snapshot, self._view = snapshot, view
        self._slots: dict[int, tuple[SlotRow, SlotLog] | None] = {}
        self._before: dict[int, list[FactRow]] = {}

    def step(self, entry: Entry) -> list[Change]:
        """Give what one entry changed."""
        if entry.kind in (EntryKind.MESSAGE, EntryKind.SKIP):
            return []
        head, reader = self._snapshot.head, self._snapshot.reader
        assert head is not None
        rows_ = reader.claims_of(head.id, entry.seq)
        ids = sorted({row.slot for row in rows_ if row.extraction == entry.extraction})
        return [change for id in ids for change in self._of_slot(id, entry)]

    def _of_slot(self, id: int, entry: Entry) -> list[Change]:
        known = self._slot(id)
        if known is None:
            return []
        slot, log = known
        before = self._before.get(id)
        if before is None:
            before = _rows_at(log, slot, entry.rev - 1)
        after = self._before[id] = _rows_at(log, slot, entry.rev)
        return changes_between(self._view, slot, before, after, entry)

    def _slot(self, id: int) -> tuple[SlotRow, SlotLog] | None:
        if id not in self._slots:
            head, reader = self._snapshot.head, self._snapshot.reader
            assert head is not None
            slot = reader.slot_by_id(head.id, id)
            predicate = None if slot is None else self._snapshot.registry.predicate(slot.predicate)
            if slot is None or predicate is None:
                self._slots[id] = None
            else:
                self._slots[id] = slot, slot_log(reader.claims(head.id, id), many=predicate.is_many)
        return self._slots[id]


def _rows_at(log: SlotLog, slot: SlotRow, rev: int) -> list[FactRow]:
    claims = [claim for claim in log.claims if claim.rev <= rev]
    amendments = [amendment for amendment in log.amendments if amendment.rev <= rev]
    return rows.fact_rows(slot.id, fold_slot(SlotLog(log.many, claims, amendments)).runs, ())


def _from_log(snapshot: Snapshot, view: FactView, after_rev: int) -> tuple[Change, ...]:
    """A message extracted anew replaces its older claims: read the log as it was before and after each entry."""
    head, registry, reader = snapshot.head, snapshot.registry, snapshot.reader
    assert head is not None
    found: list[Change] = []
    known = read_log(reader.entries(head.id, 0, after_rev), registry).slots
    for entry in reader.entries(head.id, after_rev):
        now = read_log(reader.entries(head.id, 0, entry.rev), registry).slots
        for keys in sorted(known.keys() | now.keys()):
            slot = now.get(keys) or known[keys]
            if registry.predicate(slot.predicate) is not None:
                row = SlotRow(0, *keys, slot.subject, slot.predicate)
                found += changes_between(view, row, _logged(known.get(keys), view), _logged(now.get(keys), view), entry)
        known = now
    return _in_order(found)


def _logged(slot: LoggedSlot | None, view: FactView) -> list[FactRow]:
    return [] if slot is None else rows.fact_rows(0, slot.fold(view.registry).runs, ())


def _in_order(found: Iterable[Change]) -> tuple[Change, ...]:
    return tuple(sorted(found, key=lambda c: (c.rev, c.subject, c.predicate, c.kind != "ended", c.fact_id)))


