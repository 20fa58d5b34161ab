"""The bars of a slot: where each of its values lies in the time the slot spans."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from .findings import Held
from .markup import day, minute, ours, told

KINDS = {
    "active": "now", "superseded": "past", "retracted": "past", "expired": "past", "overridden": "wrong",
    "corrected": "wrong", "denied": "wrong", "scheduled": "wait", "planned": "wait", "candidate": "wait",
}  # fmt: skip
"""How a status is drawn."""

_MOST = 60
"""Bars of one slot; the list below them has all."""


def bars(facts: Sequence[Held], begin: datetime | None, now: datetime, zone: tzinfo) -> str:
    """Draw facts as bars in lanes, one below the other where they overlap; empty where nothing is dated.

    The bars of all slots reach from ``begin`` to ``now``, so that they can be compared, and beyond where a fact does.

    The list behind them says the same in words, so they are hidden from who hears the page.
    """
    drawn = [fact for fact in facts if fact.since is not None or fact.until is not None]
    span = _span(drawn, begin, now)
    if span is None:
        return ""
    first, last = span
    lanes: list[list[str]] = []
    ends: list[float] = []
    for fact in sorted(drawn, key=lambda one: (one.since or first, one.until or last))[:_MOST]:
        left = _share(fact.since or first, first, last)
        right = max(_share(fact.until or last, first, last), left)
        lane = next((place for place, end in enumerate(ends) if end <= left), len(lanes))
        if lane == len(lanes):
            lanes.append([])
            ends.append(0.0)
        ends[lane] = max(right, left + 0.5)
        kind = KINDS.get(fact.status, "past")
        place = f"left:{left:.2f}%;width:{max(right - left, 0.5):.2f}%"
        lanes[lane].append(f'<div class="bar {kind}" style="{place}">{told(fact.text[:80])}</div>')
    rows = "".join(f'<div class="lane">{"".join(lane)}</div>' for lane in lanes)
    scale = f"<span>{ours(_mark(first, last, first, zone))}</span><span>{ours(_mark(first, last, last, zone))}</span>"
    return f'<div class="track" aria-hidden="true">{rows}<div class="scale">{scale}</div></div>'


def _span(
    facts: Sequence[Held], begin: datetime | None, now: datetime
) -> tuple[datetime, datetime] | None:
    dates = [moment for fact in facts for moment in (fact.since, fact.until) if moment is not None]
    if not dates:
        return None
    first, last = min([*dates, *([begin] if begin else [])]), max([*dates, now])
    ahead = [fact.since for fact in facts if fact.until is None and fact.since is not None]
    if ahead and max(ahead) >= last:  # what is to come needs a place of its own
        last = _later(last, (last - first) / 5 or timedelta(days=1))
    return (first, last) if first < last else None


def _later(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment + by
    except OverflowError:
        return moment


def _share(moment: datetime, first: datetime, last: datetime) -> float:
    share = (moment - first) / (last - first)
    return min(99.5, max(0.0, 100.0 * share)) if moment < last else 100.0


def _mark(first: datetime, last: datetime, moment: datetime, zone: tzinfo) -> str:
    return day(moment, zone) if last - first > timedelta(days=2) else minute(moment, zone)
