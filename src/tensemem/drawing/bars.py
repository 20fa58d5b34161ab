"""Bars, signs and chips: what a person points at, tabs to and clicks."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.fact import Fact, FactStatus
from .labels import Label
from .lanes import Bar, Sign
from .look import Look
from .marks import Mark, mark_of
from .svg import element, path, text_at, title
from .telling import (
    LISTED,
    group_story,
    name_of,
    slot_text,
    statement_name,
    statement_story,
    story_of,
    value_text,
)
from .words import clipped, counted, line_of, number_text, width_of

LANE = 27.0
"""Pixels of a lane."""
TALL = 22.0
"""Pixels of a bar."""
_TIP, _TOOTH, _TOP = 9.0, 5.0, 1.0
_LISTED_IDS = 100
"""Most ids that a bar of several facts carries."""


def patterns(id: str) -> str:
    """Give the patterns that tell statuses apart; ``id`` sets them apart from those of other drawings."""
    shapes = {
        "dots": (6.0, 6.0, "M1.5 1.5h1.6v1.6h-1.6zM4.5 4.5h1.6v1.6h-1.6z"),
        "upright": (7.0, 7.0, "M3 0h1.2v7h-1.2z"),
        "level": (6.0, 6.0, "M0 2.5h6v1h-6z"),
        "slanted": (8.0, 8.0, "M0 8L8 0h1.4L1.4 8zM-1 1L1-1h1.4L-1 2.4zM7 9L9 7v1.4L8.4 9z"),
        "crossed": (8.0, 8.0, "M0 8L8 0h1.2L1.2 8zM0 0L8 8h-1.2L0 1.2z"),
    }
    return "".join(
        element(
            "pattern", element("path", class_="tm-hatch", d=shape), id=f"{id}-{name}", width=width, height=height,
            patternUnits="userSpaceOnUse",
        )
        for name, (width, height, shape) in shapes.items()
    )  # fmt: skip


def bar(one: Bar, label: Label, top: float, id: str, look: Look) -> str:
    """Draw a bar with its words, in the lane that begins at ``top``."""
    fact = one.facts[0]
    middle = top + _TOP + TALL / 2
    if len(one.facts) > 1:
        return _several(one, fact, label, top, look)
    mark = mark_of(fact)
    parts = [title(story_of(fact, look.zone)), *_body(one, mark, top + _TOP, id)]
    if label.icon is not None:
        parts.append(icon(mark, label.icon, middle, " tm-out" if label.icon > one.right else ""))
    kind, name = f"tm-bar tm-{mark.name} tm-of-{mark.family}", name_of(fact, look.zone)
    drawn = look.holder(parts, kind, name, f"fact-{fact.id}", data_fact=fact.id, data_status=mark.name)
    return drawn + _words(label, middle, mark.family)


def _several(one: Bar, fact: Fact, label: Label, top: float, look: Look) -> str:
    names = [name_of(each, look.zone) for each in one.facts[:LISTED]]
    told = counted(len(one.facts), "fact") + " that lie close together"
    story = f"{told}\n{group_story(names, len(one.facts))}"
    box = element("path", class_="tm-box", d=path(_outline(one.left, one.right, top + _TOP)))
    inner = _outline(one.left + 2.5, max(one.right - 2.5, one.left + 3), top + _TOP + 2.5, TALL - 5)
    rim = element("path", class_="tm-rim", d=path(inner))
    ids = " ".join(each.id for each in one.facts[:_LISTED_IDS])
    data = {"data_facts": ids, "data_count": str(len(one.facts))}
    drawn = look.holder([title(story), box, rim], "tm-bar tm-several tm-of-past", told, f"fact-{fact.id}", **data)
    return drawn + _words(label, top + _TOP + TALL / 2, "past")


def _body(one: Bar, mark: Mark, top: float, id: str) -> list[str]:
    fact = one.facts[0]
    is_open, is_torn = fact.valid_to is None, fact.valid_from is None
    shape = path(_outline(one.left, one.right, top, TALL, is_open=is_open, is_torn=is_torn))
    parts = [element("path", class_="tm-box", d=shape, stroke_dasharray=mark.dashes or None)]
    if mark.pattern:
        parts.append(element("path", class_="tm-fill", d=shape, fill=f"url(#{id}-{mark.pattern})"))
    if fact.contested:
        edge = one.right - 1 - (_TIP if is_open else 0.0)
        parts.append(element("path", class_="tm-doubt", d=path(corner(edge, top, min(edge - one.left, 9.0)))))
    if fact.status is FactStatus.RETRACTED and fact.valid_to is not None:
        x = number_text(one.right - 2)
        parts.append(element("path", class_="tm-cap", d=f"M{x} {number_text(top - 1)}v{number_text(TALL + 2)}"))
    return parts


def corner(right: float, top: float, size: float = 9.0) -> list[tuple[float, float]]:
    """Give the corner of a bar that is folded over where its fact is in doubt."""
    size = max(size, 3.0)
    return [(right - size, top), (right, top), (right, top + size)]


def _outline(
    left: float, right: float, top: float, tall: float = TALL, *, is_open: bool = False, is_torn: bool = False
) -> list[tuple[float, float]]:
    """Give the corners of a bar: a point where it has no end, teeth where nobody told its start."""
    right = max(right - 1.0, left + 1.0)  # a hair of space to the next one
    bottom, middle = top + tall, top + tall / 2
    tip = min(_TIP, (right - left) / 2) if is_open else 0.0
    ends = [(right - tip, top), (right, middle), (right - tip, bottom)] if is_open else [(right, top), (right, bottom)]
    if not is_torn:
        return [(left, top), *ends, (left, bottom)]
    tooth = min(_TOOTH, (right - left) / 3)
    quarter = tall / 4
    teeth = [(left, bottom - quarter), (left + tooth, middle), (left, top + quarter)]
    return [(left + tooth, top), *ends, (left + tooth, bottom), *teeth]


def _words(label: Label, middle: float, family: str) -> str:
    """Draw the words of a bar over it: they may be cut, and what they stand on has a name that says them whole."""
    if not label.text:
        return ""
    anchor = "end" if label.is_before else None
    kind = f"tm-words tm-of-{family}{'' if label.is_inside else ' tm-beside'}"
    text = text_at(label.x, middle + 4.2, label.text, "tm-label", text_anchor=anchor)
    return element("g", text, class_=kind, aria_hidden="true")


def icon(mark: Mark, x: float, y: float, more: str = "") -> str:
    """Draw the sign of a status or statement around a place; ``more`` are further classes."""
    place = f"translate({number_text(x)} {number_text(y)})"
    return element("path", class_=f"tm-icon{more}", d=mark.path, transform=place)


def sign(one: Sign, top: float, look: Look) -> str:
    """Draw the sign of a statement, or of several that were made at about one time."""
    statement = one.statements[0]
    mark = mark_of(statement)
    y = top + 8
    names = [statement_name(each, look.zone) for each in one.statements]
    if len(names) > 1:
        told = counted(len(names), "statement") + " at about one time"
        parts = [title(f"{told}\n{group_story(names[:LISTED], len(names))}"), icon(mark, one.x, y)]
        parts.append(text_at(one.x + 8, y + 4, f"+{len(names) - 1:,}", "tm-tick"))
    else:
        told, parts = names[0], [title(statement_story(statement, look.zone)), icon(mark, one.x, y)]
    is_void = statement.corrected or not statement.in_force
    space = element("rect", class_="tm-space", x=one.x - 7.5, y=y - 7.5, width=15.0, height=15.0)
    kind = f"tm-statement tm-{mark.name}{' tm-void' if is_void else ''}"
    data = {"data_statement": statement.id, "data_count": str(len(names))}
    return look.holder([parts[0], space, *parts[1:]], kind, told, f"statement-{statement.id}", **data)


def chips(facts: Sequence[Fact], top: float, id: str, look: Look) -> tuple[list[str], float]:
    """Draw facts without dates side by side, in as many lines as they take; gives where the last one ends, too."""
    found, x = list[str](), 1.0
    for fact in facts:
        words = line_of(f"{slot_text(fact.subject, fact.predicate)}: {value_text(fact)}", 200)
        words = clipped(words, min(260.0, look.width - 40))
        wide = width_of(words) + 34
        if x > 1.0 and x + wide > look.width - 1:
            x, top = 1.0, top + LANE
        label = Label(words, x + 22, x + 12)
        found.append(bar(Bar((fact,), x, x + wide), label, top, id, look))
        x += wide + 6
    return found, top + LANE
