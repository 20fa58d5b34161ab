"""A time while it is being read: spans of local wall time, before the zone is attached.

Everything here is naive local time, for "yesterday" and "in March" are about the calendar on the speaker's wall. The
zone comes last, in `resolve`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo

Span = tuple[datetime | None, datetime | None]
"""A start and an end, half-open; None is open."""

Fit = Callable[[int], "Span | None"]
"""Gives the span in a year; None where that year has none (29 February)."""

Following = Callable[[date], "Span | None"]
"""Gives the first span that starts on a day or later."""

FINER = {
    "instant": 0,
    "minute": 1,
    "hour": 2,
    "day": 3,
    "week": 4,
    "month": 5,
    "quarter": 6,
    "season": 7,
    "year": 8,
    "decade": 9,
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What a text is read against: the speaker's moment and the conventions asked for."""

    reference: datetime
    now: datetime
    today: date
    zone: tzinfo
    future: bool
    day_first: bool
    first_weekday: int
    fiscal_month: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What has been understood: spans, the likeliest first, and how the time could be read beside another one.

    ``in_year`` is there for times that come back each year ("March", "5/12"), ``following`` for those that come back
    at all ("Friday"): the end of a range is read after its start.
    """

    spans: tuple[Span, ...]
    grain: str
    kind: str = "point"
    approximate: bool = False
    in_year: Fit | None = field(default=None, compare=False)
    following: Following | None = field(default=None, compare=False)
    about_now: bool = False

    @property
    def first(self) -> Span:
        """The likeliest span."""
        return self.spans[0]

    def with_spans(self, spans: list[Span], **changes: object) -> Reading:
        """Give the same time with other spans, each once, in order; it no longer comes back."""
        settled: dict[str, object] = {"in_year": None, "following": None, "spans": unique(spans), **changes}
        return replace(self, **settled)  # type: ignore[arg-type]


def unique(spans: list[Span]) -> tuple[Span, ...]:
    """Give spans without repetitions, in order; what is empty or turned round is left out."""
    seen: dict[Span, None] = {}
    for start, end in spans:
        if start is None or end is None or start < end:
            seen[start, end] = None
    return tuple(seen)
