"""Correction: what "this was never true" does to the claims of a slot.

Worked out at the fold, correction by correction in seq order, over all claims stated before it (smaller seq, or
earlier said_at), known then or learned since. Of the claims of the corrected value, with *I* its valid time:

- one that vouches only for moments inside I and is shown nowhere outside I is void;
- one that reaches into I, or is also shown outside it, is barred from I and counts elsewhere;
- then whatever of that value would still show in I is barred from it, until none does;
- one that several corrections together have barred from every moment it vouches for, and that shows nowhere, is void.

What the wrong fact had displaced shows by itself, because the timeline is painted from what is left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..model.claim import Claim, ClaimId, ClaimKind, Correction
from ..model.moment import FOREVER
from .intervals import Interval, minus, union
from .timeline import Amended, Brush, Painting, Segment

NOWHERE = (0, 0)
"""An interval that every segment leaves."""


def apply_corrections(
    claims: Sequence[Claim], corrections: Iterable[Correction], *, many: bool, waiting: Collection[Claim] = ()
) -> tuple[Painting, Amended]:
    """Apply corrections in seq order to live claims; give the painting that is left, and what was done to reach it.

    ``claims`` contain the corrections' replacements; each counts only for later corrections.
    """
    amended = Amended()
    brush = Brush(many=many, amended=amended, waiting=waiting)
    for correction in sorted(corrections, key=lambda c: c.seq):
        if correction.waiting:
            continue
        before = [claim for claim in claims if is_stated_before(claim, correction)]
        painting = brush.paint(before)
        if correction.statement is not None:
            _void_statement(before, correction, amended)
            brush.wash()
        else:
            _correct_value(before, correction, amended, brush, painting)
    return brush.paint(claims), amended


def is_stated_before(claim: Claim, correction: Correction) -> bool:
    """Tell whether a correction speaks about a claim: a smaller seq, or an earlier said_at."""
    order = claim.order
    if order.seq == correction.seq:
        return False
    return order.seq < correction.seq or order.said_at < correction.said_at


def _void_statement(before: Iterable[Claim], correction: Correction, amended: Amended) -> None:
    """Void a retraction, removal, denial or REPLACE, under whatever extraction of its message it was made."""
    claims = list(before)
    said = {_what_is_said(claim) for claim in claims if claim.id in correction.shown}
    seqs = {id.seq for id in correction.shown}
    key = None if correction.value is None else correction.value.key
    for claim in claims:
        is_meant = claim.kind is correction.statement and claim.id.seq in seqs and claim.key == key
        if is_meant and (not said or _what_is_said(claim) in said):
            amended.void.add(claim.id)


def _what_is_said(claim: Claim) -> tuple[object, ...]:
    return claim.start, claim.through, claim.end, claim.key, *(value.key for value in claim.values)


def _correct_value(
    before: list[Claim], correction: Correction, amended: Amended, brush: Brush, painting: Painting
) -> None:
    if correction.value is None:
        return
    key = correction.value.key
    inside = (correction.start, FOREVER if correction.end is None else correction.end)
    own = (inside[0], FOREVER) if correction.lapsed else inside  # of the fact's own claims, should its ttl grow
    shown_outside = {where: _shown(painting, key, where, outside=True) for where in {inside, own}}
    for id, claim in _evidence(before, painting, key):
        where = own if id in correction.shown else inside
        reaches = claim.start < where[1] and claim.through >= where[0]
        if not reaches:
            continue
        within = where[0] <= claim.start and claim.through < where[1]
        if within and id not in shown_outside[where]:
            amended.void.add(id)
        else:
            _bar(amended, id, where)
    brush.wash()
    while still := _shown(brush.paint(before), key, inside, outside=False):
        for id in still:
            _bar(amended, id, inside)
        brush.wash()
    _void_what_vouches_no_more(before, key, amended, brush)


def _void_what_vouches_no_more(before: list[Claim], key: str, amended: Amended, brush: Brush) -> None:
    """A claim whose whole evidence has been corrected, by several corrections, and that shows nowhere, is void too.

    Else the order of two corrections would matter: what they left over would show once something else gave way.
    """
    painting = brush.paint(before)
    shown = _shown(painting, key, NOWHERE, outside=True)
    spent = [
        id
        for id, claim in _evidence(before, painting, key)
        if id in amended.bars and id not in amended.void and id not in shown
        if not minus((claim.start, claim.through + 1), amended.bars[id])
    ]
    if spent:
        amended.void.update(spent)
        brush.wash()


def _evidence(before: Iterable[Claim], painting: Painting, key: str) -> list[tuple[ClaimId, Claim]]:
    """Give the claims of a value with their ids; a REPLACE stands under the id of its part."""
    found: list[tuple[ClaimId, Claim]] = []
    for claim in before:
        if claim.kind is ClaimKind.REPLACE:
            found += [(id, claim) for id, value in claim.parts if value.key == key]
        elif claim.key == key and claim.kind in (ClaimKind.VALUE, ClaimKind.CONFIRM):
            found.append((claim.id, _as_painted(painting, claim)))
    return found


def _as_painted(painting: Painting, claim: Claim) -> Claim:
    """Give a claim with the start it was painted from, where an imprecise one was narrowed."""
    return painting.narrowed.get(claim.id, claim)


def _bar(amended: Amended, id: ClaimId, inside: Interval) -> None:
    amended.bars[id] = union((*amended.bars.get(id, ()), inside))


def _shown(painting: Painting, key: str, inside: Interval, *, outside: bool) -> set[ClaimId]:
    """Give the claims that support a value somewhere inside (or outside) an interval."""
    found: set[ClaimId] = set()
    seen: set[int] = set()
    track = painting.tracks.get(key if painting.many else "")
    for segment in track.segments if track else ():
        if segment.key != key:
            continue
        touches = _leaves(segment, inside) if outside else _meets(segment, inside)
        if touches:
            _collect(segment, found, seen)
    return found


def _leaves(segment: Segment, inside: Interval) -> bool:
    return segment.start < inside[0] or segment.stop > inside[1]


def _meets(segment: Segment, inside: Interval) -> bool:
    return segment.start < inside[1] and segment.stop > inside[0]


def _collect(segment: Segment, found: set[ClaimId], seen: set[int]) -> None:
    """Add a segment's support; segments share tails, and a tail seen before is not walked again."""
    for node in segment.support.nodes():
        if id(node) in seen:
            return
        seen.add(id(node))
        found.add(node.mark.claim.id)
