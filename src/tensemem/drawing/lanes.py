"""Where the bars of a slot lie: no two overlap within a lane, and every fact has its place.

A value's runs share a lane, and values share lanes as long as none of their runs overlap: so the one value of a
single-valued attribute makes one lane, and each of many that hold at once a lane of its own. What waits, and what
counts for nothing, lies in lanes below. Where lanes or bars would be too many, facts that lie close together are
drawn as one.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from ..model.fact import Fact, Statement
from ..model.moment import to_moment
from .marks import SHOWN, WAITING
from .scale import Scale

SHORTEST = 5.0
"""Pixels of the shortest bar."""
SIGN = 16.0
"""Pixels that a statement's sign takes."""
_LANES = (12, 6, 6)
"""Most lanes of what is shown, what waits, and what counts for nothing."""
_SIGN_LANES = 2


@dataclass(frozen=True, slots=True)
class Field:
    """The room for bars: what has no start begins at ``left``, what has no end reaches to ``right``."""

    scale: Scale
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One fact, or several that are drawn together, from ``left`` to ``right`` in a lane."""

    facts: tuple[Fact, ...]
    left: float
    right: float
    lane: int = 0


@dataclass(frozen=True, slots=True)
class Sign:
    """One statement, or several that are drawn together, around ``x`` in a lane."""

    statements: tuple[Statement, ...]
    x: float
    lane: int = 0


@dataclass(slots=True)
class _Lane:
    """Stretches that are taken, in order."""

    taken: list[tuple[float, float]] = field(default_factory=list)

    def is_free(self, left: float, right: float) -> bool:
        place = bisect_left(self.taken, (left, right))
        before = self.taken[place - 1][1] if place else float("-inf")
        after = self.taken[place][0] if place < len(self.taken) else float("inf")
        return before <= left and right <= after

    def take(self, left: float, right: float) -> None:
        insort(self.taken, (left, right))


def bars_of(facts: Sequence[Fact], room: Field, alone: frozenset[str]) -> tuple[list[Bar], int]:
    """Place the dated facts of one slot, and count the lanes they take.

    ``alone`` are the ids of facts that may have a bar of their own; the others are drawn together with neighbours.
    """
    found, lanes = list[Bar](), 0
    for sort, most in enumerate(_LANES):
        mine = [Bar((fact,), *_extent(fact, room)) for fact in facts if _sort(fact) == sort]
        single = [bar for bar in mine if bar.facts[0].id in alone]
        placed, crowded, used = _packed(single, most)
        rest = _merged([*crowded, *(bar for bar in mine if bar.facts[0].id not in alone)])
        found += [Bar(bar.facts, bar.left, bar.right, lanes + bar.lane) for bar in placed]
        found += [Bar(bar.facts, bar.left, bar.right, lanes + used) for bar in rest]
        lanes += used + bool(rest)
    return found, lanes


def signs_of(statements: Iterable[Statement], room: Field) -> tuple[list[Sign], int]:
    """Place statements by when they were said, and count the lanes they take."""
    found, lanes = list[Sign](), list[_Lane]()
    for statement in sorted(statements, key=lambda one: (one.said_at, one.id)):
        x = min(max(room.scale.x(to_moment(statement.said_at)), room.left + SIGN / 2), room.right - SIGN / 2)
        left, right = x - SIGN / 2, x + SIGN / 2
        free = next((place for place, lane in enumerate(lanes) if lane.is_free(left, right)), len(lanes))
        if free == _SIGN_LANES:  # too many lie here: it joins the last one, which overlaps it
            near = max((sign for sign in found), key=lambda sign: (sign.x, -sign.lane))
            found[found.index(near)] = Sign((*near.statements, statement), near.x, near.lane)
            continue
        if free == len(lanes):
            lanes.append(_Lane())
        lanes[free].take(left, right)
        found.append(Sign((statement,), x, free))
    return found, len(lanes)


def is_dated(fact: Fact) -> bool:
    """Tell whether a fact has a place in time."""
    return fact.valid_from is not None or fact.valid_to is not None


def _sort(fact: Fact) -> int:
    if fact.status in SHOWN:
        return 0
    return 1 if fact.status in WAITING else 2


def _extent(fact: Fact, room: Field) -> tuple[float, float]:
    left = room.left if fact.valid_from is None else room.scale.x(to_moment(fact.valid_from))
    right = room.right if fact.valid_to is None else room.scale.x(to_moment(fact.valid_to))
    left = min(left, room.right - SHORTEST)
    return left, max(right, round(left + SHORTEST, 1))


def _packed(bars: Sequence[Bar], most: int) -> tuple[list[Bar], list[Bar], int]:
    """Give the bars in their lanes, those that found no place, and how many lanes there are."""
    lanes, placed, crowded = list[_Lane](), list[Bar](), list[Bar]()
    by_value = sorted(bars, key=lambda bar: (bar.facts[0].object, bar.left, bar.facts[0].id))
    runs = [_apart(list(group)) for _, group in groupby(by_value, key=lambda bar: bar.facts[0].object)]
    units = sorted((unit for split in runs for unit in split), key=lambda unit: (unit[0].left, unit[0].facts[0].id))
    for unit in units:
        free = next((place for place, lane in enumerate(lanes) if _fits(unit, lane)), len(lanes))
        if free == most:
            crowded += unit
            continue
        if free == len(lanes):
            lanes.append(_Lane())
        for bar in unit:
            lanes[free].take(bar.left, bar.right)
            placed.append(Bar(bar.facts, bar.left, bar.right, free))
    return placed, crowded, len(lanes)


def _apart(bars: list[Bar]) -> list[list[Bar]]:
    """Give the runs of one value as one unit, or each by itself where two of them overlap."""
    is_even = all(one.right <= other.left for one, other in pairwise(bars))
    return [bars] if is_even else [[bar] for bar in bars]


def _fits(unit: Sequence[Bar], lane: _Lane) -> bool:
    return all(lane.is_free(bar.left, bar.right) for bar in unit)


def _merged(bars: Iterable[Bar]) -> list[Bar]:
    """Draw together what overlaps or touches."""
    found = list[Bar]()
    for bar in sorted(bars, key=lambda one: (one.left, one.right, one.facts[0].id)):
        if found and bar.left <= found[-1].right:
            last = found.pop()
            found.append(Bar((*last.facts, *bar.facts), last.left, max(last.right, bar.right)))
        else:
            found.append(bar)
    return found
