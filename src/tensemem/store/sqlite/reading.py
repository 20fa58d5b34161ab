"""Reading: one snapshot, and what can be asked of it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, NoReturn, Self

from ...errors import StoreError
from ...model.entry import Entry
from ...model.scope import Scope
from ...ports import FIRST_PLACE, ClaimRow, FactRow, ForgottenRow, Head, PendingRow, SlotRow, UsageRow, WorkerRow
from .. import rows
from .driver_errors import DRIVER, our_error
from .links import Links
from .statements import named

READ = named("read.sql")
SEARCH = named("search.sql")
HEAD_AND_REGISTRY, _LIVE = READ["head_and_registry"], READ["live"]
_ENTRIES_AT_A_TIME = 128
_SIZES = ("scopes", "entries", "episodes", "facts", "claims", "pending", "failed")


class SqliteReader:
    """A snapshot: a context manager, and the answers while it is open; ``ports.Reader`` says what each gives."""

    __slots__ = ("_cursor", "_links", "_run")

    def __init__(self, links: Links) -> None:
        self._links = links
        self._run: Any = not_open

    def __enter__(self) -> Self:
        cursor = self._cursor = self._links.begin_read()
        self._run = cursor.execute
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run = not_open
        self._links.end_read(self._cursor, is_fine=not isinstance(error, DRIVER.kinds))
        if isinstance(error, DRIVER.kinds):
            raise our_error(error, self._links.location) from error

    def meta(self, name: str) -> str | None:
        row = self._run(READ["meta"], (name,)).fetchone()
        return None if row is None else row[0]

    def head(self, scope: Scope) -> Head | None:
        row = self._run(READ["head"], (scope.namespace, scope.user_id, scope.agent_id)).fetchone()
        return None if row is None else Head(row[0], scope, *row[1:])

    def registry_rev(self, namespace: str) -> int:
        head = self.head(Scope(namespace, ""))
        return 0 if head is None else head.rev

    def head_and_registry(self, scope: Scope) -> tuple[Head | None, int]:
        row = self._run(HEAD_AND_REGISTRY, (scope.namespace, scope.user_id, scope.agent_id)).fetchone()
        return head_and_registry_of(scope, row)

    def scope_of_tag(self, tag: str) -> Scope | None:
        row = self._run(READ["scope_of_tag"], (tag,)).fetchone()
        return None if row is None else Scope(*row)

    def namespaces(self) -> list[str]:
        return [name for (name,) in self._run(READ["namespaces"]).fetchall()]

    def scopes(self, namespace: str, prefix: str, after: tuple[str, str] | None, limit: int) -> list[Head]:
        user_id, agent_id = after or ("", "")
        stop = rows.after_prefix(prefix)
        name, stops = ("scopes", ()) if stop is None else ("scopes_below", (stop,))
        found = self._run(READ[name], (namespace, user_id, agent_id, prefix, limit, *stops))
        return [rows.named_head(row) for row in found.fetchall()]

    def entries(self, scope_id: int, after_rev: int = 0, upto_rev: int | None = None) -> Iterator[Entry]:
        upto = 2**62 if upto_rev is None else upto_rev
        while True:
            found = self._run(READ["entries"], (scope_id, after_rev, upto, _ENTRIES_AT_A_TIME)).fetchall()
            for row in found:
                yield rows.entry_of(row)
            if len(found) < _ENTRIES_AT_A_TIME:
                return
            after_rev = found[-1][1]

    def entries_of(self, scope_id: int, first: int, last: int) -> list[Entry]:
        return [rows.entry_of(row) for row in self._run(READ["entries_of"], (scope_id, first, last)).fetchall()]

    def episode(self, scope_id: int, seq: int) -> Entry | None:
        row = self._run(READ["episode"], (scope_id, seq)).fetchone()
        return None if row is None else rows.entry_of(row)

    def settlements(self, scope_id: int, seq: int) -> list[Entry]:
        return [rows.entry_of(row) for row in self._run(READ["settlements"], (scope_id, seq)).fetchall()]

    def extracted_again(self, scope_id: int, after_rev: int) -> list[Entry]:
        found = self._run(READ["extracted_again"], (scope_id, after_rev)).fetchall()
        return [rows.entry_of(row) for row in found]

    def messages_before(self, scope_id: int, seq: int, limit: int) -> list[Entry]:
        found = self._run(READ["messages_before"], (scope_id, seq, limit)).fetchall()
        return [rows.entry_of(row) for row in reversed(found)]

    def rev_at(self, scope_id: int, moment: int) -> int:
        last: int = self._run(READ["last_rev"], (scope_id,)).fetchone()[0] or 0
        return rows.rev_at(
            last, moment, lambda rev: self._run(READ["recorded_by_rev"], (scope_id, rev)).fetchone()
        )

    def find_key(self, scope_id: int, key: str) -> tuple[int, str] | None:
        found: tuple[int, str] | None = self._run(READ["find_key"], (scope_id, key)).fetchone()
        return found

    def keys(self, scope_id: int, after: str, limit: int) -> list[tuple[str, int, str]]:
        found: list[tuple[str, int, str]] = self._run(READ["keys"], (scope_id, after, limit)).fetchall()
        return found

    def slots(self, scope_id: int) -> list[SlotRow]:
        return [rows.slot_of(row) for row in self._run(READ["slots"], (scope_id,)).fetchall()]

    def slots_after(self, scope_id: int, slot: int, limit: int) -> list[SlotRow]:
        return [rows.slot_of(row) for row in self._run(READ["slots_after"], (scope_id, slot, limit)).fetchall()]

    def slot(self, scope_id: int, subject_key: str, predicate_key: str) -> SlotRow | None:
        row = self._run(READ["slot"], (scope_id, subject_key, predicate_key)).fetchone()
        return None if row is None else rows.slot_of(row)

    def slot_by_id(self, scope_id: int, slot: int) -> SlotRow | None:
        row = self._run(READ["slot_by_id"], (scope_id, slot)).fetchone()
        return None if row is None else rows.slot_of(row)

    def slots_of(self, scope_id: int, subject_key: str) -> list[SlotRow]:
        return [rows.slot_of(row) for row in self._run(READ["slots_of"], (scope_id, subject_key)).fetchall()]

    def loose_slots(self, scope_id: int) -> list[SlotRow]:
        return [rows.slot_of(row) for row in self._run(READ["loose_slots"], (scope_id,)).fetchall()]

    def claims(self, scope_id: int, slot: int) -> list[ClaimRow]:
        return [rows.claim_of(row) for row in self._run(READ["claims"], (scope_id, slot)).fetchall()]

    def statements(self, scope_id: int, slot: int | None) -> list[ClaimRow]:
        if slot is None:
            return [rows.claim_of(row) for row in self._run(READ["all_statements"], (scope_id,)).fetchall()]
        return [rows.claim_of(row) for row in self._run(READ["statements"], (scope_id, slot)).fetchall()]

    def claims_between(self, scope_id: int, first: int, last: int) -> list[ClaimRow]:
        return [rows.claim_of(row) for row in self._run(READ["claims_between"], (scope_id, first, last)).fetchall()]

    def claims_made(self, scope_id: int, first: int, last: int) -> list[ClaimRow]:
        return [rows.claim_of(row) for row in self._run(READ["claims_made"], (scope_id, first, last)).fetchall()]

    def claims_of(self, scope_id: int, seq: int) -> list[ClaimRow]:
        return [rows.claim_of(row) for row in self._run(READ["claims_of"], (scope_id, seq)).fetchall()]

    def slots_with_values(self, scope_id: int, keys: Sequence[str]) -> list[int]:
        found = self._run(READ["slots_with_values"], (scope_id, rows.json_array(keys)))
        return [slot for (slot,) in found.fetchall()]

    def facts(self, scope_id: int, slot: int) -> list[FactRow]:
        return [rows.fact_of(row) for row in self._run(READ["facts"], (scope_id, slot)).fetchall()]

    def facts_between(self, scope_id: int, first: int, last: int) -> list[FactRow]:
        return [rows.fact_of(row) for row in self._run(READ["facts_between"], (scope_id, first, last)).fetchall()]

    def runs_from(self, scope_id: int, slot: int | None, start: int, limit: int) -> list[FactRow]:
        if slot is None:
            return [rows.fact_of(row) for row in self._run(READ["all_runs_from"], (scope_id, start, limit)).fetchall()]
        return [rows.fact_of(row) for row in self._run(READ["runs_from"], (scope_id, slot, start, limit)).fetchall()]

    def run_at(self, scope_id: int, slot: int, key: str, moment: int) -> FactRow | None:
        found = [rows.fact_of(row) for row in self._run(READ["run_at"], (scope_id, slot, key, moment)).fetchall()]
        return found[0] if found else None

    def tail(self, scope_id: int, slot: int, after: int) -> list[FactRow]:
        return [rows.fact_of(row) for row in self._run(READ["tail"], (scope_id, slot, after)).fetchall()]

    def touching(self, scope_id: int, slot: int, moment: int, keys: Sequence[str]) -> list[FactRow]:
        found = self._run(READ["touching"], (scope_id, slot, moment, rows.json_array(keys)))
        return [rows.fact_of(row) for row in found.fetchall()]

    def live(self, scope_id: int, moment: int) -> list[tuple[FactRow, SlotRow]]:
        slots: dict[int, SlotRow] = {}
        found = []
        for row in sorted(self._run(_LIVE, (scope_id, moment)).fetchall()):  # cheaper here than there
            slot = slots.get(row[0])
            if slot is None:
                slot = slots[row[0]] = rows.slot_of(row[6:])
            found.append((rows.fact_of(row[:6]), slot))
        return found

    def live_in(self, scope_id: int, slot: int, moment: int) -> list[FactRow]:
        return [rows.fact_of(row) for row in self._run(READ["live_in"], (scope_id, slot, moment)).fetchall()]

    def pending(self, scope_id: int) -> list[PendingRow]:
        return [PendingRow(*row) for row in self._run(READ["pending"], (scope_id,)).fetchall()]

    def first_waiting(self, scope_id: int) -> PendingRow | None:
        return self.next_waiting(scope_id, 0, None)

    def next_waiting(self, scope_id: int, after_seq: int, due_by: int | None) -> PendingRow | None:
        row = self._run(READ["next_waiting"], (scope_id, after_seq, due_by)).fetchone()
        return None if row is None else PendingRow(*row)

    def pending_row(self, scope_id: int, seq: int) -> PendingRow | None:
        row = self._run(READ["pending_row"], (scope_id, seq)).fetchone()
        return None if row is None else PendingRow(*row)

    def failed(self, scope_id: int) -> list[PendingRow]:
        return [PendingRow(*row) for row in self._run(READ["failed"], (scope_id,)).fetchall()]

    def is_work_due(self, now: int, namespace: str | None = None) -> bool:
        return self._run(READ["is_work_due"], (now, namespace)).fetchone() is not None

    def unprojected(self, namespace: str) -> list[tuple[int, int, str, str]]:
        found: list[tuple[int, int, str, str]] = self._run(READ["unprojected"], (namespace,)).fetchall()
        return found

    def all_pending(
        self, namespace: str, limit: int, after: tuple[int, int] = FIRST_PLACE
    ) -> list[tuple[Scope, PendingRow]]:
        found = self._run(READ["all_pending"], (namespace, limit, *after)).fetchall()
        return [(Scope(*row[:3]), PendingRow(*row[3:])) for row in found]

    def workers(self) -> list[WorkerRow]:
        return [WorkerRow(*row) for row in self._run(READ["workers"]).fetchall()]

    def owners(self) -> list[str]:
        return [owner for (owner,) in self._run(READ["owners"]).fetchall()]

    def counts(self, namespace: str) -> dict[str, int]:
        row = self._run(READ["counts"], (namespace,)).fetchone() or (0,) * len(_SIZES)
        return dict(zip(_SIZES, row, strict=True))

    def sizes_hold(self) -> bool:
        differ: int = self._run(READ["sizes_that_differ"]).fetchone()[0]
        return differ == 0

    def usage(self, namespace: str) -> list[UsageRow]:
        return [UsageRow(*row) for row in self._run(READ["usage"], (namespace,)).fetchall()]

    def usage_of(self, scope_id: int) -> list[UsageRow]:
        return [UsageRow(*row) for row in self._run(READ["usage_of"], (scope_id,)).fetchall()]

    def search(self, scope_id: int, terms: Sequence[str], limit: int) -> list[tuple[str, float]]:
        texts, words = self._run(SEARCH["sizes"], (scope_id,)).fetchone() or (0, 0)
        if not texts or not terms:
            return []
        frequencies = self._run(SEARCH["frequencies"], (scope_id, rows.json_array(terms))).fetchall()
        weighted = json.dumps([[term, _weight(texts, holding)] for term, holding in frequencies])
        found: list[tuple[str, float]] = self._run(
            SEARCH["best"], (scope_id, weighted, max(words / texts, 1.0), limit)
        ).fetchall()
        return found

    def removals(self) -> list[int]:
        return [scope_id for (scope_id,) in self._run(READ["removals"]).fetchall()]

    def forgotten(self, after: ForgottenRow | None, limit: int) -> list[ForgottenRow]:
        place = ("", "", "", 0, 0) if after is None else after.place
        return [ForgottenRow(*row) for row in self._run(READ["forgotten"], (*place, limit)).fetchall()]

    def forgotten_of(self, scope: str) -> list[ForgottenRow]:
        return [ForgottenRow(*row) for row in self._run(READ["forgotten_of"], (scope,)).fetchall()]

    def indexed_rev(self, scope_id: int) -> int:
        row = self._run(SEARCH["indexed_rev"], (scope_id,)).fetchone()
        return 0 if row is None else row[0]


def head_and_registry_of(scope: Scope, row: Sequence[Any]) -> tuple[Head | None, int]:
    """Read what the statement of this name gives."""
    id, *counters, registry_rev = row
    return None if id is None else Head(id, scope, *counters), registry_rev or 0


def _weight(texts: int, holding: int) -> float:
    """A term weighs the more, the fewer of the scope's own texts hold it; what others have written counts nothing."""
    return math.log(1 + (texts - holding + 0.5) / (holding + 0.5))


def not_open(*_: object) -> NoReturn:
    raise StoreError("This snapshot or transaction is not open: use it inside its with block.")
