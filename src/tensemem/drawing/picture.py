"""The drawing itself: a plan, laid out along an axis, as SVG.

Nothing here is styled but by class and by attributes that say where things stand; the colours are those of
``timeline.css``. So the drawing may stand in a page that allows no inline styles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from ..model.moment import to_moment
from .axis import AXIS, axis, breaks, grid, now_line
from .bars import LANE, bar, chips, patterns, sign
from .labels import labels_of
from .lanes import SIGN, Field, bars_of, is_dated, signs_of
from .legend import legend
from .look import Look
from .plan import Plan, Row, start_of
from .scale import Scale, scale_of
from .svg import element, text_at
from .ticks import Tick, ticks_of
from .words import clipped, counted, line_of, markup_of

EDGE = 30.0
"""Pixels beside the axis, for what has no start or no end."""
_RIM = 8.0
_AHEAD = 104.0
"""Pixels behind the axis where something without an end begins late: room for its words."""
_HEADING, _GAP, _LINE = 24.0, 10.0, 18.0


@dataclass(slots=True)
class _Page:
    """The drawing so far: how far down it reaches, and its parts, those behind first."""

    look: Look
    id: str
    room: Field
    ticks: list[Tick]
    y: float = 0.0
    parts: list[str] = field(default_factory=list)


def picture(plan: Plan, name: str, look: Look) -> str:
    """Draw a plan; ``name`` says what it shows to who can't see it."""
    moments = plan.moments(look.now)
    facts = [fact for row in plan.rows for fact in row.facts]
    before = EDGE if any(fact.valid_from is None for fact in facts) else _RIM
    behind = EDGE if any(fact.valid_to is None for fact in facts) else _RIM
    scale = scale_of(moments, before, look.width - behind)
    ahead = min(_AHEAD, look.width / 5)
    if any(fact.valid_to is None and scale.x(start_of(fact)) > look.width - ahead for fact in facts):
        scale = scale_of(moments, before, look.width - ahead)
    room = Field(scale, 1.0, look.width - 1.0)
    page = _Page(look, _id_of(plan, name, look), room, ticks_of(scale, look.zone))
    for line in _notes(plan):
        page.y += _LINE
        page.parts.append(text_at(1.0, page.y - 5, clipped(line, look.width - 2, 11.5), "tm-note"))
    if any(row.facts or row.statements for row in plan.rows):
        _dated(page, plan, scale)
    if plan.undated:
        _undated(page, plan)
    key, below = legend(plan, scale, page.id, look.width, page.y + _GAP)
    page.parts.append(key)
    return _whole(page, plan, name, below)


def _whole(page: _Page, plan: Plan, name: str, height: float) -> str:
    look = page.look
    fills = patterns(page.id)
    style = element("style", look.style) if look.style else ""
    return element(
        "svg", [element("title", markup_of(name)), style, element("defs", fills), *page.parts],
        xmlns="http://www.w3.org/2000/svg", class_="tm-timeline", width=look.width, height=height,
        viewBox=f"0 0 {look.width:.0f} {height:.0f}", role="group", aria_label=line_of(name, 500),
        data_facts=str(sum(len(row.facts) for row in plan.rows) + len(plan.undated)),
        data_left_out=str(plan.facts_left_out),
    )  # fmt: skip


def _dated(page: _Page, plan: Plan, scale: Scale) -> None:
    """Draw the axis and every row below it, then the grid behind them."""
    top = page.y + AXIS
    page.y = top
    rows = [_row(page, row, plan.alone) for row in plan.rows]
    bottom = page.y
    page.parts += [
        element("g", [lane for _, lanes in rows for lane in lanes], aria_hidden="true"),
        grid(page.ticks, top, bottom), breaks(scale, top, bottom),
        now_line(scale, to_moment(page.look.now), page.look, top, bottom), *(row for row, _ in rows),
        axis(scale, page.ticks, top - AXIS, page.look),
    ]  # fmt: skip
    if bottom - top > 700:
        page.parts.append(axis(scale, page.ticks, bottom, page.look))
        page.y += AXIS


def _row(page: _Page, row: Row, alone: frozenset[str]) -> tuple[str, list[str]]:
    """Draw the heading of a slot, its bars, and below them what took away; gives the lanes behind them apart."""
    begin = page.y + _HEADING
    placed, lanes = bars_of(row.facts, page.room, alone)
    signs, sign_lanes = signs_of(row.statements, page.room)
    words = clipped(line_of(row.name, 200), page.look.width - 4, 13.0)
    inside = [text_at(1.0, begin - 8, words, "tm-heading")]
    for one, label in labels_of(placed, page.room.left, page.room.right):
        inside.append(bar(one, label, begin + one.lane * LANE, page.id, page.look))
    below = begin + lanes * LANE
    for mark in signs:
        inside.append(sign(mark, below + mark.lane * SIGN, page.look))
    page.y = below + sign_lanes * SIGN + _GAP
    heading = f"{line_of(row.name, 200)}: {counted(len(row.facts), 'fact')}"
    drawn = element(
        "g", inside, class_="tm-slot", role="group", aria_label=heading,
        data_subject=row.subject, data_predicate=row.predicate,
    )  # fmt: skip
    return drawn, [_lane(page, begin + lane * LANE) for lane in range(lanes)]


def _lane(page: _Page, top: float) -> str:
    return element("rect", class_="tm-lane", x=0.5, y=top, width=page.look.width - 1, height=LANE - 3)


def _undated(page: _Page, plan: Plan) -> None:
    """Draw the facts without dates in a strip of their own."""
    page.y += _HEADING
    strip, below = chips(plan.undated, page.y, page.id, page.look)
    heading = text_at(1.0, page.y - 8, "without dates", "tm-heading")
    name = f"without dates: {counted(len(plan.undated), 'fact')}"
    page.parts.append(element("g", [heading, *strip], class_="tm-slot tm-undated", role="group", aria_label=name))
    page.y = below + _GAP


def _notes(plan: Plan) -> Iterator[str]:
    """Say in words what the drawing leaves out, or that it has nothing to show."""
    facts = [fact for row in plan.rows for fact in row.facts]
    if not facts and not plan.undated and not any(row.statements for row in plan.rows):
        yield "No facts."
    together = sum(fact.id not in plan.alone for fact in facts if is_dated(fact))
    if together:
        yield f"{counted(together, 'fact')} that lie close to others share a bar with them."
    if plan.facts_left_out or plan.slots_left_out:
        where = f" of {counted(plan.slots_left_out, 'more attribute')}" if plan.slots_left_out else ""
        yield f"Not drawn: {counted(plan.facts_left_out, 'fact')}{where}; name an attribute to see its own."
    if plan.statements_left_out:
        yield f"Not drawn: {counted(plan.statements_left_out, 'statement')} about them."


def _id_of(plan: Plan, name: str, look: Look) -> str:
    """Give what sets the ids inside apart from those of other drawings on one page; the same for the same drawing."""
    facts = (fact.id for row in plan.rows for fact in row.facts)
    told = [name, f"{look.width}", look.now.isoformat(), look.role, *facts]
    return f"tm{blake2b('|'.join(told).encode('utf-8', 'backslashreplace'), digest_size=5).hexdigest()}"
