"""What is said about a fact or a statement: a short name, and all of it in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from ..model.fact import Fact, FactStatus, Statement
from .marks import mark_of
from .words import counted, line_of, moment_text

_FLAGS = {"contested": "in doubt", "due_for_review": "due for review", "paraphrased": "in other words than the user's"}
_QUOTES = 3
LISTED = 20
"""Names of those drawn as one that are told."""


def slot_text(subject: str, predicate: str) -> str:
    """Name a slot: the predicate, behind its subject where that is not the user."""
    return predicate if subject == "user" else f"{subject} {predicate}"


def value_text(fact: Fact) -> str:
    """Give a fact's value, whole."""
    return fact.object or "(no value)"


def span_text(fact: Fact, zone: tzinfo) -> str:
    """Give from when until when a fact holds, as finely as it was told."""
    if fact.valid_from is None and fact.valid_to is None:
        return "no dates"
    begin = "an unknown start"
    if fact.valid_from is not None:
        begin = moment_text(fact.valid_from, zone, fact.precision)
    if fact.valid_to is not None:
        return f"from {begin} until {moment_text(fact.valid_to, zone)}"
    return f"since {begin}" if fact.status is FactStatus.ACTIVE else f"from {begin} on, no end told"


def name_of(fact: Fact, zone: tzinfo) -> str:
    """Give the name by which a fact's bar is read aloud."""
    slot = line_of(slot_text(fact.subject, fact.predicate), 100)
    doubt = ", in doubt" if fact.contested else ""
    return f"{slot}: {line_of(value_text(fact), 200)}, {fact.status.value}, {span_text(fact, zone)}{doubt}"


def story_of(fact: Fact, zone: tzinfo) -> str:
    """Tell all of a fact: its whole value, its status, its times, who said it when and in which words."""
    lines = [
        f"{slot_text(fact.subject, fact.predicate)}: {value_text(fact)}",
        f"{fact.status.value}: {mark_of(fact).meaning}",
        span_text(fact, zone),
        f"said {moment_text(fact.said_at, zone)}{_again(fact, zone)} ({fact.source})",
    ]
    flags = flags_of(fact)
    if flags:
        lines.append(", ".join(flags))
    quotes = [one for one in fact.evidence if one.quote]
    for one in quotes[-_QUOTES:]:
        lines.append(f"“{one.quote}”, {moment_text(one.said_at, zone)}, message {one.seq}")
    if len(quotes) > _QUOTES:
        lines.append(f"and {counted(len(quotes) - _QUOTES, 'earlier quote')}")
    return "\n".join(lines)


def flags_of(fact: Fact) -> list[str]:
    """Say what is special about a fact."""
    return [word for name, word in _FLAGS.items() if getattr(fact, name)]


def statement_name(statement: Statement, zone: tzinfo) -> str:
    """Give the name by which a statement's sign is read aloud."""
    slot = line_of(slot_text(statement.subject, statement.predicate), 100)
    value = line_of(statement_value(statement), 200)
    said = moment_text(statement.said_at, zone)
    return f"{slot}: {statement.kind} {value}, said {said}, {force_text(statement)}"


def statement_story(statement: Statement, zone: tzinfo) -> str:
    """Tell all of a statement that took away."""
    lines = [
        f"{slot_text(statement.subject, statement.predicate)}: {statement.kind} {statement_value(statement)}",
        f"{mark_of(statement).meaning}; {force_text(statement)}",
        f"said {moment_text(statement.said_at, zone)} ({statement.source})",
    ]
    return "\n".join([*lines, f"“{statement.quote}”"] if statement.quote else lines)


def statement_value(statement: Statement) -> str:
    """Give what a statement names."""
    if isinstance(statement.value, (tuple, list)):
        return ", ".join(str(item) for item in statement.value) or "(none)"
    return "(any value)" if statement.value is None else str(statement.value)


def force_text(statement: Statement) -> str:
    """Say whether a statement counts."""
    if statement.corrected:
        return "corrected"
    return "in force" if statement.in_force else "without effect"


def group_story(names: Sequence[str], number: int) -> str:
    """Tell of ``number`` that are drawn as one, the first ones by name."""
    rest = number - len(names)
    return "\n".join([*names, *([f"and {rest:,} more"] if rest else [])])


def _again(fact: Fact, zone: tzinfo) -> str:
    last: datetime = fact.last_evidence_at
    return "" if last == fact.said_at else f", last said {moment_text(last, zone)}"
