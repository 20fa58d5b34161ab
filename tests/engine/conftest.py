"""A memory to work on, for every test of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensemem import Memory
from tests.engine.bench import Clock, Told, opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def mem(clock: Clock, told: Told) -> Iterator[Memory]:
    """A memory that keeps nothing, with an extractor that does as told when flushed."""
    with opened(llm=told, clock=clock) as memory:
        yield memory
