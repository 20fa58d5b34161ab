"""Moments inside the library: integer microseconds since 1970 in UTC, and periods of them.

Text and datetime objects appear only at the edges. A period is half-open, ``[start, stop)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

SECOND = 1_000_000
"""Microseconds in a second."""

FOREVER = 2**63 - 1
"""Stands for an open end where rows need a number; never shown to a caller."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
EARLIEST = -62_135_596_800 * SECOND
"""0001-01-01T00:00Z, the first moment datetime can show."""
LATEST = 253_402_300_799 * SECOND + 999_999
"""9999-12-31T23:59:59.999999Z, the last one."""


def to_moment(when: datetime) -> int:
    """Give an aware datetime as microseconds since 1970 in UTC."""
    return (when - _EPOCH) // _MICROSECOND


def to_datetime(moment: int) -> datetime:
    """Give a moment as an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=moment)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time that was named: ``[start, stop)`` in microseconds, with its grain.

    ``grain`` is ``"instant"`` for an exact moment (then ``stop == start``), else ``"minute"``, ``"hour"``,
    ``"day"``, ``"week"``, ``"month"``, ``"quarter"``, ``"year"``, ``"decade"``.
    """

    start: int
    stop: int
    grain: str = "instant"

    @property
    def is_exact(self) -> bool:
        """Whether this is one moment rather than a stretch."""
        return self.stop <= self.start

    @property
    def as_end(self) -> int:
        """The exclusive end this names: all of a period is covered, an instant is excluded."""
        return self.start if self.is_exact else self.stop

    @property
    def last(self) -> int:
        """The last moment inside, which is what a period given as ``at`` or ``known_at`` means."""
        return self.start if self.is_exact else self.stop - 1
