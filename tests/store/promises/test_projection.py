"""What every store promises of slots, claims and facts."""

from __future__ import annotations

import pytest

from tensemem.errors import StoreError
from tensemem.ports import ClaimRow, SlotRow, Store
from tests.store.promises.rows import ALICE, BOB, claim, fact, fill, new_slot, scope_id


def test_slots_are_found_by_keys_and_by_number(store: Store) -> None:
    id = scope_id(store)
    first, second = new_slot(store, id), new_slot(store, id, "name")
    assert first != second
    expected = SlotRow(second, "user", "name", "User", "Name")
    with store.read() as reader:
        assert reader.slot(id, "user", "name") == expected
        assert reader.slot_by_id(id, second) == expected
        assert reader.slot(id, "User", "name") is None
        assert reader.slot_by_id(id, 99) is None
        assert [slot.id for slot in reader.slots(id)] == [first, second]


def test_a_slot_keeps_its_columns_and_may_get_other_keys(store: Store) -> None:
    id = scope_id(store)
    number = new_slot(store, id)
    saved = SlotRow(number, "user", "lives_in", "me", "home", 5, 6, 7, plain=False, ordered_from=3, whole=True)
    renamed = SlotRow(number, "wife", "home", "Wife", "Home", 8, 9, 10, plain=True)
    for slot in (saved, renamed):
        with store.write() as tx:
            tx.save_slot(id, slot)
        with store.read() as reader:
            assert reader.slots(id) == [slot]
            assert reader.slot(id, slot.subject_key, slot.predicate_key) == slot
    with store.read() as reader:
        assert reader.slot(id, "user", "lives_in") is None


def test_two_slots_never_share_their_keys(store: Store) -> None:
    id = scope_id(store)
    new_slot(store, id)
    with pytest.raises(StoreError):
        new_slot(store, id)


def test_claims_come_in_order_and_are_replaced_by_number(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    shuffled = [claim(slot, 2, 1, extraction=1), claim(slot, 1), claim(slot, 2, 0, extraction=2), claim(slot, 2, 0)]
    with store.write() as tx:
        tx.put_claims(id, shuffled)
        tx.put_claims(id, [claim(other, 3), ClaimRow(slot, 1, 0, 0, "deny", "held", "x", "[7]")])
    with store.read() as reader:
        found = reader.claims(id, slot)
        assert [(c.seq, c.extraction, c.number) for c in found] == [(1, 0, 0), (2, 0, 0), (2, 1, 1), (2, 2, 0)]
        assert found[0] == ClaimRow(slot, 1, 0, 0, "deny", "held", "x", "[7]")
        assert [c.seq for c in reader.claims(id, other)] == [3]
        assert [(c.extraction, c.number) for c in reader.claims_of(id, 2)] == [(0, 0), (1, 1), (2, 0)]


def test_a_claim_put_into_another_slot_moves(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    with store.write() as tx:
        tx.put_claims(id, [claim(slot, 1)])
        tx.put_claims(id, [claim(other, 1)])
    with store.read() as reader:
        assert reader.claims(id, slot) == []
        assert reader.claims(id, other) == [claim(other, 1)]


def test_claims_of_an_episode_are_dropped_by_kind_or_all(store: Store) -> None:
    id = scope_id(store)
    slot = new_slot(store, id)
    with store.write() as tx:
        tx.put_claims(id, [claim(slot, 1), claim(slot, 1, 1, kind="deny"), claim(slot, 1, 2, kind="x"), claim(slot, 2)])
        tx.drop_claims(id, 1, kinds=["deny", "y"])
        assert [c.number for c in tx.claims_of(id, 1)] == [0, 2]
        tx.drop_claims(id, 1, kinds=[])
        assert [c.number for c in tx.claims_of(id, 1)] == [0, 2]
        tx.drop_claims(id, 1)
        assert tx.claims(id, slot) == [claim(slot, 2)]


def test_values_lead_to_their_slots(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    slots = [new_slot(store, id, name) for name in "abc"]
    with store.write() as tx:
        tx.put_claims(id, [claim(slots[0], 1, key="pg"), claim(slots[0], 2, key="pg"), claim(slots[1], 3, key="x")])
        tx.put_claims(id, [claim(slots[2], 4, key="postgres"), claim(slots[2], 5)])
    with store.read() as reader:
        assert reader.slots_with_values(id, ["postgres", "pg"]) == [slots[0], slots[2]]
        assert reader.slots_with_values(id, ["PG", ""]) == []
        assert reader.slots_with_values(id, []) == []
        assert reader.slots_with_values(bob, ["pg"]) == []


def test_facts_come_in_order_and_are_replaced_in_their_place(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    rows = [
        fact(slot, "b", 5, 9),
        fact(slot, "a", 5),
        fact(slot, "a", 1, 5),
        fact(slot, "z", 0, kind=2),
        fact(other, "b", 5),
    ]
    with store.write() as tx:
        tx.put_facts(id, rows)
        tx.put_facts(id, [fact(slot, "b", 5, 7, body='"\u0915"')])
    with store.read() as reader:
        assert reader.facts(id, slot) == [rows[2], rows[1], fact(slot, "b", 5, 7, body='"\u0915"'), rows[3]]
        assert reader.facts(id, other) == [rows[4]]


def test_facts_are_dropped_by_their_place(store: Store) -> None:
    id = scope_id(store)
    slot = new_slot(store, id)
    with store.write() as tx:
        tx.put_facts(id, [fact(slot, "a", 1), fact(slot, "a", 2), fact(slot, "a", 1, kind=1)])
        tx.drop_facts(id, [fact(slot, "a", 1, end=77, body="other"), fact(slot, "unknown", 1)])
        assert tx.facts(id, slot) == [fact(slot, "a", 2), fact(slot, "a", 1, kind=1)]


def test_the_tail_of_a_slot_is_its_runs_that_end_later(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    with store.write() as tx:
        tx.put_facts(id, [fact(slot, "a", 1, 5), fact(slot, "b", 5, 9), fact(slot, "a", 9), fact(slot, "w", 0, kind=1)])
        tx.put_facts(id, [fact(other, "a", 9)])
    with store.read() as reader:
        assert [row.start for row in reader.tail(id, slot, 4)] == [1, 9, 5]
        assert [row.start for row in reader.tail(id, slot, 5)] == [9, 5]
        assert [row.start for row in reader.tail(id, slot, 9)] == [9]


def test_what_is_live_in_a_slot_is_what_ends_later_and_what_waits(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    with store.write() as tx:
        tx.put_facts(id, [fact(slot, "a", 1, 5), fact(slot, "b", 5, 9), fact(slot, "w", 0, kind=1)])
        tx.put_facts(id, [fact(other, "a", 1)])
    with store.read() as reader:
        assert [(row.kind, row.key) for row in reader.live_in(id, slot, 4)] == [(0, "a"), (0, "b"), (1, "w")]
        assert [(row.kind, row.key) for row in reader.live_in(id, slot, 5)] == [(0, "b"), (1, "w")]
        assert [(row.kind, row.key) for row in reader.live_in(id, slot, 9)] == [(1, "w")]


def test_several_slots_are_read_at_once(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    slots = [new_slot(store, id, name) for name in "abc"]
    foreign = new_slot(store, bob, "a")
    with store.write() as tx:
        for number, slot in enumerate(reversed(slots)):
            tx.put_claims(id, [claim(slot, 2, number), claim(slot, 1, number)])
            tx.put_facts(id, [fact(slot, "b", 1), fact(slot, "a", 5), fact(slot, "a", 1)])
    with store.write() as tx:
        tx.put_facts(bob, [fact(foreign, "x", 1)])
    with store.read() as reader:
        wanted = slots[1:]
        assert reader.claims_between(id, *wanted) == [row for slot in wanted for row in reader.claims(id, slot)]
        assert reader.facts_between(id, *wanted) == [row for slot in wanted for row in reader.facts(id, slot)]
        assert not reader.claims_between(id, 90, 99)
        assert not reader.facts_between(id, 90, 99)


def test_what_is_live_is_every_row_that_ends_later_with_its_slot(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    with store.write() as tx:
        tx.put_facts(id, [fact(other, "x", 3), fact(slot, "b", 5), fact(slot, "a", 1, 5), fact(slot, "w", 0, kind=1)])
    with store.read() as reader:
        found = reader.live(id, 5)
        assert [(row.slot, row.kind, row.key) for row, _ in found] == [(slot, 0, "b"), (slot, 1, "w"), (other, 0, "x")]
        assert [where.predicate_key for _, where in found] == ["lives_in", "lives_in", "name"]
        assert found[0][1] == reader.slot_by_id(id, slot)
        assert [row.key for row, _ in reader.live(id, 4)] == ["a", "b", "w", "x"]
        assert reader.live(bob, 4) == []


def test_clearing_slots_leaves_the_others(store: Store) -> None:
    id = scope_id(store)
    slots = [new_slot(store, id, name) for name in "abc"]
    with store.write() as tx:
        tx.put_claims(id, [claim(slot, slot) for slot in slots])
        tx.put_facts(id, [fact(slot, "x", 1) for slot in slots])
        tx.clear_slots(id, slots[:2])
        assert [slot.id for slot in tx.slots(id)] == slots[2:]
        assert [len(tx.claims(id, slot)) for slot in slots] == [0, 0, 1]
        assert [len(tx.facts(id, slot)) for slot in slots] == [0, 0, 1]
        assert tx.slot(id, "user", "a") is None


def test_clearing_the_projection_leaves_the_log(store: Store) -> None:
    id = fill(store, ALICE)
    with store.write() as tx:
        tx.clear_projection(id)
        assert (tx.slots(id), tx.claims_of(id, 1), tx.live(id, 0)) == ([], [], [])
        assert len(list(tx.entries(id))) == 1
        assert tx.find_key(id, "k") is not None
        assert len(tx.pending(id)) == 1


def test_slots_that_hold_refused_operations_are_listed(store: Store) -> None:
    id = scope_id(store)
    slots = [new_slot(store, id, name) for name in "abc"]
    with store.write() as tx:
        tx.put_claims(id, [claim(slots[0], 1), ClaimRow(slots[1], 2, 0, 0, "value", "refused", "x", "[]")])
    with store.read() as reader:
        assert reader.unprojected("default") == [(id, slots[1], "b", "B")]
        assert reader.unprojected("other") == []
