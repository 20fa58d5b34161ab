"""Reading from the reference store: one snapshot, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from ..model.entry import EPISODES, Entry, EntryKind
from ..model.scope import Scope
from ..ports import FIRST_PLACE, ClaimRow, FactRow, ForgottenRow, Head, PendingRow, SlotRow, UsageRow, WorkerRow
from .plain_tree import Log, Tree, sizes_of, usage_of

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
        mine = (entry for entry in self.entries(scope_id) if entry.seq == seq and not entry.extraction)
        return next((entry for entry in mine if entry.kind in EPISODES), None)

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

    def slots_of(self, scope_id: int, subject_key: str) -> list[SlotRow]:
        return [slot for slot in self.slots(scope_id) if slot.subject_key == subject_key]

    def loose_slots(self, scope_id: int) -> list[SlotRow]:
        return [slot for slot in self.slots(scope_id) if not slot.whole]

    def claims(self, scope_id: int, slot: int) -> list[ClaimRow]:
        return [claim for _, claim in sorted(self._log(scope_id).claims.items()) if claim.slot == slot]

    def statements(self, scope_id: int, slot: int | None) -> list[ClaimRow]:
        taking = (one for one in self._log(scope_id).claims.values() if one.kind in ("retract", "deny", "replace"))
        return sorted(one for one in taking if slot in (None, one.slot))

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

    def runs_from(self, scope_id: int, slot: int | None, start: int, limit: int) -> list[FactRow]:
        facts = self._log(scope_id).facts.values()
        runs = [one for one in facts if one.kind == 0 and one.start >= start and slot in (None, one.slot)]
        return sorted(runs, key=lambda one: one.start)[:limit]

    def run_at(self, scope_id: int, slot: int, key: str, moment: int) -> FactRow | None:
        runs = [one for one in self.facts(scope_id, slot) if one.kind == 0 and one.key == key and one.start <= moment]
        return max(runs, key=lambda one: one.start, default=None)

    def tail(self, scope_id: int, slot: int, after: int) -> list[FactRow]:
        return [fact for fact in self.facts(scope_id, slot) if fact.kind == 0 and fact.end > after]

    def touching(self, scope_id: int, slot: int, moment: int, keys: Sequence[str]) -> list[FactRow]:
        runs = (one for one in self.facts(scope_id, slot) if one.kind == 0)
        return [one for one in runs if one.end == moment or (one.start == moment and one.key in keys)]

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

    def is_work_due(self, now: int, namespace: str | None = None) -> bool:
        logs = self._tree.logs.values()
        due = (log.due for log in logs if namespace in (None, log.head.scope.namespace))
        return any(first is not None and first <= now for first in due)

    def unprojected(self, namespace: str) -> list[tuple[int, int, str, str]]:
        return [
            (id, slot.id, slot.predicate_key, slot.predicate)
            for scope, id in sorted(self._tree.ids.items(), key=lambda item: item[1])
            if scope.namespace == namespace
            for slot in self.slots(id)
            if any(row.outcome == "refused" for row in self.claims(id, slot.id))
        ]

    def all_pending(
        self, namespace: str, limit: int, after: tuple[int, int] = FIRST_PLACE
    ) -> list[tuple[Scope, PendingRow]]:
        return [
            (scope, row)
            for scope, id in sorted(self._tree.ids.items(), key=lambda item: item[1])
            if scope.namespace == namespace
            for row in self.pending(id)
            if (id, row.seq) > after
        ][:limit]

    def workers(self) -> list[WorkerRow]:
        return [worker for _, worker in sorted(self._tree.workers.items())]

    def owners(self) -> list[str]:
        return sorted({owner for owner, _ in self._tree.leases.values()})

    def counts(self, namespace: str) -> dict[str, int]:
        """Give sizes, the registry left out."""
        return sizes_of([log for log in self._tree.logs_of(namespace) if log.head.scope.user_id])

    def sizes_hold(self) -> bool:
        """They are counted when they are asked for."""
        return True

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

    def removals(self) -> list[int]:
        return sorted(self._tree.removals)

    def forgotten(self, after: ForgottenRow | None, limit: int) -> list[ForgottenRow]:
        return [row for row in self._tree.forgotten if after is None or row.place > after.place][:limit]

    def forgotten_of(self, scope: str) -> list[ForgottenRow]:
        return [row for row in self._tree.forgotten if row.scope == scope]
