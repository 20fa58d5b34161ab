"""From moments to places on the axis: rising, and straight between knots.

A history often has a long stretch in which nothing happens beside a short one in which all does: a birth, then a busy
week. Drawn to one measure the week would be a hair. So the longest empty stretches are drawn short, as *breaks*; the
drawing marks them. Within what is left time runs evenly.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..model.moment import EARLIEST, LATEST, SECOND

HOUR = 3600 * SECOND
_BREAK_SHARES = (0.0, 0.42, 0.29, 0.22)
"""How much of the width each break takes, by how many there are."""
_FAR_LONGER = 4
"""A stretch is drawn short if it is so many times as long as all the others together."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the axis along which time runs evenly; ``is_break`` where it is drawn short."""

    first: int
    last: int
    left: float
    right: float
    is_break: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """Where moments (microseconds) stand between ``left`` and ``right`` (pixels); none stands beyond."""

    stretches: tuple[Stretch, ...]

    @property
    def left(self) -> float:
        """Where the first moment stands."""
        return self.stretches[0].left

    @property
    def right(self) -> float:
        """Where the last moment stands."""
        return self.stretches[-1].right

    def x(self, moment: int) -> float:
        """Give the place of a moment, to a tenth of a pixel."""
        place = max(bisect_right([one.first for one in self.stretches], moment) - 1, 0)
        one = self.stretches[place]
        share = (min(max(moment, one.first), one.last) - one.first) / (one.last - one.first)
        return round(one.left + share * (one.right - one.left), 1)


def scale_of(moments: Iterable[int], left: float, right: float) -> Scale:
    """Make the scale for the moments at which something begins, ends or is said; one alone stands in the middle."""
    events = sorted({min(max(moment, EARLIEST), LATEST) for moment in moments}) or [0]
    if len(events) == 1:
        events = [max(events[0] - HOUR, EARLIEST), min(events[0] + HOUR, LATEST)]
    breaks = _breaks(events)
    share = _BREAK_SHARES[len(breaks)]
    even = events[-1] - events[0] - sum(last - first for first, last in breaks)
    stretches, begin, x = list[Stretch](), events[0], left
    width = right - left
    for first, last in [*breaks, (events[-1], events[-1])]:
        if begin < first:
            after = x + width * (1 - share * len(breaks)) * (first - begin) / even
            stretches.append(Stretch(begin, first, x, after))
            x = after
        if first < last:
            stretches.append(Stretch(first, last, x, x + width * share, is_break=True))
            x += width * share
        begin = last
    return Scale(tuple(stretches))


def _breaks(events: Sequence[int]) -> list[tuple[int, int]]:
    """Give the stretches without events that dwarf all the rest, in order of time."""
    found, rest = list[tuple[int, int]](), events[-1] - events[0]
    gaps = sorted(pairwise(events), key=lambda gap: (gap[0] - gap[1], gap[0]))
    for first, last in gaps[: len(_BREAK_SHARES) - 1]:
        others = rest - (last - first)
        if others < SECOND or last - first < _FAR_LONGER * others:
            break
        found.append((first, last))
        rest = others
    return sorted(found)
