"""An export that is imported is the same memory, whatever was done to it."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.copying.looking import kept, shown
from tests.copying.places import Places
from tests.copying.test_laws import FILE, MEMORY, empty, few, played
from tests.laws.playing import USER
from tests.laws.scenarios import Scenario, scenarios
from tests.moving.lines import exported


@few
@given(scenario=scenarios(rereads=True))
def test_an_import_holds_and_shows_the_same(tmp_path_factory: pytest.TempPathFactory, scenario: Scenario) -> None:
    places = Places(tmp_path_factory)
    with played(places, MEMORY, scenario) as player, empty(places, FILE, scenario) as other:
        other.clock.now = player.clock.now
        lines = exported(player.mem)
        other.mem.import_(lines)
        assert kept(other.mem) == kept(player.mem)
        assert shown(other.mem, USER) == shown(player.mem, USER)
        assert other.mem.verify().identical
        assert other.mem.import_(lines).imported == 0
