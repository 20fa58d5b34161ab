"""All that can be read from a store, so that two states can be compared, whichever numbers their scopes have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from tensemem.model.scope import Scope
from tensemem.ports import Head, PendingRow, Reader, Store

Row = TypeVar("Row", Head | None, PendingRow | None)


def everything(store: Store, namespace: str = "default") -> dict[str, Any]:
    """Read the whole of a namespace by every method there is; scopes go by their names."""
    with store.read() as reader:
        registry = reader.head(Scope(namespace, ""))
        heads = [*([] if registry is None else [registry]), *reader.scopes(namespace, "", None, 10_000)]
        names = {head.id: repr(head.scope) for head in heads}
        found: dict[str, Any] = {
            "counts": reader.counts(namespace),
            "namespaces": reader.namespaces(),
            "workers": reader.workers(),
            "pending": sorted((repr(scope), row.seq) for scope, row in reader.all_pending(namespace, 10_000)),
            "unprojected": sorted((names[id], *rest) for id, *rest in reader.unprojected(namespace)),
            "owners": reader.owners(),
            "usage": reader.usage(namespace),
            "due": [reader.is_work_due(moment) for moment in range(-1, 12)],
            "meta": [reader.meta(name) for name in ("name", "a", "b")],
        }
        for head in heads:
            found[repr(head.scope)] = _scope(reader, head)
    return found


def unnumbered(row: Row) -> Row:
    """Give a row without the number of its scope, which is each store's own."""
    if row is None:
        return None
    return replace(row, id=0) if isinstance(row, Head) else replace(row, scope_id=0)


def _scope(reader: Reader, head: Head) -> dict[str, Any]:
    id = head.id
    slots = reader.slots(id)
    words = ["delhi", "paris", "rome", "tea", "milk"]
    return {
        "head": unnumbered(head),
        "entries": list(reader.entries(id)),
        "episodes": [(reader.episode(id, seq), reader.settlements(id, seq)) for seq in range(12)],
        "again": [reader.extracted_again(id, rev) for rev in range(4)],
        "before": [reader.messages_before(id, seq, 2) for seq in range(12)],
        "revs": [reader.rev_at(id, moment) for moment in range(-1, 12)],
        "keys": [reader.find_key(id, key) for key in ("k", "k2", "a", "b")],
        "all keys": sorted(_keys(reader, id)),
        "used": reader.usage_of(id),
        "slots": slots,
        "next slots": [reader.slots_after(id, after, 2) for after in range(4)],
        "stretches": [
            (reader.entries_of(id, first, first + 2), reader.claims_made(id, first, first + 2)) for first in range(8)
        ],
        "claims": [reader.claims(id, slot.id) for slot in slots],
        "claims_of": [reader.claims_of(id, seq) for seq in range(12)],
        "values": [reader.slots_with_values(id, [key]) for key in ("", *words)],
        "facts": [reader.facts(id, slot.id) for slot in slots],
        "between": [(reader.claims_between(id, 1, n), reader.facts_between(id, n, n + 1)) for n in range(4)],
        "live in": [reader.live_in(id, slot.id, moment) for slot in slots for moment in range(-1, 12)],
        "tails": [reader.tail(id, slot.id, moment) for slot in slots for moment in range(-1, 12)],
        "live": [reader.live(id, moment) for moment in range(-1, 12)],
        "pending": [unnumbered(row) for row in reader.pending(id)],
        "waiting": [unnumbered(reader.next_waiting(id, seq, due)) for seq in range(-1, 6) for due in (None, 0, 5)],
        "first": unnumbered(reader.first_waiting(id)),
        "failed": [unnumbered(row) for row in reader.failed(id)],
        "one by one": [unnumbered(reader.pending_row(id, seq)) for seq in range(6)],
        "found": [sorted(name for name, _ in reader.search(id, [word], 99)) for word in words],
        "indexed": reader.indexed_rev(id),
    }


def _keys(reader: Reader, id: int) -> Iterator[tuple[str, int, str]]:
    """Give all keys, some at a time: their order is each store's own."""
    after = ""
    while found := reader.keys(id, after, 2):
        yield from found
        after = found[-1][0]
