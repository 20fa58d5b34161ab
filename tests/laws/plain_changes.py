"""Every change of a scope, worked out plainly: each slot an entry speaks of is folded anew before and after it.

Slow, and no cleverer than the meaning of the word: what the engine tells must be this, to the last field.
"""

from __future__ import annotations

from tensemem.core.fold import SlotLog, fold_slot
from tensemem.engine import rows
from tensemem.engine.factview import FactView
from tensemem.engine.project import slot_log
from tensemem.engine.receipts import changes_between
from tensemem.engine.state import Snapshot
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.results import Change
from tensemem.ports import FactRow, SlotRow

SILENT = (EntryKind.MESSAGE, EntryKind.SKIP, EntryKind.ERASURE)


def changes_folded(snapshot: Snapshot, after_rev: int, limit: int | None) -> list[Change] | None:
    """Give the changes after a revision, ``limit`` of them and the rest of an entry; None where messages that were
    read again since have other claims now than the log told then.
    """
    head, reader = snapshot.head, snapshot.reader
    if head is None:
        return []
    if reader.extracted_again(head.id, after_rev):
        return None
    view = FactView(head.scope.tag, snapshot.registry, snapshot.moment)
    found: list[Change] = []
    for entry in reader.entries(head.id, after_rev):
        if limit is not None and len(found) >= limit:
            break
        found += [] if entry.kind in SILENT else _of_entry(snapshot, view, entry)
    found.sort(key=lambda c: (c.rev, c.subject, c.predicate, c.kind != "ended", c.fact_id))
    if limit is None or len(found) <= limit:
        return found
    return [change for change in found if change.rev <= found[limit - 1].rev]


def _of_entry(snapshot: Snapshot, view: FactView, entry: Entry) -> list[Change]:
    head, reader = snapshot.head, snapshot.reader
    assert head is not None
    stated = [row for row in reader.claims_of(head.id, entry.seq) if row.extraction == entry.extraction]
    found: list[Change] = []
    for id in sorted({row.slot for row in stated}):
        slot = reader.slot_by_id(head.id, id)
        if slot is not None and snapshot.registry.predicate(slot.predicate) is not None:
            before, after = (_rows_at(snapshot, slot, rev) for rev in (entry.rev - 1, entry.rev))
            found += changes_between(view, slot, before, after, entry)
    return found


def _rows_at(snapshot: Snapshot, slot: SlotRow, rev: int) -> list[FactRow]:
    head, predicate = snapshot.head, snapshot.registry.predicate(slot.predicate)
    assert head is not None
    assert predicate is not None
    log = slot_log(snapshot.reader.claims(head.id, slot.id), many=predicate.is_many)
    claims = [claim for claim in log.claims if claim.rev <= rev]
    amendments = [amendment for amendment in log.amendments if amendment.rev <= rev]
    return rows.fact_rows(slot.id, fold_slot(SlotLog(log.many, claims, amendments)).runs, ())
