"""What each answer does, and that nothing else changes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tensemem import Memory
from tensemem.errors import ConflictError
from tests.engine.bench import Clock, day, revs, row
from tests.engine.questions.doubts import (
    GOA,
    LEFT,
    NEVER,
    NOTHING,
    ROME,
    a_candidate,
    a_contest,
    a_contest_by_a_denial,
    a_contest_by_an_end,
    a_contest_by_an_end_of_all,
    a_contested_truth,
    a_due_end,
    a_due_plan,
    an_old_fact,
    an_old_truth,
    entries,
    only,
    planned,
    reported,
)

ACCEPTED, REJECTED = [("review", True)], [("review", False)]


def written(op: str, value: Any) -> tuple[str, Any]:
    return "write", [(op, value)]


TABLE: list[tuple[Any, str, str, Any, Any, list[tuple[str, Any]]]] = [
    # what there is, the kind, the question, the answer, what is shown then, the entries it makes
    (a_candidate, "candidate", "Do you live in Rome?", "yes", "Rome", ACCEPTED),
    (a_candidate, "candidate", "Do you live in Rome?", " rome ", "Rome", ACCEPTED),
    (a_candidate, "candidate", "Do you live in Rome?", "no", None, REJECTED),
    (a_candidate, "candidate", "Do you live in Rome?", "Pune", "Pune", [*REJECTED, written("set", "Pune")]),
    (a_contest, "contested", ROME, "Yes!", "Rome", ACCEPTED),
    (a_contest, "contested", ROME, True, "Rome", ACCEPTED),
    (a_contest, "contested", ROME, "Rome", "Rome", ACCEPTED),
    (a_contest, "contested", ROME, "NO", "Delhi", REJECTED),
    (a_contest, "contested", ROME, False, "Delhi", REJECTED),
    (a_contest, "contested", ROME, "Delhi", "Delhi", [*REJECTED, written("confirm", "Delhi")]),
    (a_contest, "contested", ROME, "Pune", "Pune", [*REJECTED, written("set", "Pune")]),
    (a_contest_by_an_end, "contested", LEFT, "yes", None, ACCEPTED),
    (a_contest_by_an_end, "contested", LEFT, "no", "Delhi", REJECTED),
    (a_contest_by_an_end, "contested", LEFT, "Delhi", "Delhi", [*REJECTED, written("confirm", "Delhi")]),
    (a_contest_by_an_end, "contested", LEFT, "Pune", "Pune", [*ACCEPTED, written("set", "Pune")]),
    (a_contest_by_an_end_of_all, "contested", NOTHING, "yes", None, ACCEPTED),
    (a_contest_by_an_end_of_all, "contested", NOTHING, "no", "Delhi", REJECTED),
    (a_contest_by_an_end_of_all, "contested", NOTHING, "Pune", "Pune", [*ACCEPTED, written("set", "Pune")]),
    (a_contest_by_an_end_of_all, "contested", NOTHING, "Delhi", "Delhi", [*REJECTED, written("confirm", "Delhi")]),
    (a_contest_by_a_denial, "contested", NEVER, "yes", None, ACCEPTED),
    (a_contest_by_a_denial, "contested", NEVER, "no", "Delhi", REJECTED),
    (a_due_plan, "due_plan", GOA, "yes", "Goa", ACCEPTED),
    (a_due_plan, "due_plan", GOA, "Goa", "Goa", ACCEPTED),
    (a_due_plan, "due_plan", GOA, "no", "Delhi", REJECTED),
    (a_due_plan, "due_plan", GOA, "Delhi", "Delhi", [*REJECTED, written("confirm", "Delhi")]),
    (a_due_plan, "due_plan", GOA, "Pune", "Pune", [*REJECTED, written("set", "Pune")]),
    (a_due_end, "due_plan", LEFT.replace("?", ", as planned for 2026-03-12?"), "yes", None, ACCEPTED),
    (a_due_end, "due_plan", LEFT.replace("?", ", as planned for 2026-03-12?"), "no", "Delhi", REJECTED),
    (an_old_fact, "due_for_review", "Do you still live in Delhi?", "yes.", "Delhi", [written("confirm", "Delhi")]),
    (an_old_fact, "due_for_review", "Do you still live in Delhi?", "DELHI", "Delhi", [written("confirm", "Delhi")]),
    (an_old_fact, "due_for_review", "Do you still live in Delhi?", "sí", "Delhi", [written("confirm", "Delhi")]),
    (an_old_fact, "due_for_review", "Do you still live in Delhi?", "No.", None, [written("retract", "Delhi")]),
    (an_old_fact, "due_for_review", "Do you still live in Delhi?", "Pune", "Pune", [written("set", "Pune")]),
    (an_old_truth, "due_for_review", "Is “lives in” for you still true?", "yes", True, [written("confirm", True)]),
    (an_old_truth, "due_for_review", "Is “lives in” for you still true?", True, True, [written("confirm", True)]),
    (an_old_truth, "due_for_review", "Is “lives in” for you still true?", "no", False, [written("set", False)]),
    (an_old_truth, "due_for_review", "Is “lives in” for you still true?", False, False, [written("set", False)]),
    (an_old_truth, "due_for_review", "Is “lives in” for you still true?", "off", False, [written("set", "off")]),
    (a_contested_truth, "contested", "Is “lives in” for you false now?", "yes", False, ACCEPTED),
    (a_contested_truth, "contested", "Is “lives in” for you false now?", False, False, ACCEPTED),
    (a_contested_truth, "contested", "Is “lives in” for you false now?", "no", True,
     [*REJECTED, written("confirm", True)]),
]  # fmt: skip


@pytest.mark.parametrize("case", TABLE, ids=lambda case: f"{case[0].__name__}-{case[3]}")
def test_an_answer_settles_its_question_by_ordinary_entries(
    mem: Memory, talk: Any, case: tuple[Any, str, str, Any, Any, list[tuple[str, Any]]]
) -> None:
    there_is, kind, text, answer, shown, made = case
    there_is(mem, talk)
    question = only(mem)
    assert (question.kind, question.text) == (kind, text)
    before = revs(mem)[0]
    receipt = mem.answer(question.id, answer)
    assert entries(mem, before) == made
    assert mem.get("ann", "lives_in") == shown
    assert mem.questions("ann") == ()
    assert mem.verify().identical
    assert receipt.rev == revs(mem)[0]
    assert (None if receipt.shown is None else receipt.shown.value) == shown
    if len(made) > 1:
        assert receipt.current
    fact = mem.state("ann").fact("lives_in")
    assert fact is None or not (fact.contested or fact.due_for_review)
    told = mem.history("ann").facts
    with pytest.raises(ConflictError, match=f"(?i){'nothing' if shown is None else shown}'? now$"):
        mem.answer(question.id, "no")
    assert mem.history("ann").facts == told


def test_what_grows_old_as_it_is_accepted_is_not_asked_about_again(mem: Memory, talk: Any, clock: Clock) -> None:
    """The answer is said a microsecond after the newest entry, and that is when the statement is due."""
    mem.register_predicate("lives_in", review_after="30d", update=True)
    mem.register_predicate("diet")
    a_candidate(mem, talk)
    clock.now = day(80) - timedelta(microseconds=1)
    mem.set("ann", "diet", "vegan")
    question = only(mem)
    assert not question.fact.due_for_review
    before = revs(mem)[0]
    mem.answer(question.id, "yes")
    assert entries(mem, before) == [*ACCEPTED, written("confirm", "Rome")]
    assert mem.questions("ann") == ()


def test_what_the_history_tells_of_each(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    mem.answer(only(mem).id, "yes", said_at=day(60))
    assert row(mem.history("ann", "lives_in").facts) == [("Delhi", 10, 50), ("Rome", 50, None)]
    talk("I'm moving to Goa", planned("lives_in", "Goa", 70), on=61)
    mem.answer(only(mem).id, "yes", said_at=day(80))
    talk("Bob says I live in Oslo", reported("set", "lives_in", "Oslo"), on=90)
    mem.answer(only(mem).id, "Pune", said_at=day(95))
    found = [(*one, fact.status.value) for one, fact in zip(row(mem.history("ann")), mem.history("ann"), strict=True)]
    assert found == [
        ("Delhi", 10, 50, "superseded"), ("Rome", 50, 70, "superseded"), ("Goa", 70, 95, "superseded"),
        ("Oslo", 90, None, "corrected"), ("Pune", 95, None, "active"),
    ]  # fmt: skip
    assert mem.decisions("ann", revs(mem)[1])[0].outcome == "admitted"
