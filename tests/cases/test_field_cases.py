"""The field cases, each played three times: extracted as it is said, at the end, and by a worker at any moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem import Fact, FactStatus
from tests.store.every_kind import KINDS, StoreKind, shelf_of
from tests.store.shelves import opening_in

from .bench import Desk, everything, moment
from .field_cases import CASES
from .field_player import AS_IT_IS_SAID, AT_ANY_MOMENT, AT_THE_END, Player
from .field_steps import USER, Case, Crash, Put, Say, Slot, Swap, Undo, Was, slot

SHOWN = {FactStatus.ACTIVE, FactStatus.SUPERSEDED, FactStatus.RETRACTED, FactStatus.EXPIRED, FactStatus.SCHEDULED}


@pytest.fixture(params=[AS_IT_IS_SAID, AT_THE_END, AT_ANY_MOMENT])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def player(tmp_path: Path, mode: str, played: Case) -> Iterator[Player]:
    desk = Desk(tmp_path, register=False, worker=mode == AT_ANY_MOMENT)
    try:
        yield Player(desk, played, mode)
    finally:
        desk.close()


ELSEWHERE = [
    pytest.param(kind, how, played, id=f"{kind}-{how}-{played.title}")
    for kind in KINDS
    for how in (AS_IT_IS_SAID, AT_ANY_MOMENT)
    if how == AT_ANY_MOMENT or kind.name == "postgres18"
    for played in CASES
    if kind.lasts or not any(isinstance(step, Crash) for step in played.steps)
]

every_case = pytest.mark.parametrize("played", CASES, ids=lambda played: played.title)


@every_case
def test_a_field_case_ends_as_it_should_whenever_its_messages_are_extracted(player: Player) -> None:
    player.play()
    assert_ended(player)


@pytest.mark.parametrize(("kind", "how", "played"), ELSEWHERE)
def test_a_field_case_ends_as_it_should_on_every_store(
    kind: StoreKind, how: str, played: Case, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shelf = shelf_of(kind, tmp_path_factory)
    with opening_in(shelf), closing(Desk(tmp_path, register=False, worker=how == AT_ANY_MOMENT)) as desk:
        player = Player(desk, played, how)
        player.play()
        assert_ended(player)


@every_case
def test_a_field_case_ends_the_same_after_a_rebuild_and_after_reopening_the_file(player: Player) -> None:
    player.play()
    subjects = sorted({slot(was.slot).of for was in player.played.history} | {"user"})
    before = {user: everything(player.desk.mem, user, subjects=subjects) for user in player.users}
    report = player.desk.mem.rebuild()
    assert (report.identical, report.different) == (True, ())
    assert {user: everything(player.desk.mem, user, subjects=subjects) for user in player.users} == before
    assert_ended(player)
    player.desk.reopen()
    assert {user: everything(player.desk.mem, user, subjects=subjects) for user in player.users} == before
    assert_ended(player)


@every_case
def test_a_field_case_shows_one_value_at_every_moment_of_a_single_valued_slot(player: Player) -> None:
    player.play()
    for user in player.users:
        for where in {slot(was.slot) for was in player.played.history if slot(was.slot).user == user}:
            assert_history_is_what_was_shown(player, where)


@every_case
@pytest.mark.parametrize("mode", [AS_IT_IS_SAID, AT_THE_END], indirect=True)
def test_a_field_case_does_not_change_what_was_known_before(player: Player) -> None:
    player.play()
    for user, rev, now, values in player.known:
        assert player.desk.mem.state(user, known_at=rev, at=now).by_subject == values


def assert_ended(player: Player) -> None:
    mem, played = player.desk.mem, player.played
    for user in player.users:
        state = mem.state(user)
        assert state.by_subject == expected_values(played, user)
        assert state.freshness.pending + state.freshness.failed == played.leaves_pending
        assert state.freshness.is_current == (not played.leaves_pending)
    for where, value in played.values.items():
        one = slot(where)
        assert mem.get(one.user, one.predicate, subject=one.of) == value
    for user in player.users:
        for subject in sorted({slot(was.slot).of for was in played.history} | {"user"}):
            wanted = [was for was in played.history if (slot(was.slot).user, slot(was.slot).of) == (user, subject)]
            assert_history(player, mem.history(user, subject=subject).facts, wanted)
    assert_rulings(player)


def expected_values(played: Case, user: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for where, value in played.values.items():
        one = slot(where)
        if one.user == user and value is not None:
            found.setdefault(one.of, {})[one.predicate] = value
    return found


def assert_history(player: Player, facts: tuple[Fact, ...], wanted: list[Was]) -> None:
    given = [row_of_fact(fact) for fact in facts]
    assert sorted(given, key=repr) == sorted((row_of_expected(was) for was in wanted), key=repr)
    starts = [fact.valid_from for fact in facts if fact.valid_from is not None]
    assert starts == sorted(starts)
    for was in wanted:
        if was.said is not None:
            fact = next(fact for fact in facts if row_of_fact(fact) == row_of_expected(was))
            assert [item.seq for item in fact.evidence] == [player.seqs[number - 1] for number in was.said]


def row_of_fact(fact: Fact) -> tuple[Any, ...]:
    until = None if fact.valid_to is None else fact.valid_to.astimezone(UTC)
    since = None if fact.valid_from is None else fact.valid_from.astimezone(UTC)
    return fact.predicate, fact.value, since, until, str(fact.status)


def row_of_expected(was: Was) -> tuple[Any, ...]:
    since = None if was.since is None else moment(was.since).astimezone(UTC)
    until = None if was.until is None else moment(was.until).astimezone(UTC)
    return slot(was.slot).predicate, was.value, since, until, was.status


def assert_rulings(player: Player) -> None:
    said = [step for step in player.played.steps if isinstance(step, Say | Put | Swap | Undo)]
    logged = [step for step in said if not (isinstance(step, Put) and step.raises is not None)]
    for step, seq in zip(logged, player.seqs, strict=True):
        if isinstance(step, Say) and step.rulings is not None:
            found = [f"{one.outcome} {one.reason}".strip() for one in player.desk.mem.decisions(USER, seq)]
            assert tuple(found) == step.rulings


def assert_history_is_what_was_shown(player: Player, where: Slot) -> None:
    mem = player.desk.mem
    facts = [fact for fact in mem.history(where.user, where.predicate, subject=where.of) if fact.status in SHOWN]
    is_many = player.played.predicates[where.predicate].get("cardinality") == "many"
    edges = {edge for fact in facts for edge in (fact.valid_from, fact.valid_to) if edge is not None}
    tick = timedelta(microseconds=1)
    for when in sorted({near for edge in edges for near in (edge - tick, edge, edge + tick, edge + timedelta(days=9))}):
        state = mem.state(where.user, at=when, predicates=[where.predicate], subject=where.of)
        holding = [fact for fact in facts if holds(fact, when)]
        assert sorted(str(fact.value) for fact in state.facts) == sorted(str(fact.value) for fact in holding)
        assert is_many or len(holding) <= 1


def holds(fact: Fact, when: datetime) -> bool:
    starts_in_time = fact.valid_from is None or fact.valid_from <= when
    return starts_in_time and (fact.valid_to is None or when < fact.valid_to)
