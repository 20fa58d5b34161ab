"""What gives rise to questions, and what is looked at afterwards."""

from __future__ import annotations

from typing import Any

from tensemem import Memory, Operation, Question
from tests.engine.bench import day


def reported(op: Any, predicate: str, value: Any = None, **options: Any) -> Operation:
    return Operation(op, predicate, value, modality="reported", **options)


def planned(predicate: str, value: Any, on: float, op: Any = "set", **options: Any) -> Operation:
    return Operation(op, predicate, value, modality="planned", since=day(on), **options)


def only(mem: Memory) -> Question:
    (question,) = mem.questions("ann")
    return question


def texts(mem: Memory) -> list[str]:
    return [question.text for question in mem.questions("ann")]


def entries(mem: Memory, since: int) -> list[tuple[str, Any]]:
    """The kinds of the entries after a revision, with the operations of writes and the verdict of reviews."""
    with mem._engine.store.read() as reader:
        head = reader.head(mem._engine.scope("ann"))
        assert head is not None
        found = list(reader.entries(head.id, since))
    return [(entry.kind.value, _said(entry.body)) for entry in found]


def _said(body: Any) -> Any:
    if "ops" in body:
        return [(op["op"], op.get("value")) for op in body["ops"]]
    return body.get("accept")


def a_candidate(mem: Memory, say: Any) -> None:
    say("Bob says I live in Rome", reported("set", "lives_in", "Rome"))


def a_contest(mem: Memory, say: Any) -> None:
    mem.set("ann", "lives_in", "Delhi", said_at=day(10))
    say("Bob says I live in Rome", reported("set", "lives_in", "Rome"))


def a_contest_by_an_end(mem: Memory, say: Any) -> None:
    mem.set("ann", "lives_in", "Delhi", said_at=day(10))
    say("Bob says I left Delhi", reported("retract", "lives_in", "Delhi"))


def a_contest_by_an_end_of_all(mem: Memory, say: Any) -> None:
    mem.set("ann", "lives_in", "Delhi", said_at=day(10))
    say("Bob says I have no home", reported("retract", "lives_in"))


def a_contest_by_a_denial(mem: Memory, say: Any) -> None:
    mem.set("ann", "lives_in", "Delhi", said_at=day(10))
    say("Bob says I was never in Delhi", reported("deny", "lives_in", "Delhi"))


def a_due_plan(mem: Memory, say: Any) -> None:
    mem.set("ann", "lives_in", "Delhi", said_at=day(10))
    say("I'm moving to Goa", planned("lives_in", "Goa", 70))


def a_due_end(mem: Memory, say: Any) -> None:
    mem.set("ann", "lives_in", "Delhi", said_at=day(10))
    say("I'm leaving Delhi", planned("lives_in", "Delhi", 70, op="retract"))


def an_old_fact(mem: Memory, say: Any) -> None:
    mem.register_predicate("lives_in", review_after="30d", update=True)
    mem.set("ann", "lives_in", "Delhi", said_at=day(10))


def an_old_truth(mem: Memory, say: Any) -> None:
    mem.register_predicate("lives_in", type="bool", review_after="30d", update=True)
    mem.set("ann", "lives_in", True, said_at=day(10))


def a_contested_truth(mem: Memory, say: Any) -> None:
    mem.register_predicate("lives_in", type="bool", update=True)
    mem.set("ann", "lives_in", True, said_at=day(10))
    say("Bob says no", reported("set", "lives_in", False))


ROME = "Do you live in Rome now, and no longer in Delhi?"
GOA = "Do you live in Goa now, as planned for 2026-03-12, and no longer in Delhi?"
LEFT = "Is it right that you no longer live in Delhi?"
NOTHING = "Is it right that nothing of “lives in” for you holds any longer?"
NEVER = "Is it right that “lives in” for you was never Delhi?"
