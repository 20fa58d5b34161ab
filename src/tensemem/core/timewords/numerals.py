"""Numbers and dates written in digits: what one run of digits and separators can be."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple


class Written(NamedTuple):
    """A date in digits: every reading of it as (year, month, day), the day-first one before the month-first one."""

    day_first: tuple[int, int, int] | None
    month_first: tuple[int, int, int] | None
    short_year: bool = False
    dotted: bool = False


class Pair(NamedTuple):
    """Two numbers that may be a day and a month."""

    left: int
    right: int
    dotted: bool = False


class Few(int):
    """A number that was not said: "a few", "several"."""

    __slots__ = ()


Maker = Callable[[re.Match[str]], "tuple[str, Any] | None"]

Piece = tuple[str, Any, int, int]
"""A category, its value, and where it begins and stops in the run."""

_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(shape, re.ASCII))
    for name, shape in (
        ("small", r"\d{1,2}"),
        ("fullyear", r"\d{4}"),
        ("solid", r"\d{8}"),
        ("ymd", r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})"),
        ("dmy", r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)"),
        ("pair", r"(\d{1,2})/(\d{1,2})"),
        ("dotpair", r"(\d{1,2})\.(\d{1,2})"),
        ("hhmm", r"(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)?"),
        ("yearmonth", r"(\d{4})([-/])(\d{1,2})"),
        ("monthyear", r"(\d{1,2})([-/])(\d{4})"),
        ("number", r"\d{1,9}"),
        ("decimal", r"(\d{1,6})[.,](\d{1,4})"),
    )
)
_LONGEST = 32
"""Two dates with signs between are shorter than this."""
_TWO_DATES = re.compile(r"(\d{1,4}-\d{1,2}-\d{1,4})-(\d{1,4}-\d{1,2}-\d{1,4})", re.ASCII)


def pieces(run: str) -> list[Piece] | None:
    """Say what a run such as ``"3/4/2025"``, ``"10:30"`` or ``"2014-2018"`` is; None where it is nothing to us."""
    if len(run) > _LONGEST:
        return None
    one = _whole(run)
    if one is not None:
        return [(*one, 0, len(run))]
    two = _TWO_DATES.fullmatch(run)
    if two is not None:
        return _joined(run, len(two[1]))
    at = run.find("-")
    if at > 0 and run.find("-", at + 1) < 0:
        return _joined(run, at)
    return None


def _joined(run: str, at: int) -> list[Piece] | None:
    left, right = _whole(run[:at]), _whole(run[at + 1 :])
    if left is None or right is None:
        return None
    return [(*left, 0, at), ("hyphen", "-", at, at + 1), (*right, at + 1, len(run))]


def _whole(run: str) -> tuple[str, Any] | None:
    for name, shape in _SHAPES:
        match = shape.fullmatch(run)
        if match is not None:
            made = _MAKERS[name](match)
            if made is not None:
                return made
    return None


def _plain(category: str) -> Maker:
    return lambda match: (category, int(match[0]))


def _solid(match: re.Match[str]) -> tuple[str, Any] | None:
    text = match[0]
    ymd = _day(int(text[:4]), int(text[4:6]), int(text[6:]))
    if ymd is None or not 1900 <= ymd[0] <= 2100:
        return None
    return "written", Written(ymd, ymd)


def _ymd(match: re.Match[str]) -> tuple[str, Any] | None:
    ymd = _day(int(match[1]), int(match[3]), int(match[4]))
    return None if ymd is None else ("written", Written(ymd, ymd))


def _dmy(match: re.Match[str]) -> tuple[str, Any] | None:
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    if len(match[4]) == 2:
        year += 2000
    day_first, month_first = _day(year, second, first), _day(year, first, second)
    if day_first is None and month_first is None:
        return None
    return "written", Written(day_first, month_first, len(match[4]) == 2, match[2] == ".")


def _pair(category: str) -> Maker:
    return lambda match: (category, Pair(int(match[1]), int(match[2]), category == "dotpair"))


def _hhmm(match: re.Match[str]) -> tuple[str, Any] | None:
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or -1)
    return ("hhmm", (hour, minute, second)) if hour <= 24 and minute < 60 and second < 60 else None


def _yearmonth(year: int, month: int) -> Maker:
    def make(match: re.Match[str]) -> tuple[str, Any] | None:
        if 1 <= int(match[month]) <= 12 and 1800 <= int(match[year]) <= 2200:
            return "yearmonth", (int(match[year]), int(match[month]))
        return None

    return make


def _day(year: int, month: int, day: int) -> tuple[int, int, int] | None:
    try:
        date(year, month, day)
    except ValueError:
        return None
    return year, month, day


_MAKERS: dict[str, Maker] = {
    "small": _plain("small"),
    "fullyear": _plain("fullyear"),
    "solid": _solid,
    "ymd": _ymd,
    "dmy": _dmy,
    "pair": _pair("pair"),
    "dotpair": _pair("dotpair"),
    "hhmm": _hhmm,
    "yearmonth": _yearmonth(1, 3),
    "monthyear": _yearmonth(3, 1),
    "number": _plain("number"),
    "decimal": lambda match: ("decimal", float(f"{match[1]}.{match[2]}")),
}
