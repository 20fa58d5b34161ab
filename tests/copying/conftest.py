"""Where the tests of copying open their memories."""

from __future__ import annotations

import pytest

from tests.copying.places import Places


@pytest.fixture
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """Shelves of every kind, empty."""
    return Places(tmp_path_factory)
