"""The legend: of every mark that a drawing holds, what it means."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.fact import Fact
from .bars import corner, icon
from .marks import MARKS, STATEMENTS, Mark, mark_of
from .plan import Plan
from .scale import Scale
from .svg import element, path, text_at
from .words import width_of

_LINE = 22.0


def legend(plan: Plan, scale: Scale, id: str, width: float, top: float) -> tuple[str, float]:
    """Give the legend and where it ends."""
    parts, x, y = list[str](), 1.0, top
    for swatch, words in _entries(plan, scale, id):
        wide = 34 + width_of(words, 11.5) + 14
        if x > 1.0 and x + wide > width:
            x, y = 1.0, y + _LINE
        place = f"translate({x:.1f} {y:.1f})"
        parts.append(element("g", [swatch, text_at(33.0, 14.0, words, "tm-key")], transform=place))
        x += wide
    if not parts:
        return "", top
    return element("g", parts, class_="tm-legend", role="group", aria_label="legend"), y + _LINE + 2


def _entries(plan: Plan, scale: Scale, id: str) -> Iterator[tuple[str, str]]:
    facts = [*(fact for row in plan.rows for fact in row.facts), *plan.undated]
    present = {fact.status for fact in facts}
    for status, mark in MARKS.items():
        if status in present:
            yield _swatch(mark, id), mark.name
    yield from _signs(plan)
    yield from _ends(facts, scale)


def _swatch(mark: Mark, id: str) -> str:
    shape = path([(1, 1), (28, 1), (28, 19), (1, 19)])
    parts = [element("path", class_="tm-box", d=shape, stroke_dasharray=mark.dashes or None)]
    if mark.pattern:
        parts.append(element("path", class_="tm-fill", d=shape, fill=f"url(#{id}-{mark.pattern})"))
    if mark.name == "retracted":
        parts.append(element("path", class_="tm-cap", d="M27 0v20"))
    return element("g", [*parts, icon(mark, 14, 10)], class_=f"tm-{mark.name} tm-of-{mark.family}")


def _signs(plan: Plan) -> Iterator[tuple[str, str]]:
    present = {mark_of(statement) for row in plan.rows for statement in row.statements}
    for mark in [*STATEMENTS.values(), *sorted(present - set(STATEMENTS.values()), key=lambda one: one.name)]:
        if mark in present:
            yield element("g", icon(mark, 14, 10), class_="tm-statement"), mark.meaning
    if any(one.corrected or not one.in_force for row in plan.rows for one in row.statements):
        void = element("g", icon(STATEMENTS["retract"], 14, 10), class_="tm-statement tm-void")
        yield void, "without effect, or corrected"


def _ends(facts: list[Fact], scale: Scale) -> Iterator[tuple[str, str]]:
    dated = [fact for fact in facts if fact.valid_from is not None or fact.valid_to is not None]
    if any(fact.contested for fact in facts):
        folded = element("path", class_="tm-doubt", d=path(corner(28, 2)))
        yield element("g", [_shape([(1, 2), (28, 2), (28, 18), (1, 18)]), folded]), "in doubt"
    if any(fact.valid_to is None for fact in dated):
        yield _shape([(1, 2), (19, 2), (28, 10), (19, 18), (1, 18)]), "no end"
    if any(fact.valid_from is None for fact in dated):
        teeth = [(6.0, 2.0), (28, 2), (28, 18), (6, 18), (1, 14), (6, 10), (1, 6)]
        yield _shape(teeth), "unknown start"
    if any(stretch.is_break for stretch in scale.stretches):
        yield element("path", class_="tm-break", d="M10 0l4 5l-4 5l4 5l-4 5M16 0l4 5l-4 5l4 5l-4 5"), "time drawn short"


def _shape(points: list[tuple[float, float]]) -> str:
    return element("g", element("path", class_="tm-box", d=path(points)), class_="tm-of-plain")
