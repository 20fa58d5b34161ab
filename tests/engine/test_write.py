"""Explicit writes: what a receipt tells, and that an entry is written as a whole or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import FactStatus, Memory, Operation
from tensemem.errors import InvalidTimeError, InvalidValueError, UnknownPredicateError
from tests.engine.bench import ANN, Clock, day, lives, refused, revs, row, speaks


def test_the_receipt_of_a_first_value(mem: Memory) -> None:
    receipt = mem.set("ann", "lives_in", "Delhi")
    shown = mem.state("ann").fact("lives_in")
    assert shown is not None
    assert (receipt.seq, receipt.rev) == (1, 1)
    assert (receipt.fact_id, receipt.fact_ids) == (shown.id, (shown.id,))
    assert (receipt.changed, receipt.current, receipt.duplicate) == (True, True, False)
    assert receipt.shown == shown
    (change,) = receipt.changes
    assert (change.kind, change.predicate, change.subject, change.value) == ("began", "lives_in", "user", "Delhi")
    assert (change.fact_id, change.rev, change.seq, change.why) == (shown.id, 1, 1, "write")
    (decision,) = receipt.decisions
    assert (decision.outcome, decision.claim_id, decision.seq) == ("admitted", shown.id, 1)
    assert decision.operation == {"op": "set", "predicate": "lives_in", "value": "Delhi"}
    assert dict(receipt.redactions) == {}


def test_the_receipt_of_a_value_for_another(mem: Memory, clock: Clock) -> None:
    mem.set("ann", "lives_in", "Delhi")
    clock.now = day(5)
    receipt = mem.set("ann", "lives_in", "Pune")
    assert [(c.kind, c.value, c.valid_from, c.valid_to) for c in receipt.changes] == [
        ("ended", "Delhi", day(0), day(5)), ("began", "Pune", day(5), None)
    ]  # fmt: skip
    assert receipt.shown is not None
    assert receipt.shown.value == "Pune"


def test_the_receipt_of_what_later_evidence_has_overtaken(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    receipt = mem.set("ann", "lives_in", "Pune", said_at=day(-5))
    assert (receipt.changed, receipt.current) == (True, False)
    assert receipt.shown is not None
    assert receipt.shown.value == "Delhi"
    assert row(mem.history("ann")) == [("Pune", -5, 0), ("Delhi", 0, None)]


def test_the_receipt_of_the_same_value_again(mem: Memory, clock: Clock) -> None:
    first = mem.set("ann", "lives_in", "Delhi")
    clock.now = day(3)
    again = mem.set("ann", "lives_in", "delhi")
    assert (again.fact_id, again.changed, again.current, again.changes) == (first.fact_id, False, True, ())
    assert again.shown is not None
    assert (again.shown.value, again.shown.valid_from) == ("delhi", day(0))
    assert again.shown.last_evidence_at == day(3)


def test_the_receipt_of_a_scheduled_row(mem: Memory) -> None:
    receipt = mem.record("ann", "lives_in", "Pune", valid_from=day(9))
    assert (receipt.changed, receipt.current, receipt.shown) == (True, False, None)
    (fact,) = mem.history("ann")
    assert (fact.id, fact.status) == (receipt.fact_id, FactStatus.SCHEDULED)


def test_the_receipt_of_a_retraction(mem: Memory, clock: Clock) -> None:
    mem.set("ann", "lives_in", "Delhi")
    clock.now = day(2)
    receipt = mem.retract("ann", "lives_in", "Delhi")
    assert (receipt.changed, receipt.current, receipt.shown) == (True, True, None)
    assert [(c.kind, c.value, c.valid_to) for c in receipt.changes] == [("ended", "Delhi", day(2))]
    (statement,) = mem.history("ann").retractions
    assert (statement.id, statement.kind, statement.in_force) == (receipt.fact_id, "retract", True)


@pytest.mark.parametrize(
    "retract",
    [lambda mem: mem.retract("ann", "lives_in", "Oslo"), lambda mem: mem.remove_value("ann", "languages", "Oslo"),
     lambda mem: mem.retract("ann", "languages")],
    ids=["another value", "not in", "nothing in"],
)  # fmt: skip
def test_the_receipt_of_a_retraction_of_what_does_not_show(mem: Memory, retract: Any) -> None:
    mem.set("ann", "lives_in", "Delhi")
    receipt = retract(mem)
    assert (receipt.changed, receipt.changes) == (False, ())
    assert [one.reason for one in receipt.decisions] == ["retract_mismatch"]
    assert mem.decisions("ann", receipt.seq)[0].reason == "retract_mismatch"
    assert mem.get("ann", "lives_in") == "Delhi"


def test_the_receipt_of_several_operations_names_a_fact_for_each(mem: Memory) -> None:
    receipt = mem.write("ann", [lives("Delhi"), speaks("Go"), speaks("Rust"), Operation("retract", "lives_in", "Oslo")])
    assert revs(mem)[:2] == (1, 1)
    assert len(receipt.fact_ids) == 4
    assert receipt.fact_id == receipt.fact_ids[0]
    assert [change.value for change in receipt.changes] == ["Delhi", "Go", "Rust"]
    assert [one.reason for one in receipt.decisions] == ["", "", "", "retract_mismatch"]
    assert {fact.id for fact in mem.state("ann").facts} == set(receipt.fact_ids[:3])


def test_the_receipt_of_a_replacement_of_many(mem: Memory, clock: Clock) -> None:
    mem.replace_values("ann", "languages", ["Go", "SQL"])
    clock.now = day(1)
    receipt = mem.replace_values("ann", "languages", ["Rust", "Go"])
    assert [(c.kind, c.value) for c in receipt.changes] == [("ended", "SQL"), ("began", "Rust")]
    assert mem.get("ann", "languages") == ("Go", "Rust")
    assert receipt.current


def test_an_empty_replacement_clears(mem: Memory, clock: Clock) -> None:
    mem.replace_values("ann", "languages", ["Go", "SQL"])
    clock.now = day(1)
    receipt = mem.replace_values("ann", "languages", [])
    assert (receipt.changed, receipt.current) == (True, True)
    assert mem.get("ann", "languages") is None


def test_a_secret_in_a_value_is_counted_and_replaced(mem: Memory) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    receipt = mem.set("ann", "lives_in", f"under {token}", metadata={"why": token})
    assert sum(receipt.redactions.values()) >= 1
    with mem._engine.store.read() as reader:
        head = reader.head(ANN)
        assert head is not None
        assert token not in repr(list(reader.entries(head.id)))


def test_a_held_write_waits_and_says_so(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    receipt = mem.write("ann", [lives("Pune", modality="reported")])
    assert [(one.outcome, one.reason) for one in receipt.decisions] == [("held", "reported")]
    assert (receipt.changed, receipt.current) == (False, False)
    (waiting,) = mem.state("ann").candidates
    assert waiting.id == receipt.fact_id
    shown = mem.state("ann").fact("lives_in")
    assert shown is not None
    assert shown.contested


def test_a_confirmation_without_a_value_keeps_which_value_that_was(mem: Memory, clock: Clock) -> None:
    mem.set("ann", "lives_in", "Delhi")
    clock.now = day(2)
    receipt = mem.confirm("ann", "lives_in")
    assert receipt.decisions[0].operation["value"] == "Delhi"
    shown = mem.state("ann").fact("lives_in")
    assert shown is not None
    assert shown.last_evidence_at == day(2)


@pytest.mark.parametrize("values", [[], ["Go", "SQL"]])
def test_a_confirmation_without_a_value_needs_exactly_one(mem: Memory, values: list[str]) -> None:
    for value in values:
        mem.add_value("ann", "languages", value)
    with refused(mem, InvalidValueError):
        mem.confirm("ann", "languages")


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        (Operation("set", "unknown", "x"), UnknownPredicateError),
        (lives("Pune", since=day(1)), InvalidTimeError),
        (lives("Pune", since=day(-3), valid_from=day(-3)), InvalidTimeError),
        (lives("Pune", valid_from=day(3), valid_to=day(2)), InvalidTimeError),
        (lives("Pune", until=day(-1)), InvalidTimeError),
        (lives("Pune", modality="question"), InvalidValueError),
        (lives(""), InvalidValueError),
        (Operation("confirm", "languages"), InvalidValueError),
        (Operation("deny", "lives_in"), InvalidValueError),
        (Operation("replace", "lives_in", ["Pune", "Goa"]), InvalidValueError),
        (Operation("boost", "lives_in", "Pune"), InvalidValueError),  # type: ignore[arg-type]
        ("no operation", InvalidValueError),
    ],
)
def test_one_refused_operation_keeps_the_others_of_its_entry_out(mem: Memory, bad: Any, error: Any) -> None:
    with refused(mem, error):
        mem.write("ann", [speaks("Go"), bad, lives("Goa")])
    assert mem.state("ann").facts == ()
    assert mem.digest("ann") == mem.digest("ann")
    assert mem.verify().identical


def test_nothing_is_no_entry(mem: Memory) -> None:
    with refused(mem, InvalidValueError):
        mem.write("ann", [])


def test_more_operations_than_an_answer_may_have_are_one_entry(mem: Memory) -> None:
    receipt = mem.write("ann", [speaks(f"language {number}") for number in range(700)])
    assert len(receipt.fact_ids) == 700
    assert revs(mem)[:2] == (1, 1)
    assert mem.verify().identical


def test_cardinality_belongs_to_the_registry(mem: Memory, clock: Clock) -> None:
    mem.write("ann", [Operation("set", "languages", "Go")])
    mem.write("ann", [Operation("set", "languages", "SQL")])
    assert mem.get("ann", "languages") == ("Go", "SQL")
    mem.write("ann", [Operation("add", "lives_in", "Delhi")])
    clock.now = day(1)
    mem.write("ann", [Operation("add", "lives_in", "Pune")])
    assert mem.get("ann", "lives_in") == "Pune"
    clock.now = day(2)
    mem.write("ann", [Operation("remove", "lives_in", "Pune")])
    assert mem.get("ann", "lives_in") is None
    mem.write("ann", [Operation("retract", "languages", "Go")])
    assert mem.get("ann", "languages") == ("SQL",)
    mem.write("ann", [Operation("replace", "lives_in", ["Goa"])])
    assert mem.get("ann", "lives_in") == "Goa"
