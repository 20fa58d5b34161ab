"""Which items and which namespaces are asked for: filters with operators, prefixes and suffixes with wildcards."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from ..errors import InvalidValueError


class Condition(Protocol):
    """A prefix or a suffix of a namespace; ``"*"`` stands for any one label."""

    @property
    def match_type(self) -> str:
        """``"prefix"`` or ``"suffix"``."""

    @property
    def path(self) -> tuple[str, ...]:
        """The labels."""


def fits(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Tell whether an item's value has everything a filter asks for.

    Operators are ``$eq``, ``$ne``, ``$gt``, ``$gte``, ``$lt``, ``$lte``; those that order compare numbers, and what
    is no number does not fit. Raises InvalidValueError for another operator.
    """
    return all(_agrees(value.get(name), asked) for name, asked in (wanted or {}).items())


def is_among(labels: tuple[str, ...], conditions: Iterable[Condition]) -> bool:
    """Tell whether a namespace meets every condition. Raises InvalidValueError for a kind that is not known."""
    return all(_meets(labels, condition) for condition in conditions)


def _agrees(found: Any, asked: Any) -> bool:
    if isinstance(asked, Mapping):
        if any(name.startswith("$") for name in asked):
            return all(_holds(found, name, operand) for name, operand in asked.items())
        return isinstance(found, Mapping) and all(_agrees(found.get(name), part) for name, part in asked.items())
    if isinstance(asked, (list, tuple)):
        is_list = isinstance(found, (list, tuple)) and len(found) == len(asked)
        return is_list and all(_agrees(one, part) for one, part in zip(found, asked, strict=True))
    return bool(found == asked)


_EQUALITIES: Mapping[str, Callable[[Any, Any], bool]] = {"$eq": operator.eq, "$ne": operator.ne}
_ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def _holds(found: Any, name: str, operand: Any) -> bool:
    if name in _EQUALITIES:
        return _EQUALITIES[name](found, operand)
    if name not in _ORDERS:
        raise InvalidValueError(f"a filter has no operator {name!r}; give {', '.join([*_EQUALITIES, *_ORDERS])}")
    try:
        return _ORDERS[name](float(found), float(operand))
    except (TypeError, ValueError, OverflowError):
        return False


def _meets(labels: tuple[str, ...], condition: Condition) -> bool:
    path = tuple(condition.path)
    if condition.match_type not in ("prefix", "suffix"):
        raise InvalidValueError(f"namespaces are matched by 'prefix' or 'suffix', not by {condition.match_type!r}")
    if len(labels) < len(path):
        return False
    part = labels[: len(path)] if condition.match_type == "prefix" else labels[len(labels) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))
