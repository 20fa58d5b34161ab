"""A desk to play on, for every test of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .bench import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A memory in a file with two predicates, extracting only when told to."""
    one = Desk(tmp_path)
    yield one
    one.close()


@pytest.fixture
def busy_desk(tmp_path: Path) -> Iterator[Desk]:
    """The same with a worker, which extracts whenever it likes."""
    one = Desk(tmp_path, worker=True)
    yield one
    one.close()
