"""Rows of every kind, for the tests of what stores promise."""

from __future__ import annotations

from typing import Any

from tensemem.model.entry import Entry, EntryKind
from tensemem.model.moment import FOREVER
from tensemem.model.scope import Scope
from tensemem.ports import ClaimRow, FactRow, SlotRow, Store

ALICE, BOB = Scope("default", "alice"), Scope("default", "bob")


def scope_id(store: Store, scope: Scope = ALICE) -> int:
    with store.write() as tx:
        return tx.open_scope(scope).id


def message(rev: int, seq: int = 0, at: int = 0, **body: Any) -> Entry:
    return Entry(EntryKind.MESSAGE, rev, seq or rev, at or rev, at or rev, body=body)


def fact(slot: int, key: str, start: int, end: int = FOREVER, kind: int = 0, body: str = "{}") -> FactRow:
    return FactRow(slot, kind, key, start, end, body)


def claim(slot: int, seq: int, number: int = 0, key: str = "", kind: str = "value", extraction: int = 0) -> ClaimRow:
    return ClaimRow(slot, seq, extraction, number, kind, "admitted", key, f"[{seq}]")


def new_slot(store: Store, scope: int, predicate: str = "lives_in", subject: str = "user") -> int:
    with store.write() as tx:
        return tx.add_slot(scope, SlotRow(0, subject, predicate, subject.title(), predicate.title())).id


def fill(store: Store, scope: Scope) -> int:
    """Put one row of everything into a scope."""
    with store.write() as tx:
        head = tx.open_scope(scope)
        head.rev, head.seq, head.pending = 1, 1, 1
        tx.append(head.id, message(1, content="Delhi"))
        tx.remember_key(head.id, "k", 1, "digest")
        slot = tx.add_slot(head.id, SlotRow(0, "user", "lives_in", "user", "lives_in"))
        tx.put_claims(head.id, [claim(slot.id, 1, key="delhi")])
        tx.put_facts(head.id, [fact(slot.id, "delhi", 1)])
        tx.add_pending(head.id, 1)
        tx.index(head.id, [("e1", "delhi")], 1)
        tx.save_head(head)
    return head.id
