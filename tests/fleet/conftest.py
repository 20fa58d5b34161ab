"""What the tests of fleets share: a sharded memory, once for a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("psycopg")

from tests.fleet.sharded import Sharded


@pytest.fixture(scope="session")
def sharded() -> Iterator[Sharded]:
    """Three servers behind a coordinator."""
    with Sharded() as found:
        yield found
