"""A burst of messages is the same as messages one by one; a quote belongs to its message; a duplicate is no news."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import FakeExtractor, Memory, Message
from tests.settings import half_settings

from .bench import Desk, Hands, assert_rebuilt_alike, day, everything, line, lives, speaks, told, unrecorded


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_every_message_of_a_burst_keeps_its_own_time_and_evidence(desk: Desk) -> None:
    desk.hands.set(at("2026-03-20"))
    moved = "I moved to Pune yesterday"
    desk.say(moved, lives("Pune", since="2026-01-09"), said_at="2026-01-10T00:00Z", flush=False)
    desk.say("I write Go", speaks("Go"), flush=False)
    desk.mem.flush()
    [fact] = desk.mem.history("ann", "lives_in").facts
    assert told([fact]) == [("Pune", at("2026-01-09"), None, "active")]
    assert [(item.seq, item.quote) for item in fact.evidence] == [(1, moved)]
    [request, _] = desk.script.requests
    assert [message.said_at for message in request.messages] == [at("2026-01-10")]


def remembered(sentences: Sequence[str], bursts: Sequence[int]) -> Memory:
    """Say sentences, some of them awaited only together with those that follow."""
    hands = Hands()
    mem = Memory(":memory:", llm=FakeExtractor(), clock=hands, worker=False)
    for name in ("lives_in", "works_at", "name", "diet"):
        mem.register_predicate(name)
    mem.register_predicate("languages", "many")
    for number, sentence in enumerate(sentences):
        hands.set(day(10 * (number + 1)))
        mem.add("ann", sentence)
        if number not in bursts:
            mem.flush()
    mem.flush()
    return mem


@pytest.mark.parametrize(
    ("sentences", "timeline"),
    [
        (("I no longer live in Delhi", "I moved to Delhi"), [("Delhi", 20, None)]),
        (("If I win the lottery I move to Goa", "I live in Delhi"), [("Delhi", 20, None)]),
        (("I live in Delhi", "I live in Bangalore", "I do not live in Bangalore"), None),
        (("I live in Delhi", "My wife lives in Pune", "I live in Pune"), [("Delhi", 10, 30), ("Pune", 30, None)]),
    ],
    ids=str,
)
def test_a_burst_is_understood_like_messages_one_by_one(
    sentences: tuple[str, ...], timeline: list[tuple[str, float, float | None]] | None
) -> None:
    every = range(len(sentences))
    with remembered(sentences, ()) as awaited, remembered(sentences, every) as burst:
        assert unrecorded(everything(burst)) == unrecorded(everything(awaited))
        if timeline is not None:
            assert line(burst) == timeline
        assert_rebuilt_alike(burst)


def test_a_departure_from_where_nobody_lives_any_more_ends_the_present() -> None:
    with remembered(("I live in Delhi", "I live in Bangalore", "I no longer live in Bangalore"), range(3)) as mem:
        assert line(mem) == [("Delhi", 10, 20), ("Bangalore", 20, 30)]


def test_what_is_said_of_another_person_is_not_said_of_the_user() -> None:
    with remembered(("I live in Delhi", "My wife lives in Pune", "I live in Pune"), range(3)) as mem:
        assert mem.state("ann").by_subject == {"user": {"lives_in": "Pune"}, "user.wife": {"lives_in": "Pune"}}


def test_a_quote_that_runs_over_two_messages_is_found_in_neither(desk: Desk) -> None:
    desk.say("I live in Delhi", flush=False)
    seq = desk.say("not in Pune", lives("Delhi", quote="Delhi\nnot"), flush=False)
    desk.mem.flush()
    assert [(one.outcome, one.reason) for one in desk.mem.decisions("ann", seq)] == [("refused", "no_quote")]
    assert desk.mem.state("ann").values == {}


@pytest.mark.parametrize("quote", ["", " ", ".", "I live in", "I live  in\nDelhi", "x"])
def test_an_operation_is_as_good_as_its_quote(desk: Desk, quote: str) -> None:
    text = "I live in Delhi."
    desk.script.says(text, [{"op": "set", "predicate": "lives_in", "value": "Delhi", "quote": quote}])
    seq = desk.mem.add("ann", text).seq
    desk.mem.flush()
    is_found = " ".join(quote.split()) in text and len(quote.strip()) > 1
    [decision] = desk.mem.decisions("ann", seq)
    assert decision.outcome == ("admitted" if is_found else "refused")
    assert decision.reason == ("" if is_found else "no_quote")
    assert desk.mem.get("ann", "lives_in") == ("Delhi" if is_found else None)


def test_a_name_of_one_letter_that_is_more_than_a_letter_is_a_quote(desk: Desk) -> None:
    seq = desk.say("I know C, C++ and C#.", *[speaks(name, quote=name) for name in ("C", "C++", "C#")])
    reasons = [decision.reason for decision in desk.mem.decisions("ann", seq)]
    assert reasons == ["no_quote", "", ""]
    assert desk.mem.get("ann", "languages") == ("C#", "C++")


def test_every_one_of_many_operations_is_taken(desk: Desk) -> None:
    names = [f"language{number}" for number in range(200)]
    seq = desk.say("I know " + ", ".join(names), *[speaks(name, quote=name) for name in names])
    assert desk.mem.get("ann", "languages") == tuple(sorted(names))
    assert len(desk.mem.decisions("ann", seq)) == 200


def test_what_is_cut_from_an_endless_answer_is_told(desk: Desk) -> None:
    names = [f"language{number}" for number in range(1500)]
    seq = desk.say("I know " + ", ".join(names), *[speaks(name, quote=name) for name in names])
    decisions = desk.mem.decisions("ann", seq)
    assert len(desk.mem.get("ann", "languages")) == sum(one.outcome == "admitted" for one in decisions) >= 1000
    assert "500" in decisions[-1].message
    assert (decisions[-1].outcome, decisions[-1].reason) == ("refused", "malformed")


def test_a_doubtful_value_said_twice_is_one_candidate_that_can_be_accepted(desk: Desk) -> None:
    desk.mem.register_predicate("lives_in", min_confidence=0.8, update=True)
    for number in (10, 20):
        desk.hands.set(day(number))
        desk.say("I may live in Delhi", lives("Delhi", confidence=0.6))
    state = desk.mem.state("ann")
    [candidate] = state.candidates
    assert (state.values, candidate.value, len(candidate.evidence)) == ({}, "Delhi", 2)
    assert [str(fact.status) for fact in desk.mem.history("ann", "lives_in")] == ["candidate"]
    assert "Delhi" in desk.mem.context("ann").text
    assert_rebuilt_alike(desk.mem)
    desk.hands.set(day(30))
    desk.mem.review(candidate.id)
    assert desk.mem.state("ann").values == {"lives_in": "Delhi"}
    assert desk.mem.state("ann").candidates == ()
    assert_rebuilt_alike(desk.mem)


def test_a_candidate_stays_visible_when_its_slot_is_emptied(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.mem.set("ann", "lives_in", "Pune")
    desk.hands.set(day(20))
    desk.say("Perhaps Delhi", lives("Delhi", confidence=0.1))
    assert desk.fact("lives_in").contested
    desk.hands.set(day(30))
    desk.mem.retract("ann", "lives_in")
    state = desk.mem.state("ann")
    assert (state.values, [one.value for one in state.candidates]) == ({}, ["Delhi"])


@pytest.mark.parametrize("meanwhile", ["nothing", "another value", "a retraction"])
def test_confirming_a_candidate_says_that_it_holds_now(desk: Desk, meanwhile: str) -> None:
    desk.hands.set(day(20))
    desk.say("Perhaps Delhi", lives("Delhi", confidence=0.1))
    desk.hands.set(day(30))
    if meanwhile == "another value":
        desk.mem.set("ann", "lives_in", "Pune")
    elif meanwhile == "a retraction":
        desk.mem.retract("ann", "lives_in")
    desk.hands.set(day(40))
    receipt = desk.mem.confirm("ann", "lives_in", "Delhi")
    assert (desk.mem.get("ann", "lives_in"), receipt.current) == ("Delhi", True)
    assert desk.mem.state("ann").candidates == ()


def test_a_message_delivered_twice_with_its_time_is_one_message(desk: Desk) -> None:
    when: dict[str, Any] = {"said_at": day(-5)}
    first = desk.mem.add("ann", "I live in Delhi", **when)
    desk.say("I live in Delhi", lives("Delhi", confidence=0.6), **when)
    second = desk.mem.add("ann", "I live in Delhi", **when)
    desk.mem.flush()
    assert (second.seq, second.duplicate, second.rev) == (first.seq, True, first.rev)
    fact = desk.fact("lives_in")
    assert (len(fact.evidence), fact.confidence) == (1, 0.6)
    assert desk.mem.state("ann").freshness.latest_seq == 1


@pytest.mark.parametrize(
    "difference", [{"role": "assistant"}, {"session_id": "s2"}, {"speaker": "guest"}, {"said_at": day(-4)}], ids=str
)
def test_the_same_words_from_elsewhere_are_another_message(desk: Desk, difference: dict[str, Any]) -> None:
    same: dict[str, Any] = {"said_at": day(-5), "session_id": "s1"}
    desk.mem.add("ann", "I live in Delhi", **same)
    other = desk.mem.add("ann", "I live in Delhi", **{**same, **difference})
    assert (other.seq, other.duplicate) == (2, False)


def test_the_same_words_without_a_time_are_said_again(desk: Desk) -> None:
    for _ in range(2):
        desk.say("I live in Delhi", lives("Delhi"))
    assert len(desk.fact("lives_in").evidence) == 2


def test_duplicates_are_known_in_a_stream_too(desk: Desk) -> None:
    message = Message("ann", "I live in Delhi", said_at=day(-5))
    receipts = list(desk.mem.add_many([message, message, Message("ben", "I live in Delhi", said_at=day(-5))]))
    assert [(one.seq, one.duplicate) for one in receipts] == [(1, False), (1, True), (1, False)]


@pytest.mark.parametrize("verb", ["retract", "remove_value"])
def test_taking_away_what_is_not_there_can_be_told_from_success(desk: Desk, verb: str) -> None:
    desk.mem.add_value("ann", "languages", "Go")
    take = getattr(desk.mem, verb)
    nothing, something = take("ann", "languages", "Rust"), take("ann", "languages", "Go")
    assert (nothing.changed, nothing.changes) == (False, ())
    assert (something.changed, [change.value for change in something.changes]) == (True, ["Go"])
    assert desk.mem.decisions("ann", nothing.seq)[0].reason == "retract_mismatch"
    assert desk.mem.decisions("ann", something.seq)[0].reason == ""


# The kind behind the rows: where a burst begins and ends means nothing.

sentences = st.lists(
    st.sampled_from(
        [
            "I live in Delhi", "I moved to Pune", "I no longer live in Delhi", "I do not live in Pune",
            "I used to live in Goa", "My wife lives in Pune", "If I win the lottery I move to Goa",
            "Do I live in Goa?", "I work at Acme", "I live in Delhi. I work at Acme.", "My name is Ann",
            "I moved to Pune on 2026-01-03", "I am vegan", "Maybe I move to Goa\nI live in Oslo",
        ]
    ),
    min_size=1,
    max_size=6,
)  # fmt: skip


@half_settings
@given(sentences, st.sets(st.integers(0, 5)))
def test_where_a_burst_begins_and_ends_decides_nothing(said: list[str], bursts: set[int]) -> None:
    with remembered(said, ()) as awaited, remembered(said, sorted(bursts)) as burst:
        subjects = ("user", "user.wife")
        mine, theirs = (unrecorded(everything(mem, subjects=subjects)) for mem in (burst, awaited))
        assert mine == theirs
        assert_rebuilt_alike(burst, subjects=subjects)
