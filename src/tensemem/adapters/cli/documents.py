"""JSON text that a terminal shows safely."""

from __future__ import annotations

import json
import re
import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BEYOND_ASCII = re.compile(r"[^\n -~]")


def json_text(value: object, *, ascii_only: bool = False) -> str:
    """Give a document as JSON text in which whatever can't be seen is escaped, so that a terminal shows it safely."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=2, allow_nan=False)
    return text if ascii_only else _BEYOND_ASCII.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    return json.dumps(char)[1:-1] if char == "\x7f" or unicodedata.category(char) in _HIDDEN else char
