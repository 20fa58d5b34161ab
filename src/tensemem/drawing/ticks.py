"""The marks of the time axis: whole seconds, hours, days, months, years or centuries of a zone, as the room allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from ..model.moment import SECOND, to_datetime, to_moment
from .scale import Scale, Stretch
from .words import local

ROOM = 74.0
"""Pixels that a label needs."""
_MINUTE, _HOUR, _DAY = 60 * SECOND, 3600 * SECOND, 86400 * SECOND
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_STEPS = (
    *((number, "part", number) for number in (1, 10, 100, 1_000, 10_000, 100_000)),
    *((number * SECOND, "second", number * SECOND) for number in (1, 2, 5, 10, 15, 30)),
    *((number * _MINUTE, "minute", number * _MINUTE) for number in (1, 2, 5, 10, 15, 30)),
    *((number * _HOUR, "hour", number * _HOUR) for number in (1, 2, 3, 6, 12)),
    *((number * _DAY - _HOUR, "day", number) for number in (1, 2, 7, 14)),
    *((number * 30 * _DAY - 2 * _DAY, "month", number) for number in (1, 2, 3, 6)),
    *((number * 365 * _DAY, "year", number) for number in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)),
)  # fmt: skip
"""How long each step is at least, in microseconds; its unit; how many of the unit (of microseconds, below a day)."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis: its place, what stands beside it, and below that the greater unit where it changed."""

    x: float
    label: str
    below: str = ""


def ticks_of(scale: Scale, zone: tzinfo) -> list[Tick]:
    """Give the marks of an axis, from left to right, with room for their labels."""
    found, greater = list[Tick](), ""
    for stretch in scale.stretches:
        if stretch.is_break:
            greater = ""
            if stretch.right - stretch.left >= 3 * ROOM:  # beside the words in its middle, there is room at its start
                begin = Tick(scale.x(stretch.first), *_label(stretch.first, "day", zone))
                found += [begin] if not found or begin.x - found[-1].x >= ROOM else []
            continue
        for moment, unit in _marks(stretch, zone):
            x = scale.x(moment)
            if found and x - found[-1].x < ROOM:
                continue
            label, below = _label(moment, unit, zone)
            found.append(Tick(x, label, below if below != greater else ""))
            greater = below
    return found


def _marks(stretch: Stretch, zone: tzinfo) -> list[tuple[int, str]]:
    """Give the marks of a stretch; its beginning where it has room for no other."""
    each = (stretch.last - stretch.first) * ROOM / max(stretch.right - stretch.left, 1.0)
    _, unit, number = next((step for step in _STEPS if step[0] >= each), _STEPS[-1])
    is_day = unit in ("day", "month", "year")
    moments = _days_of(stretch, unit, number, zone) if is_day else _clock(stretch, number, zone)
    found = [(moment, unit) for moment in moments if stretch.first <= moment <= stretch.last]
    return found or [(stretch.first, unit)]


def _clock(stretch: Stretch, step: int, zone: tzinfo) -> Iterator[int]:
    """Give every moment whose wall clock is a whole number of steps, as the clock goes where the stretch begins."""
    ahead = local(to_datetime(stretch.first), zone).utcoffset() or timedelta()
    shift = ahead // timedelta(microseconds=1)
    first = -(-(stretch.first + shift) // step) * step - shift
    yield from range(first, stretch.last + 1, step)


def _days_of(stretch: Stretch, unit: str, number: int, zone: tzinfo) -> Iterator[int]:
    """Give the midnights at which days, months or years begin in a zone."""
    begin = local(to_datetime(stretch.first), zone).date()
    end = local(to_datetime(stretch.last), zone).date()
    for day in _calendar(begin, end, unit, number):
        yield to_moment(datetime(day.year, day.month, day.day, tzinfo=zone))


def _calendar(begin: date, end: date, unit: str, number: int) -> Iterator[date]:
    if unit == "day":
        first = begin.toordinal() - (begin.toordinal() - 1) % number  # the 1 makes weeks begin on Mondays
        yield from (date.fromordinal(one) for one in range(max(first, 1), end.toordinal() + 1, number))
    elif unit == "month":
        first = (begin.year * 12 + begin.month - 1) // number * number
        last = end.year * 12 + end.month - 1
        yield from (date(one // 12, one % 12 + 1, 1) for one in range(max(first, 12), last + 1, number))
    else:
        years = range(begin.year // number * number, end.year + 1, number)
        yield from (date(one, 1, 1) for one in years if one >= 1)


def _label(moment: int, unit: str, zone: tzinfo) -> tuple[str, str]:
    here = local(to_datetime(moment), zone)
    year, month = str(here.year), _MONTHS[here.month - 1]
    if unit == "year":
        return (year, "") if (here.month, here.day) == (1, 1) else (f"{here.day} {month}", year)
    if unit == "month":
        return (month, year) if here.day == 1 else (f"{here.day} {month}", year)
    if unit == "day":
        return f"{here.day} {month}", year
    day = f"{here.day} {month} {year}"
    clock = f"{here.hour:02d}:{here.minute:02d}"
    if unit == "part":
        return f":{here.second:02d}.{here.microsecond:06d}".rstrip("0").removesuffix("."), f"{day} {clock}"
    seconds = f":{here.second:02d}" if here.second or unit == "second" else ""
    return clock + seconds, day
