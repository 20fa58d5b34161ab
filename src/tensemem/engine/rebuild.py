"""Rebuilding: folding the log anew, without asking any model, and comparing with what is kept.

The work is done on a snapshot while others read and write; only where something differs is a scope's projection
replaced, in one transaction, so that no reader ever sees it half made.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar

from ..core.fold import fold_slot
from ..core.registry import Registry
from ..errors import StoreCorruptError
from ..model.jsontext import encode
from ..model.results import RebuildReport
from ..model.scope import Scope
from ..ports import ClaimRow, FactRow, Head, Reader, SlotRow, Writer
from . import rows
from .core import Engine
from .logfold import LoggedScope, LoggedSlot, read_log
from .project import summarise
from .state import with_snapshot

BATCH = 5_000
"""Rows written at once."""
SLOTS_AT_ONCE = 500
"""Slots read at once."""

TRIES = 10
"""How often a comparison is begun anew at most while the registry changes."""

T = TypeVar("T")
R = TypeVar("R", ClaimRow, FactRow)


@dataclass(frozen=True, slots=True)
class Remade:
    """One slot with its rows: as folded from the log, then without a slot number, or as kept."""

    slot: SlotRow
    claims: tuple[ClaimRow, ...]
    facts: tuple[FactRow, ...]


def rebuild(engine: Engine, scopes: Iterable[Scope], *, write: bool) -> RebuildReport:
    """Fold the logs of some scopes anew; ``write`` replaces what differs, else nothing is touched."""
    began = time.monotonic()
    digests: list[str] = []
    different: list[str] = []
    entries = count = 0
    for scope in scopes:
        found = _one(engine, scope, write=write)
        if found is None:
            continue
        count += 1
        is_same, digest, size = found
        entries += size
        digests.append(digest)
        if not is_same:
            different.append(scope.user_id)
        engine.emit("rebuilt" if write else "verified", scope=scope, identical=is_same, entries=size)
    whole = digests[0] if len(digests) == 1 else hashlib.blake2b("".join(digests).encode(), digest_size=16).hexdigest()
    return RebuildReport(
        identical=not different, digest=whole, scopes=count, entries=entries, different=tuple(different),
        seconds=round(time.monotonic() - began, 3),
    )  # fmt: skip


def _one(engine: Engine, scope: Scope, *, write: bool) -> tuple[bool, str, int] | None:
    found = _compared(engine, scope)
    if found is None or found[0] or not write:
        return found
    with engine.store.write() as tx:
        head = tx.head(scope)
        if head is None:
            return found
        registry = engine.registry(tx, scope.namespace, tx.registry_rev(scope.namespace))
        remade = remake(read_log(tx.entries(head.id), registry), registry)
        _replace(tx, head, registry, remade)
    engine.states.pop(scope, None)
    return found


def _compared(engine: Engine, scope: Scope) -> tuple[bool, str, int] | None:
    """Fold a scope's log and compare. Facts of yesterday's registry are not wrong: they are brought up to date first.

    Where the registry changes again meanwhile, so are they.
    """
    is_outrun, left = True, TRIES

    def compare(snapshot: Any) -> tuple[bool, str, int] | None:
        nonlocal is_outrun
        is_outrun = not snapshot.is_projected and not engine.store.read_only
        if snapshot.head is None or not snapshot.head.rev:
            return None  # opened perhaps, but nothing was ever said
        logged = read_log(snapshot.reader.entries(snapshot.head.id), snapshot.registry)
        remade = remake(logged, snapshot.registry)
        is_same = snapshot.is_projected and _is_same(snapshot.reader, snapshot.head, remade)
        return is_same, digest_of(scope, remade), logged.entries

    found: tuple[bool, str, int] | None = None
    while is_outrun and left:
        found, left = with_snapshot(engine, scope, compare), left - 1
    return found


def remake(logged: LoggedScope, registry: Registry) -> list[Remade]:
    """Fold every slot of a scope's log to the rows the projection keeps."""
    return [_remade(slot, registry) for slot in logged.slots.values()]


def _remade(slot: LoggedSlot, registry: Registry) -> Remade:
    log = slot.log(registry)
    fold = fold_slot(log)
    row = SlotRow(0, slot.subject_key, slot.predicate_key, slot.subject, slot.predicate, named_at=slot.named_at)
    if log.claims or log.amendments:
        summarise(row, log, fold)
    claims = [rows.claim_row(0, claim) for claim in slot.claims]
    claims += [rows.amendment_row(0, amendment) for amendment in slot.amendments]
    claims.sort(key=_place)
    facts = rows.fact_rows(0, fold.runs, (*fold.candidates, *fold.plans))
    return Remade(row, tuple(claims), tuple(facts))


_place = attrgetter("seq", "extraction", "number")


def _is_same(reader: Reader, head: Head, remade: Sequence[Remade]) -> bool:
    fresh = {(one.slot.subject_key, one.slot.predicate_key): one for one in remade}
    try:
        for one in kept_slots(reader, head):
            again = fresh.pop((one.slot.subject_key, one.slot.predicate_key), None)
            if again is None or not _is_same_slot(one, again):
                return False
    except StoreCorruptError:
        return False
    return not fresh


def _is_same_slot(kept: Remade, again: Remade) -> bool:
    if _summary(kept.slot) != _summary(again.slot) or _said(kept.claims) != _said(again.claims):
        return False
    return sorted(_said(kept.facts)) == sorted(_said(again.facts))


def _said(kept: Iterable[ClaimRow | FactRow]) -> list[tuple[Any, ...]]:
    """Give all of some rows but the number of their slot, which says nothing."""
    return [row[1:] for row in kept]


def kept_slots(reader: Reader, head: Head, *, claims: bool = True) -> Iterator[Remade]:
    """Give the slots of a projection as they are kept, some hundreds read at once; without claims, if not wanted."""
    for some in _batches(reader.slots(head.id), SLOTS_AT_ONCE):
        between = head.id, some[0].id, some[-1].id
        stated = _by_slot(reader.claims_between(*between)) if claims else {}
        shown = _by_slot(reader.facts_between(*between))
        for slot in some:
            yield Remade(slot, stated.get(slot.id, ()), shown.get(slot.id, ()))


def _by_slot(kept: Sequence[R]) -> dict[int, tuple[R, ...]]:
    return {slot: tuple(found) for slot, found in groupby(kept, key=attrgetter("slot"))}


def _summary(slot: SlotRow) -> tuple[Any, ...]:
    return slot.subject, slot.horizon, slot.last_said, slot.last_seq, slot.plain, slot.named_at, slot.last_rev


def _replace(tx: Writer, head: Head, registry: Registry, remade: Sequence[Remade]) -> None:
    tx.clear_projection(head.id)
    tx.clear_index(head.id)
    claims: list[ClaimRow] = []
    facts: list[FactRow] = []
    for one in remade:
        slot = tx.add_slot(head.id, one.slot)
        claims += [row._replace(slot=slot.id) for row in one.claims]
        facts += [row._replace(slot=slot.id) for row in one.facts]
    for batch in _batches(claims, BATCH):
        tx.put_claims(head.id, batch)
    for rows_ in _batches(facts, BATCH):
        tx.put_facts(head.id, rows_)
    head.registry_rev = registry.rev
    tx.save_head(head)


def _batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for first in range(0, len(items), size):
        yield items[first : first + size]


def digest(engine: Engine, scope: Scope) -> str:
    """Give the hash of a scope's facts: slots, values, valid times, ids and evidence.

    Revisions and recording times are left out, and so is what only the clock decides: two copies that were fed the
    same episodes have the same digest.
    """

    def read(snapshot: Any) -> str:
        if snapshot.head is None:
            return digest_of(scope, [])
        if not snapshot.is_projected:
            logged = read_log(snapshot.reader.entries(snapshot.head.id), snapshot.registry)
            return digest_of(scope, remake(logged, snapshot.registry))
        return digest_of(scope, kept_slots(snapshot.reader, snapshot.head, claims=False))

    result: str = with_snapshot(engine, scope, read)
    return result


def digest_of(scope: Scope, slots: Iterable[Remade]) -> str:
    """Hash the fact rows of slots, whatever their order."""
    lines = [_line(one.slot, row) for one in slots for row in one.facts]
    hashed = hashlib.blake2b(digest_size=16)
    hashed.update(scope.tag.encode())
    for line in sorted(lines):
        hashed.update(line.encode("utf-8", "surrogatepass"))
    return hashed.hexdigest()


def _line(slot: SlotRow, row: FactRow) -> str:
    body = rows.run_body(row) if row.kind == 0 else rows.decode_body(row)
    said = [[*item[:3], item[5] if len(item) > 5 else 0, item[3], item[4], *item[6:9]] for item in body[6]]
    names = [slot.subject_key, slot.predicate_key, row.kind, row.key, row.start, row.end]
    return encode([*names, body[0], body[1], body[2], said])
