"""Whether an answer is the one expected, the same way for every system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from ..core.text import FoldedText, comparison_key, grounded_whole


class Names:
    """Which names stand for one thing: spelling aside, and whatever a conversation's entities are called."""

    def __init__(self, entities: Mapping[str, Mapping[str, Any]]) -> None:
        self._main: dict[str, str] = {}
        self._all: dict[str, tuple[str, ...]] = {}
        for name, definition in entities.items():
            names = (name, *definition.get("aliases", ()))
            self._main |= {comparison_key(one): comparison_key(name) for one in names}
            self._all[comparison_key(name)] = names

    def key(self, value: Any) -> str:
        """Give what a value is compared by."""
        key = comparison_key(as_text(value))
        return self._main.get(key, key)

    def same(self, expected: Any, given: Any) -> bool:
        """Tell whether two answers are one; the order of many values does not matter."""
        return self._keys(expected) == self._keys(given)

    def stands_in(self, value: Any, text: FoldedText) -> bool:
        """Tell whether a text has a value, or another name of it, as words of their own."""
        names = self._all.get(self.key(value), (as_text(value),))
        return any(grounded_whole(name, text) for name in names)

    def _keys(self, value: Any) -> list[str]:
        return sorted(self.key(item) for item in as_values(value))


def as_values(value: Any) -> tuple[Any, ...]:
    """Give an answer as its values: none, one, or many."""
    if value is None:
        return ()
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def as_text(value: Any) -> str:
    """Give a value as the text it is told and compared by."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float, Decimal)):
        return format(Decimal(str(value)).normalize(), "f")
    return value.isoformat() if isinstance(value, date) else str(value)


def any_stands_in(names: Names, values: Iterable[Any], text: FoldedText) -> bool:
    """Tell whether a text has any of some values."""
    return any(names.stands_in(value, text) for value in values)
