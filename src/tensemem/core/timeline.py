"""The evidence rule: which value a slot shows at every moment, painted claim by claim.

Live claims are painted in statement order (trust rank, said_at, seq, index), each over all before it:

    A claim paints its value from ``start`` until ``end``, over everything stated before it, except over
    earlier-stated evidence against it that is later than the moment it vouches for (``through``).

A *track* is one timeline. A single-valued slot is one track on which every value is painted; a many-valued slot
has one track per value, on which it is painted in (its key) or out (None).

How the code follows the rule:

- ``Track.protected``  the "except": what earlier evidence against a claim keeps
- ``Track.state``      a value paints what is left of ``[start, end)``
- ``Track.retract``    a retraction paints "no value" only where the value shows so far
- ``Track.narrow``     an imprecise start gives way to what was stated earlier inside its range
- ``Brush``            statement order, DENY, CONFIRM and REPLACE
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from ..model.claim import Claim, ClaimId, ClaimKind, Order, Outcome
from ..model.moment import FOREVER
from .intervals import Interval, Intervals, covers, minus, union


@dataclass(slots=True, eq=False)
class Mark:
    """One claim as one track sees it: a value painted in, or a retraction (``key`` None retracts any)."""

    claim: Claim
    key: str | None
    is_value: bool
    start: int
    through: int
    end: int
    stated_end: bool
    bars: Intervals = ()

    def opposes(self, other: Mark) -> bool:
        """Tell whether this is evidence against the other: another value, or out against in."""
        if self.is_value and other.is_value:
            return self.key != other.key
        if self.is_value == other.is_value:
            return False
        return self.key is None or other.key is None or self.key == other.key


class Support(NamedTuple):
    """The marks that hold up a segment, newest first; segments share their tails."""

    mark: Mark
    rest: Support | None = None

    def nodes(self) -> Iterator[Support]:
        """Walk the chain, newest first."""
        node: Support | None = self
        while node is not None:
            yield node
            node = node.rest


class Segment(NamedTuple):
    """A stretch painted alike: ``key`` shows over ``[start, stop)``; None where a retraction was painted."""

    start: int
    stop: int
    key: str | None
    support: Support


@dataclass(slots=True)
class Track:
    """One timeline: what is painted so far, and the marks stated so far as evidence."""

    segments: list[Segment] = field(default_factory=list)
    _by_start: list[tuple[int, int]] = field(default_factory=list)
    _by_through: list[tuple[int, int]] = field(default_factory=list)
    _marks: list[Mark] = field(default_factory=list)

    def remember(self, mark: Mark) -> None:
        """Count a mark as evidence for what is stated after it."""
        number = len(self._marks)
        self._marks.append(mark)
        insort(self._by_start, (mark.start, number))
        insort(self._by_through, (mark.through, number))

    def protected(self, mark: Mark) -> Intervals:
        """Give the moments kept by earlier evidence against a mark that is later than its ``through``."""
        if not self._by_through or self._by_through[-1][0] <= mark.through:
            return ()
        kept: list[Interval] = []
        for x in self._stated_later(mark.through):
            if x.claim.rank != mark.claim.rank or not x.opposes(mark):
                continue
            if x.start > mark.through:
                kept.extend(minus((x.start, x.end), x.bars))
            elif not x.stated_end:
                kept.extend(minus((x.through, x.end), x.bars))
        return union(kept)

    def _stated_later(self, moment: int) -> Iterator[Mark]:
        """Give the marks whose start or through lies after a moment; ``start <= through`` always."""
        for _, number in self._by_through[bisect_right(self._by_through, (moment, FOREVER)) :]:
            yield self._marks[number]

    def narrow(self, mark: Mark, range_stop: int) -> None:
        """Move an imprecise start just after the last contrary word inside its range, never past ``through``."""
        limit = min(range_stop, mark.through)
        points = (self._last_contrary(self._by_start, mark, limit), self._last_contrary(self._by_through, mark, limit))
        latest = max((point for point in points if point is not None), default=None)
        if latest is not None:
            mark.start = min(latest + 1, mark.through)

    def _last_contrary(self, index: list[tuple[int, int]], mark: Mark, limit: int) -> int | None:
        for place in range(bisect_left(index, (limit, 0)) - 1, -1, -1):
            point, number = index[place]
            if point < mark.start:
                return None
            x = self._marks[number]
            if (not x.is_value or x.opposes(mark)) and not covers(x.bars, point):
                return point
        return None

    def state(self, mark: Mark) -> None:
        """Paint a value wherever no later evidence keeps another."""
        for start, stop in self._region(mark):
            self._overlay(start, stop, mark)

    def retract(self, mark: Mark) -> bool:
        """Paint "no value" wherever the retracted value shows so far; tell whether it showed anywhere."""
        painted = False
        for start, stop in self._region(mark):
            for segment in self._between(start, stop):
                if segment.key is not None and mark.key in (None, segment.key):
                    self._overlay(max(start, segment.start), min(stop, segment.stop), mark)
                    painted = True
        return painted

    def at(self, moment: int) -> Segment | None:
        """Give the segment painted at a moment, if any."""
        place = bisect_right(self.segments, moment, key=_start) - 1
        if place >= 0 and moment < self.segments[place].stop:
            return self.segments[place]
        return None

    def shows(self, key: str, moment: int) -> Segment | None:
        """Give the segment that shows a value at a moment, if it does."""
        segment = self.at(moment)
        return segment if segment is not None and segment.key == key else None

    def _region(self, mark: Mark) -> Intervals:
        kept = self.protected(mark)
        return minus((mark.start, mark.end), union(chain(kept, mark.bars)) if mark.bars else kept)

    def _between(self, start: int, stop: int) -> list[Segment]:
        first = bisect_right(self.segments, start, key=_stop)
        last = bisect_left(self.segments, stop, key=_start)
        return self.segments[first:last]

    def _overlay(self, start: int, stop: int, mark: Mark) -> None:
        """Put a mark over ``[start, stop)``: same value joins the support, anything else replaces it."""
        shown = mark.key if mark.is_value else None
        first = bisect_right(self.segments, start, key=_stop)
        last = bisect_left(self.segments, stop, key=_start)
        fresh: list[Segment] = []
        reached = start
        for old in self.segments[first:last]:
            if old.start < start:
                fresh.append(Segment(old.start, start, old.key, old.support))
            if reached < old.start:
                fresh.append(Segment(reached, old.start, shown, Support(mark)))
            inner, reached = max(start, old.start), min(stop, old.stop)
            joined = old.support if shown is not None and old.key == shown else None
            fresh.append(Segment(inner, reached, shown, Support(mark, joined)))
            if old.stop > stop:
                fresh.append(Segment(stop, old.stop, old.key, old.support))
        if reached < stop:
            fresh.append(Segment(reached, stop, shown, Support(mark)))
        self.segments[first:last] = fresh


def _start(segment: Segment) -> int:
    return segment.start


def _stop(segment: Segment) -> int:
    return segment.stop


@dataclass(slots=True)
class Painting:
    """What is left after all is painted: the tracks by value (one track named "" where one value holds)."""

    many: bool
    tracks: dict[str, Track] = field(default_factory=dict)
    ignored: set[ClaimId] = field(default_factory=set)
    accepted: set[ClaimId] = field(default_factory=set)
    void_replaces: set[ClaimId] = field(default_factory=set)
    narrowed: dict[ClaimId, Claim] = field(default_factory=dict)
    effective: set[ClaimId] = field(default_factory=set)
    wide: list[Mark] = field(default_factory=list)

    def track(self, key: str | None) -> Track:
        """Give the track of a value; a new one starts with the slot-wide statements made so far."""
        name = (key or "") if self.many else ""
        if name not in self.tracks:
            track = self.tracks[name] = Track()
            for mark in self.wide:
                track.remember(mark)
        return self.tracks[name]


@dataclass(slots=True)
class Amended:
    """What corrections have done so far: claims void, claims barred, and what each REPLACE newly brought in."""

    void: set[ClaimId] = field(default_factory=set)
    bars: dict[ClaimId, Intervals] = field(default_factory=dict)
    newly: dict[ClaimId, frozenset[str]] = field(default_factory=dict)


class Brush:
    """Paints live claims in statement order; sets of them that only grow are not painted anew.

    What each REPLACE newly brought in is noted when it is first painted, as it stands then. ``waiting`` are held and
    planned claims that a CONFIRM of their value may accept.
    """

    def __init__(self, *, many: bool, amended: Amended, waiting: Collection[Claim] = ()) -> None:
        self._many, self._amended, self._waiting = many, amended, waiting
        self._painting = Painting(many)
        self._ordered: list[Claim] = []
        self._ids: set[ClaimId] = set()
        self._denials: dict[str, Order] = {}

    def wash(self) -> None:
        """Forget what is painted: something before it has changed."""
        self._painting, self._ordered, self._ids = Painting(self._many), [], set()

    def paint(self, claims: Collection[Claim]) -> Painting:
        """Give the tracks of some claims."""
        fresh = sorted((claim for claim in claims if claim.id not in self._ids), key=_order)
        if not self._only_grows(claims, fresh):
            self.wash()
            fresh = sorted(claims, key=_order)
        live = [claim for claim in fresh if claim.id not in self._amended.void]
        if not self._ids:
            self._denials = last_denials(live)
        self._ids.update(claim.id for claim in fresh)
        for claim in live:
            self._paint_one(claim)
            self._ordered.append(claim)
        return self._painting

    def _only_grows(self, claims: Collection[Claim], fresh: list[Claim]) -> bool:
        """Tell whether all that is painted stays, and the rest comes after it and denies nothing."""
        if len(claims) != len(self._ids) + len(fresh):
            return False
        is_later = not fresh or not self._ordered or fresh[0].order > self._ordered[-1].order
        return is_later and (not self._ids or all(claim.kind is not ClaimKind.DENY for claim in fresh))

    def _paint_one(self, claim: Claim) -> None:
        painting, amended, denials = self._painting, self._amended, self._denials
        match claim.kind:
            case ClaimKind.VALUE:
                _paint_value(painting, claim, amended, denials)
            case ClaimKind.RETRACT:
                _paint_retraction(painting, claim, amended)
            case ClaimKind.CONFIRM:
                _paint_confirmation(painting, claim, amended, denials, self._waiting)
            case ClaimKind.REPLACE:
                if claim.id not in amended.newly:
                    amended.newly[claim.id] = self._newly_brought(claim)
                _paint_replacement(painting, claim, amended, denials, amended.newly[claim.id])
            case ClaimKind.DENY:
                pass

    def _newly_brought(self, claim: Claim) -> frozenset[str]:
        """Give the values a REPLACE brings in that are not in before it; what is denied after it was in then."""
        painting = self._painting
        if any(order > claim.order for order in self._denials.values()):
            earlier = Brush(many=True, amended=self._amended, waiting=self._waiting)
            painting = earlier.paint([one for one in self._ordered if one.order < claim.order])
        return frozenset(value.key for _, value in claim.parts if not _is_in(painting, value.key, claim.start))


def _is_in(painting: Painting, key: str, moment: int) -> bool:
    track = painting.tracks.get(key)
    return track is not None and track.shows(key, moment) is not None


def _order(claim: Claim) -> Order:
    return claim.order


def last_denials(claims: Iterable[Claim]) -> dict[str, Order]:
    """Give the last denial of each value, of claims in any order."""
    found: dict[str, Order] = {}
    for claim in claims:
        if claim.kind is ClaimKind.DENY and claim.key is not None:
            found[claim.key] = max(claim.order, found.get(claim.key, claim.order))
    return found


def is_denied(key: str | None, order: Order, denials: Mapping[str, Order]) -> bool:
    """Tell whether a value stated at a place in statement order was denied after it."""
    return key is not None and key in denials and denials[key] > order


def _mark(claim: Claim, amended: Amended, *, key: str | None, is_value: bool, id: ClaimId | None = None) -> Mark:
    # A ttl ends what a statement shows; what it took away does not come back by itself.
    is_open = claim.end is None or not (is_value or claim.stated_end)
    end = FOREVER if is_open or claim.end is None else claim.end
    bars = amended.bars.get(id or claim.id, ())
    return Mark(claim, key, is_value, claim.start, claim.through, end, claim.stated_end, bars)


def _paint_value(painting: Painting, claim: Claim, amended: Amended, denials: Mapping[str, Order]) -> None:
    if is_denied(claim.key, claim.order, denials):
        return
    track = painting.track(claim.key)
    mark = _mark(claim, amended, key=claim.key, is_value=True)
    if claim.range_stop is not None:
        track.narrow(mark, claim.range_stop)
        painting.narrowed[claim.id] = replace(claim, start=mark.start)
    track.state(mark)
    track.remember(mark)


def _paint_retraction(painting: Painting, claim: Claim, amended: Amended) -> None:
    mark = _mark(claim, amended, key=claim.key, is_value=False)
    if not painting.many or claim.key is not None:
        painting.track(claim.key)
    concerned = painting.tracks.values() if claim.key is None else [painting.track(claim.key)]
    if painting.many and claim.key is None:
        painting.wide.append(mark)
    for track in concerned:
        own = replace(mark)
        if claim.range_stop is not None:
            track.narrow(own, claim.range_stop)
        if track.retract(own):
            painting.effective.add(claim.id)
        track.remember(own)


def _paint_confirmation(
    painting: Painting, claim: Claim, amended: Amended, denials: Mapping[str, Order], waiting: Collection[Claim]
) -> None:
    """A CONFIRM is evidence where its value shows; else it accepts what waits for it; else it is ignored."""
    if claim.key is None or is_denied(claim.key, claim.order, denials):
        return
    segment = painting.track(claim.key).shows(claim.key, claim.start)
    if segment is not None:
        top = segment.support.mark
        if top.stated_end:
            claim = replace(claim, end=top.end if claim.end is None else min(top.end, claim.end), stated_end=True)
        _paint_value(painting, claim, amended, denials)
        painting.accepted.add(claim.id)
        return
    if is_bare(claim):
        return
    accepted = [
        held
        for held in waiting
        if held.key == claim.key and held.order < claim.order and held.id not in painting.accepted
        if held.id not in amended.void and held.kind is ClaimKind.VALUE
    ]
    for held in accepted:
        painting.accepted.add(held.id)
        _paint_value(painting, accept(held, claim.said_at, claim.id.seq), amended, denials)
    if any(held.outcome is Outcome.HELD for held in accepted):
        _paint_value(painting, claim, amended, denials)
    if not accepted:
        painting.ignored.add(claim.id)


def is_bare(claim: Claim) -> bool:
    """Tell a confirmation without the value's words ("yes"): it confirms what is known, and else waits for review."""
    return claim.kind is ClaimKind.CONFIRM and claim.outcome is Outcome.HELD and claim.reason == "not_in_words"


def accept(held: Claim, said_at: int, seq: int) -> Claim:
    """Give a held or planned claim as it counts once accepted at a moment.

    A plan is evidence from its date (the moment itself if it has none) through the later of both.
    """
    kind = ClaimKind.VALUE if held.kind is ClaimKind.CONFIRM else held.kind
    stated = replace(held, kind=kind, stated_at=said_at, stated_seq=seq)
    if held.outcome is not Outcome.PLANNED:
        return stated
    if held.reason == "undated":
        return replace(stated, start=said_at, through=said_at)
    latest = max(held.start, said_at)
    return replace(stated, through=latest if held.end is None else min(latest, held.end - 1))


def _paint_replacement(
    painting: Painting, claim: Claim, amended: Amended, denials: Mapping[str, Order], newly: frozenset[str]
) -> None:
    """Paint a REPLACE's values in and every other value out, unless all it newly brought in proved wrong."""
    parts = claim.parts
    dead = {v.key for id, v in parts if id in amended.void or is_denied(v.key, claim.order, denials)}
    if newly and newly <= dead:
        painting.void_replaces.add(claim.id)
        return
    brought = {value.key for _, value in parts}
    out = _mark(claim, amended, key=None, is_value=False)
    for key, track in painting.tracks.items():
        if key not in brought:
            own = replace(out)
            track.retract(own)
            track.remember(own)
    for id, value in parts:
        track = painting.track(value.key)
        if value.key not in dead:
            own_claim = replace(claim, id=id, kind=ClaimKind.VALUE, value=value, values=())
            mark = _mark(own_claim, amended, key=value.key, is_value=True)
            track.state(mark)
            track.remember(mark)
    painting.wide.append(out)

