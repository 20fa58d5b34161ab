"""What a time expression means: a value with its grain, its kind and the readings it also allows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

GRAINS = ("instant", "minute", "hour", "day", "week", "month", "quarter", "season", "year", "decade")
KINDS = ("point", "since", "until", "range")


@dataclass(frozen=True, slots=True)
class TimeValue:
    """A time that a text speaks of, in the zone of the reference it was read with.

    - ``start``, ``end``: aware datetimes, half-open. ``start`` is None where only an end was said (kind "until"),
      ``end`` where only a start was (kind "since").
    - ``grain``: how precisely it was said: "instant", "minute", "hour", "day", "week", "month", "quarter", "season",
      "year" or "decade" (also for centuries). Never finer than the words: "in 2019" is a year.
    - ``kind``: "point" (one period or moment), "since", "until", or "range" (from one time to another).
    - ``approximate``: the words themselves are vague ("around", "early March", "three years ago").
    - ``alternatives``: other readings as (start, end), the likelier first; empty where there is only one.
    - ``quote``: the words, ``text[begin:stop]``.
    """

    start: datetime | None
    end: datetime | None
    grain: str
    kind: str
    approximate: bool
    alternatives: tuple[tuple[datetime | None, datetime | None], ...]
    quote: str
    begin: int
    stop: int
