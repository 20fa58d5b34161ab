"""Two clocks, kept apart: when something was said, and when it holds.

Left out: "not only Rust" proposed as "only Rust" is for an extractor to understand.
"""

from __future__ import annotations

import itertools
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import FactStatus, Memory, Operation
from tensemem.errors import FutureTimestampError, InvalidTimeError, TensememError

from .bench import Desk, Hands, assert_rebuilt_alike, day, line, lives, speaks, told


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_an_older_statement_that_arrives_later_does_not_win(desk: Desk) -> None:
    desk.hands.set(at("2026-06-02"))
    desk.say("I live in Bangalore", lives("Bangalore"), said_at="2026-06-01T00:00Z")
    desk.say("I live in Delhi", lives("Delhi"), said_at="2024-01-01T00:00Z")
    assert told(desk.mem.history("ann", "lives_in").facts) == [
        ("Delhi", at("2024-01-01"), at("2026-06-01"), "superseded"),
        ("Bangalore", at("2026-06-01"), None, "active"),
    ]
    assert_rebuilt_alike(desk.mem)


@pytest.mark.parametrize("is_written", [True, False])
def test_where_somebody_lived_years_ago_is_not_where_they_live(desk: Desk, is_written: bool) -> None:
    desk.hands.set(at("2026-06-01"))
    if is_written:
        desk.mem.set("ann", "lives_in", "Bangalore")
    else:
        desk.say("I live in Bangalore", lives("Bangalore"))
    desk.hands.advance(days=1)
    desk.say("I lived in Delhi in 2019", lives("Delhi", valid_from="2019", valid_to="2019"))
    assert told(desk.mem.history("ann", "lives_in").facts) == [
        ("Delhi", at("2019-01-01"), at("2020-01-01"), "expired"),
        ("Bangalore", at("2026-06-01"), None, "active"),
    ]
    assert_rebuilt_alike(desk.mem)


def test_a_value_said_again_vouches_for_a_later_moment_and_keeps_its_beginning(desk: Desk) -> None:
    desk.hands.set(at("2020-06-01"))
    desk.say("I live in Delhi since 2020", lives("Delhi", since="2020-01-01"))
    desk.hands.set(at("2026-01-01"))
    desk.say("I live in Delhi", lives("Delhi"))
    desk.hands.advance(days=30)
    desk.say("I was in Pune in 2023", lives("Pune", valid_from="2023", valid_to="2023"))
    assert told(desk.mem.history("ann", "lives_in").facts) == [
        ("Delhi", at("2020-01-01"), at("2023-01-01"), "superseded"),
        ("Pune", at("2023-01-01"), at("2024-01-01"), "superseded"),
        ("Delhi", at("2024-01-01"), None, "active"),
    ]
    assert_rebuilt_alike(desk.mem)


def test_a_row_for_a_coming_day_is_not_current_before_it(desk: Desk) -> None:
    desk.hands.set(at("2026-06-01"))
    desk.say("I live in Delhi", lives("Delhi"))
    desk.mem.record("ann", "lives_in", "Goa", valid_from="2027-01-01")
    state = desk.mem.state("ann")
    assert (state.values, state.next_change_at) == ({"lives_in": "Delhi"}, at("2027-01-01"))
    assert [fact.status for fact in desk.mem.history("ann", "lives_in")] == [FactStatus.ACTIVE, FactStatus.SCHEDULED]
    desk.hands.set(at("2027-01-01"))
    later = desk.mem.state("ann")
    assert later.values == {"lives_in": "Goa"}
    assert later.version != state.version
    assert later.rev == state.rev


def test_a_departure_said_long_before_an_arrival_does_not_end_it(desk: Desk) -> None:
    desk.hands.set(at("2026-06-01"))
    desk.say("I live in Delhi since 2024", lives("Delhi", since="2024-01-01"))
    desk.mem.retract("ann", "lives_in", "Delhi", said_at="2019-05-01T00:00Z")
    assert desk.mem.get("ann", "lives_in") == "Delhi"
    assert_rebuilt_alike(desk.mem)


def test_a_departure_dated_before_an_arrival_and_said_after_it_wins_as_the_newest_word(desk: Desk) -> None:
    desk.hands.set(at("2026-06-01"))
    desk.mem.set("ann", "lives_in", "Delhi", since="2024-01-01")
    desk.hands.advance(days=1)
    desk.mem.retract("ann", "lives_in", "Delhi", since="2019-05-01")
    assert desk.mem.get("ann", "lives_in") is None


@pytest.mark.parametrize(
    "quote", ["May", "Mon", "Sat", "12", "1.5", "10-4", "3d", "MAR", "2019", "yesterday", "last year", "12:30"]
)
def test_no_date_is_read_out_of_a_quote(desk: Desk, quote: str) -> None:
    desk.mem.register_predicate("employer")
    desk.hands.set(at("2026-06-01"))
    desk.mem.set("ann", "employer", "Acme")
    desk.hands.set(at("2026-07-01"))
    desk.say(f"now I work for {quote}", Operation("set", "employer", quote, quote=quote))
    assert told(desk.mem.history("ann", "employer").facts) == [
        ("Acme", at("2026-06-01"), at("2026-07-01"), "superseded"),
        (quote, at("2026-07-01"), None, "active"),
    ]


@pytest.mark.parametrize("arriving", list(itertools.permutations(["2020", "2022", "2026"])), ids=str)
def test_late_rows_end_where_the_next_one_begins(desk: Desk, arriving: tuple[str, ...]) -> None:
    desk.hands.set(at("2026-12-01"))
    names = {"2020": "R", "2022": "Q", "2026": "X"}
    for year in arriving:
        desk.say(f"{names[year]} it was", lives(names[year]), said_at=f"{year}-03-01T00:00Z", flush=False)
    for _ in arriving:
        desk.mem.flush()
    assert told(desk.mem.history("ann", "lives_in").facts) == [
        ("R", at("2020-03-01"), at("2022-03-01"), "superseded"),
        ("Q", at("2022-03-01"), at("2026-03-01"), "superseded"),
        ("X", at("2026-03-01"), None, "active"),
    ]
    assert_rebuilt_alike(desk.mem)


def test_a_plan_whose_day_has_passed_is_asked_about_and_never_current_by_itself(desk: Desk) -> None:
    desk.hands.set(at("2026-05-01"))
    desk.say("I live in Delhi", lives("Delhi"))
    desk.say("In July I move to Goa", lives("Goa", modality="planned", since="2026-07-01"))
    before = desk.mem.state("ann")
    assert (before.values, [plan.value for plan in before.planned]) == ({"lives_in": "Delhi"}, ["Goa"])
    planned = desk.mem.context("ann")
    assert "Goa" in planned.text
    desk.hands.set(at("2026-08-01"))
    due = desk.mem.context("ann")
    assert (desk.mem.get("ann", "lives_in"), due.version != planned.version) == ("Delhi", True)
    assert due.text != planned.text
    desk.mem.review(before.planned[0].id)
    assert told(desk.mem.history("ann", "lives_in").facts) == [
        ("Delhi", at("2026-05-01"), at("2026-07-01"), "superseded"),
        ("Goa", at("2026-07-01"), None, "active"),
    ]


def test_reads_as_of_a_day_and_as_known_at_a_day_are_two_things(desk: Desk) -> None:
    desk.hands.set(at("2026-01-10"))
    desk.mem.set("ann", "lives_in", "Delhi")
    desk.hands.set(at("2026-03-10"))
    desk.mem.set("ann", "lives_in", "Bangalore", since="2026-02-01")
    assert desk.mem.get("ann", "lives_in", at="2026-02-15") == "Bangalore"
    assert desk.mem.get("ann", "lives_in", at="2026-02-15", known_at="2026-03-01") == "Delhi"
    assert desk.mem.get("ann", "lives_in", at="2026-01-15", known_at="2026-03-10T12:00Z") == "Delhi"
    assert desk.mem.get("ann", "lives_in", known_at="2026-01-09") is None
    assert desk.mem.get("ann", "lives_in", at="2026-01-09") is None


@pytest.mark.parametrize(
    "when",
    ["garbage", "", " ", "2026-13-45", "2026-02-30", "tomorrow", "1767225600", 1767225600, 1767225600.5, True, [],
     "2026-06-01T25:00Z", "2026-06-01T10:00+99:00", "0000-01-01"],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("verb", ["add", "set", "record"])
def test_a_time_that_is_none_is_refused_at_once(desk: Desk, verb: str, when: Any) -> None:
    desk.hands.set(at("2026-06-02"))
    before = desk.mem.stats()
    given: dict[str, Any] = {"add": {"said_at": when}, "set": {"since": when}, "record": {"valid_from": when}}[verb]
    arguments = ["I live in Delhi"] if verb == "add" else ["lives_in", "Delhi"]
    with pytest.raises(InvalidTimeError):
        getattr(desk.mem, verb)("ann", *arguments, **given)
    assert desk.mem.stats() == before


def test_a_row_needs_a_date(desk: Desk) -> None:
    with pytest.raises(InvalidTimeError):
        desk.mem.record("ann", "lives_in", "Delhi", valid_from=None)  # type: ignore[arg-type]
    assert desk.mem.history("ann").facts == ()


def test_a_time_without_a_zone_is_read_in_the_memory_s_zone(tmp_path: Any) -> None:
    with Memory(tmp_path / "a.db", worker=False, tz="Asia/Kolkata", clock=Hands(at("2026-06-02"))) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi", said_at="2026-06-01T10:00")
        assert mem.state("ann").facts[0].said_at == at("2026-06-01T04:30")


def test_what_was_said_lies_at_most_five_minutes_ahead(desk: Desk) -> None:
    desk.hands.set(at("2026-06-01"))
    desk.mem.add("ann", "fine", said_at="2026-06-01T00:05Z")
    with pytest.raises(FutureTimestampError):
        desk.mem.add("ann", "too early", said_at="2026-06-01T00:05:01Z")


@pytest.mark.parametrize(
    ("since", "precision", "begins", "told_as"),
    [
        ("2023", "year", "2023-01-01", "since 2023;"),
        ("2020-06", "month", "2020-06-01", "since 2020-06;"),
        ("2020-06-09", "day", "2020-06-09", "since 2020-06-09;"),
        (date(2020, 6, 9), "day", "2020-06-09", "since 2020-06-09;"),
    ],
)
def test_a_start_is_as_precise_as_it_was_told(
    desk: Desk, since: Any, precision: str, begins: str, told_as: str
) -> None:
    desk.hands.set(at("2026-06-01"))
    desk.say("I live in Delhi for years", lives("Delhi", since=since))
    fact = desk.fact("lives_in")
    assert (fact.precision, fact.valid_from) == (precision, at(begins))
    assert told_as in desk.mem.context("ann").text


def test_the_first_value_of_a_month_does_not_hide_one_said_inside_it(desk: Desk) -> None:
    desk.hands.set(at("2026-01-15"))
    desk.mem.set("ann", "lives_in", "Delhi")
    desk.hands.set(at("2026-03-01"))
    desk.mem.set("ann", "lives_in", "Bangalore", since="2026")
    assert desk.mem.get("ann", "lives_in", at=at("2026-01-15")) == "Delhi"
    assert desk.mem.get("ann", "lives_in", at="2026-01-16") == "Bangalore"


# The kinds behind the rows.


@given(st.lists(st.tuples(st.integers(0, 400), st.sampled_from("ABC")), min_size=1, max_size=8))
def test_whatever_arrives_late_the_present_value_is_the_last_said(statements: list[tuple[int, str]]) -> None:
    hands = Hands(day(500))
    with Memory(":memory:", worker=False, clock=hands) as mem:
        mem.register_predicate("lives_in")
        for number, place in statements:
            mem.set("ann", "lives_in", place, said_at=day(number))
        newest = max(range(len(statements)), key=lambda place: (statements[place][0], place))
        assert mem.get("ann", "lives_in") == statements[newest][1]
        facts = line(mem)
        assert facts[-1][2] is None
        assert [fact[2] for fact in facts[:-1]] == [fact[1] for fact in facts[1:]]


@given(
    st.lists(
        st.tuples(st.sampled_from("ABC"), st.integers(0, 60), st.one_of(st.none(), st.integers(1, 30))),
        min_size=1,
        max_size=6,
    ),
    st.integers(0, 120),
)
def test_the_past_does_not_move_when_more_is_recorded(
    rows: list[tuple[str, int, int | None]], looked_at: int
) -> None:
    hands = Hands(day(40))
    with Memory(":memory:", worker=False, clock=hands) as mem:
        mem.register_predicate("lives_in")
        known: list[tuple[int, Any]] = []
        for place, first, length in rows:
            hands.advance(days=1)
            until = None if length is None else day(first + length)
            mem.record("ann", "lives_in", place, valid_from=day(first), valid_to=until)
            known.append((mem.state("ann").rev, mem.get("ann", "lives_in", at=day(looked_at))))
        for rev, value in known:
            assert mem.get("ann", "lives_in", at=day(looked_at), known_at=rev) == value


@given(st.lists(st.integers(-3000, 3000), min_size=2, max_size=10))
def test_a_clock_that_steps_back_does_not_reorder_what_was_said(steps: list[int]) -> None:
    hands = Hands(day(100))
    with Memory(":memory:", worker=False, clock=hands) as mem:
        mem.register_predicate("lives_in")
        for number, minutes in enumerate(steps):
            hands.advance(minutes=minutes)
            mem.set("ann", "lives_in", f"place {number}")
            assert mem.get("ann", "lives_in") == f"place {number}"
        facts = mem.history("ann", "lives_in").facts
        assert [fact.value for fact in facts] == [f"place {number}" for number in range(len(steps))]
        recorded = [fact.recorded_at for fact in facts]
        assert recorded == sorted(recorded)
        assert_rebuilt_alike(mem)


def test_two_kinds_of_dates_at_once_are_refused_and_spoil_nothing_else(desk: Desk) -> None:
    both = {"since": "2026-01-01", "valid_from": "2026-01-01"}
    with pytest.raises(TensememError):
        desk.mem.write("ann", [Operation("set", "lives_in", "Delhi", **both)])  # type: ignore[arg-type]
    seq = desk.say("I live in Delhi and write Go", lives("Delhi", **both), speaks("Go"))
    assert desk.mem.state("ann").values == {"languages": ("Go",)}
    assert [one.outcome for one in desk.mem.decisions("ann", seq)] == ["refused", "admitted"]
