"""Every promise of a store holds where its rows are spread over servers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensemem.ports import Store
from tests.fleet.sharded import ShardedShelf
from tests.store import test_promises

pytestmark = pytest.mark.slow


@pytest.fixture
def store(shelf: ShardedShelf) -> Iterator[Store]:
    opened = shelf.store()
    yield opened
    opened.close()


def is_about_all_kinds(test: object) -> bool:
    """Whether a test is about stores of every kind, and not of those it names."""
    return all("shelf" not in mark.args[0] for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize")


TOO_SLOW = {
    # Who waits looks again every 0.1 s where nothing is heard; a first write through a coordinator takes longer.
    "test_a_commit_ends_the_wait_of_another_thread",
}

for _name, _test in vars(test_promises).items():
    if _name.startswith("test_") and _name not in TOO_SLOW and is_about_all_kinds(_test):
        globals()[_name] = _test
