"""Contracts between the engine and the world: Store, Extractor, Clock.

A store keeps logs and their projection in rows it does not interpret: ``body`` columns are JSON text made above.
Every row belongs to one scope. Nothing in an entry is ever updated; only erasing puts another in its place.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol, TypeAlias, runtime_checkable

from .model.diagnosis import Examined
from .model.entry import Entry
from .model.operation import Operation
from .model.request import ExtractionRequest, RequestMessage
from .model.scope import Scope
from .model.stored import (
    FILLING,
    NEVER,
    ClaimRow,
    FactRow,
    ForgottenRow,
    Head,
    PendingRow,
    SlotRow,
    UsageRow,
    WorkerRow,
)

__all__ = [
    "FILLING",
    "NEVER",
    "ClaimRow",
    "Clock",
    "ExtractionRequest",
    "Extractor",
    "FactRow",
    "ForgottenRow",
    "Head",
    "PendingRow",
    "Proposals",
    "Reader",
    "RequestMessage",
    "SlotRow",
    "Store",
    "UsageRow",
    "WorkerRow",
    "Writer",
]

Clock: TypeAlias = Callable[[], datetime]
"""Gives the present as an aware datetime."""


FIRST_PLACE = (-(2**63), 0)
"""A scope's number and a seq that come before all others: some stores give numbers below nothing."""


class Reader(Protocol):
    """One snapshot of the store. All reads of one reader see the same state."""

    def meta(self, name: str) -> str | None:
        """Give a named setting of the database."""

    def head(self, scope: Scope) -> Head | None:
        """Give a scope's head, or None where nothing was ever written."""

    def registry_rev(self, namespace: str) -> int:
        """Give the revision of a namespace's registry log; 0 where it is empty."""

    def head_and_registry(self, scope: Scope) -> tuple[Head | None, int]:
        """Give both in one step; the fast path of every read."""

    def scope_of_tag(self, tag: str) -> Scope | None:
        """Give the scope an id's tag stands for."""

    def namespaces(self) -> list[str]:
        """Give every namespace that has a scope, or a registry, in order."""

    def scopes(self, namespace: str, prefix: str, after: tuple[str, str] | None, limit: int) -> list[Head]:
        """Give heads in order of (user_id, agent_id), after a cursor, whose user_id starts with a prefix."""

    def entries(self, scope_id: int, after_rev: int = 0, upto_rev: int | None = None) -> Iterator[Entry]:
        """Give entries in rev order."""

    def entries_of(self, scope_id: int, first: int, last: int) -> list[Entry]:
        """Give all entries whose seq lies from first to last, in rev order: episodes and what was made of them."""

    def episode(self, scope_id: int, seq: int) -> Entry | None:
        """Give the message, write or amendment with a seq."""

    def settlements(self, scope_id: int, seq: int) -> list[Entry]:
        """Give the extractions and skips of a message, oldest first."""

    def extracted_again(self, scope_id: int, after_rev: int) -> list[Entry]:
        """Give the extractions after a rev that took the place of older ones, without reading other entries."""

    def messages_before(self, scope_id: int, seq: int, limit: int) -> list[Entry]:
        """Give the messages just before a seq, oldest first."""

    def rev_at(self, scope_id: int, moment: int) -> int:
        """Give the last rev recorded at or before a moment; 0 where none."""

    def find_key(self, scope_id: int, key: str) -> tuple[int, str] | None:
        """Give (seq, content digest) of an idempotency or duplicate key."""

    def keys(self, scope_id: int, after: str, limit: int) -> list[tuple[str, int, str]]:
        """Give (key, seq, content digest) of idempotency and duplicate keys behind one ("" comes before all).

        The order is the store's own and lasts; most go by the keys themselves.
        """

    def slots(self, scope_id: int) -> list[SlotRow]:
        """Give all slots of a scope."""

    def slots_after(self, scope_id: int, slot: int, limit: int) -> list[SlotRow]:
        """Give the slots with the next larger numbers, in order of their numbers."""

    def slot(self, scope_id: int, subject_key: str, predicate_key: str) -> SlotRow | None:
        """Give one slot by its keys."""

    def slot_by_id(self, scope_id: int, slot: int) -> SlotRow | None:
        """Give one slot by its number."""

    def slots_of(self, scope_id: int, subject_key: str) -> list[SlotRow]:
        """Give the slots of a subject, in order of their numbers."""

    def loose_slots(self, scope_id: int) -> list[SlotRow]:
        """Give the slots that are not ``whole``, in order of their numbers, without reading the others."""

    def claims(self, scope_id: int, slot: int) -> list[ClaimRow]:
        """Give a slot's claims and amendments in order of (seq, extraction, number)."""

    def statements(self, scope_id: int, slot: int | None) -> list[ClaimRow]:
        """Give the retractions, denials and REPLACEs of a slot, or of all, without reading other claims."""

    def claims_between(self, scope_id: int, first: int, last: int) -> list[ClaimRow]:
        """Give the claims of slots with numbers from first to last, slot by slot, each in the order of ``claims``."""

    def claims_made(self, scope_id: int, first: int, last: int) -> list[ClaimRow]:
        """Give the claims and amendments of the episodes from first to last, in order of (seq, extraction, number)."""

    def claims_of(self, scope_id: int, seq: int) -> list[ClaimRow]:
        """Give the claims made from one episode."""

    def slots_with_values(self, scope_id: int, keys: Sequence[str]) -> list[int]:
        """Give the slots that may speak of one of these value keys: by a claim's, in a REPLACE, or in a correction."""

    def unprojected(self, namespace: str) -> list[tuple[int, int, str, str]]:
        """Give (scope id, slot, predicate key, predicate) of a namespace's slots that hold refused operations."""

    def facts(self, scope_id: int, slot: int) -> list[FactRow]:
        """Give a slot's fact rows in order of (kind, key, start)."""

    def facts_between(self, scope_id: int, first: int, last: int) -> list[FactRow]:
        """Give the fact rows of slots with numbers from first to last, slot by slot, each in the order of ``facts``."""

    def runs_from(self, scope_id: int, slot: int | None, start: int, limit: int) -> list[FactRow]:
        """Give the first runs (kind 0) of a slot, or of all, that begin at a moment or later, in order of their starts.

        Of those that begin together some may be given and others not.
        """

    def run_at(self, scope_id: int, slot: int, key: str, moment: int) -> FactRow | None:
        """Give the run (kind 0) of a value that begins last up to a moment."""

    def tail(self, scope_id: int, slot: int, after: int) -> list[FactRow]:
        """Give a slot's runs (kind 0) that end after a moment."""

    def touching(self, scope_id: int, slot: int, moment: int, keys: Sequence[str]) -> list[FactRow]:
        """Give a slot's runs (kind 0) that end at a moment, and those of some values that begin there."""

    def live(self, scope_id: int, moment: int) -> list[tuple[FactRow, SlotRow]]:
        """Give every fact row of a scope that ends after a moment (waiting ones included), with its slot."""

    def live_in(self, scope_id: int, slot: int, moment: int) -> list[FactRow]:
        """Give a slot's fact rows that end after a moment (waiting ones included); the older ones are not read."""

    def pending(self, scope_id: int) -> list[PendingRow]:
        """Give the messages of a scope that are not settled, in seq order."""

    def first_waiting(self, scope_id: int) -> PendingRow | None:
        """Give the waiting message with the smallest seq, without reading the others."""

    def next_waiting(self, scope_id: int, after_seq: int, due_by: int | None) -> PendingRow | None:
        """Give the waiting message with the smallest seq behind one; due by a moment, if one is given."""

    def pending_row(self, scope_id: int, seq: int) -> PendingRow | None:
        """Give one unsettled message, or None where it is settled."""

    def failed(self, scope_id: int) -> list[PendingRow]:
        """Give the messages that were given up, in seq order, without reading the waiting ones."""

    def all_pending(
        self, namespace: str, limit: int, after: tuple[int, int] = FIRST_PLACE
    ) -> list[tuple[Scope, PendingRow]]:
        """Give unsettled messages of a namespace, by scope and seq, behind one scope's number and a seq in it."""

    def is_work_due(self, now: int, namespace: str | None = None) -> bool:
        """Tell whether any scope, or any of a namespace, has a message that is due, without reading them all."""

    def workers(self) -> list[WorkerRow]:
        """Give the processes that said they extract."""

    def owners(self) -> list[str]:
        """Give the owners of leases."""

    def counts(self, namespace: str) -> dict[str, int]:
        """Give sizes of a namespace: scopes, entries, episodes, facts, claims, pending, failed.

        Heads tell what waits and how many entries and episodes there are; facts and claims are counted as rows.
        """

    def sizes_hold(self) -> bool:
        """Tell whether ``counts`` and ``usage`` give what there is in every namespace; all of it is counted."""

    def usage(self, namespace: str) -> list[UsageRow]:
        """Give what each extractor and model has used in a namespace, by name."""

    def usage_of(self, scope_id: int) -> list[UsageRow]:
        """Give what each extractor and model has used over a scope's messages, by name."""

    def search(self, scope_id: int, terms: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Give (reference, score) of indexed texts that hold any of the terms, best first; higher is better."""

    def indexed_rev(self, scope_id: int) -> int:
        """Give the rev up to which the scope's texts are in the search index."""

    def removals(self) -> list[int]:
        """Give the numbers of scopes that are gone and whose rows are still to be removed."""

    def forgotten(self, after: ForgottenRow | None, limit: int) -> list[ForgottenRow]:
        """Give lines of the ledger behind one, in order of their places."""

    def forgotten_of(self, scope: str) -> list[ForgottenRow]:
        """Give the lines of one scope, by its mark, in order."""


class Writer(Reader, Protocol):
    """One transaction: all of it is kept, durably, when the context ends without an error; else none."""

    def set_meta(self, name: str, value: str) -> None:
        """Keep a named setting."""

    def open_scope(self, scope: Scope) -> Head:
        """Give a scope's head, made if missing."""

    def save_head(self, head: Head) -> None:
        """Keep a head's counters."""

    def append(self, scope_id: int, entry: Entry) -> None:
        """Append an entry to the scope's log."""

    def append_many(self, scope_id: int, entries: Iterable[Entry]) -> None:
        """Append several."""

    def replace_entries(self, scope_id: int, entries: Sequence[Entry]) -> None:
        """Put entries without their content where those of the same revs stood, which are removed.

        The one way in which a log changes besides growing; each rev must be there already. Raises StoreError.
        """

    def remember_key(self, scope_id: int, key: str, seq: int, digest: str) -> None:
        """Keep an idempotency or duplicate key."""

    def drop_keys(self, scope_id: int, keys: Sequence[str]) -> None:
        """Drop idempotency and duplicate keys."""

    def add_slot(self, scope_id: int, slot: SlotRow) -> SlotRow:
        """Keep a new slot; gives it its number."""

    def save_slot(self, scope_id: int, slot: SlotRow) -> None:
        """Keep a slot's columns."""

    def put_claims(self, scope_id: int, claims: Sequence[ClaimRow]) -> None:
        """Keep claims; one with the same (seq, extraction, number) is replaced."""

    def drop_claims(self, scope_id: int, seq: int, *, kinds: Sequence[str] | None = None) -> None:
        """Drop the claims made from one episode's extractions."""

    def put_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        """Keep fact rows; one with the same (slot, kind, key, start) is replaced."""

    def drop_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        """Drop fact rows by (slot, kind, key, start)."""

    def clear_slots(self, scope_id: int, slots: Sequence[int]) -> None:
        """Drop slots with their claims and facts."""

    def clear_projection(self, scope_id: int) -> None:
        """Drop all slots, claims and facts of a scope; the log stays."""

    def add_pending(self, scope_id: int, seq: int) -> None:
        """Put a message in the queue."""

    def save_pending(self, row: PendingRow) -> None:
        """Keep a queued message's attempts, state and error."""

    def drop_pending(self, scope_id: int, seq: int) -> bool:
        """Take a message out of the queue; tells whether it was there."""

    def lease(
        self, owner: str, now: int, until: int, dead: Sequence[str], skip: Sequence[int], namespace: str | None = None
    ) -> Head | None:
        """Lease a scope that has a waiting message due, where no other live owner holds it; None where nothing is due.

        ``dead`` are owners known to be gone: their leases don't count. ``skip`` are scopes not wanted now. Of any
        namespace, or of one alone.
        """

    def lease_scope(self, scope_id: int, owner: str, now: int, until: int, dead: Sequence[str]) -> bool:
        """Lease one scope, due or not; tells whether no other live owner holds it."""

    def holds(self, scope_id: int, owner: str) -> bool:
        """Tell whether a lease is this owner's; where it is, it stays so until this transaction ends."""

    def renew(self, scope_id: int, owner: str, until: int) -> bool:
        """Prolong a lease; tells whether it is still this owner's."""

    def release(self, scope_id: int, owner: str) -> None:
        """Give a lease back."""

    def beat(self, worker: WorkerRow) -> None:
        """Say that a worker lives."""

    def drop_worker(self, worker_id: str) -> None:
        """Forget a worker, and its leases."""

    def add_usage(self, scope_id: int, used: UsageRow) -> None:
        """Add to what an extractor has used over a scope's messages."""

    def recount(self) -> None:
        """Count anew what ``counts`` and ``usage`` give, where a store keeps that; all of it is read."""

    def index(self, scope_id: int, texts: Sequence[tuple[str, str]], upto_rev: int) -> None:
        """Add (reference, terms separated by blanks) to the search index, which now reaches a rev."""

    def drop_texts(self, scope_id: int, references: Sequence[str]) -> int:
        """Take texts out of the search index by their references; tells how many there were."""

    def clear_index(self, scope_id: int) -> None:
        """Empty the scope's part of the search index."""

    def keep_forgotten(self, namespace: str, rows: Sequence[ForgottenRow]) -> None:
        """Keep lines of the ledger, but those that are known; ``namespace`` is "" where they come from elsewhere."""

    def remove_scope(self, head: Head) -> dict[str, int]:
        """Take a scope out of everybody's reach: its head, its lease, its place in the queue, what waits.

        Where numbers of scopes are never given again, its other rows stay, and the number is among ``removals`` until
        ``remove_rows`` finds none of them. Elsewhere they go at once. Gives how many rows of each table went.
        """

    def remove_rows(self, scope_id: int, limit: int) -> dict[str, int]:
        """Remove about so many rows of a scope that is gone; gives how many of each table, nothing once all went."""


class Store(Examined, Protocol):
    """Keeps every log and projection. Driver errors become the library's own at this edge."""

    durability: str
    read_only: bool

    @property
    def ledger(self) -> str | None:
        """The file beside the data that keeps what was forgotten, also if the data is replaced; None where none is."""

    @property
    def location(self) -> str:
        """Where the data is: an absolute path, or what stands for it."""

    @property
    def rollbacks(self) -> int:
        """How often something was taken back that another transaction may have seen; it changes before others write."""

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """What copies out of the store's reach may still hold of what is removed from it, a sentence each."""

    @property
    def is_scrub_due(self) -> bool:
        """Whether rows were removed of which something may still stand in the store's files."""

    def scrub(self) -> str | None:
        """Overwrite what is left of removed rows in the store's files; tells why it could not, None where it is done.

        Where something keeps it from that, it is done by itself as soon as possible.
        """

    def read(self) -> AbstractContextManager[Reader]:
        """Open one snapshot."""

    def glance(self, scope: Scope) -> tuple[Head | None, int] | None:
        """Give a scope's head and the revision of its namespace's registry at once, from one snapshot.

        Never waits for anybody, so that an event loop may call it; None where that can't be promised just now.
        """

    def write(self, *, alone: bool = False) -> AbstractContextManager[Writer]:
        """Open one transaction, which writes to one scope; over one scope only one at a time.

        Writers that come together may share a commit, and so wait for each other; long work writes ``alone``.
        """

    @property
    def clock_ahead(self) -> int:
        """Microseconds by which the clock that all who use the store go by is ahead of this machine's.

        Leases and signs of life are told in it: of two machines one may be wrong about the time.
        """

    def wait_for_commit(self, seconds: float) -> None:
        """Return when something may have been committed (by anyone), at latest after some seconds."""

    def close(self) -> None:
        """Let go of every connection."""


Proposals: TypeAlias = Sequence[Operation]


@runtime_checkable
class Extractor(Protocol):
    """Turns messages into proposed operations. ``extract`` may be sync or async."""

    def extract(self, request: ExtractionRequest) -> Proposals | Awaitable[Proposals]:
        """Give the operations the messages propose; raises ExtractorUnavailable where it can't be asked now."""
