"""Opening a scope for work: its projection is brought up to the registry of today first.

Names, aliases and types are schema. When the registry changes, nothing is done to the scopes at once; each one
re-projects the slots the change touches when it is next used, in its own transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..core.amendments import amendment_in
from ..core.registry import Registry, changed_names
from ..core.rulings import rulings_of
from ..model.claim import ClaimId
from ..model.entry import Entry, EntryKind
from ..model.scope import Scope
from ..ports import NEVER, Head, Reader, SlotRow, Writer
from . import rows
from .core import Engine
from .ledger import begin_anew
from .project import AMENDING, Projection
from .whole import refuse_unfinished


def open_scope(engine: Engine, tx: Writer, scope: Scope) -> tuple[Head, Registry]:
    """Give a scope's head, made if missing, with its projection as the registry of today has it."""
    head, rev = tx.head_and_registry(scope)
    registry = engine.registry(tx, scope.namespace, rev)
    if head is None:
        # It may be made by somebody else just now; from here on it is ours, and what they did is seen.
        head, rev = tx.open_scope(scope), tx.registry_rev(scope.namespace)
        registry = engine.registry(tx, scope.namespace, rev)
        if not head.rev:
            begin_anew(tx, head)
            head.registry_rev = rev
    if head.registry_rev != rev:
        refuse_unfinished(head)
        reproject(engine, tx, head, registry)
        tx.save_head(head)
    return head, registry


def open_known(engine: Engine, tx: Writer, scope: Scope) -> tuple[Head, Registry] | None:
    """Give the same of a scope that is there, and None where it is not: perhaps it was forgotten meanwhile."""
    return None if tx.head(scope) is None else open_scope(engine, tx, scope)


def reproject(engine: Engine, tx: Writer, head: Head, registry: Registry) -> None:
    """Project anew every entry that has an operation in a slot the registry's change touches."""
    old = engine.registry(tx, head.scope.namespace, head.registry_rev)
    engine.registries[head.scope.namespace] = registry
    touched = touched_slots(tx, head, old, registry)
    head.registry_rev = registry.rev
    if not touched:
        return
    seqs = sorted({row.seq for slot in touched for row in tx.claims(head.id, slot.id)})
    project_again(tx, head, registry, seqs, touched)


def project_again(
    tx: Writer, head: Head, registry: Registry, seqs: Sequence[int], touched: Iterable[SlotRow] = (),
    *, is_indexed: bool = False,
) -> None:  # fmt: skip
    """Project some entries anew, each message by the extraction that counts now; slots left without a word go.

    The search index is made anew as well, unless it is brought up by whoever calls.
    """
    projection = Projection(tx, head, registry)
    affected = {slot.id: slot for slot in touched}
    for seq in seqs:
        for row in tx.claims_of(head.id, seq):
            slot = affected.get(row.slot) or tx.slot_by_id(head.id, row.slot)
            if slot is not None:
                affected[slot.id] = slot
        tx.drop_claims(head.id, seq)
    _drop_empty(tx, head, affected, projection)
    for seq in seqs:
        _apply_again(tx, head, projection, seq)
    for one in projection.finish():
        _name_again(tx, head, projection, registry, one.slot)
    if not is_indexed:
        tx.clear_index(head.id)


def _drop_empty(tx: Writer, head: Head, affected: dict[int, SlotRow], projection: Projection) -> None:
    """Slots left without claims go, with their old names; the others are folded from what they keep."""
    empty = [id for id in affected if not tx.claims(head.id, id)]
    tx.clear_slots(head.id, empty)
    for id, slot in affected.items():
        if id not in empty:
            projection.touch(slot)


def _name_again(tx: Writer, head: Head, projection: Projection, registry: Registry, slot: SlotRow) -> None:
    """Where the claim that named a slot has moved away, the first of those that are left names it."""
    kept = tx.claims(head.id, slot.id)
    left = [row for row in kept if not rows.is_amendment(row)]
    if not left:
        amending = tx.episode(head.id, kept[0].seq) if kept else None
        if amending is not None:
            slot.subject, slot.named_at = amendment_in(amending, registry)[1], NEVER
            tx.save_slot(head.id, slot)
        return
    first = min(left, key=lambda row: (row.seq, row.extraction, row.number))
    place = rows.place_of(ClaimId(first.seq, first.extraction, first.number))
    episode = tx.episode(head.id, first.seq)
    entry = newest_extraction(tx, head.id, first.seq) if first.extraction else episode
    if place == slot.named_at or entry is None or episode is None:
        return
    message = episode if first.extraction else None
    slot.subject = rulings_of(entry, message, registry, projection.forgotten)[first.number].subject
    slot.named_at = place
    tx.save_slot(head.id, slot)


def touched_slots(reader: Reader, head: Head, old: Registry, new: Registry) -> list[SlotRow]:
    """Give the slots whose names, or whose values' names, a registry change speaks of."""
    predicates, entities = changed_names(old, new)
    if not predicates and not entities:
        return []
    by_value = set(reader.slots_with_values(head.id, sorted(entities))) if entities else set()
    return [
        slot
        for slot in reader.slots(head.id)
        if slot.predicate_key in predicates or slot.subject_key in entities or slot.id in by_value
    ]


def _apply_again(tx: Writer, head: Head, projection: Projection, seq: int) -> None:
    episode = tx.episode(head.id, seq)
    if episode is None:
        return
    if episode.kind is EntryKind.MESSAGE:
        extraction = newest_extraction(tx, head.id, seq)
        if extraction is not None:
            projection.apply(extraction, episode)
    elif episode.kind is EntryKind.WRITE or episode.kind in AMENDING:
        projection.apply(episode)


def newest_extraction(reader: Reader, scope_id: int, seq: int) -> Entry | None:
    """Give the extraction of a message that counts."""
    found = [entry for entry in reader.settlements(scope_id, seq) if entry.kind is EntryKind.EXTRACTION]
    return found[-1] if found else None

