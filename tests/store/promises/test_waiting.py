"""What every store promises to whoever waits for a commit."""

from __future__ import annotations

import threading

import pytest

from tensemem.ports import Store
from tests.store.every_kind import LOCAL_KINDS
from tests.store.promises.rows import ALICE, scope_id


def test_waiting_ends_with_the_time_given(store: Store) -> None:
    store.wait_for_commit(0)
    store.wait_for_commit(0.01)


def test_a_commit_ends_the_wait_of_another_thread(store: Store) -> None:
    store.wait_for_commit(0)
    threading.Thread(target=scope_id, args=(store,)).start()
    is_there = False
    while not is_there:  # a store that can't be sure to be told ends a wait now and then, to look by itself
        store.wait_for_commit(60)
        with store.read() as reader:
            is_there = reader.head(ALICE) is not None


def test_a_commit_between_looking_and_waiting_ends_the_wait(store: Store) -> None:
    store.wait_for_commit(0)
    scope_id(store)
    store.wait_for_commit(3600)


@pytest.mark.parametrize("shelf", LOCAL_KINDS, indirect=True, ids=str)
def test_a_transaction_that_wrote_nothing_wakes_nobody(store: Store) -> None:
    woken = threading.Event()
    store.wait_for_commit(0)

    def wait() -> None:
        store.wait_for_commit(0)
        store.wait_for_commit(3600)
        woken.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    with store.write() as tx:
        assert tx.lease("w", 0, 10, [], []) is None
    assert not woken.wait(0.05)
    scope_id(store)
    waiting.join(60)
    assert woken.is_set()
