"""Hooks and watchers: told of every event, verb and step, with its time and never with content; taken off again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory, Message, errors
from tensemem.engine.watching import STEPS, Call, event_of
from tensemem.verbs.scoped import public_verbs
from tests.counting import calls_of
from tests.engine.bench import Told, lives

Heard = list[tuple[str, Mapping[str, Any]]]


class Standing:
    """A hook that stands around calls and notes what it sees at the beginning and at the end."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[tuple[str, str | None]] = []
        self.seen: list[Any] = []

    def __call__(self, event: str, fields: Mapping[str, Any]) -> None:
        pass

    @contextmanager
    def around(self, call: Call) -> Iterator[None]:
        self.begun.append(call.name)
        self.seen.append(call.arguments)
        yield
        self.ended.append((call.name, call.error))
        self.seen.append(call.result)


def listening(mem: Any, **options: Any) -> tuple[Heard, Callable[[], None]]:
    heard: Heard = []
    return heard, mem.on(lambda event, fields: heard.append((event, fields)), **options)


def verbs_of(heard: Heard) -> list[str]:
    return [fields["verb"] for event, fields in heard if event == "called"]


def test_every_verb_is_told_when_it_ends_with_its_time_and_scope(mem: Memory) -> None:
    heard, _ = listening(mem, calls=True)
    mem.set("ann", "lives_in", "Delhi", agent_id="a")
    event, fields = heard[-1]
    assert (event, fields["verb"], fields["error"], fields["namespace"]) == ("called", "set", None, "default")
    assert (fields["scope"].user_id, fields["scope"].agent_id) == ("ann", "a")
    assert fields["seconds"] > 0
    told = dict(fields["fields"])
    assert told.pop("fact_id") == mem.state("ann", agent_id="a").facts[0].id
    assert told == {"seq": 1, "rev": 1, "changed": True, "duplicate": False, "count": 1}


@pytest.mark.parametrize("name", sorted(set(public_verbs()) - {"on", "add_many"}))
def test_no_verb_is_left_out_even_where_it_refuses_its_arguments(mem: Memory, name: str) -> None:
    heard, _ = listening(mem, calls=True)
    with pytest.raises(TypeError):
        getattr(mem, name)(no_such_argument=1)
    assert [(fields["verb"], fields["error"]) for _, fields in heard] == [(name, "TypeError")]


def test_a_verb_that_calls_another_is_one(mem: Memory) -> None:
    heard, _ = listening(mem, calls=True)
    mem.add_value("ann", "lives_in", "Delhi")
    assert verbs_of(heard) == ["add_value"]


def test_what_fails_is_told_by_its_type_and_raised_as_it_is(mem: Memory) -> None:
    heard, _ = listening(mem, calls=True)
    with pytest.raises(errors.UnknownPredicateError, match="shoe_size"):
        mem.set("ann", "shoe_size", 42)
    (called,) = [fields for event, fields in heard if event == "called"]
    assert called["error"] == "UnknownPredicateError"
    assert "shoe_size" not in repr(heard)


def test_a_stream_is_told_once_it_has_ended(mem: Memory) -> None:
    heard, _ = listening(mem, calls=True)
    receipts = mem.add_many([Message("ann", f"hello {number}") for number in range(3)])
    assert verbs_of(heard) == []
    assert len(list(receipts)) == 3
    assert verbs_of(heard) == ["add_many"]
    assert heard[-1][1]["fields"] == {"count": 3}


def test_a_memory_bound_to_a_scope_and_a_turn_are_watched_too(mem: Memory) -> None:
    ann = mem.for_user("ann")
    heard, _ = listening(mem, calls=True)
    ann.set("lives_in", "Delhi")
    with mem.turn("ann", "hello there") as turn:
        turn.answer = "Hello."
    assert verbs_of(heard) == ["set", "add", "context", "add"]


def test_the_steps_of_settling_are_told(mem: Memory, told: Told) -> None:
    told.answers["I live in Delhi"] = [lives("Delhi")]
    mem.add("ann", "I live in Delhi")
    heard, _ = listening(mem, calls=True)
    mem.flush()
    steps = [(fields["step"], fields["error"]) for event, fields in heard if event == "stepped"]
    assert steps == [("ask", None), ("keep", None), ("settle", None)]
    assert {step for step, _ in steps} == set(STEPS)
    asked = next(fields for event, fields in heard if event == "stepped" and fields["step"] == "ask")
    assert asked["fields"] == {"messages": 1, "extractor": "told", "operations": 1}
    assert "Delhi" not in repr(heard)


def test_a_provider_that_is_away_is_told_as_the_type_of_its_error(mem: Memory, told: Told) -> None:
    told.answers["hello"] = errors.ExtractorUnavailable("no route to Delhi")
    mem.add("ann", "hello")
    heard, _ = listening(mem, calls=True)
    with pytest.raises(errors.ExtractorUnavailable):
        mem.flush()
    steps = [(fields["step"], fields["error"]) for event, fields in heard if event == "stepped"]
    assert steps == [("ask", "ExtractorUnavailable"), ("settle", "ExtractorUnavailable")]
    assert verbs_of(heard) == ["flush"]
    assert "Delhi" not in repr(heard)


def test_extraction_is_told_with_how_long_it_took_and_how_long_the_message_had_waited(
    mem: Memory, told: Told, clock: Any
) -> None:
    heard, _ = listening(mem)
    mem.add("ann", "hello")
    clock.advance(seconds=90)
    mem.flush()
    (fields,) = [fields for event, fields in heard if event == "extracted"]
    assert fields["waited"] == 90
    assert fields["seconds"] >= 0


def test_content_is_shown_to_who_asks_for_it_alone(mem: Memory) -> None:
    blind, sighted = Standing(), Standing()
    mem.on(blind)
    mem.on(sighted, content=True)
    mem.set("ann", "lives_in", "Delhi")
    assert "Delhi" not in repr(blind.seen)
    assert sighted.seen[0]["value"] == "Delhi"
    assert sighted.seen[1].shown.value == "Delhi"


def test_who_stands_around_a_call_never_meets_the_error_itself(mem: Memory) -> None:
    standing = Standing()
    mem.on(standing)
    with pytest.raises(errors.UnknownPredicateError):
        mem.set("ann", "shoe_size", 42)
    assert (standing.begun, standing.ended) == (["set"], [("set", "UnknownPredicateError")])


@pytest.mark.parametrize("where", ["making", "entering", "leaving"])
def test_a_watcher_that_fails_does_no_harm(mem: Memory, where: str, caplog: pytest.LogCaptureFixture) -> None:
    class Failing(Standing):
        @contextmanager
        def around(self, call: Call) -> Iterator[None]:
            assert where != "entering", "Delhi"
            yield
            assert where != "leaving", "Delhi"

    class FailingAtOnce(Standing):
        def around(self, call: Call) -> Any:
            raise SystemExit("Delhi")

    mem.on(FailingAtOnce() if where == "making" else Failing())
    standing = Standing()
    mem.on(standing)
    with caplog.at_level(logging.INFO):
        assert mem.set("ann", "lives_in", "Delhi").changed
    assert standing.ended == [("set", None)]
    assert "a watcher failed around the verb set" in caplog.text
    assert "Delhi" not in caplog.text


def test_a_hook_is_taken_off_by_what_on_gave(mem: Memory) -> None:
    heard, remove = listening(mem, calls=True)
    again, remove_again = listening(mem)
    remove()
    remove()
    mem.set("ann", "lives_in", "Delhi")
    assert heard == []
    assert [event for event, _ in again] == ["written"]
    remove_again()
    mem.set("ann", "lives_in", "Goa")
    assert len(again) == 1


def test_one_hook_attached_twice_is_two(mem: Memory) -> None:
    heard: Heard = []

    def hook(event: str, fields: Mapping[str, Any]) -> None:
        heard.append((event, fields))

    mem.on(hook)
    remove = mem.on(hook)
    remove()
    mem.set("ann", "lives_in", "Delhi")
    assert len(heard) == 1


@pytest.mark.of_files  # a server's driver does not do the same each time
def test_a_memory_that_nobody_watches_runs_its_verbs_as_they_are_written(mem: Memory) -> None:
    assert type(mem) is Memory
    plain = calls_of(lambda: mem.get("ann", "lives_in"))
    remove = mem.on(Standing())
    assert isinstance(mem, Memory)
    assert (type(mem).__name__, type(mem).set.__doc__) == ("Memory", Memory.set.__doc__)
    assert calls_of(lambda: mem.get("ann", "lives_in")) > plain
    remove()
    assert type(mem) is Memory
    assert calls_of(lambda: mem.get("ann", "lives_in")) == plain


@pytest.mark.of_files
def test_a_hook_for_events_costs_the_verbs_nothing(mem: Memory) -> None:
    plain = calls_of(lambda: mem.get("ann", "lives_in"))
    mem.on(lambda event, fields: None)
    assert calls_of(lambda: mem.get("ann", "lives_in")) == plain


def test_a_subclass_is_watched_as_itself(tmp_path: Path) -> None:
    class Own(Memory):
        def set(self, user_id: str, predicate: str, value: Any, **more: Any) -> Any:
            return super().set(user_id, predicate, f"{value}!", **more)

    with Own(tmp_path / "own.db", worker=False) as mem:
        mem.register_predicate("lives_in")
        heard, remove = listening(mem, calls=True)
        mem.set("ann", "lives_in", "Delhi")
        assert mem.get("ann", "lives_in") == "Delhi!"
        assert verbs_of(heard) == ["set", "get"]
        remove()
        assert type(mem) is Own


def test_awaited_verbs_are_told_alike(tmp_path: Path) -> None:
    heard: Heard = []

    async def use() -> None:
        async with AsyncMemory(tmp_path / "memory.db", worker=False) as mem:
            await mem.register_predicate("lives_in")
            remove = await mem.on(lambda event, fields: heard.append((event, fields)), calls=True)
            await mem.set("ann", "lives_in", "Delhi")
            with pytest.raises(errors.InvalidScopeError):
                await mem.state("")
            async for _ in mem.add_many([Message("ann", "hello")]):
                pass
            remove()
            await mem.state("ann")

    asyncio.run(use())
    called = [(fields["verb"], fields["error"]) for event, fields in heard if event == "called"]
    assert called == [("set", None), ("state", "InvalidScopeError"), ("add_many", None)]


def test_a_call_is_told_as_an_event_with_fields_of_its_own() -> None:
    call = Call("step", "ask", "default", fields={"messages": 2}, seconds=1.5, error="ExtractorError")
    event, fields = event_of(call)
    assert event == "stepped"
    assert (fields["step"], fields["seconds"], fields["error"]) == ("ask", 1.5, "ExtractorError")
    fields["fields"]["messages"] = 3
    assert call.fields == {"messages": 2}
