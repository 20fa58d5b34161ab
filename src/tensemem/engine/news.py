"""Whether anything happened in a scope: what is asked for whoever waits, each time anything was committed anywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..model.scope import Scope
from ..ports import Head
from .core import Engine

T = TypeVar("T")

HasNews = Callable[[], bool]


def looked(engine: Engine, scope: Scope, look: Callable[[], T]) -> tuple[HasNews, T]:
    """Look, and give what tells whether something happened in the scope, or its registry, since before the look."""
    before = _standing(engine, scope)
    return lambda: _standing(engine, scope) != before, look()


def _standing(engine: Engine, scope: Scope) -> tuple[Head | None, int]:
    seen = engine.store.glance(scope)
    if seen is None:
        with engine.store.read() as reader:
            return reader.head_and_registry(scope)
    return seen
