"""Folding a slot: from its claims and amendments to the runs it shows and all that happened to the rest.

This is the plain fold: it paints everything anew. Whatever is kept between writes must equal what it gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from ..model.claim import (
    FORGOTTEN,
    Amendment,
    Claim,
    ClaimId,
    ClaimKind,
    Correction,
    Held,
    Order,
    Outcome,
    Reinstatement,
    Review,
)
from ..model.moment import FOREVER
from .correction import apply_corrections
from .intervals import Interval
from .timeline import Amended, Painting, Segment, Track, accept, is_bare, is_denied, last_denials


class Ending(StrEnum):
    """What ended a run."""

    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Run:
    """A maximal run of one value: ``[start, end)`` (``end`` None: open), with the claims that hold it up.

    ``claims`` are in statement order, so the first one names the run. ``at_home`` tells whether that claim shows
    where it starts; else the run's id carries its start. ``doubts`` are the stretches where a newer waiting or less
    trusted statement contradicts it. ``complete`` is the moment by which every one of the claims has been shown: a
    run that is cut before it has lost some of them.
    """

    value: Held
    start: int
    end: int | None
    claims: tuple[Claim, ...]
    at_home: bool
    complete: int
    unknown_start: bool = False
    grain: str = "instant"
    ending: Ending | None = None
    ended_by: ClaimId | None = None
    doubts: tuple[Interval, ...] = ()

    @property
    def first(self) -> Claim:
        """The earliest-stated claim, which names the fact."""
        return self.claims[0]

    @property
    def newest(self) -> Claim:
        """The newest-stated claim, whose spelling is shown."""
        return self.claims[-1]


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits in a slot for one value: held claims (a candidate) or planned ones, oldest first.

    ``rejected`` tells that a review refused it, ``corrected`` the correction that cancelled it.
    """

    value: Held | None
    claims: tuple[Claim, ...]
    planned: bool
    rejected: bool = False
    corrected: Correction | None = None


@dataclass(frozen=True, slots=True)
class Stated:
    """A retraction, removal, denial or REPLACE: whether it is in force, or the correction that voided it."""

    claim: Claim
    in_force: bool
    corrected: Correction | None = None


@dataclass(frozen=True, slots=True)
class SlotFold:
    """All there is to say about one slot. ``rivals`` are what could put a run in doubt: `doubt_of` tells."""

    many: bool
    runs: tuple[Run, ...] = ()
    candidates: tuple[Waiting, ...] = ()
    plans: tuple[Waiting, ...] = ()
    rejected: tuple[Waiting, ...] = ()
    corrected: tuple[Correction, ...] = ()
    denied: tuple[tuple[Claim, ...], ...] = ()
    overridden: tuple[Claim, ...] = ()
    undated: tuple[Claim, ...] = ()
    statements: tuple[Stated, ...] = ()
    ineffective: frozenset[ClaimId] = frozenset()
    reinstated: tuple[Correction, ...] = ()
    rivals: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotLog:
    """What the log says about one slot."""

    many: bool
    claims: Sequence[Claim] = ()
    amendments: Sequence[Amendment] = ()


def fold_slot(log: SlotLog) -> SlotFold:
    """Fold one slot's claims and amendments. Pure: the order in which they are given does not matter."""
    taken_back = {a.corrects for a in log.amendments if isinstance(a, Reinstatement)}
    corrections = sorted((a for a in log.amendments if isinstance(a, Correction)), key=lambda c: c.seq)
    active = [c for c in corrections if c.seq not in taken_back]
    reviews = sorted((a for a in log.amendments if isinstance(a, Review)), key=lambda r: r.seq)
    stated = [*log.claims, *(c.replacement for c in active if c.replacement is not None)]
    settled, waiting, gone = _apply_reviews(stated, reviews, active)
    live = [c for c in stated if c.outcome is Outcome.ADMITTED]
    live += settled
    live += [claim for claim in waiting if is_bare(claim)]
    painting, amended = apply_corrections(live, active, many=log.many, waiting=waiting)
    # What was accepted, and what was accepted once and corrected as a fact since, waits no more.
    done = painting.accepted.union(amended.void, amended.bars, *(c.shown for c in active if not c.waiting))
    still = [w for w in waiting if w.id not in done and not _is_said_since(w, live, amended)]
    runs = _runs(painting)
    rivals = _rivals(_unhurt(live, amended), still)
    runs = tuple(_doubted(run, rivals, log.many) for run in runs)
    back = tuple(c for c in corrections if c.seq in taken_back)
    found = _report(log, _Done(live, active, painting, amended), runs, back, still, gone)
    return replace(found, rivals=tuple(rivals)) if rivals else found


def _apply_reviews(
    claims: Iterable[Claim], reviews: Sequence[Review], corrections: Sequence[Correction]
) -> tuple[list[Claim], list[Claim], list[tuple[Claim, Correction | None]]]:
    """Split held and planned claims into accepted ones, those that still wait, and those rejected or cancelled."""
    accepted: list[Claim] = []
    waiting: list[Claim] = []
    gone: list[tuple[Claim, Correction | None]] = []
    for claim in claims:
        if claim.outcome not in (Outcome.HELD, Outcome.PLANNED):
            continue
        cancelled = next((c for c in corrections if c.waiting and _speaks_of(c, claim)), None)
        verdict = next((r for r in reversed(reviews) if _speaks_of(r, claim)), None)
        if cancelled is not None and (verdict is None or verdict.seq < cancelled.seq):
            gone.append((claim, cancelled))
        elif verdict is None:
            waiting.append(claim)
        elif verdict.accept:
            accepted.append(accept(claim, verdict.said_at, verdict.seq))
        else:
            gone.append((claim, None))
    return accepted, waiting, gone


def _speaks_of(entry: Correction | Review, claim: Claim) -> bool:
    key = entry.key if isinstance(entry, Review) else (entry.value.key if entry.value else None)
    if claim.key != key or entry.meant not in ("", meant_by(claim)):
        return False
    return claim.id.seq < entry.seq or claim.said_at < entry.said_at


def _is_said_since(waiting: Claim, live: Iterable[Claim], amended: Amended) -> bool:
    """Tell whether a held value was stated later in words that count: then it waits no more."""
    if waiting.outcome is not Outcome.HELD or waiting.kind not in (ClaimKind.VALUE, ClaimKind.CONFIRM):
        return False
    return any(
        claim.key == waiting.key and claim.order > waiting.order and claim.id not in amended.void
        for claim in live
        if claim.kind is ClaimKind.VALUE and claim.outcome is Outcome.ADMITTED
    )


def meant_by(claim: Claim) -> str:
    """Name what waits: a value, a retraction, …, and whether it is planned. One review settles one of them."""
    return f"{claim.kind.value}{' planned' if claim.outcome is Outcome.PLANNED else ''}"


def _runs(painting: Painting) -> tuple[Run, ...]:
    found: list[Run] = []
    for name in sorted(painting.tracks):
        found.extend(_runs_of(painting.tracks[name]))
    found.sort(key=lambda run: (run.start, run.value.key))
    return tuple(found)


def _runs_of(track: Track) -> list[Run]:
    groups: list[list[Segment]] = []
    for segment in track.segments:
        last = groups[-1][-1] if groups else None
        if last is not None and last.stop == segment.start and last.key == segment.key is not None:
            groups[-1].append(segment)
        else:
            groups.append([segment])
    return [
        _run(group, groups[place + 1] if place + 1 < len(groups) else None)
        for place, group in enumerate(groups)
        if group[0].key is not None
    ]


def _run(group: list[Segment], after: list[Segment] | None) -> Run:
    claims, home, complete = _supporters(group)
    first, last = group[0], group[-1]
    opened = [claim for claim in claims if claim.start == first.start]
    ending, ended_by = _ending(last, after)
    return Run(
        value=claims[-1].value or Held(first.key or "", first.key),
        start=first.start,
        end=None if last.stop == FOREVER else last.stop,
        claims=tuple(claims),
        at_home=home,
        complete=complete,
        unknown_start=bool(opened) and all(claim.unknown_start for claim in opened),
        grain=opened[0].grain if opened else "instant",
        ending=ending,
        ended_by=ended_by,
    )


def _supporters(group: list[Segment]) -> tuple[list[Claim], bool, int]:
    """Give the claims that hold up a run, in statement order; whether the first one shows where it starts; and the
    moment by which all of them have been shown.
    """
    only, segment = group[0].support, group[0]
    if len(group) == 1 and only.rest is None and only.mark.start == only.mark.claim.start:
        return [only.mark.claim], segment.start <= only.mark.start < segment.stop, segment.start
    seen: set[int] = set()
    found: dict[ClaimId, Claim] = {}
    first_shown: dict[ClaimId, int] = {}
    for segment in group:
        for node in segment.support.nodes():
            if id(node) in seen:
                break
            seen.add(id(node))
            claim = node.mark.claim
            if claim.start != node.mark.start:
                claim = replace(claim, start=node.mark.start)
            found[claim.id] = claim
            first_shown.setdefault(claim.id, segment.start)
    claims = list(found.values()) if len(found) == 1 else sorted(found.values(), key=_order)
    first = claims[0]
    home = first_shown[first.id] <= first.start < group[-1].stop and _shows_at(group, first)
    return claims, home, max(first_shown.values())


def _shows_at(group: list[Segment], claim: Claim) -> bool:
    """Tell whether a claim supports the segment in which it starts."""
    for segment in group:
        if segment.start <= claim.start < segment.stop:
            return any(node.mark.claim.id == claim.id for node in segment.support.nodes())
    return False


def _ending(last: Segment, after: list[Segment] | None) -> tuple[Ending | None, ClaimId | None]:
    if last.stop == FOREVER:
        return None, None
    if after is None or after[0].start != last.stop:
        ended = any(node.mark.end == last.stop for node in last.support.nodes())
        return (Ending.EXPIRED if ended else Ending.RETRACTED), None
    top = after[0].support.mark.claim
    if after[0].key is not None or (top.kind is ClaimKind.REPLACE and top.values):
        return Ending.SUPERSEDED, top.id
    return Ending.RETRACTED, top.id


def _unhurt(live: Iterable[Claim], amended: Amended) -> list[Claim]:
    """Leave out what was denied or corrected: it puts nothing in doubt."""
    kept = [claim for claim in live if claim.id not in amended.void and claim.id not in amended.bars]
    denials = last_denials(kept)
    if not denials:
        return kept
    return [claim for claim in kept if not is_denied(claim.key, claim.order, denials)]


def _rivals(live: Iterable[Claim], waiting: Iterable[Claim]) -> list[Claim]:
    """Give what could put a shown fact in doubt: held claims, and live ones of less trust than others."""
    ranked = list(live)
    top = max([claim.rank for claim in ranked], default=0)
    lower = [c for c in ranked if c.rank < top and c.kind in (ClaimKind.VALUE, ClaimKind.RETRACT)]
    return [claim for claim in waiting if claim.outcome is Outcome.HELD] + lower


def _doubted(run: Run, rivals: Iterable[Claim], many: bool) -> Run:
    doubts = [doubt for rival in rivals if (doubt := doubt_of(run, rival, many=many)) is not None]
    return replace(run, doubts=tuple(sorted(doubts))) if doubts else run


def doubt_of(run: Run, rival: Claim, *, many: bool) -> Interval | None:
    """Give the stretch over which a rival, being newer and saying otherwise, puts a run in doubt; None for none."""
    newest = run.newest
    is_newer = (rival.said_at, rival.id.seq) > (newest.order.said_at, newest.order.seq)
    if rival.outcome is Outcome.ADMITTED and rival.rank >= newest.rank:
        return None
    if not is_newer or not _contradicts(rival, run, many):
        return None
    stop = min(FOREVER if run.end is None else run.end, FOREVER if rival.end is None else rival.end)
    start = max(run.start, rival.start)
    return (start, stop) if start < stop else None


def _contradicts(rival: Claim, run: Run, many: bool) -> bool:
    if rival.kind in (ClaimKind.RETRACT, ClaimKind.DENY):
        return rival.key in (None, run.value.key)
    if rival.kind is ClaimKind.REPLACE:
        return all(value.key != run.value.key for value in rival.values)
    states = rival.kind in (ClaimKind.VALUE, ClaimKind.CONFIRM)
    return states and not many and rival.key != run.value.key


_STATEMENTS = (ClaimKind.RETRACT, ClaimKind.DENY, ClaimKind.REPLACE)


@dataclass(frozen=True)
class _Done:
    """What was painted, and the corrections that were in force."""

    live: list[Claim]
    active: list[Correction]
    painting: Painting
    amended: Amended

    @cached_property
    def denials(self) -> dict[str, Order]:
        """The last denial of each value that is in force."""
        return last_denials(claim for claim in self.live if claim.id not in self.amended.void)

    def is_denied(self, claim: Claim) -> bool:
        """Tell whether a claim's value was denied after it was stated."""
        return is_denied(claim.key, claim.order, self.denials)


def _report(
    log: SlotLog,
    done: _Done,
    runs: tuple[Run, ...],
    reinstated: tuple[Correction, ...],
    waiting: list[Claim],
    gone: list[tuple[Claim, Correction | None]],
) -> SlotFold:
    live, active, painting, amended = done.live, done.active, done.painting, done.amended
    shown = {claim.id for run in runs for claim in run.claims}
    values = [c for c in live if c.kind is ClaimKind.VALUE and c.id not in amended.void]
    denied = [claim for claim in values if done.is_denied(claim)] if done.denials else []
    known = shown.union((claim.id for claim in denied), amended.bars)
    hidden = [claim for claim in values if claim.id not in known]
    return SlotFold(
        many=log.many,
        runs=runs,
        candidates=_groups(waiting, planned=False),
        plans=_groups(waiting, planned=True),
        rejected=tuple(_gone(claim, correction) for claim, correction in gone),
        corrected=tuple(c for c in active if c.statement is None and not c.waiting and not _is_unreadable(c)),
        denied=_by_key(denied),
        overridden=tuple(sorted(hidden, key=lambda c: c.order)),
        undated=_undated(done, {*(run.value.key for run in runs), *(c.key for c in (*hidden, *denied))}),
        statements=tuple(_stated(c, painting, amended, active) for c in live if c.kind in _STATEMENTS),
        ineffective=_ineffective(live, painting, amended),
        reinstated=reinstated,
    )


def _is_unreadable(correction: Correction) -> bool:
    """Tell whether a correction's value was forgotten: it states what holds instead, and tells of nothing else."""
    return correction.value is not None and correction.value.key == FORGOTTEN


def _order(claim: Claim) -> Order:
    return claim.order


def _groups(waiting: Iterable[Claim], *, planned: bool) -> tuple[Waiting, ...]:
    kind = Outcome.PLANNED if planned else Outcome.HELD
    found: dict[tuple[ClaimKind, str | None], list[Claim]] = {}
    for claim in sorted(waiting, key=lambda c: c.order):
        if claim.outcome is kind:
            found.setdefault((claim.kind, claim.key), []).append(claim)
    return tuple(Waiting(group[-1].value, tuple(group), planned) for group in found.values())


def _gone(claim: Claim, correction: Correction | None) -> Waiting:
    planned = claim.outcome is Outcome.PLANNED
    return Waiting(claim.value, (claim,), planned, rejected=correction is None, corrected=correction)


def _by_key(claims: Iterable[Claim]) -> tuple[tuple[Claim, ...], ...]:
    found: dict[str | None, list[Claim]] = {}
    for claim in sorted(claims, key=lambda c: c.order):
        found.setdefault(claim.key, []).append(claim)
    return tuple(tuple(group) for group in found.values())


def _undated(done: _Done, known: set[str | None]) -> tuple[Claim, ...]:
    """Give the retractions of a value that was not known: "I used to live in Paris" tells of Paris, without dates."""
    live, painting, amended = done.live, done.painting, done.amended
    found: dict[str, Claim] = {}
    retractions = [c for c in live if c.kind is ClaimKind.RETRACT and c.id not in amended.void]
    for claim in sorted(retractions, key=_order):
        if claim.key is None:
            continue
        if claim.key not in known and claim.id not in painting.effective and not done.is_denied(claim):
            found.setdefault(claim.key, claim)
    return tuple(found.values())


def _stated(claim: Claim, painting: Painting, amended: Amended, active: Iterable[Correction]) -> Stated:
    void = claim.id in amended.void or claim.id in painting.void_replaces
    matching = (c for c in active if c.statement is claim.kind and any(id.seq == claim.id.seq for id in c.shown))
    by = next((c for c in matching if (c.value.key if c.value else None) == claim.key), None)
    return Stated(claim, in_force=not void, corrected=by if claim.id in amended.void else None)


def _ineffective(live: Iterable[Claim], painting: Painting, amended: Amended) -> frozenset[ClaimId]:
    """Give what changed nothing: a retraction of what shows nowhere, a confirmation of what does not show."""
    idle = {
        claim.id
        for claim in live
        if claim.kind is ClaimKind.RETRACT and claim.id not in painting.effective and claim.id not in amended.void
    }
    return frozenset(idle | painting.ignored)
