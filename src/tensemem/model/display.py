"""How results show in a notebook: small tables, with every text escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from datetime import datetime

from .fact import Fact


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
