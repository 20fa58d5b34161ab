"""A copy is the same memory: whatever was done to it, wherever it goes, and however often it was broken off."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensemem.engine import filling
from tests.copying.looking import kept, shown
from tests.copying.places import PAIRS, PLACES, opened
from tests.laws.playing import USER, Player
from tests.laws.scenarios import Say, Scenario, Write, scenarios
from tests.settings import law_examples, law_settings

some = settings(parent=law_settings, max_examples=max(law_examples() // 4, 10))


def played(scenario: Scenario, place: str, folder: Path) -> Player:
    return opened(place, folder, "source", lambda path: Player(scenario, path)).play_all()


def empty(like: Scenario, place: str, folder: Path) -> Player:
    """Nothing yet, with the extractor of a scenario."""
    nothing = replace(like, first=(), actions=())
    return opened(place, folder, "dest", lambda path: Player(nothing, path))


WHERE = ("durability", "outcome")


def receipts(player: Player, more: Scenario) -> list[Any]:
    """Do more, and give what was answered; how durable it is differs from store to store."""
    answers = [player.act(action) for action in more.actions]
    return [
        None if one is None else {name: getattr(one, name) for name in dir(one) if name[0] != "_" and name not in WHERE}
        for one in answers
    ]


@some
@given(pair=st.sampled_from(PAIRS), scenario=scenarios(rereads=True), more=scenarios(only=(Say, Write), max_actions=8))
def test_a_copy_holds_and_shows_the_same_and_goes_on_alike(
    pair: tuple[str, str], scenario: Scenario, more: Scenario
) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        played(scenario, pair[0], Path(folder)) as player,
        empty(scenario, pair[1], Path(folder)) as other,
    ):
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


@some
@given(
    dest=st.sampled_from(PLACES), scenario=scenarios(), ends=st.lists(st.integers(1, 8), max_size=4),
    rows=st.integers(1, 4),
)  # fmt: skip
def test_a_copy_broken_off_anywhere_goes_on_where_it_stopped(
    dest: str, scenario: Scenario, ends: list[int], rows: int
) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        played(scenario, "memory", Path(folder)) as player,
        empty(scenario, dest, Path(folder)) as other,
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


@some
@given(scenario=scenarios(max_actions=20), stops=st.lists(st.integers(0, 20), min_size=1, max_size=3))
def test_copying_now_and_then_fetches_what_was_done_since(scenario: Scenario, stops: list[int]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        opened("memory", Path(folder), "source", lambda path: Player(scenario, path)) as player,
        empty(scenario, "memory", Path(folder)) as other,
    ):
        for number, _ in enumerate(player.play()):
            if number in stops:
                player.mem.copy_to(other.mem)
        player.mem.copy_to(other.mem)
        other.clock.now = player.clock.now
        assert shown(other.mem, USER) == shown(player.mem, USER)  # which brings both up to the registry of today
        assert kept(other.mem) == kept(player.mem)
