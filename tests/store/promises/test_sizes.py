"""What every store promises of counts and settings."""

from __future__ import annotations

from tensemem.model.entry import Entry, EntryKind
from tensemem.model.scope import Scope, registry_scope
from tensemem.ports import PendingRow, Store
from tests.store.promises.rows import ALICE, BOB, fill


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


def test_settings_are_kept_by_name(store: Store) -> None:
    with store.write() as tx:
        assert tx.meta("a") is None
        tx.set_meta("a", "1")
        tx.set_meta("A", "2")
        tx.set_meta("a", "\u0915\n3")
    with store.read() as reader:
        assert (reader.meta("a"), reader.meta("A")) == ("\u0915\n3", "2")
