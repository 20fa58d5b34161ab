"""Times and durations as callers write them: datetimes, dates, ISO 8601 text; "30d" and "PT12H".

A time without an offset is local in a named zone. Where the clocks go back, a local time means its first
occurrence; where they go forward, a time that never showed is read with the offset from before, so 02:30 is the
moment that shows as 03:30. (A datetime with ``fold=1`` chooses the other reading; text can't.) Days, weeks, months,
quarters and years begin and end at local midnight, so a day may have 23 or 25 hours; minutes and hours have their
length.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from fractions import Fraction
from functools import lru_cache
from zoneinfo import ZoneInfo

from ..errors import InvalidTimeError
from ..model.moment import EARLIEST, LATEST, SECOND, Period, to_moment

LONGEST = timedelta(days=date.max.toordinal())
"""The longest duration: as long as all the years that can be told."""

_READABLE = "Give an aware datetime, a date, or ISO 8601 text such as '2026-03-05' or '2026-03-05T10:30Z'."
_DURATION = "Give a timedelta, or text such as '30d', '12h', '90m', '45s', '2w', '1y' or 'PT12H'."


def parse_period(value: object, zone: str, *, name: str) -> Period:
    """Give the period a value names; ``zone`` is where a time without an offset is meant.

    An instant: an aware or naive datetime, or ISO text with seconds (digits beyond microseconds are cut off).
    A day: a date. A year, quarter, month, week, day, hour or minute: ``"2026"``, ``"2026-Q1"``, ``"2026-03"``,
    ``"2026-W10"``, ``"2026-03-05"``, ``"2026-03-05T10"``, ``"2026-03-05T10:30"``. Raises InvalidTimeError, which
    names the argument, for anything else, for days that don't exist, and outside of the years 1 to 9999.
    """
    try:
        if isinstance(value, datetime):
            return _instant(value, _zone(parse_zone(zone)))
        if isinstance(value, date):
            return _days(value, value.toordinal() + 1, "day", _zone(parse_zone(zone)))
        if isinstance(value, str):
            return _parse_text(value, zone)
    except _Unreadable as why:
        raise InvalidTimeError(f"{name}: {_shown(value)} {why}") from None
    raise InvalidTimeError(f"{name}: {_shown(value)} is no time. {_READABLE}")


def parse_day(text: str) -> date | None:
    """Give the date that text such as ``"2026-03-05"`` names; None for any other text."""
    text = text.strip()
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def parse_zone(zone: object) -> str:
    """Give the name of an IANA time zone such as ``"Europe/Berlin"``; raises InvalidTimeError for what is none."""
    name = getattr(zone, "key", None) if isinstance(zone, ZoneInfo) else zone
    if zone is UTC:
        name = "UTC"
    if isinstance(name, str) and name.isascii() and name.partition("/")[0] not in _NOT_PORTABLE:
        try:
            _zone(name)
        except (LookupError, ValueError, OSError):
            pass  # not in the database, not a name at all, or the folder "Europe"
        else:
            return name
    raise InvalidTimeError(
        f"{_shown(zone)} is no known time zone. Give an IANA name such as 'Europe/Berlin', or 'UTC'."
    )


def parse_duration(value: object, *, name: str) -> timedelta:
    """Give a duration: a timedelta, ``"30d"``, ``"1h30m"``, ``"90 minutes"``, ``"2w"``, or ISO ``"P1DT12H"``.

    A year is 365 days and a month is refused: they differ. Raises InvalidTimeError, which names the argument, for
    anything else, for what is not longer than nothing, and for more than 9999 years.
    """
    found = value if isinstance(value, timedelta) else _duration_in(value) if isinstance(value, str) else None
    if found is None:
        raise InvalidTimeError(f"{name}: {_shown(value)} is no duration. {_DURATION}")
    if not timedelta(0) < found <= LONGEST:
        raise InvalidTimeError(f"{name}: {_shown(value)} is not longer than nothing and shorter than 9999 years.")
    return found


def format_duration(duration: timedelta) -> str:
    """Give a positive duration as ISO text, ``"P1DT2H3M4.5S"``; parse_duration gives the same duration back."""
    minutes, seconds = divmod(duration.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    exact = f"{seconds}.{duration.microseconds:06d}".rstrip("0").rstrip(".")
    days = f"{duration.days}D" if duration.days else ""
    parts = ((str(hours), "H"), (str(minutes), "M"), (exact, "S"))
    clock = "".join(number + unit for number, unit in parts if number != "0")
    return f"P{days}" + (f"T{clock}" if clock else "")


_NOT_PORTABLE = frozenset({"posix", "right", "localtime", "posixrules", "Factory"})
"""Names that mean another thing on another machine, or count leap seconds."""

_YEAR = re.compile(r"(?P<year>\d{4})(?:-(?:(?P<month>\d\d)|[Qq](?P<quarter>[1-4])))?", re.ASCII)
_WEEK = re.compile(r"(?P<year>\d{4})-[Ww](?P<week>\d\d)(?:-(?P<weekday>[1-7]))?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[Tt ](?P<hour>\d\d)(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<part>\d+))?)?)?"
    r" ?(?:(?P<utc>[Zz])|(?P<sign>[+-])(?P<hours>\d\d)(?::?(?P<minutes>\d\d)(?::?(?P<seconds>\d\d))?)?)?",
    re.ASCII,
)


class _Unreadable(Exception):
    """Says what is wrong with a value, as the end of a sentence that begins with it."""


def _shown(value: object) -> str:
    """Show a value in a message; others than text only by their type, for their repr may be anything."""
    if not isinstance(value, str):
        return f"a value of type {type(value).__name__}"
    return repr(value if len(value) <= 60 else value[:60] + "…")


@lru_cache(maxsize=64)
def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def _instant(when: datetime, zone: tzinfo) -> Period:
    try:
        aware = when if when.utcoffset() is not None else when.replace(tzinfo=zone)
        moment = to_moment(aware)
    except Exception as error:  # a tzinfo of the caller's own may do anything
        raise _Unreadable(f"has a time zone that can't be asked: {error}") from None
    if not EARLIEST <= moment <= LATEST:
        raise _Unreadable("lies outside of the years 1 to 9999 in UTC.")
    return Period(moment, moment)


def _days(first: date, stop: int, grain: str, zone: tzinfo) -> Period:
    """Give the period from a day's local midnight to that of the day with the ordinal ``stop``."""
    begin = _midnight(first, zone)
    end = _midnight(date.fromordinal(stop), zone) if stop <= date.max.toordinal() else LATEST
    return _within(begin, end, grain, f"is a {grain} that the calendar of {zone} left out.")


def _midnight(day: date, zone: tzinfo) -> int:
    return to_moment(datetime(day.year, day.month, day.day, tzinfo=zone))


def _within(start: int, stop: int, grain: str, if_empty: str) -> Period:
    """Cut a period at the first and the last moment that can be told; what is empty then is refused."""
    start, stop = max(start, EARLIEST), min(stop, LATEST)
    if start >= stop:
        raise _Unreadable(if_empty)
    return Period(start, stop, grain)


def _parse_text(given: str, zone: str) -> Period:
    text = given.strip()
    forms: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], tzinfo], Period]], ...] = (
        (_TIME, _time_in),
        (_DAY, lambda match, here: _days(date.fromisoformat(match[0]), _after(match[0]), "day", here)),
        (_YEAR, _months_in),
        (_WEEK, _week_in),
    )
    for pattern, read in forms:
        match = pattern.fullmatch(text)
        if match is not None:
            try:
                return read(match, _zone(parse_zone(zone)))
            except ValueError as error:
                raise _Unreadable(f"is no such time: {error}. {_READABLE}") from None
    raise _Unreadable(f"is no time. {_READABLE}")


def _after(day: str) -> int:
    return date.fromisoformat(day).toordinal() + 1


def _months_in(match: re.Match[str], zone: tzinfo) -> Period:
    year, month, quarter = int(match["year"]), match["month"], match["quarter"]
    if month:
        return _span_of_months(date(year, int(month), 1), 1, "month", zone)
    if quarter:
        return _span_of_months(date(year, 3 * int(quarter) - 2, 1), 3, "quarter", zone)
    return _span_of_months(date(year, 1, 1), 12, "year", zone)


def _span_of_months(first: date, count: int, grain: str, zone: tzinfo) -> Period:
    years, month = divmod(first.month - 1 + count, 12)
    year = first.year + years
    stop = date(year, month + 1, 1).toordinal() if year <= 9999 else date.max.toordinal() + 1
    return _days(first, stop, grain, zone)


def _week_in(match: re.Match[str], zone: tzinfo) -> Period:
    first = date.fromisocalendar(int(match["year"]), int(match["week"]), int(match["weekday"] or 1))
    grain, length = ("day", 1) if match["weekday"] else ("week", 7)
    return _days(first, first.toordinal() + length, grain, zone)


def _time_in(match: re.Match[str], zone: tzinfo) -> Period:
    day = date.fromisoformat(match["day"])
    hour, minute, second = (int(match[unit] or 0) for unit in ("hour", "minute", "second"))
    part = int((match["part"] or "").ljust(6, "0")[:6])
    offset = _offset_in(match)
    when = datetime(day.year, day.month, day.day, hour, minute, second, part, tzinfo=offset or zone)
    if match["second"]:
        return _instant(when, zone)
    grain, length = ("minute", 60) if match["minute"] else ("hour", 3600)
    start = to_moment(when)
    return _within(start, start + length * SECOND, grain, "lies outside of the years 1 to 9999 in UTC.")


def _offset_in(match: re.Match[str]) -> tzinfo | None:
    if match["utc"]:
        return UTC
    if not match["sign"]:
        return None
    hours, minutes, seconds = (int(match[unit] or 0) for unit in ("hours", "minutes", "seconds"))
    if hours > 23 or minutes > 59 or seconds > 59:
        raise ValueError("an offset has at most 23 hours, 59 minutes and 59 seconds")
    offset = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return timezone(-offset if match["sign"] == "-" else offset)


_UNITS = {
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
    "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
    "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600,
    "d": 86400, "day": 86400, "days": 86400,
    "w": 604800, "week": 604800, "weeks": 604800,
    "y": 31536000, "yr": 31536000, "year": 31536000, "years": 31536000,
}  # fmt: skip
_PLAIN = re.compile(r"(?:\d{1,18}(?:\.\d{1,18})?[ ]?[a-z]+[ ]?)+", re.ASCII)
_PLAIN_PART = re.compile(r"(\d+(?:\.\d+)?) ?([a-z]+)", re.ASCII)
_ISO_NUMBER = r"\d{1,18}(?:[.,]\d{1,18})?"
_ISO = re.compile(
    rf"P(?=.)(?:({_ISO_NUMBER})Y)?(?:({_ISO_NUMBER})W)?(?:({_ISO_NUMBER})D)?"
    rf"(?:T(?=.)(?:({_ISO_NUMBER})H)?(?:({_ISO_NUMBER})M)?(?:({_ISO_NUMBER})S)?)?",
    re.ASCII,
)
_ISO_SECONDS = (31536000, 604800, 86400, 3600, 60, 1)


def _duration_in(given: str) -> timedelta | None:
    text = given.strip()
    if len(text) > 100 or not text.isascii():
        return None
    iso = _ISO.fullmatch(text.upper())
    if iso is not None:
        numbers = (Fraction((number or "0").replace(",", ".")) for number in iso.groups())
        return _of_seconds(sum((n * s for n, s in zip(numbers, _ISO_SECONDS, strict=True)), Fraction(0)))
    if not _PLAIN.fullmatch(text.lower()):
        return None
    parts = _PLAIN_PART.findall(text.lower())
    if any(unit not in _UNITS for _, unit in parts):
        return None
    return _of_seconds(sum((Fraction(number) * _UNITS[unit] for number, unit in parts), Fraction(0)))


def _of_seconds(seconds: Fraction) -> timedelta:
    """Give seconds as a timedelta to the nearest microsecond; too many give one that is longer than LONGEST."""
    if seconds > LONGEST.days * 86400:
        return timedelta.max
    return timedelta(microseconds=round(seconds * SECOND))
