"""A correction: what was never true is gone, what it had displaced shows again, and nothing true is lost with it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import Memory, Operation
from tensemem.errors import AlreadyCorrectedError, ConflictError, UnknownFactError
from tests.settings import half_settings

from .bench import Desk, Hands, assert_rebuilt_alike, day, everything, line, lives, speaks, unrecorded


def id_of(mem: Memory, value: Any, predicate: str = "lives_in") -> str:
    """The id of the newest fact of a value that is not corrected."""
    facts = [fact for fact in mem.history("ann", predicate) if fact.value == value and fact.status != "corrected"]
    return facts[-1].id


def test_correcting_what_a_replace_brought_in_gives_back_what_it_put_out(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.say("I know Python and Go", speaks("Python"), speaks("Go"))
    desk.hands.set(day(20))
    desk.say("I use only Rust now", Operation("replace", "languages", ["Rust"]))
    assert desk.mem.get("ann", "languages") == ("Rust",)
    desk.hands.set(day(30))
    desk.mem.correct(id_of(desk.mem, "Rust", "languages"))
    assert desk.mem.get("ann", "languages") == ("Go", "Python")
    assert sorted(line(desk.mem, "languages")) == [("Go", 10, None), ("Python", 10, None)]
    assert_rebuilt_alike(desk.mem)


def test_correcting_the_replace_itself_gives_back_what_it_put_out(desk: Desk) -> None:
    desk.mem.replace_values("ann", "languages", ["Python", "Go"])
    receipt = desk.mem.replace_values("ann", "languages", ["Rust", "Go"])
    [first, second] = desk.mem.history("ann", "languages").retractions
    assert (first.kind, second.kind, second.in_force) == ("replace", "replace", True)
    desk.mem.correct(second.id)
    assert desk.mem.get("ann", "languages") == ("Go", "Python")
    assert [one.in_force for one in desk.mem.history("ann", "languages").retractions] == [True, False]
    assert receipt.changed
    assert_rebuilt_alike(desk.mem)


def test_correcting_all_that_a_replace_newly_brought_in_voids_it(desk: Desk) -> None:
    desk.mem.replace_values("ann", "languages", ["Python", "Go"])
    desk.mem.replace_values("ann", "languages", ["Rust", "C"])
    desk.mem.correct(id_of(desk.mem, "Rust", "languages"))
    assert desk.mem.get("ann", "languages") == ("C",)
    desk.mem.correct(id_of(desk.mem, "C", "languages"))
    assert desk.mem.get("ann", "languages") == ("Go", "Python")
    assert_rebuilt_alike(desk.mem)


@pytest.mark.parametrize("instead", ["Delhi", "delhi", "DELHI", " Delhi "])
def test_a_value_may_be_replaced_by_another_spelling_of_itself(desk: Desk, instead: str) -> None:
    desk.hands.set(day(10))
    desk.mem.set("ann", "lives_in", "delhi")
    desk.hands.set(day(20))
    receipt = desk.mem.correct(id_of(desk.mem, "delhi"), instead)
    assert line(desk.mem) == [(instead.strip(), 10, None)]
    assert receipt.current
    assert_rebuilt_alike(desk.mem)


@pytest.mark.parametrize("arriving", [("A", "B"), ("B", "A")])
@pytest.mark.parametrize("by_message", [True, False])
def test_correcting_the_newer_of_two_dated_facts_gives_the_older_in_either_order_of_arrival(
    desk: Desk, arriving: tuple[str, str], by_message: bool
) -> None:
    dates = {"A": day(10), "B": day(20)}
    desk.hands.set(day(50))
    for place in arriving:
        if by_message:
            desk.say(f"in {place}", lives(place, valid_from=dates[place]))
        else:
            desk.mem.record("ann", "lives_in", place, valid_from=dates[place])
    assert line(desk.mem) == [("A", 10, 20), ("B", 20, None)]
    desk.mem.correct(id_of(desk.mem, "B"))
    assert line(desk.mem) == [("A", 10, None)]
    assert_rebuilt_alike(desk.mem)


def test_a_fact_is_corrected_once_and_the_second_time_is_an_error_that_writes_nothing(desk: Desk) -> None:
    desk.mem.set("ann", "lives_in", "Delhi")
    fact = id_of(desk.mem, "Delhi")
    desk.mem.correct(fact)
    before = everything(desk.mem)
    for value in (None, "Pune"):
        with pytest.raises(AlreadyCorrectedError):
            desk.mem.correct(fact, value)
    assert everything(desk.mem) == before


def test_a_corrected_statement_is_corrected_once(desk: Desk) -> None:
    desk.mem.set("ann", "lives_in", "Delhi")
    desk.mem.retract("ann", "lives_in")
    [statement] = desk.mem.history("ann").retractions
    desk.mem.correct(statement.id)
    assert desk.mem.get("ann", "lives_in") == "Delhi"
    with pytest.raises(AlreadyCorrectedError):
        desk.mem.correct(statement.id)
    [statement] = desk.mem.history("ann").retractions
    assert (statement.in_force, statement.corrected) == (False, True)


def test_a_correction_and_its_reason_can_be_read(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.say("I live in Delhi", lives("Delhi"))
    fact = id_of(desk.mem, "Delhi")
    desk.hands.set(day(20))
    desk.mem.correct(fact, "Pune", reason="I misread it")
    [corrected] = [one for one in desk.mem.history("ann") if one.status == "corrected"]
    assert (corrected.id, corrected.value, corrected.valid_from) == (fact, "Delhi", day(10))
    steps = desk.mem.explain(fact).steps
    [step] = [step for step in steps if step.kind == "correction"]
    assert (step.reason, step.said_at) == ("I misread it", day(20))
    assert any(change.reason == "I misread it" for change in desk.mem.changes("ann"))


def test_a_mistaken_correction_is_taken_back(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.mem.set("ann", "lives_in", "Delhi")
    desk.hands.set(day(20))
    desk.mem.set("ann", "lives_in", "Bangalore")
    before = unrecorded(everything(desk.mem))
    fact = id_of(desk.mem, "Bangalore")
    desk.mem.correct(fact, "Pune")
    assert desk.mem.get("ann", "lives_in") == "Pune"
    desk.mem.reinstate(fact)
    assert unrecorded(everything(desk.mem)) == before
    with pytest.raises(ConflictError):
        desk.mem.reinstate(fact)
    assert_rebuilt_alike(desk.mem)


def test_a_correction_is_not_taken_back_while_its_replacement_is_corrected(desk: Desk) -> None:
    desk.mem.set("ann", "lives_in", "Delhi")
    wrong = id_of(desk.mem, "Delhi")
    desk.mem.correct(wrong, "Pune")
    instead = id_of(desk.mem, "Pune")
    desk.mem.correct(instead)
    with pytest.raises(ConflictError):
        desk.mem.reinstate(wrong)
    desk.mem.reinstate(instead)
    assert desk.mem.get("ann", "lives_in") == "Pune"
    desk.mem.reinstate(wrong)
    assert desk.mem.get("ann", "lives_in") == "Delhi"
    assert_rebuilt_alike(desk.mem)


def test_a_corrected_message_is_marked_wherever_its_words_still_appear(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.say("I live in Delhi", lives("Delhi"))
    desk.hands.set(day(20))
    seq = desk.say("I live in Bangalore these days", lives("Bangalore"))
    desk.mem.correct(id_of(desk.mem, "Bangalore"))
    text = desk.mem.context("ann", "Bangalore", include_history=True).text
    assert "Bangalore" not in text
    hits = desk.mem.search("ann", "Bangalore")
    assert [hit.seq for hit in hits if hit.kind == "episode"] == [seq]
    for hit in hits:
        assert hit.corrected or (hit.fact is not None and hit.fact.status == "corrected")
    assert not any(hit.corrected for hit in desk.mem.search("ann", "Delhi"))


# The table of the design, and the kinds behind the rows.


def test_correcting_a_late_copy_bars_only_the_time_that_was_corrected(desk: Desk) -> None:
    desk.hands.set(day(51))
    desk.mem.set("ann", "lives_in", "A")
    desk.hands.set(day(60))
    desk.mem.correct(id_of(desk.mem, "A"))
    desk.say("I live in A", lives("A"), said_at=day(40))
    assert line(desk.mem) == [("A", 40, 51)]
    assert_rebuilt_alike(desk.mem)


def test_corrections_reach_a_message_that_was_still_waiting(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.say("I live in A", lives("A"), flush=False)
    for number, place in ((20, "B"), (30, "A")):
        desk.hands.set(day(number))
        desk.mem.set("ann", "lives_in", place)
    desk.hands.set(day(40))
    desk.mem.correct(id_of(desk.mem, "A"))
    desk.mem.correct(id_of(desk.mem, "B"))
    desk.mem.flush()
    assert line(desk.mem) == [("A", 10, None)]
    assert_rebuilt_alike(desk.mem)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))), ids=str)
def test_corrections_may_be_made_in_any_order(desk: Desk, order: tuple[int, ...]) -> None:
    places = "ABCD"
    for number, place in enumerate(places):
        desk.hands.set(day(10 * (number + 1)))
        desk.mem.set("ann", "lives_in", place)
    whole = unrecorded(everything(desk.mem))
    ids = [id_of(desk.mem, place) for place in places]
    desk.hands.set(day(90))
    left = list(range(4))
    for number in order:
        desk.mem.correct(ids[number])
        left.remove(number)
        starts = [10 * (one + 1) for one in left]
        ends = [*starts[1:], None]
        assert line(desk.mem) == list(zip([places[one] for one in left], starts, ends[: len(left)], strict=True))
    assert_rebuilt_alike(desk.mem)
    for number in order:
        desk.mem.reinstate(ids[number])
    assert unrecorded(everything(desk.mem)) == whole
    assert_rebuilt_alike(desk.mem)


@given(st.lists(st.sampled_from("ABC"), min_size=2, max_size=7))
def test_undoing_the_newest_value_again_and_again_walks_back_through_the_values(places: list[str]) -> None:
    """Values said one after another: to correct the newest run takes away just that run."""
    hands = Hands()
    with Memory(":memory:", worker=False, clock=hands) as mem:
        mem.register_predicate("lives_in")
        for number, place in enumerate(places):
            hands.set(day(number + 1))
            mem.set("ann", "lives_in", place)
        hands.set(day(50))
        while (shown := mem.state("ann").fact("lives_in")) is not None:
            runs = line(mem)
            mem.correct(shown.id)
            kept = runs[:-1]
            assert line(mem) == [*kept[:-1], *[(value, since, None) for value, since, _ in kept[-1:]]]
            assert_rebuilt_alike(mem)
        assert line(mem) == []


@half_settings
@given(st.lists(st.sampled_from("ABC"), min_size=1, max_size=6), st.integers(0, 5), st.sampled_from("ABC"))
def test_no_late_message_brings_a_corrected_value_back_into_its_time(
    places: list[str], wrong: int, late: str
) -> None:
    hands = Hands()
    with Memory(":memory:", worker=False, clock=hands) as mem:
        mem.register_predicate("lives_in")
        for number, place in enumerate(places):
            hands.set(day(10 * (number + 1)))
            mem.set("ann", "lives_in", place)
        runs = mem.history("ann", "lives_in").facts
        fact = runs[wrong % len(runs)]
        hands.set(day(200))
        mem.correct(fact.id)
        mem.set("ann", "lives_in", late, said_at=day(5))
        mem.record("ann", "lives_in", fact.value, valid_from=day(1), said_at=day(6))
        since = fact.valid_from or day(0)
        until = day(150) if fact.valid_to is None else fact.valid_to
        for when in (since, since + (until - since) / 2):
            assert mem.get("ann", "lives_in", at=when) != fact.value
        assert_rebuilt_alike(mem)


def test_every_id_that_a_history_lists_can_be_explained(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.mem.set("ann", "lives_in", "Delhi")
    desk.hands.set(day(20))
    desk.mem.correct(id_of(desk.mem, "Delhi"), "Pune")
    desk.hands.set(day(40))
    desk.mem.set("ann", "lives_in", "Goa", since=day(5))
    facts = desk.mem.history("ann", "lives_in").facts
    assert {str(fact.status): fact.value for fact in facts} == {
        "active": "Goa", "corrected": "Delhi", "overridden": "Pune",
    }  # fmt: skip
    for fact in facts:
        explained = desk.mem.explain(fact.id)
        assert (explained.fact.value, explained.fact.status) == (fact.value, fact.status)
    # It was never true, though it is hidden: taking away what hides it does not bring it back.
    desk.mem.correct(next(fact.id for fact in facts if fact.value == "Pune"))
    desk.mem.correct(id_of(desk.mem, "Goa"))
    assert desk.mem.state("ann").values == {}


@pytest.mark.parametrize("no_id", ["", "x", "12", "aaaa-1-0-0"])
@pytest.mark.parametrize("verb", ["correct", "reinstate", "review", "explain"])
def test_an_unknown_id_is_an_error_that_writes_nothing(desk: Desk, verb: str, no_id: str) -> None:
    desk.mem.set("ann", "lives_in", "Delhi")
    before = everything(desk.mem)
    with pytest.raises(UnknownFactError):
        getattr(desk.mem, verb)(no_id)
    assert everything(desk.mem) == before


def test_nobody_corrects_through_a_handle_of_another_scope(desk: Desk) -> None:
    desk.mem.set("ann", "lives_in", "Delhi")
    fact = id_of(desk.mem, "Delhi")
    with pytest.raises(UnknownFactError):
        desk.mem.for_user("ben").correct(fact)
    with pytest.raises(UnknownFactError):
        desk.mem.for_user("ann", agent_id="helper").correct(fact)
    with desk.open(namespace="elsewhere") as other, pytest.raises(UnknownFactError):
        other.correct(fact)
    assert desk.mem.get("ann", "lives_in") == "Delhi"
