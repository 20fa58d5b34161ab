"""One nursery of clients for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.histories.nursery import Nursery, nursery


@pytest.fixture(scope="session")
def source() -> Iterator[Nursery]:
    """Where clients come from."""
    with nursery() as opened:
        yield opened
