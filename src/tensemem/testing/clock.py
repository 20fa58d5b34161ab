"""A clock that stands still until it is told to move."""

from __future__ import annotations

from datetime import datetime, timedelta

from ..core.periods import parse_duration, parse_period
from ..model.moment import to_datetime
from ..model.operation import When

DEFAULT_NOW = "2026-01-01T12:00:00Z"


class FrozenClock:
    """What ``Memory(clock=...)`` takes: gives the same moment until ``advance`` or ``set`` moves it.

    ``now`` is an aware datetime, a date or ISO 8601 text; of a period, its first instant; without a zone, UTC.
    Raises InvalidTimeError.
    """

    def __init__(self, now: When = DEFAULT_NOW) -> None:
        self._now = _moment(now)

    @property
    def now(self) -> datetime:
        """The moment it shows."""
        return self._now

    def __call__(self) -> datetime:
        return self._now

    def advance(self, duration: timedelta | str) -> datetime:
        """Go forward by a duration such as ``"1d"`` or ``"1h30m"``; gives the moment then. Raises InvalidTimeError."""
        self._now += parse_duration(duration, name="duration")
        return self._now

    def set(self, now: When) -> datetime:
        """Go to a moment, earlier ones included; gives it. Raises InvalidTimeError."""
        self._now = _moment(now)
        return self._now

    def __repr__(self) -> str:
        return f"FrozenClock({self._now.isoformat()!r})"


def _moment(now: When) -> datetime:
    if isinstance(now, datetime) and now.tzinfo is not None:
        return now
    return to_datetime(parse_period(now, "UTC", name="now").start)
