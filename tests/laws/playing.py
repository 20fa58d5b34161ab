"""Playing a scenario on an engine, and looking at all that it shows."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest

from tensemem import Fact, FakeExtractor, History, Memory, Operation
from tensemem.engine.core import Engine
from tensemem.engine.flow import run
from tensemem.engine.settle import settle_next
from tensemem.errors import TensememError
from tensemem.model.fact import Statement
from tensemem.model.scope import Scope
from tensemem.store.plain import PlainStore
from tests.laws.scenarios import (
    FIRST_DAY,
    Action,
    Correct,
    Dismiss,
    Erase,
    Forget,
    Purge,
    Register,
    Reinstate,
    Reread,
    Review,
    Say,
    Scenario,
    Settle,
    Wait,
    Write,
    day,
)

USER = "ann"
RUNS = frozenset({"active", "superseded", "retracted", "expired", "scheduled"})
"""The statuses of what shows or showed."""

_OPEN = RUNS | {"candidate", "planned"}


class HandClock:
    """A clock that stands where it was put."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@contextmanager
def on_plain_stores() -> Iterator[None]:
    """Memories opened inside keep everything in the reference store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tensemem.engine.wiring.open_store", lambda *_, **__: PlainStore())
        yield


@contextmanager
def without_appending() -> Iterator[None]:
    """Every claim refolds its slot."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tensemem.engine.project.append_claim", lambda *_, **__: False)
        yield


class Player:
    """A memory with one user, on which actions are played one by one."""

    def __init__(self, scenario: Scenario, path: Any = ":memory:") -> None:
        self.scenario = scenario
        self.clock = HandClock(day(FIRST_DAY))
        script = {line.text: list(line.operations) for line in scenario.lines}
        self.extractor = FakeExtractor(script)
        self.path = path
        self._known_subjects: set[str] = set()
        self.mem = self._opened()
        for entry in scenario.first:
            self._register(entry)

    def _opened(self) -> Memory:
        return Memory(self.path, llm=self.extractor, worker=False, clock=self.clock, durability="process")

    def reopen(self) -> None:
        self.mem.close()
        self.mem = self._opened()

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.mem.close()

    @property
    def engine(self) -> Engine:
        return self.mem._engine

    @property
    def scope(self) -> Scope:
        return Scope("default", USER)

    def play(self) -> Iterator[Action]:
        """Play the whole scenario; gives each action after it was played."""
        for action in self.scenario.actions:
            self.act(action)
            yield action

    def play_all(self) -> Player:
        for _ in self.play():
            pass
        return self

    def act(self, action: Action) -> Any:
        """Play one action. What is refused leaves the logs as they were, and gives None."""
        before = self.revs()
        try:
            return self._act(action)
        except TensememError:
            assert self.revs() == before, f"{action} was refused and yet it is in the log"
            return None

    def revs(self) -> tuple[int, int, int]:
        """The revision and seq of the scope's log, and the revision of the registry."""
        with self.engine.store.read() as reader:
            head, registry = reader.head_and_registry(self.scope)
        return (0, 0, registry) if head is None else (head.rev, head.seq, registry)

    def _act(self, action: Action) -> Any:
        match action:
            case Say():
                return self._say(action)
            case Write():
                return self._write(action)
            case Correct():
                target = self._target(action.pick, _OPEN, by_claim=action.by_claim)
                return self.mem.correct(
                    target, action.value, valid_from=action.valid_from, valid_to=action.valid_to,
                    said_at=action.said_at, idempotency_key=action.key,
                )  # fmt: skip
            case Reinstate() | Review():
                return self._amend(action)
            case Register():
                return self._register(action)
            case Settle():
                return self.settle_all() if action.pick is None else self.settle(action.pick)
            case Dismiss():
                waiting = self.waiting()
                return self.mem.dismiss(USER, waiting[action.pick % len(waiting)]) if waiting else None
            case Reread():
                return self._reread(action)
            case Forget() | Erase() | Purge():
                return self._remove(action)
            case Wait():
                self.clock.now += timedelta(days=action.days)
        return None

    def _say(self, action: Say) -> Any:
        receipt = self.mem.add(
            USER, self.scenario.lines[action.line].text, role=action.role, said_at=action.said_at,
            source=action.source, speaker=action.speaker, idempotency_key=action.key,
        )  # fmt: skip
        if action.at_once:
            self.settle_all()
        return receipt

    def _reread(self, action: Reread) -> Any:
        """Another model reads the settled message picked, or the next one behind it."""
        script = {
            line.text: [line.operations[number] for number in action.keep if number < len(line.operations)]
            for line in self.scenario.lines
        }
        seq = 1 + action.pick % max(self.revs()[1], 1)
        return self.mem.reextract(USER, FakeExtractor(script), from_seq=seq, limit=1, dry_run=False)

    def _amend(self, action: Reinstate | Review) -> Any:
        if isinstance(action, Reinstate):
            return self.mem.reinstate(self._target(action.pick, {"corrected"}))
        return self.mem.review(self._target(action.pick, {"candidate", "planned"}), action.accept)

    def _remove(self, action: Forget | Erase | Purge) -> Any:
        if isinstance(action, Erase):
            return self.mem.erase(USER, 1 + action.pick % max(self.revs()[1], 1))
        if isinstance(action, Purge):
            return self.mem.purge(action.before, keep_quotes=action.keep_quotes)
        facts = self.facts()
        if not facts:
            return None
        fact = facts[action.pick % len(facts)]
        if action.what == "value":
            return self.mem.forget(fact_id=fact.id)
        predicate = fact.predicate if action.what == "slot" else None
        return self.mem.forget(USER, subject=fact.subject, predicate=predicate)

    def _register(self, entry: Register) -> Any:
        return getattr(self.mem, entry.verb)(entry.name, **entry.options)

    def _write(self, action: Write) -> Any:
        common: dict[str, Any] = {
            "said_at": action.said_at, "source": action.source, "idempotency_key": action.key,
        }  # fmt: skip
        if len(action.operations) > 1 or action.operations[0].modality != "asserted":
            return self.mem.write(USER, action.operations, **common)
        return self._verb(action.operations[0], common)

    def _verb(self, one: Operation, common: dict[str, Any]) -> Any:
        """Call the verb that one operation is."""
        mem, named = self.mem, {"subject": one.subject, **common}
        if one.valid_from is not None:
            return mem.record(
                USER, one.predicate, one.value, valid_from=one.valid_from, valid_to=one.valid_to, **named
            )  # fmt: skip
        if one.valid_to is not None:
            return mem.write(USER, [one], **common)
        since: dict[str, Any] = {} if one.since is None else {"since": one.since}
        until: dict[str, Any] = {} if one.until is None else {"until": one.until}
        match one.op:
            case "set":
                return mem.set(USER, one.predicate, one.value, **since, **until, **named)
            case "add":
                return mem.add_value(USER, one.predicate, one.value, **since, **until, **named)
            case "remove":
                return mem.remove_value(USER, one.predicate, one.value, **since, **named)
            case "replace":
                return mem.replace_values(USER, one.predicate, one.value, **since, **named)
            case "retract":
                return mem.retract(USER, one.predicate, one.value, **since, **named)
            case "deny":
                return mem.deny(USER, one.predicate, one.value, **named)
            case _:
                return mem.confirm(USER, one.predicate, one.value, **named)

    # --- extracting ---------------------------------------------------------------------------------------------

    def waiting(self) -> list[int]:
        """The seqs of the messages that wait."""
        with self.engine.store.read() as reader:
            head = reader.head(self.scope)
            return [] if head is None else [row.seq for row in reader.pending(head.id) if row.state == "waiting"]

    def settle(self, pick: int) -> None:
        """Extract one of the messages that wait."""
        waiting = self.waiting()
        if waiting:
            extractor = self.engine.extractor
            assert extractor is not None
            run(settle_next(self.engine, extractor, self.scope, after=waiting[pick % len(waiting)] - 1))

    def settle_all(self) -> None:
        self.mem.flush(USER)

    # --- looking ------------------------------------------------------------------------------------------------

    def histories(self, **options: Any) -> list[History]:
        return [self.mem.history(USER, subject=subject, **options) for subject in self.subjects()]

    def subjects(self) -> list[str]:
        """Everybody anything is known of."""
        with self.engine.store.read() as reader:
            head = reader.head(self.scope)
            slots = [] if head is None else reader.slots(head.id)
            return sorted({"user", *(slot.subject for slot in slots)})

    def facts(self, **options: Any) -> list[Fact]:
        self._known_subjects.update(self.subjects())  # somebody known once may be unknown to another model
        histories = (self.mem.history(USER, subject=who, **options) for who in sorted(self._known_subjects))
        return list({fact.id + str(fact.status): fact for one in histories for fact in one.facts}.values())

    def statements(self) -> list[Statement]:
        return list({one.id: one for found in self.histories() for one in found.retractions}.values())

    def _target(self, pick: int, statuses: Collection[str], *, by_claim: bool = False) -> str:
        """The id of something there is: mostly of a fact with one of these statuses, or a statement in force."""
        facts, statements = self.facts(), self.statements() if "active" in statuses else []
        if pick % 6:
            facts = [fact for fact in facts if str(fact.status) in statuses] or facts
            statements = [one for one in statements if one.in_force]
        ids = [fact.claim_ids[-1] if by_claim else fact.id for fact in facts] + [one.id for one in statements]
        return ids[pick % len(ids)] if ids else "no such id"

    def view(self) -> dict[str, Any]:
        """All that must not depend on when anything was recorded, extracted or rebuilt."""
        state = self.mem.state(USER)
        return {
            "digest": self.mem.digest(USER),
            "state": [seen(fact) for fact in state.facts],
            "planned": [seen(fact) for fact in state.planned],
            "candidates": [seen(fact) for fact in state.candidates],
            "history": [[seen(fact) for fact in one.facts] for one in self.histories()],
            "statements": [one.retractions for one in self.histories()],
        }


def seen(fact: Fact) -> tuple[Any, ...]:
    """What a fact says, without revisions and recording times."""
    return (
        fact.id, fact.claim_ids, fact.subject, fact.predicate, fact.value, fact.object, str(fact.status),
        fact.valid_from, fact.valid_to, fact.precision, fact.said_at, fact.last_evidence_at, fact.confidence,
        fact.paraphrased, fact.contested, fact.due_for_review, fact.source, fact.evidence,
    )  # fmt: skip
