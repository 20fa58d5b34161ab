"""Rebuilding: folding the log anew, without asking any model, and comparing with what is kept.

The comparison walks in short snapshots while others read and write; only where something differs is a scope's
projection replaced, in one transaction, so that no reader ever sees it half made. Neither holds a scope in memory.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from functools import partial
from typing import Any

from ..core.registry import Registry
from ..errors import StoreCorruptError, StoreKeyError
from ..model.jsontext import encode
from ..model.results import RebuildReport
from ..model.scope import Scope
from ..ports import NEVER, FactRow, Head, SlotRow, Writer
from . import rows
from .core import Engine
from .flow import persistently
from .logfold import LoggedScope, LoggedSlot, read_log
from .rules import forgotten_in
from .state import with_snapshot
from .verifying import (
    EPISODES_AT_ONCE,
    SLOTS_AT_ONCE,
    Remade,
    Stated,
    is_fold_kept,
    is_log_projected,
    kept_slots,
    refolded,
    remark,
    stated_in,
)


def rebuild(engine: Engine, scopes: Iterable[Scope], *, write: bool) -> RebuildReport:
    """Fold the logs of some scopes anew; ``write`` replaces what differs, else nothing is touched.

    Raises StoreKeyError at the end where the key of a scope is gone; the others are done then.
    """
    began = time.monotonic()
    digests: list[str] = []
    different: list[str] = []
    sealed: list[StoreKeyError] = []
    entries = count = 0
    for scope in scopes:
        started = time.monotonic()
        try:
            found = persistently(partial(_one, engine, scope, write=write))  # alone: what is done is not done again
        except StoreKeyError as error:
            sealed.append(error)
            continue
        if found is None:
            continue
        count += 1
        is_same, digest, size = found
        entries += size
        digests.append(digest)
        if not is_same:
            different.append(scope.user_id)
        took = time.monotonic() - started
        engine.emit("rebuilt" if write else "verified", scope=scope, identical=is_same, entries=size, seconds=took)
    if sealed:
        raise sealed[0]
    whole = digests[0] if len(digests) == 1 else hashlib.blake2b("".join(digests).encode(), digest_size=16).hexdigest()
    return RebuildReport(
        identical=not different, digest=whole, scopes=count, entries=entries, different=tuple(different),
        seconds=round(time.monotonic() - began, 3),
    )  # fmt: skip


def _one(engine: Engine, scope: Scope, *, write: bool) -> tuple[bool, str, int] | None:
    before = _revs(engine, scope)
    if before[0] == before[2]:
        return None  # opened perhaps, but nothing was ever said
    hashed, mismarked = Digest(scope), list[int]()

    def tell(seq: int, of: int) -> None:
        engine.emit("rebuilding" if write else "verifying", scope=scope, seq=seq, of=of)

    try:
        is_same, entries = is_log_projected(engine, scope, tell)
        is_same = is_same and is_fold_kept(engine, scope, hashed.add, mismarked.append)
    except StoreCorruptError:
        is_same = False
    after = _revs(engine, scope)
    if after[2] != before[2]:  # forgotten meanwhile; it may have begun anew
        return _one(engine, scope, write=write)
    if is_same and write:
        _remark(engine, scope, mismarked)
    if is_same and after == before:
        return True, hashed.text, entries
    if is_same:  # written to meanwhile: what the walk has hashed is of no one moment
        return True, digest(engine, scope), entries
    return (False, *_replaced(engine, scope)) if write else (False, *_logged(engine, scope))


def _revs(engine: Engine, scope: Scope) -> tuple[int, int, int]:
    """Give the revisions of a scope's log and of its registry, and the one behind which its log begins."""

    def look(now: Any) -> tuple[int, int, int]:
        return (0, now.registry.rev, 0) if now.head is None else (now.head.rev, now.registry.rev, now.head.base_rev)

    found: tuple[int, int, int] = with_snapshot(engine, scope, look)
    return found


def _logged(engine: Engine, scope: Scope) -> tuple[str, int]:
    """Give the digest of a projection as the log would have it, and how many entries that has."""

    def fold(snapshot: Any) -> tuple[str, int]:
        logged = read_log(
            snapshot.reader.entries(snapshot.head.id), snapshot.registry, forgotten=snapshot.forgotten
        )
        return digest_of(scope, remake(logged, snapshot.registry)), logged.entries

    found: tuple[str, int] = with_snapshot(engine, scope, fold)
    return found


def _remark(engine: Engine, scope: Scope, numbers: list[int]) -> None:
    """Set the marks of some slots anew, a stretch at a time: those of a file that was upgraded say nothing yet."""
    for first in range(0, len(numbers), SLOTS_AT_ONCE):
        with engine.store.write(alone=True) as tx:
            head = tx.head(scope)
            registry = engine.registry(tx, scope.namespace, tx.registry_rev(scope.namespace))
            if head is None or head.registry_rev != registry.rev:
                return  # forgotten meanwhile, or to be projected anew, which sets them
            for number in numbers[first : first + SLOTS_AT_ONCE]:
                remark(tx, head, number, registry)


def _replaced(engine: Engine, scope: Scope) -> tuple[str, int]:
    """Make a scope's projection anew; gives its digest, and how many entries the log has."""
    with engine.store.write(alone=True) as tx:
        found = tx.head(scope)
        if found is None:  # forgotten meanwhile
            return digest_of(scope, []), 0
        head = found
        registry = engine.registry(tx, scope.namespace, tx.registry_rev(scope.namespace))
        entries = project(tx, head, registry)
        hashed = digest_of(scope, kept_slots(tx, head, claims=False))
    engine.states.drop(scope)
    return hashed, entries


def project(tx: Writer, head: Head, registry: Registry) -> int:
    """Fold a scope's log anew in place of what is kept of it; gives how many entries it has."""
    tx.clear_projection(head.id)
    tx.clear_index(head.id)
    count, remembering, forgotten = 0, registry.remembering(), forgotten_in(tx, head)
    for first in range(head.base_seq + 1, head.seq + 1, EPISODES_AT_ONCE):
        last = first + EPISODES_AT_ONCE - 1
        entries = tx.entries_of(head.id, first, last if last < head.seq else NEVER)
        count += len(entries)
        _state(tx, head, stated_in(entries, remembering, forgotten))
    for one in kept_slots(tx, head):
        slot, facts = refolded(one.slot, one.claims, registry)
        tx.save_slot(head.id, slot)
        tx.put_facts(head.id, facts)
    head.registry_rev = registry.rev
    tx.save_head(head)
    return count


def _state(tx: Writer, head: Head, stated: Iterable[Stated]) -> None:
    """Keep claims in their slots, which are made and named as need be."""
    slots: dict[tuple[str, str], SlotRow] = {}
    claims = []
    for one in stated:
        slot = slots.get(one.keys) or tx.slot(head.id, *one.keys)
        if slot is None:
            slot = tx.add_slot(
                head.id, SlotRow(0, one.subject_key, one.predicate_key, one.subject, one.predicate)
            )
        if one.place < slot.named_at:
            slot.subject, slot.named_at = one.subject, one.place
            tx.save_slot(head.id, slot)
        slots[one.keys] = slot
        claims.append(one.row._replace(slot=slot.id))
    tx.put_claims(head.id, claims)


def remake(logged: LoggedScope, registry: Registry) -> list[Remade]:
    """Fold every slot of a scope's log to the facts the projection keeps."""
    return [_remade(slot, registry) for slot in logged.slots.values()]


def _remade(slot: LoggedSlot, registry: Registry) -> Remade:
    fold = slot.fold(registry)
    row = SlotRow(0, slot.subject_key, slot.predicate_key, slot.subject, slot.predicate, named_at=slot.named_at)
    return Remade(row, (), tuple(rows.fact_rows(0, fold.runs, (*fold.candidates, *fold.plans))))


def digest(engine: Engine, scope: Scope) -> str:
    """Give the hash of a scope's facts: slots, values, valid times, ids and evidence.

    Revisions and recording times are left out, and so is what only the clock decides: two copies that were fed the
    same episodes have the same digest.
    """

    def read(snapshot: Any) -> str:
        if snapshot.head is None:
            return digest_of(scope, [])
        if not snapshot.is_projected:
            logged = read_log(
            snapshot.reader.entries(snapshot.head.id), snapshot.registry, forgotten=snapshot.forgotten
        )
            return digest_of(scope, remake(logged, snapshot.registry))
        return digest_of(scope, kept_slots(snapshot.reader, snapshot.head, claims=False))

    result: str = with_snapshot(engine, scope, read)
    return result


def digest_of(scope: Scope, slots: Iterable[Remade]) -> str:
    """Hash the fact rows of slots, whatever their order."""
    hashed = Digest(scope)
    for one in slots:
        hashed.add(one)
    return hashed.text


class Digest:
    """A hash over a scope's facts that no order decides and that holds none of them: the sum of what each hashes to."""

    def __init__(self, scope: Scope) -> None:
        self._tag, self._sum = scope.tag, 0

    def add(self, one: Remade) -> None:
        """Take in the facts of a slot."""
        for row in one.facts:
            line = _line(one.slot, row).encode("utf-8", "surrogatepass")
            self._sum += int.from_bytes(hashlib.blake2b(line, digest_size=_WIDE).digest(), "big")

    @property
    def text(self) -> str:
        """The hash of what was taken in until now."""
        total = self._sum % (1 << 8 * _WIDE)
        return hashlib.blake2b(self._tag.encode() + total.to_bytes(_WIDE, "big"), digest_size=16).hexdigest()


_WIDE = 64


def _line(slot: SlotRow, row: FactRow) -> str:
    body = rows.short_run_body(row) if row.kind == 0 else rows.decode_body(row)
    said = [[*item[:3], item[5] if len(item) > 5 else 0, item[3], item[4], *item[6:9]] for item in body[6]]
    names = [slot.subject_key, slot.predicate_key, row.kind, row.key, row.start, row.end]
    return encode([*names, body[0], body[1], body[2], said])
