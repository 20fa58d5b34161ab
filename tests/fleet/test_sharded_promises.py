"""Every promise of a store holds where its rows are spread over servers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensemem.ports import Store
from tests.fleet.sharded import ShardedShelf
from tests.store.promises import (
    test_leases,
    test_log,
    test_projection,
    test_queue,
    test_scopes,
    test_search,
    test_sizes,
    test_transactions,
    test_waiting,
)

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

PAGES = (
    test_leases, test_log, test_projection, test_queue, test_scopes, test_search, test_sizes, test_transactions,
    test_waiting,
)  # fmt: skip

for _page in PAGES:
    for _name, _test in vars(_page).items():
        if _name.startswith("test_") and _name not in TOO_SLOW and is_about_all_kinds(_test):
            globals()[_name] = _test
