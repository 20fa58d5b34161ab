"""The axis of a drawing: its marks, the grid, the places where time is drawn short, and the line that is now."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.moment import SECOND
from .look import Look
from .scale import Scale, Stretch
from .svg import element, text_at, title
from .ticks import Tick
from .words import moment_text, width_of

AXIS = 52.0
"""Pixels that an axis takes: a line for now, one for the marks, one for the greater unit."""
_UNITS = (
    ("year", 365 * 86400), ("month", 30 * 86400), ("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1),
)  # fmt: skip


def axis(scale: Scale, ticks: Sequence[Tick], top: float, look: Look) -> str:
    """Draw the labels of the marks; between them how long the stretches are that are drawn short."""
    parts = list[str]()
    for tick in ticks:
        wide = max(width_of(tick.label, 11), width_of(tick.below, 11))
        x = min(max(tick.x, wide / 2 + 1), look.width - wide / 2 - 1)
        parts.append(text_at(x, top + 31, tick.label, "tm-tick", text_anchor="middle"))
        if tick.below:
            parts.append(text_at(x, top + 44, tick.below, "tm-tick tm-below", text_anchor="middle"))
    for stretch in scale.stretches:
        if stretch.is_break:
            words = f"// {_length(stretch)} //"
            middle = (stretch.left + stretch.right) / 2
            parts.append(text_at(middle, top + 31, words, "tm-tick tm-short", text_anchor="middle"))
    return element("g", parts, class_="tm-axis", aria_hidden="true")


def grid(ticks: Sequence[Tick], top: float, bottom: float) -> str:
    """Draw a thin line below every mark."""
    lines = [element("line", class_="tm-grid", x1=tick.x, y1=top - 4, x2=tick.x, y2=bottom) for tick in ticks]
    return element("g", lines, aria_hidden="true")


def breaks(scale: Scale, top: float, bottom: float) -> str:
    """Draw a zigzag where time is drawn short."""
    found = list[str]()
    for stretch in scale.stretches:
        if stretch.is_break:
            middle = (stretch.left + stretch.right) / 2
            steps = int((bottom - top) / 6)
            zigzag = "l4 6l-4 6" * (steps // 2)
            told = title(f"{_length(stretch)} are drawn short here")
            for shift in (-3, 3):
                line = element("path", class_="tm-break", d=f"M{middle + shift - 2:.1f} {top:.1f}{zigzag}")
                found.append(element("g", [told, line]))
    return element("g", found, aria_hidden="true") if found else ""


def now_line(scale: Scale, now: int, look: Look, top: float, bottom: float) -> str:
    """Draw the line that is now, from the axis to the last lane."""
    x = scale.x(now)
    told = title(f"{look.line}: {moment_text(look.now.replace(microsecond=0), look.zone)}")
    line = element("line", class_="tm-now-line", x1=x, y1=top - 36, x2=x, y2=bottom)
    edge = width_of(look.line, 11) / 2 + 1
    label = text_at(min(max(x, edge), look.width - edge), top - 40, look.line, "tm-now-label", text_anchor="middle")
    return element("g", [told, line, label], class_="tm-now")


def _length(stretch: Stretch) -> str:
    seconds = (stretch.last - stretch.first) / SECOND
    for unit, each in _UNITS:
        if seconds >= 2 * each or each == 1:
            number = max(round(seconds / each), 1)
            return f"{number:,} {unit}{'s' if number != 1 else ''}"
    return ""
