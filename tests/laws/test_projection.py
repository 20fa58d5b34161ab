"""The projection is a function of the log: kept up to date step by step, it equals what folding the log gives."""

from __future__ import annotations

from hypothesis import given, settings

from tests.laws.playing import Player, on_plain_stores, without_appending
from tests.laws.scenarios import Scenario, scenarios
from tests.settings import law_examples, law_settings

some = settings(parent=law_settings, max_examples=max(law_examples() // 4, 10))


@law_settings
@given(scenario=scenarios())
def test_after_every_action_the_projection_is_what_the_log_folds_to(scenario: Scenario) -> None:
    with Player(scenario) as player:
        for action in player.play():
            report = player.mem.verify()
            assert report.identical, action
            if report.scopes:
                assert report.digest == player.mem.digest("ann")


@some
@given(scenario=scenarios())
def test_slots_that_are_always_folded_anew_hold_the_same(scenario: Scenario) -> None:
    with Player(scenario) as player:
        shown = player.play_all().view()
    with without_appending(), Player(scenario) as other:
        assert other.play_all().view() == shown


@some
@given(scenario=scenarios())
def test_the_reference_store_holds_the_same(scenario: Scenario) -> None:
    with Player(scenario) as player:
        shown = player.play_all().view()
    with on_plain_stores(), Player(scenario) as other:
        assert other.play_all().view() == shown
        assert other.mem.verify().identical
