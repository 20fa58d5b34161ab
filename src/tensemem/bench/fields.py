"""The fields of a JSON object, each taken once and of the kind that is expected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any


class WrongError(Exception):
    """Says what is wrong with a line."""


def parsed(line: str) -> Any:
    """Read a line of JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WrongError(f"this is no JSON: {error}") from None


class Fields:
    """The fields of an object; each is taken once, and one that is left over is unknown."""

    def __init__(self, given: Any, where: str) -> None:
        if not isinstance(given, Mapping):
            raise WrongError(f"{where} must be an object")
        self._left = dict(given)
        self.where = where

    def take(self, name: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        """Take a field; one that is missing gives the default, or is wrong where there is none."""
        if name not in self._left:
            if default is ...:
                raise WrongError(f"{self.where} lacks {name!r}")
            return default
        value = self._left.pop(name)
        is_bool_by_chance = isinstance(value, bool) and kind is not bool and bool not in _kinds(kind)
        if not isinstance(value, kind) or is_bool_by_chance:
            wanted = " or ".join(_WORDS.get(one, one.__name__) for one in _kinds(kind))
            raise WrongError(f"{name!r} in {self.where} must be {wanted}")
        return value

    def take_any(self, name: str, default: Any = None) -> Any:
        """Take a field of any kind."""
        return self._left.pop(name, default)

    def has(self, name: str) -> bool:
        """Tell whether a field is left."""
        return name in self._left

    def moment(self, name: str, default: Any = ...) -> Any:
        """Take a time with its zone."""
        text = self.take(name, str, default)
        return text if text is default else moment_of(text, f"{name!r} in {self.where}")

    def end(self) -> None:
        """Refuse what is left."""
        if self._left:
            raise WrongError(f"{self.where} has unknown fields: {', '.join(map(repr, self._left))}")


_WORDS = {str: "text", list: "a list", dict: "an object", bool: "true or false", float: "a number", int: "a number"}


def _kinds(kind: type | tuple[type, ...]) -> tuple[type, ...]:
    return kind if isinstance(kind, tuple) else (kind,)


def moment_of(text: str, what: str) -> datetime:
    """Read a time that has its zone."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise WrongError(f"{what} must be a time such as 2026-03-05T10:30:00Z, not {text!r}") from None
    if found.tzinfo is None:
        raise WrongError(f"{what} must have a zone, such as Z or +01:00: {text!r}")
    return found
