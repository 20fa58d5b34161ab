"""Fixtures for tests in which memories move: places, a memory that is full, and an empty one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tensemem import Memory
from tests.copying.filled import CALM, Troubled, fill
from tests.copying.places import Places


@pytest.fixture
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """Shelves of every kind, empty."""
    return Places(tmp_path_factory)


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Memory]:
    """A memory in a file, with every kind of thing in it."""
    with Memory(tmp_path / "source.db", llm=Troubled(), **CALM) as mem:
        fill(mem)
        yield mem


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory in a file."""
    with Memory(tmp_path / "dest.db", llm=Troubled(), **CALM) as mem:
        yield mem
