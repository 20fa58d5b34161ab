"""The assertions: what passes, and what a failure says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from unittest.mock import ANY

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory, Operation, testing
from tensemem.errors import ExtractorUnavailable, InvalidTimeError, InvalidValueError, UnknownPredicateError
from tensemem.testing import FrozenClock, assert_history, assert_state
from tests.store.children import run_child

NOW = "2026-05-20T12:00:00Z"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOW)


@pytest.fixture
def mem(clock: FrozenClock) -> Iterator[Memory]:
    with Memory(":memory:", llm=FakeExtractor(), clock=clock, worker=False) as opened:
        opened.register_predicate("lives_in")
        opened.register_predicate("languages", "many")
        opened.register_predicate("born", type="date")
        opened.register_predicate("vip", type="bool")
        yield opened


def failure(check: Any, *arguments: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check(*arguments, **options)
    return str(caught.value)


def moved(mem: Memory, clock: FrozenClock) -> None:
    mem.add("u1", "I live in Delhi")
    clock.advance("10d")
    mem.add("u1", "I moved to Pune")


def test_a_state_as_wanted_passes(mem: Memory, clock: FrozenClock) -> None:
    moved(mem, clock)
    mem.add("u1", "I speak Hindi and French")
    mem.set("u1", "born", "1990-01-02")
    mem.set("u1", "lives_in", "Goa", subject="wife")
    whole = {"lives_in": "Pune", "languages": {"French", "Hindi"}, "born": date(1990, 1, 2)}
    assert_state(mem, "u1", whole)
    assert_state(mem, "u1", {**whole, "languages": ["Hindi", "French"], "born": "1990-01-02", "vip": None})
    assert_state(mem, "u1", {**whole, "languages": ANY, "lives_in": ANY})
    assert_state(mem, "u1", {"lives_in": "Pune"}, exact=False)
    assert_state(mem, "u1", {"lives_in": "Delhi"}, at="2026-05-25")
    assert_state(mem, "u1", {"lives_in": "Goa"}, subject="wife")
    assert_state(mem, "u2", {})
    assert_state(mem, "u1", {}, agent_id="another")
    assert_state(mem, "u1", {}, known_at=0)


@pytest.mark.parametrize(
    "wanted",
    [{"lives_in": "Goa"}, {"lives_in": None}, {"lives_in": ["Delhi"]}, {"lives_in": "Delhi", "vip": 1},
     {"lives_in": "Delhi", "languages": "Go"}, {"lives_in": "Delhi", "languages": ["Go", "Go"]},
     {"lives_in": "Delhi", "languages": ["Go", "C"]}, {"lives_in": "Delhi", "languages": []}, {}],
)  # fmt: skip
def test_another_state_fails(wanted: dict[str, Any], mem: Memory) -> None:
    mem.add("u1", "I live in Delhi and I write Go")
    mem.set("u1", "vip", True)
    assert_state(mem, "u1", {"lives_in": "Delhi", "languages": ["Go"], "vip": True})
    failure(assert_state, mem, "u1", {"languages": ["Go"], "vip": True, **wanted} if wanted else wanted)


def test_a_failure_shows_wanted_got_and_what_was_refused(clock: FrozenClock) -> None:
    script: dict[str, Any] = {
        "Delhi it is": [Operation("set", "lives_in", "Delhi")],
        "Maybe Pune": [Operation("set", "lives_in", "Pune", modality="hypothetical"), Operation("set", "town", "Pune")],
        "Hm": [{"op": "sing", "predicate": "x"}],
    }
    with Memory(":memory:", llm=FakeExtractor(script), clock=clock, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.register_predicate("name")
        mem.set("u1", "name", "Ann")
        for text in script:
            mem.add("u1", text)
        told = failure(assert_state, mem, "u1", {"lives_in": "Pune", "name": "Ann", "town": "Pune"})
    assert told.splitlines() == [
        "the state of u1 at 2026-05-20T12:00:00Z is not as wanted:",
        "  lives_in",
        "    wanted  'Pune'",
        "    got     'Delhi'  [2026-05-20T12:00:00Z, still) said in 'Delhi it is'",
        "  town",
        "    wanted  'Pune'",
        "    got     nothing",
        "as wanted: name",
        "why:",
        "  town is not registered: register_predicate('town')",
        "  message 3: set lives_in 'Pune' from 'Maybe Pune' was refused (hypothetical)",
        "  message 3: set town 'Pune' from 'Maybe Pune' was refused (unknown_predicate)",
        "  message 4: {'op': 'sing', 'predicate': 'x'} was refused (malformed): op is 'sing'; it must be one of set, "
        "add, remove, replace, retract, deny, confirm",
    ]


def test_a_failure_shows_what_waits_and_what_was_corrected(mem: Memory) -> None:
    wrong = mem.set("u1", "lives_in", "Goa").fact_id
    assert wrong is not None
    mem.correct(wrong)
    mem.add("u1", "I'm moving to Berlin on 2026-07-01")
    told = failure(assert_state, mem, "u1", {"lives_in": "Berlin", "languages": "Go"})
    assert "planned: 'Berlin' [2026-07-01, still) planned" in told
    assert "history of lives_in: 'Goa' [2026-05-20T12:00:00Z, still) corrected" in told
    assert "was planned" in told
    assert "wanted  'Go'  (many-valued: give a list)" in told


def test_a_failure_says_that_nothing_was_proposed(mem: Memory) -> None:
    told = failure(assert_state, mem, "u1", {"lives_in": "Pune"})
    assert told.endswith("    got     nothing\nwhy:\n  nothing was ever proposed for it")


def test_a_failure_says_what_was_not_extracted(clock: FrozenClock) -> None:
    with Memory(":memory:", llm=FakeExtractor([ExtractorUnavailable("no network")]), clock=clock, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.add("u1", "I live in Delhi")
        told = failure(assert_state, mem, "u1", {"lives_in": "Delhi"})
        assert "no network; the messages stay pending" in told
        assert "message 1 is not extracted yet: no network" in told
    with Memory(":memory:", clock=clock) as mem:
        mem.register_predicate("lives_in")
        mem.add("u1", "I live in Delhi")
        assert "1 message is pending and nobody extracts" in failure(assert_state, mem, "u1", {"lives_in": "Delhi"})


def test_nothing_is_extracted_where_that_is_not_wanted(mem: Memory) -> None:
    mem.add("u1", "I live in Delhi")
    assert_state(mem, "u1", {}, settle=False)
    assert "message 1 is not extracted yet" in failure(assert_state, mem, "u1", {"lives_in": "Delhi"}, settle=False)
    assert_state(mem, "u1", {"lives_in": "Delhi"})


def test_many_refusals_are_told_from_the_newest(mem: Memory) -> None:
    for number in range(30):
        mem.add("u1", f"Do I live in Town{number}?")
    told = failure(assert_state, mem, "u1", {"lives_in": "Delhi"})
    assert "… and 18 earlier ones" in told
    assert "'Town29'" in told
    assert "'Town17'" not in told


def test_a_history_as_wanted_passes(mem: Memory, clock: FrozenClock) -> None:
    moved(mem, clock)
    mem.record("u1", "lives_in", "Rome", valid_from="2015", valid_to="2016")
    rows: list[Any] = [("Rome", "2015", "2017"), ("Delhi", "2026-05-20", "2026-05-30"), ("Pune", "2026-05-30", None)]
    assert_history(mem, "u1", "lives_in", rows)
    exact = [("Rome", "2015-01-01", "2017-01-01", "expired"), ("Delhi", NOW, "2026-05-30T12:00:00Z", "superseded"),
             ["Pune", datetime(2026, 5, 30, 12, tzinfo=UTC), None]]  # fmt: skip
    assert_history(mem, "u1", "lives_in", exact)
    assert_history(mem, "u1", "lives_in", [], subject="wife")


@pytest.mark.parametrize(
    "rows",
    [[], [("Delhi", "2026-05-20", None)], [("Delhi", "2026-05-20", "2026-05-30")],
     [("Delhi", "2026-05-21", "2026-05-30"), ("Pune", "2026-05-30", None)],
     [("Delhi", None, "2026-05-30"), ("Pune", "2026-05-30", None)],
     [("Delhi", "2026-05-20", "2026-05-30T12:00:01Z"), ("Pune", "2026-05-30", None)],
     [("Delhi", "2026-05-20", "2026-05-30", "expired"), ("Pune", "2026-05-30", None)],
     [("Pune", "2026-05-30", None), ("Delhi", "2026-05-20", "2026-05-30")]],
)  # fmt: skip
def test_another_history_fails(rows: list[Any], mem: Memory, clock: FrozenClock) -> None:
    moved(mem, clock)
    failure(assert_history, mem, "u1", "lives_in", rows)


def test_a_failing_history_is_a_difference_of_rows(mem: Memory, clock: FrozenClock) -> None:
    mem.add("u1", "I live in Delhi")
    clock.advance("10d")
    fact = mem.set("u1", "lives_in", "Goa").fact_id
    assert fact is not None
    mem.correct(fact)
    mem.add("u1", "Do I live in Pune?")
    wanted = [("Delhi", "2026-05-20", "2026-06"), ("Pune", "2026-06", None)]
    told = failure(assert_history, mem, "u1", "lives_in", wanted)
    assert told.splitlines() == [
        "the history of lives_in of u1 is not as wanted:",
        "  - 'Delhi' [2026-05-20, 2026-06)",
        "  + 'Delhi' [2026-05-20T12:00:00Z, still) active",
        "  - 'Pune' [2026-06, still)",
        "  (- wanted, + got)",
        "not on the timeline:",
        "  'Goa' [2026-05-30T12:00:00Z, still) corrected",
        "why:",
        "  message 4: set lives_in 'Pune' from 'I live in Pune' was refused (question)",
    ]
    corrected = [("Delhi", "2026-05-20", None), ("Goa", "2026-05-30", None, "corrected")]
    assert_history(mem, "u1", "lives_in", corrected)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [("Delhi", "a row of a history is"), (("Delhi",), "a row of a history is"),
     (("Delhi", None, None, "gone"), "'gone' is no status; there are active")],
)  # fmt: skip
def test_a_row_of_another_shape_is_refused(row: Any, complaint: str, mem: Memory) -> None:
    with pytest.raises(InvalidValueError, match=complaint):
        assert_history(mem, "u1", "lives_in", [row])


def test_what_can_t_be_asked_is_told_as_the_verbs_tell_it(mem: Memory) -> None:
    with pytest.raises(InvalidValueError, match="wanted must map predicates to values"):
        assert_state(mem, "u1", ["lives_in"])  # type: ignore[arg-type]
    with pytest.raises(InvalidTimeError, match="valid_from"):
        assert_history(mem, "u1", "lives_in", [("Delhi", "soon", None)])
    with pytest.raises(UnknownPredicateError):
        assert_history(mem, "u1", "town", [])


def test_an_awaited_memory_is_looked_at_from_within_its_loop_and_without() -> None:
    async def told() -> AsyncMemory:
        mem = AsyncMemory(":memory:", llm=FakeExtractor(), clock=FrozenClock(NOW), worker=False)
        await mem.register_predicate("lives_in")
        await mem.add("u1", "I live in Delhi")
        assert_state(mem, "u1", {"lives_in": "Delhi"})
        assert_history(mem, "u1", "lives_in", [("Delhi", "2026-05-20", None)])
        return mem

    mem = asyncio.run(told())
    assert "got     'Delhi'" in failure(assert_state, mem, "u1", {"lives_in": "Pune"})
    asyncio.run(mem.close())


def test_the_clock_stands_still_until_it_is_moved() -> None:
    clock = FrozenClock()
    assert clock() == clock() == clock.now == datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert clock.advance("1d") == clock.now == datetime(2026, 1, 2, 12, tzinfo=UTC)
    assert clock.advance(timedelta(hours=2)) == datetime(2026, 1, 2, 14, tzinfo=UTC)
    assert clock.set("2025-03") == datetime(2025, 3, 1, tzinfo=UTC)
    assert repr(FrozenClock(date(2026, 5, 20))) == "FrozenClock('2026-05-20T00:00:00+00:00')"
    zone = datetime.fromisoformat("2026-05-20T12:00:00+05:30")
    assert FrozenClock(zone)().utcoffset() == zone.utcoffset()
    for wrong in ("soon", 3, None):
        with pytest.raises(InvalidTimeError):
            clock.set(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidTimeError):
        clock.advance("-1d")


def test_all_names_are_there_and_nothing_of_pytest_is_needed() -> None:
    assert all(getattr(testing, name).__doc__ for name in testing.__all__)
    assert set(testing.__all__) <= set(dir(testing))
    assert not hasattr(testing, "assert_mood")
    found = run_child(
        "import sys\n"
        "import tensemem.testing\n"
        "few = {name for name in sys.modules if name.startswith('tensemem')}\n"
        "from tensemem.testing import *\n"
        "print('pytest' in sys.modules, 'tensemem.memory' in few, 'tensemem.extract' in few)"
    )
    assert found.split() == ["False", "False", "False"]
