"""A memory to work on, for every test of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

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


@pytest.fixture(scope="module")
def memories() -> Iterator[Callable[[Callable[[int], Memory], int], Memory]]:
    """Give the memory that a function makes for a number: made once for a file, since filling it takes long."""
    with ExitStack() as stack:
        made: dict[tuple[Callable[[int], Memory], int], Memory] = {}

        def give(make: Callable[[int], Memory], count: int) -> Memory:
            if (make, count) not in made:
                made[make, count] = stack.enter_context(make(count))
            return made[make, count]

        yield give
