"""Writing: one transaction over one scope, kept as a whole or not at all.

The scope's head is locked before anything else is looked at, so of two transactions over one scope the second sees
all of the first; those over two scopes never wait for each other.
"""

from __future__ import annotations

import secrets
import weakref
from collections import Counter
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Self

import psycopg

from ...errors import StoreError, StoreRetryError
from ...model.entry import Entry
from ...model.scope import Scope
from ...ports import ClaimRow, FactRow, ForgottenRow, Head, PendingRow, SlotRow, UsageRow, WorkerRow
from ..rows import entry_row, head_row, packed, unpacked
from . import rows
from .driver_errors import is_outcome_unknown
from .keys import both, short
from .links import WRITE, Links, lost_error
from .reading import PostgresReader
from .settled import Sent, was_committed

REMOVED = (
    "pending", "queue", "leases", "entries", "claims", "facts", "slots", "texts", "postings", "keys", "usage"
)  # fmt: skip
"""The tables that hold rows of a scope, besides its head."""


class PostgresWriter(PostgresReader):
    """A transaction: a context manager, and what can be written while it is open; see ``ports.Writer``."""

    __slots__ = ("__weakref__", "_has_saved_head", "_is_removal", "_last_entry", "_last_slot", "_scope", "_token")

    _begin = WRITE

    def __init__(self, links: Links) -> None:
        super().__init__(links)
        self._scope: int | None = None
        self._last_slot: int | None = None
        self._last_entry: Sequence[Any] | None = None
        self._token = 0
        self._has_saved_head = self._is_removal = False

    def __enter__(self) -> Self:
        found = getattr(self._links.here, "writer", None)
        if found is not None and found() is not None:  # it would wait for itself
            raise StoreError("This thread has a transaction open already; end it first.")
        super().__enter__()
        self._links.here.writer = weakref.ref(self)  # not a mark, which an interrupt might leave behind
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._links.here.writer = None
        if error is not None:
            super().__exit__(kind, error, trace)
            return
        session = self._session
        try:
            self._sign()
            session.commit()
        except psycopg.Error as failure:
            is_unknown = session.is_lost or is_outcome_unknown(failure)
            ours = lost_error(self._links, session, failure)
            self._open = None
            session.let_go()  # there may be no other connection by which it could be looked up
            try:
                if not (is_unknown and session.was_sent and session.has_written):
                    raise ours from failure
                self._look_up(failure)
                session.is_committed = True
            finally:
                session.end()
        except BaseException:
            self._open = None
            session.end()
            raise
        self._open = None
        session.end()
        if session.has_written:
            self._links.commits.announce()

    def _sign(self) -> None:
        """Leave our number on the head, by which the commit is found again if the connection breaks meanwhile."""
        if self._scope is not None and self._session.has_written and not self._has_saved_head:
            self._keep("sign", self._scope, self._draw())

    def _look_up(self, failure: psycopg.Error) -> None:
        """Find out what became of a COMMIT that got no answer; raises StoreRetryError where it did not happen."""
        sent = Sent(self._scope, self._token, self._last_entry, self._is_removal)
        if not was_committed(self._links, sent):
            raise StoreRetryError(
                f"the connection to {self._links.location} was lost; nothing was written."
            ) from failure

    def _draw(self) -> int:
        self._token = secrets.randbits(62) + 1
        return self._token

    def _keep(self, name: str, *parameters: Any) -> None:
        self._session.keep(self._sql[name], parameters)

    def _keep_many(self, name: str, found: Sequence[Sequence[Any]]) -> None:
        self._session.keep_many(self._sql[name], found)

    def _own(self, scope_id: int) -> int:
        """Lock the scope that is written to, unless that is done; raises where it is a second one."""
        if self._scope is None:
            self._one("token", scope_id)
            self._scope = scope_id
        elif self._scope != scope_id:
            raise StoreError("A transaction writes to one scope; use another one for the other.")
        return scope_id

    def head(self, scope: Scope) -> Head | None:
        """Give a scope's head, and lock it: who asks for it here is about to write. Registries are only read."""
        if self._scope is not None or not scope.user_id:
            return super().head(scope)
        row = self._one("head_and_lock", *rows.names(scope))
        if row is None:
            return None
        self._scope = row[0]
        return Head(row[0], scope, *row[1:])

    def head_and_registry(self, scope: Scope) -> tuple[Head | None, int]:
        return self.head(scope), self.registry_rev(scope.namespace)

    def set_meta(self, name: str, value: str) -> None:
        self._keep("set_meta", name, value)

    def open_scope(self, scope: Scope) -> Head:
        numbered = rows.names(scope)
        if self._scope not in (None, numbered[0]):
            raise StoreError("A transaction writes to one scope; use another one for the other.")
        row = self._one("head_and_lock", *numbered)
        if row is None:
            self._keep("add_scope", *numbered)
            row = self._one("head_and_lock", *numbered)
        if row is None:
            raise StoreError("two scopes have the same tag; choose another user_id or agent_id for the new one")
        self._scope = row[0]
        return Head(row[0], scope, *row[1:])

    def save_head(self, head: Head) -> None:
        self._keep("save_head", self._own(head.id), *head_row(head), self._token or self._draw())
        self._has_saved_head = True

    def append(self, scope_id: int, entry: Entry) -> None:
        self._last_entry = entry_row(self._own(scope_id), entry)
        self._keep("append", *self._last_entry)

    def append_many(self, scope_id: int, entries: Iterable[Entry]) -> None:
        found = [entry_row(self._own(scope_id), entry) for entry in entries]
        self._keep_many("append", found)
        if found:
            self._last_entry = found[-1]

    def replace_entries(self, scope_id: int, entries: Sequence[Entry]) -> None:
        revs = [entry.rev for entry in entries]
        if not revs:
            return
        if self._row("count_entries", self._own(scope_id), revs)[0] != len(revs):
            raise StoreError("only entries of the log can be replaced")
        self._keep("drop_entries", scope_id, revs)
        self._keep_many("append", [entry_row(scope_id, entry) for entry in entries])

    def drop_keys(self, scope_id: int, keys: Sequence[str]) -> None:
        self._keep_many("drop_key", [(self._own(scope_id), short(key)) for key in keys])

    def remember_key(self, scope_id: int, key: str, seq: int, digest: str) -> None:
        self._keep("remember_key", self._own(scope_id), *both(key), seq, digest)

    def add_slot(self, scope_id: int, slot: SlotRow) -> SlotRow:
        if self._last_slot is None:
            self._last_slot = self._row("last_slot", self._own(scope_id))[0]
        slot.id = self._last_slot = (self._last_slot or 0) + 1
        self._keep("add_slot", *rows.slot_row(self._own(scope_id), slot))
        return slot

    def save_slot(self, scope_id: int, slot: SlotRow) -> None:
        self._keep("save_slot", *rows.slot_row(self._own(scope_id), slot))

    def put_claims(self, scope_id: int, claims: Sequence[ClaimRow]) -> None:
        self._keep_many("put_claim", [rows.claim_row(self._own(scope_id), claim) for claim in claims])

    def drop_claims(self, scope_id: int, seq: int, *, kinds: Sequence[str] | None = None) -> None:
        if kinds is None:
            self._keep("drop_claims", self._own(scope_id), seq)
        else:
            self._keep("drop_claims_of_kinds", self._own(scope_id), seq, list(kinds))

    def put_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        self._keep_many("put_fact", [rows.fact_row(self._own(scope_id), fact) for fact in facts])

    def drop_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        own = self._own(scope_id)
        places = [(own, fact.slot, fact.kind, short(fact.key), fact.start) for fact in facts]
        self._keep_many("drop_fact", places)

    def clear_slots(self, scope_id: int, slots: Sequence[int]) -> None:
        self._last_slot = None
        for name in ("drop_facts_of_slots", "drop_claims_of_slots", "drop_some_slots"):
            self._keep(name, self._own(scope_id), list(slots))

    def clear_projection(self, scope_id: int) -> None:
        self._last_slot = None
        for name in ("drop_facts", "drop_all_claims", "drop_slots"):
            self._keep(name, self._own(scope_id))

    def add_pending(self, scope_id: int, seq: int) -> None:
        self._keep("add_pending", self._own(scope_id), seq)
        self._keep("enqueue", scope_id)

    def save_pending(self, row: PendingRow) -> None:
        changed = (self._own(row.scope_id), row.seq, row.state, row.attempts, row.not_before, row.error)
        if self._changes("save_pending", *changed):
            self._requeue(row.scope_id)

    def drop_pending(self, scope_id: int, seq: int) -> bool:
        was_there = self._changes("drop_pending", self._own(scope_id), seq) > 0
        if was_there:
            self._requeue(scope_id)
        return was_there

    def lease(
        self, owner: str, now: int, until: int, dead: Sequence[str], skip: Sequence[int], namespace: str | None = None
    ) -> Head | None:
        for (scope_id,) in self._all("candidates", now, owner, list(dead), list(skip), namespace):
            due = self._one("seize", scope_id)
            if due is None or due[0] > now or not self._is_free(scope_id, owner, now, dead):
                continue
            if not self._changes("take_lease", scope_id, owner, until, now, list(dead)):
                continue
            self._keep("to_the_end", scope_id)
            return rows.named_head(self._row("head_by_id", scope_id))
        return None

    def _is_free(self, scope_id: int, owner: str, now: int, dead: Sequence[str]) -> bool:
        """Tell whether a scope may be leased, without waiting for whoever is just using its lease."""
        held = self._one("holder", scope_id)
        if held is None:
            return True
        seized = self._one("seize_lease", scope_id)
        return seized is not None and (seized[0] in (owner, *dead) or seized[1] <= now)

    def lease_scope(self, scope_id: int, owner: str, now: int, until: int, dead: Sequence[str]) -> bool:
        return self._changes("take_lease", scope_id, owner, until, now, list(dead)) > 0

    def holds(self, scope_id: int, owner: str) -> bool:
        held = self._one("hold", scope_id)
        return held is not None and held[0] == owner

    def renew(self, scope_id: int, owner: str, until: int) -> bool:
        return self._changes("renew", scope_id, owner, until) > 0

    def release(self, scope_id: int, owner: str) -> None:
        self._keep("release", scope_id, owner)

    def beat(self, worker: WorkerRow) -> None:
        self._keep("beat", worker.id, worker.host, worker.pid, worker.started, worker.beat)

    def drop_worker(self, worker_id: str) -> None:
        self._keep("drop_worker", worker_id)
        self._keep("release_all", worker_id)

    def add_usage(self, scope_id: int, used: UsageRow) -> None:
        self._keep("add_usage", self._own(scope_id), rows.used_by(used.extractor, used.model), *used)

    def recount(self) -> None:
        pass

    def index(self, scope_id: int, texts: Sequence[tuple[str, str]], upto_rev: int) -> None:
        newest = dict(texts)
        fewer, fewer_words = self._drop_texts(self._own(scope_id), list(newest))
        last: int = self._row("last_text", scope_id)[0]
        kept, postings, words = [], [], 0
        for number, (reference, text) in enumerate(newest.items(), start=last + 1):
            terms = text.split()
            words += len(terms)
            kept.append((scope_id, number, reference, len(terms), packed(" ".join(terms))))
            postings += [(scope_id, short(term), number, times) for term, times in Counter(terms).items()]
        self._keep_many("add_text", kept)
        self._keep_many("add_posting", sorted(postings))
        self._keep("save_sizes", scope_id, upto_rev, len(kept) - fewer, words - fewer_words)

    def drop_texts(self, scope_id: int, references: Sequence[str]) -> int:
        fewer, words = self._drop_texts(self._own(scope_id), references)
        if fewer:
            self._keep("save_sizes", scope_id, self.indexed_rev(scope_id), -fewer, -words)
        return fewer

    def clear_index(self, scope_id: int) -> None:
        for name in ("clear_postings", "clear_texts", "clear_sizes"):
            self._keep(name, self._own(scope_id))

    def keep_forgotten(self, namespace: str, rows: Sequence[ForgottenRow]) -> None:
        self._keep_many("keep_forgotten", [(namespace, *row) for row in rows])

    def remove_scope(self, head: Head) -> dict[str, int]:
        own = self._own(head.id)
        self._last_slot = None
        gone = {table: self._changes(f"remove_{table}", own) for table in REMOVED}
        self._keep("remove_head", own)
        self._has_saved_head = self._is_removal = True  # there is no head left to sign
        return gone

    def remove_rows(self, scope_id: int, limit: int) -> dict[str, int]:  # noqa: ARG002 -- remove_scope left none
        return {}

    def _drop_texts(self, scope_id: int, references: Sequence[str]) -> tuple[int, int]:
        """Drop texts that come again; tells how many there were, and how many words they had."""
        found = self._all("find_texts", scope_id, list(references)) if references else []
        for number, _, terms in found:
            gone = sorted({short(term) for term in unpacked(terms).split()})
            self._keep("drop_postings", scope_id, gone, number)
            self._keep("drop_text", scope_id, number)
        return len(found), sum(words for _, words, _ in found)

    def _changes(self, name: str, *parameters: Any) -> int:
        """Run a statement now, and tell how many rows it changed."""
        self._session.has_written = True
        return self._session.run(self._sql[name], parameters).rowcount

    def _requeue(self, scope_id: int) -> None:
        self._keep("enqueue", scope_id)
        self._keep("dequeue", scope_id)
