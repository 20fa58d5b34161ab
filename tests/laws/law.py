"""A law of the core: tried hard in memory where it stands, and known to `test_every_store`, which tries it on all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.settings import every_store_settings
from tests.store.shelves import Shelf, opening_in

Body = Callable[..., None]

LAWS: list[Law] = []


@dataclass(frozen=True)
class Law:
    """What is claimed, and of what; ``reopens`` tells that it opens what was closed."""

    body: Body
    examples: dict[str, st.SearchStrategy[Any]]
    reopens: bool

    def __str__(self) -> str:
        return self.body.__name__.removeprefix("test_")

    def hold_on(self, shelf: Shelf) -> None:
        """Try it a few times with the memories it opens on a shelf."""

        @wraps(self.body)
        def once(**example: Any) -> None:
            shelf.clear()
            with opening_in(shelf):
                self.body(**example)

        every_store_settings(given(**self.examples)(once))()


def law(*, reopens: bool = False, **examples: st.SearchStrategy[Any]) -> Callable[[Body], Body]:
    """Try a law on examples, as ``hypothesis.given`` does, and on every kind of store."""

    def decorate(body: Body) -> Body:
        LAWS.append(Law(body, examples, reopens))
        tried: Body = given(**examples)(body)
        return tried

    return decorate
