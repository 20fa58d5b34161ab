"""Times in a message, in the tokens of its sentences, and what they say in an operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ...core.timewords.asking import MODULES, times_of
from ...core.timewords.value import TimeValue
from .tokens import Token, words_in


@dataclass(frozen=True)
class Timed:
    """A time expression and the tokens it covers."""

    begin: int
    stop: int
    value: TimeValue


@dataclass(frozen=True)
class Times:
    """The time expressions of one sentence by their first token."""

    by_place: Mapping[int, Timed] = field(default_factory=dict)

    def at(self, place: int) -> Timed | None:
        """Give the time expression that begins at a token."""
        return self.by_place.get(place)


NO_TIMES = Times()


def placed(values: Sequence[TimeValue], tokens: Sequence[Token]) -> Times:
    """Give the time values that lie within tokens, by token; also by the preposition before: "in March"."""
    found: dict[int, Timed] = {}
    at = 0
    for value in values:
        while at < len(tokens) and tokens[at].stop <= value.begin:
            at += 1
        begin = stop = at
        while stop < len(tokens) and tokens[stop].begin < value.stop:
            stop += 1
        if stop > begin:
            found[begin] = Timed(begin, stop, value)
            if begin and tokens[begin - 1].low in _PREPOSITIONS:
                found.setdefault(begin - 1, Timed(begin - 1, stop, value))
    return Times(found)


_PREPOSITIONS = words_in("in on at by during around of im am um en el la los las 在 于 從 从 ab")


def when_of(moment: datetime | None, grain: str) -> str | None:
    """Give a moment as an operation names it, no more precise than its grain."""
    if moment is None:
        return None
    if grain in ("instant", "minute", "hour"):
        return str(moment.isoformat())
    if grain in ("year", "decade"):
        return f"{moment.year:04d}"
    if grain == "quarter":
        return f"{moment.year:04d}-Q{(moment.month + 2) // 3}"
    if grain in ("month", "season"):
        return f"{moment.year:04d}-{moment.month:02d}"
    if grain == "week":
        year, week, _ = moment.isocalendar()
        return f"{year:04d}-W{week:02d}"
    return f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"


def find_times(text: str, said_at: datetime, language: str, options: Mapping[str, Any]) -> Sequence[TimeValue]:
    """Give the times a text speaks of in one language, resolved against when it was said; none in an unknown one."""
    if language not in MODULES:
        return ()
    values = times_of(text, reference=said_at, language=language, prefer="past", fiscal_year_start=1, **options)
    # "now" says no more than the present tense does.
    return [value for value in values if value.start != said_at or value.kind != "point"]
