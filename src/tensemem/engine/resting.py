"""What rests on one episode alone: corrections and reviews that speak of nothing else go when it is erased."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.admission import has_slot
from ..core.erasing import unreadable, wordless
from ..core.ids import parse_id
from ..core.registry import Registry
from ..core.rulings import rulings_of
from ..model.claim import Correction, Reinstatement, Review
from ..model.entry import Entry, EntryKind
from ..ports import ClaimRow, Head, Reader
from . import rows


def resting_on(tx: Reader, head: Head, registry: Registry, seq: int, made: Sequence[Entry]) -> list[Entry]:
    """Give the amendments that speak of nothing but an episode's claims, or of such a one, as they are to be.

    ``made`` are the extractions of the episode: the last one, and those whose place it took.
    """
    found: list[Entry] = []
    gone = {seq}
    for slot in sorted(_slots_of(tx, head, registry, seq, made)):
        kept = tx.claims(head.id, slot)
        for row in (one for one in kept if rows.is_amendment(one) and one.seq != seq):
            amending, amendment = tx.episode(head.id, row.seq), rows.amendment_of(row)
            if amending is None:
                continue
            if isinstance(amendment, Reinstatement):
                if amendment.corrects in gone:
                    found.append(wordless(amending))
            elif _speaks_only_of(tx, head, seq, amendment, kept):
                gone.add(row.seq)
                found.append(unreadable(amending))
    return found


def _slots_of(tx: Reader, head: Head, registry: Registry, seq: int, made: Sequence[Entry]) -> set[int]:
    """Give the slots that an episode speaks of, or spoke of before it was read again."""
    found = {row.slot for row in tx.claims_of(head.id, seq)}
    message = tx.episode(head.id, seq)
    for extraction in made[:-1]:
        for ruling in filter(has_slot, rulings_of(extraction, message, registry)):
            slot = tx.slot(head.id, ruling.subject_key, ruling.predicate_key)
            if slot is not None:
                found.add(slot.id)
    return found


def _speaks_only_of(
    tx: Reader, head: Head, seq: int, amendment: Correction | Review, kept: Sequence[ClaimRow]
) -> bool:
    """Tell whether an amendment rests on an episode alone, those that were erased left out."""
    if isinstance(amendment, Correction) and amendment.shown:
        episodes = {id.seq for id in amendment.shown}
    elif _is_said_elsewhere(seq, amendment, kept):
        return False
    else:
        target = parse_id(amendment.target)
        episodes = set() if target is None else {target.claim.seq}
    return bool(episodes) and all(one == seq or _is_erased(tx, head, one) for one in sorted(episodes))


def _is_said_elsewhere(seq: int, amendment: Correction | Review, kept: Sequence[ClaimRow]) -> bool:
    """Tell whether what waits, of which an amendment speaks by its value, was stated by other episodes too."""
    if isinstance(amendment, Correction):
        if amendment.statement is not None:  # that one, and no other
            return False
        key = None if amendment.value is None else amendment.value.key
    else:
        key = amendment.key
    before = (row for row in kept if not rows.is_amendment(row) and row.seq < amendment.seq and row.seq != seq)
    return any(row.value_key == (key or "") for row in before)


def _is_erased(tx: Reader, head: Head, seq: int) -> bool:
    episode = tx.episode(head.id, seq)
    return episode is None or (episode.kind is EntryKind.ERASURE and "was" in episode.body)
