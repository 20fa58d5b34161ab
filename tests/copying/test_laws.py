"""A copy is the same memory: whatever was done to it, wherever it goes, and however often it was broken off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tensemem.engine import filling
from tests.copying.looking import kept, shown
from tests.copying.places import Places
from tests.laws.playing import USER, Player
from tests.laws.scenarios import Say, Scenario, Write, scenarios
from tests.settings import law_examples, law_settings
from tests.store.every_kind import KINDS, LOCAL_KINDS, StoreKind

# A pair of stores needs few: all of them are asked the same. `make test-laws` tries ten times as many.
few = settings(
    parent=law_settings, max_examples=max(law_examples() // 100, 2),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)  # fmt: skip
MEMORY = next(kind for kind in LOCAL_KINDS if kind.name == "memory")
FILE = next(kind for kind in LOCAL_KINDS if kind.name == "file")
some_pairs = pytest.mark.parametrize(
    ("source", "dest"), [*((kind, FILE) for kind in KINDS), *((MEMORY, kind) for kind in KINDS)], ids=str
)


def played(places: Places, kind: StoreKind, scenario: Scenario) -> Player:
    player: Player = places.opened(kind, "source", lambda path: Player(scenario, path))
    return player.play_all()


def empty(places: Places, kind: StoreKind, like: Scenario) -> Player:
    """Nothing yet, with the extractor of a scenario."""
    nothing = replace(like, first=(), actions=())
    player: Player = places.opened(kind, "dest", lambda path: Player(nothing, path))
    return player


WHERE = ("durability", "outcome")


def receipts(player: Player, more: Scenario) -> list[Any]:
    """Do more, and give what was answered; how durable it is differs from store to store."""
    answers = [player.act(action) for action in more.actions]
    return [
        None if one is None else {name: getattr(one, name) for name in dir(one) if name[0] != "_" and name not in WHERE}
        for one in answers
    ]


@some_pairs
@few
@given(scenario=scenarios(rereads=True), more=scenarios(only=(Say, Write), max_actions=8))
def test_a_copy_holds_and_shows_the_same_and_goes_on_alike(
    tmp_path_factory: pytest.TempPathFactory, source: StoreKind, dest: StoreKind, scenario: Scenario, more: Scenario
) -> None:
    places = Places(tmp_path_factory)
    with played(places, source, scenario) as player, empty(places, dest, scenario) as other:
        other.clock.now = player.clock.now
        player.mem.copy_to(other.mem)
        assert kept(other.mem) == kept(player.mem)
        assert shown(other.mem, USER) == shown(player.mem, USER)
        assert other.view() == player.view()
        assert other.mem.verify().identical
        script = {line.text: line for line in (*scenario.lines, *more.lines)}
        for one in (player, other):
            one.scenario = replace(more, lines=tuple(script.values()))
        assert receipts(other, more) == receipts(player, more)
        player.settle_all()
        other.settle_all()
        assert shown(other.mem, USER) == shown(player.mem, USER)


class Broken(KeyboardInterrupt):
    """What ends a copy in the middle."""


@pytest.mark.parametrize("dest", KINDS, ids=str)
@few
@given(
    scenario=scenarios(), ends=st.lists(st.integers(1, 8), max_size=4),
    rows=st.integers(1, 4),
)  # fmt: skip
def test_a_copy_broken_off_anywhere_goes_on_where_it_stopped(
    tmp_path_factory: pytest.TempPathFactory, dest: StoreKind, scenario: Scenario, ends: list[int], rows: int
) -> None:
    places = Places(tmp_path_factory)
    with (
        played(places, MEMORY, scenario) as player,
        empty(places, dest, scenario) as other,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(filling, "ROWS", rows)
        other.clock.now = player.clock.now
        countdown = 0

        def break_off(event: str, fields: Mapping[str, Any]) -> None:
            nonlocal countdown
            countdown -= event == "copying"
            if event == "copying" and countdown == 0:
                raise Broken

        player.mem.on(break_off)
        for end in ends:
            countdown = end
            try:
                player.mem.copy_to(other.mem)
            except Broken:
                continue
        countdown = 0
        player.mem.copy_to(other.mem)
        assert kept(other.mem) == kept(player.mem)
        assert shown(other.mem, USER) == shown(player.mem, USER)
        assert player.mem.copy_to(other.mem).entries == 0


@pytest.mark.parametrize("dest", KINDS, ids=str)
@few
@given(scenario=scenarios(max_actions=20), stops=st.lists(st.integers(0, 20), min_size=1, max_size=3))
def test_copying_now_and_then_fetches_what_was_done_since(
    tmp_path_factory: pytest.TempPathFactory, dest: StoreKind, scenario: Scenario, stops: list[int]
) -> None:
    places = Places(tmp_path_factory)
    with (
        places.opened(MEMORY, "source", lambda path: Player(scenario, path)) as player,
        empty(places, dest, scenario) as other,
    ):
        for number, _ in enumerate(player.play()):
            if number in stops:
                player.mem.copy_to(other.mem)
        player.mem.copy_to(other.mem)
        other.clock.now = player.clock.now
        assert shown(other.mem, USER) == shown(player.mem, USER)  # which brings both up to the registry of today
        assert kept(other.mem) == kept(player.mem)
