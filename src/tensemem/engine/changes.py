"""What changed since a revision, entry by entry, for delta prompts and audits; and what would change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..core.fold import SlotLog, fold_slot
from ..errors import InvalidValueError
from ..model.claim import Outcome
from ..model.entry import Entry, EntryKind
from ..model.results import Change
from ..model.scope import Scope
from ..ports import FactRow, SlotRow
from . import rows
from .core import Engine
from .factview import FactView
from .flow import Flow, Pause, Work
from .freshness import wait_seconds
from .logfold import LoggedSlot, read_log
from .receipts import changes_between
from .state import Snapshot, with_snapshot


def changes(
    engine: Engine, scope: Scope, after_rev: int, limit: int | None, wait: Any
) -> Flow[tuple[Change, ...]]:
    """Give the values that changed after a revision, in order; ``wait`` returns as soon as there is one."""
    import time

    if not isinstance(after_rev, int) or isinstance(after_rev, bool) or after_rev < 0:
        raise InvalidValueError("after_rev must be a revision: an integer of 0 or more")
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        raise InvalidValueError("limit must be an integer of 1 or more")
    seconds = wait_seconds(wait)
    deadline = None if seconds is None else time.monotonic() + seconds
    pause = 0.001
    while True:
        found: tuple[Change, ...] = yield Work(lambda: with_snapshot(engine, scope, lambda s: _changes(s, after_rev)))
        left = 0.0 if deadline is None else deadline - time.monotonic()
        if found or left <= 0:
            return found if limit is None else _whole_entries(found, limit)
        yield Pause(min(pause, left), engine.store.wait_for_commit)
        pause = min(pause * 2, 0.05)


def _whole_entries(found: Sequence[Change], limit: int) -> tuple[Change, ...]:
    """Cut after ``limit`` changes, but never inside an entry: the last rev is the next ``after_rev``."""
    if len(found) <= limit:
        return tuple(found)
    last = found[limit - 1].rev
    return tuple(change for change in found if change.rev <= last)


def _changes(snapshot: Snapshot, after_rev: int) -> tuple[Change, ...]:
    head, registry = snapshot.head, snapshot.registry
    if head is None or after_rev >= head.rev:
        return ()
    entries = list(snapshot.reader.entries(head.id, after_rev))
    view = FactView(head.scope.tag, registry, snapshot.moment)
    if any(entry.extraction > 1 for entry in entries) or not snapshot.is_projected:
        return _from_log(snapshot, view, after_rev)
    found: list[Change] = []
    for slot in _touched(snapshot, entries):
        found += _of_slot(snapshot, view, slot, entries)
    return _in_order(found)


def _touched(snapshot: Snapshot, entries: Iterable[Entry]) -> list[SlotRow]:
    head, reader = snapshot.head, snapshot.reader
    assert head is not None
    seqs = sorted({entry.seq for entry in entries if entry.kind is not EntryKind.SKIP})
    ids = sorted({row.slot for seq in seqs for row in reader.claims_of(head.id, seq)})
    found = (reader.slot_by_id(head.id, id) for id in ids)
    return [slot for slot in found if slot is not None and snapshot.registry.predicate(slot.predicate) is not None]


def _of_slot(snapshot: Snapshot, view: FactView, slot: SlotRow, entries: Sequence[Entry]) -> list[Change]:
    head = snapshot.head
    assert head is not None
    predicate = view.predicate(slot)
    claims = [rows.claim_of(row) for row in snapshot.reader.claims(head.id, slot.id) if not rows.is_amendment(row)]
    amendments = [rows.amendment_of(row) for row in snapshot.reader.claims(head.id, slot.id) if rows.is_amendment(row)]
    live = [claim for claim in claims if claim.outcome is not Outcome.REFUSED]
    return _by_entry(view, slot, SlotLog(predicate.is_many, live, amendments), entries)


def _by_entry(view: FactView, slot: SlotRow, log: SlotLog, entries: Sequence[Entry]) -> list[Change]:
    """Fold the slot before and after each entry that speaks of it."""
    revs = {item.rev for item in (*log.claims, *log.amendments)}
    concerned = [entry for entry in entries if entry.rev in revs]
    found: list[Change] = []
    if not concerned:
        return found
    before = _rows_at(log, slot, concerned[0].rev - 1)
    for entry in concerned:
        after = _rows_at(log, slot, entry.rev)
        found += changes_between(view, slot, before, after, entry)
        before = after
    return found


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


