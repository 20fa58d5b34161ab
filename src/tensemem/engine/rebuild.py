"""Rebuilding: folding the log anew, without asking any model, and comparing with what is kept.

The work is done on a snapshot while others read and write; only where something differs is a scope's projection
replaced, in one transaction, so that no reader ever sees it half made.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from ..core.registry import Registry
from ..errors import StoreCorruptError
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


@dataclass(frozen=True, slots=True)
class Remade:
    """One slot folded from the log, as rows without a slot number."""

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
    def compare(snapshot: Any) -> tuple[bool, str, int] | None:
        if snapshot.head is None:
            return None
        logged = read_log(snapshot.reader.entries(snapshot.head.id), snapshot.registry)
        remade = remake(logged, snapshot.registry)
        is_same = snapshot.is_projected and _is_same(snapshot.reader, snapshot.head, remade)
        return is_same, digest_of(scope, [(one.slot, one.facts) for one in remade]), logged.entries

    found: tuple[bool, str, int] | None = with_snapshot(engine, scope, compare)
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


def remake(logged: LoggedScope, registry: Registry) -> list[Remade]:
    """Fold every slot of a scope's log to the rows the projection keeps."""
    return [_remade(slot, registry) for slot in logged.slots.values()]


def _remade(slot: LoggedSlot, registry: Registry) -> Remade:
    log = slot.log(registry)
    fold = slot.fold(registry)
    row = SlotRow(0, slot.subject_key, slot.predicate_key, slot.subject, slot.predicate, named_at=slot.named_at)
    if log.claims or log.amendments:
        summarise(row, log, fold)
    claims = [rows.claim_row(0, claim) for claim in slot.claims]
    claims += [rows.amendment_row(0, amendment) for amendment in slot.amendments]
    claims.sort(key=lambda c: (c.seq, c.extraction, c.number))
    facts = rows.fact_rows(0, fold.runs, (*fold.candidates, *fold.plans))
    return Remade(row, tuple(claims), tuple(facts))


def _is_same(reader: Reader, head: Head, remade: Sequence[Remade]) -> bool:
    try:
        stored = {(slot.subject_key, slot.predicate_key): slot for slot in reader.slots(head.id)}
        if len(stored) != len(remade):
            return False
        return all(_is_same_slot(reader, head, stored, one) for one in remade)
    except StoreCorruptError:
        return False


def _is_same_slot(reader: Reader, head: Head, stored: dict[tuple[str, str], SlotRow], one: Remade) -> bool:
    slot = stored.get((one.slot.subject_key, one.slot.predicate_key))
    if slot is None or _summary(slot) != _summary(one.slot):
        return False
    if list(map(_CLAIM, reader.claims(head.id, slot.id))) != list(map(_CLAIM, one.claims)):
        return False
    return sorted(map(_FACT, reader.facts(head.id, slot.id))) == sorted(map(_FACT, one.facts))


_CLAIM = attrgetter("seq", "extraction", "number", "kind", "outcome", "value_key", "body")
_FACT = attrgetter("kind", "key", "start", "end", "body")
"""All of a row but the number of its slot, which says nothing."""


def _summary(slot: SlotRow) -> tuple[Any, ...]:
    return slot.subject, slot.horizon, slot.last_said, slot.last_seq, slot.plain, slot.named_at


def _replace(tx: Writer, head: Head, registry: Registry, remade: Sequence[Remade]) -> None:
    tx.clear_projection(head.id)
    tx.clear_index(head.id)
    claims: list[ClaimRow] = []
    facts: list[FactRow] = []
    for one in remade:
        slot = tx.add_slot(head.id, one.slot)
        claims += [replace(row, slot=slot.id) for row in one.claims]
        facts += [replace(row, slot=slot.id) for row in one.facts]
    for batch in _batches(claims):
        tx.put_claims(head.id, batch)
    for rows_ in _batches(facts):
        tx.put_facts(head.id, rows_)
    head.registry_rev = registry.rev
    tx.save_head(head)


def _batches(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for first in range(0, len(items), BATCH):
        yield items[first : first + BATCH]


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
            return digest_of(scope, [(one.slot, one.facts) for one in remake(logged, snapshot.registry)])
        reader, head = snapshot.reader, snapshot.head
        return digest_of(scope, [(slot, reader.facts(head.id, slot.id)) for slot in reader.slots(head.id)])

    result: str = with_snapshot(engine, scope, read)
    return result


def digest_of(scope: Scope, slots: Iterable[tuple[SlotRow, Sequence[FactRow]]]) -> str:
    """Hash fact rows, whatever their order."""
    lines = [_line(slot, row) for slot, facts in slots for row in facts]
    hashed = hashlib.blake2b(digest_size=16)
    hashed.update(scope.tag.encode())
    for line in sorted(lines):
        hashed.update(line.encode("utf-8", "surrogatepass"))
    return hashed.hexdigest()


def _line(slot: SlotRow, row: FactRow) -> str:
    body = rows.run_body(row) if row.kind == 0 else rows.decode_body(row)
    said = [[*item[:3], item[5] if len(item) > 5 else 0, item[3], item[4], *item[6:9]] for item in body[6]]
    names = [slot.subject_key, slot.predicate_key, row.kind, row.key, row.start, row.end]
    return json.dumps([*names, body[0], body[1], body[2], said], ensure_ascii=False)
