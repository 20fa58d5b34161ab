"""Folding straight from the log: as known at a revision, or to check and remake the projection.

Nothing here reads the projection, and no extractor is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..core.admission import has_slot
from ..core.amendments import amendment_in
from ..core.fold import SlotFold, SlotLog, fold_slot
from ..core.forgotten import Forgotten
from ..core.registry import Registry
from ..core.rulings import rulings_of
from ..model.claim import Amendment, Claim, Outcome
from ..model.entry import Entry, EntryKind
from ..model.freshness import Freshness
from ..ports import NEVER
from .project import AMENDING
from .rows import place_of


@dataclass(slots=True)
class LoggedSlot:
    """What the log says about one slot; ``refused`` operations stay with it, for a later registry."""

    subject_key: str
    subject: str
    predicate_key: str
    predicate: str
    named_at: int = NEVER
    claims: list[Claim] = field(default_factory=list)
    amendments: list[Amendment] = field(default_factory=list)

    def fold(self, registry: Registry) -> SlotFold:
        """Fold the slot."""
        return fold_slot(self.log(registry))

    def log(self, registry: Registry) -> SlotLog:
        """Give the slot's claims and amendments, refused ones left out."""
        predicate = registry.predicate(self.predicate)
        many = predicate is not None and predicate.is_many
        return SlotLog(many, [c for c in self.claims if c.outcome is not Outcome.REFUSED], self.amendments)


@dataclass(slots=True)
class LoggedScope:
    """A scope as its log tells it up to a revision."""

    slots: dict[tuple[str, str], LoggedSlot] = field(default_factory=dict)
    entries: int = 0
    latest_seq: int = 0
    rev: int = 0
    unsettled: set[int] = field(default_factory=set)

    def freshness_upto(self, min_seq: int | None) -> Freshness:
        """How far extraction was at that revision; what failed later counts as pending then."""
        as_of = min(self.unsettled) - 1 if self.unsettled else self.latest_seq
        upto = self.latest_seq if min_seq is None else min_seq
        waits = any(seq <= upto for seq in self.unsettled)
        is_current = not waits and upto <= self.latest_seq
        reason = "extracting" if waits else None
        return Freshness(as_of, self.latest_seq, len(self.unsettled), 0, (), is_current, reason)


def read_log(
    entries: Iterable[Entry],
    registry: Registry,
    newer: Mapping[int, Entry] | None = None,
    *,
    forgotten: Forgotten | None = None,
) -> LoggedScope:
    """Read a scope's log, in rev order, through a registry; ``newer`` extractions count instead, by message.

    ``forgotten`` is what may not come back, however little of the log is read: what is forgotten is so at every
    revision.
    """
    found, registry = LoggedScope(), registry.remembering()
    messages: dict[int, Entry] = {}
    extractions: dict[int, Entry] = {}
    for entry in entries:
        found.entries += 1
        found.rev = entry.rev
        found.latest_seq = max(found.latest_seq, entry.seq)
        if entry.kind is EntryKind.MESSAGE:
            messages[entry.seq] = entry
            found.unsettled.add(entry.seq)
        elif entry.kind is EntryKind.EXTRACTION:
            extractions[entry.seq] = entry
            found.unsettled.discard(entry.seq)
        elif entry.kind is EntryKind.SKIP:
            found.unsettled.discard(entry.seq)
        elif entry.kind is not EntryKind.ERASURE:
            apply_entry(found, entry, None, registry, forgotten)
    for seq, extraction in {**extractions, **(newer or {})}.items():
        apply_entry(found, extraction, messages.get(seq), registry, forgotten)
    return found


def apply_entry(
    found: LoggedScope, entry: Entry, message: Entry | None, registry: Registry, forgotten: Forgotten | None = None
) -> None:
    """Add what an entry says to the slots it speaks of; for an extraction ``message`` is what it was made of."""
    if entry.kind in AMENDING:
        subject_key, subject, predicate_key, predicate, amendment = amendment_in(entry, registry, forgotten)
        _slot(found, subject_key, subject, predicate_key, predicate).amendments.append(amendment)
        return
    for ruling in filter(has_slot, rulings_of(entry, message, registry, forgotten)):
        slot = _slot(found, ruling.subject_key, ruling.subject, ruling.predicate_key, ruling.predicate)
        slot.claims.append(ruling.claim)
        place = place_of(ruling.claim.id)
        if place < slot.named_at:
            slot.subject, slot.named_at = ruling.subject, place


def _slot(found: LoggedScope, subject_key: str, subject: str, predicate_key: str, predicate: str) -> LoggedSlot:
    keys = (subject_key, predicate_key)
    if keys not in found.slots:
        found.slots[keys] = LoggedSlot(subject_key, subject, predicate_key, predicate)
    return found.slots[keys]


def wanted_slots(
    found: LoggedScope, subject_key: str | None, predicate_keys: set[str] | None
) -> Iterator[LoggedSlot]:
    """Give the slots of a subject and of some predicates; None for all."""
    for slot in found.slots.values():
        if subject_key in (None, slot.subject_key) and (predicate_keys is None or slot.predicate_key in predicate_keys):
            yield slot
