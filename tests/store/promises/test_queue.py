"""What every store promises of messages that wait."""

from __future__ import annotations

from tensemem.ports import PendingRow, Store
from tests.store.promises.rows import ALICE, BOB, scope_id


def test_pending_messages_come_in_order_of_seq(store: Store) -> None:
    alice, bob = scope_id(store), scope_id(store, BOB)
    for id, seq in ((alice, 3), (alice, 1), (bob, 2)):
        with store.write() as tx:
            tx.add_pending(id, seq)
    with store.write() as tx:
        tx.save_pending(PendingRow(alice, 3, "failed", 5, 77, "no answer"))
    with store.read() as reader:
        assert reader.pending(alice) == [PendingRow(alice, 1), PendingRow(alice, 3, "failed", 5, 77, "no answer")]
        found = [(scope, row.seq) for scope, row in reader.all_pending("default", 9)]
        assert sorted(found, key=repr) == [(ALICE, 1), (ALICE, 3), (BOB, 2)]
        assert [seq for scope, seq in found if scope == ALICE] == [1, 3]
        assert len(reader.all_pending("default", 2)) == 2
        assert reader.all_pending("other", 9) == []


def test_unsettled_messages_are_found_one_by_one(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    with store.write() as tx:
        for seq in (5, 2, 3, 4):
            tx.add_pending(id, seq)
        tx.save_pending(PendingRow(id, 2, "failed", 9, 0, "no"))
        tx.save_pending(PendingRow(id, 3, "waiting", 1, 70))
    with store.read() as reader:
        assert reader.first_waiting(id) == PendingRow(id, 3, "waiting", 1, 70)
        assert reader.next_waiting(id, 3, None) == PendingRow(id, 4)
        assert reader.next_waiting(id, 0, 69) == PendingRow(id, 4)
        assert reader.next_waiting(id, 0, 70) == PendingRow(id, 3, "waiting", 1, 70)
        assert reader.next_waiting(id, 5, None) is None
        assert reader.pending_row(id, 2) == PendingRow(id, 2, "failed", 9, 0, "no")
        assert reader.pending_row(id, 1) is None
        assert reader.failed(id) == [PendingRow(id, 2, "failed", 9, 0, "no")]
        assert (reader.first_waiting(bob), reader.failed(bob), reader.pending_row(bob, 4)) == (None, [], None)


def test_work_is_due_once_a_waiting_message_is(store: Store) -> None:
    id = scope_id(store)
    with store.write() as tx:
        assert not tx.is_work_due(10**9)
        tx.add_pending(id, 1)
        assert tx.is_work_due(0)
        tx.save_pending(PendingRow(id, 1, "waiting", 1, 50))
        assert not tx.is_work_due(49)
        assert tx.is_work_due(50)
        tx.save_pending(PendingRow(id, 1, "failed", 2, 50))
        assert not tx.is_work_due(10**9)


def test_dropping_a_pending_message_tells_whether_it_was_there(store: Store) -> None:
    id = scope_id(store)
    with store.write() as tx:
        tx.add_pending(id, 1)
        assert tx.drop_pending(id, 1) is True
        assert tx.drop_pending(id, 1) is False
        tx.save_pending(PendingRow(id, 1, "failed"))
        assert tx.pending(id) == []
