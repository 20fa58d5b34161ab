"""What every store promises of counts and settings."""

from __future__ import annotations

from contextlib import suppress

from tensemem.model.entry import Entry, EntryKind
from tensemem.model.scope import Scope, registry_scope
from tensemem.ports import PendingRow, SlotRow, Store
from tests.store.promises.rows import ALICE, BOB, claim, fact, fill


class Trouble(Exception):
    pass


def test_counts_are_of_one_namespace_without_its_registry(store: Store) -> None:
    alice = fill(store, ALICE)
    fill(store, BOB)
    fill(store, Scope("other", "alice"))
    fill(store, registry_scope("default"))
    with store.write() as tx:
        head = tx.head(ALICE)
        assert head is not None
        tx.append(alice, Entry(EntryKind.EXTRACTION, 2, 1, 2, 1, 1))
        tx.save_pending(PendingRow(alice, 1, "failed"))
        head.rev, head.pending, head.failed = 2, 0, 1
        tx.save_head(head)
    with store.read() as reader:
        assert reader.counts("default") == {
            "scopes": 2, "entries": 3, "episodes": 2, "facts": 2, "claims": 2, "pending": 1, "failed": 1,
        }  # fmt: skip
        assert set(reader.counts("nobody").values()) == {0}


def test_sizes_hold_whatever_is_put_and_dropped(store: Store) -> None:
    id = fill(store, ALICE)
    with store.write() as tx:
        slot = tx.add_slot(id, SlotRow(0, "user", "name", "user", "name")).id
        tx.put_claims(id, [claim(slot, 2), claim(slot, 2, 1), claim(slot, 2)])
        tx.put_facts(id, [fact(slot, "x", 1), fact(slot, "x", 1, 4), fact(slot, "y", 2)])
        assert (tx.counts("default")["claims"], tx.counts("default")["facts"]) == (3, 3)
        tx.drop_facts(id, [fact(slot, "y", 2), fact(slot, "z", 2)])
        tx.drop_claims(id, 2, kinds=["deny"])
    with store.read() as reader:
        assert reader.sizes_hold()
        assert (reader.counts("default")["claims"], reader.counts("default")["facts"]) == (3, 2)
    with suppress(Trouble), store.write() as tx:
        tx.put_facts(id, [fact(slot, "w", 7)])
        raise Trouble
    with store.write() as tx:
        tx.drop_claims(id, 2)
        tx.clear_slots(id, [slot])
        tx.recount()
    with store.read() as reader:
        assert reader.sizes_hold()
        assert (reader.counts("default")["claims"], reader.counts("default")["facts"]) == (1, 1)


def test_settings_are_kept_by_name(store: Store) -> None:
    with store.write() as tx:
        assert tx.meta("a") is None
        tx.set_meta("a", "1")
        tx.set_meta("A", "2")
        tx.set_meta("a", "\u0915\n3")
    with store.read() as reader:
        assert (reader.meta("a"), reader.meta("A")) == ("\u0915\n3", "2")
