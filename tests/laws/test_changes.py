"""What changed is the difference of what was shown before and after each entry, whatever part of it is asked for."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tensemem.core.registry import Registry
from tensemem.engine import rows
from tensemem.engine.factview import FactView
from tensemem.engine.logfold import LoggedSlot, read_log
from tensemem.engine.receipts import changes_between
from tensemem.engine.state import Snapshot, with_snapshot
from tensemem.ports import FactRow, SlotRow
from tests.laws.law import law
from tests.laws.plain_changes import changes_folded
from tests.laws.playing import USER, Player
from tests.laws.scenarios import Scenario, scenarios
from tests.settings import law_settings, some_settings


def read_twice(snapshot: Snapshot) -> list[Any]:
    """Every change, worked out plainly: the whole log is read anew before and after each entry."""
    head, registry, reader = snapshot.head, snapshot.registry, snapshot.reader
    if head is None:
        return []
    view = FactView(head.scope.tag, registry, snapshot.moment)
    found: list[Any] = []
    before = read_log([], registry).slots
    for entry in reader.entries(head.id):
        after = read_log(reader.entries(head.id, 0, entry.rev), registry).slots
        for keys in before.keys() | after.keys():
            slot = after.get(keys) or before[keys]
            if registry.predicate(slot.predicate) is not None:
                row = SlotRow(0, *keys, slot.subject, slot.predicate)
                shown = _rows(before.get(keys), registry), _rows(after.get(keys), registry)
                found += changes_between(view, row, shown[0], shown[1], entry)
        before = after
    return sorted(found, key=lambda c: (c.rev, c.subject, c.predicate, c.kind != "ended", c.fact_id))


def _rows(slot: LoggedSlot | None, registry: Registry) -> list[FactRow]:
    return [] if slot is None else rows.fact_rows(0, slot.fold(registry).runs, ())


@some_settings
@law(scenario=scenarios(rereads=True), after=st.integers(0, 20), limit=st.none() | st.integers(1, 6))
def test_changes_are_what_the_log_shows_before_and_after_each_entry(
    scenario: Scenario, after: int, limit: int | None
) -> None:
    with Player(scenario) as player:
        player.play_all()
        after = min(after, player.revs()[0])
        wanted = [c for c in with_snapshot(player.engine, player.scope, read_twice) if c.rev > after]
        told = player.mem.changes(USER, after, limit=limit)
        assert list(map(spoken, told)) == list(map(spoken, wanted[: len(told)]))
        assert len(told) >= min(limit or len(wanted), len(wanted))


def spoken(change: Any) -> tuple[Any, ...]:
    """A change without its place among those of one moment; a subject may be spelled as it is today."""
    return change.rev, change.kind, change.predicate, change.value, change.valid_from, change.valid_to, change.why


@law_settings
@law(
    scenario=scenarios(removals=True, rereads=True, max_actions=24),
    after=st.integers(0, 20), limit=st.none() | st.integers(1, 6),
)  # fmt: skip
def test_changes_are_those_of_slots_that_are_folded_before_and_after_each_entry(
    scenario: Scenario, after: int, limit: int | None
) -> None:
    with Player(scenario) as player:
        player.play_all()
        after = min(after, player.revs()[0])
        wanted = with_snapshot(player.engine, player.scope, lambda now: changes_folded(now, after, limit))
        if wanted is not None:
            assert player.mem.changes(USER, after, limit=limit) == tuple(wanted)


@some_settings
@law(scenario=scenarios(removals=True), size=st.integers(1, 4))
def test_changes_page_by_page_are_those_told_at_once(scenario: Scenario, size: int) -> None:
    with Player(scenario) as player:
        player.play_all()
        told: list[Any] = []
        after = 0
        while page := player.mem.changes(USER, after, limit=size):
            told += page
            after = page[-1].rev
        assert tuple(told) == player.mem.changes(USER)
