"""Where bars lie: none overlaps another of its lane, and places rise with time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import groupby, pairwise

from hypothesis import given
from hypothesis import strategies as st

from tensemem import Fact, FactStatus
from tensemem.drawing.labels import labels_of
from tensemem.drawing.lanes import SIGN, Field, bars_of, is_dated, signs_of
from tensemem.drawing.scale import scale_of
from tensemem.drawing.words import width_of
from tensemem.model.moment import to_moment
from tests.drawing.making import NOON, any_facts, any_statements, day, fact, moments
from tests.settings import law_settings

WHEN = moments.map(to_moment)


def room_for(facts: list[Fact], width: float = 900) -> Field:
    told = [to_moment(one) for fact in facts for one in (fact.valid_from, fact.valid_to) if one is not None]
    return Field(scale_of(told, 30, width - 30), 1, width - 1)


@given(any_facts(20), st.sets(st.integers(0, 30)), st.integers(280, 1500))
def test_bars_never_overlap_in_a_lane_and_every_dated_fact_has_one(
    facts: list[Fact], alone: set[int], width: int
) -> None:
    dated = [one for one in facts if is_dated(one)]
    bars, lanes = bars_of(dated, room_for(dated, width), frozenset(f"f-{number}" for number in alone))
    assert sorted(one.id for bar in bars for one in bar.facts) == sorted(one.id for one in dated)
    assert all(0 <= bar.lane < lanes for bar in bars)
    for _, lane in groupby(sorted(bars, key=lambda bar: (bar.lane, bar.left)), key=lambda bar: bar.lane):
        assert all(one.right <= other.left for one, other in pairwise(lane))
    assert all(1 <= bar.left < bar.right <= width - 1 for bar in bars)


@given(any_facts(20), st.integers(280, 1500))
def test_words_beside_a_bar_touch_no_other_bar(facts: list[Fact], width: int) -> None:
    dated = [one for one in facts if is_dated(one)]
    room = room_for(dated, width)
    bars, _ = bars_of(dated, room, frozenset(one.id for one in dated))
    for bar, label in labels_of(bars, room.left, room.right):
        wide = width_of(label.text)
        left = label.x - wide if label.is_before else label.x
        for other in bars:
            if label.text and other.lane == bar.lane and other is not bar:
                assert left + wide <= other.left + 0.2 or other.right <= left + 0.2


@given(any_statements())
def test_signs_never_overlap_in_a_lane(statements: list) -> None:
    told = [to_moment(one.said_at) for one in statements]
    signs, lanes = signs_of(statements, Field(scale_of(told, 30, 870), 1, 899))
    assert sum(len(sign.statements) for sign in signs) == len(statements)
    assert all(sign.lane < lanes for sign in signs)
    for _, lane in groupby(sorted(signs, key=lambda sign: (sign.lane, sign.x)), key=lambda sign: sign.lane):
        assert all(other.x - one.x >= SIGN - 0.11 for one, other in pairwise(lane))


@law_settings
@given(st.lists(WHEN, max_size=20), st.lists(WHEN, min_size=2), st.integers(280, 1500))
def test_places_rise_with_time_and_stay_on_the_axis(events: list[int], asked: list[int], width: int) -> None:
    scale = scale_of(events, 30, width - 30)
    places = [scale.x(moment) for moment in sorted([*asked, *events])]
    assert places == sorted(places)
    assert all(29.9 <= place <= width - 29.9 for place in places)
    assert all(one.right == other.left and one.last == other.first for one, other in pairwise(scale.stretches))


def test_even_time_is_drawn_evenly() -> None:
    scale = scale_of([0, 1000, 2000], 0, 200)
    assert [scale.x(moment) for moment in (-5, 0, 500, 1000, 2000, 9000)] == [0, 0, 50, 100, 200, 200]


def test_a_stretch_that_dwarfs_all_others_is_drawn_short_and_marked() -> None:
    events = [datetime(1950, 1, 1, tzinfo=UTC), NOON - timedelta(days=9), NOON - timedelta(days=4), NOON]
    scale = scale_of([to_moment(one) for one in events], 0, 1000)
    assert [one.is_break for one in scale.stretches] == [True, False]
    assert scale.stretches[0].right == 420
    assert [scale.x(to_moment(NOON - timedelta(days=days))) for days in (9, 4, 0)] == [420, 742.2, 1000]


def test_one_value_at_a_time_is_one_lane_and_several_at_once_are_several() -> None:
    homes = [fact("a", "A", day(0), day(9)), fact("b", "B", day(9), day(20)), fact("c", "A", day(20))]
    bars, lanes = bars_of(homes, room_for(homes), frozenset("abc"))
    assert lanes == 1
    assert [bar.facts[0].id for bar in bars] == ["a", "c", "b"]
    many = [fact("a", "A", day(0), day(9)), fact("b", "B", day(5), day(20)), fact("c", "A", day(15))]
    bars, lanes = bars_of(many, room_for(many), frozenset("abc"))
    assert lanes == 2
    assert {bar.facts[0].id: bar.lane for bar in bars} == {"a": 0, "c": 0, "b": 1}


def test_what_waits_and_what_counts_for_nothing_lies_below() -> None:
    facts = [
        fact("wrong", "A", day(0), day(5), status=FactStatus.CORRECTED),
        fact("held", "B", day(5)),
        fact("plan", "C", day(50), status=FactStatus.PLANNED),
    ]
    bars, lanes = bars_of(facts, room_for(facts), frozenset(["wrong", "held", "plan"]))
    assert lanes == 3
    assert {bar.facts[0].id: bar.lane for bar in bars} == {"held": 0, "plan": 1, "wrong": 2}
