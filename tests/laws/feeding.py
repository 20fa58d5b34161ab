"""Feeding a log to another engine: entry by entry in another order, or as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from tensemem.engine.core import Engine
from tensemem.engine.project import Projection
from tensemem.engine.reproject import open_scope
from tensemem.model.entry import EPISODES, Entry, EntryKind
from tensemem.model.scope import Scope, registry_scope
from tensemem.ports import Head, Writer

SETTLING = (EntryKind.EXTRACTION, EntryKind.SKIP)


@dataclass(frozen=True)
class Logs:
    """The log of a namespace's registry, and that of one scope in it."""

    scope: Scope
    registry: tuple[Entry, ...]
    entries: tuple[Entry, ...]


def logs_of(engine: Engine, scope: Scope) -> Logs:
    """Read both logs."""
    with engine.store.read() as reader:
        names, head = reader.head(registry_scope(scope.namespace)), reader.head(scope)
        return Logs(
            scope,
            () if names is None else tuple(reader.entries(names.id)),
            () if head is None else tuple(reader.entries(head.id)),
        )


def feed(engine: Engine, scope: Scope, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Append entries in the order given and project each as it comes; gives each after that."""
    for entry in entries:
        with engine.store.write() as tx:
            if entry.kind in (EntryKind.PREDICATE, EntryKind.ENTITY):
                _feed_name(tx, scope, entry)
            else:
                head, registry = open_scope(engine, tx, scope)
                head.rev += 1
                fed = replace(entry, rev=head.rev)
                tx.append(head.id, fed)
                _count(tx, head, fed)
                projection = Projection(tx, head, registry)
                if fed.kind not in (EntryKind.MESSAGE, EntryKind.SKIP):
                    projection.apply(fed, tx.episode(head.id, fed.seq) if fed.kind is EntryKind.EXTRACTION else None)
                projection.finish()
                tx.save_head(head)
        yield entry


def _feed_name(tx: Writer, scope: Scope, entry: Entry) -> None:
    head = tx.open_scope(registry_scope(scope.namespace))
    head.rev += 1
    tx.append(head.id, replace(entry, rev=head.rev))
    tx.save_head(head)


def _count(tx: Writer, head: Head, entry: Entry) -> None:
    """Keep the head's counters and the queue as the engine does."""
    head.last_recorded = max(head.last_recorded, entry.recorded_at)
    if entry.kind in EPISODES:
        head.seq = max(head.seq, entry.seq)
        head.last_said = max(head.last_said, entry.said_at)
    if entry.kind is EntryKind.MESSAGE:
        tx.add_pending(head.id, entry.seq)
        head.pending += 1
    elif entry.kind in SETTLING and tx.drop_pending(head.id, entry.seq):
        head.pending -= 1


def copy_logs(engine: Engine, logs: Logs) -> None:
    """Put the very same logs into an empty store; nothing is projected yet."""
    with engine.store.write() as tx:
        names = tx.open_scope(registry_scope(logs.scope.namespace))
        tx.append_many(names.id, logs.registry)
        names.rev = len(logs.registry)
        tx.save_head(names)
    with engine.store.write() as tx:
        head = tx.open_scope(logs.scope)
        head.rev = len(logs.entries)
        for entry in logs.entries:
            tx.append(head.id, entry)
            _count(tx, head, entry)
        tx.save_head(head)


@st.composite
def finishing_orders(draw: st.DrawFn, logs: Logs) -> Sequence[Entry]:
    """The entries of both logs in an order in which they might as well have come.

    Episodes come in seq order, the registry's entries in their own; an extraction or skip comes at any time after its
    message.
    """
    places = st.integers(0, len(logs.entries))
    starts = {entry.seq: place for place, entry in enumerate(logs.entries) if entry.kind in EPISODES}
    placed: list[tuple[int, int, Entry]] = []
    for number, entry in enumerate(logs.entries):
        begin = starts[entry.seq]
        place = begin if entry.kind in EPISODES else max(begin, draw(places))
        placed.append((place, 1 + number, entry))
    learnt = sorted(draw(st.lists(places, min_size=len(logs.registry), max_size=len(logs.registry))))
    placed += [(place, 0, entry) for place, entry in zip(learnt, logs.registry, strict=True)]
    return [entry for _, _, entry in sorted(placed, key=lambda item: item[:2])]
