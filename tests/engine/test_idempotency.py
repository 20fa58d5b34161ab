"""Every writing verb may be repeated under its key: the second time nothing is written."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import Memory, Operation
from tensemem.errors import ConflictError, IdempotencyConflictError
from tests.engine.bench import day, lives, refused, revs, speaks
from tests.engine.calls import Call, written_by_verbs


def fact_id(mem: Memory) -> str:
    return mem.state("ann").facts[0].id


def prepared(mem: Memory) -> dict[str, Call]:
    """Each verb with all but its key; what it points at is there."""
    calls = written_by_verbs(mem)
    place = mem.state("ann").fact("lives_in")
    assert place is not None
    return calls | {
        "confirm": lambda **o: mem.confirm("ann", "lives_in", "Delhi", **o),
        "confirm what is shown": lambda **o: mem.confirm("ann", "lives_in", **o),
        "correct": lambda **o: mem.correct(place.id, "Oslo", reason="a slip", **o),
    }


VERBS = (
    "set", "record", "add_value", "remove_value", "replace_values", "retract", "deny", "confirm",
    "confirm what is shown", "write", "correct", "reinstate", "review",
)  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_the_same_request_under_a_key_is_written_once(mem: Memory, verb: str) -> None:
    call = prepared(mem)[verb]
    first = call(idempotency_key="k")
    before, shown = revs(mem), mem.state("ann")
    again = call(idempotency_key="k")
    assert not first.duplicate
    assert again.duplicate
    assert again.seq == first.seq
    assert again.rev == first.rev
    assert not again.changed
    assert again.changes == ()
    assert revs(mem) == before
    assert mem.state("ann") == shown


@pytest.mark.parametrize("verb", VERBS)
def test_a_repeated_request_tells_the_same_fact(mem: Memory, verb: str) -> None:
    call = prepared(mem)[verb]
    first, again = call(idempotency_key="k"), call(idempotency_key="k")
    assert (again.fact_id, again.fact_ids, again.shown) == (first.fact_id, first.fact_ids, first.shown)


@pytest.mark.parametrize("verb", VERBS)
def test_a_request_under_the_key_of_another_is_refused(mem: Memory, verb: str) -> None:
    call = prepared(mem)[verb]
    mem.set("ann", "lives_in", "Goa", said_at=day(-50), idempotency_key="k")
    with refused(mem, IdempotencyConflictError):
        call(idempotency_key="k")


@pytest.mark.parametrize("verb", VERBS)
def test_the_same_request_said_at_another_time_is_another(mem: Memory, verb: str) -> None:
    call = prepared(mem)[verb]
    call(idempotency_key="k", said_at=day(0))
    with refused(mem, IdempotencyConflictError):
        call(idempotency_key="k", said_at=day(-1))


@pytest.mark.parametrize("verb", VERBS)
def test_another_key_is_another_request(mem: Memory, verb: str) -> None:
    call = prepared(mem)[verb]
    call(idempotency_key="k")
    before = revs(mem)
    if verb in ("correct", "reinstate", "review"):
        with refused(mem):
            call(idempotency_key="other")
    else:
        assert not call(idempotency_key="other").duplicate
        assert revs(mem)[1] == before[1] + 1


def test_keys_belong_to_their_scope(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi", idempotency_key="k")
    assert not mem.set("bob", "lives_in", "Pune", idempotency_key="k").duplicate
    assert not mem.set("ann", "lives_in", "Pune", agent_id="a", idempotency_key="k").duplicate


def test_a_message_and_a_write_do_not_share_a_key(mem: Memory) -> None:
    mem.add("ann", "hello there", idempotency_key="k")
    with refused(mem, IdempotencyConflictError):
        mem.set("ann", "lives_in", "Delhi", idempotency_key="k")


def test_a_refused_request_leaves_its_key_free(mem: Memory) -> None:
    with refused(mem):
        mem.set("ann", "unknown", "x", idempotency_key="k")
    assert not mem.set("ann", "lives_in", "Delhi", idempotency_key="k").duplicate


def test_the_order_of_a_sets_values_is_no_difference(mem: Memory) -> None:
    for values in ({"a", "b", "c"}, {"c", "b", "a"}):
        given: Any = values
        receipt = mem.replace_values("ann", "languages", given, idempotency_key="k")
    assert receipt.duplicate


# --- expected_rev -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_a_write_that_expects_what_is_there_goes_through(mem: Memory, verb: str) -> None:
    call = prepared(mem)[verb]
    call(expected_rev=revs(mem)[0])
    assert mem.verify().identical


@pytest.mark.parametrize("verb", VERBS)
def test_a_write_that_expects_an_older_slot_is_refused(mem: Memory, verb: str) -> None:
    call = prepared(mem)[verb]
    rev = revs(mem)[0]
    mem.write("ann", [Operation("set", "lives_in", "Goa", since=day(-90)), Operation("add", "languages", "Perl")])
    with refused(mem, ConflictError):
        call(expected_rev=rev)
    assert mem.state("ann").rev > rev


def test_another_slots_change_is_no_conflict(mem: Memory) -> None:
    rev = mem.set("ann", "lives_in", "Delhi").rev
    mem.add_value("ann", "languages", "Go")
    assert mem.set("ann", "lives_in", "Pune", expected_rev=rev).changed


def test_a_message_extracted_into_the_slot_is_a_conflict(mem: Memory, told: Any) -> None:
    rev = mem.set("ann", "lives_in", "Delhi").rev
    told.answers["I live in Pune"] = [lives("Pune")]
    mem.add("ann", "I live in Pune")
    assert mem.confirm("ann", "lives_in", "Delhi", expected_rev=rev).rev > rev
    rev = mem.state("ann").rev
    mem.flush()
    with refused(mem, ConflictError):
        mem.set("ann", "lives_in", "Goa", expected_rev=rev)


def test_one_touched_slot_that_changed_refuses_the_whole_entry(mem: Memory) -> None:
    rev = mem.set("ann", "lives_in", "Delhi").rev
    mem.set("ann", "lives_in", "Pune")
    with refused(mem, ConflictError):
        mem.write("ann", [speaks("Go"), lives("Goa")], expected_rev=rev)
    assert mem.get("ann", "languages") is None


def test_nothing_is_expected_of_an_empty_slot(mem: Memory) -> None:
    assert mem.set("ann", "lives_in", "Delhi", expected_rev=0).changed
    with refused(mem, ConflictError):
        mem.set("ann", "lives_in", "Pune", expected_rev=0)


@pytest.mark.parametrize("given", [-1, "1", 1.5, True])
def test_an_expected_rev_is_a_revision(mem: Memory, given: Any) -> None:
    mem.set("ann", "lives_in", "Delhi")
    with refused(mem):
        mem.set("ann", "lives_in", "Pune", expected_rev=given)
    with refused(mem):
        mem.correct(fact_id(mem), expected_rev=given)
    with refused(mem):
        mem.add_value("ann", "languages", "Go", expected_rev=given)
