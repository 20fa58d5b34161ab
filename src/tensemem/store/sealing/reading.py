"""Reading what is sealed: one snapshot of the store below, and what it says once it is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from types import TracebackType
from typing import Generic, Self, TypeVar

from ...errors import StoreCorruptError, StoreError, StoreKeyError
from ...model.entry import Entry
from ...model.scope import Scope
from ...ports import (
    FIRST_PLACE,
    ClaimRow,
    FactRow,
    ForgottenRow,
    Head,
    PendingRow,
    Reader,
    SlotRow,
    UsageRow,
    WorkerRow,
)
from . import rows
from .ciphers import ScopeKey
from .hand import Life
from .keyring import Keyring

Inner = TypeVar("Inner", bound=Reader)
Row = TypeVar("Row")

_PAGE = 500


class SealedReader(Generic[Inner]):
    """A snapshot: a context manager, and the answers while it is open; ``ports.Reader`` says what each gives.

    A scope's key is asked for where something sealed is to be read, not before: heads, sizes and what waits can be
    told of scopes whose key is gone. Registries are not sealed.
    """

    def __init__(self, opening: AbstractContextManager[Inner], ring: Keyring) -> None:
        self._opening, self._ring = opening, ring
        self._lives: dict[int, Life] = {}
        self._keys: dict[int, ScopeKey | None] = {}
        self._inner: Inner

    def __enter__(self) -> Self:
        self._inner = self._opening.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._opening.__exit__(kind, error, trace)

    def _noted(self, head: Head) -> Head:
        """Remember whose number this is."""
        self._lives[head.id] = self._ring.note(head)
        return head

    def _key(self, scope_id: int) -> ScopeKey | None:
        """Give a scope's key, None for a registry, which needs none. Raises StoreKeyError where it is gone."""
        try:
            return self._keys[scope_id]
        except KeyError:
            pass
        life = self._life(scope_id)
        if life is None:
            raise StoreError(f"there is no scope of the number {scope_id} in this store")
        key = self._keys[scope_id] = self._ring.key_of(life, self._check_of(life)) if life.scope.user_id else None
        return key

    def _check_of(self, life: Life) -> Callable[[ScopeKey], None]:
        """Give what finds out whether a key is that of what is there: else a name would find nothing, and no harm seem
        done. Raises StoreKeyError where it is the key of another life, of which this copy does not know.
        """

        def check(key: ScopeKey) -> None:
            first = next(self._inner.entries(life.number, life.base_rev, life.base_rev + 1), None)
            if first is not None:
                with suppress(StoreCorruptError):  # that is told to whoever reads it
                    rows.opened_entry(key, first)

        return check

    def _life(self, scope_id: int) -> Life | None:
        """Find out whose number this is: told in this snapshot, in an earlier one, or by asking for all of them."""
        if scope_id in self._lives:
            return self._lives[scope_id]
        known = self._ring.hint(scope_id)
        head = None if known is None else self._inner.head(known.scope)
        if head is None or head.id != scope_id:
            head = next((head for heads in self.pages_of_heads() for head in heads if head.id == scope_id), None)
        return None if head is None else self._lives[self._noted(head).id]

    def pages_of_heads(self) -> Iterator[list[Head]]:
        """Give the heads of all scopes, those of registries too, some at a time."""
        for namespace in self._inner.namespaces():
            registry = self._inner.head(Scope(namespace, ""))
            yield [] if registry is None else [registry]
            after: tuple[str, str] | None = None
            while found := self._inner.scopes(namespace, "", after, _PAGE):
                yield found
                after = (found[-1].scope.user_id, found[-1].scope.agent_id)

    def _asked(self, scope_id: int) -> tuple[bool, ScopeKey | None]:
        """Give a scope's key to ask for something by name; tells first whether there is such a scope at all."""
        is_known = scope_id in self._keys or self._life(scope_id) is not None
        return is_known, self._key(scope_id) if is_known else None

    def _opened(self, scope_id: int, found: list[Row], open_row: Callable[[ScopeKey, Row], Row]) -> list[Row]:
        if not found:
            return found
        key = self._key(scope_id)
        return found if key is None else [open_row(key, row) for row in found]

    def _opened_one(self, scope_id: int, found: Row | None, open_row: Callable[[ScopeKey, Row], Row]) -> Row | None:
        if found is None:
            return None
        key = self._key(scope_id)
        return found if key is None else open_row(key, found)

    def meta(self, name: str) -> str | None:
        return self._inner.meta(name)

    def head(self, scope: Scope) -> Head | None:
        head = self._inner.head(scope)
        return None if head is None else self._noted(head)

    def registry_rev(self, namespace: str) -> int:
        return self._inner.registry_rev(namespace)

    def head_and_registry(self, scope: Scope) -> tuple[Head | None, int]:
        found = self._inner.head_and_registry(scope)
        if found[0] is not None:
            self._noted(found[0])
        return found

    def scope_of_tag(self, tag: str) -> Scope | None:
        return self._inner.scope_of_tag(tag)

    def namespaces(self) -> list[str]:
        return self._inner.namespaces()

    def scopes(self, namespace: str, prefix: str, after: tuple[str, str] | None, limit: int) -> list[Head]:
        return [self._noted(head) for head in self._inner.scopes(namespace, prefix, after, limit)]

    def entries(self, scope_id: int, after_rev: int = 0, upto_rev: int | None = None) -> Iterator[Entry]:
        for entry in self._inner.entries(scope_id, after_rev, upto_rev):
            key = self._key(scope_id)
            yield entry if key is None else rows.opened_entry(key, entry)

    def entries_of(self, scope_id: int, first: int, last: int) -> list[Entry]:
        return self._opened(scope_id, self._inner.entries_of(scope_id, first, last), rows.opened_entry)

    def episode(self, scope_id: int, seq: int) -> Entry | None:
        return self._opened_one(scope_id, self._inner.episode(scope_id, seq), rows.opened_entry)

    def settlements(self, scope_id: int, seq: int) -> list[Entry]:
        return self._opened(scope_id, self._inner.settlements(scope_id, seq), rows.opened_entry)

    def extracted_again(self, scope_id: int, after_rev: int) -> list[Entry]:
        return self._opened(scope_id, self._inner.extracted_again(scope_id, after_rev), rows.opened_entry)

    def messages_before(self, scope_id: int, seq: int, limit: int) -> list[Entry]:
        return self._opened(scope_id, self._inner.messages_before(scope_id, seq, limit), rows.opened_entry)

    def rev_at(self, scope_id: int, moment: int) -> int:
        return self._inner.rev_at(scope_id, moment)

    def find_key(self, scope_id: int, key: str) -> tuple[int, str] | None:
        is_known, own = self._asked(scope_id)
        if not is_known or own is None:
            return self._inner.find_key(scope_id, key)
        name = own.name(rows.KEY, key)
        found = self._inner.find_key(scope_id, name)
        return None if found is None else (found[0], rows.opened_key(own, name, *found)[1])

    def keys(self, scope_id: int, after: str, limit: int) -> list[tuple[str, int, str]]:
        is_known, own = self._asked(scope_id)
        if not is_known or own is None:
            return self._inner.keys(scope_id, after, limit)
        found = self._inner.keys(scope_id, own.name(rows.KEY, after) if after else "", limit)
        opened = [(rows.opened_key(own, name, seq, sealed), seq) for name, seq, sealed in found]
        return [(known, seq, digest) for (known, digest), seq in opened]

    def slots(self, scope_id: int) -> list[SlotRow]:
        return self._opened(scope_id, self._inner.slots(scope_id), rows.opened_slot)

    def slots_after(self, scope_id: int, slot: int, limit: int) -> list[SlotRow]:
        return self._opened(scope_id, self._inner.slots_after(scope_id, slot, limit), rows.opened_slot)

    def slot(self, scope_id: int, subject_key: str, predicate_key: str) -> SlotRow | None:
        is_known, key = self._asked(scope_id)
        if not is_known or key is None:
            return self._inner.slot(scope_id, subject_key, predicate_key)
        names = key.name(rows.SUBJECT, subject_key), key.name(rows.PREDICATE, predicate_key)
        found = self._inner.slot(scope_id, *names)
        return None if found is None else rows.opened_slot(key, found)

    def slot_by_id(self, scope_id: int, slot: int) -> SlotRow | None:
        return self._opened_one(scope_id, self._inner.slot_by_id(scope_id, slot), rows.opened_slot)

    def slots_of(self, scope_id: int, subject_key: str) -> list[SlotRow]:
        is_known, key = self._asked(scope_id)
        name = key.name(rows.SUBJECT, subject_key) if is_known and key is not None else subject_key
        return self._opened(scope_id, self._inner.slots_of(scope_id, name), rows.opened_slot)

    def loose_slots(self, scope_id: int) -> list[SlotRow]:
        return self._opened(scope_id, self._inner.loose_slots(scope_id), rows.opened_slot)

    def claims(self, scope_id: int, slot: int) -> list[ClaimRow]:
        return self._opened(scope_id, self._inner.claims(scope_id, slot), rows.opened_claim)

    def statements(self, scope_id: int, slot: int | None) -> list[ClaimRow]:
        return self._opened(scope_id, self._inner.statements(scope_id, slot), rows.opened_claim)

    def claims_between(self, scope_id: int, first: int, last: int) -> list[ClaimRow]:
        return self._opened(scope_id, self._inner.claims_between(scope_id, first, last), rows.opened_claim)

    def claims_made(self, scope_id: int, first: int, last: int) -> list[ClaimRow]:
        return self._opened(scope_id, self._inner.claims_made(scope_id, first, last), rows.opened_claim)

    def claims_of(self, scope_id: int, seq: int) -> list[ClaimRow]:
        return self._opened(scope_id, self._inner.claims_of(scope_id, seq), rows.opened_claim)

    def slots_with_values(self, scope_id: int, keys: Sequence[str]) -> list[int]:
        is_known, key = self._asked(scope_id)
        if is_known and key is not None:
            keys = [rows.value_name(key, value_key) for value_key in keys]
        return self._inner.slots_with_values(scope_id, keys)

    def unprojected(self, namespace: str) -> list[tuple[int, int, str, str]]:
        """Leaves out scopes whose key is gone: nothing in them will ever be projected again."""
        found = []
        for scope_id, number, *_ in self._inner.unprojected(namespace):
            try:
                slot = self.slot_by_id(scope_id, number)
            except StoreKeyError:
                continue
            if slot is not None:
                found.append((scope_id, number, slot.predicate_key, slot.predicate))
        return found

    def facts(self, scope_id: int, slot: int) -> list[FactRow]:
        return self._facts(scope_id, self._inner.facts(scope_id, slot))

    def facts_between(self, scope_id: int, first: int, last: int) -> list[FactRow]:
        return self._facts(scope_id, self._inner.facts_between(scope_id, first, last))

    def runs_from(self, scope_id: int, slot: int | None, start: int, limit: int) -> list[FactRow]:
        return self._opened(scope_id, self._inner.runs_from(scope_id, slot, start, limit), rows.opened_fact)

    def run_at(self, scope_id: int, slot: int, key: str, moment: int) -> FactRow | None:
        is_known, own = self._asked(scope_id)
        name = rows.fact_names(own, [key])[0] if is_known and own is not None else key
        return self._opened_one(scope_id, self._inner.run_at(scope_id, slot, name, moment), rows.opened_fact)

    def tail(self, scope_id: int, slot: int, after: int) -> list[FactRow]:
        return self._facts(scope_id, self._inner.tail(scope_id, slot, after))

    def touching(self, scope_id: int, slot: int, moment: int, keys: Sequence[str]) -> list[FactRow]:
        is_known, key = self._asked(scope_id)
        names = rows.fact_names(key, keys) if is_known and key is not None else keys
        return self._facts(scope_id, self._inner.touching(scope_id, slot, moment, names))

    def live_in(self, scope_id: int, slot: int, moment: int) -> list[FactRow]:
        return self._facts(scope_id, self._inner.live_in(scope_id, slot, moment))

    def live(self, scope_id: int, moment: int) -> list[tuple[FactRow, SlotRow]]:
        found = self._inner.live(scope_id, moment)
        key = self._key(scope_id) if found else None
        if key is None:
            return found
        slots: dict[int, SlotRow] = {}
        opened = []
        for fact, sealed in found:
            slot = slots.get(sealed.id)
            if slot is None:
                slot = slots[sealed.id] = rows.opened_slot(key, sealed)
            opened.append((rows.opened_fact(key, fact), slot))
        return sorted(opened, key=lambda pair: pair[0][:4])

    def _facts(self, scope_id: int, found: list[FactRow]) -> list[FactRow]:
        """Open facts, and put them in the order of their own keys."""
        return sorted(self._opened(scope_id, found, rows.opened_fact), key=lambda fact: fact[:4])

    def pending(self, scope_id: int) -> list[PendingRow]:
        return [self._pending(row) for row in self._inner.pending(scope_id)]

    def first_waiting(self, scope_id: int) -> PendingRow | None:
        return self._pending_or_none(self._inner.first_waiting(scope_id))

    def next_waiting(self, scope_id: int, after_seq: int, due_by: int | None) -> PendingRow | None:
        return self._pending_or_none(self._inner.next_waiting(scope_id, after_seq, due_by))

    def pending_row(self, scope_id: int, seq: int) -> PendingRow | None:
        return self._pending_or_none(self._inner.pending_row(scope_id, seq))

    def failed(self, scope_id: int) -> list[PendingRow]:
        return [self._pending(row) for row in self._inner.failed(scope_id)]

    def all_pending(
        self, namespace: str, limit: int, after: tuple[int, int] = FIRST_PLACE
    ) -> list[tuple[Scope, PendingRow]]:
        return [(scope, self._pending(row)) for scope, row in self._inner.all_pending(namespace, limit, after)]

    def _pending_or_none(self, row: PendingRow | None) -> PendingRow | None:
        return None if row is None else self._pending(row)

    def _pending(self, row: PendingRow) -> PendingRow:
        """Open what went wrong; of a scope whose key is gone it is told what waits all the same."""
        try:
            key = self._key(row.scope_id) if row.error else None
        except StoreKeyError:
            return replace(row, error="what went wrong is sealed, and its key is gone")
        return row if key is None else rows.opened_pending(key, row)

    def is_work_due(self, now: int, namespace: str | None = None) -> bool:
        return self._inner.is_work_due(now, namespace)

    def workers(self) -> list[WorkerRow]:
        return self._inner.workers()

    def owners(self) -> list[str]:
        return self._inner.owners()

    def counts(self, namespace: str) -> dict[str, int]:
        return self._inner.counts(namespace)

    def sizes_hold(self) -> bool:
        return self._inner.sizes_hold()

    def usage(self, namespace: str) -> list[UsageRow]:
        return self._inner.usage(namespace)

    def usage_of(self, scope_id: int) -> list[UsageRow]:
        return self._inner.usage_of(scope_id)

    def search(self, scope_id: int, terms: Sequence[str], limit: int) -> list[tuple[str, float]]:
        is_known, key = self._asked(scope_id)
        if is_known and key is not None:
            terms = rows.named_terms(key, terms)
        return self._inner.search(scope_id, terms, limit)

    def indexed_rev(self, scope_id: int) -> int:
        return self._inner.indexed_rev(scope_id)

    def removals(self) -> list[int]:
        return self._inner.removals()

    def forgotten(self, after: ForgottenRow | None, limit: int) -> list[ForgottenRow]:
        return self._inner.forgotten(after, limit)

    def forgotten_of(self, scope: str) -> list[ForgottenRow]:
        return self._inner.forgotten_of(scope)
