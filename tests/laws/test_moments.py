"""Both clocks: one value at a time in a single-valued slot, history and state agree, and the past does not move."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from tensemem import Fact
from tests.laws.law import law
from tests.laws.playing import RUNS, USER, Player, seen
from tests.laws.scenarios import Register, Scenario, day, scenarios
from tests.settings import some_settings

INSTANT = timedelta(microseconds=1)


def shown(facts: Iterable[Fact]) -> list[Fact]:
    """The runs of a history whose beginning is known: what a state may show."""
    return [fact for fact in facts if str(fact.status) in RUNS and fact.valid_from is not None]


def holds(fact: Fact, moment: datetime) -> bool:
    assert fact.valid_from is not None
    return fact.valid_from <= moment and (fact.valid_to is None or moment < fact.valid_to)


def boundaries(facts: Iterable[Fact]) -> list[datetime]:
    """Every moment at which something begins or ends, and those just before and after."""
    edges = {edge for fact in facts for edge in (fact.valid_from, fact.valid_to) if edge is not None}
    return sorted({moment for edge in edges for moment in (edge - INSTANT, edge, edge + INSTANT)})


def assert_one_at_a_time(player: Player, facts: list[Fact]) -> None:
    """No two facts of a single-valued slot, and no two of one value in any slot, hold at one moment."""
    many = {predicate.name for predicate in player.mem.predicates() if predicate.is_many}
    slots: dict[tuple[Any, ...], list[Fact]] = {}
    for fact in shown(facts):
        name = (fact.subject, fact.predicate, *((fact.object,) if fact.predicate in many else ()))
        if fact.valid_from != fact.valid_to:  # displaced in the moment it began: it holds at none
            slots.setdefault(name, []).append(fact)
    for held in slots.values():
        held.sort(key=lambda fact: (fact.valid_from, fact.valid_to or day(10**5)))
        for before, after in pairwise(held):
            assert before.valid_to is not None, held
            assert after.valid_from is not None
            assert before.valid_to <= after.valid_from, held


@some_settings
@law(scenario=scenarios(rereads=True), data=st.data())
def test_at_every_moment_of_both_clocks_one_value_holds_and_state_is_what_history_says(
    scenario: Scenario, data: st.DataObject
) -> None:
    with Player(scenario) as player:
        player.play_all()
        newest = player.revs()[0]
        for known_at in (None, *sorted(set(data.draw(st.lists(st.integers(0, newest), max_size=4))))):
            facts = player.facts(known_at=known_at)
            assert_one_at_a_time(player, facts)
            unknown = {fact.id for fact in facts if fact.valid_from is None}
            moments = boundaries(facts) or [day(8)]
            for moment in data.draw(st.lists(st.sampled_from(moments), min_size=1, max_size=4)):
                state = player.mem.state(USER, at=moment, known_at=known_at)
                told = {fact.id for fact in state.facts} - unknown
                assert told == {fact.id for fact in shown(facts) if holds(fact, moment)} - unknown
                assert all(str(fact.status) == "active" for fact in state.facts)


_moments = st.lists(st.sampled_from((2, 4, 6, 8, 9, 12)).map(day), min_size=1, max_size=2)


@some_settings
@law(scenario=scenarios(rereads=True), moments=_moments)
def test_what_was_believed_at_a_revision_stays_what_was_believed_then(
    scenario: Scenario, moments: list[datetime]
) -> None:
    steady = [action for action in scenario.actions if not isinstance(action, Register)]
    read: dict[int, Any] = {}
    with Player(Scenario(scenario.first, scenario.lines, tuple(steady))) as player:
        for _ in player.play():
            rev = player.revs()[0]
            read[rev] = believed(player, None, moments)
        for rev, before in read.items():
            assert believed(player, rev, moments) == before


def believed(player: Player, known_at: int | None, moments: list[datetime]) -> dict[str, Any]:
    """What is shown, apart from what only the moment of reading decides."""
    states = [player.mem.state(USER, at=moment, known_at=known_at) for moment in moments]
    return {
        "rev": [state.rev for state in states],
        "facts": [list(map(recorded, state.facts)) for state in states],
        "planned": [list(map(recorded, state.planned)) for state in states],
        "candidates": [list(map(recorded, state.candidates)) for state in states],
        "history": sorted(timeless(fact) for fact in player.facts(known_at=known_at)),
    }


def recorded(fact: Fact) -> tuple[Any, ...]:
    return (*seen(fact), fact.recorded_rev, fact.recorded_at)


def timeless(fact: Fact) -> str:
    """A fact without its status at the moment of reading."""
    said = (fact.claim_ids, fact.evidence, fact.recorded_rev, fact.recorded_at)
    return repr((fact.id, fact.subject, fact.predicate, fact.value, fact.valid_from, fact.valid_to, said))
