"""The order in which extractions finish, and a rebuild, change nothing.

Left out, because there is no export in this version: a scope with a correction, or with a message and an explicit
write, exported and imported elsewhere.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import FakeExtractor, Memory, Operation
from tensemem.errors import ExtractorError
from tests.settings import half_settings

from .bench import Desk, Hands, Script, assert_rebuilt_alike, day, everything, line, lives, speaks, unrecorded


def test_a_queued_message_does_not_overwrite_a_later_write(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.say("I live in Delhi", lives("Delhi"), flush=False)
    desk.hands.set(day(20))
    desk.mem.set("ann", "lives_in", "Bangalore")
    desk.mem.flush()
    assert line(desk.mem) == [("Delhi", 10, 20), ("Bangalore", 20, None)]
    assert desk.mem.state("ann").freshness.is_current
    assert_rebuilt_alike(desk.mem)


@pytest.mark.parametrize("attempt", range(10))
def test_a_queued_message_does_not_overwrite_a_later_write_while_a_worker_runs(busy_desk: Desk, attempt: int) -> None:
    busy_desk.hands.set(day(10))
    busy_desk.say("I live in Delhi", lives("Delhi"), flush=False)
    busy_desk.hands.set(day(20))
    busy_desk.mem.set("ann", "lives_in", "Bangalore")
    state = busy_desk.mem.state("ann", wait=True, on_stale="raise")
    assert state.values == {"lives_in": "Bangalore"}
    assert line(busy_desk.mem) == [("Delhi", 10, 20), ("Bangalore", 20, None)]


def test_a_queued_message_does_not_overwrite_a_later_retraction(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.say("I live in Delhi", lives("Delhi"), flush=False)
    desk.hands.set(day(20))
    desk.mem.retract("ann", "lives_in", "Delhi")
    desk.mem.flush()
    assert desk.mem.get("ann", "lives_in") is None
    assert line(desk.mem) == [("Delhi", 10, 20)]
    assert_rebuilt_alike(desk.mem)


def test_a_rebuild_keeps_a_write_over_the_message_before_it(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.say("I live in Delhi", lives("Delhi"))
    desk.hands.set(day(20))
    desk.mem.set("ann", "lives_in", "Bangalore")
    assert desk.mem.rebuild("ann").identical
    assert [fact.value for fact in desk.mem.history("ann", "lives_in")] == ["Delhi", "Bangalore"]
    assert desk.mem.get("ann", "lives_in") == "Bangalore"
    assert_rebuilt_alike(desk.mem)


@pytest.mark.parametrize("verb", ["remove_value", "retract"])
def test_a_rebuild_keeps_what_was_taken_away(desk: Desk, verb: str) -> None:
    desk.hands.set(day(10))
    desk.say("I write Python", speaks("Python"))
    desk.hands.set(day(20))
    getattr(desk.mem, verb)("ann", "languages", "Python")
    desk.mem.rebuild("ann")
    assert desk.mem.get("ann", "languages") is None
    assert line(desk.mem, "languages") == [("Python", 10, 20)]
    assert_rebuilt_alike(desk.mem)


def test_a_rebuild_keeps_what_was_stated_in_place_of_a_corrected_value(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.say("I live in Delhi", lives("Delhi"))
    desk.hands.set(day(20))
    desk.say("I live in Bangalore", lives("Bangalore"))
    desk.hands.set(day(30))
    desk.mem.correct(desk.fact("lives_in").id, "Pune")
    desk.mem.rebuild("ann")
    assert line(desk.mem) == [("Delhi", 10, 20), ("Pune", 20, None)]
    assert_rebuilt_alike(desk.mem)


def there_and_back_again(desk: Desk) -> None:
    for number, place in ((10, "Delhi"), (20, "Bangalore"), (30, "Delhi")):
        desk.hands.set(day(number))
        desk.say(f"I live in {place}", lives(place))
    desk.hands.set(day(40))
    desk.mem.correct(desk.fact("lives_in").id)


def test_correcting_the_second_time_of_a_value_leaves_the_first(desk: Desk) -> None:
    there_and_back_again(desk)
    desk.mem.rebuild("ann")
    assert line(desk.mem) == [("Delhi", 10, 20), ("Bangalore", 20, None)]
    assert_rebuilt_alike(desk.mem)


def test_correcting_what_stood_between_joins_the_first_time_to_the_present(desk: Desk) -> None:
    there_and_back_again(desk)
    desk.mem.rebuild("ann")
    desk.mem.correct(desk.fact("lives_in").id)
    assert line(desk.mem) == [("Delhi", 10, None)]
    assert_rebuilt_alike(desk.mem)


def test_a_model_that_would_word_a_message_differently_is_not_asked_again(desk: Desk) -> None:
    desk.script.says("I moved to Pune", [lives("Pune")], [lives("Poona"), speaks("Marathi")])
    desk.mem.add("ann", "I moved to Pune")
    desk.mem.flush()
    before = everything(desk.mem)
    desk.mem.rebuild()
    desk.mem.flush()
    assert (len(desk.script.asked), everything(desk.mem)) == (1, before)
    again = desk.reopen()
    again.flush()
    assert (len(desk.script.asked), everything(again)) == (1, before)


def test_a_secret_is_replaced_before_the_log_so_that_a_rebuild_changes_nothing(desk: Desk) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    desk.mem.register_predicate("note")
    receipt = desk.mem.set("ann", "note", f"the token is {token}")
    assert sum(receipt.redactions.values()) == 1
    assert token not in desk.mem.get("ann", "note")
    assert_rebuilt_alike(desk.mem)


def test_a_rebuild_needs_no_model_and_leaves_the_old_facts_readable(desk: Desk) -> None:
    desk.say("I live in Delhi", lives("Delhi"))
    desk.say("I live in Pune", lives("Pune"), flush=False)
    desk.close()
    with desk.open(llm=None) as other:
        assert other.rebuild().identical
        state = other.state("ann")
        assert state.values == {"lives_in": "Delhi"}
        assert (state.freshness.pending, state.freshness.reason) == (1, "no_extractor")
    desk.mem = desk.open()
    desk.mem.flush()
    assert desk.mem.get("ann", "lives_in") == "Pune"


def test_reads_go_on_while_a_rebuild_replaces_what_differs(desk: Desk) -> None:
    desk.say("I live in Delhi", lives("Delhi"))
    seen: list[Any] = []
    with desk.open(llm=None) as other:
        desk.mem.on(lambda event, fields: seen.append(other.state("ann").values))
        desk.mem.rebuild()
        seen.append(other.state("ann").values)
    assert seen
    assert all(values == {"lives_in": "Delhi"} for values in seen)


def test_an_id_kept_over_a_rebuild_can_still_be_corrected(desk: Desk) -> None:
    desk.say("I live in Delhi", lives("Delhi"))
    fact = desk.fact("lives_in")
    desk.mem.rebuild()
    assert desk.fact("lives_in") == fact
    assert desk.mem.correct(fact.id).changed
    assert desk.mem.get("ann", "lives_in") is None


def test_evidence_and_revisions_of_a_burst_stay_what_they_were(desk: Desk) -> None:
    desk.say("I live in Delhi", lives("Delhi"), flush=False)
    desk.say("I write Go", speaks("Go"), flush=False)
    desk.say("I write Rust", speaks("Rust"), flush=False)
    desk.mem.flush()
    fact = desk.fact("lives_in")
    assert [item.seq for item in fact.evidence] == [1]
    desk.mem.rebuild()
    assert desk.fact("lives_in") == fact
    assert_rebuilt_alike(desk.mem)


def test_a_dismissed_message_stays_dismissed_over_a_rebuild(desk: Desk) -> None:
    desk.script.says("poison", ExtractorError("it can't be read"))
    seq = desk.mem.add("ann", "poison").seq
    for _ in range(8):
        desk.mem.flush()
    assert desk.mem.state("ann").freshness.failed_seqs == (seq,)
    desk.mem.dismiss("ann", seq)
    asked = len(desk.script.asked)
    desk.mem.rebuild()
    desk.reopen().flush()
    assert len(desk.script.asked) == asked
    assert desk.mem.jobs() == ()
    assert desk.mem.state("ann").freshness.is_current
    assert [(one.outcome, one.reason) for one in desk.mem.decisions("ann", seq)] == [("skipped", "dismissed")]


# The kinds behind the rows.

WORDS = "Delhi Pune Oslo Go Rust SQL"

BURST = (
    (lives("Delhi"), speaks("Go")),
    (lives("Pune"),),
    (Operation("retract", "lives_in", "Delhi"), Operation("replace", "languages", ["Rust"])),
    (lives("Delhi"), speaks("Go")),
)


@pytest.mark.parametrize("finishing", list(itertools.permutations(range(len(BURST)))), ids=str)
def test_extractions_may_finish_in_any_order(finishing: tuple[int, ...]) -> None:
    with played_burst(finishing) as mem, played_burst(tuple(range(len(BURST)))) as in_order:
        assert mem.state("ann").values == {"lives_in": "Delhi", "languages": ("Go", "Rust")}
        assert line(mem) == [("Delhi", 0, 10), ("Pune", 10, 15), ("Oslo", 15, 30), ("Delhi", 30, None)]
        assert unrecorded(everything(mem)) == unrecorded(everything(in_order))
        assert_rebuilt_alike(mem)


def played_burst(finishing: tuple[int, ...]) -> Memory:
    """Queue messages with a write among them; each fails as often as others shall finish before it."""
    hands, script = Hands(), Script()
    mem = fresh_memory(script, hands)
    for number, operations in enumerate(BURST):
        hands.set(day(10 * number))
        text = f"message {number}: {WORDS}"
        script.says(text, *[ExtractorError("not yet")] * finishing.index(number), list(operations))
        mem.add("ann", text)
        if number == 1:
            hands.set(day(15))
            mem.set("ann", "lives_in", "Oslo")
    for _ in BURST:
        mem.flush()
    assert mem.state("ann").freshness.is_current
    return mem


def fresh_memory(llm: Any, hands: Hands) -> Memory:
    mem = Memory(":memory:", llm=llm, clock=hands, worker=False)
    mem.register_predicate("lives_in")
    mem.register_predicate("languages", "many")
    return mem


places = st.sampled_from(["Delhi", "Pune", "Oslo"])
languages = st.sampled_from(["Go", "Rust", "SQL"])
past_days = st.integers(1, 12)


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    """Any statement, dated at most as late as the first day on which something is said."""
    if draw(st.booleans()):
        kind = draw(st.sampled_from(["set", "since", "row", "period", "retract", "retract any", "deny", "confirm"]))
        place = draw(places)
        first, last = sorted((draw(past_days), draw(past_days)))
        match kind:
            case "since":
                return lives(place, since=day(first))
            case "row":
                return lives(place, valid_from=day(first))
            case "period":
                return lives(place, valid_from=day(first), valid_to=day(last + 1))
            case "retract any":
                return Operation("retract", "lives_in")
            case "set":
                return lives(place)
            case _:
                return Operation(kind, "lives_in", place)  # type: ignore[arg-type]
    op = draw(st.sampled_from(["add", "remove", "retract", "replace"]))
    if op == "replace":
        return Operation("replace", "languages", draw(st.lists(languages, max_size=2, unique=True)))
    return Operation(op, "languages", draw(languages))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Heard:
    """One step: operations said or written, how often their extraction fails, and whether a flush follows."""

    operations: list[Operation]
    is_written: bool
    failures: int
    is_followed_by_a_flush: bool


heard = st.builds(
    Heard, st.lists(operations(), min_size=1, max_size=3), st.booleans(), st.integers(0, 2), st.booleans()
)


@half_settings
@given(st.lists(heard, min_size=1, max_size=7))
def test_when_a_message_is_extracted_decides_nothing(story: list[Heard]) -> None:
    with told_story(story, at_once=False) as mem, told_story(story, at_once=True) as promptly:
        assert unrecorded(everything(mem)) == unrecorded(everything(promptly))
        assert_rebuilt_alike(mem)


def told_story(story: list[Heard], *, at_once: bool) -> Memory:
    hands, script = Hands(), Script()
    mem = fresh_memory(script, hands)
    for number, step in enumerate(story):
        hands.set(day(13 + number))
        text = f"message {number}: {WORDS}"
        if step.is_written:
            mem.write("ann", step.operations)
        else:
            failures = 0 if at_once else step.failures
            script.says(text, *[ExtractorError("not yet")] * failures, list(step.operations))
            mem.add("ann", text)
        if at_once or step.is_followed_by_a_flush:
            mem.flush()
    for _ in range(3):
        mem.flush()
    assert mem.state("ann").freshness.is_current
    return mem


@given(st.permutations(range(5)))
def test_dated_rows_may_be_recorded_in_any_order(recorded: list[int]) -> None:
    hands = Hands(day(100))
    with fresh_memory(FakeExtractor(), hands) as mem:
        for number in recorded:
            mem.record("ann", "lives_in", "ABCDE"[number], valid_from=day(10 * (number + 1)), said_at=day(99))
        assert line(mem) == [
            ("A", 10, 20), ("B", 20, 30), ("C", 30, 40), ("D", 40, 50), ("E", 50, None)
        ]  # fmt: skip
        assert_rebuilt_alike(mem)


@given(st.permutations(range(5)))
def test_statements_that_arrive_late_take_their_own_place(recorded: list[int]) -> None:
    hands = Hands(day(100))
    with fresh_memory(FakeExtractor(), hands) as mem:
        for number in recorded:
            mem.set("ann", "lives_in", "ABABC"[number], said_at=day(10 * (number + 1)))
        assert line(mem) == [
            ("A", 10, 20), ("B", 20, 30), ("A", 30, 40), ("B", 40, 50), ("C", 50, None)
        ]  # fmt: skip
        assert_rebuilt_alike(mem)
