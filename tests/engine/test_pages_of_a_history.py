"""Pages of a history hold whatever the history holds: of each kind of fact and statement there is one here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from tensemem import Memory, Operation
from tensemem.errors import InvalidValueError, UnknownFactError
from tests.laws.test_history_pages import pages_of

USER = "ann"
Play = Callable[[Memory], object]


class Days:
    """A clock that goes on by a day each time it is asked."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(days=1)
        return self.now


def _past(mem: Memory) -> None:
    mem.write(USER, [Operation("set", "lives_in", "Rome", valid_to="2020")])


def _corrected_twice(mem: Memory) -> None:
    """What took the first correction back is erased, so that both are in force: alike, and of one fact."""
    fact = mem.history(USER, "lives_in").facts[0].id
    mem.correct(fact)
    back = mem.reinstate(fact)
    mem.correct(fact, "Oslo")
    mem.erase(USER, back.seq)


def _corrected_and_denied(mem: Memory) -> None:
    """A part of it was corrected, and all of it denied: two facts of one id, over other times."""
    first = mem.history(USER, "lives_in").facts[0]
    assert first.valid_from is not None
    begins = first.valid_from + timedelta(hours=1)
    mem.record(USER, "lives_in", "Pune", valid_from=begins, valid_to=begins + timedelta(hours=1))
    mem.correct(first.id)
    mem.deny(USER, "lives_in", "Delhi")


KINDS: dict[str, tuple[str, Play]] = {
    "superseded": ("superseded", lambda mem: mem.set(USER, "lives_in", "Pune")),
    "retracted": ("retracted", lambda mem: mem.retract(USER, "lives_in")),
    "corrected": ("corrected", lambda mem: mem.correct(mem.history(USER, "lives_in").facts[0].id)),
    "corrected twice": ("corrected", _corrected_twice),
    "corrected and denied": ("denied", _corrected_and_denied),
    "denied": ("denied", lambda mem: mem.deny(USER, "lives_in", "Delhi")),
    "overridden": ("overridden", lambda mem: mem.set(USER, "lives_in", "Pune", since="2026-01-01")),
    "of a value that never showed": ("retracted", lambda mem: mem.retract(USER, "lives_in", "Oslo")),
    "scheduled": ("scheduled", lambda mem: mem.record(USER, "lives_in", "Oslo", valid_from="2030")),
    "of an unknown beginning": ("expired", _past),
    "planned": (
        "planned", lambda mem: mem.write(USER, [Operation("set", "lives_in", "Bern", modality="planned")])
    ),
    "candidate": (
        "candidate", lambda mem: mem.write(USER, [Operation("set", "lives_in", "Bern", modality="reported")])
    ),
    "of one that expires": ("active", lambda mem: mem.set(USER, "mood", "calm")),
    "of many": ("superseded", lambda mem: mem.replace_values(USER, "languages", ["Go", "C"])),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_pages_hold_what_the_history_holds(name: str) -> None:
    status, play = KINDS[name]
    with Memory(":memory:", worker=False, clock=Days()) as mem:
        mem.register_predicate("lives_in")
        mem.register_predicate("mood", ttl="30d")
        mem.register_predicate("languages", "many")
        mem.set(USER, "lives_in", "Delhi")
        mem.add_value(USER, "languages", "Go")
        mem.add_value(USER, "languages", "Rust")
        play(mem)
        told = mem.history(USER)
        assert status in {str(fact.status) for fact in told}
        for size in (1, 2, 100):
            pages = pages_of(mem, size)
            assert tuple(fact for page in pages for fact in page.facts) == told.facts
            assert {page.retractions for page in pages} == {told.retractions}
        mem.set(USER, "lives_in", "Lima")
        assert tuple(fact for page in pages_of(mem, 1) for fact in page.facts) == mem.history(USER).facts


@pytest.mark.parametrize("play", [_corrected_twice, _corrected_and_denied])
@pytest.mark.parametrize("known_at", [None, 100])
def test_of_facts_with_one_id_each_is_behind_the_other(play: Play, known_at: int | None) -> None:
    with Memory(":memory:", worker=False, clock=Days()) as mem:
        mem.register_predicate("lives_in")
        mem.set(USER, "lives_in", "Delhi")
        play(mem)
        told = mem.history(USER, known_at=known_at).facts
        twice = [number for number, fact in enumerate(told) if fact.id == mem.history(USER).facts[0].id]
        assert len(twice) == 2
        for which, number in enumerate(twice, 1):
            page = mem.history(USER, known_at=known_at, limit=1, after=f"{told[number].id}~{which}")
            assert page.facts == told[number + 1 : number + 2]
        by_id = mem.history(USER, known_at=known_at, limit=10, after=told[twice[0]].id)
        assert by_id.facts == told[twice[-1] + 1 :]  # an id by itself is the last of them
        assert mem.history(USER, known_at=known_at, after=f"{told[twice[0]].id}~9").facts == by_id.facts
        with pytest.raises(UnknownFactError, match="is not a fact of this history"):
            mem.history(USER, known_at=known_at, limit=1, after="0123456789abcdef-1-0-0~1")


@pytest.mark.parametrize("count", [15, 16, 17, 40])
def test_facts_that_begin_together_are_told_once_each(count: int) -> None:
    with Memory(":memory:", worker=False, clock=Days()) as mem:
        mem.register_predicate("lives_in")
        mem.write(USER, [Operation("set", "lives_in", "here", subject=f"thing {n}") for n in range(count)])
        mem.write(USER, [Operation("set", "lives_in", "there", subject=f"thing {n}") for n in range(3)])
        told = mem.history(USER, subject=None)
        assert len(told.facts) == count + 3
        assert tuple(fact for page in pages_of(mem, 4, subject=None) for fact in page.facts) == told.facts


def test_what_is_no_fact_of_the_history_begins_no_page() -> None:
    with Memory(":memory:", worker=False, clock=Days()) as mem:
        mem.register_predicate("lives_in")
        mem.register_predicate("mood")
        known = mem.set(USER, "lives_in", "Delhi").fact_id or ""
        other = mem.set(USER, "mood", "calm").fact_id or ""
        foreign = mem.set("bob", "lives_in", "Delhi").fact_id or ""
        for after in (other, foreign, known + "0", "x", known + "@7"):
            with pytest.raises(UnknownFactError, match="is not a fact of this history"):
                mem.history(USER, "lives_in", limit=1, after=after)
        assert mem.history(USER, "lives_in", limit=1, after=known).facts == ()
        with pytest.raises(InvalidValueError):
            mem.history(USER, limit=0)
