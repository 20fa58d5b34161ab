from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from tensemem import FakeExtractor, Memory


class Ticking:
    """A clock that goes on by a minute whenever it is asked."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def memory() -> Iterator[Memory]:
    """A memory that learns where people live and what they speak, when it is flushed."""
    with Memory(":memory:", llm=FakeExtractor(), clock=Ticking(), worker=False) as made:
        made.register_predicate("lives_in")
        made.register_predicate("languages", "many")
        yield made
