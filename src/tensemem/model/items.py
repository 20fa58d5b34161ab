"""A read of a scope that gives several things: a tuple that says how far it lags behind the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn, Self, TypeVar

from .freshness import Freshness

T = TypeVar("T")


class Items(tuple[T, ...]):
    """What a read of a scope found: a tuple like any, equal to one of the same items.

    ``freshness`` is of the snapshot that the items were read from.
    """

    freshness: Freshness

    def __new__(cls, items: Iterable[T], freshness: Freshness) -> Self:
        found = super().__new__(cls, items)
        found.__dict__["freshness"] = freshness
        return found

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.freshness

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} can't be set: results are frozen")
