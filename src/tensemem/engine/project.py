"""Projecting entries: from the log to claims, and from claims to the runs a slot shows.

``Projection`` applies entries of one scope inside one transaction. A claim that is stated after all others of its
slot, and speaks of a later time than any of them, is appended to the runs; anything else refolds its slot. Both give
the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..core.admission import Ruling, has_slot
from ..core.amendments import amendment_in
from ..core.fold import SlotFold, SlotLog, fold_slot
from ..core.forgotten import Forgotten
from ..core.registry import Registry
from ..core.rulings import rulings_of
from ..model.claim import Amendment, Claim, Outcome
from ..model.entry import Entry, EntryKind
from ..ports import ClaimRow, FactRow, Head, Reader, SlotRow, Writer
from . import rows
from .append import append_claim
from .rules import forgotten_in
from .shortcuts import is_whole_history, ordered_from

AMENDING = (EntryKind.CORRECTION, EntryKind.REINSTATEMENT, EntryKind.REVIEW)


@dataclass(slots=True)
class Touched:
    """One slot this transaction touched: its rows before and after, and the claims that were added."""

    slot: SlotRow
    added: list[Claim] = field(default_factory=list)
    refold: bool = False
    renamed: bool = False
    before: list[FactRow] = field(default_factory=list)
    after: list[FactRow] = field(default_factory=list)


class Projection:
    """Applies entries to a scope's slots; ``finish`` writes the runs and tells what it touched."""

    def __init__(self, tx: Writer, head: Head, registry: Registry) -> None:
        self._tx, self._head, self._registry = tx, head, registry
        self._touched: dict[tuple[str, str], Touched] = {}
        self._claims: list[ClaimRow] = []

    @cached_property
    def forgotten(self) -> Forgotten | None:
        """What may not come back in the scope; looked up where an entry is applied that may be of the time before."""
        return forgotten_in(self._tx, self._head)

    def apply(self, entry: Entry, message: Entry | None = None) -> list[Ruling]:
        """Apply one entry; for an extraction ``message`` is the message it was made of."""
        if entry.kind in AMENDING:
            self._amend(entry)
            return []
        rulings = rulings_of(entry, message, self._registry, self.forgotten)
        self.apply_rulings(rulings)
        return rulings

    def apply_rulings(self, rulings: Iterable[Ruling]) -> None:
        """Apply operations that were ruled on already."""
        for ruling in rulings:
            if has_slot(ruling):
                self._add(ruling)

    def finish(self) -> list[Touched]:
        """Write claims, runs and slots; give the touched slots with their rows before and after."""
        if self._claims:
            self._tx.put_claims(self._head.id, self._claims)
        for touched in self._touched.values():
            self._settle(touched)
        return list(self._touched.values())

    def touch(self, slot: SlotRow) -> Touched:
        """Mark a slot for refolding."""
        touched = self._touched.setdefault((slot.subject_key, slot.predicate_key), Touched(slot))
        touched.refold = True
        return touched

    def _add(self, ruling: Ruling) -> None:
        touched = self._slot(ruling.subject_key, ruling.subject, ruling.predicate_key, ruling.predicate)
        place = rows.place_of(ruling.claim.id)
        if place < touched.slot.named_at:
            touched.slot.subject, touched.slot.named_at, touched.renamed = ruling.subject, place, True
        touched.added.append(ruling.claim)
        self._claims.append(rows.claim_row(touched.slot.id, ruling.claim))

    def _amend(self, entry: Entry) -> None:
        subject_key, subject, predicate_key, predicate, amendment = amendment_in(entry, self._registry, self._of(entry))
        touched = self._slot(subject_key, subject, predicate_key, predicate)
        touched.refold = True
        self._claims.append(rows.amendment_row(touched.slot.id, amendment))

    def _of(self, entry: Entry) -> Forgotten | None:
        """Only a value stated instead is asked about: what other amendments speak of is gone with its claims."""
        return self.forgotten if "new" in entry.body else None

    def _slot(self, subject_key: str, subject: str, predicate_key: str, predicate: str) -> Touched:
        keys = (subject_key, predicate_key)
        touched = self._touched.get(keys)
        if touched is None:
            slot = self._tx.slot(self._head.id, *keys)
            if slot is None:
                fresh = SlotRow(0, *keys, subject, predicate, ordered_from=0, whole=True)
                slot = self._tx.add_slot(self._head.id, fresh)
            touched = self._touched[keys] = Touched(slot)
        return touched

    def _settle(self, touched: Touched) -> None:
        many = is_many(self._registry, touched.slot)
        pending = [claim for claim in touched.added if claim.outcome is not Outcome.REFUSED]
        if len(pending) == 1 and not touched.refold:
            touched.refold = not append_claim(self._tx, self._head.id, touched, pending[0], many=many)
        elif pending:
            touched.refold = True
        if touched.refold:
            refold(self._tx, self._head.id, touched, many=many)
        if touched.refold or touched.renamed or pending:
            self._tx.save_slot(self._head.id, touched.slot)


def is_many(registry: Registry, slot: SlotRow) -> bool:
    """Tell whether a slot takes several values at a time."""
    predicate = registry.predicate(slot.predicate)
    return predicate is not None and predicate.is_many


def slot_log(claim_rows: Sequence[ClaimRow], *, many: bool) -> SlotLog:
    """Read a slot's rows."""
    claims = [rows.claim_of(row) for row in claim_rows if not rows.is_amendment(row)]
    amendments: list[Amendment] = [rows.amendment_of(row) for row in claim_rows if rows.is_amendment(row)]
    return SlotLog(many, [claim for claim in claims if claim.outcome is not Outcome.REFUSED], amendments)


def read_fold(reader: Reader, scope_id: int, slot: SlotRow, registry: Registry) -> tuple[SlotFold, SlotLog]:
    """Fold a slot from its rows."""
    log = slot_log(reader.claims(scope_id, slot.id), many=is_many(registry, slot))
    return fold_slot(log), log


def refold(tx: Writer, scope_id: int, touched: Touched, *, many: bool) -> None:
    """Fold a slot anew from all its claims, and write what differs."""
    log = slot_log(tx.claims(scope_id, touched.slot.id), many=many)
    fold = fold_slot(log)
    wanted = rows.fact_rows(touched.slot.id, fold.runs, (*fold.candidates, *fold.plans))
    touched.before = tx.facts(scope_id, touched.slot.id)
    touched.after = wanted
    write_difference(tx, scope_id, touched.before, wanted)
    summarise(touched.slot, log, fold)


def write_difference(tx: Writer, scope_id: int, before: Sequence[FactRow], wanted: Sequence[FactRow]) -> None:
    """Put what is new or changed, drop what is gone."""
    known: Mapping[tuple[int, int, str, int], FactRow] = {(r.slot, r.kind, r.key, r.start): r for r in before}
    fresh = {(r.slot, r.kind, r.key, r.start): r for r in wanted}
    gone = [row for where, row in known.items() if where not in fresh]
    changed = [row for where, row in fresh.items() if known.get(where) != row]
    if gone:
        tx.drop_facts(scope_id, gone)
    if changed:
        tx.put_facts(scope_id, changed)


def summarise(slot: SlotRow, log: SlotLog, fold: SlotFold) -> None:
    """Set what a slot's row says of its claims, so that the next in-order claim can be appended."""
    slot.horizon, slot.last_said, slot.last_seq = -(2**62), -(2**62), 0
    slot.last_rev = max([one.rev for one in (*log.claims, *log.amendments)], default=0)
    if log.claims:
        slot.horizon = max([max(claim.start, claim.through) for claim in log.claims])
        slot.last_said = max([claim.said_at for claim in log.claims])
        slot.last_seq = max([claim.id.seq for claim in log.claims])
    for amendment in log.amendments:
        slot.last_said = max(slot.last_said, amendment.said_at)
        slot.horizon = max(slot.horizon, amendment.said_at)  # what a review accepts vouches for that moment
        slot.last_seq = max(slot.last_seq, amendment.seq)
        replacement = getattr(amendment, "replacement", None)
        if replacement is not None:
            slot.horizon = max(slot.horizon, replacement.start, replacement.through)
    for run in fold.runs:  # what a correction left over of a claim may show later than anything is stated
        slot.horizon = max(slot.horizon, run.complete)
    ranked = any(claim.rank for claim in log.claims)
    slot.plain = not (ranked or fold.candidates or fold.plans)
    mark(slot, log, fold)


def mark(slot: SlotRow, log: SlotLog, fold: SlotFold) -> None:
    """Set what spares reads of a slot's history the fold."""
    slot.ordered_from, slot.whole = ordered_from(log), is_whole_history(log, fold)
