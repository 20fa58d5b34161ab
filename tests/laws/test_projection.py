"""The projection is a function of the log: kept up to date step by step, it equals what folding the log gives."""

from __future__ import annotations

from collections.abc import Iterable

from tensemem import Fact
from tests.laws.law import law
from tests.laws.playing import Player, on_plain_stores, without_appending
from tests.laws.scenarios import Reread, Scenario, scenarios
from tests.settings import costly_settings, some_settings


@costly_settings
@law(scenario=scenarios(rereads=True))
def test_after_every_action_the_projection_is_what_the_log_folds_to(scenario: Scenario) -> None:
    with Player(scenario) as player:
        for action in player.play():
            report = player.mem.verify()
            assert report.identical, action
            if report.scopes:
                assert report.digest == player.mem.digest("ann")


@some_settings
@law(scenario=scenarios(rereads=True))
def test_slots_that_are_always_folded_anew_hold_the_same(scenario: Scenario) -> None:
    with Player(scenario) as player:
        shown = player.play_all().view()
    with without_appending(), Player(scenario) as other:
        assert other.play_all().view() == shown


@some_settings
@law(scenario=scenarios(rereads=True))
def test_the_reference_store_holds_the_same(scenario: Scenario) -> None:
    with Player(scenario) as player:
        shown = player.play_all().view()
    with on_plain_stores(), Player(scenario) as other:
        assert other.play_all().view() == shown
        assert other.mem.verify().identical


@some_settings
@law(scenario=scenarios(rereads=True))
def test_what_another_model_reads_makes_no_difference_but_its_own(scenario: Scenario) -> None:
    """What a dry run says is what the state shows once it is written, and the past stays as it was known."""
    with Player(scenario) as player:
        for action in player.scenario.actions:
            before, rev = player.mem.state("ann"), player.revs()[0]
            diff = player.act(action)
            if not isinstance(action, Reread) or diff is None or not diff.seqs:
                continue
            after = player.mem.state("ann")
            assert objects(diff.removed) | objects(old for old, _ in diff.changed) == objects(before.facts) - objects(
                after.facts
            )
            assert objects(diff.added) | objects(new for _, new in diff.changed) == objects(after.facts) - objects(
                before.facts
            )
            assert player.mem.state("ann", known_at=rev).facts == before.facts


def objects(facts: Iterable[Fact]) -> set[tuple[str, str, str]]:
    return {(fact.subject, fact.predicate, fact.object) for fact in facts}
