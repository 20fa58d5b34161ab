"""Reading: one snapshot, and what can be asked of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self

import psycopg

from ...errors import StoreError
from ...model.entry import Entry
from ...model.scope import Scope
from ...ports import FIRST_PLACE, ClaimRow, FactRow, ForgottenRow, Head, PendingRow, SlotRow, UsageRow, WorkerRow
from ..rows import after_prefix, entry_of, rev_at
from . import rows
from .keys import short, whole
from .links import READ, Links, Session, lost_error

_ENTRIES_AT_A_TIME = 512
_SIZES = ("scopes", "entries", "episodes", "facts", "claims", "pending", "failed")


class PostgresReader:
    """A snapshot: a context manager, and the answers while it is open; ``ports.Reader`` says what each gives."""

    __slots__ = ("_links", "_open", "_sql")

    _begin = READ

    def __init__(self, links: Links) -> None:
        self._links = links
        self._sql = links.sql
        self._open: Session | None = None

    def __enter__(self) -> Self:
        self._links.check()
        self._open = Session(self._links, self._begin)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        session, self._open = self._session, None
        ours = lost_error(self._links, session, error) if isinstance(error, psycopg.Error) else None
        session.end()
        if ours is not None:
            raise ours from error

    @property
    def _session(self) -> Session:
        if self._open is None:
            raise StoreError("This snapshot or transaction is not open: use it inside its with block.")
        return self._open

    def _all(self, name: str, *parameters: Any) -> list[tuple[Any, ...]]:
        return self._session.run(self._sql[name], parameters).fetchall()

    def _one(self, name: str, *parameters: Any) -> tuple[Any, ...] | None:
        return self._session.run(self._sql[name], parameters).fetchone()

    def _row(self, name: str, *parameters: Any) -> tuple[Any, ...]:
        """Give the one row of a statement that always has one."""
        found = self._one(name, *parameters)
        if found is None:
            raise StoreError(f"{self._links.location}: {name} gave nothing")
        return found

    def meta(self, name: str) -> str | None:
        row = self._one("meta", name)
        return None if row is None else row[0]

    def head(self, scope: Scope) -> Head | None:
        row = self._one("head", *rows.names(scope))
        return None if row is None else Head(row[0], scope, *row[1:])

    def registry_rev(self, namespace: str) -> int:
        row = self._one("head", *rows.names(Scope(namespace, "")))
        return 0 if row is None else row[1]

    def head_and_registry(self, scope: Scope) -> tuple[Head | None, int]:
        registry = rows.scope_number(Scope(scope.namespace, ""))
        found = {row[0]: row for row in self._all("head_and_registry", *rows.names(scope), registry)}
        own = found.get(rows.scope_number(scope))
        head = None if own is None else Head(own[0], scope, *own[1:])
        return head, found[registry][1] if registry in found else 0

    def scope_of_tag(self, tag: str) -> Scope | None:
        number = rows.number_of_tag(tag)
        row = None if number is None else self._one("head_by_id", number)
        return None if row is None else Scope(*row[:3])

    def namespaces(self) -> list[str]:
        return [name for (name,) in self._all("namespaces")]

    def scopes(self, namespace: str, prefix: str, after: tuple[str, str] | None, limit: int) -> list[Head]:
        user_id, agent_id = after or ("", "")
        stop = after_prefix(prefix)
        return [rows.named_head(row) for row in self._all("scopes", namespace, user_id, agent_id, prefix, limit, stop)]

    def entries(self, scope_id: int, after_rev: int = 0, upto_rev: int | None = None) -> Iterator[Entry]:
        upto = 2**62 if upto_rev is None else upto_rev
        while True:
            found = self._all("entries", scope_id, after_rev, upto, _ENTRIES_AT_A_TIME)
            for row in found:
                yield entry_of(row)
            if len(found) < _ENTRIES_AT_A_TIME:
                return
            after_rev = found[-1][1]

    def entries_of(self, scope_id: int, first: int, last: int) -> list[Entry]:
        return [entry_of(row) for row in self._all("entries_of", scope_id, first, last)]

    def episode(self, scope_id: int, seq: int) -> Entry | None:
        row = self._one("episode", scope_id, seq)
        return None if row is None else entry_of(row)

    def settlements(self, scope_id: int, seq: int) -> list[Entry]:
        return [entry_of(row) for row in self._all("settlements", scope_id, seq)]

    def extracted_again(self, scope_id: int, after_rev: int) -> list[Entry]:
        return [entry_of(row) for row in self._all("extracted_again", scope_id, after_rev)]

    def messages_before(self, scope_id: int, seq: int, limit: int) -> list[Entry]:
        return [entry_of(row) for row in reversed(self._all("messages_before", scope_id, seq, limit))]

    def rev_at(self, scope_id: int, moment: int) -> int:
        last: int = self._row("last_rev", scope_id)[0] or 0
        return rev_at(last, moment, lambda rev: self._one("recorded_by_rev", scope_id, rev))

    def find_key(self, scope_id: int, key: str) -> tuple[int, str] | None:
        row = self._one("find_key", scope_id, short(key))
        return None if row is None else (row[0], row[1])

    def keys(self, scope_id: int, after: str, limit: int) -> list[tuple[str, int, str]]:
        found = self._all("keys", scope_id, short(after), limit)
        return [(whole(key, long), seq, digest) for key, long, seq, digest in found]

    def slots(self, scope_id: int) -> list[SlotRow]:
        return [rows.slot_of(row) for row in self._all("slots", scope_id)]

    def slots_after(self, scope_id: int, slot: int, limit: int) -> list[SlotRow]:
        return [rows.slot_of(row) for row in self._all("slots_after", scope_id, slot, limit)]

    def slot(self, scope_id: int, subject_key: str, predicate_key: str) -> SlotRow | None:
        row = self._one("slot", scope_id, short(subject_key), short(predicate_key))
        return None if row is None else rows.slot_of(row)

    def slot_by_id(self, scope_id: int, slot: int) -> SlotRow | None:
        row = self._one("slot_by_id", scope_id, slot)
        return None if row is None else rows.slot_of(row)

    def slots_of(self, scope_id: int, subject_key: str) -> list[SlotRow]:
        return [rows.slot_of(row) for row in self._all("slots_of", scope_id, short(subject_key))]

    def loose_slots(self, scope_id: int) -> list[SlotRow]:
        return [rows.slot_of(row) for row in self._all("loose_slots", scope_id)]

    def claims(self, scope_id: int, slot: int) -> list[ClaimRow]:
        return [rows.claim_of(row) for row in self._all("claims", scope_id, slot)]

    def statements(self, scope_id: int, slot: int | None) -> list[ClaimRow]:
        if slot is None:
            return [rows.claim_of(row) for row in self._all("all_statements", scope_id)]
        return [rows.claim_of(row) for row in self._all("statements", scope_id, slot)]

    def claims_between(self, scope_id: int, first: int, last: int) -> list[ClaimRow]:
        return [rows.claim_of(row) for row in self._all("claims_between", scope_id, first, last)]

    def claims_made(self, scope_id: int, first: int, last: int) -> list[ClaimRow]:
        return [rows.claim_of(row) for row in self._all("claims_made", scope_id, first, last)]

    def claims_of(self, scope_id: int, seq: int) -> list[ClaimRow]:
        return [rows.claim_of(row) for row in self._all("claims_of", scope_id, seq)]

    def slots_with_values(self, scope_id: int, keys: Sequence[str]) -> list[int]:
        return [slot for (slot,) in self._all("slots_with_values", scope_id, [short(key) for key in keys])]

    def facts(self, scope_id: int, slot: int) -> list[FactRow]:
        return rows.facts_of(self._all("facts", scope_id, slot))

    def facts_between(self, scope_id: int, first: int, last: int) -> list[FactRow]:
        return rows.facts_of(self._all("facts_between", scope_id, first, last))

    def runs_from(self, scope_id: int, slot: int | None, start: int, limit: int) -> list[FactRow]:
        where = (scope_id,) if slot is None else (scope_id, slot)
        found = self._all("all_runs_from" if slot is None else "runs_from", *where, start, limit)
        return sorted(rows.facts_of(found), key=lambda run: run.start)

    def run_at(self, scope_id: int, slot: int, key: str, moment: int) -> FactRow | None:
        found = rows.facts_of(self._all("run_at", scope_id, slot, short(key), moment))
        return found[0] if found else None

    def tail(self, scope_id: int, slot: int, after: int) -> list[FactRow]:
        return rows.facts_of(self._all("tail", scope_id, slot, after))

    def touching(self, scope_id: int, slot: int, moment: int, keys: Sequence[str]) -> list[FactRow]:
        return rows.facts_of(self._all("touching", scope_id, slot, moment, [short(key) for key in keys]))

    def live(self, scope_id: int, moment: int) -> list[tuple[FactRow, SlotRow]]:
        slots: dict[int, SlotRow] = {}
        found = []
        for row in self._all("live", scope_id, moment):
            slot = slots.get(row[0])
            if slot is None:
                slot = slots[row[0]] = rows.slot_of(row[7:])
            found.append((rows.fact_of(row[:7]), slot))
        return sorted(found, key=lambda pair: pair[0][:4])

    def live_in(self, scope_id: int, slot: int, moment: int) -> list[FactRow]:
        return rows.facts_of(self._all("live_in", scope_id, slot, moment))

    def pending(self, scope_id: int) -> list[PendingRow]:
        return [PendingRow(*row) for row in self._all("pending", scope_id)]

    def first_waiting(self, scope_id: int) -> PendingRow | None:
        return self.next_waiting(scope_id, 0, None)

    def next_waiting(self, scope_id: int, after_seq: int, due_by: int | None) -> PendingRow | None:
        row = self._one("next_waiting", scope_id, after_seq, due_by)
        return None if row is None else PendingRow(*row)

    def pending_row(self, scope_id: int, seq: int) -> PendingRow | None:
        row = self._one("pending_row", scope_id, seq)
        return None if row is None else PendingRow(*row)

    def failed(self, scope_id: int) -> list[PendingRow]:
        return [PendingRow(*row) for row in self._all("failed", scope_id)]

    def all_pending(
        self, namespace: str, limit: int, after: tuple[int, int] = FIRST_PLACE
    ) -> list[tuple[Scope, PendingRow]]:
        place = after if any(after) else (-(2**63), 0)  # half of all numbers of scopes are negative here
        return [(Scope(*row[:3]), PendingRow(*row[3:])) for row in self._all("all_pending", namespace, limit, *place)]

    def is_work_due(self, now: int, namespace: str | None = None) -> bool:
        return self._one("is_work_due", now, namespace) is not None

    def unprojected(self, namespace: str) -> list[tuple[int, int, str, str]]:
        found = self._all("unprojected", namespace)
        return [(scope, slot, whole(key, long), name) for scope, slot, key, long, name in found]

    def workers(self) -> list[WorkerRow]:
        return [WorkerRow(*row) for row in self._all("workers")]

    def owners(self) -> list[str]:
        return [owner for (owner,) in self._all("owners")]

    def counts(self, namespace: str) -> dict[str, int]:
        return dict(zip(_SIZES, self._row("counts", namespace), strict=True))

    def sizes_hold(self) -> bool:
        return True  # they are counted when they are asked for

    def usage(self, namespace: str) -> list[UsageRow]:
        return [UsageRow(*row) for row in self._all("usage", namespace)]

    def usage_of(self, scope_id: int) -> list[UsageRow]:
        return [UsageRow(*row) for row in self._all("usage_of", scope_id)]

    def search(self, scope_id: int, terms: Sequence[str], limit: int) -> list[tuple[str, float]]:
        texts, words = self._one("sizes", scope_id) or (0, 0)
        if not texts or not terms:
            return []
        frequencies = self._all("frequencies", scope_id, [short(term) for term in terms])
        weights = [_weight(texts, holding) for _, holding in frequencies]
        found = self._all(
            "best", scope_id, [term for term, _ in frequencies], weights, max(words / texts, 1.0), limit
        )
        return [(reference, score) for reference, score in found]

    def removals(self) -> list[int]:
        return []  # a scope's rows go with its head

    def forgotten(self, after: ForgottenRow | None, limit: int) -> list[ForgottenRow]:
        place = ("", "", "", 0, 0) if after is None else after.place
        return [ForgottenRow(*row) for row in self._all("forgotten", *place, limit)]

    def forgotten_of(self, scope: str) -> list[ForgottenRow]:
        return [ForgottenRow(*row) for row in self._all("forgotten_of", scope)]

    def indexed_rev(self, scope_id: int) -> int:
        row = self._one("indexed_rev", scope_id)
        return 0 if row is None else row[0]


def _weight(texts: int, holding: int) -> float:
    """A term weighs the more, the fewer of the scope's own texts hold it; what others have written counts nothing."""
    return math.log(1 + (texts - holding + 0.5) / (holding + 0.5))
