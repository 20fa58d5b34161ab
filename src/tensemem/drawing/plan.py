"""What a drawing shows and what it leaves out: slots in order, and which facts get a bar of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..model.fact import Fact, FactStatus, Statement
from ..model.moment import EARLIEST, to_moment
from .lanes import is_dated
from .telling import slot_text

MOST_BARS = 400
"""Facts with a bar of their own; of more, those that lie close together are drawn as one."""
MOST_SLOTS = 60
"""Slots that are drawn."""
MOST_UNDATED = 60
"""Facts without dates that are drawn."""

_PRESSING = frozenset({FactStatus.ACTIVE, FactStatus.SCHEDULED, FactStatus.PLANNED, FactStatus.CANDIDATE})


@dataclass(frozen=True, slots=True)
class Row:
    """The dated facts of one slot, under a heading, with the statements that took away from it."""

    subject: str
    predicate: str
    facts: tuple[Fact, ...]
    statements: tuple[Statement, ...] = ()
    side: str = ""

    @property
    def name(self) -> str:
        """What the heading says."""
        slot = slot_text(self.subject, self.predicate)
        return f"{slot} · {self.side}" if self.side else slot


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is drawn: rows, facts without dates, and how many facts and statements are left out."""

    rows: tuple[Row, ...]
    undated: tuple[Fact, ...]
    alone: frozenset[str]
    facts_left_out: int = 0
    statements_left_out: int = 0
    slots_left_out: int = 0

    def moments(self, now: datetime) -> list[int]:
        """Give every moment that the axis must show."""
        facts = [fact for row in self.rows for fact in row.facts]
        told = [to_moment(one) for fact in facts for one in (fact.valid_from, fact.valid_to) if one is not None]
        told += [to_moment(one.said_at) for row in self.rows for one in row.statements]
        return [*told, to_moment(now)]


def plan_of(facts: Iterable[Fact], statements: Iterable[Statement]) -> Plan:
    """Plan the drawing of facts and statements: a row for each slot, the user's first."""
    slots = dict[tuple[str, str], tuple[list[Fact], list[Statement]]]()
    undated = list[Fact]()
    for fact in facts:
        if is_dated(fact):
            slots.setdefault((fact.subject, fact.predicate), ([], []))[0].append(fact)
        else:
            undated.append(fact)
    for statement in statements:
        slots.setdefault((statement.subject, statement.predicate), ([], []))[1].append(statement)
    order = sorted(slots, key=lambda slot: (slot[0] != "user", slot))
    rows = [Row(*slot, tuple(slots[slot][0]), tuple(slots[slot][1])) for slot in order]
    return plan_rows(rows, undated)


def plan_rows(rows: Sequence[Row], undated: Sequence[Fact] = ()) -> Plan:
    """Plan the drawing of rows that are in order: the first ones, and of their facts the most pressing as bars."""
    drawn, left_out = rows[:MOST_SLOTS], rows[MOST_SLOTS:]
    pressing = sorted((fact for row in drawn for fact in row.facts), key=_pressing)
    return Plan(
        rows=tuple(drawn),
        undated=tuple(undated[:MOST_UNDATED]),
        alone=frozenset(fact.id for fact in pressing[:MOST_BARS]),
        facts_left_out=sum(len(row.facts) for row in left_out) + len(undated[MOST_UNDATED:]),
        statements_left_out=sum(len(row.statements) for row in left_out),
        slots_left_out=len(left_out),
    )


def start_of(fact: Fact) -> int:
    """Give when a fact begins; the first moment of all where nobody said."""
    return EARLIEST if fact.valid_from is None else to_moment(fact.valid_from)


def _pressing(fact: Fact) -> tuple[bool, int, str]:
    """Order facts: what holds, comes or waits first, then the newest."""
    when = fact.valid_from or fact.valid_to or fact.said_at
    return fact.status not in _PRESSING, -to_moment(when), fact.id
