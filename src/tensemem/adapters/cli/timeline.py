"""A history as a timeline: one row for each fact, with a bar that shows where it lies in the span of its slot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import groupby

from tensemem import Fact, FactStatus, History, Statement

from .moments import Moments, moments_of
from .text import Cell, Look, short, table, width
from .views import marks_of, slot_of, status_cell, value_text

BAR = 28
"""Columns of a bar."""

_INKS = {
    FactStatus.SCHEDULED: "ahead", FactStatus.PLANNED: "ahead", FactStatus.CANDIDATE: "unlit",
    FactStatus.CORRECTED: "unlit", FactStatus.DENIED: "unlit", FactStatus.OVERRIDDEN: "unlit",
}  # fmt: skip
"""How a bar is drawn: full where the fact was shown, light where it was not, half where it is to come."""

Span = tuple[datetime, datetime]


def history_lines(history: History, look: Look, zone: tzinfo, now: datetime) -> Iterator[str]:
    """Show a history, slot by slot, then what was taken away; ``now`` is as far as the bars of open facts reach."""
    by_slot = sorted(history.facts, key=lambda fact: (fact.subject != "user", fact.subject, fact.predicate))
    for (subject, predicate), group in groupby(by_slot, key=lambda fact: (fact.subject, fact.predicate)):
        yield look.painted(f"{slot_of(subject, predicate, look)} of {short(history.user_id, look)}", "bold")
        yield from _slot_lines(list(group), look, zone, now)
    if not history.facts:
        yield f"no history of {short(history.user_id, look)}"
    if history.retractions:
        yield "taken away"
        yield from _statement_lines(history.retractions, look, zone)
    if history.next is not None:
        yield f"more: --after {history.next}"


def _slot_lines(facts: Sequence[Fact], look: Look, zone: tzinfo, now: datetime) -> list[str]:
    moments = moments_of(facts, zone)
    span = _span(facts, now)
    rows = [
        (
            moments.start_of(fact) if fact.valid_from or fact.valid_to else "no dates",
            moments.text(fact.valid_to) or _open_end(fact), _bar(fact, span, look),
            Cell(value_text(fact, look), "bold"), status_cell(fact, look), Cell(marks_of(fact), "yellow"),
            Cell(fact.id, "dim"),
        )
        for fact in facts
    ]  # fmt: skip
    header = ("from", "until", _scale(span, zone, look), "value", "status", "marks", "id")
    return table(header, rows, look)


def _open_end(fact: Fact) -> str:
    if fact.valid_from is None:
        return ""
    return "still" if fact.status is FactStatus.ACTIVE else "open"


def _span(facts: Sequence[Fact], now: datetime) -> Span | None:
    """Give the time that bars cover: all that is dated and, where a fact is open, until now and a little beyond."""
    dates = [moment for fact in facts for moment in (fact.valid_from, fact.valid_to) if moment is not None]
    if not dates:
        return None
    first, last = min(dates), max(dates)
    if any(fact.valid_to is None and fact.valid_from is not None for fact in facts):
        begun = [fact.valid_from for fact in facts if fact.valid_to is None and fact.valid_from is not None]
        last = max(last, now)
        if max(begun) >= now:
            last = _later(last, (last - first) / 6 or timedelta(days=1))
    return (first, last) if first < last else None


def _later(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment + by
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def _scale(span: Span | None, zone: tzinfo, look: Look) -> str:
    """Give the ends of the bars as their header."""
    if span is None:
        return ""
    moments = Moments(zone, span)
    first, last = (moments.text(moment) for moment in span)
    if len(first) + len(last) + 3 > BAR:
        first, last = (text.rpartition(" ")[2][:8] for text in (first, last))  # one day: the clock tells more
    line = look.drawn("dash") * (BAR - width(first) - width(last) - 2)
    return f"{first} {line} {last}"


def _bar(fact: Fact, span: Span | None, look: Look) -> Cell:
    if span is None or (fact.valid_from is None and fact.valid_to is None):
        return Cell("")
    begin = 0 if fact.valid_from is None else _place(fact.valid_from, span)
    end = BAR if fact.valid_to is None else _place(fact.valid_to, span)
    begin = min(begin, BAR - 1)
    end = max(end, begin + 1)
    ink = look.drawn(_INKS.get(fact.status, "held"))
    drawn = ink * (end - begin)
    if fact.valid_to is None:
        drawn = drawn[:-1] + look.drawn("open")
    free = look.drawn("free")
    return Cell(free * begin + drawn + free * (BAR - end), status_cell(fact, look).colour)


def _place(moment: datetime, span: Span) -> int:
    share = (moment - span[0]) / (span[1] - span[0])
    return round(min(max(share, 0.0), 1.0) * BAR)


def _statement_lines(statements: Sequence[Statement], look: Look, zone: tzinfo) -> list[str]:
    said = Moments(zone, (statement.said_at for statement in statements))
    rows = [
        (
            said.text(statement.said_at), statement.kind, slot_of(statement.subject, statement.predicate, look),
            short(_named(statement.value), look), _force(statement), short(statement.quote, look),
            Cell(statement.id, "dim"),
        )
        for statement in statements
    ]  # fmt: skip
    return table(("said", "what", "predicate", "value", "", "quote", "id"), rows, look)


def _named(value: object) -> str:
    if isinstance(value, (tuple, list)):
        return ", ".join(str(item) for item in value) or "(none)"
    return "(any)" if value is None else str(value)


def _force(statement: Statement) -> str:
    if statement.corrected:
        return "corrected"
    return "in force" if statement.in_force else "without effect"
