"""Results as JSON documents: every field by its name, times in ISO 8601, nothing hidden."""

from __future__ import annotations

import dataclasses
import json
import re
import unicodedata
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any

from tensemem import State, WriteResult
from tensemem.core.periods import format_duration

_OF_STATE = (
    "user_id", "at", "rev", "version", "next_change_at", "values", "by_subject", "facts", "planned", "candidates",
    "many", "freshness",
)  # fmt: skip
_OF_WRITE = (
    "seq", "rev", "duplicate", "changed", "current", "fact_id", "fact_ids", "shown", "changes", "decisions",
    "redactions", "durability",
)  # fmt: skip
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BEYOND_ASCII = re.compile(r"[^\n -~]")


def document(value: object) -> Any:
    """Give a result as what JSON knows: fields by name, times as ISO text, sets in order."""
    if isinstance(value, Enum):
        return document(value.value)
    if isinstance(value, (State, WriteResult)):
        names = _OF_STATE if isinstance(value, State) else _OF_WRITE
        return {name: document(getattr(value, name)) for name in names}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _fields(value)
    if isinstance(value, Mapping):
        return {str(key): document(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(document(item) for item in value)
    if isinstance(value, (list, tuple)):
        return [document(item) for item in value]
    return _scalar(value)


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: document(getattr(value, field.name)) for field in dataclasses.fields(value)}


def _scalar(value: object) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return format_duration(value) if value > timedelta(0) else "PT0S"
    if isinstance(value, Decimal):
        plain = int(value) if value == value.to_integral_value() else float(value)
        return plain if Decimal(plain) == value else str(value)
    return value


def json_text(value: object, *, ascii_only: bool = False) -> str:
    """Give a document as JSON text in which whatever can't be seen is escaped, so that a terminal shows it safely."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=2, allow_nan=False)
    return text if ascii_only else _BEYOND_ASCII.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    return json.dumps(char)[1:-1] if char == "\x7f" or unicodedata.category(char) in _HIDDEN else char
