"""What a transaction changed, told from the rows of the slots it touched.

A receipt is made from what the transaction saw; nothing is read later, and nothing is worked out before it is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.admission import Ruling
from ..core.findings import as_proposed
from ..core.ids import format_id
from ..model.claim import Claim, ClaimId, ClaimKind, Outcome
from ..model.entry import Entry
from ..model.moment import FOREVER, to_datetime
from ..model.receipts import Change, Decision, WriteOutcome, WriteResult
from ..ports import FactRow, Head, Reader, SlotRow
from . import rows
from .factview import FactView
from .project import Touched

Where = tuple[str, int]
"""A run's place in its slot: its value's key, and its start."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A slot as a transaction saw it: some of its runs before and after, those that show now among them."""

    slot: SlotRow
    before: Sequence[FactRow]
    after: Sequence[FactRow]


def see(reader: Reader, head: Head, touched: Touched, moment: int) -> Seen:
    """Give what a receipt needs of a touched slot: the rows that changed, and those that show now."""
    if any(row.kind == 0 and row.start <= moment < row.end for row in touched.after):
        return Seen(touched.slot, touched.before, touched.after)
    known = {(row.kind, row.key, row.start) for row in (*touched.before, *touched.after)}
    live = reader.tail(head.id, touched.slot.id, moment)
    live = [row for row in live if (row.kind, row.key, row.start) not in known]
    return Seen(touched.slot, [*touched.before, *live], [*touched.after, *live])


@dataclass(frozen=True, slots=True)
class Receipt:
    """Tells what an entry's operations did."""

    view: FactView
    entry: Entry
    rulings: Sequence[Ruling]
    seen: Sequence[Seen]

    def result(self, durability: str, redactions: Mapping[str, int], *, duplicate: bool = False) -> WriteResult:
        """Give the receipt, to be told when it is asked."""
        return WriteResult(
            self.entry.seq, self.entry.rev, self._outcome, redactions=redactions, durability=durability,
            duplicate=duplicate,
        )  # fmt: skip

    def _outcome(self) -> WriteOutcome:
        by_keys = {(one.slot.subject_key, one.slot.predicate_key): one for one in self.seen}
        first = self.rulings[0]
        shown, slot = self._shown(first, by_keys.get((first.subject_key, first.predicate_key)))
        tag, operations = self.view.tag, self.entry.body.get("ops", ())
        return WriteOutcome(
            fact_ids=tuple(
                id for r in self.rulings for id in self._fact_ids(r, by_keys.get((r.subject_key, r.predicate_key)))
            ),
            current=_is_current(first.claim, shown),
            shown=None if shown is None or slot is None else self.view.of_row(shown, slot),
            changes=changes_of(self.view, self.seen, self.entry),
            decisions=tuple(
                decision_of(tag, r, operations[r.claim.id.number], self._note(r)) for r in self.rulings
            ),
        )

    def _note(self, ruling: Ruling) -> str:
        """Tell that a retraction changed nothing."""
        keys = (ruling.subject_key, ruling.predicate_key)
        seen = [one for one in self.seen if (one.slot.subject_key, one.slot.predicate_key) == keys]
        wanted = ruling.claim.key
        ended = (row for one in seen for row in one.before if row not in one.after and wanted in (None, row.key))
        return "retract_mismatch" if ruling.claim.kind is ClaimKind.RETRACT and not any(True for _ in ended) else ""

    def _fact_ids(self, ruling: Ruling, seen: Seen | None) -> list[str]:
        """Give the ids of the facts a claim supports now, one for each value it states; else the claim's own."""
        claim = ruling.claim
        if not claim.values:
            return [self._fact_id(claim, claim.key, claim.id, seen)]
        parts = ((value.key, id) for id, value in claim.parts)
        return [self._fact_id(claim, key, id, seen) for key, id in parts]

    def _fact_id(self, claim: Claim, key: str | None, id: ClaimId, seen: Seen | None) -> str:
        row = None if seen is None else _row_of(claim, key, seen.after)
        return format_id(self.view.tag, id) if row is None else self.view.id_of(row)

    def _shown(self, ruling: Ruling, seen: Seen | None) -> tuple[FactRow | None, SlotRow | None]:
        """Give the run shown now in the slot of an operation; in a many-valued slot the one of its value."""
        if seen is None:
            return None, None
        predicate, claim = self.view.predicate(seen.slot), ruling.claim
        wanted = claim.key if predicate.is_many and claim.value is not None else None
        if wanted is None and claim.values:
            wanted = claim.values[0].key
        for row in seen.after:
            if row.kind == 0 and row.start <= self.view.moment < row.end and wanted in (None, row.key):
                return row, seen.slot
        return None, seen.slot


def _row_of(claim: Claim, key: str | None, after: Iterable[FactRow]) -> FactRow | None:
    if claim.kind not in (ClaimKind.VALUE, ClaimKind.CONFIRM, ClaimKind.REPLACE):
        return None
    runs = [row for row in after if row.kind == 0 and row.key == key]
    at_start = [row for row in runs if row.start <= claim.start < row.end]
    return next((row for row in (*at_start, *runs) if _carries(row, claim)), None)


def _carries(row: FactRow, claim: Claim) -> bool:
    return any(evidence[0] == claim.id.seq for evidence in rows.short_run_body(row)[6])


def _is_current(claim: Claim, shown: FactRow | None) -> bool:
    """Tell whether what was written is shown now: the value, or the absence of a retracted one."""
    if claim.kind in (ClaimKind.RETRACT, ClaimKind.DENY):
        return shown is None or (claim.key is not None and shown.key != claim.key)
    if claim.kind is ClaimKind.REPLACE and not claim.values:
        return shown is None
    keys = {claim.key, *(value.key for value in claim.values)}
    return shown is not None and shown.key in keys


def decision_of(tag: str, ruling: Ruling, operation: Mapping[str, Any], note: str = "") -> Decision:
    """Give what became of an operation."""
    claim = ruling.claim
    refused = claim.outcome is Outcome.REFUSED
    return Decision(
        seq=claim.id.seq,
        outcome=claim.outcome.value,
        reason=claim.reason or note or ("paraphrased" if claim.paraphrased else ""),
        claim_id=None if refused else format_id(tag, claim.id),
        operation={} if claim.reason == "forgotten" else as_proposed(operation),
        message=ruling.message,
    )


def changes_of(view: FactView, seen: Iterable[Seen], entry: Entry) -> tuple[Change, ...]:
    """Give every value that changed in the touched slots."""
    found: list[Change] = []
    for one in seen:
        found += changes_between(view, one.slot, one.before, one.after, entry)
    return tuple(found)


def changes_between(
    view: FactView, slot: SlotRow, before: Sequence[FactRow], after: Sequence[FactRow], entry: Entry
) -> list[Change]:
    """Give the changes from some runs of a slot to others: values that began, ended, or hold over other times."""
    old = {(row.key, row.start): row for row in before if row.kind == 0}
    new = {(row.key, row.start): row for row in after if row.kind == 0}
    found: list[Change] = []
    moved = _moved(old, new)
    for where, row in old.items():
        if where not in new and where not in moved:
            found.append(_change(view, slot, row, "ended", entry))
    for where, row in new.items():
        known = old.get(where)
        if where in moved.values():
            found.append(_change(view, slot, row, "moved", entry))
        elif known is None:
            found.append(_change(view, slot, row, "began", entry))
        elif known.end != row.end:
            kind = "ended" if known.end == FOREVER else "began" if row.end == FOREVER else "moved"
            found.append(_change(view, slot, row, kind, entry))
    return sorted(found, key=lambda change: (change.kind != "ended", str(change.valid_from), change.fact_id))


def _moved(old: Mapping[Where, FactRow], new: Mapping[Where, FactRow]) -> dict[Where, Where]:
    """Pair runs of one fact (one value, first stated by one claim) that start at another time now."""
    come = {(row.key, tuple(rows.short_run_body(row)[0])): where for where, row in new.items() if where not in old}
    pairs = ((where, come.get((row.key, tuple(rows.short_run_body(row)[0])))) for where, row in old.items())
    return {before: after for before, after in pairs if before not in new and after is not None}


def _change(view: FactView, slot: SlotRow, row: FactRow, kind: str, entry: Entry) -> Change:
    unknown = rows.short_run_body(row)[10]
    return Change(
        rev=entry.rev,
        kind=kind,
        subject=slot.subject,
        predicate=view.predicate(slot).name,
        value=view.value(row, slot),
        fact_id=view.id_of(row),
        valid_from=None if unknown else to_datetime(row.start),
        valid_to=None if row.end == FOREVER else to_datetime(row.end),
        why=entry.kind.value,
        seq=entry.seq,
        reason=entry.body.get("reason"),
    )
