"""The reference store: what every store promises, in plain dicts and lists.

State is a tree that is never changed in place: a transaction copies what it touches and puts its tree in the place of
the old one when it ends. So a snapshot is a reference to a tree, and an error undoes everything by forgetting a copy.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace

from ..errors import ClosedError, StoreError
from ..model.entry import Entry
from ..model.scope import Scope
from ..ports import ClaimRow, FactRow, ForgottenRow, Head, PendingRow, SlotRow, UsageRow, WorkerRow
from .plain_reading import PlainReader
from .plain_tree import Log, Tree, place_of, removed_from, summed
from .unexamined import Unexamined


class PlainWriter(PlainReader):
    """One transaction, on a copy of its own; ``ports`` says what each method does."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree.copied())
        self._fresh: set[int] = set()
        self.has_changed = False

    @property
    def tree(self) -> Tree:
        """The tree, which is about to change."""
        self.has_changed = True
        return self._tree

    def _own(self, scope_id: int) -> Log:
        if scope_id not in self._fresh:
            self._fresh.add(scope_id)
            self.tree.logs[scope_id] = self._log(scope_id).copied()
        self.has_changed = True
        return self._tree.logs[scope_id]

    def set_meta(self, name: str, value: str) -> None:
        self.tree.meta[name] = value

    def open_scope(self, scope: Scope) -> Head:
        if scope not in self._tree.ids:
            id = self.tree.ids[scope] = max(self._tree.logs, default=0) + 1
            self.tree.logs[id] = Log(Head(id, scope))
        return copy(self._tree.logs[self._tree.ids[scope]].head)

    def save_head(self, head: Head) -> None:
        self._own(head.id).head = copy(head)

    def append(self, scope_id: int, entry: Entry) -> None:
        """Append an entry; its rev is new, and its body is what JSON makes of it."""
        entries = self._own(scope_id).entries
        entry = replace(entry, body=json.loads(json.dumps(dict(entry.body), allow_nan=False)))
        if any(entry.rev == known.rev for known in entries):
            raise StoreError(f"rev {entry.rev} is in the log already")
        entries.append(entry)
        entries.sort(key=lambda known: known.rev)

    def append_many(self, scope_id: int, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.append(scope_id, entry)

    def replace_entries(self, scope_id: int, entries: Sequence[Entry]) -> None:
        log = self._own(scope_id)
        gone = {entry.rev for entry in entries}
        kept = [entry for entry in log.entries if entry.rev not in gone]
        if len(kept) + len(gone) != len(log.entries):
            raise StoreError("only entries of the log can be replaced")
        log.entries = kept
        self.append_many(scope_id, entries)

    def drop_keys(self, scope_id: int, keys: Sequence[str]) -> None:
        log = self._own(scope_id)
        for key in keys:
            log.keys.pop(key, None)

    def remember_key(self, scope_id: int, key: str, seq: int, digest: str) -> None:
        self._own(scope_id).keys[key] = (seq, digest)

    def add_slot(self, scope_id: int, slot: SlotRow) -> SlotRow:
        """Keep a new slot; its keys are new."""
        if self.slot(scope_id, slot.subject_key, slot.predicate_key) is not None:
            raise StoreError(f"there is a slot {slot.subject_key}, {slot.predicate_key} already")
        slots = self._own(scope_id).slots
        slot.id = max(slots, default=0) + 1
        slots[slot.id] = copy(slot)
        return slot

    def save_slot(self, scope_id: int, slot: SlotRow) -> None:
        if slot.id in self._log(scope_id).slots:
            self._own(scope_id).slots[slot.id] = copy(slot)

    def put_claims(self, scope_id: int, claims: Sequence[ClaimRow]) -> None:
        self._own(scope_id).claims.update({(claim.seq, claim.extraction, claim.number): claim for claim in claims})

    def drop_claims(self, scope_id: int, seq: int, *, kinds: Sequence[str] | None = None) -> None:
        log = self._own(scope_id)
        for place, claim in list(log.claims.items()):
            if claim.seq == seq and (kinds is None or claim.kind in kinds):
                del log.claims[place]

    def put_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        self._own(scope_id).facts.update({place_of(fact): fact for fact in facts})

    def drop_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        log = self._own(scope_id)
        for fact in facts:
            log.facts.pop(place_of(fact), None)

    def clear_slots(self, scope_id: int, slots: Sequence[int]) -> None:
        log, gone = self._own(scope_id), set(slots)
        log.slots = {id: slot for id, slot in log.slots.items() if id not in gone}
        log.claims = {place: claim for place, claim in log.claims.items() if claim.slot not in gone}
        log.facts = {place: fact for place, fact in log.facts.items() if fact.slot not in gone}

    def clear_projection(self, scope_id: int) -> None:
        log = self._own(scope_id)
        log.slots, log.claims, log.facts = {}, {}, {}

    def add_pending(self, scope_id: int, seq: int) -> None:
        self._own(scope_id).pending[seq] = PendingRow(scope_id, seq)
        self._requeue(scope_id)

    def save_pending(self, row: PendingRow) -> None:
        if row.seq in self._log(row.scope_id).pending:
            self._own(row.scope_id).pending[row.seq] = copy(row)
            self._requeue(row.scope_id)

    def drop_pending(self, scope_id: int, seq: int) -> bool:
        if seq not in self._log(scope_id).pending:
            return False
        del self._own(scope_id).pending[seq]
        self._requeue(scope_id)
        return True

    def lease(
        self, owner: str, now: int, until: int, dead: Sequence[str], skip: Sequence[int], namespace: str | None = None
    ) -> Head | None:
        """Lease the scope whose retry has been due for longest, else the first in the queue."""
        retries = sorted((log.due, id) for id, log in self._tree.logs.items() if log.due and log.due <= now)
        for id in (*(id for _, id in retries), *self._tree.queue):
            holder, expires = self._tree.leases.get(id, (owner, 0))
            if namespace not in (None, self._tree.logs[id].head.scope.namespace):
                continue
            if id not in skip and (holder == owner or holder in dead or expires <= now):
                self.tree.leases[id] = (owner, until)
                if id in self._tree.queue:
                    self.tree.queue.remove(id)
                    self.tree.queue.append(id)
                return copy(self._tree.logs[id].head)
        return None

    def lease_scope(self, scope_id: int, owner: str, now: int, until: int, dead: Sequence[str]) -> bool:
        holder, expires = self._tree.leases.get(scope_id, (owner, 0))
        if holder not in (owner, *dead) and expires > now:
            return False
        self.tree.leases[scope_id] = (owner, until)
        return True

    def holds(self, scope_id: int, owner: str) -> bool:
        return self._tree.leases.get(scope_id, ("", 0))[0] == owner

    def renew(self, scope_id: int, owner: str, until: int) -> bool:
        if self._tree.leases.get(scope_id, ("", 0))[0] != owner:
            return False
        self.tree.leases[scope_id] = (owner, until)
        return True

    def release(self, scope_id: int, owner: str) -> None:
        if self._tree.leases.get(scope_id, ("", 0))[0] == owner:
            del self.tree.leases[scope_id]

    def beat(self, worker: WorkerRow) -> None:
        self.tree.workers[worker.id] = worker

    def drop_worker(self, worker_id: str) -> None:
        self.tree.workers.pop(worker_id, None)
        self.tree.leases = {id: lease for id, lease in self._tree.leases.items() if lease[0] != worker_id}

    def add_usage(self, scope_id: int, used: UsageRow) -> None:
        kept, key = self._own(scope_id).usage, used[:2]
        kept[key] = used if key not in kept else summed(kept[key], used)

    def recount(self) -> None:
        """There is nothing that is kept."""

    def index(self, scope_id: int, texts: Sequence[tuple[str, str]], upto_rev: int) -> None:
        """Add texts; a known reference gets the newer one."""
        log = self._own(scope_id)
        log.texts.update({reference: terms.split() for reference, terms in texts})
        log.indexed_rev = upto_rev

    def drop_texts(self, scope_id: int, references: Sequence[str]) -> int:
        texts = self._own(scope_id).texts
        return sum(texts.pop(reference, None) is not None for reference in references)

    def clear_index(self, scope_id: int) -> None:
        log = self._own(scope_id)
        log.texts, log.indexed_rev = {}, 0

    def keep_forgotten(self, namespace: str, rows: Sequence[ForgottenRow]) -> None:  # noqa: ARG002 -- no walls here
        found = {row.place: row for row in [*rows, *self._tree.forgotten]}
        self.tree.forgotten = [found[place] for place in sorted(found)]

    def remove_scope(self, head: Head) -> dict[str, int]:
        log = self._own(head.id)
        gone, log.pending = {"pending": len(log.pending)}, {}
        self._requeue(head.id)
        del self.tree.ids[log.head.scope]
        self.tree.leases.pop(head.id, None)
        self.tree.removals.add(head.id)
        return gone

    def remove_rows(self, scope_id: int, limit: int) -> dict[str, int]:
        gone = removed_from(self._own(scope_id), limit) if scope_id in self._tree.logs else {}
        if not gone:
            self.tree.logs[scope_id] = Log(Head(scope_id, Scope("", "")))  # its number is never given again
            self.tree.removals.discard(scope_id)
        return gone

    def _requeue(self, scope_id: int) -> None:
        is_due_at_once, queue = self._log(scope_id).due == 0, self.tree.queue
        if is_due_at_once and scope_id not in queue:
            queue.append(scope_id)
        elif not is_due_at_once and scope_id in queue:
            queue.remove(scope_id)


class PlainStore(Unexamined):
    """Keeps everything in this process; many readers, one writer."""

    clock_ahead = 0  # whoever uses it is on this machine

    durability = "none"
    read_only = False
    location = "(this process)"
    ledger = None
    elsewhere = ()
    is_scrub_due = False
    rollbacks = 0  # nobody sees what is not committed

    def __init__(self) -> None:
        self._tree = Tree()
        self._writing = threading.RLock()
        self._is_writing = self._is_closed = False
        self._committed = threading.Condition()
        self._commits, self._seen = 0, threading.local()

    def scrub(self) -> None:
        """There is nothing that a removed row stays in."""

    @contextmanager
    def read(self) -> Iterator[PlainReader]:
        """Open one snapshot."""
        self._check()
        yield PlainReader(self._tree)

    def glance(self, scope: Scope) -> tuple[Head | None, int]:
        """Give a scope's head and its registry's revision; nobody is ever waited for here."""
        self._check()
        return PlainReader(self._tree).head_and_registry(scope)

    @contextmanager
    def write(self, *, alone: bool = False) -> Iterator[PlainWriter]:  # noqa: ARG002 -- each one is alone here
        """Open one transaction."""
        self._check()
        with self._writing:
            if self._is_writing:
                raise StoreError("This thread has a transaction open already; end it first.")
            self._is_writing = True
            try:
                writer = PlainWriter(self._tree)
                yield writer
                self._keep(writer)
            finally:
                self._is_writing = False

    def wait_for_commit(self, seconds: float) -> None:
        """Return when something was committed since this thread last returned from here, else after some seconds."""
        self._check()
        with self._committed:
            seen = getattr(self._seen, "number", None)
            self._committed.wait_for(lambda: self._is_closed or self._commits != seen, seconds)
            self._seen.number = self._commits

    def close(self) -> None:
        """Refuse from now on."""
        self._is_closed = True
        with self._committed:
            self._committed.notify_all()

    def _keep(self, writer: PlainWriter) -> None:
        if writer.has_changed:
            with self._committed:
                self._tree = writer.tree
                self._commits += 1
                self._committed.notify_all()

    def _check(self) -> None:
        if self._is_closed:
            raise ClosedError
