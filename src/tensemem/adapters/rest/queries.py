"""Queries: names and texts, read exactly. What is no UTF-8, and what no escape stands for, is refused."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from .refusals import Refusal

MOST = 1000
"""How many parameters a query may have."""

_BROKEN = re.compile(rb"%(?![0-9A-Fa-f]{2})")


def parameters(query: bytes) -> list[tuple[str, str]]:
    """Give the names and texts of a query, in order; raises Refusal."""
    if not query:
        return []
    parts = query.split(b"&", MOST + 1)
    if len(parts) > MOST:
        raise Refusal("bad-request", f"the query has more than {MOST} parameters")
    found: list[tuple[str, str]] = []
    for part in parts:
        if part:
            name, _, text = part.partition(b"=")
            found.append((_read(name), _read(text)))
    return found


def _read(text: bytes) -> str:
    text = text.replace(b"+", b" ")
    if _BROKEN.search(text):
        raise Refusal("bad-request", "in a query % must be followed by two hexadecimal digits; write %25 for itself")
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        raise Refusal("bad-request", "the query is no UTF-8") from None
