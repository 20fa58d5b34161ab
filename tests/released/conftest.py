"""Databases are made here as they are made by users: it is what the tests of releases are about."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.store.templates import made_tables


@pytest.fixture(autouse=True)
def _tables_are_made() -> Iterator[None]:
    with made_tables():
        yield
