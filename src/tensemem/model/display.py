"""How results show in a notebook: a drawing, where somebody draws, and small tables; every text is escaped.

Values know nothing of drawings. The package says with ``draw_with`` who makes them; what does so is loaded when the
first result is shown.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from .fact import Fact

Draw = Callable[[object], str]
"""Gives the drawing of a result as HTML; empty where it has nothing to draw."""

_drawing: list[Callable[[], Draw]] = []


def draw_with(load: Callable[[], Draw]) -> None:
    """Say how to load what draws results; the last one told counts."""
    _drawing[:] = [load]


def pictured(result: object, tables: str) -> str:
    """Give a result's drawing with its tables folded below it; the tables alone where nothing is drawn."""
    drawn = _drawing[0]()(result) if _drawing else ""
    return f"{drawn}<details><summary>as a table</summary>{tables}</details>" if drawn else tables


def table(head: Sequence[str], lines: Iterable[Sequence[object]], note: str = "") -> str:
    """Give an HTML table; texts are escaped, so that what users said never becomes markup."""
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in line)}</tr>" for line in lines)
    foot = f"<p>{html.escape(note)}</p>" if note else ""
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>{foot}"


def fact_table(facts: Iterable[Fact], note: str = "") -> str:
    """Give facts as a table."""
    head = ("subject", "predicate", "value", "status", "from", "to", "last said")
    lines = (
        (f.subject, f.predicate, f.object, f.status.value, f.valid_from, f.valid_to, f.last_evidence_at) for f in facts
    )
    return table(head, lines, note)


def _cell(cell: object) -> str:
    return f"<td>{html.escape(_text(cell))}</td>"


def _text(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:%Y-%m-%d %H:%M}" if isinstance(cell, datetime) else str(cell)
