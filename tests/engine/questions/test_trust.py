"""Questions about statements of sources that are believed more or less."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import Memory, Operation
from tests.engine.bench import Clock, day, row
from tests.engine.questions.doubts import LEFT, ROME, only, reported


@pytest.fixture
def trusting(mem: Memory, talk: Any) -> Any:
    """The files of hr are believed more than what the user says; both have said where Ann lives."""
    mem.register_predicate("lives_in", trust=("hr", "user"), review_after="200d", update=True)
    mem.set("ann", "lives_in", "Delhi", said_at=day(10), source="hr")
    talk("I live in Rome", Operation("set", "lives_in", "Rome"))
    return talk


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("yes", [("Delhi", 10, 50), ("Rome", 50, None)]),
        ("Rome", [("Delhi", 10, 50), ("Rome", 50, None)]),
        ("no", [("Delhi", 10, None)]),
        ("Delhi", [("Delhi", 10, None)]),
        ("Pune", [("Delhi", 10, 90), ("Pune", 90, None)]),
    ],
)
def test_a_less_trusted_statement_is_settled_by_a_correction(
    mem: Memory, trusting: Any, answer: str, expected: Any
) -> None:
    question = only(mem)
    assert (question.kind, question.text) == ("contested", ROME)
    assert question.other is not None
    mem.answer(question.id, answer, said_at=day(90))
    shown = [fact for fact in mem.history("ann").facts if fact.status.value in ("active", "superseded")]
    assert row(shown) == expected
    assert mem.questions("ann") == ()
    assert mem.verify().identical


def test_what_waits_from_a_less_trusted_source_takes_its_place_when_accepted(mem: Memory, trusting: Any) -> None:
    mem.answer(only(mem).id, "no")
    trusting("Bob says I live in Oslo", reported("set", "lives_in", "Oslo"), on=60)
    mem.answer(only(mem).id, "yes", said_at=day(90))
    assert mem.get("ann", "lives_in") == "Oslo"
    assert mem.get("ann", "lives_in", at=day(59)) == "Delhi"
    assert mem.questions("ann") == ()


@pytest.mark.parametrize(
    ("answer", "source", "shown"),
    [("yes", None, "Delhi"), ("no", None, None), ("Pune", None, "Pune"), ("yes", "hr", "Delhi"), ("no", "hr", None)],
)
def test_a_trusted_fact_that_has_grown_old_can_be_settled_by_anybody(
    mem: Memory, trusting: Any, clock: Clock, answer: str, source: str | None, shown: str | None
) -> None:
    mem.answer(only(mem).id, "no")
    clock.now = day(300)
    question = only(mem)
    assert question.kind == "due_for_review"
    receipt = mem.answer(question.id, answer, source=source)
    assert mem.get("ann", "lives_in") == shown
    assert receipt.current
    assert (None if receipt.shown is None else receipt.shown.value) == shown
    assert mem.questions("ann") == ()
    assert mem.get("ann", "lives_in", at=day(299)) == "Delhi"


def test_an_end_from_a_less_trusted_source_is_asked_for_too(mem: Memory, trusting: Any) -> None:
    mem.answer(only(mem).id, "no")
    mem.retract("ann", "lives_in", "Delhi", said_at=day(70))
    question = only(mem)
    assert question.text == LEFT
    mem.answer(question.id, "yes")
    assert mem.get("ann", "lives_in") is None
    ended = [fact for fact in mem.history("ann").facts if fact.status.value in ("expired", "retracted")]
    assert row(ended) == [("Delhi", 10, 70)]
    assert mem.questions("ann") == ()


def test_of_less_trusted_statements_the_newest_that_speaks_of_now_is_asked_for(mem: Memory, trusting: Any) -> None:
    trusting("I'm in Oslo until March", Operation("set", "lives_in", "Oslo", until="2026-02"), on=55)
    assert only(mem).text == ROME


def test_a_trusted_fact_that_begins_no_earlier_was_never_true(mem: Memory, talk: Any) -> None:
    mem.register_predicate("lives_in", trust=("hr", "user"), update=True)
    mem.set("ann", "lives_in", "Delhi", said_at=day(40), source="hr")
    talk("I live in Rome since January", Operation("set", "lives_in", "Rome", since=day(20)))
    mem.answer(only(mem).id, "yes")
    found = [(*one, fact.status.value) for one, fact in zip(row(mem.history("ann")), mem.history("ann"), strict=True)]
    assert found == [("Rome", 20, None, "active"), ("Delhi", 40, None, "corrected")]
