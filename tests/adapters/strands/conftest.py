"""A memory of where people live, for agents of Strands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tensemem import FakeExtractor, Memory


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def mem(path: Path) -> Iterator[Memory]:
    """Nothing is extracted in the background: ``flush`` does it."""
    with Memory(path, llm=FakeExtractor(), worker=False) as made:
        made.register_predicate("lives_in", description="the city somebody lives in")
        made.register_predicate("diet")
        made.register_predicate("languages", "many")
        yield made
