"""HTML from text that nobody trusts: elements and attributes are ours, whatever a person said is a text node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from html import escape

from ..core.fence import visible


def told(text: object) -> str:
    """Give a person's words as HTML: escaped, with nothing hidden in them, and in a direction of their own."""
    return f'<bdi dir="auto">{escape(visible(str(text)))}</bdi>'


def ours(text: object) -> str:
    """Give words of this library as HTML."""
    return escape(str(text))


def element(name: str, inside: str, kind: str = "") -> str:
    """Give an element; ``inside`` is HTML, ``kind`` its class."""
    opening = f'<{name} class="{kind}">' if kind else f"<{name}>"
    return f"{opening}{inside}</{name}>"


def listed(items: Iterable[str]) -> str:
    """Give list items; each is HTML."""
    return "\n".join(f"<li>{item}</li>" for item in items)


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Give a table that can be scrolled with the keyboard; ``header`` is text, cells are HTML."""
    top = "".join(f'<th scope="col">{ours(name)}</th>' for name in header)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{ours(caption)}">'
        f"<table><thead><tr>{top}</tr></thead><tbody>\n{body}\n</tbody></table></div>"
    )


def quoted(text: str, said: str, where: str) -> str:
    """Give somebody's words with when and where they were said."""
    place = f" · {told(where)}" if where else ""
    return f'<blockquote>{told(text)} <span class="where">{ours(said)}{place}</span></blockquote>'


def day(moment: datetime | None, zone: tzinfo, otherwise: str = "") -> str:
    """Give the day of a moment."""
    return otherwise if moment is None else _local(moment, zone).strftime("%Y-%m-%d")


def minute(moment: datetime, zone: tzinfo) -> str:
    """Give a moment to the minute."""
    return _local(moment, zone).strftime("%Y-%m-%d %H:%M")


def _local(moment: datetime, zone: tzinfo) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:  # the first and the last hours that can be told
        return moment
