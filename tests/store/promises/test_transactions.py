"""What every store promises of transactions: whole or not at all, and snapshots that do not move."""

from __future__ import annotations

import threading

import pytest

from tensemem.errors import ClosedError, StoreError
from tensemem.ports import PendingRow, SlotRow, Store, WorkerRow
from tests.store.dump import everything
from tests.store.promises.rows import ALICE, BOB, claim, fact, fill, message, scope_id


class Trouble(Exception):
    pass


def test_what_was_committed_is_in_the_next_snapshot(store: Store) -> None:
    fill(store, ALICE)
    with store.read() as reader:
        head = reader.head(ALICE)
        assert head is not None
        assert (head.rev, head.seq, head.pending) == (1, 1, 1)
        assert [entry.body for entry in reader.entries(head.id)] == [{"content": "Delhi"}]


def test_a_transaction_sees_what_it_wrote(store: Store) -> None:
    with store.write() as tx:
        head = tx.open_scope(ALICE)
        tx.append(head.id, message(1))
        assert [entry.rev for entry in tx.entries(head.id)] == [1]


@pytest.mark.parametrize("trouble", [Trouble, KeyboardInterrupt, SystemExit])
def test_an_error_undoes_all_of_a_transaction(store: Store, trouble: type[BaseException]) -> None:
    fill(store, ALICE)
    with store.write() as tx:
        tx.set_meta("name", "old")
        tx.beat(WorkerRow("w", "host", 1, "start", 1))
    before = everything(store)

    def write_and_fail() -> None:
        with store.write() as tx:
            head = tx.open_scope(ALICE)
            tx.set_meta("name", "new")
            tx.append_many(head.id, [message(2), message(3)])
            tx.remember_key(head.id, "k2", 2, "")
            slot = tx.add_slot(head.id, SlotRow(0, "user", "name", "user", "name"))
            tx.put_claims(head.id, [claim(slot.id, 2)])
            tx.put_facts(head.id, [fact(slot.id, "x", 2)])
            tx.clear_slots(head.id, [1])
            tx.add_pending(head.id, 2)
            tx.save_pending(PendingRow(head.id, 1, "failed", 3, 5, "no"))
            assert tx.lease("w", 0, 10, [], []) is not None
            tx.drop_worker("w")
            tx.index(head.id, [("e1", "paris"), ("e2", "rome")], 2)
            head.rev = 3
            tx.save_head(head)
            raise trouble

    def open_and_fail() -> None:
        with store.write() as tx:
            tx.append(tx.open_scope(BOB).id, message(1))
            raise trouble

    for failing in (write_and_fail, open_and_fail):
        with pytest.raises(trouble):
            failing()
        assert everything(store) == before


def test_after_an_error_the_store_can_be_written(store: Store) -> None:
    def write_and_fail() -> None:
        with store.write() as tx:
            tx.open_scope(ALICE)
            raise Trouble

    with pytest.raises(Trouble):
        write_and_fail()
    scope_id(store, BOB)
    with store.read() as reader:
        assert reader.head(ALICE) is None


def test_a_refused_row_undoes_its_transaction(store: Store) -> None:
    id = fill(store, ALICE)
    before = everything(store)

    def write_twice() -> None:
        with store.write() as tx:
            tx.set_meta("name", "value")
            tx.append(id, message(1, content="again"))

    with pytest.raises(StoreError):
        write_twice()
    assert everything(store) == before


def test_a_snapshot_does_not_move(store: Store) -> None:
    id = fill(store, ALICE)
    writer = threading.Thread(target=fill_more, args=(store, id))
    with store.read() as reader:
        assert len(list(reader.entries(id))) == 1
        writer.start()
        if store.location != ":memory:":  # there a writer waits for the readers
            writer.join()
        assert len(list(reader.entries(id))) == 1
        assert reader.meta("more") is None
    writer.join()
    with store.read() as reader:
        assert len(list(reader.entries(id))) == 2
        assert reader.meta("more") == "yes"


def fill_more(store: Store, id: int) -> None:
    with store.write() as tx:
        tx.append(id, message(2))
        tx.set_meta("more", "yes")


def test_what_a_snapshot_gave_is_the_caller_s_own(store: Store) -> None:
    id = fill(store, ALICE)
    with store.read() as reader:
        head = reader.head(ALICE)
        assert head is not None
        head.rev = 99
        reader.slots(id)[0].horizon = 99
        reader.pending(id)[0].attempts = 99
    with store.read() as reader:
        assert reader.head(ALICE) != head
        assert reader.slots(id)[0].horizon < 99
        assert reader.pending(id)[0].attempts == 0


def test_snapshots_of_one_thread_may_overlap(store: Store) -> None:
    id = fill(store, ALICE)
    with store.read() as outer:
        with store.read() as inner:
            assert inner.head(ALICE) == outer.head(ALICE)
        assert len(outer.pending(id)) == 1


def test_a_second_transaction_in_one_thread_is_an_error_and_no_deadlock(store: Store) -> None:
    with store.write() as tx:
        tx.set_meta("a", "1")
        with pytest.raises(StoreError, match="open already"), store.write():
            pass
    with store.read() as reader:
        assert reader.meta("a") == "1"


def test_no_update_of_any_thread_is_lost(store: Store) -> None:
    scope_id(store)

    def count() -> None:
        for _ in range(25):
            with store.write() as tx:
                head = tx.open_scope(ALICE)
                head.rev += 1
                tx.save_head(head)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as reader:
        head = reader.head(ALICE)
        assert head is not None
        assert head.rev == 100


def test_closing_twice_is_fine_and_use_after_it_is_not(store: Store) -> None:
    store.close()
    store.close()
    with pytest.raises(ClosedError), store.read():
        pass
    with pytest.raises(ClosedError), store.write():
        pass
    with pytest.raises(ClosedError):
        store.wait_for_commit(0)
