"""From a statement's times to its span of evidence: the table of the evidence rule.

| statement                                     | start               | through            | end               |
|-----------------------------------------------|---------------------|--------------------|-------------------|
| present, no date                              | said_at             | said_at            | open              |
| present, dated: ``since=X``                   | X                   | said_at            | open              |
| ``until=Y``, also with since                  | said_at or X        | last instant of Y  | Y                 |
| row ``valid_from=X, valid_to=Y``              | X                   | last instant of Y  | Y                 |
| past, one period                              | its first instant   | its last instant   | the one after it  |
| past, start unknown: ``valid_to=Y`` alone     | last instant of Y   | the same           | the one after it  |
| row ``valid_from=X``                          | X                   | X                  | open              |
| a predicate with a ttl                        | as above            | as above           | through + ttl     |
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..errors import InvalidTimeError
from ..model.moment import LATEST, Period


@dataclass(frozen=True, slots=True)
class Times:
    """The times a statement names; ``since``/``until`` of the present, ``valid_from``/``valid_to`` of a dated row."""

    since: Period | None = None
    until: Period | None = None
    valid_from: Period | None = None
    valid_to: Period | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no time is named."""
        return self.since is None and self.until is None and self.valid_from is None and self.valid_to is None


@dataclass(frozen=True, slots=True)
class Span:
    """A span of evidence, in microseconds; see Claim for what each field says."""

    start: int
    through: int
    end: int | None = None
    stated_end: bool = False
    range_stop: int | None = None
    unknown_start: bool = False
    grain: str = "instant"


def span_of(times: Times, said_at: int, *, is_message: bool, takes_away: bool = False, ttl: int | None = None) -> Span:
    """Give the span of an asserted statement.

    ``is_message`` tells a person's words, whose past periods are cut at said_at, from an application's rows;
    ``takes_away`` a retraction or denial, which can't end. Raises InvalidTimeError where the times contradict.
    """
    _check_kinds(times)
    if takes_away and (times.until is not None or times.valid_to is not None):
        raise InvalidTimeError("a retraction takes away from a moment on; give since=..., without an end")
    span = _span(times, said_at, is_message)
    if ttl is not None and not span.stated_end and not takes_away:
        return replace(span, end=min(span.through + ttl, LATEST))
    return span


def planned_span(times: Times, said_at: int) -> Span:
    """Give the span of a plan: it starts at its date, or, undated, when it is confirmed."""
    _check_kinds(times)
    begin = times.since or times.valid_from
    finish = times.until or times.valid_to
    start = said_at if begin is None else begin.start
    end = None if finish is None else finish.as_end
    if end is not None and end <= start:
        raise InvalidTimeError("the end lies before the start")
    return Span(start, start, end, end is not None, grain="instant" if begin is None else begin.grain)


def _check_kinds(times: Times) -> None:
    present = times.since is not None or times.until is not None
    dated = times.valid_from is not None or times.valid_to is not None
    if present and dated:
        raise InvalidTimeError("since/until speak of the present, valid_from/valid_to file a dated row; give one kind")


def _span(times: Times, said_at: int, is_message: bool) -> Span:
    if times.valid_from is not None:
        return _row(times.valid_from, times.valid_to, said_at, is_message)
    if times.valid_to is not None:
        return _past_of_unknown_start(times.valid_to, said_at)
    return _present(times.since, times.until, said_at)


def _present(since: Period | None, until: Period | None, said_at: int) -> Span:
    if since is not None and since.start > said_at:
        raise InvalidTimeError("since lies ahead; for what is to come, use record(valid_from=...)")
    start, grain = (said_at, "instant") if since is None else (since.start, since.grain)
    if until is not None:
        _check_order(start, until.as_end, "until")
        return Span(start, until.as_end - 1, until.as_end, True, grain=grain)
    imprecise = None if since is None or since.is_exact else since.stop
    return Span(start, said_at, range_stop=imprecise, grain=grain)


def _row(valid_from: Period, valid_to: Period | None, said_at: int, is_message: bool) -> Span:
    start = valid_from.start
    if valid_to is None:
        return Span(start, start, grain=valid_from.grain)
    end = valid_to.as_end
    _check_order(start, end, "valid_to")
    is_past = is_message and valid_from == valid_to and start < said_at
    if is_past:
        end = min(end, said_at)
    return Span(start, end - 1, end, True, grain=valid_from.grain)


def _past_of_unknown_start(valid_to: Period, said_at: int) -> Span:
    end = min(valid_to.as_end, said_at)
    return Span(end - 1, end - 1, end, True, unknown_start=True, grain=valid_to.grain)


def _check_order(start: int, end: int, name: str) -> None:
    if end <= start:
        raise InvalidTimeError(f"{name} lies before the start")
