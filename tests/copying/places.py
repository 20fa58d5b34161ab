"""The places that a memory is copied from and to: shelves of every kind of store there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tensemem import Memory
from tests.store.every_kind import KINDS, StoreKind, shelf_of
from tests.store.shelves import Shelf, opening_in

SEALED, BESIDE_SEALED = {"sealed", "sealed18"}, {"sealed", "sealed18", "plain", "file", "postgres18"}


def are_tried(one: StoreKind, other: StoreKind) -> bool:
    """Whether copies from one to the other are tried: what is around a store does not ask which one it is around."""
    names = {one.name, other.name}
    return not names & SEALED or names <= BESIDE_SEALED


def is_quick(one: StoreKind, other: StoreKind) -> bool:
    """Whether a pair is among those that each kind is tried with once in each direction; the rest takes long."""
    return other is KINDS[(KINDS.index(one) + 1) % len(KINDS)] or {one.name, other.name} == {"file", "postgres18"}


PAIRS = [
    pytest.param(one, other, marks=[] if is_quick(one, other) else [pytest.mark.slow])
    for one in KINDS
    for other in KINDS
    if are_tried(one, other)
]


class Places:
    """The shelves of one test, by kind, each emptied once."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._shelves: dict[str, Shelf] = {}

    def opened(self, kind: StoreKind, name: str, make: Callable[..., Any] = Memory, **options: Any) -> Any:
        """Open a memory of a kind by name, or make something else that opens one."""
        with self.inside(kind):
            return make(name, **options)

    @contextmanager
    def inside(self, kind: StoreKind) -> Iterator[None]:
        """Every memory opened inside, also by a verb, is one of this kind."""
        if kind.name not in self._shelves:
            self._shelves[kind.name] = shelf_of(kind, self._folders)
        with opening_in(self._shelves[kind.name]):
            yield
