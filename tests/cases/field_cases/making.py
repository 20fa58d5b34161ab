"""What the cases are made of."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from tensemem import Operation

ONE: Mapping[str, Any] = {}
MANY: Mapping[str, Any] = {"cardinality": "many"}

SKIPPED = ("skipped no_user_text",)


def sets(predicate: str, value: Any, quote: str, **more: Any) -> Operation:
    return Operation("set", predicate, value, quote=quote, **more)


def adds(predicate: str, value: Any, quote: str, **more: Any) -> Operation:
    return Operation("add", predicate, value, quote=quote, **more)


def decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)
