"""A file with two predicates, for every test of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensemem import Memory


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a registry and nothing else."""
    place = tmp_path / "memory.db"
    with Memory(place, durability="process") as mem:
        mem.register_predicate("lives_in")
    return place
