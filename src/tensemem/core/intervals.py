"""Sets of moments as sorted, disjoint, half-open intervals. An open end is FOREVER."""

from __future__ import annotations

from collections.abc import Iterable

Interval = tuple[int, int]
Intervals = tuple[Interval, ...]


def union(parts: Iterable[Interval]) -> Intervals:
    """Join intervals that touch or overlap; empty ones vanish."""
    joined: list[Interval] = []
    for start, stop in sorted(part for part in parts if part[0] < part[1]):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], stop))
        else:
            joined.append((start, stop))
    return tuple(joined)


def minus(whole: Interval, holes: Intervals) -> Intervals:
    """Give what is left of one interval outside the holes (sorted and disjoint)."""
    if not holes:
        return (whole,) if whole[0] < whole[1] else ()
    left: list[Interval] = []
    start, stop = whole
    for hole_start, hole_stop in holes:
        if hole_stop <= start:
            continue
        if hole_start >= stop:
            break
        if hole_start > start:
            left.append((start, hole_start))
        start = max(start, hole_stop)
    if start < stop:
        left.append((start, stop))
    return tuple(left)


def covers(parts: Intervals, moment: int) -> bool:
    """Tell whether a moment lies inside."""
    return any(start <= moment < stop for start, stop in parts)
