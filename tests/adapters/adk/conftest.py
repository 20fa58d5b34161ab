from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory


def registered(memory: Any) -> Any:
    """Register what the stories are about; a coroutine where the memory is awaited."""
    return memory.register_predicate("lives_in", description="the city somebody lives in")


@pytest.fixture
def mem() -> Iterator[Memory]:
    with Memory(":memory:", llm=FakeExtractor(), worker=False) as made:
        registered(made)
        yield made
