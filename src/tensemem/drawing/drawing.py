"""The drawings that others ask for: a timeline of facts, and the difference between two states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from functools import cache
from importlib.resources import files
from itertools import groupby
from zoneinfo import ZoneInfo

from ..core.periods import parse_zone
from ..errors import InvalidTimeError, InvalidValueError
from ..model.fact import Fact, FactStatus, Statement
from ..model.results import History, StateDiff
from .lanes import is_dated
from .look import Look
from .picture import picture
from .plan import Row, plan_of, plan_rows
from .words import counted, line_of

NARROWEST, WIDEST = 280, 20_000
"""Pixels that a drawing may be wide."""


def timeline(
    source: History | Iterable[Fact], statements: Iterable[Statement] = (), *, now: datetime | None = None,
    zone: str | tzinfo = "UTC", width: float = 900, standalone: bool = False, role: str | None = None,
) -> str:  # fmt: skip
    """Draw facts over valid time, with the statements that took away, as one SVG element.

    ``source`` is a history, which has its statements with it, or facts. ``now`` (with an offset) is where the line of
    the present stands; without it, the moment a history was read; a line at the last moment that facts tell of says
    so. Times are told in ``zone``. ``width`` is in pixels, from 280 to 20,000; the height follows.

    ``standalone`` puts the style into the drawing, for a file or a notebook; without it the drawing has classes alone,
    and stands in a page that has ``style()``. Bars have the role ``button`` there, ``img`` where they stand alone;
    ``role`` says otherwise; ``"link"`` makes each bar lead to the anchor ``fact-…`` with its id. The same arguments
    give the same text. Raises InvalidTimeError, InvalidValueError.
    """
    if isinstance(source, History) and now is None:
        now = source.at
    facts = source.facts if isinstance(source, History) else tuple(source)
    told = (*source.retractions, *statements) if isinstance(source, History) else tuple(statements)
    whose = f" of {line_of(source.user_id, 100)}" if isinstance(source, History) else ""
    look = look_of(facts, told, now=now, zone=zone, width=width, standalone=standalone, role=role)
    slots = {(fact.subject, fact.predicate) for fact in facts} | {(one.subject, one.predicate) for one in told}
    counts = f"{counted(len(facts), 'fact')} of {counted(len(slots), 'attribute')}"
    return picture(plan_of(facts, told), f"Timeline{whose}: {counts}", look)


def difference(
    diff: StateDiff, *, now: datetime | None = None, zone: str | tzinfo = "UTC", width: float = 900,
    standalone: bool = False, role: str | None = None,
) -> str:  # fmt: skip
    """Draw the difference between two states: each slot that differs, as it was before, and as it is after.

    The arguments are those of ``timeline``. Raises InvalidTimeError, InvalidValueError.
    """
    before = [*diff.removed, *(old for old, _ in diff.changed)]
    after = [*diff.added, *(new for _, new in diff.changed)]
    look = look_of((*before, *after), (), now=now, zone=zone, width=width, standalone=standalone, role=role)
    sided = sorted([*((fact, 0) for fact in before), *((fact, 1) for fact in after)], key=_slot_and_side)
    rows = [
        Row(subject, predicate, tuple(fact for fact, _ in group if is_dated(fact)), side=("before", "after")[side])
        for (_, subject, predicate, side), group in groupby(sided, key=_slot_and_side)
    ]
    undated = [fact for fact, _ in sided if not is_dated(fact)]
    name = f"Difference: {len(diff.added):,} added, {len(diff.removed):,} removed, {len(diff.changed):,} changed"
    return picture(plan_rows([row for row in rows if row.facts], undated), name, look)


def style() -> str:
    """Give the stylesheet of drawings; its colours are custom properties, ``--tm-…``.

    They are light or dark as the ``color-scheme`` is of the page, or of whatever a drawing stands in.
    """
    return packaged("timeline.css")


@cache
def packaged(name: str) -> str:
    """Give a text file that lies beside this module."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def look_of(
    facts: Sequence[Fact], statements: Sequence[Statement], *, now: datetime | None, zone: str | tzinfo, width: float,
    standalone: bool, role: str | None,
) -> Look:  # fmt: skip
    """Check what was asked for; raises InvalidTimeError and InvalidValueError."""
    if not isinstance(width, (int, float)) or isinstance(width, bool) or not NARROWEST <= width <= WIDEST:
        raise InvalidValueError(f"width must be a number of pixels from {NARROWEST} to {WIDEST:,}")
    if now is not None and (not isinstance(now, datetime) or now.utcoffset() is None):
        raise InvalidTimeError("now must be a datetime with a zone, such as datetime.now(UTC)")
    return Look(
        width=float(width), zone=zone_of(zone), now=latest(facts, statements) if now is None else now,
        role=role or ("img" if standalone else "button"), style=style() + packaged("alone.css") if standalone else "",
        line="last told" if now is None else "now",
    )  # fmt: skip


def zone_of(zone: str | tzinfo) -> tzinfo:
    """Give a zone by its name; raises InvalidTimeError where there is none of that name."""
    if isinstance(zone, tzinfo):
        return zone
    name = parse_zone(zone)
    return UTC if name == "UTC" else ZoneInfo(name)


def latest(facts: Iterable[Fact], statements: Iterable[Statement]) -> datetime:
    """Give the last moment that facts and statements tell of; what is scheduled or planned lies after it."""
    told = [one.said_at for one in statements]
    for fact in facts:
        told += [fact.said_at, fact.recorded_at, fact.last_evidence_at]
        if fact.status is FactStatus.ACTIVE and fact.valid_from is not None:
            told.append(fact.valid_from)
    return max(told, default=datetime(1970, 1, 1, tzinfo=UTC))


def _slot_and_side(sided: tuple[Fact, int]) -> tuple[bool, str, str, int]:
    fact, side = sided
    return fact.subject != "user", fact.subject, fact.predicate, side
