"""A store of each kind in turn, empty."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensemem.ports import Store
from tests.store.shelves import Shelf


@pytest.fixture
def store(shelf: Shelf) -> Iterator[Store]:
    opened = shelf.store()
    yield opened
    opened.close()
