"""Elements of SVG and HTML: names are ours, whatever stands in an attribute or as text is escaped here."""

from __future__ import annotations

from collections.abc import Iterable

from .words import markup_of, number_text

Attribute = str | float | None
_HOLLOW = frozenset({"path", "rect", "line"})
"""What may have nothing inside, and is then closed at once; HTML knows no such form of other elements."""


def element(name: str, inside: str | Iterable[str] = "", /, **attributes: Attribute) -> str:
    """Give an element; ``inside`` is markup. ``class_`` is ``class``, other underscores are hyphens."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    content = inside if isinstance(inside, str) else "".join(inside)
    return f"<{name}{given}/>" if name in _HOLLOW and not content else f"<{name}{given}>{content}</{name}>"


def text_at(x: float, y: float, text: str, kind: str, **attributes: Attribute) -> str:
    """Give a line of text that begins (or ends, or has its middle) at a place."""
    return element("text", markup_of(text), class_=kind, x=x, y=y, **attributes)


def title(text: str) -> str:
    """Give what is shown when somebody points at an element, and read to who can't see it."""
    return element("title", markup_of(text))


def path(points: Iterable[tuple[float, float]]) -> str:
    """Give the outline through points."""
    return "M" + "L".join(f"{number_text(x)} {number_text(y)}" for x, y in points) + "z"


def _value(value: str | float) -> str:
    return markup_of(value) if isinstance(value, str) else number_text(value)
