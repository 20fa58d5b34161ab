"""A town with two houses: somebody to be robbed, and an intruder who knows every id of theirs."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from tensemem import Memory, Operation
from tensemem.model.scope import Scope
from tests.engine.bench import Clock, Told

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
CALM: dict[str, Any] = {"worker": False, "durability": "process"}
SECRETS = ("plumwood", "zither", "quince street", "mothership", "vera's own label")
"""Words that stand in the victim's house only, and that no intruder says."""


@dataclass(frozen=True)
class Loot:
    """Everything of somebody else's that an intruder may have got hold of: names, numbers, ids, keys and cursors."""

    namespace: str
    user: str
    agent: str
    fact: str = ""
    corrected: str = ""
    statement: str = ""
    candidate: str = ""
    question: str = ""
    waiting: int = 0
    failed: int = 0
    rev: int = 0
    session: str = "vera's session"
    key: str = "vera's key"
    predicate: str = "lair"
    proposed: str = "hidden_hobby"
    entity: str = "PostgreSQL"
    alias: str = "pg"
    cursors: tuple[str, ...] = ()
    plan: Any = field(default=None, repr=False)
    exported: bytes = field(default=b"", repr=False)


def victim(mem: Memory, told: Told, loot: Loot) -> Loot:
    """Furnish the victim's house; gives what can be stolen of it."""
    where: dict[str, Any] = {"agent_id": loot.agent}
    told.answers |= {
        "My lair is plumwood": [Operation("set", loot.predicate, "plumwood", quote="My lair is plumwood")],
        "I play the zither": [Operation("set", loot.proposed, "zither", quote="I play the zither")],
        "They say I live in quince street": [
            Operation("set", "lives_in", "quince street", quote="I live in quince street", modality="reported")
        ],
    }
    mem.register_predicate(loot.predicate, review_after="1d")
    mem.register_predicate("lives_in")
    mem.register_entity(loot.entity, aliases=[loot.alias])
    mem.add(loot.user, "My lair is plumwood", session_id=loot.session, idempotency_key=loot.key, **where)
    mem.add(loot.user, "I play the zither", **where)
    mem.add(loot.user, "They say I live in quince street", **where)
    mem.flush(loot.user, **where)
    mem.set(loot.user, "lives_in", "Delhi", idempotency_key="vera's write", **where)
    wrong = mem.set(loot.user, "lives_in", "mothership", source="vera's own label", **where)
    mem.correct(str(wrong.fact_id), user_id=loot.user, agent_id=loot.agent)
    mem.set(loot.user, loot.predicate, "mothership", **where)
    mem.retract(loot.user, loot.predicate, "mothership", **where)
    state, history = mem.state(loot.user, **where), mem.history(loot.user, loot.predicate, **where)
    plan = mem.reextract(loot.user, Told(), **where)
    waits = mem.add(loot.user, "I am waiting for plumwood", **where).seq
    failed = mem.add(loot.user, "I failed at the zither", **where).seq
    exported = io.BytesIO()
    mem.export(exported, user_id=loot.user, agent_id=loot.agent)
    _give_up(mem, Scope(loot.namespace, loot.user, loot.agent), failed)
    return replace(
        loot, fact=history.facts[0].id, corrected=str(wrong.fact_id), statement=history.retractions[0].id,
        candidate=state.candidates[0].id, question=mem.questions(loot.user, **where)[0].id, waiting=waits,
        failed=failed, rev=state.rev, plan=plan, exported=exported.getvalue(),
        cursors=(history.facts[0].id, str(waits), f"{loot.user}\0{loot.agent}"),
    )  # fmt: skip


def _give_up(mem: Memory, scope: Scope, seq: int) -> None:
    """Leave a message as one that an extractor could make nothing of."""
    with mem._engine.store.write() as tx:
        head = tx.head(scope)
        assert head is not None
        row = tx.pending_row(head.id, seq)
        assert row is not None
        row.state, row.attempts, row.error = "failed", 5, "zither"
        tx.save_pending(row)
        head.pending, head.failed = head.pending - 1, head.failed + 1
        tx.save_head(head)


def intruder(mem: Memory, user: str = "ian", agent: str = "") -> None:
    """Furnish the intruder's house, so that there is something to be told of."""
    mem.register_predicate("lives_in")
    mem.register_predicate("languages", "many")
    mem.set(user, "lives_in", "Oslo", agent_id=agent)
    mem.add(user, "hello there", agent_id=agent)


@dataclass
class World:
    """A store, with the victim's house in it or without, and an intruder at its door."""

    path: str
    told: Told
    events: list[str]
    folder: str = "<no folder>"

    @contextmanager
    def opened(self, **options: Any) -> Iterator[Memory]:
        """Open the store as the intruder does; what is told to hooks is kept."""
        with Memory(self.path, **{**CALM, "llm": self.told, "clock": Clock(NOON), **options}) as mem:
            mem.on(self._heard)
            yield mem

    def _heard(self, event: str, fields: Mapping[str, Any]) -> None:
        self.events.append(f"{event} {sorted(fields.items())!r}")
