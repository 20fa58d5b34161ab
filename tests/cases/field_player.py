"""Plays a field case, step by step, and remembers what each step was given."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest

from .bench import Desk, everything, moment
from .field_steps import USER, Again, Case, Crash, Look, Put, Say, Step, Swap, Undo, slot

AS_IT_IS_SAID, AT_THE_END, AT_ANY_MOMENT = "as it is said", "at the end", "at any moment"
"""When messages are extracted: each at once, all together, or whenever a worker likes."""


@dataclass
class Player:
    """Plays a case on a desk, step by step, and remembers what each step was given."""

    desk: Desk
    played: Case
    mode: str
    seqs: list[int] = field(default_factory=list)
    ids: list[str | None] = field(default_factory=list)
    known: list[tuple[str, int, datetime, Any]] = field(default_factory=list)

    @property
    def users(self) -> list[str]:
        named = [slot(where).user for where in self.played.values]
        return list(dict.fromkeys([*named, *(slot(was.slot).user for was in self.played.history)]))

    def play(self) -> None:
        for name, definition in self.played.predicates.items():
            self.desk.mem.register_predicate(name, **definition)
        for name, aliases in self.played.entities.items():
            self.desk.mem.register_entity(name, aliases=aliases)
        for step in self.played.steps:
            self.take(step)
            self.remember()
        self.settle()
        self.settle()

    def take(self, step: Step) -> None:
        match step:
            case Say():
                self.say(step)
            case Put():
                self.put(step)
            case Swap():
                self.at(step.at)
                self.note(self.desk.mem.write(USER, step.operations, said_at=step.at))
            case Undo():
                self.undo(step)
            case Look():
                self.look(step)
            case Again():
                self.at(step.at)
                self.settle()
            case Crash():
                self.at(step.at)
                self.desk.reopen() if self.mode == AT_ANY_MOMENT else self.desk.crash()

    def at(self, when: str) -> None:
        self.desk.hands.set(moment(when))

    def settle(self) -> None:
        for user in self.users:
            self.desk.mem.flush(user)

    def note(self, receipt: Any) -> None:
        self.seqs.append(receipt.seq)
        self.ids.append(receipt.fact_id)

    def say(self, step: Say) -> None:
        mem = self.desk.mem
        self.at(step.heard or step.at)
        text = step.text
        if step.recall:
            self.settle()
            text = f"{mem.context(USER).text}\n{text}"
        if step.repeats is None:
            self.desk.script.says(text, *step.fails, *([] if step.proposes is None else [list(step.proposes)]))
        receipt = mem.add(USER, text, role=step.role, said_at=step.at, idempotency_key=step.key)
        assert receipt.duplicate == (step.repeats is not None)
        if step.repeats is not None:
            assert receipt.seq == self.seqs[step.repeats - 1]
        self.seqs.append(receipt.seq)
        self.ids.append(None)
        if self.mode == AS_IT_IS_SAID:
            mem.flush(USER)

    def put(self, step: Put) -> None:
        self.at(step.at)
        mem = self.desk.mem
        write = mem.add_value if step.adds else mem.set
        given: dict[str, Any] = {"subject": step.of, "said_at": step.at, "idempotency_key": step.key}
        if step.raises is None:
            self.note(write(step.user, step.predicate, step.value, **given))
            return
        before = everything(mem, step.user)
        with pytest.raises(step.raises):
            write(step.user, step.predicate, step.value, **given)
        assert everything(mem, step.user) == before

    def undo(self, step: Undo) -> None:
        self.settle()  # what is not known yet has no id
        self.at(step.at)
        self.note(self.desk.mem.correct(self.fact_of(step.step), reason="it was never so"))

    def fact_of(self, step: int) -> str:
        written = self.ids[step - 1]
        if written is not None:
            return written
        claim = self.desk.mem.decisions(USER, self.seqs[step - 1])[0].claim_id
        assert claim is not None
        return claim

    def look(self, step: Look) -> None:
        if self.mode == AT_ANY_MOMENT:
            return
        state = self.desk.mem.state(USER)
        for where, value in step.values.items():
            assert state.by_subject.get(slot(where).of, {}).get(slot(where).predicate) == value
        if step.pending is not None and self.mode == AT_THE_END:
            assert (state.freshness.pending, state.freshness.is_current) == (step.pending, False)

    def remember(self) -> None:
        """Note what is known at this revision; no later entry may change the answer."""
        if self.mode == AT_ANY_MOMENT:
            return
        now = self.desk.hands.now
        for user in self.users:
            state = self.desk.mem.state(user, at=now)
            self.known.append((user, state.rev, now, state.by_subject))
