"""What every store promises of the parts of a history: each is found without what lies beside it."""

from __future__ import annotations

from tensemem.ports import FactRow, Store
from tests.store.promises.rows import BOB, claim, fact, new_slot, scope_id

KINDS_OF_CLAIMS = ("value", "retract", "deny", "confirm", "replace", "correction")


def test_slots_of_a_subject_and_those_that_are_not_whole_are_found_alone(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    first, other, second = new_slot(store, id), new_slot(store, id, subject="wife"), new_slot(store, id, "name")
    new_slot(store, bob)
    with store.write() as tx:
        whole = tx.slot_by_id(id, second)
        assert whole is not None
        whole.whole = True
        tx.save_slot(id, whole)
    with store.read() as reader:
        assert [slot.id for slot in reader.slots_of(id, "user")] == [first, second]
        assert reader.slots_of(id, "User") == reader.slots_of(99, "user") == []
        assert [slot.id for slot in reader.loose_slots(id)] == [first, other]
        assert reader.loose_slots(99) == []


def test_what_takes_away_is_found_among_claims(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    with store.write() as tx:
        tx.put_claims(id, [claim(slot, seq, key="x", kind=kind) for seq, kind in enumerate(KINDS_OF_CLAIMS, 1)])
        tx.put_claims(id, [claim(other, 9, kind="retract")])
    with store.read() as reader:
        assert [one.kind for one in reader.statements(id, slot)] == ["retract", "deny", "replace"]
        places = [(slot, 2), (slot, 3), (slot, 5), (other, 9)]
        assert [(one.slot, one.seq) for one in reader.statements(id, None)] == places
        assert reader.statements(99, None) == reader.statements(id, 99) == []


def test_runs_are_found_by_where_they_begin_and_end(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    long = "long " * 40
    with store.write() as tx:
        tx.put_facts(id, [fact(slot, "a", 1, 4), fact(slot, "b", 4, 7), fact(slot, long, 4, 9), fact(slot, "a", 9)])
        tx.put_facts(id, [fact(slot, "a", 0, kind=1), fact(other, "b", 4), fact(other, "c", 2, 3)])

    def places(found: list[FactRow]) -> list[tuple[int, str, int]]:
        return sorted((row.slot, row.key, row.start) for row in found)

    with store.read() as reader:
        assert places(reader.touching(id, slot, 4, [])) == [(slot, "a", 1)]
        assert places(reader.touching(id, slot, 4, ["a", "b"])) == [(slot, "a", 1), (slot, "b", 4)]
        assert places(reader.touching(id, slot, 4, [long])) == sorted([(slot, "a", 1), (slot, long, 4)])
        assert [row.start for row in reader.runs_from(id, slot, 2, 9)] == [4, 4, 9]
        assert [row.start for row in reader.runs_from(id, slot, -(2**63), 2)] == [1, 4]
        assert [row.start for row in reader.runs_from(id, None, 2, 9)] == [2, 4, 4, 4, 9]
        assert reader.runs_from(id, slot, 10, 9) == reader.runs_from(99, None, 0, 9) == []
        assert reader.run_at(id, slot, "a", 8) == fact(slot, "a", 1, 4)
        assert reader.run_at(id, slot, long, 4) == fact(slot, long, 4, 9)
        assert reader.run_at(id, slot, "a", 0) is reader.run_at(id, slot, "z", 9) is None
        assert reader.run_at(99, 1, "a", 9) is None
