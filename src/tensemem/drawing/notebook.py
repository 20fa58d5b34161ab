"""Results as a notebook shows them: the same drawing as everywhere, standing alone in its cell."""

from __future__ import annotations

from ..model.results import Explanation, History, State, StateDiff
from .drawing import difference, timeline
from .svg import element

_WIDTH = 860.0


def drawn(result: object) -> str:
    """Give the drawing of a result as HTML; empty for results that have none, and where there is nothing to draw."""
    svg = _picture(result)
    return element("div", svg, class_="tm-cell") if svg else ""


def _picture(result: object) -> str:
    if isinstance(result, History):
        facts, statements, now = result.facts, result.retractions, result.at
    elif isinstance(result, State):
        facts, statements, now = (*result.facts, *result.planned, *result.candidates), (), result.at
    elif isinstance(result, Explanation):
        # A fact may stand under both: it gives way at one moment, and comes back at another.
        mine = {fact.id: fact for fact in (*result.displaced, *result.displaced_by, result.fact)}
        facts, statements, now = tuple(mine.values()), (), None
    elif isinstance(result, StateDiff):
        return "" if result.is_empty else difference(result, width=_WIDTH, standalone=True)
    else:
        return ""
    return timeline(facts, statements, now=now, width=_WIDTH, standalone=True) if facts or statements else ""
