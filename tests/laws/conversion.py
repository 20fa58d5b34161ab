"""From the oracle's statements to the library's claims."""

from __future__ import annotations

from tensemem.core.fold import SlotLog, fold_slot
from tensemem.model.claim import (
    Amendment,
    Claim,
    ClaimId,
    ClaimKind,
    Correction,
    Held,
    Reinstatement,
)
from tests.oracle.fold import HORIZON, Fix, History, Run, St

_KINDS = {
    "value": ClaimKind.VALUE,
    "retract": ClaimKind.RETRACT,
    "deny": ClaimKind.DENY,
    "confirm": ClaimKind.CONFIRM,
    "replace": ClaimKind.REPLACE,
}


def claim_of(st: St) -> Claim:
    """One statement as a claim."""
    start = st.said if st.start is None else st.start
    through = st.said if st.through is None else st.through
    if st.kind == "confirm":
        start = through = st.said
    end = st.end if st.end is not None else st.expires
    return Claim(
        id=ClaimId(st.seq, 0, st.index),
        kind=_KINDS[st.kind],
        rank=st.rank,
        said_at=st.said,
        start=start,
        through=through,
        end=end if st.kind in ("value", "confirm", "replace") else None,
        stated_end=st.end is not None,
        range_stop=st.range_stop,
        value=None if st.value is None else Held(st.value, st.value),
        values=tuple(Held(value, value) for value in sorted(st.values)),
    )


def log_of(history: History) -> SlotLog:
    """A whole history as a slot's log; the statements with a correction's seq are its replacement."""
    fixed = {fix.seq for fix in history.fixes}
    by_id = {(st.seq, st.index): st for st in history.sts}
    claims = [claim_of(st) for st in history.sts if st.seq not in fixed]
    amendments: list[Amendment] = []
    for fix in history.fixes:
        replacement = by_id.get((fix.seq, 0))
        amendments.append(_correction(fix, by_id, None if replacement is None else claim_of(replacement)))
    amendments += [Reinstatement(undo.seq, undo.fix_seq) for undo in history.undos]
    return SlotLog(history.many, claims, amendments)


def _correction(fix: Fix, by_id: dict[tuple[int, int], St], replacement: Claim | None) -> Correction:
    if fix.target is None:
        held = None if fix.value is None else Held(fix.value, fix.value)
        return Correction(fix.seq, fix.said, f"f{fix.seq}", held, fix.start, fix.end, replacement=replacement)
    target = claim_of(by_id[fix.target])
    return Correction(
        fix.seq, fix.said, f"f{fix.seq}", target.value, target.start, None, (target.id,), statement=target.kind
    )


def runs_of(history: History) -> list[Run]:
    """The runs the library gives, in the oracle's form; what begins at the horizon or later is for ever."""
    found = fold_slot(log_of(history)).runs
    shown = [Run(run.value.key, run.start, None if _is_open(run.end) else run.end) for run in found]
    return sorted((run for run in shown if run.start <= HORIZON), key=lambda run: (run.start, run.value))


def _is_open(end: int | None) -> bool:
    return end is None or end > HORIZON
