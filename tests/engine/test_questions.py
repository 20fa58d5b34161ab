"""Questions: what is asked, what each answer does, and that nothing else changes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory, Operation, Question
from tensemem.errors import (
    ConflictError,
    FutureTimestampError,
    IdempotencyConflictError,
    InvalidValueError,
    ReadOnlyError,
    UnknownFactError,
)
from tests.engine.bench import Clock, Told, day, lives, opened, refused, revs, row


@pytest.fixture
def talk(mem: Memory, clock: Clock, told: Told) -> Any:
    """Say something of which an operation is proposed; it is extracted at once."""
    clock.now = day(100)

    def say(text: str, *operations: Operation, on: float = 50, **options: Any) -> None:
        told.answers[text] = list(operations)
        mem.add("ann", text, said_at=day(on), **options)
        mem.flush("ann")

    return say


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


# --- kinds and answers -------------------------------------------------------------------------------------------


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


# --- many values -------------------------------------------------------------------------------------------------


def test_one_of_several_values_is_asked_for_and_taken_by_itself(mem: Memory, talk: Any) -> None:
    mem.register_predicate("languages", "many", review_after="30d", update=True)
    mem.replace_values("ann", "languages", ["Go", "SQL"], said_at=day(10))
    mem.add_value("ann", "languages", "Rust", said_at=day(99))
    talk("Bob says I speak Latin", reported("add", "languages", "Latin"), on=99)
    talk("Bob says I forgot Rust", reported("remove", "languages", "Rust"), on=99.5)
    assert texts(mem) == [
        "Is it right that Rust is no longer one of your languages?", "Is Latin one of your languages?",
        "Is Go still one of your languages?", "Is SQL still one of your languages?",
    ]  # fmt: skip
    before = revs(mem)[0]
    for question, answer in zip(mem.questions("ann"), ("yes", "Latin", "no", "sql"), strict=True):
        mem.answer(question.id, answer)
    assert entries(mem, before) == [
        *ACCEPTED, *ACCEPTED, written("remove", "Go"), written("confirm", "SQL"),
    ]  # fmt: skip
    assert mem.get("ann", "languages") == ("Latin", "SQL")
    assert mem.questions("ann") == ()


def test_another_value_says_nothing_about_one_of_several(mem: Memory, talk: Any) -> None:
    talk("Bob says I speak Latin", reported("add", "languages", "Latin"))
    with refused(mem, InvalidValueError, match="answer yes or no.*add_value"):
        mem.answer(only(mem).id, "Go")
    assert only(mem).options == ("Latin",)


def test_a_list_that_would_replace_all_is_asked_for_once(mem: Memory, talk: Any) -> None:
    mem.replace_values("ann", "languages", ["Go", "SQL", "Rust"], said_at=day(10))
    talk("Bob says I only speak Rust and Latin", reported("replace", "languages", ["Rust", "Latin"]))
    question = only(mem)
    assert question.text == "Is it right that “languages” for you is now Latin, Rust and nothing else?"
    assert question.kind == "contested"
    assert question.other is not None
    assert question.other.value == "Go"
    with refused(mem, InvalidValueError):
        mem.answer(question.id, "Rust")
    mem.answer(question.id, "yes")
    assert mem.get("ann", "languages") == ("Latin", "Rust")
    assert mem.questions("ann") == ()


# --- what is asked, and in which order ---------------------------------------------------------------------------


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


# --- trust -------------------------------------------------------------------------------------------------------


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


# --- ids, retries, refusals --------------------------------------------------------------------------------------


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


# --- scopes and handles ------------------------------------------------------------------------------------------


def test_a_question_is_another_users_to_nobody_else(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    question = only(mem)
    assert mem.questions("bob") == mem.questions("ann", agent_id="coach") == mem.questions("ann", namespace="x") == ()
    for options in ({"user_id": "bob"}, {"agent_id": "coach"}, {"namespace": "x"}):
        with refused(mem, UnknownFactError):
            mem.answer(question.id, "yes", **options)  # type: ignore[arg-type]
    with refused(mem, UnknownFactError):
        mem.for_user("bob").answer(question.id, "yes")
    ann = mem.for_user("ann")
    assert ann.questions(limit=1) == (question,)
    ann.answer(question.id, "yes")
    assert ann.questions() == ()


def test_a_reader_sees_the_questions_and_settles_none(tmp_path: Path, clock: Clock) -> None:
    clock.now = day(100)
    path = tmp_path / "m.db"
    with opened(path, clock=clock) as mem:
        mem.write("ann", [reported("set", "lives_in", "Rome")])
        mem.register_predicate("diet", review_after="10d")
        mem.set("ann", "diet", "vegan", said_at=day(1))
        wanted = mem.questions("ann")
        assert [one.kind for one in wanted] == ["candidate", "due_for_review"]
        mem.register_predicate("lives_in", aliases=("home",), description="The person's city", update=True)
        with opened(path, clock=clock, read_only=True) as reader:
            seen = reader.questions("ann")
            assert [one.id for one in seen] == [one.id for one in wanted]
            with pytest.raises(ReadOnlyError):
                reader.answer(seen[0].id, "yes")
        assert mem.questions("ann") == seen


def test_questions_and_answers_can_be_awaited(clock: Clock) -> None:
    async def settle() -> None:
        async with AsyncMemory(":memory:", worker=False, clock=clock, durability="process") as mem:
            await mem.register_predicate("lives_in")
            await mem.write("ann", [reported("set", "lives_in", "Rome")])
            (question,) = await mem.questions("ann")
            ann = mem.for_user("ann")
            assert await ann.questions() == (question,)
            assert (await ann.answer(question.id, "yes")).current
            assert await mem.questions("ann") == ()

    asyncio.run(settle())


@pytest.mark.parametrize(("held", "said", "wanted"), [("no", "no", "no"), ("yes", "no", "no"), ("yes", "Yes", "yes")])
def test_a_choice_that_a_question_offers_is_that_choice(mem: Memory, held: str, said: str, wanted: str) -> None:
    mem.register_predicate("consent", choices=["yes", "no"], review_after="1d")
    mem.set("u", "consent", held, said_at="2020-01-01T00:00:00Z")
    [question] = [one for one in mem.questions("u") if one.fact.predicate == "consent"]
    mem.answer(question.id, said)
    assert mem.get("u", "consent") == wanted
