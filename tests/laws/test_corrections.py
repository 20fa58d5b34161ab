"""A correction stays, loses nothing that was true, and can be taken back."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import assume
from hypothesis import strategies as st

from tensemem import Fact
from tensemem.errors import TensememError
from tests.laws.law import law
from tests.laws.playing import USER, Player
from tests.laws.scenarios import Action, Register, Say, Scenario, Settle, scenarios
from tests.laws.test_moments import boundaries, holds, shown
from tests.settings import some_settings

_picks = st.integers(0, 11)


def late(draws: list[tuple[int, int]], scenario: Scenario, before: datetime) -> list[Action]:
    """Messages that were said before a moment and arrive after it, each extracted at once or left waiting."""
    return [
        Say(line % len(scenario.lines), before - timedelta(days=days, microseconds=1), days % 2 == 0)
        for line, days in draws
    ]


_late = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6)), max_size=3)


def is_same(fact: Fact, other: Fact) -> bool:
    """Whether two facts say the same, be it of other times."""
    return (fact.subject, fact.predicate, fact.object) == (other.subject, other.predicate, other.object)


def is_in(fact: Fact, moments: list[datetime]) -> list[datetime]:
    return [moment for moment in moments if holds(fact, moment)]


@some_settings
@law(scenario=scenarios(), pick=_picks, arriving=_late)
def test_no_late_message_shows_a_corrected_value_again(
    scenario: Scenario, pick: int, arriving: list[tuple[int, int]]
) -> None:
    with Player(scenario) as player:
        player.play_all()
        wrong = corrected(player, pick)
        for action in (*late(arriving, scenario, player.clock.now), Settle()):
            player.act(action)
            facts = shown(player.facts())
            again = [
                (fact, moment)
                for fact in facts
                if (fact.subject, fact.predicate, fact.value) == (wrong.subject, wrong.predicate, wrong.value)
                for moment in is_in(wrong, boundaries([fact, wrong]))
                if holds(fact, moment)
            ]
            assert not again
            assert player.mem.verify().identical


def corrected(player: Player, pick: int) -> Fact:
    """Correct one of the facts that show or showed, after all else was said; gives it as it was."""
    facts = [fact for fact in shown(player.facts()) if fact.valid_from != fact.valid_to]
    assume(facts)
    wrong = facts[pick % len(facts)]
    try:
        player.mem.correct(wrong.id)
    except TensememError:
        assume(False)
    return wrong


@some_settings
@law(scenario=scenarios(), pick=_picks)
def test_what_a_corrected_value_showed_elsewhere_is_not_lost(scenario: Scenario, pick: int) -> None:
    with Player(scenario) as player:
        player.play_all()
        before = shown(player.facts())
        wrong = corrected(player, pick)
        after = shown(player.facts())
        # Hearsay that was shown because the wrong statement confirmed it waits again.
        assume(not any(str(fact.status) == "candidate" and is_same(fact, wrong) for fact in player.facts()))
        for fact in before:
            if not is_same(fact, wrong):
                continue
            for moment in boundaries([fact]):
                if holds(fact, moment) and not holds(wrong, moment):
                    assert any(
                        holds(one, moment) for one in after
                        if (one.subject, one.predicate, one.object) == (fact.subject, fact.predicate, fact.object)
                    ), (fact, moment)


@some_settings
@law(scenario=scenarios(), pick=_picks)
def test_a_correction_taken_back_at_once_leaves_no_trace_in_the_state(scenario: Scenario, pick: int) -> None:
    with Player(scenario) as player:
        player.play_all()
        before, values = player.mem.digest(USER), player.mem.state(USER).by_subject
        wrong = corrected(player, pick)
        player.mem.reinstate(wrong.id)
        assert player.mem.digest(USER) == before
        assert player.mem.state(USER).by_subject == values
        assert player.mem.verify().identical


@some_settings
@law(scenario=scenarios(), pick=_picks, arriving=_late)
def test_a_correction_taken_back_later_is_as_if_it_had_never_been_made(
    scenario: Scenario, pick: int, arriving: list[tuple[int, int]]
) -> None:
    """The other memory notes in the two places what changes no fact, so that all seqs are the same."""
    steady = replace(scenario, actions=tuple(one for one in scenario.actions if not isinstance(one, Register)))
    with Player(steady) as player, Player(steady) as other:
        for one in (player, other):
            one.play_all()
            one.mem.register_predicate("idle")
        wrong = corrected(player, pick)
        other.mem.deny(USER, "idle", "nothing")
        for action in (*late(arriving, scenario, player.clock.now), Settle()):
            player.act(action)
            other.act(action)
        player.mem.reinstate(wrong.id)
        other.mem.deny(USER, "idle", "nothing")
        assert player.mem.digest(USER) == other.mem.digest(USER)
