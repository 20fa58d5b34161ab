"""What the tests of fleets share: a sharded memory, once for a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("psycopg")

from tests.fleet.sharded import Sharded, ShardedShelf


@pytest.fixture(scope="session")
def sharded() -> Iterator[Sharded]:
    """Three servers behind a coordinator."""
    with Sharded() as found:
        yield found


@pytest.fixture(scope="session")
def all_names(sharded: Sharded) -> ShardedShelf:
    """The shelf of stores that are spread over them."""
    return ShardedShelf(sharded)


@pytest.fixture
def shelf(all_names: ShardedShelf) -> ShardedShelf:
    """The same, empty."""
    all_names.clear()
    return all_names
