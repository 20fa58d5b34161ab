"""Corrections, reinstatements and reviews: what they take, what they refuse, and what their receipts tell."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import Fact, FactStatus, Memory, Operation
from tensemem.errors import AlreadyCorrectedError, ConflictError, InvalidTimeError, InvalidValueError, UnknownFactError
from tests.engine.bench import Clock, Told, day, lives, refused, row, speaks


def only(mem: Memory, predicate: str = "lives_in", status: str = "active") -> Fact:
    (fact,) = [fact for fact in mem.history("ann", predicate) if str(fact.status) == status]
    return fact


@pytest.fixture
def moved(mem: Memory, clock: Clock) -> Memory:
    """Delhi from day 0, Pune from day 5; today is day 9."""
    mem.set("ann", "lives_in", "Delhi")
    clock.now = day(5)
    mem.set("ann", "lives_in", "Pune")
    clock.now = day(9)
    return mem


def test_the_receipt_of_a_correction(moved: Memory) -> None:
    wrong = only(moved)
    receipt = moved.correct(wrong.id, reason="a slip")
    assert (receipt.seq, receipt.rev) == (3, 3)
    assert (receipt.changed, receipt.current, receipt.duplicate) == (True, True, False)
    assert receipt.fact_id == wrong.id
    assert receipt.shown is not None
    assert receipt.shown.value == "Delhi"
    assert [(c.kind, c.value, c.why, c.reason) for c in receipt.changes] == [
        ("ended", "Pune", "correction", "a slip"), ("began", "Delhi", "correction", "a slip")
    ]  # fmt: skip
    assert row(moved.history("ann")) == [("Delhi", 0, None), ("Pune", 5, None)]
    assert only(moved, status="corrected").id == wrong.id


def test_the_receipt_of_a_correction_with_a_value(moved: Memory) -> None:
    receipt = moved.correct(only(moved).id, "Goa")
    assert receipt.current
    assert receipt.shown is not None
    assert (receipt.shown.value, receipt.shown.id) == ("Goa", receipt.fact_id)
    assert receipt.shown.valid_from == day(5)
    assert moved.get("ann", "lives_in") == "Goa"


def test_fixing_the_past_does_not_touch_the_present(moved: Memory) -> None:
    receipt = moved.correct(only(moved, status="superseded").id, "Goa")
    assert (receipt.changed, receipt.current) == (True, False)
    assert moved.get("ann", "lives_in") == "Pune"
    assert moved.get("ann", "lives_in", at=day(2)) == "Goa"


def test_times_can_be_moved(moved: Memory) -> None:
    moved.correct(only(moved).id, valid_from=day(3))
    assert row([only(moved)]) == [("Pune", 3, None)]
    assert row([only(moved, status="superseded")]) == [("Delhi", 0, 3)]
    moved.correct(only(moved).id, valid_to=day(7))
    assert moved.get("ann", "lives_in", at=day(6)) == "Pune"
    assert moved.get("ann", "lives_in") == "Delhi"
    assert moved.verify().identical


@pytest.mark.parametrize(
    "times", [{"valid_to": day(5)}, {"valid_to": day(4)}, {"valid_from": day(7), "valid_to": day(6)}]
)
def test_an_end_before_the_start_is_refused(moved: Memory, times: dict[str, Any]) -> None:
    with refused(moved, InvalidTimeError):
        moved.correct(only(moved).id, **times)


def test_what_is_corrected_cannot_be_corrected_again(moved: Memory) -> None:
    wrong = only(moved).id
    moved.correct(wrong)
    for value in (None, "Goa"):
        with refused(moved, AlreadyCorrectedError):
            moved.correct(wrong, value)


def test_what_was_never_corrected_cannot_be_taken_back(moved: Memory) -> None:
    with refused(moved, ConflictError):
        moved.reinstate(only(moved).id)


def test_a_correction_is_taken_back_with_its_replacement(moved: Memory) -> None:
    before = moved.history("ann").facts
    wrong = only(moved).id
    moved.correct(wrong, "Goa")
    receipt = moved.reinstate(wrong)
    assert receipt.changed
    assert receipt.shown is not None
    assert receipt.shown.value == "Pune"
    assert moved.history("ann").facts == before
    with refused(moved, ConflictError):
        moved.reinstate(wrong)


def test_a_corrected_replacement_must_be_reinstated_first(moved: Memory) -> None:
    wrong = only(moved).id
    instead = moved.correct(wrong, "Goa").fact_id
    assert instead is not None
    moved.correct(instead)
    with refused(moved, ConflictError):
        moved.reinstate(wrong)
    moved.reinstate(instead)
    moved.reinstate(wrong)
    assert moved.get("ann", "lives_in") == "Pune"


def test_what_was_taken_back_can_be_corrected_anew(moved: Memory) -> None:
    wrong = only(moved).id
    moved.correct(wrong)
    moved.reinstate(wrong)
    moved.correct(only(moved).id, "Goa")
    assert moved.get("ann", "lives_in") == "Goa"
    assert moved.verify().identical


def test_a_scheduled_fact_is_cancelled(moved: Memory) -> None:
    moved.record("ann", "lives_in", "Goa", valid_from=day(20))
    receipt = moved.correct(only(moved, status="scheduled").id)
    assert receipt.changed
    assert moved.get("ann", "lives_in", at=day(30)) == "Pune"


@pytest.mark.parametrize("verb", ["retract", "deny", "replace"])
def test_a_statement_is_corrected_by_its_own_id(mem: Memory, clock: Clock, verb: str) -> None:
    mem.add_value("ann", "languages", "Go")
    clock.now = day(1)
    operation = Operation(verb, "languages", ["Rust"] if verb == "replace" else "Go")  # type: ignore[arg-type]
    mem.write("ann", [operation])
    assert mem.get("ann", "languages") in (None, ("Rust",))
    (statement,) = mem.history("ann").retractions
    assert (statement.in_force, statement.corrected) == (True, False)
    with refused(mem, InvalidValueError):
        mem.correct(statement.id, "SQL")
    assert mem.correct(statement.id).changed
    assert mem.get("ann", "languages") == ("Go",)
    (statement,) = mem.history("ann").retractions
    assert (statement.in_force, statement.corrected) == (False, True)
    with refused(mem, AlreadyCorrectedError):
        mem.correct(statement.id)
    mem.reinstate(statement.id)
    assert mem.get("ann", "languages") in (None, ("Rust",))
    assert mem.verify().identical


def test_correcting_all_a_replacement_brought_in_restores_what_it_took(mem: Memory, clock: Clock) -> None:
    mem.replace_values("ann", "languages", ["Go", "SQL"])
    clock.now = day(1)
    mem.replace_values("ann", "languages", ["Rust", "C"])
    for value in ("Rust", "C"):
        fact = mem.state("ann").fact("languages", value)
        assert fact is not None
        mem.correct(fact.id)
    assert mem.get("ann", "languages") == ("Go", "SQL")


# --- reviews ------------------------------------------------------------------------------------------------------


def test_an_accepted_candidate_counts_and_a_rejected_one_does_not(mem: Memory, clock: Clock) -> None:
    mem.set("ann", "lives_in", "Delhi")
    clock.now = day(1)
    mem.write("ann", [lives("Pune", modality="reported"), speaks("Go", modality="reported")])
    clock.now = day(2)
    place = next(fact for fact in mem.state("ann").candidates if fact.value == "Pune")
    language = next(fact for fact in mem.state("ann").candidates if fact.value == "Go")
    receipt = mem.review(place.id)
    assert receipt.changed
    assert receipt.shown is not None
    assert (receipt.shown.value, receipt.shown.status) == ("Pune", FactStatus.ACTIVE)
    assert mem.get("ann", "lives_in") == "Pune"
    rejected = mem.review(language.id, False)
    assert (rejected.changed, rejected.changes) == (False, ())
    assert mem.get("ann", "languages") is None
    assert mem.state("ann").candidates == ()
    assert mem.verify().identical


def test_an_accepted_plan_holds_from_its_date_or_from_now(mem: Memory, clock: Clock) -> None:
    mem.write("ann", [lives("Pune", modality="planned", since=day(30)), speaks("Go", modality="planned")])
    assert {fact.value for fact in mem.state("ann").planned} == {"Pune", "Go"}
    assert mem.state("ann").facts == ()
    clock.now = day(2)
    for plan in mem.state("ann").planned:
        mem.review(plan.id)
    assert mem.state("ann").planned == ()
    assert mem.state("ann").values == {"languages": ("Go",)}
    assert row([only(mem, "languages")]) == [("Go", 2, None)]
    assert mem.get("ann", "lives_in", at=day(31)) == "Pune"


def test_a_plan_is_accepted_by_a_confirmation(mem: Memory, told: Told, clock: Clock) -> None:
    mem.write("ann", [lives("Pune", modality="planned", since=day(3))])
    clock.now = day(4)
    mem.confirm("ann", "lives_in", "Pune")
    assert row([only(mem)]) == [("Pune", 3, None)]
    assert mem.state("ann").planned == ()


@pytest.mark.parametrize("accept", [True, False])
def test_what_does_not_wait_cannot_be_reviewed(moved: Memory, accept: bool) -> None:
    with refused(moved, ConflictError):
        moved.review(only(moved).id, accept)
    moved.write("ann", [speaks("Go", modality="reported")])
    (candidate,) = moved.state("ann").candidates
    moved.review(candidate.id, accept)
    with refused(moved, ConflictError):
        moved.review(candidate.id, not accept)


def test_a_cancelled_plan_waits_no_more(moved: Memory) -> None:
    moved.write("ann", [lives("Goa", modality="planned", since=day(30))])
    (plan,) = moved.state("ann").planned
    moved.correct(plan.id)
    assert moved.state("ann").planned == ()
    with refused(moved, ConflictError):
        moved.review(plan.id)
    with refused(moved, AlreadyCorrectedError):
        moved.correct(plan.id)
    moved.reinstate(plan.id)
    assert [fact.id for fact in moved.state("ann").planned] == [plan.id]


def test_ids_of_what_was_refused_are_unknown(mem: Memory, told: Told) -> None:
    told.answers["I am tall"] = [Operation("set", "height", "tall")]
    mem.add("ann", "I am tall")
    mem.flush()
    tag = str(mem.set("ann", "lives_in", "Delhi").fact_id).partition("-")[0]
    for verb in (mem.correct, mem.reinstate, mem.review, mem.explain):
        with refused(mem, UnknownFactError, ConflictError):
            verb(f"{tag}-1-1-0")


def as_told(receipt: Any) -> tuple[Any, ...]:
    return receipt.seq, receipt.rev, receipt.fact_ids, receipt.current, receipt.shown, receipt.changes


def test_a_dry_run_tells_what_the_correction_then_does_and_keeps_nothing(moved: Memory) -> None:
    before = (moved.state("ann"), moved.history("ann"), moved.changes("ann"), moved.digest("ann"))
    wrong = only(moved)
    told: list[str] = []
    moved.on(lambda event, fields: told.append(event))
    for value in (None, "Goa"):
        foreseen = moved.correct(wrong.id, value, reason="a slip", dry_run=True, idempotency_key="k")
        assert foreseen.changed
        assert (moved.state("ann"), moved.history("ann"), moved.changes("ann"), moved.digest("ann")) == before
    assert moved.verify("ann").identical
    assert as_told(moved.correct(wrong.id, "Goa", reason="a slip", idempotency_key="k")) == as_told(foreseen)
    assert told == ["verified", "correction"]


def test_a_dry_run_of_a_reinstatement_and_of_a_review(moved: Memory) -> None:
    wrong = only(moved)
    moved.correct(wrong.id)
    foreseen = moved.reinstate(wrong.id, dry_run=True)
    assert moved.get("ann", "lives_in") == "Delhi"
    assert as_told(moved.reinstate(wrong.id)) == as_told(foreseen)
    plan = Operation("set", "lives_in", "Oslo", modality="planned")
    waiting = moved.write("ann", [plan]).fact_ids[0]
    foreseen = moved.review(waiting, dry_run=True)
    assert [(change.kind, change.value) for change in foreseen.changes] == [("ended", "Pune"), ("began", "Oslo")]
    assert [fact.value for fact in moved.state("ann").planned] == ["Oslo"]
    assert as_told(moved.review(waiting)) == as_told(foreseen)


def test_a_dry_run_refuses_what_is_refused(moved: Memory) -> None:
    wrong = only(moved)
    moved.correct(wrong.id)
    with pytest.raises(AlreadyCorrectedError):
        moved.correct(wrong.id, dry_run=True)
    with pytest.raises(UnknownFactError):
        moved.review("nothing", dry_run=True)
