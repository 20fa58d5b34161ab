"""All that a copy must keep: the log itself, what hangs on it, and everything it shows."""

from __future__ import annotations

from typing import Any

from tensemem import Memory
from tensemem.model.scope import registry_scope
from tensemem.ports import Head, Reader


def kept(mem: Memory, *, queue: bool = True) -> dict[str, Any]:
    """Read all namespaces, with every row of a log and all that is not made of it."""
    with mem._engine.store.read() as reader:
        found: dict[str, Any] = {"fence": reader.meta("fence"), "namespaces": reader.namespaces()}
        for name in reader.namespaces():
            heads = [*reader.scopes(name, "", None, 10_000), reader.head(registry_scope(name))]
            for head in heads:
                if head is not None and head.rev:
                    found[repr(head.scope)] = _scope(reader, head)
            found[f"usage {name}"] = reader.usage(name)
    return found


def _scope(reader: Reader, head: Head) -> dict[str, Any]:
    id = head.id
    slots = reader.slots(id)
    return {
        "head": (head.rev, head.seq, head.last_said, head.last_recorded, head.registry_rev, head.pending, head.failed),
        "entries": list(reader.entries(id)),
        "keys": sorted(reader.keys(id, "", 10_000)),
        "pending": [(row.seq, row.state, row.attempts, row.not_before, row.error) for row in reader.pending(id)],
        "usage": reader.usage_of(id),
        "slots": sorted(
            (slot.subject_key, slot.predicate_key, slot.subject, slot.predicate, slot.horizon, slot.last_said,
             slot.last_seq, slot.plain, slot.named_at, slot.last_rev)
            for slot in slots
        ),
        "claims": sorted(row[1:] for slot in slots for row in reader.claims(id, slot.id)),
        "facts": sorted(row[1:] for slot in slots for row in reader.facts(id, slot.id)),
    }  # fmt: skip


def shown(mem: Memory, user: str) -> dict[str, Any]:
    """Ask everything there is to ask about a user."""
    history = mem.history(user)
    state = mem.state(user)
    return {
        "digest": mem.digest(user),
        "state": state,
        "history": history,
        "explained": [mem.explain(fact.id) for fact in history.facts],
        "decisions": [mem.decisions(user, seq) for seq in range(1, state.freshness.latest_seq + 1)],
        "changes": mem.changes(user),
        "context": mem.context(user).text,
        "messages": mem.messages(user),
        "questions": mem.questions(user),
        "then": [mem.state(user, known_at=rev) for rev in range(1, state.rev + 1)],
        "jobs": [job for job in mem.jobs() if job.user_id == user],
        "found": sorted((hit.kind, hit.text) for hit in mem.search(user, "Delhi Pune Go chess Acme vegan", limit=1000)),
    }
