"""What is asked, and in which order."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tensemem import Memory, Operation
from tensemem.errors import ConflictError, InvalidValueError
from tests.engine.bench import Clock, day, refused, revs, row
from tests.engine.questions.doubts import (
    GOA,
    ROME,
    a_candidate,
    a_contest,
    a_due_plan,
    an_old_fact,
    entries,
    only,
    planned,
    reported,
    texts,
)


def test_nothing_is_asked_where_nothing_is_in_doubt(mem: Memory, talk: Any) -> None:
    assert mem.questions("nobody") == ()
    mem.set("ann", "lives_in", "Delhi", said_at=day(10))
    mem.record("ann", "lives_in", "Oslo", valid_from=day(200))
    talk("I'm moving to Goa", planned("lives_in", "Goa", 101))
    talk("I'm moving to Rome one day", Operation("set", "lives_in", "Rome", modality="planned"))
    assert mem.questions("ann") == ()


def test_a_plan_is_asked_about_from_its_date_on(mem: Memory, talk: Any, clock: Clock) -> None:
    talk("I'm moving to Goa", planned("lives_in", "Goa", 101))
    clock.now = day(100.99)
    assert mem.questions("ann") == ()
    clock.now = day(101)
    assert texts(mem) == ["Do you live in Goa now, as planned for 2026-04-12?"]
    clock.now = day(400)
    mem.answer(only(mem).id, "yes")
    assert row(mem.history("ann").facts) == [("Goa", 101, None)]


def test_a_fact_is_asked_about_again_when_it_has_grown_old_again(mem: Memory, talk: Any, clock: Clock) -> None:
    an_old_fact(mem, talk)
    first = only(mem)
    mem.answer(first.id, "yes")
    clock.now = day(129.9)
    assert mem.questions("ann") == ()
    clock.now = day(130.1)
    again = only(mem)
    assert (again.text, again.id == first.id) == (first.text, False)
    with refused(mem, ConflictError, match="lives_in of user is 'Delhi' now"):
        mem.answer(first.id, "yes")
    mem.answer(again.id, "no")
    assert row(mem.history("ann").facts) == [("Delhi", 10, pytest.approx(130.1, abs=1e-6))]


def test_what_is_accepted_today_is_not_asked_for_at_once_though_it_was_said_long_ago(mem: Memory, talk: Any) -> None:
    mem.register_predicate("lives_in", review_after="30d", update=True)
    a_candidate(mem, talk)
    mem.answer(only(mem).id, "yes")
    assert mem.questions("ann") == ()
    fact = mem.state("ann").fact("lives_in")
    assert fact is not None
    assert fact.last_evidence_at >= day(100)


def test_one_fact_is_asked_about_one_way_at_a_time(mem: Memory, talk: Any) -> None:
    mem.register_predicate("lives_in", review_after="30d", update=True)
    a_contest(mem, talk)
    assert texts(mem) == [ROME]
    mem.answer(only(mem).id, "no")
    assert texts(mem) == ["Do you still live in Delhi?"]


def test_every_candidate_of_a_slot_is_a_question_and_settling_one_leaves_the_others(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    talk("Eve says I live in Oslo", reported("set", "lives_in", "Oslo"), on=60)
    talk("Eve says I live in Rome", reported("set", "lives_in", "Rome"), on=61)
    rome, oslo = mem.questions("ann")
    assert [one.text for one in (rome, oslo)] == [ROME, ROME.replace("Rome", "Oslo")]
    assert len(rome.fact.claim_ids) == 2
    mem.answer(rome.id, "no")
    assert mem.questions("ann") == (oslo,)


def test_a_candidate_older_than_what_is_shown_contests_nothing(mem: Memory, talk: Any) -> None:
    mem.set("ann", "lives_in", "Delhi", said_at=day(80))
    talk("Bob says I live in Rome", reported("set", "lives_in", "Rome"))
    question = only(mem)
    assert (question.kind, question.other, question.options) == ("candidate", None, ("Rome",))
    assert question.text == "Is it right that “lives in” for you was Rome on 2026-02-20?"
    for now in ("Delhi", "Pune"):
        with refused(mem, InvalidValueError, match="answer yes or no"):
            mem.answer(question.id, now)
    mem.answer(question.id, "yes")
    assert row(mem.history("ann").facts) == [("Rome", 50, 80), ("Delhi", 80, None)]
    assert mem.questions("ann") == ()


def test_what_has_ended_since_is_asked_for_as_what_was(mem: Memory, talk: Any) -> None:
    talk("Bob says I'm in Rome until March", reported("set", "lives_in", "Rome", until="2026-02"))
    talk("I'll be in Goa for a week", replace(planned("lives_in", "Goa", 70), until=day(77)), on=60)
    assert texts(mem) == [
        "Is it right that “lives in” for you was Goa, as planned for 2026-03-12?",
        "Is it right that “lives in” for you was Rome on 2026-02-20?",
    ]
    for question in mem.questions("ann"):
        mem.answer(question.id, "yes")
    assert row(mem.history("ann").facts) == [("Rome", 50, 59), ("Goa", 70, 77)]
    assert mem.get("ann", "lives_in") is None


def test_the_most_pressing_come_first(mem: Memory, talk: Any) -> None:
    mem.register_predicate("diet", review_after="30d")
    mem.register_predicate("email", review_after="40d", description="The person's e-mail address")
    mem.set("ann", "email", "a@example.org", said_at=day(9))
    mem.set("ann", "diet", "vegan", said_at=day(10))
    mem.set("ann", "diet", "vegan", subject="wife", said_at=day(5))
    a_due_plan(mem, talk)
    talk("Bob says I speak Latin", reported("add", "languages", "Latin"))
    talk("Bob says I speak Greek", reported("add", "languages", "Greek"), on=51)
    talk("Bob says I live in Rome", reported("set", "lives_in", "Rome"))
    talk("Bob says my wife lives in Rome", reported("set", "lives_in", "Rome", subject="wife"), on=70)
    found = mem.questions("ann")
    assert [(one.priority, one.text) for one in found] == [
        (1, ROME),
        (2, GOA),
        (3, "Is Greek one of your languages?"),
        (3, "Is Latin one of your languages?"),
        (3, "Does your wife live in Rome?"),
        (4, "Is your e-mail address still a@example.org?"),
        (4, "Is your diet still vegan?"),
        (4, "Is your wife's diet still vegan?"),
    ]
    for limit in (1, 3, 100):
        assert mem.questions("ann", limit=limit) == found[:limit]
    for bad in (0, -1, True, "1"):
        with pytest.raises(InvalidValueError, match="limit"):
            mem.questions("ann", limit=bad)  # type: ignore[arg-type]


def test_options_are_the_choices_or_the_values_in_question(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    assert only(mem).options == ("Rome", "Delhi")
    mem.register_predicate("lives_in", choices=("Delhi", "Rome", "Pune"), update=True)
    question = only(mem)
    assert question.options == ("Delhi", "Rome", "Pune")
    with refused(mem, InvalidValueError, match="none of its choices"):
        mem.answer(question.id, "Atlantis")
    assert only(mem) == question
    mem.answer(question.id, "pune")
    assert mem.get("ann", "lives_in") == "Pune"


def test_a_question_can_be_printed_compared_and_not_changed(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    question = only(mem)
    assert str(question) == ROME
    assert question == replace(question)
    with pytest.raises(AttributeError):
        question.text = "?"  # type: ignore[misc]


def test_values_of_every_type_can_be_asked_for_and_answered(mem: Memory, talk: Any) -> None:
    cases: list[tuple[str, Any, str, Any]] = [
        ("number", 30, "Is your number thing still 30?", "30"),
        ("date", date(2020, 2, 3), "Is your date thing still 2020-02-03?", "2020-02-03"),
        ("datetime", "2020-02-03T10:00Z", "Is your datetime thing still 2020-02-03T10:00:00Z?", "2020-02-03T10:00Z"),
        ("duration", "PT2H", "Is your duration thing still PT2H?", "PT2H"),
        ("enum", "a", "Is your enum thing still a?", "A"),
        ("entity", "Acme", "Is your entity thing still Acme?", "acme"),
        ("json", {"a": [1]}, "Is your json thing still “{\"a\": [1]}”?", {"a": [1]}),
    ]
    for kind, value, text, same in cases:
        options: dict[str, Any] = {"choices": ("a", "b")} if kind == "enum" else {}
        mem.register_predicate(f"{kind}_thing", type=kind, review_after="10d", **options)  # type: ignore[arg-type]
        mem.set("ann", f"{kind}_thing", value, said_at=day(10))
        assert only(mem).text == text
        before = revs(mem)[0]
        mem.answer(only(mem).id, same)
        assert entries(mem, before)[0][1][0][0] == "confirm"
        assert mem.questions("ann") == ()


def test_only_what_is_newer_than_a_fact_contests_it(mem: Memory, talk: Any) -> None:
    talk("Bob says I live in Oslo", reported("set", "lives_in", "Oslo"), on=5)
    a_contest(mem, talk)
    assert texts(mem) == [ROME, "Is it right that “lives in” for you was Oslo on 2026-01-06?"]


def test_what_another_question_would_change_is_not_asked_about_by_itself(mem: Memory, talk: Any) -> None:
    mem.register_predicate("lives_in", review_after="30d", update=True)
    mem.register_predicate("languages", "many", review_after="30d", update=True)
    a_due_plan(mem, talk)
    mem.replace_values("ann", "languages", ["Go", "SQL"], said_at=day(10))
    talk("Bob says I only speak Latin", reported("replace", "languages", ["Latin"]))
    assert texts(mem) == ["Is it right that “languages” for you is now Latin and nothing else?", GOA]
    mem.answer(mem.questions("ann")[0].id, "yes")
    assert texts(mem) == [GOA]


def test_what_is_scheduled_is_not_asked_about(mem: Memory, talk: Any) -> None:
    mem.register_predicate("lives_in", review_after="30d", update=True)
    mem.record("ann", "lives_in", "Oslo", valid_from=day(200), said_at=day(10))
    assert mem.questions("ann") == ()


def test_the_id_of_what_was_accepted_is_not_that_of_its_review(mem: Memory, talk: Any, clock: Clock) -> None:
    mem.register_predicate("lives_in", review_after="30d", update=True)
    talk("Bob says I live in Rome", reported("set", "lives_in", "Rome"), on=99)
    accepted = only(mem)
    mem.answer(accepted.id, "yes")
    clock.now = day(200)
    assert only(mem).text == "Do you still live in Rome?"
    with refused(mem, ConflictError):
        mem.answer(accepted.id, "yes")


def test_an_answer_given_long_ago_may_be_overtaken(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    receipt = mem.answer(only(mem).id, "Pune", said_at=day(5))
    assert receipt.shown is not None
    assert (receipt.current, receipt.shown.value) == (False, "Delhi")
    assert mem.get("ann", "lives_in", at=day(6)) == "Pune"
