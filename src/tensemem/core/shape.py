"""From what a slot's fold says to facts as callers see them, at a moment of the read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..model.claim import Claim, ClaimId, ClaimKind, Correction, Held
from ..model.fact import Evidence, Fact, FactStatus, Statement
from ..model.moment import FOREVER, SECOND, to_datetime, to_moment
from ..model.predicate import Predicate
from .fold import Ending, Run, SlotFold, Stated, Waiting
from .ids import format_id
from .intervals import covers
from .registry import Registry
from .values import shown

EVIDENCE_SHOWN = 32
"""How many statements a fact carries with it: the first and the newest ones."""


@dataclass(frozen=True, slots=True)
class _Times:
    start: int | None
    end: int | None
    grain: str


_NO_DATES = _Times(None, None, "instant")


@dataclass(frozen=True, slots=True)
class Shaper:
    """Gives facts of one slot: the scope's tag, the names to show, the registry of today, and the moment."""

    tag: str
    subject: str
    predicate: Predicate
    registry: Registry
    moment: int

    def value(self, held: Held | None) -> tuple[object, str]:
        """Give a value typed and as text; None and "" where there is none."""
        return (None, "") if held is None else shown(held.stored, self.predicate, self.registry)

    def run_id(self, run: Run) -> str:
        """Give a run's id: its earliest-stated claim's, with the run's start where that claim does not start it."""
        return format_id(self.tag, run.first.id, None if run.at_home else run.start)

    def of_run(self, run: Run) -> Fact:
        """Give a shown run as a fact."""
        contested = covers(run.doubts, self.moment)
        return self._fact(
            self.run_id(run), run.claims, run.value, self._status(run),
            _Times(None if run.unknown_start else run.start, run.end, run.grain), contested,
        )  # fmt: skip

    def _status(self, run: Run) -> FactStatus:
        if run.start > self.moment:
            return FactStatus.SCHEDULED
        if run.end is None or self.moment < run.end:
            return FactStatus.ACTIVE
        return _ENDED[run.ending or Ending.RETRACTED]

    def of_waiting(self, waiting: Waiting) -> Fact:
        """Give a candidate or a plan as a fact; an undated plan has no valid_from."""
        newest = waiting.claims[-1]
        status = FactStatus.PLANNED if waiting.planned else FactStatus.CANDIDATE
        if waiting.corrected is not None or waiting.rejected:
            status = FactStatus.CORRECTED
        start = None if newest.reason == "undated" else newest.start
        id = format_id(self.tag, waiting.claims[0].id)
        fact = self._fact(id, waiting.claims, waiting.value, status, _Times(start, newest.end, newest.grain))
        return replace(fact, object=waiting_text(newest.kind, fact.object))

    def of_correction(self, correction: Correction, claims: Sequence[Claim]) -> Fact | None:
        """Give what a correction took away, over the valid time it had; None where its claims are gone."""
        mine = [claim for claim in claims if claim.id in set(correction.shown)] or list(claims[:1])
        if not mine:
            return None
        start = None if correction.unknown_start else correction.start
        times = _Times(start, correction.end, correction.grain)
        return self._fact(correction.target, mine, correction.value, FactStatus.CORRECTED, times)

    def of_claims(self, claims: Sequence[Claim], status: FactStatus) -> Fact:
        """Give claims that are shown nowhere as one fact over the time they spoke of."""
        start = min(claim.start for claim in claims)
        ends = [claim.end for claim in claims]
        end = None if None in ends else max(e for e in ends if e is not None)
        unknown = all(claim.unknown_start for claim in claims)
        id = format_id(self.tag, claims[0].id)
        return self._fact(
            id, claims, claims[-1].value, status, _Times(None if unknown else start, end, claims[0].grain)
        )

    def of_undated(self, claim: Claim) -> Fact:
        """Give the value a retraction speaks of though it was not known: it held once, nobody said when."""
        id = format_id(self.tag, claim.id)
        return self._fact(id, [claim], claim.value, FactStatus.RETRACTED, _NO_DATES)

    def of_statement(self, stated: Stated) -> Statement:
        """Give a retraction, removal, denial or REPLACE."""
        claim = stated.claim
        value: object = self.value(claim.value)[0]
        if claim.values:
            value = tuple(self.value(held)[0] for _, held in claim.parts)
        kind = claim.kind.value
        if kind == "retract" and self.predicate.is_many and claim.value is not None:
            kind = "remove"
        return Statement(
            format_id(self.tag, claim.id), kind, self.subject, self.predicate.name, value,
            to_datetime(claim.said_at), stated.in_force, stated.corrected is not None, claim.source, claim.quote,
        )  # fmt: skip

    def _fact(
        self,
        id: str,
        claims: Sequence[Claim],
        held: Held | None,
        status: FactStatus,
        times: _Times,
        contested: bool = False,
    ) -> Fact:
        first, newest = claims[0], claims[-1]
        last_said = max(claim.said_at for claim in claims)
        value, text = self.value(held)
        few = claims if len(claims) <= EVIDENCE_SHOWN else [first, *claims[1 - EVIDENCE_SHOWN :]]
        return Fact(
            id=id,
            claim_ids=tuple(format_id(self.tag, claim.id) for claim in few),
            subject=self.subject,
            predicate=self.predicate.name,
            value=value,
            object=text,
            status=status,
            valid_from=None if times.start is None else to_datetime(times.start),
            valid_to=None if times.end is None else to_datetime(times.end),
            precision=times.grain,
            said_at=to_datetime(first.said_at),
            recorded_at=to_datetime(first.recorded_at),
            recorded_rev=first.rev,
            last_evidence_at=to_datetime(last_said),
            confidence=max(claim.confidence for claim in claims),
            paraphrased=all(claim.paraphrased for claim in claims),
            contested=contested,
            due_for_review=is_due(self.predicate, last_said, self.moment),
            source=newest.source,
            evidence=tuple(self._evidence(claim) for claim in few),
        )

    def _evidence(self, claim: Claim) -> Evidence:
        id = format_id(self.tag, claim.id)
        said = to_datetime(claim.said_at)
        return Evidence(claim.id.seq, id, said, claim.source, claim.quote, claim.begin, claim.stop)


_ENDED = {
    Ending.SUPERSEDED: FactStatus.SUPERSEDED,
    Ending.RETRACTED: FactStatus.RETRACTED,
    Ending.EXPIRED: FactStatus.EXPIRED,
}


def waiting_text(kind: ClaimKind, value: str) -> str:
    """Say what waits: a value, or that one no longer holds."""
    if kind in (ClaimKind.VALUE, ClaimKind.CONFIRM):
        return value
    word = {ClaimKind.DENY: "never", ClaimKind.REPLACE: "only"}.get(kind, "no longer")
    return f"{word} {value}".strip()


def review_at(predicate: Predicate, last_said: int) -> int | None:
    """Give the moment from which a fact is due for review; None where it never is."""
    if predicate.review_after is None:
        return None
    return last_said + round(predicate.review_after.total_seconds() * SECOND)


def is_due(predicate: Predicate, last_said: int, moment: int) -> bool:
    """Tell whether a fact's last evidence is older than the predicate allows."""
    due = review_at(predicate, last_said)
    return due is not None and moment >= due


def history_of(fold: SlotFold, shaper: Shaper, claims: Sequence[Claim]) -> list[Fact]:
    """Give every fact of a slot in valid-time order, then those with no dates."""
    by_id = {claim.id: claim for claim in claims}
    found = [shaper.of_run(run) for run in fold.runs]
    for correction in fold.corrected:
        fact = shaper.of_correction(correction, _claims_of(correction, by_id, claims))
        if fact is not None:
            found.append(fact)
    found += [shaper.of_claims(group, FactStatus.DENIED) for group in fold.denied]
    found += [_overridden(claim, fold, shaper) for claim in fold.overridden]
    found += [shaper.of_waiting(w) for w in (*fold.candidates, *fold.plans, *fold.rejected)]
    found += [shaper.of_undated(claim) for claim in fold.undated]
    return sorted(found, key=_valid_time)


def _claims_of(correction: Correction, by_id: dict[ClaimId, Claim], claims: Iterable[Claim]) -> list[Claim]:
    known = [by_id[id] for id in correction.shown if id in by_id]
    if known:
        return known
    seqs = {id.seq for id in correction.shown}
    return [claim for claim in claims if claim.id.seq in seqs]


def _overridden(claim: Claim, fold: SlotFold, shaper: Shaper) -> Fact:
    """A claim that a later one said of the very same moment on replaced is superseded at once, not overridden."""
    replaced = any(run.start == claim.start and run.first.order > claim.order for run in fold.runs)
    fact = shaper.of_claims([claim], FactStatus.SUPERSEDED if replaced else FactStatus.OVERRIDDEN)
    return replace(fact, valid_to=fact.valid_from) if replaced else fact


def _valid_time(fact: Fact) -> tuple[bool, int, int, str]:
    start = fact.valid_from or fact.valid_to
    at = 0 if start is None else to_moment(start)
    end = FOREVER if fact.valid_to is None else to_moment(fact.valid_to)
    return start is None, at, end, fact.id
