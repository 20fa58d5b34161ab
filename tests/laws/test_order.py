"""State is a function of the log: when extractions finish, when names are learnt, crashes and copies decide nothing."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.laws.feeding import copy_logs, feed, finishing_orders, logs_of
from tests.laws.law import law
from tests.laws.playing import USER, Player
from tests.laws.scenarios import Action, Say, Scenario, Settle, is_free_of_state, scenarios
from tests.settings import costly_settings, share, some_settings

few = share(10)

EMPTY = Scenario((), (), ())


@costly_settings
@law(scenario=scenarios(), data=st.data())
def test_extractions_may_finish_and_names_be_learnt_at_any_time(scenario: Scenario, data: st.DataObject) -> None:
    with Player(scenario) as player, Player(EMPTY) as other:
        shown = player.play_all().view()
        logs = logs_of(player.engine, player.scope)
        order = data.draw(finishing_orders(logs))
        other.clock.now = player.clock.now
        for _ in feed(other.engine, other.scope, order):
            pass
        assert other.view() == shown
        assert other.mem.verify().identical


@some_settings
@law(scenario=scenarios(), data=st.data())
def test_flushing_at_once_or_late_or_one_by_one_gives_the_same(scenario: Scenario, data: st.DataObject) -> None:
    lasting = [action for action in scenario.actions if is_free_of_state(action)]
    promptly = [replace(action, at_once=True) if isinstance(action, Say) else action for action in lasting]
    late: list[Action] = [replace(action, at_once=False) if isinstance(action, Say) else action for action in lasting]
    mixed = [action for one in late for action in (one, *data.draw(st.lists(_settling, max_size=2)))]
    seen = [_played(replace(scenario, actions=(*actions, Settle()))) for actions in (promptly, late, mixed)]
    assert seen[1] == seen[0]
    assert seen[2] == seen[0]


_settling = st.builds(Settle, st.integers(0, 5))


def _played(scenario: Scenario) -> dict[str, Any]:
    with Player(scenario) as player:
        shown = player.play_all().view()
        assert player.mem.state(USER).freshness.is_current
        return shown


@few
@law(reopens=True, scenario=scenarios(), closings=st.lists(st.booleans(), min_size=1, max_size=16))
def test_opening_the_file_again_changes_nothing(scenario: Scenario, closings: list[bool]) -> None:
    with tempfile.TemporaryDirectory() as folder, Player(scenario, Path(folder) / "memory.db") as player:
        for number, _ in enumerate(player.play()):
            if closings[number % len(closings)]:
                shown = player.view()
                player.reopen()
                assert player.view() == shown
        assert player.mem.verify().identical


@some_settings
@law(scenario=scenarios())
def test_a_copy_of_the_log_folds_to_the_same(scenario: Scenario) -> None:
    with Player(scenario) as player, Player(EMPTY) as other:
        player.play_all()
        copy_logs(other.engine, logs_of(player.engine, player.scope))
        other.clock.now = player.clock.now
        other.mem.rebuild()
        assert other.view() == player.view()
        assert other.facts() == player.facts()
        assert other.mem.verify().identical
        assert other.mem.verify().digest == player.mem.verify().digest
