"""From an id to what it stands for now: any claim's id, of old extractions too, stands for the fact it supports."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..core.admission import admit
from ..core.fold import Run, SlotFold, SlotLog, Stated, Waiting
from ..core.ids import Reference, parse_id
from ..core.registry import Registry
from ..core.rulings import said_of
from ..core.shape import Shaper
from ..errors import UnknownFactError
from ..model.claim import Claim, ClaimId, Correction, Outcome
from ..model.entry import EntryKind
from ..model.predicate import Predicate
from ..model.scope import Scope
from ..ports import Head, Reader, SlotRow
from . import rows
from .core import Engine, described
from .project import read_fold
from .rules import forgotten_in


@dataclass(frozen=True, slots=True)
class Found:
    """What an id stands for: a shown run, something that waits, a statement, or what was corrected before."""

    id: str
    slot: SlotRow
    fold: SlotFold
    log: SlotLog
    shaper: Shaper
    run: Run | None = None
    waiting: Waiting | None = None
    stated: Stated | None = None
    corrected: Correction | None = None
    hidden: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Within:
    """Whose ids a verb accepts: of the handle's namespace, and of one user or one scope where it names them."""

    user_id: str | None = None
    agent_id: str | None = None
    namespace: str | None = None


def scope_of_id(engine: Engine, reader: Reader, fact_id: object, within: Within) -> tuple[Scope, Reference]:
    """Give the scope an id finds; raises UnknownFactError where there is none, or it is not this handle's."""
    reference = parse_id(fact_id) if isinstance(fact_id, str) else None
    if reference is None:
        raise UnknownFactError(f"{described(fact_id)} is not an id; use one printed by state(), history() or context()")
    scope = reader.scope_of_tag(reference.tag)
    if scope is None or not _is_ours(engine, scope, within):
        raise UnknownFactError(f"no fact {fact_id}; use an id printed by state(), history() or context()")
    return scope, reference


def _is_ours(engine: Engine, scope: Scope, within: Within) -> bool:
    return (
        scope.namespace == (engine.namespace if within.namespace is None else within.namespace)
        and scope.user_id != ""
        and within.user_id in (None, scope.user_id)
        and within.agent_id in (None, scope.agent_id)
    )


def find(reader: Reader, head: Head, registry: Registry, fact_id: str, reference: Reference, moment: int) -> Found:
    """Find what an id stands for; raises UnknownFactError."""
    slot, key = slot_of(reader, head, registry, reference)
    if slot is None:
        slot = _slot_of_corrected(reader, head, fact_id)
    if slot is None:
        raise UnknownFactError(f"no fact {fact_id}; use an id printed by state(), history() or context()")
    fold, log = read_fold(reader, head.id, slot, registry)
    predicate = registry.predicate(slot.predicate) or Predicate(slot.predicate)
    shaper = Shaper(head.scope.tag, slot.subject, predicate, registry, moment)
    found = Found(fact_id, slot, fold, log, shaper)
    matched = _match_exactly(found) or _match_claim(found, reference, key)
    if matched is None:
        raise UnknownFactError(f"no fact {fact_id}; use an id printed by state(), history() or context()")
    return matched


def slot_of(reader: Reader, head: Head, registry: Registry, reference: Reference) -> tuple[SlotRow | None, str | None]:
    """Give the slot of a claim, and its value's key where the claim is an old extraction's."""
    claim = reference.claim
    for row in reader.claims_of(head.id, claim.seq):
        if (row.extraction, row.number) == (claim.extraction, claim.number):
            return reader.slot_by_id(head.id, row.slot), None
    message = reader.episode(head.id, claim.seq)
    for entry in reader.settlements(head.id, claim.seq):
        if entry.kind is not EntryKind.EXTRACTION or entry.extraction != claim.extraction or message is None:
            continue
        operations = entry.body.get("ops", ())
        if claim.number < len(operations):
            said = said_of(entry, message, forgotten_in(reader, head))
            ruling = admit(operations[claim.number], claim.number, said, registry)
            return reader.slot(head.id, ruling.subject_key, ruling.predicate_key), ruling.claim.key or ""
    return None, None


def _slot_of_corrected(reader: Reader, head: Head, fact_id: str) -> SlotRow | None:
    """Give the slot of a corrected fact whose first claim was erased since: it still goes by that claim's id."""
    for number in reader.slots_with_values(head.id, []):  # those with corrections are among them
        amendments = [rows.amendment_of(row) for row in reader.claims(head.id, number) if rows.is_amendment(row)]
        if any(isinstance(one, Correction) and one.target == fact_id for one in amendments):
            return reader.slot_by_id(head.id, number)
    return None


def _match_exactly(found: Found) -> Found | None:
    shaper, fold, id = found.shaper, found.fold, found.id
    for run in fold.runs:
        if shaper.run_id(run) == id:
            return _with(found, run=run)
    for waiting in (*fold.candidates, *fold.plans):
        if shaper.of_waiting(waiting).id == id:
            return _with(found, waiting=waiting)
    for correction in reversed(fold.corrected):
        if correction.target == id:
            return _with(found, corrected=correction)
    return None


def _match_claim(found: Found, reference: Reference, key: str | None) -> Found | None:
    """Match by a claim: the run it supports, what it waits in, the statement it is, or what voided it."""
    fold, wanted = found.fold, reference.claim

    def is_wanted(claim: Claim) -> bool:
        if key is not None:
            return claim.id.seq == wanted.seq and claim.key == key
        return claim.id == wanted

    runs = [run for run in fold.runs if any(is_wanted(claim) for claim in run.claims)]
    if runs:
        return _with(found, run=_nearest(runs, reference, found.log))
    for waiting in (*fold.candidates, *fold.plans, *fold.rejected):
        if any(is_wanted(claim) for claim in waiting.claims):
            return _with(found, waiting=waiting, corrected=waiting.corrected)
    for stated in fold.statements:
        if is_wanted(stated.claim):
            return _with(found, stated=stated, corrected=stated.corrected)
    for correction in reversed(fold.corrected):
        if wanted in correction.shown:
            return _with(found, corrected=correction)
    replacements = (a.replacement for a in found.log.amendments if isinstance(a, Correction))
    everything = (*found.log.claims, *(claim for claim in replacements if claim is not None))
    hidden = [claim for claim in everything if is_wanted(claim) and claim.outcome is not Outcome.REFUSED]
    return _with(found, hidden=tuple(hidden)) if hidden else None


def _nearest(runs: list[Run], reference: Reference, log: SlotLog) -> Run:
    """Of the runs a claim supports, give the one an id means: where its start stood, else where the claim starts."""
    start = reference.start
    if start is None:
        start = next((claim.start for claim in log.claims if claim.id == reference.claim), runs[0].start)
    inside = [run for run in runs if run.start <= start and (run.end is None or start < run.end)]
    later = [run for run in runs if run.start >= start]
    return (inside or later or runs[-1:])[0]


def _with(found: Found, **changes: object) -> Found:
    return replace(found, **changes)  # type: ignore[arg-type]


def shown_claims(run: Run) -> tuple[ClaimId, ...]:
    """Give the claims that support a run."""
    return tuple(claim.id for claim in run.claims)

