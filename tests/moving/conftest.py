"""Memories that are exported, imported, backed up and restored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tensemem import Memory
from tests.copying.places import Places
from tests.copying.test_copying import CALM, Troubled, fill


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
