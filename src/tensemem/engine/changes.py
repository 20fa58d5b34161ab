"""What changed since a revision, entry by entry, for delta prompts and audits; and what would change."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from ..core.admission import has_slot
from ..core.amendments import amendment_in
from ..core.forgotten import Forgotten
from ..core.rulings import rulings_of
from ..errors import ConflictError, InvalidValueError
from ..model.claim import Outcome
from ..model.entry import Entry, EntryKind
from ..model.items import Items
from ..model.results import Change
from ..model.scope import Scope
from ..ports import NEVER, ClaimRow, FactRow, SlotRow
from . import rows
from .core import Engine
from .factview import FactView
from .flow import Flow, Pause, Work
from .freshness import wait_seconds
from .ledger import former_life
from .logfold import LoggedScope, apply_entry
from .news import looked
from .project import AMENDING, is_many, slot_log
from .receipts import changes_between
from .replay import Differing, Replay, appended_at
from .state import Snapshot, items_in, with_snapshot

Keys = tuple[str, str]

LONGEST_WAIT = 5.0
"""Seconds between looks while waiting: nothing changes without a commit, which wakes whoever waits."""


def changes(
    engine: Engine, scope: Scope, after_rev: int, limit: int | None, wait: Any
) -> Flow[Items[Change]]:
    """Give the values that changed after a revision, in order; ``wait`` returns as soon as there is one.

    Raises ConflictError for a revision that the log has not got to.
    """
    if not isinstance(after_rev, int) or isinstance(after_rev, bool) or after_rev < 0:
        raise InvalidValueError("after_rev must be a revision: an integer of 0 or more")
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        raise InvalidValueError("limit must be an integer of 1 or more")
    seconds = wait_seconds(wait)
    deadline = None if seconds is None else time.monotonic() + seconds

    def look() -> Items[Change]:
        return items_in(engine, scope, lambda snapshot: _changes(snapshot, after_rev, limit))

    while True:
        has_news, found = yield Work(lambda: looked(engine, scope, look))
        left = 0.0 if deadline is None else deadline - time.monotonic()
        if found or left <= 0:
            return found if limit is None else _whole_entries(found, limit)
        yield Pause(min(LONGEST_WAIT, left), engine.store.wait_for_commit, has_news)


def _whole_entries(found: Items[Change], limit: int) -> Items[Change]:
    """Cut after ``limit`` changes, but never inside an entry: the last rev is the next ``after_rev``."""
    if len(found) <= limit:
        return found
    last = found[limit - 1].rev
    return Items((change for change in found if change.rev <= last), found.freshness)


def changes_of_slot(engine: Engine, scope: Scope, subject: str, predicate: str) -> tuple[Change, ...]:
    """Give what changed in one slot since the beginning; the log is read, but no other slot is folded."""

    def look(snapshot: Snapshot) -> tuple[Change, ...]:
        keys = snapshot.registry.subject(subject)[0], snapshot.registry.predicate_key(predicate)
        return _changes(snapshot, 0, None, keys)

    found: tuple[Change, ...] = with_snapshot(engine, scope, look)
    return found


def _changes(snapshot: Snapshot, after_rev: int, limit: int | None, only: Keys | None = None) -> tuple[Change, ...]:
    head, registry = snapshot.head, snapshot.registry
    if head is None or after_rev >= head.rev:
        _refuse_unreached(snapshot, after_rev)
        return ()
    view = FactView(head.scope.tag, registry, snapshot.moment)
    if not snapshot.is_projected or snapshot.reader.extracted_again(head.id, after_rev):
        return _from_log(snapshot, view, after_rev, limit, only)
    walk = _Walk(snapshot, view, only)
    found: list[Change] = []
    for entry in snapshot.reader.entries(head.id, after_rev):
        found += walk.step(entry)
        if limit is not None and len(found) >= limit:
            break
    return _in_order(found)


def _refuse_unreached(snapshot: Snapshot, after_rev: int) -> None:
    """Raise ConflictError for a revision that the log has not got to: whoever names it saw another log than this.

    Else nothing would ever come, and then what has other meanings under the same numbers. Someone who was forgotten
    counts on from where they ended. What can't be written may be of a copy that lags behind, and catches up.
    """
    engine, head = snapshot.engine, snapshot.head
    if after_rev == 0 or engine.store.read_only:
        return
    last = former_life(snapshot.reader, snapshot.scope).rev if head is None else head.rev
    if after_rev > last:
        raise ConflictError(
            f"after_rev is {after_rev}, and the log ends with revision {last}: this is another memory than the one it "
            "was read from, or an older copy of it. Read the state anew, and go on behind its rev"
        )


class _Walk:
    """Goes through a log entry by entry.

    What an entry in order changed is told from the facts that are kept; a slot where others came is followed.
    """

    def __init__(self, snapshot: Snapshot, view: FactView, only: Keys | None) -> None:
        self._snapshot, self._view, self._only = snapshot, view, only
        self._slots: dict[int, SlotRow | None] = {}
        self._followed: dict[int, Replay] = {}

    def step(self, entry: Entry) -> list[Change]:
        """Give what one entry changed."""
        if entry.kind in (EntryKind.MESSAGE, EntryKind.SKIP, EntryKind.ERASURE):
            return []
        head, reader = self._snapshot.head, self._snapshot.reader
        assert head is not None
        stated = [row for row in reader.claims_of(head.id, entry.seq) if row.extraction == entry.extraction]
        ids = sorted({row.slot for row in stated})
        found: list[Change] = []
        for id in ids:
            slot = self._slot(id)
            if slot is not None:
                before, after = self._differing(slot, entry, [row for row in stated if row.slot == id])
                found += changes_between(self._view, slot, before, after, entry)
        return found

    def _slot(self, id: int) -> SlotRow | None:
        if id not in self._slots:
            head, reader = self._snapshot.head, self._snapshot.reader
            assert head is not None
            slot = reader.slot_by_id(head.id, id)
            is_told = slot is not None and self._snapshot.registry.predicate(slot.predicate) is not None
            keys = None if slot is None else (slot.subject_key, slot.predicate_key)
            self._slots[id] = slot if is_told and self._only in (None, keys) else None
        return self._slots[id]

    def _differing(self, slot: SlotRow, entry: Entry, stated: Sequence[ClaimRow]) -> Differing:
        head, reader = self._snapshot.head, self._snapshot.reader
        assert head is not None
        many = is_many(self._snapshot.registry, slot)
        counts = [row for row in stated if row.outcome != Outcome.REFUSED.value]  # no mark tells of the others
        if not counts:
            return [], []
        if entry.rev > slot.ordered_from and len(counts) == 1 and not rows.is_amendment(counts[0]):
            return appended_at(reader, head.id, slot, rows.claim_of(counts[0]), many=many)
        if slot.id not in self._followed:
            log = slot_log(reader.claims(head.id, slot.id), many=many)
            self._followed[slot.id] = Replay(slot, log, entry.rev - 1)
        return self._followed[slot.id].step(entry.rev)


def _from_log(
    snapshot: Snapshot, view: FactView, after_rev: int, limit: int | None, only: Keys | None
) -> tuple[Change, ...]:
    """A message extracted anew replaces its older claims: go through the log, which has them all."""
    head, found = snapshot.head, list[Change]()
    assert head is not None
    walk = _LogWalk(view, only, snapshot.forgotten)
    for entry in snapshot.reader.entries(head.id):
        found += walk.step(entry, tells=entry.rev > after_rev)
        if limit is not None and len(found) >= limit:
            break
    return _in_order(found)


class _LogWalk:
    """Goes through a log from its beginning; the slots an entry speaks of are folded before and after it."""

    def __init__(self, view: FactView, only: Keys | None, forgotten: Forgotten | None) -> None:
        self._only, self._forgotten = only, forgotten
        self._view, self._registry, self._found = view, view.registry.remembering(), LoggedScope()
        self._messages: dict[int, Entry] = {}
        self._stated: dict[int, Entry] = {}
        self._names: dict[Keys, tuple[str, str]] = {}
        self._shown: dict[Keys, list[FactRow]] = {}

    def step(self, entry: Entry, *, tells: bool) -> list[Change]:
        """Take one entry in; gives what it changed, if wanted."""
        if entry.kind is EntryKind.MESSAGE:
            self._messages[entry.seq] = entry
        if entry.kind in (EntryKind.MESSAGE, EntryKind.SKIP, EntryKind.ERASURE):
            return []
        older = self._stated.get(entry.seq)
        taken = set[Keys]() if older is None else self._slots_of(older)
        touched = taken | self._slots_of(entry)
        told = {keys for keys in touched if self._only in (None, keys)} if tells else set[Keys]()
        before = {keys: self._rows(keys) for keys in told}
        for keys in taken:
            self._take_back(keys, entry.seq)
        if entry.kind not in AMENDING:
            self._stated[entry.seq] = entry
        apply_entry(self._found, entry, self._messages.get(entry.seq), self._registry, self._forgotten)
        for keys in touched:
            self._shown.pop(keys, None)
        return [change for keys in sorted(before) for change in self._of_slot(keys, before[keys], entry)]

    def _of_slot(self, keys: Keys, before: list[FactRow], entry: Entry) -> list[Change]:
        slot = self._found.slots.get(keys)
        if slot is not None:
            self._names[keys] = slot.subject, slot.predicate
        subject, predicate = self._names.get(keys, keys)
        if self._registry.predicate(predicate) is None:
            return []
        row = SlotRow(0, *keys, subject, predicate)
        return changes_between(self._view, row, before, self._rows(keys), entry)

    def _slots_of(self, entry: Entry) -> set[Keys]:
        if entry.kind in AMENDING:
            subject_key, _, predicate_key, _, _ = amendment_in(entry, self._registry)
            return {(subject_key, predicate_key)}
        rulings = rulings_of(entry, self._messages.get(entry.seq), self._registry, self._forgotten)
        return {(ruling.subject_key, ruling.predicate_key) for ruling in filter(has_slot, rulings)}

    def _rows(self, keys: Keys) -> list[FactRow]:
        if keys not in self._shown:
            slot = self._found.slots.get(keys)
            runs = () if slot is None else slot.fold(self._registry).runs
            self._shown[keys] = rows.fact_rows(0, runs, ())
        return self._shown[keys]

    def _take_back(self, keys: Keys, seq: int) -> None:
        """Leave out what an older extraction of a message said in a slot; the first claim that is left names it."""
        slot = self._found.slots[keys]
        self._names[keys] = slot.subject, slot.predicate
        slot.claims = [claim for claim in slot.claims if claim.id.seq != seq]
        if not slot.claims:
            slot.named_at = NEVER
            if not slot.amendments:
                del self._found.slots[keys]
            return
        first = min(slot.claims, key=lambda claim: rows.place_of(claim.id))
        entry, slot.named_at = self._stated[first.id.seq], rows.place_of(first.id)
        rulings = rulings_of(entry, self._messages.get(first.id.seq), self._registry, self._forgotten)
        slot.subject = rulings[first.id.number].subject


def _in_order(found: Iterable[Change]) -> tuple[Change, ...]:
    return tuple(sorted(found, key=lambda c: (c.rev, c.subject, c.predicate, c.kind != "ended", c.fact_id)))


