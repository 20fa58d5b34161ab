"""What JSON can carry: copied plainly, with everything refused that would not come back as it went in."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from ..errors import InvalidValueError
from .text import is_valid_text

DEEPEST = 64
"""How far lists and objects may be nested."""
MOST_PARTS = 100_000
"""How many values a JSON value may hold in all, counted wherever they stand."""
LONGEST_INT = 10**1000
"""Whole numbers stay below: printing longer ones is slow, or forbidden."""


def plain_json(value: object, *, name: str) -> Any:
    """Give a JSON value made of dict, list, str, int, float, bool and None only, a copy all through.

    Mappings become objects, tuples lists. Raises InvalidValueError, which begins with ``name``, for anything else:
    keys that aren't text, NaN and infinity, text that can't be stored, what contains itself, is nested more than 64
    deep, or has more than 100,000 parts.
    """
    return _Copy(name).of(value, 0)


def canonical_json(value: Any) -> str:
    """Give a plain JSON value as text that is equal where values are: keys sorted, 1.0 as 1."""
    return json.dumps(_evened(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def check_metadata(value: object) -> dict[str, Any] | None:
    """Give metadata as a plain JSON object; None stays None. Raises InvalidValueError for what JSON can't carry."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise InvalidValueError(f"metadata: give a mapping, not a value of type {type(value).__name__}")
    found: dict[str, Any] = plain_json(value, name="metadata")
    return found


class _Copy:
    """One copy in the making: the containers it is inside of, and how many parts it has met."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.inside: set[int] = set()
        self.parts = 0

    def of(self, value: object, depth: int) -> Any:
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise self.fault(f"has more than {MOST_PARTS} parts")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int):
            return self.whole(int(value))
        if isinstance(value, float):
            return self.real(float(value))
        if isinstance(value, (Mapping, list, tuple)):
            return self.container(value, depth)
        raise self.fault(f"holds a value of type {type(value).__name__}, which JSON doesn't know")

    def container(self, value: Mapping[Any, Any] | list[Any] | tuple[Any, ...], depth: int) -> Any:
        if id(value) in self.inside:
            raise self.fault("contains itself")
        if depth >= DEEPEST:
            raise self.fault(f"is nested more than {DEEPEST} deep")
        self.inside.add(id(value))
        copy: Any
        if isinstance(value, Mapping):
            copy = {self.key(key): self.of(item, depth + 1) for key, item in value.items()}
        else:
            copy = [self.of(item, depth + 1) for item in value]
        self.inside.discard(id(value))
        return copy

    def key(self, key: object) -> str:
        if not isinstance(key, str):
            raise self.fault(f"has a key of type {type(key).__name__}; keys are text")
        return self.text(key)

    def text(self, text: str) -> str:
        fault = is_valid_text(text)
        if fault is not None:
            raise self.fault(fault)
        return str.__str__(text)

    def whole(self, number: int) -> int:
        if abs(number) >= LONGEST_INT:
            raise self.fault("holds a whole number of more than 1000 digits")
        return number

    def real(self, number: float) -> float:
        if not math.isfinite(number):
            raise self.fault(f"holds {number}, which JSON doesn't know")
        return number

    def fault(self, what: str) -> InvalidValueError:
        return InvalidValueError(f"{self.name}: it {what}")


def _evened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _evened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_evened(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
