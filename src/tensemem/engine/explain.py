"""Explaining a fact: the chain from the words to what is shown, and what happened to it since."""

from __future__ import annotations

from ..core.findings import GONE
from ..core.fold import Run
from ..core.ids import format_id
from ..core.shape import history_of
from ..errors import UnknownFactError
from ..model.claim import Claim, ClaimKind, Correction, Reinstatement
from ..model.entry import Entry, EntryKind
from ..model.fact import Fact, FactStatus
from ..model.moment import to_datetime
from ..model.results import Decision, Explanation, Step
from .core import Engine
from .freshness import freshness_of
from .history import _all_claims, _decisions
from .resolve import Found, Within, find, scope_of_id
from .state import Snapshot, with_snapshot


def explain(engine: Engine, fact_id: str, within: Within) -> Explanation:
    """Answer why: quote, speaker, extractor, decisions, what it displaced, what displaced it, who corrected it."""
    engine.check_open()
    with engine.store.read() as reader:
        scope, reference = scope_of_id(engine, reader, fact_id, within)

    def read(snapshot: Snapshot) -> Explanation:
        if snapshot.head is None:
            raise UnknownFactError
        found = find(snapshot.reader, snapshot.head, snapshot.registry, fact_id, reference, snapshot.moment)
        return _explain(snapshot, found)

    result: Explanation = with_snapshot(engine, scope, read)
    return result


def _explain(snapshot: Snapshot, found: Found) -> Explanation:
    fact, claims = _fact_and_claims(found)
    steps = [step for claim in claims for step in _steps_of(snapshot, found, claim)]
    steps += [_correction_step(correction, found) for correction in _corrections(found, claims)]
    steps += _later_steps(snapshot, found, claims)
    decisions = [decision for seq in sorted({c.id.seq for c in claims}) for decision in _decided(snapshot, seq, claims)]
    before, after = _neighbours(found)
    return Explanation(
        fact=fact,
        steps=tuple(sorted(steps, key=lambda step: (step.rev, step.seq))),
        displaced=tuple(before),
        displaced_by=tuple(after),
        decisions=tuple(decisions),
        scope=None if snapshot.head is None else snapshot.head.scope,
        freshness=freshness_of(snapshot.engine, snapshot.reader, snapshot.head),
    )


def _fact_and_claims(found: Found) -> tuple[Fact, list[Claim]]:
    shaper = found.shaper
    if found.run is not None:
        return shaper.of_run(found.run), list(found.run.claims)
    if found.waiting is not None:
        return shaper.of_waiting(found.waiting), list(found.waiting.claims)
    everything = _all_claims(found.log.claims, found.log.amendments)
    if found.corrected is not None and found.stated is None:
        mine = [claim for claim in everything if claim.id in set(found.corrected.shown)]
        fact = shaper.of_correction(found.corrected, mine or everything)
        if fact is not None:
            return fact, mine
    if found.stated is not None:
        status = FactStatus.CORRECTED if found.stated.corrected else FactStatus.RETRACTED
        return shaper.of_claims([found.stated.claim], status), [found.stated.claim]
    ids = {format_id(shaper.tag, claim.id) for claim in found.hidden}
    for fact in history_of(found.fold, shaper, everything):
        if ids & set(fact.claim_ids):
            return fact, list(found.hidden)
    return shaper.of_claims(found.hidden, FactStatus.OVERRIDDEN), list(found.hidden)


def _steps_of(snapshot: Snapshot, found: Found, claim: Claim) -> list[Step]:
    """Give the steps that led to a claim: its message or write, its extraction, its admission."""
    head, reader = snapshot.head, snapshot.reader
    assert head is not None
    entry = reader.episode(head.id, claim.id.seq)
    if entry is None:
        return []
    id = format_id(found.shaper.tag, claim.id)
    steps = [_entry_step(entry, claim, id)]
    for settled in reader.settlements(head.id, claim.id.seq):
        if settled.kind is EntryKind.EXTRACTION and settled.extraction == claim.id.extraction:
            name = str(settled.body.get("extractor", ""))
            text = f"proposed by {name or 'an extractor'}"
            steps.append(_step("extraction", settled, text, claim_id=id, quote=claim.quote, extractor=name))
    admitted = f"{claim.outcome.value}{f' ({claim.reason})' if claim.reason else ''}"
    said = to_datetime(claim.said_at)
    steps.append(Step("admission", claim.rev, claim.id.seq, said, admitted, id, reason=claim.reason))
    return steps


def _entry_step(entry: Entry, claim: Claim, id: str) -> Step:
    role = str(entry.body.get("role", entry.body.get("source") or "application"))
    if entry.kind is EntryKind.MESSAGE:
        return _step("message", entry, _text(entry), claim_id=id, quote=claim.quote, role=role)
    return _step(entry.kind.value, entry, f"stated by {role}", claim_id=id, role=role)


def _text(message: Entry) -> str:
    """Give a message's text; where it went, say so."""
    why = message.body.get(GONE)
    return str(message.body.get("content", "")) if why is None else f"(its text was {why})"


def _step(kind: str, entry: Entry, text: str, *, claim_id: str, **details: str) -> Step:
    return Step(kind, entry.rev, entry.seq, to_datetime(entry.said_at), text, claim_id, **details)


def _corrections(found: Found, claims: list[Claim]) -> list[Correction]:
    ids = {claim.id for claim in claims}
    cancelled = [found.corrected] if found.corrected is not None else []
    touching = [c for c in found.fold.corrected if ids & set(c.shown) or (c.replacement and c.replacement.id in ids)]
    return list({c.seq: c for c in (*touching, *cancelled)}.values())


def _correction_step(correction: Correction, found: Found) -> Step:
    value = found.shaper.value(correction.value)[1]
    text = f"{value or correction.target} was corrected"
    if correction.replacement is not None:
        text += f"; instead: {found.shaper.value(correction.replacement.value)[1]}"
    return Step(
        "correction", correction.rev, correction.seq, to_datetime(correction.said_at), text, correction.target,
        reason=correction.because,
    )  # fmt: skip


def _later_steps(snapshot: Snapshot, found: Found, claims: list[Claim]) -> list[Step]:
    """Give what ended, denied, accepted or reinstated a fact."""
    head, log = snapshot.head, found.log
    assert head is not None
    seqs: dict[int, str] = {}
    ended_by = None if found.run is None else found.run.ended_by
    if ended_by is not None:
        seqs[ended_by.seq] = "ended by"
    keys = {claim.key for claim in claims if claim.key is not None}
    for stated in found.fold.statements:
        if stated.claim.kind is ClaimKind.DENY and stated.claim.key in keys and stated.in_force:
            seqs[stated.claim.id.seq] = "denied by"
    for claim in claims:
        if claim.stated_seq is not None:
            seqs[claim.stated_seq] = "accepted by"
    known = {a.seq for a in log.amendments if isinstance(a, Correction) and set(a.shown) & {c.id for c in claims}}
    for amendment in log.amendments:
        if isinstance(amendment, Reinstatement) and amendment.corrects in known:
            seqs[amendment.seq] = "reinstated by"
    entries = ((seq, word, snapshot.reader.episode(head.id, seq)) for seq, word in sorted(seqs.items()))
    return [_later_step(word, entry) for _, word, entry in entries if entry is not None]


def _later_step(word: str, entry: Entry) -> Step:
    kind = word.partition(" ")[0]
    what = _text(entry) if entry.kind is EntryKind.MESSAGE else ""
    what = what or f"a {entry.kind.value} of {entry.body.get('source') or 'the application'}"
    reason = str(entry.body.get("reason") or "")
    return Step(kind, entry.rev, entry.seq, to_datetime(entry.said_at), f"{word} {what}", reason=reason)


def _decided(snapshot: Snapshot, seq: int, claims: list[Claim]) -> list[Decision]:
    ids = {format_id(snapshot.scope.tag, claim.id._replace(part=0)) for claim in claims}
    return [decision for decision in _decisions(snapshot, seq) if decision.claim_id in ids]


def _neighbours(found: Found) -> tuple[list[Fact], list[Fact]]:
    """Give what a run displaced and what displaced it: the runs that touch it in time, and what it hides."""
    run, fold, shaper = found.run, found.fold, found.shaper
    if run is None:
        return [], [shaper.of_run(other) for other in fold.runs for claim in found.hidden if _hides(other, claim)]
    before = [shaper.of_run(other) for other in fold.runs if _touches(other, run, fold.many)]
    before += [shaper.of_claims([claim], FactStatus.OVERRIDDEN) for claim in fold.overridden if _hides(run, claim)]
    after = [shaper.of_run(other) for other in fold.runs if _touches(run, other, fold.many)]
    return before, after


def _touches(first: Run, second: Run, many: bool) -> bool:
    return not many and first.end == second.start and first is not second


def _hides(run: Run, claim: Claim) -> bool:
    return run.start <= claim.start and (run.end is None or claim.start < run.end) and claim.order < run.newest.order
