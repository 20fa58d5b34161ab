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
from ..model.entry import EPISODES, Entry, EntryKind
from ..model.scope import Scope
from ..ports import ClaimRow, FactRow, Head, PendingRow, SlotRow, UsageRow, WorkerRow
from .plain_tree import Log, Tree, place_of, sizes_of, summed, usage_of
from .unexamined import Unexamined

_SETTLING = (EntryKind.EXTRACTION, EntryKind.SKIP)


class PlainReader:
    """One snapshot; ``ports`` says what each method gives."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def _log(self, scope_id: int) -> Log:
        return self._tree.logs.get(scope_id) or Log(Head(scope_id, Scope("", "")))

    def meta(self, name: str) -> str | None:
        return self._tree.meta.get(name)

    def head(self, scope: Scope) -> Head | None:
        id = self._tree.ids.get(scope)
        return None if id is None else copy(self._tree.logs[id].head)

    def registry_rev(self, namespace: str) -> int:
        head = self.head(Scope(namespace, ""))
        return 0 if head is None else head.rev

    def head_and_registry(self, scope: Scope) -> tuple[Head | None, int]:
        return self.head(scope), self.registry_rev(scope.namespace)

    def scope_of_tag(self, tag: str) -> Scope | None:
        return next((scope for scope in self._tree.ids if scope.tag == tag), None)

    def namespaces(self) -> list[str]:
        return sorted({scope.namespace for scope in self._tree.ids})

    def scopes(self, namespace: str, prefix: str, after: tuple[str, str] | None, limit: int) -> list[Head]:
        """Give heads in order; the registry, which has no user_id, is not among them."""
        names = sorted(
            (scope.user_id, scope.agent_id)
            for scope in self._tree.ids
            if scope.namespace == namespace and scope.user_id != "" and scope.user_id.startswith(prefix)
        )
        wanted = [name for name in names if after is None or name > after][:limit]
        return [copy(self._tree.logs[self._tree.ids[Scope(namespace, *name)]].head) for name in wanted]

    def entries(self, scope_id: int, after_rev: int = 0, upto_rev: int | None = None) -> Iterator[Entry]:
        for entry in self._log(scope_id).entries:
            if after_rev < entry.rev and (upto_rev is None or entry.rev <= upto_rev):
                yield entry

    def entries_of(self, scope_id: int, first: int, last: int) -> list[Entry]:
        return [entry for entry in self.entries(scope_id) if first <= entry.seq <= last]

    def episode(self, scope_id: int, seq: int) -> Entry | None:
        return next((e for e in self.entries(scope_id) if e.seq == seq and e.kind in EPISODES), None)

    def settlements(self, scope_id: int, seq: int) -> list[Entry]:
        """Give what was made of a message."""
        return [entry for entry in self.entries(scope_id) if entry.seq == seq and entry.kind in _SETTLING]

    def extracted_again(self, scope_id: int, after_rev: int) -> list[Entry]:
        return [entry for entry in self.entries(scope_id, after_rev) if entry.extraction > 1]

    def messages_before(self, scope_id: int, seq: int, limit: int) -> list[Entry]:
        before = [e for e in self.entries(scope_id) if e.kind is EntryKind.MESSAGE and e.seq < seq]
        before.sort(key=lambda entry: (entry.seq, entry.rev))
        return before[len(before) - min(limit, len(before)) :]

    def rev_at(self, scope_id: int, moment: int) -> int:
        return max((entry.rev for entry in self.entries(scope_id) if entry.recorded_at <= moment), default=0)

    def find_key(self, scope_id: int, key: str) -> tuple[int, str] | None:
        return self._log(scope_id).keys.get(key)

    def keys(self, scope_id: int, after: str, limit: int) -> list[tuple[str, int, str]]:
        known = self._log(scope_id).keys
        return [(key, *known[key]) for key in sorted(key for key in known if key > after)[:limit]]

    def slots(self, scope_id: int) -> list[SlotRow]:
        return [copy(slot) for _, slot in sorted(self._log(scope_id).slots.items())]

    def slots_after(self, scope_id: int, slot: int, limit: int) -> list[SlotRow]:
        return [one for one in self.slots(scope_id) if one.id > slot][:limit]

    def slot(self, scope_id: int, subject_key: str, predicate_key: str) -> SlotRow | None:
        keys = (subject_key, predicate_key)
        return next((slot for slot in self.slots(scope_id) if (slot.subject_key, slot.predicate_key) == keys), None)

    def slot_by_id(self, scope_id: int, slot: int) -> SlotRow | None:
        found = self._log(scope_id).slots.get(slot)
        return None if found is None else copy(found)

    def claims(self, scope_id: int, slot: int) -> list[ClaimRow]:
        return [claim for _, claim in sorted(self._log(scope_id).claims.items()) if claim.slot == slot]

    def claims_between(self, scope_id: int, first: int, last: int) -> list[ClaimRow]:
        found = [claim for claim in self._log(scope_id).claims.values() if first <= claim.slot <= last]
        return sorted(found, key=lambda c: (c.slot, c.seq, c.extraction, c.number))

    def claims_made(self, scope_id: int, first: int, last: int) -> list[ClaimRow]:
        return [claim for _, claim in sorted(self._log(scope_id).claims.items()) if first <= claim.seq <= last]

    def claims_of(self, scope_id: int, seq: int) -> list[ClaimRow]:
        return [claim for _, claim in sorted(self._log(scope_id).claims.items()) if claim.seq == seq]

    def slots_with_values(self, scope_id: int, keys: Sequence[str]) -> list[int]:
        """Give the slots with a claim of one of these values ("" is no value), or one that may hold others inside."""
        wanted = set(keys) - {""}
        claims = self._log(scope_id).claims.values()
        return sorted({c.slot for c in claims if c.value_key in wanted or c.kind in ("replace", "correction")})

    def facts(self, scope_id: int, slot: int) -> list[FactRow]:
        return [fact for _, fact in sorted(self._log(scope_id).facts.items()) if fact.slot == slot]

    def facts_between(self, scope_id: int, first: int, last: int) -> list[FactRow]:
        return [fact for _, fact in sorted(self._log(scope_id).facts.items()) if first <= fact.slot <= last]

    def tail(self, scope_id: int, slot: int, after: int) -> list[FactRow]:
        return [fact for fact in self.facts(scope_id, slot) if fact.kind == 0 and fact.end > after]

    def live_in(self, scope_id: int, slot: int, moment: int) -> list[FactRow]:
        return [fact for fact in self.facts(scope_id, slot) if fact.end > moment]

    def live(self, scope_id: int, moment: int) -> list[tuple[FactRow, SlotRow]]:
        log = self._log(scope_id)
        return [
            (fact, copy(log.slots[fact.slot]))
            for _, fact in sorted(log.facts.items())
            if fact.end > moment and fact.slot in log.slots
        ]

    def pending(self, scope_id: int) -> list[PendingRow]:
        return [copy(row) for _, row in sorted(self._log(scope_id).pending.items())]

    def first_waiting(self, scope_id: int) -> PendingRow | None:
        return self.next_waiting(scope_id, 0, None)

    def next_waiting(self, scope_id: int, after_seq: int, due_by: int | None) -> PendingRow | None:
        for row in self.pending(scope_id):
            if row.state == "waiting" and row.seq > after_seq and (due_by is None or row.not_before <= due_by):
                return row
        return None

    def pending_row(self, scope_id: int, seq: int) -> PendingRow | None:
        return next((row for row in self.pending(scope_id) if row.seq == seq), None)

    def failed(self, scope_id: int) -> list[PendingRow]:
        return [row for row in self.pending(scope_id) if row.state == "failed"]

    def is_work_due(self, now: int) -> bool:
        due = (log.due for log in self._tree.logs.values())
        return any(first is not None and first <= now for first in due)

    def unprojected(self, namespace: str) -> list[tuple[int, int, str, str]]:
        return [
            (id, slot.id, slot.predicate_key, slot.predicate)
            for scope, id in sorted(self._tree.ids.items(), key=lambda item: item[1])
            if scope.namespace == namespace
            for slot in self.slots(id)
            if any(row.outcome == "refused" for row in self.claims(id, slot.id))
        ]

    def all_pending(self, namespace: str, limit: int) -> list[tuple[Scope, PendingRow]]:
        return [
            (scope, row)
            for scope, id in sorted(self._tree.ids.items(), key=lambda item: item[1])
            if scope.namespace == namespace
            for row in self.pending(id)
        ][:limit]

    def workers(self) -> list[WorkerRow]:
        return [worker for _, worker in sorted(self._tree.workers.items())]

    def owners(self) -> list[str]:
        return sorted({owner for owner, _ in self._tree.leases.values()})

    def counts(self, namespace: str) -> dict[str, int]:
        """Give sizes, the registry left out."""
        return sizes_of([log for log in self._tree.logs_of(namespace) if log.head.scope.user_id])

    def usage(self, namespace: str) -> list[UsageRow]:
        """Give sums over the namespace's scopes."""
        return usage_of(self._tree.logs_of(namespace))

    def usage_of(self, scope_id: int) -> list[UsageRow]:
        return usage_of([self._log(scope_id)])

    def search(self, scope_id: int, terms: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Give texts by how many of the terms they hold."""
        scores = {name: len(set(terms) & set(words)) for name, words in self._log(scope_id).texts.items()}
        best = sorted((name for name, score in scores.items() if score), key=lambda name: (-scores[name], name))
        return [(name, float(scores[name])) for name in best[:limit]]

    def indexed_rev(self, scope_id: int) -> int:
        return self._log(scope_id).indexed_rev


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

    def lease(self, owner: str, now: int, until: int, dead: Sequence[str], skip: Sequence[int]) -> Head | None:
        """Lease the scope whose retry has been due for longest, else the first in the queue."""
        retries = sorted((log.due, id) for id, log in self._tree.logs.items() if log.due and log.due <= now)
        for id in (*(id for _, id in retries), *self._tree.queue):
            holder, expires = self._tree.leases.get(id, (owner, 0))
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

    def index(self, scope_id: int, texts: Sequence[tuple[str, str]], upto_rev: int) -> None:
        """Add texts; a known reference gets the newer one."""
        log = self._own(scope_id)
        log.texts.update({reference: terms.split() for reference, terms in texts})
        log.indexed_rev = upto_rev

    def clear_index(self, scope_id: int) -> None:
        log = self._own(scope_id)
        log.texts, log.indexed_rev = {}, 0

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
    rollbacks = 0  # nobody sees what is not committed

    def __init__(self) -> None:
        self._tree = Tree()
        self._writing = threading.RLock()
        self._is_writing = self._is_closed = False
        self._committed = threading.Condition()
        self._commits, self._seen = 0, threading.local()

    @contextmanager
    def read(self) -> Iterator[PlainReader]:
        """Open one snapshot."""
        self._check()
        yield PlainReader(self._tree)

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
