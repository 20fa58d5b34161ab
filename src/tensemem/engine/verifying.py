"""Comparing a scope's projection with its log, a stretch at a time.

Two walks, in snapshots that are open for a stretch each, so that nothing is held up and no more of a scope is in
memory than a stretch of it. One goes along the log: the claims that are kept of some episodes must be those that the
log makes of them, in the right slots. One goes along the slots: what is kept of each must be what its claims fold to.
Together they say that the projection is the fold of the log, whatever is written meanwhile: each snapshot shows a
whole state, and what is appended behind a stretch is not what the walk is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar

from ..core.admission import has_slot
from ..core.amendments import amendment_in
from ..core.fold import fold_slot
from ..core.forgotten import Forgotten
from ..core.registry import Registry
from ..core.rulings import rulings_of
from ..model.entry import Entry, EntryKind
from ..model.scope import Scope
from ..ports import NEVER, ClaimRow, FactRow, Head, Reader, SlotRow, Writer
from . import rows
from .core import Engine, registry_at
from .project import AMENDING, is_many, mark, slot_log, summarise
from .rules import forgotten_in
from .state import Snapshot, with_snapshot

EPISODES_AT_ONCE = 500
SLOTS_AT_ONCE = 500

TRIES = 10
"""How often a stretch is looked at anew at most while the registry changes."""

R = TypeVar("R", ClaimRow, FactRow)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Remade:
    """One slot with its rows: as folded from the log, then without a slot number, or as kept."""

    slot: SlotRow
    claims: tuple[ClaimRow, ...]
    facts: tuple[FactRow, ...]


@dataclass(frozen=True, slots=True)
class Stated:
    """One claim or amendment as the log makes it: a row without the number of its slot, and the slot's names."""

    subject_key: str
    subject: str
    predicate_key: str
    predicate: str
    row: ClaimRow

    @property
    def keys(self) -> tuple[str, str]:
        """The keys of its slot."""
        return self.subject_key, self.predicate_key

    @property
    def place(self) -> int:
        """Its place in the log, as far as it may name its slot; amendments don't."""
        return NEVER if rows.is_amendment(self.row) else rows.place_of_row(self.row)


def stated_in(entries: Sequence[Entry], registry: Registry, forgotten: Forgotten | None) -> list[Stated]:
    """Give what entries say, of whole episodes: of a message's extractions the newest counts."""
    messages = {entry.seq: entry for entry in entries if entry.kind is EntryKind.MESSAGE}
    newest = {entry.seq: entry for entry in entries if entry.kind is EntryKind.EXTRACTION}
    found: list[Stated] = []
    for entry in entries:
        if entry.kind in AMENDING:
            subject_key, subject, predicate_key, predicate, amendment = amendment_in(entry, registry, forgotten)
            row = rows.amendment_row(0, amendment)
            found.append(Stated(subject_key, subject, predicate_key, predicate, row))
        elif entry.kind is EntryKind.EXTRACTION:
            if newest[entry.seq] is entry:
                found += _ruled(entry, messages.get(entry.seq), registry, forgotten)
        elif entry.kind not in (EntryKind.MESSAGE, EntryKind.SKIP, EntryKind.ERASURE):
            found += _ruled(entry, None, registry, forgotten)
    return sorted(found, key=_in_order)


def _ruled(
    entry: Entry, message: Entry | None, registry: Registry, forgotten: Forgotten | None
) -> Iterator[Stated]:
    for ruling in rulings_of(entry, message, registry, forgotten):
        if has_slot(ruling):
            row = rows.claim_row(0, ruling.claim)
            yield Stated(ruling.subject_key, ruling.subject, ruling.predicate_key, ruling.predicate, row)


def _in_order(one: Stated) -> tuple[Any, ...]:
    return one.row[1:4]  # seq, extraction, number


def is_log_projected(engine: Engine, scope: Scope, tell: Callable[[int, int], None]) -> tuple[bool, int]:
    """Walk along the log; tells whether the claims kept are its own, and how many entries were looked at.

    ``tell`` is called between two stretches with the seq reached and the last one.
    """
    begins = first = _base(engine, scope) + 1
    entries = 0
    upto: int | None = None
    known: list[Registry] = []  # the registry, and the same that remembers the subjects of earlier stretches
    while True:

        def look(snapshot: Snapshot, first: int = first, upto: int | None = upto) -> tuple[bool, int, int]:
            last = snapshot.head.seq if snapshot.head is not None else 0
            upto = last if upto is None else min(upto, last)
            if not known or known[0] is not snapshot.registry:
                known[:] = [snapshot.registry, snapshot.registry.remembering()]
            return *_look_at_episodes(snapshot, known[1], first, upto, last, is_first=first == begins), upto

        is_same, seen, upto = _looked(engine, scope, look)
        entries += seen
        if not is_same:
            return False, entries
        first += EPISODES_AT_ONCE
        if first > upto:
            return True, entries
        tell(first - 1, upto)


def _base(engine: Engine, scope: Scope) -> int:
    """Give the seq behind which a scope's log begins."""
    found: int = with_snapshot(engine, scope, lambda now: 0 if now.head is None else now.head.base_seq)
    return found


def _looked(engine: Engine, scope: Scope, look: Callable[[Snapshot], T]) -> T:
    """Look at a scope whose projection is of today's registry. Facts of yesterday's are not wrong: they are brought up
    to date first, and again where it changes meanwhile; where that never ends, or nothing may be written, they are
    looked at by the registry they were made with.
    """

    def patiently(snapshot: Snapshot) -> tuple[T] | None:
        if engine.store.read_only:
            snapshot = _as_projected(snapshot)
        return (look(snapshot),) if snapshot.is_projected else None

    for _ in range(TRIES):
        found: tuple[T] | None = with_snapshot(engine, scope, patiently)
        if found is not None:
            return found[0]
    result: T = with_snapshot(engine, scope, lambda snapshot: look(_as_projected(snapshot)))
    return result


def _as_projected(snapshot: Snapshot) -> Snapshot:
    """Give a snapshot with the registry that its facts were made with, which may be of yesterday."""
    if snapshot.head is None or snapshot.is_projected:
        return snapshot
    old = registry_at(snapshot.reader, snapshot.scope.namespace, snapshot.head.registry_rev)
    return replace(snapshot, registry=old)


def _look_at_episodes(
    snapshot: Snapshot, registry: Registry, first: int, upto: int, last: int, *, is_first: bool
) -> tuple[bool, int]:
    if snapshot.head is None or not snapshot.is_projected:
        return False, 0
    stop = min(first + EPISODES_AT_ONCE - 1, upto)
    reader, id = snapshot.reader, snapshot.head.id
    entries = reader.entries_of(id, first, stop)
    wanted = stated_in(entries, registry, forgotten_in(reader, snapshot.head))
    kept = reader.claims_made(id, 0 if is_first else first, stop)
    if stop == upto and reader.claims_made(id, last + 1, NEVER):
        return False, 0  # claims of nothing that was ever said
    return _are_kept(reader, id, wanted, kept), len(entries)


def _are_kept(reader: Reader, scope_id: int, wanted: Sequence[Stated], kept: Sequence[ClaimRow]) -> bool:
    if len(wanted) != len(kept):
        return False
    slots = _slots_of(reader, scope_id, sorted({row.slot for row in kept}))
    for one, row in zip(wanted, kept, strict=True):
        if one.row[1:] != row[1:]:
            return False
        slot = slots.get(row.slot)
        if slot is None or (slot.subject_key, slot.predicate_key) != one.keys:
            return False
        if one.subject != slot.subject and one.place == slot.named_at != NEVER:
            return False
    return True


def _slots_of(reader: Reader, scope_id: int, numbers: Sequence[int]) -> dict[int, SlotRow]:
    """Give some slots, by their numbers: those that lie close together in one step."""
    if numbers and numbers[-1] - numbers[0] < 4 * len(numbers):
        found = reader.slots_after(scope_id, numbers[0] - 1, numbers[-1] - numbers[0] + 1)
        return {slot.id: slot for slot in found}
    slots = (reader.slot_by_id(scope_id, number) for number in numbers)
    return {slot.id: slot for slot in slots if slot is not None}


def is_fold_kept(
    engine: Engine, scope: Scope, see: Callable[[Remade], None], mismarked: Callable[[int], None] = lambda _: None
) -> bool:
    """Walk along the slots; tells whether each is what its claims fold to.

    ``see`` is shown every slot, ``mismarked`` is told the number of each whose marks are not what its claims say.
    """
    after = 0
    while True:

        def look(snapshot: Snapshot, after: int = after) -> int | None:
            if snapshot.head is None or not snapshot.is_projected:
                return None
            some = _slots_after(snapshot.reader, snapshot.head, after, claims=True)
            if not all(_is_folded(snapshot.reader, snapshot.head, one, snapshot.registry, mismarked) for one in some):
                return None
            for one in some:
                see(one)
            return some[-1].slot.id if len(some) == SLOTS_AT_ONCE else 0

        reached = _looked(engine, scope, look)
        if not reached:
            return reached is not None
        after = reached


def _is_folded(
    reader: Reader, head: Head, one: Remade, registry: Registry, mismarked: Callable[[int], None]
) -> bool:
    slot = one.slot
    first = next((row for row in one.claims if not rows.is_amendment(row)), None)
    if slot.named_at != (NEVER if first is None else rows.place_of_row(first)) or not one.claims:
        return False
    if first is None:  # nothing but amendments: the first of them names it
        amending = reader.episode(head.id, one.claims[0].seq)
        if amending is None or amendment_in(amending, registry)[1] != slot.subject:
            return False
    again, facts = refolded(slot, one.claims, registry)
    if marks(again) != marks(slot):
        mismarked(slot.id)
    return summary(again) == summary(slot) and sorted(facts) == sorted(one.facts)


def refolded(slot: SlotRow, claims: Sequence[ClaimRow], registry: Registry) -> tuple[SlotRow, list[FactRow]]:
    """Fold a slot from its claims: gives its row and its facts as they ought to be."""
    again = SlotRow(
        slot.id, slot.subject_key, slot.predicate_key, slot.subject, slot.predicate, named_at=slot.named_at
    )
    log = slot_log(claims, many=is_many(registry, slot))
    fold = fold_slot(log)
    if log.claims or log.amendments:
        summarise(again, log, fold)
    else:
        mark(again, log, fold)
    return again, rows.fact_rows(slot.id, fold.runs, (*fold.candidates, *fold.plans))


def marks(slot: SlotRow) -> tuple[int, bool]:
    """Give what spares reads of a slot's history the fold.

    A write in order leaves it as it is, so that it may say less than is so; it is no part of what is compared.
    """
    return slot.ordered_from, slot.whole


def remark(tx: Writer, head: Head, number: int, registry: Registry) -> None:
    """Set the marks of a slot to what its claims say."""
    slot = tx.slot_by_id(head.id, number)
    if slot is not None:
        again, _ = refolded(slot, tx.claims(head.id, number), registry)
        slot.ordered_from, slot.whole = marks(again)
        tx.save_slot(head.id, slot)


def summary(slot: SlotRow) -> tuple[Any, ...]:
    """Give all of a slot's row that its claims decide, but for its marks: those may say less than is so."""
    return slot.subject, slot.horizon, slot.last_said, slot.last_seq, slot.plain, slot.named_at, slot.last_rev


def kept_slots(reader: Reader, head: Head, *, claims: bool = True) -> Iterator[Remade]:
    """Give the slots of a projection as they are kept, some hundreds read at once; without claims, if not wanted."""
    after = 0
    while some := _slots_after(reader, head, after, claims=claims):
        yield from some
        after = some[-1].slot.id


def _slots_after(reader: Reader, head: Head, after: int, *, claims: bool) -> list[Remade]:
    some = reader.slots_after(head.id, after, SLOTS_AT_ONCE)
    if not some:
        return []
    between = head.id, some[0].id, some[-1].id
    stated = _by_slot(reader.claims_between(*between)) if claims else {}
    shown = _by_slot(reader.facts_between(*between))
    return [Remade(slot, stated.get(slot.id, ()), shown.get(slot.id, ())) for slot in some]


def _by_slot(kept: Sequence[R]) -> dict[int, tuple[R, ...]]:
    return {slot: tuple(found) for slot, found in groupby(kept, key=attrgetter("slot"))}
