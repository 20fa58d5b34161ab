"""Scenarios that were once told otherwise by the projection than by its log, or differently in another order."""

from __future__ import annotations

import itertools

import pytest

from tensemem import Operation
from tensemem.engine.state import with_snapshot
from tensemem.model.entry import EPISODES, Entry
from tests.laws.feeding import Logs, feed, logs_of
from tests.laws.plain_changes import changes_folded
from tests.laws.playing import Player
from tests.laws.scenarios import Correct, Line, Register, Review, Say, Scenario, Settle, Wait, Write, day


def predicate(name: str, cardinality: str = "one", **options: object) -> Register:
    return Register("register_predicate", name, {"cardinality": cardinality, "update": True, **options})


def write(*operations: Operation, said: float | None = None) -> Write:
    return Write(operations, None if said is None else day(said))


def states(value: object, name: str = "slot", **options: object) -> Operation:
    return Operation("set", name, value, **options)  # type: ignore[arg-type]


POSTGRES = Register("register_entity", "PostgreSQL", {"aliases": ("pg",)})

FOUND = {
    # The message read late shows only behind what was corrected, and a retraction right there cuts it off.
    "a retraction where what a correction left over of a late message begins": Scenario(
        (predicate("slot", ttl="2d"),), (Line("I say A", (states("A"),)),),
        (Say(0, day(2)), Say(0, day(3), False), Correct(0, "A", said_at=day(3.5)), Settle(),
         write(Operation("retract", "slot", "A"), said=4)),
    ),
    "the same value where the last run expired": Scenario(
        (predicate("slot", ttl="2d"),), (), (write(states("A"), said=2), write(states("A"), said=4))
    ),
    "the same value where the last run's end was stated": Scenario(
        (predicate("slot"),), (), (write(states("A", until=day(4)), said=2), write(states("A"), said=4))
    ),
    "another value where the last run's end was stated": Scenario(
        (predicate("slot"),), (), (write(states("A", until=day(4)), said=2), write(states("B"), said=4))
    ),
    "in again where it ended, among many": Scenario(
        (predicate("slot", "many", ttl="2d"),), (), (write(states("A"), said=2), write(states("A"), said=4))
    ),
    "an alias of a value only a REPLACE names": Scenario(
        (predicate("slot", "many"),), (), (write(Operation("replace", "slot", ["pg", "x"])), POSTGRES)
    ),
    "an alias of a value only a correction names": Scenario(
        (predicate("slot"),), (), (write(states("A")), Correct(1, "pg"), POSTGRES, write(states("PostgreSQL")))
    ),
    "a claim after an accepted plan": Scenario(
        (predicate("slot"),), (),
        (write(states("A", modality="planned"), said=6), Review(1, True), write(states("B", valid_from=day(8)))),
    ),
    "a claim between a plan's date and the moment it was accepted": Scenario(
        (predicate("slot"),), (),
        (write(states("A", modality="planned", since=day(7)), said=6), Wait(1), Review(1, True),
         write(states("B", valid_from=day(8)))),
    ),
    "two plans accepted by one review": Scenario(
        (predicate("slot"),), (Line("I say A", (states("A", modality="planned"),)),),
        (Say(0, day(6), False), Say(0, day(4), False), Settle(1), Review(1, True), Settle()),
    ),
    "a row of a corrected value that was stated before the correction": Scenario(
        (predicate("slot"),), (),
        (write(states("A"), said=2), Correct(1, said_at=day(8)), write(states("A", valid_from=day(9)), said=6)),
    ),
    "a retraction that changes nothing": Scenario(
        (predicate("slot"),), (), (write(states("A"), said=2), write(Operation("retract", "slot", "B"), said=4))
    ),
    "statements in order, beside some of which something is refused": Scenario(
        (predicate("slot"),),
        tuple(Line(f"I say {name}", (states(name), states("Z", quote="never said"))) for name in ("A", "C")),
        (Say(0, day(2)), write(states("B"), said=4), Say(1, day(6))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_the_projection_equals_its_log_after_every_action(name: str) -> None:
    with Player(FOUND[name]) as player:
        for action in player.play():
            player.mem.state("ann")
            assert player.mem.verify().identical, action


@pytest.mark.parametrize("name", FOUND)
def test_changes_are_those_of_slots_that_are_folded_before_and_after_each_entry(name: str) -> None:
    with Player(FOUND[name]) as player:
        player.play_all()
        wanted = with_snapshot(player.engine, player.scope, lambda now: changes_folded(now, 0, None))
        assert wanted is not None
        assert player.mem.changes("ann") == tuple(wanted)


@pytest.mark.parametrize("name", FOUND)
def test_the_order_of_extraction_and_of_learning_names_changes_nothing(name: str) -> None:
    with Player(FOUND[name]) as player:
        shown = player.play_all().view()
        for order in orders(logs_of(player.engine, player.scope)):
            with Player(Scenario((), (), ())) as other:
                other.clock.now = player.clock.now
                for _ in feed(other.engine, other.scope, order):
                    pass
                assert other.view() == shown
                assert other.mem.verify().identical


def orders(logs: Logs) -> list[list[Entry]]:
    """Names first or last, extractions in every order after all episodes."""
    episodes = [entry for entry in logs.entries if entry.kind in EPISODES]
    late = [entry for entry in logs.entries if entry.kind not in EPISODES]
    names = list(logs.registry)
    found: list[list[Entry]] = []
    for some in itertools.permutations(late):
        found += [[*names, *episodes, *some], [*episodes, *some, *names], [*episodes, *names, *some]]
    return found
