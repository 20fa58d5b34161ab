"""The words at a bar: inside where they fit, beside it where there is room, cut visibly, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from .lanes import Bar
from .telling import value_text
from .words import clipped, counted, line_of, width_of

PAD = 6.0
ICON = 16.0
_LEAST = 26.0
"""Pixels below which cut words tell nothing."""
_POINT = 12.0


@dataclass(frozen=True, slots=True)
class Label:
    """Words, where they begin (or end, with ``is_before``), and where the sign stands; None where nothing fits."""

    text: str
    x: float
    icon: float | None
    is_inside: bool = True
    is_before: bool = False


def labels_of(bars: Sequence[Bar], left: float, right: float) -> list[tuple[Bar, Label]]:
    """Give every bar with its words; ``left`` and ``right`` bound the room beside them."""
    found = list[tuple[Bar, Label]]()
    by_lane = sorted(bars, key=lambda bar: (bar.lane, bar.left))
    for _, group in groupby(by_lane, key=lambda bar: bar.lane):
        lane, free_from = list(group), left
        for place, bar in enumerate(lane):
            free_to = lane[place + 1].left if place + 1 < len(lane) else right
            label = _label(bar, free_from, free_to)
            free_from = bar.right
            if not label.is_inside and not label.is_before:
                free_from = label.x + width_of(label.text)
            found.append((bar, label))
    return found


def _label(bar: Bar, free_from: float, free_to: float) -> Label:
    width = bar.right - bar.left
    if len(bar.facts) > 1:
        return _of_several(bar, width)
    words = line_of(value_text(bar.facts[0]), 200)
    is_open = bar.facts[0].valid_to is None
    begin = bar.left + PAD + ICON
    inside = width - 2 * PAD - ICON - (_POINT if is_open else 0)
    whole = width_of(words)
    icon = bar.left + PAD + ICON / 2 - 2 if width >= ICON + PAD else None
    if whole <= inside:
        return Label(words, begin, icon)
    after, before = free_to - bar.right - ICON - 2 * PAD, bar.left - free_from - ICON - 2 * PAD
    if whole <= after:
        return _beside(bar, words, icon)
    if whole <= before:
        return Label(words, bar.left - PAD, icon, is_inside=False, is_before=True)
    room = max(inside, after, before)
    if room < _LEAST:
        return Label("", begin, icon)
    if room == inside:
        return Label(clipped(words, inside), begin, icon)
    if room == after:
        return _beside(bar, clipped(words, after), icon)
    return Label(clipped(words, before), bar.left - PAD, icon, is_inside=False, is_before=True)


def _of_several(bar: Bar, width: float) -> Label:
    """Say how many facts a bar holds, as far as it has room."""
    tellings = (counted(len(bar.facts), "fact"), f"{len(bar.facts):,}", "")
    words = next(one for one in tellings if width_of(one) <= max(width - 2 * PAD, 0.0))
    return Label(words, bar.left + PAD, None)


def _beside(bar: Bar, words: str, icon: float | None) -> Label:
    if icon is not None:
        return Label(words, bar.right + PAD, icon, is_inside=False)
    return Label(words, bar.right + PAD + ICON, bar.right + PAD + ICON / 2 - 2, is_inside=False)
