"""Writing what is sealed: one transaction of the store below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from ...errors import StoreKeyError
from ...model.entry import Entry
from ...model.scope import Scope
from ...ports import ClaimRow, FactRow, ForgottenRow, Head, PendingRow, SlotRow, UsageRow, WorkerRow, Writer
from . import rows
from .keyring import Keyring
from .reading import SealedReader


class SealedWriter(SealedReader[Writer]):
    """A transaction: a context manager, and what can be written while it is open; see ``ports.Writer``.

    A new scope's key reaches the disk before anything that is sealed with it, since it is made when the scope is.
    """

    def __init__(self, opening: AbstractContextManager[Writer], ring: Keyring, *, makes_keys: bool) -> None:
        super().__init__(opening, ring)
        self._new_key = ring.make if makes_keys else ring.known

    def set_meta(self, name: str, value: str) -> None:
        self._inner.set_meta(name, value)

    def open_scope(self, scope: Scope) -> Head:
        head = self._noted(self._inner.open_scope(scope))
        life = self._lives[head.id]
        if scope.user_id and head.rev == life.base_rev:  # nothing is in it that another key could have sealed
            self._keys[head.id] = self._new_key(life)
        return head

    def save_head(self, head: Head) -> None:
        self._inner.save_head(head)

    def append(self, scope_id: int, entry: Entry) -> None:
        key = self._key(scope_id)
        self._inner.append(scope_id, entry if key is None else rows.sealed_entry(key, entry))

    def append_many(self, scope_id: int, entries: Iterable[Entry]) -> None:
        key = self._key(scope_id)
        self._inner.append_many(
            scope_id, entries if key is None else (rows.sealed_entry(key, entry) for entry in entries)
        )

    def replace_entries(self, scope_id: int, entries: Sequence[Entry]) -> None:
        key = self._key(scope_id)
        self._inner.replace_entries(
            scope_id, entries if key is None else [rows.sealed_entry(key, entry) for entry in entries]
        )

    def remember_key(self, scope_id: int, key: str, seq: int, digest: str) -> None:
        own = self._key(scope_id)
        if own is not None:
            key, digest = rows.sealed_key(own, key, seq, digest)
        self._inner.remember_key(scope_id, key, seq, digest)

    def drop_keys(self, scope_id: int, keys: Sequence[str]) -> None:
        own = self._key(scope_id)
        self._inner.drop_keys(scope_id, keys if own is None else [rows.named_key(own, key) for key in keys])

    def add_slot(self, scope_id: int, slot: SlotRow) -> SlotRow:
        """Keep a new slot: first under its names, which gives it its number, then sealed for that."""
        key = self._key(scope_id)
        if key is None:
            return self._inner.add_slot(scope_id, slot)
        slot.id = self._inner.add_slot(scope_id, rows.named_slot(key, slot, 0)).id
        self._inner.save_slot(scope_id, rows.sealed_slot(key, slot, slot.id))
        return slot

    def save_slot(self, scope_id: int, slot: SlotRow) -> None:
        key = self._key(scope_id)
        self._inner.save_slot(scope_id, slot if key is None else rows.sealed_slot(key, slot, slot.id))

    def put_claims(self, scope_id: int, claims: Sequence[ClaimRow]) -> None:
        key = self._key(scope_id)
        self._inner.put_claims(
            scope_id, claims if key is None else [rows.sealed_claim(key, claim) for claim in claims]
        )

    def drop_claims(self, scope_id: int, seq: int, *, kinds: Sequence[str] | None = None) -> None:
        self._inner.drop_claims(scope_id, seq, kinds=kinds)

    def put_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        key = self._key(scope_id)
        self._inner.put_facts(scope_id, facts if key is None else [rows.sealed_fact(key, fact) for fact in facts])

    def drop_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:
        key = self._key(scope_id)
        self._inner.drop_facts(scope_id, facts if key is None else [rows.named_fact(key, fact) for fact in facts])

    def clear_slots(self, scope_id: int, slots: Sequence[int]) -> None:
        self._inner.clear_slots(scope_id, slots)

    def clear_projection(self, scope_id: int) -> None:
        self._inner.clear_projection(scope_id)

    def add_pending(self, scope_id: int, seq: int) -> None:
        self._inner.add_pending(scope_id, seq)

    def save_pending(self, row: PendingRow) -> None:
        key = self._key(row.scope_id) if row.error else None
        self._inner.save_pending(row if key is None else rows.sealed_pending(key, row))

    def drop_pending(self, scope_id: int, seq: int) -> bool:
        return self._inner.drop_pending(scope_id, seq)

    def lease(
        self, owner: str, now: int, until: int, dead: Sequence[str], skip: Sequence[int], namespace: str | None = None
    ) -> Head | None:
        """Pass by scopes whose key is gone: what waits there can't be read, and must not hold up the others."""
        passed = list(skip)
        while (head := self._inner.lease(owner, now, until, dead, passed, namespace)) is not None:
            self._noted(head)
            try:
                self._key(head.id)
            except StoreKeyError:
                self._inner.release(head.id, owner)
                passed.append(head.id)
            else:
                return head
        return None

    def lease_scope(self, scope_id: int, owner: str, now: int, until: int, dead: Sequence[str]) -> bool:
        return self._inner.lease_scope(scope_id, owner, now, until, dead)

    def holds(self, scope_id: int, owner: str) -> bool:
        return self._inner.holds(scope_id, owner)

    def renew(self, scope_id: int, owner: str, until: int) -> bool:
        return self._inner.renew(scope_id, owner, until)

    def release(self, scope_id: int, owner: str) -> None:
        self._inner.release(scope_id, owner)

    def beat(self, worker: WorkerRow) -> None:
        self._inner.beat(worker)

    def drop_worker(self, worker_id: str) -> None:
        self._inner.drop_worker(worker_id)

    def add_usage(self, scope_id: int, used: UsageRow) -> None:
        self._inner.add_usage(scope_id, used)

    def recount(self) -> None:
        self._inner.recount()

    def index(self, scope_id: int, texts: Sequence[tuple[str, str]], upto_rev: int) -> None:
        key = self._key(scope_id) if texts else None
        if key is not None:
            texts = [(reference, rows.named_text(key, text)) for reference, text in texts]
        self._inner.index(scope_id, texts, upto_rev)

    def drop_texts(self, scope_id: int, references: Sequence[str]) -> int:
        return self._inner.drop_texts(scope_id, references)

    def clear_index(self, scope_id: int) -> None:
        self._inner.clear_index(scope_id)

    def keep_forgotten(self, namespace: str, rows: Sequence[ForgottenRow]) -> None:
        self._inner.keep_forgotten(namespace, rows)

    def remove_scope(self, head: Head) -> dict[str, int]:
        """Destroy the scope's key, then take the scope away: whatever breaks off in between, nobody reads it again.

        A key that its rows are not sealed with is left: it is that of a later life, of which a newer copy may be kept.
        """
        if head.scope.user_id and self._is_sealed_with_todays_key(head):
            self._ring.destroy(head.scope)
        self._keys.pop(head.id, None)
        return self._inner.remove_scope(head)

    def _is_sealed_with_todays_key(self, head: Head) -> bool:
        self._noted(head)
        try:
            self._key(head.id)
        except StoreKeyError:
            return False
        return head.rev > head.base_rev

    def remove_rows(self, scope_id: int, limit: int) -> dict[str, int]:
        return self._inner.remove_rows(scope_id, limit)
