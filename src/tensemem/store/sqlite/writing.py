"""Writing: one transaction, kept as a whole or not at all."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Self

from ...errors import StoreError, TensememError
from ...model.entry import Entry
from ...model.scope import Scope
from ...ports import ClaimRow, FactRow, ForgottenRow, Head, PendingRow, SlotRow, UsageRow, WorkerRow
from .. import rows
from .driver_errors import DRIVER, our_error
from .links import Links
from .patience import Place
from .reading import READ, SEARCH, SqliteReader, not_open
from .removing import REMOVE, remove_rows
from .statements import named

WRITE = named("write.sql")
QUEUE = named("queue.sql")
FACTS, CLAIMS = 0, 1


class SqliteWriter(SqliteReader):
    """A transaction: a context manager, and what can be written while it is open; see ``ports.Writer``."""

    __slots__ = ("_alone", "_many", "_more", "_place")

    def __init__(self, links: Links, *, alone: bool = False) -> None:
        super().__init__(links)
        self._many: Any = not_open
        self._alone = alone
        self._more: dict[int, list[int]] = {}
        self._place: Place | None = None

    def __enter__(self) -> Self:
        place = self._place = Place()
        try:
            cursor = self._cursor = self._links.begin_write(place, alone=self._alone)
            self._run, self._many = cursor.execute, cursor.executemany
        except BaseException:  # begun perhaps, and cut off by an interrupt
            self._links.leave(place)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        place = self._place
        if place is None:
            not_open()
        try:
            if error is None:
                self._tell_sizes()
                self._run = self._many = not_open
                self._links.commit(place, alone=self._alone)
            elif isinstance(error, TensememError):
                self._links.refuse(place)
        except DRIVER.kinds as failure:
            raise our_error(failure, self._links.location) from failure
        finally:
            self._run = self._many = not_open
            self._links.leave(place, error)  # does nothing where it was committed
            self._place = None
        if isinstance(error, DRIVER.kinds):
            raise our_error(error, self._links.location) from error

    def __del__(self) -> None:
        place = getattr(self, "_place", None)
        if place is not None:  # an interrupt on the way out of the block: nobody else would end it
            self._links.leave(place)

    def set_meta(self, name: str, value: str) -> None:
        self._run(WRITE["set_meta"], (name, value))

    def open_scope(self, scope: Scope) -> Head:
        head = self.head(scope)
        if head is None:
            head = Head(0, scope)
            names = (scope.namespace, scope.user_id, scope.agent_id, scope.tag)
            head.id = self._run(WRITE["add_scope"], (*names, *rows.head_row(head))).fetchall()[0][0]
        return head

    def save_head(self, head: Head) -> None:
        self._run(WRITE["save_head"], (head.id, *rows.head_row(head)))

    def append(self, scope_id: int, entry: Entry) -> None:
        self._run(WRITE["append"], rows.entry_row(scope_id, entry))

    def append_many(self, scope_id: int, entries: Iterable[Entry]) -> None:
        self._many(WRITE["append"], (rows.entry_row(scope_id, entry) for entry in entries))

    def replace_entries(self, scope_id: int, entries: Sequence[Entry]) -> None:
        for entry in entries:
            if not self._run(WRITE["drop_entry"], (scope_id, entry.rev)).rowcount:
                raise StoreError(f"rev {entry.rev} is not in the log")
        self.append_many(scope_id, entries)
        self.set_meta("scrub", f"due {secrets.token_hex(8)}")

    def drop_keys(self, scope_id: int, keys: Sequence[str]) -> None:
        self._many(WRITE["drop_key"], [(scope_id, key) for key in keys])

    def remember_key(self, scope_id: int, key: str, seq: int, digest: str) -> None:
        self._run(WRITE["remember_key"], (scope_id, key, seq, digest))

    def add_slot(self, scope_id: int, slot: SlotRow) -> SlotRow:
        keys = (slot.subject_key, slot.predicate_key)
        columns = (
            slot.subject, slot.predicate, slot.horizon, slot.last_said, slot.last_seq, int(slot.plain), slot.named_at,
            slot.last_rev, slot.ordered_from, int(slot.whole),
        )  # fmt: skip
        slot.id = self._run(WRITE["add_slot"], (scope_id, *keys, *columns)).fetchall()[0][0]
        return slot

    def save_slot(self, scope_id: int, slot: SlotRow) -> None:
        columns = (
            scope_id, slot.id, slot.subject, slot.predicate, slot.horizon, slot.last_said, slot.last_seq,
            int(slot.plain), slot.named_at, slot.last_rev, slot.subject_key, slot.predicate_key,
            slot.ordered_from, int(slot.whole),
        )  # fmt: skip
        if not self._run(WRITE["save_slot"], columns).rowcount:
            self._run(WRITE["save_slot_keys"], columns)

    def put_claims(self, scope_id: int, claims: Sequence[ClaimRow]) -> None:
        self._put("claim", scope_id, [rows.claim_row(scope_id, claim) for claim in claims])

    def drop_claims(self, scope_id: int, seq: int, *, kinds: Sequence[str] | None = None) -> None:
        if kinds is None:
            self._drop("drop_claims", scope_id, CLAIMS, [(scope_id, seq)])
        else:
            self._drop("drop_claims_of_kinds", scope_id, CLAIMS, [(scope_id, seq, rows.json_array(kinds))])

    def put_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        self._put("fact", scope_id, [rows.fact_row(scope_id, fact) for fact in facts])

    def drop_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        places = [(scope_id, fact.slot, fact.kind, fact.key, fact.start) for fact in facts]
        self._drop("drop_fact", scope_id, FACTS, places)

    def clear_slots(self, scope_id: int, slots: Sequence[int]) -> None:
        places = [(scope_id, slot) for slot in slots]
        self._drop("drop_facts_of_slot", scope_id, FACTS, places)
        self._drop("drop_claims_of_slot", scope_id, CLAIMS, places)
        self._many(WRITE["drop_slot"], places)

    def clear_projection(self, scope_id: int) -> None:
        self._drop("drop_facts", scope_id, FACTS, [(scope_id,)])
        self._drop("drop_all_claims", scope_id, CLAIMS, [(scope_id,)])
        self._run(WRITE["drop_slots"], (scope_id,))

    def add_pending(self, scope_id: int, seq: int) -> None:
        self._run(QUEUE["add_pending"], (scope_id, seq))
        self._run(QUEUE["enqueue"], (scope_id,))

    def save_pending(self, row: PendingRow) -> None:
        changed = (row.scope_id, row.seq, row.state, row.attempts, row.not_before, row.error)
        if self._run(QUEUE["save_pending"], changed).rowcount:
            self._requeue(row.scope_id)

    def drop_pending(self, scope_id: int, seq: int) -> bool:
        was_there: bool = self._run(QUEUE["drop_pending"], (scope_id, seq)).rowcount > 0
        if was_there:
            self._requeue(scope_id)
        return was_there

    def lease(
        self, owner: str, now: int, until: int, dead: Sequence[str], skip: Sequence[int], namespace: str | None = None
    ) -> Head | None:
        given = (now, owner, rows.json_array(dead), rows.json_array(skip), namespace)
        found = self._run(QUEUE["next_due"], given).fetchone()
        if found is None:
            return None
        scope_id = found[0]
        self._run(QUEUE["take_lease"], (scope_id, owner, until))
        self._run(QUEUE["to_the_end"], (scope_id,))
        return rows.named_head(self._run(READ["head_by_id"], (scope_id,)).fetchone())

    def lease_scope(self, scope_id: int, owner: str, now: int, until: int, dead: Sequence[str]) -> bool:
        held = self._run(QUEUE["holder"], (scope_id,)).fetchone()
        if held is not None and held[0] not in (owner, *dead) and held[1] > now:
            return False
        self._run(QUEUE["take_lease"], (scope_id, owner, until))
        return True

    def holds(self, scope_id: int, owner: str) -> bool:
        held = self._run(QUEUE["holder"], (scope_id,)).fetchone()
        return held is not None and held[0] == owner

    def renew(self, scope_id: int, owner: str, until: int) -> bool:
        is_theirs: bool = self._run(QUEUE["renew"], (scope_id, owner, until)).rowcount > 0
        return is_theirs

    def release(self, scope_id: int, owner: str) -> None:
        self._run(QUEUE["release"], (scope_id, owner))

    def beat(self, worker: WorkerRow) -> None:
        self._run(WRITE["beat"], (worker.id, worker.host, worker.pid, worker.started, worker.beat))

    def drop_worker(self, worker_id: str) -> None:
        self._run(WRITE["drop_worker"], (worker_id,))
        self._run(QUEUE["release_all"], (worker_id,))

    def add_usage(self, scope_id: int, used: UsageRow) -> None:
        self._run(WRITE["add_usage"], (scope_id, *used))

    def counts(self, namespace: str) -> dict[str, int]:
        self._tell_sizes()
        return super().counts(namespace)

    def recount(self) -> None:
        self._more.clear()
        for name in ("drop_sizes", "recount_sizes", "drop_used", "recount_used"):
            self._run(WRITE[name])

    def index(self, scope_id: int, texts: Sequence[tuple[str, str]], upto_rev: int) -> None:
        newest = dict(texts)
        fewer, fewer_words = self._drop_texts(scope_id, list(newest))
        last: int = self._run(SEARCH["last_text"], (scope_id,)).fetchone()[0]
        kept, postings, words = [], [], 0
        for number, (reference, text) in enumerate(newest.items(), start=last + 1):
            terms = text.split()
            words += len(terms)
            kept.append((scope_id, number, reference, len(terms), rows.packed(" ".join(terms))))
            postings += [(scope_id, term, number, times) for term, times in Counter(terms).items()]
        self._many(SEARCH["add_text"], kept)
        self._many(SEARCH["add_posting"], sorted(postings))
        self._run(SEARCH["save_sizes"], (scope_id, upto_rev, len(kept) - fewer, words - fewer_words))

    def drop_texts(self, scope_id: int, references: Sequence[str]) -> int:
        fewer, words = self._drop_texts(scope_id, references)
        if fewer:
            self._run(SEARCH["save_sizes"], (scope_id, self.indexed_rev(scope_id), -fewer, -words))
        return fewer

    def clear_index(self, scope_id: int) -> None:
        for name in ("clear_postings", "clear_texts", "clear_sizes"):
            self._run(SEARCH[name], (scope_id,))

    def keep_forgotten(self, namespace: str, rows: Sequence[ForgottenRow]) -> None:  # noqa: ARG002 -- no walls here
        self._many(REMOVE["keep_forgotten"], rows)

    def remove_scope(self, head: Head) -> dict[str, int]:
        self._tell_sizes()  # while there is a head by which the namespace is found
        self.set_meta("scrub", f"due {secrets.token_hex(8)}")
        for name in ("let_go_of_scope", "drop_head", "drop_queue", "drop_lease"):
            self._run(REMOVE[name], (head.id,))
        return {"pending": self._run(REMOVE["drop_all_pending"], (head.id,)).rowcount}

    def remove_rows(self, scope_id: int, limit: int) -> dict[str, int]:
        gone = remove_rows(self._run, scope_id, limit)
        if not gone:
            self._run(REMOVE["worked_off"], (scope_id,))
        return gone

    # What a statement has changed is known once it has ended: one that returns rows is read to its end before.

    def _put(self, what: str, scope_id: int, found: Sequence[rows.Row]) -> None:
        """Add rows, and change those that are there: which are new only the database can tell."""
        before = self._cursor.connection.total_changes
        self._many(WRITE[f"add_{what}"], found)
        if self._count(scope_id, CLAIMS if what == "claim" else FACTS, before, 1) < len(found):
            self._many(WRITE[f"change_{what}"], found)

    def _drop(self, name: str, scope_id: int, which: int, places: Sequence[rows.Row]) -> None:
        before = self._cursor.connection.total_changes
        self._many(WRITE[name], places)
        self._count(scope_id, which, before, -1)

    def _count(self, scope_id: int, which: int, before: int, sign: int) -> int:
        """Take what a statement has added to a table, or removed from it, into the sizes; gives how many rows."""
        done: int = self._cursor.connection.total_changes - before
        if done:
            self._more.setdefault(scope_id, [0, 0])[which] += sign * done
        return done

    def _tell_sizes(self) -> None:
        for scope_id, (facts, claims) in self._more.items():
            self._run(WRITE["add_sizes"], (scope_id, facts, claims))
        self._more.clear()

    def _drop_texts(self, scope_id: int, references: Sequence[str]) -> tuple[int, int]:
        """Drop texts that come again; tells how many there were, and how many words they had."""
        found = self._run(SEARCH["find_texts"], (scope_id, rows.json_array(references))).fetchall()
        for number, _, terms in found:
            gone = [(scope_id, term, number) for term in set(rows.unpacked(terms).split())]
            self._many(SEARCH["drop_posting"], gone)
            self._run(SEARCH["drop_text"], (scope_id, number))
        return len(found), sum(words for _, words, _ in found)

    def _requeue(self, scope_id: int) -> None:
        self._run(QUEUE["enqueue"], (scope_id,))
        self._run(QUEUE["dequeue"], (scope_id,))
