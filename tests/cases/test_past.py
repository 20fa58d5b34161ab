"""The past does not move: what was known at a revision, and what changed since, whatever is recorded afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tensemem import Memory
from tensemem.errors import AlreadyCorrectedError, ConflictError, InvalidValueError, TensememError
from tests.settings import half_settings

from .bench import Hands, Script, day, unrecorded
from .test_faults_order import WORDS, fresh_memory, operations

ACTIONS = ["say", "say late", "write", "flush", "correct", "replace", "reinstate", "review", "correct a statement"]


@dataclass
class Story:
    """A memory with which things happen, and what was read after each of them."""

    hands: Hands = field(default_factory=Hands)
    script: Script = field(default_factory=Script)
    reads: list[tuple[int, Any, Any, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.mem: Memory = fresh_memory(self.script, self.hands)
        self.number = 0

    def act(self, data: st.DataObject) -> None:
        self.number += 1
        self.hands.set(day(20 + self.number))
        match data.draw(st.sampled_from(ACTIONS), label="action"):
            case "say":
                self.say(data, said=None)
            case "say late":
                self.say(data, said=data.draw(st.integers(1, 19 + self.number), label="said on day"))
            case "write":
                self.mem.write("ann", data.draw(st.lists(operations(), min_size=1, max_size=2), label="written"))
            case "flush":
                self.mem.flush()
            case verb:
                self.amend(data, verb)

    def say(self, data: st.DataObject, said: int | None) -> None:
        text = f"message {self.number}: {WORDS}"
        proposed = data.draw(st.lists(operations(), min_size=1, max_size=2), label="said")
        doubt = data.draw(st.booleans(), label="in doubt")
        answer = [{**as_mapping(one), "quote": text, "confidence": 0.1 if doubt else 1.0} for one in proposed]
        self.script.says(text, answer)
        self.mem.add("ann", text, said_at=None if said is None else day(said))

    def amend(self, data: st.DataObject, verb: str) -> None:
        history = self.mem.history("ann")
        things = history.retractions if verb == "correct a statement" else history.facts
        if not things:
            return
        one = data.draw(st.sampled_from([thing.id for thing in things]), label="id")
        try:
            match verb:
                case "replace":
                    self.mem.correct(one, "Pune" if data.draw(st.booleans()) else "Rust")
                case "reinstate":
                    self.mem.reinstate(one)
                case "review":
                    self.mem.review(one, data.draw(st.booleans()))
                case _:
                    self.mem.correct(one)
        except (AlreadyCorrectedError, ConflictError, InvalidValueError):
            return  # an id may stand for what can't be amended this way

    def read(self) -> None:
        now = self.hands.now
        state = self.mem.state("ann", at=now)
        history = self.mem.history("ann")
        self.reads.append((state.rev, now, unrecorded(state.facts), unrecorded(history.facts)))


def as_mapping(operation: Any) -> dict[str, Any]:
    names = ("op", "predicate", "value", "since", "until", "valid_from", "valid_to")
    return {name: getattr(operation, name) for name in names}


@half_settings
@given(st.data(), st.integers(2, 9))
def test_what_was_known_stays_what_was_known(data: st.DataObject, length: int) -> None:
    story = Story()
    with story.mem as mem:
        for _ in range(length):
            story.act(data)
            story.read()
        mem.flush()
        for rev, now, facts, _ in story.reads:
            assert unrecorded(mem.state("ann", known_at=rev, at=now).facts) == facts
        for rev, _, _, history in story.reads:
            found = mem.history("ann", known_at=rev).facts
            assert [one[0][0][:3] for one in unrecorded(found)] == [one[0][0][:3] for one in history]


@half_settings
@given(st.data(), st.integers(2, 9))
def test_changes_lead_from_one_state_to_the_next(data: st.DataObject, length: int) -> None:
    story = Story()
    with story.mem as mem:
        for _ in range(length):
            rev, before = mem.state("ann").rev, shown(mem)
            story.act(data)
            after = shown(mem)
            changes = mem.changes("ann", rev)
            told = {(one.predicate, one.value) for one in changes}
            assert after - before <= told
            assert before - after <= told
            assert [one.rev for one in changes] == sorted(one.rev for one in changes)
            assert all(one.rev > rev for one in changes)
        assert mem.changes("ann", mem.state("ann").rev) == ()


def shown(mem: Memory) -> set[tuple[str, Any]]:
    return {(fact.predicate, fact.value) for fact in mem.state("ann").facts}


@half_settings
@given(st.data(), st.integers(2, 9))
def test_no_fact_is_without_an_explanation(data: st.DataObject, length: int) -> None:
    story = Story()
    with story.mem as mem:
        for _ in range(length):
            story.act(data)
        mem.flush()
        history = mem.history("ann")
        for fact in history.facts:
            explained = mem.explain(fact.id)
            assert explained.steps
            assert (explained.fact.predicate, explained.fact.value) == (fact.predicate, fact.value)
            assert all(mem.explain(claim).steps for claim in fact.claim_ids)
        for statement in history.retractions:
            assert mem.explain(statement.id).steps
        for seq in range(1, history.freshness.latest_seq + 1):
            assert mem.decisions("ann", seq)


@half_settings
@given(st.data(), st.integers(2, 9))
def test_what_a_verb_refuses_leaves_everything_as_it_was(data: st.DataObject, length: int) -> None:
    story = Story()
    with story.mem as mem:
        for _ in range(length):
            story.act(data)
        facts = [fact.id for fact in mem.history("ann").facts]
        if not facts:
            return
        fact = data.draw(st.sampled_from(facts), label="fact")
        for verb in (mem.correct, mem.reinstate, mem.review):
            before = mem.state("ann"), mem.history("ann")
            try:
                verb(fact, expected_rev=0)
            except TensememError:
                assert (mem.state("ann"), mem.history("ann")) == before
        assert mem.verify("ann").identical
