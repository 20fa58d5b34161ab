"""Ids of questions, answers given again, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import Memory
from tensemem.errors import (
    ConflictError,
    FutureTimestampError,
    IdempotencyConflictError,
    InvalidValueError,
    UnknownFactError,
)
from tests.engine.bench import day, lives, refused, revs
from tests.engine.questions.doubts import a_candidate, a_contest, an_old_fact, entries, only, reported
from tests.engine.questions.test_answers import ACCEPTED


def test_an_answer_is_given_once_under_one_key(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    question = only(mem)
    first = mem.answer(question.id, "Pune", idempotency_key="turn 7")
    before = revs(mem)
    again = mem.answer(question.id, "Pune", idempotency_key="turn 7")
    assert (again.duplicate, again.seq, again.rev, again.current) == (True, first.seq, first.rev, True)
    for other in ("yes", "Delhi"):
        with refused(mem, IdempotencyConflictError):
            mem.answer(question.id, other, idempotency_key="turn 7")
    with refused(mem, IdempotencyConflictError):
        mem.set("ann", "lives_in", "Pune", idempotency_key="turn 7")
    assert revs(mem) == before


def test_a_review_under_a_key_is_told_again(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    question = only(mem)
    first = mem.answer(question.id, "yes", idempotency_key="k")
    again = mem.answer(question.id, "yes", idempotency_key="k")
    assert (again.duplicate, again.seq, again.shown) == (True, first.seq, first.shown)


def test_ids_are_those_of_the_claims_and_any_claim_of_what_waits_will_do(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    talk("Eve says I live in Rome", reported("set", "lives_in", "Rome"), on=61)
    question = only(mem)
    assert question.id == f"q-{question.fact.id}"
    mem.rebuild()
    assert only(mem) == question
    mem.answer(f"q-{question.fact.claim_ids[-1]}", "yes")
    assert mem.get("ann", "lives_in") == "Rome"


@pytest.mark.parametrize("bad", ["", "q-", "x", "q-x", 7, None, "q-0123456789abcdef-1-0-0", "q-old-q-x"])
def test_what_is_no_question_is_said_to_be_none(mem: Memory, talk: Any, bad: Any) -> None:
    a_contest(mem, talk)
    with refused(mem, UnknownFactError):
        mem.answer(bad, "yes")


def test_an_id_without_a_question_is_unknown_or_closed(mem: Memory, talk: Any) -> None:
    receipt = mem.set("ann", "lives_in", "Delhi", said_at=day(10))
    tag = (receipt.fact_id or "").split("-")[0]
    with refused(mem, UnknownFactError):
        mem.answer(f"q-{tag}-99-0-0", "yes")
    for id in (f"q-{receipt.fact_id}", f"q-old-{receipt.fact_id}"):
        with refused(mem, ConflictError, match="lives_in of user is 'Delhi' now"):
            mem.answer(id, "yes")
    mem.retract("ann", "lives_in")
    with refused(mem, ConflictError, match="lives_in of user holds nothing now"):
        mem.answer(f"q-{receipt.fact_id}", "yes")


def test_a_question_is_closed_by_whatever_settles_it(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    question = only(mem)
    mem.review(question.fact.id, accept=False)
    assert mem.questions("ann") == ()
    with refused(mem, ConflictError):
        mem.answer(question.id, "yes")


def test_a_bad_answer_changes_nothing(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    question = only(mem)
    for bad in ("", "   ", None, object(), ["Delhi"]):
        with refused(mem, InvalidValueError):
            mem.answer(question.id, bad)
    with refused(mem, FutureTimestampError):
        mem.answer(question.id, "Pune", said_at=day(200))
    with refused(mem, InvalidValueError):
        mem.answer(question.id, "Pune", source=" ")
    assert only(mem) == question


def test_what_the_application_may_not_write_is_refused_as_ever(mem: Memory, talk: Any) -> None:
    an_old_fact(mem, talk)
    mem.register_predicate("lives_in", review_after="30d", writers=("user",), update=True)
    for fact in mem.state("ann").facts:
        raise AssertionError(f"{fact} was written by the application, which may not any more")
    talk("I live in Delhi", lives("Delhi"))
    with refused(mem, InvalidValueError, match="may not write"):
        mem.answer(only(mem).id, "yes")


def test_what_waits_can_be_accepted_where_the_application_may_not_write(mem: Memory, talk: Any) -> None:
    mem.register_predicate("lives_in", review_after="30d", writers=("user",), update=True)
    a_candidate(mem, talk)
    before = revs(mem)[0]
    mem.answer(only(mem).id, "yes")
    assert entries(mem, before) == ACCEPTED
    assert mem.get("ann", "lives_in") == "Rome"


def test_secrets_in_an_answer_are_replaced(mem: Memory, talk: Any) -> None:
    mem.register_predicate("note", review_after="10d")
    mem.set("ann", "note", "nothing", said_at=day(10))
    secret = "sk-" + "proj-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    receipt = mem.answer(only(mem).id, f"my key is {secret}")
    assert sum(receipt.redactions.values()) == 1
    assert secret not in str(mem.get("ann", "note"))


def test_a_receipt_tells_what_all_entries_changed(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    receipt = mem.answer(only(mem).id, "Pune", said_at=day(90), source="call", metadata={"turn": 7})
    assert [(change.kind, change.value) for change in receipt.changes] == [("ended", "Delhi"), ("began", "Pune")]
    assert receipt.fact_id == receipt.shown.id  # type: ignore[union-attr]
    assert receipt.shown is not None
    assert (receipt.shown.source, receipt.changed, receipt.duplicate) == ("call", True, False)
    assert [decision.outcome for decision in receipt.decisions] == ["admitted"]


def test_hooks_are_told_of_every_entry_once_it_is_kept(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    events: list[tuple[str, Any]] = []
    mem.on(lambda event, fields: events.append((event, fields["seq"])))
    receipt = mem.answer(only(mem).id, "Pune")
    assert events == [("review", receipt.seq - 1), ("written", receipt.seq)]
