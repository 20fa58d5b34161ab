"""Times as chat applications write them before a message: ``12/05/2024, 10:02 - `` or ``[5/12/24, 10:02:11 PM] ``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ..engine.outside import moment_read
from ..errors import InvalidTimeError

MARKS = "\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
"""Signs that say in which direction is written, as a range of a regular expression: an export strews them about."""
BLANKS = " \t\u00a0\u2007\u2009\u202f"
"""Spaces, of which an export writes some that do not break."""

_AFTER_NOON = ("p", "下午", "午後", "오후")
_HALVES = "上午|下午|午前|午後|오전|오후"
_AT = "klo|kl\\.|um|at|à|às|alle|lúc|в|о"
"""Words that stand between a day and a time, in the languages whose exports have one."""

# All are tried at one place of a line only, and every repetition in them has a bound.
_BEGIN = rf"[{MARKS}{BLANKS}]{{0,8}}"
_DAY = r"(?P<day>(?P<one>\d{1,4})(?P<between>[./-])[ ]?(?P<two>\d{1,2})(?P=between)[ ]?(?P<three>\d{1,4}))"
_TIME = (
    rf"(?P<early>(?:{_HALVES})[{BLANKS}]?)?(?P<hour>\d{{1,2}})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?"
    rf"(?:[{BLANKS}]?(?P<half>[AaPp])\.?[{BLANKS}]?[Mm]\.?)?(?!\w)"
)
_END = rf"[{BLANKS}]{{0,4}}[{MARKS}]{{0,4}}"
_STAMP = re.compile(
    rf"{_BEGIN}(?P<open>\[)?[{MARKS}]{{0,4}}{_DAY}\.?,?[{MARKS}{BLANKS}]{{1,4}}(?:(?:{_AT})[{BLANKS}])?{_TIME}"
    rf"[{MARKS}]{{0,4}}(?(open)\]|(?:[{BLANKS}]{{1,4}}[-–—]|(?(early),|(?!)))){_END}",
    re.ASCII,
)
_COPIED = re.compile(rf"{_BEGIN}\[{_TIME},[{BLANKS}]{{1,4}}{_DAY}\.?\]{_END}", re.ASCII)
"""As messages are copied from a window: ``[10:02, 12/05/2024] ``."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time as it stands before a message: the numbers of its day, in their order, its time, and where it ends."""

    day: str
    numbers: tuple[int, int, int]
    has_year_first: bool
    hour: int
    minute: int
    second: int
    end: int

    @property
    def tells_month_first(self) -> bool | None:
        """Whether its numbers say that the month comes first; None where they don't say."""
        first, second, _ = self.numbers
        if self.has_year_first or (first > 12) == (second > 12):
            return None
        return second > 12

    def moment(self, is_month_first: bool, zone: str) -> datetime:
        """Give the moment it names in a zone; raises InvalidTimeError where there is none."""
        first, second, third = self.numbers
        year, month, day = (first, second, third) if self.has_year_first else (third, second, first)
        if is_month_first and not self.has_year_first:
            month, day = day, month
        year += 2000 if year < 100 else 0
        text = f"{year:04}-{month:02}-{day:02}T{self.hour:02}:{self.minute:02}:{self.second:02}"
        try:
            return moment_read(text, zone)
        except InvalidTimeError as error:
            order = "year" if self.has_year_first else "month" if is_month_first else "day"
            raise InvalidTimeError(
                f"its time: {self.day} {self.hour}:{self.minute:02} is no time, with the {order} first."
            ) from error


def stamp_of(line: str) -> Stamp | None:
    """Give the time that a line begins with, and that a bracket or a dash sets off; None where there is none."""
    found = _STAMP.match(line) or _COPIED.match(line)
    if found is None:
        return None
    first, second, third = (int(found[part]) for part in ("one", "two", "three"))
    has_year_first = len(found["one"]) == 4
    digits = len(found["one"]), len(found["three"])
    if digits[has_year_first] > 2 or (not has_year_first and digits[1] not in (2, 4)):
        return None
    hour = _hour(int(found["hour"]), (found["early"] or found["half"] or "").strip(BLANKS).lower())
    return Stamp(
        found["day"], (first, second, third), has_year_first, hour, int(found["minute"]), int(found["second"] or 0),
        found.end(),
    )  # fmt: skip


def _hour(hour: int, half: str) -> int:
    if not half or hour > 12:
        return hour
    return hour % 12 + (12 if half in _AFTER_NOON else 0)


@dataclass(frozen=True, slots=True)
class Order:
    """Whether the month comes first in a file's days, and what is to be said of it where the file does not tell."""

    is_month_first: bool = False
    note: str = ""


def order_of(lines: Iterable[str]) -> Order:
    """Tell by the first day with a number over 12 what comes first in all of them; the day where none has one."""
    open_day = None
    for line in lines:
        stamp = stamp_of(line)
        if stamp is None or stamp.has_year_first:
            continue
        tells = stamp.tells_month_first
        if tells is not None:
            return Order(tells)
        if "." not in stamp.day:  # nobody writes the month first with points
            open_day = open_day or stamp
    if open_day is None:
        return Order()
    day, month, _ = open_day.numbers
    return Order(
        note=f"days are taken to stand before months ({open_day.day} is day {day} of month {month}): "
        "no date here has a number over 12 that tells"
    )
