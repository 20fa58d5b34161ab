"""Appending in order: the newest statement on the newest time, without reading the rest of its slot.

The conditions are those under which no claim of the slot can be later evidence against the new one, no amendment
speaks of it, and at most one run reaches past its start. The rows it writes are those a refold would write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from ..core.fold import Ending
from ..model.claim import Claim, ClaimKind, Outcome
from ..model.moment import FOREVER
from ..ports import NEVER, FactRow, SlotRow
from . import rows

if TYPE_CHECKING:
    from .project import Touched


class Runs(Protocol):
    """What an append needs of a store: the runs that are shown late, and a place for those that it changes."""

    def tail(self, scope_id: int, slot: int, after: int) -> list[FactRow]:
        """Give a slot's runs that end after a moment."""

    def put_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        """Keep rows; one with the same (slot, kind, key, start) is replaced."""


def append_claim(tx: Runs, scope_id: int, touched: Touched, claim: Claim, *, many: bool) -> bool:
    """Append a claim if it is in order; tells whether it did. Nothing is written where it is not."""
    slot = touched.slot
    if not _is_in_order(slot, claim, many):
        return False
    # From just before the start: a run that ends exactly there is joined, or superseded, by the new one.
    runs = tx.tail(scope_id, slot.id, claim.start - 1)
    if claim.kind is ClaimKind.REPLACE:
        return _append_replacement(tx, scope_id, touched, claim, runs)
    if many:
        runs = [run for run in runs if run.key == claim.key]
    if len(runs) > 1 or any(run.end == claim.start for run in runs):
        return False
    run = runs[0] if runs else None
    changed = _state(run, claim, slot.id) if claim.kind is ClaimKind.VALUE else _retract(run, claim)
    if changed is None:
        return False
    touched.before = [run] if run is not None else []
    touched.after = changed or touched.before
    if changed:
        tx.put_facts(scope_id, changed)
    elif claim.key is not None:
        slot.whole = False  # of a value that was retracted without being shown a history may tell
    _move_on(slot, claim, touched.before)
    return True


def _append_replacement(
    tx: Runs, scope_id: int, touched: Touched, claim: Claim, runs: list[FactRow]
) -> bool:
    """A REPLACE in order: its values go on or begin, every other one ends. Runs with an end ahead need the fold."""
    if claim.end is not None or any(run.end != FOREVER for run in runs):
        return False
    held = {run.key: run for run in runs}
    ending = Ending.SUPERSEDED if claim.values else Ending.RETRACTED
    brought = {value.key for _, value in claim.parts}
    changed = [_cut(run, claim, ending) for run in runs if run.key not in brought]
    for id, value in claim.parts:
        part = replace(claim, id=id, kind=ClaimKind.VALUE, value=value, values=())
        run = held.get(value.key)
        slot = touched.slot.id
        changed.append(fresh_run(part, slot, FOREVER) if run is None else _joined(run, part, FOREVER))
    touched.before, touched.after = runs, changed
    if changed:
        tx.put_facts(scope_id, changed)
    _move_on(touched.slot, claim, runs)
    return True


def _move_on(slot: SlotRow, claim: Claim, before: Sequence[FactRow]) -> None:
    if slot.ordered_from == NEVER or claim.end is not None or any(run.end != FOREVER for run in before):
        slot.ordered_from = claim.rev  # an end that only time brings: what follows may begin before it, or behind
    slot.horizon = max(slot.horizon, claim.through)
    slot.last_said, slot.last_seq = claim.said_at, claim.id.seq
    slot.last_rev = max(slot.last_rev, claim.rev)


def _is_in_order(slot: SlotRow, claim: Claim, many: bool) -> bool:
    return (
        slot.plain
        and claim.outcome is Outcome.ADMITTED
        and (claim.kind in (ClaimKind.VALUE, ClaimKind.RETRACT) or (many and claim.kind is ClaimKind.REPLACE))
        and claim.rank == 0
        and not claim.stated_end
        and claim.range_stop is None
        and claim.start > slot.horizon
        and claim.said_at > slot.last_said
        and claim.id.seq > slot.last_seq
        and not (many and claim.key is None and claim.kind is not ClaimKind.REPLACE)
    )


def _state(run: FactRow | None, claim: Claim, slot: int) -> list[FactRow] | None:
    end = FOREVER if claim.end is None else claim.end
    if run is not None and run.end > end:
        return None
    if run is not None and run.key == claim.key:
        return [_joined(run, claim, end)]
    fresh = fresh_run(claim, slot, end)
    return [fresh] if run is None else [_cut(run, claim, Ending.SUPERSEDED), fresh]


def _retract(run: FactRow | None, claim: Claim) -> list[FactRow] | None:
    if run is None or claim.key not in (None, run.key):
        return []
    return [_cut(run, claim, Ending.RETRACTED)]


def fresh_run(claim: Claim, slot: int, end: int) -> FactRow:
    """Give the run that a claim begins."""
    body = [
        list(claim.id), True, claim.value.stored if claim.value else None, claim.recorded_at - claim.start, claim.rev,
        claim.said_at - claim.start, rows.evidence_of([claim], claim.start),
        "" if end == FOREVER else Ending.EXPIRED.value[0], None,
        claim.grain, False, claim.confidence, claim.paraphrased, [], 1,
    ]  # fmt: skip
    return FactRow(slot, 0, claim.key or "", claim.start, end, rows.shorten_run(body))


def _joined(run: FactRow, claim: Claim, end: int) -> FactRow:
    """The same value again: newer evidence for the run, and its spelling is the one shown."""
    body = rows.short_run_body(run)
    evidence = [*body[6], *rows.evidence_of([claim], run.start)]
    if len(evidence) > rows.EVIDENCE_SHOWN:
        del evidence[1]
    body[2] = claim.value.stored if claim.value else None
    body[5] = max(body[5], claim.said_at - run.start)
    body[6] = evidence
    body[7] = "" if end == FOREVER else Ending.EXPIRED.value[0]
    body[11] = max(body[11], claim.confidence)
    body[12] = body[12] and claim.paraphrased
    body[14] += 1
    return FactRow(run.slot, 0, run.key, run.start, end, rows.shorten_run(body))


def _cut(run: FactRow, claim: Claim, ending: Ending) -> FactRow:
    body = rows.short_run_body(run)
    body[7], body[8] = ending.value[0], list(claim.id)
    return FactRow(run.slot, 0, run.key, run.start, claim.start, rows.shorten_run(body))
