"""Tools: their schemas come from the registry, and what they answer is told in words."""

from __future__ import annotations

import asyncio
import inspect
import json
import typing
from collections.abc import Iterator
from typing import Any, Literal

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory, Operation, errors
from tensemem.core.tool_forms import MOST_NAMES
from tensemem.verbs.scoped import ScopedMemory
from tensemem.verbs.tool_calls import CALLS

SAID_AT = "2026-05-01T12:00:00Z"


@pytest.fixture
def mem() -> Iterator[Memory]:
    script = {"maybe": [Operation("set", "lives_in", "Pune", modality="reported", quote="maybe")]}
    with Memory(":memory:", llm=FakeExtractor(script), worker=False) as made:
        made.register_predicate("lives_in", description="the city")
        made.register_predicate("diet", choices=["vegan", "omnivore"])
        made.register_predicate("languages", "many")
        made.register_predicate("age", type="number")
        made.register_predicate("drives", type="bool")
        yield made


@pytest.fixture
def memory(mem: Memory) -> ScopedMemory:
    return mem.for_user("u1")


@pytest.fixture
def moved(memory: ScopedMemory) -> ScopedMemory:
    memory.set("lives_in", "Delhi", since="2024", said_at="2024-05-01T12:00:00Z")
    memory.set("lives_in", "Bangalore", said_at=SAID_AT)
    return memory


def test_there_are_eight_at_most_and_their_bytes_are_the_same_until_the_registry_changes(
    mem: Memory, memory: ScopedMemory
) -> None:
    first = json.dumps(memory.tools("openai"))
    assert len(memory.tools("openai")) == len(CALLS) == 8
    memory.set("lives_in", "Delhi")
    assert json.dumps(memory.tools("openai")) == first
    mem.register_predicate("pet")
    assert json.dumps(memory.tools("openai")) != first


def test_without_predicates_there_is_nothing_to_get_or_set() -> None:
    with Memory(":memory:") as mem:
        assert mem.for_user("u1").tools().names == ("memory_context", "memory_search")


def test_strict_schemas_name_every_argument_and_allow_null_where_it_may_be_left_out(memory: ScopedMemory) -> None:
    for tool in memory.tools("openai-responses"):
        schema = tool["parameters"]
        assert tool["strict"] is True
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False
    forms = {tool["name"]: tool["parameters"]["properties"] for tool in memory.tools("openai-responses")}
    assert forms["memory_set"]["predicate"]["enum"] == ["age", "diet", "drives", "languages", "lives_in"]
    assert forms["memory_set"]["value"]["anyOf"] == [
        {"type": "number"}, {"type": "string", "enum": ["vegan", "omnivore"]}, {"type": "boolean"}, {"type": "string"},
    ]  # fmt: skip
    assert {"type": "null"} in forms["memory_set"]["since"]["anyOf"]
    assert "diet: one of vegan, omnivore" in forms["memory_set"]["value"]["description"]
    assert "languages: text, may have several values" in forms["memory_set"]["value"]["description"]
    assert "lives_in: text (the city)" in forms["memory_set"]["value"]["description"]


def test_anthropic_schemas_require_what_must_be_given(memory: ScopedMemory) -> None:
    forms = {tool["name"]: tool["input_schema"] for tool in memory.tools("anthropic")}
    assert forms["memory_set"]["required"] == ["predicate", "value"]
    assert forms["memory_context"]["required"] == []


def test_chat_definitions_hold_the_same_as_those_for_responses(memory: ScopedMemory) -> None:
    for chat, responses in zip(memory.tools("openai"), memory.tools("openai-responses"), strict=True):
        assert {"type": "function", **chat["function"]} == responses


def test_very_many_predicates_are_not_listed_as_choices(mem: Memory, memory: ScopedMemory) -> None:
    for number in range(MOST_NAMES):
        mem.register_predicate(f"more_{number}")
    forms = {tool["name"]: tool["input_schema"] for tool in memory.tools("anthropic")}
    assert "enum" not in forms["memory_get"]["properties"]["predicate"]


def test_an_unknown_kind_is_refused(memory: ScopedMemory) -> None:
    with pytest.raises(errors.InvalidValueError, match="anthropic, callables; not for 'gemini'"):
        memory.tools("gemini")  # type: ignore[arg-type]


def test_callables_have_names_types_and_docstrings(memory: ScopedMemory) -> None:
    by_name = {function.__name__: function for function in memory.tools("callables")}
    assert list(by_name) == list(CALLS)
    setter = by_name["memory_set"]
    hints = typing.get_type_hints(setter)
    assert hints["predicate"] == Literal["age", "diet", "drives", "languages", "lives_in"]
    assert hints["value"] == int | float | str | bool
    assert hints["since"] == str | None
    assert hints["return"] is str
    assert inspect.signature(setter).parameters["subject"].default == "user"
    assert "    since: since when" in (inspect.getdoc(setter) or "")


def test_a_callable_does_what_its_tool_does(memory: ScopedMemory) -> None:
    by_name = {function.__name__: function for function in memory.tools("callables")}
    by_name["memory_set"]("lives_in", "Delhi", since="2024")
    assert by_name["memory_get"](predicate="lives_in") == "lives_in = Delhi from 2024-01-01"


CALLED: list[tuple[str, Any, str]] = [
    ("memory_get", {"predicate": "lives_in"}, "lives_in = Bangalore from 2026-05-01"),
    ("memory_get", '{"predicate": "lives_in", "subject": null}', "lives_in = Bangalore from 2026-05-01"),
    ("memory_get", {"predicate": "diet"}, "Nothing is known of diet of user."),
    (
        "memory_history", {"predicate": "lives_in"},
        "Delhi: superseded from 2024-01-01 until 2026-05-01\nBangalore: active from 2026-05-01",
    ),
    ("memory_history", {"predicate": "diet"}, "diet of user has no history."),
    (
        "memory_set", {"predicate": "lives_in", "value": "bangalore"},
        "Nothing changed.\nMemory now says: lives_in = bangalore from 2026-05-01",
    ),
    ("memory_retract", {"predicate": "lives_in", "value": "Delhi"}, "Nothing changed: that value does not hold now."),
    ("memory_retract", {"predicate": "diet"}, "Nothing changed: diet does not hold now."),
    ("memory_retract", {"predicate": "lives_in"}, "lives_in: Bangalore no longer holds"),
    (
        "memory_correct", {"predicate": "lives_in", "reason": "misheard"},
        "Corrected: Bangalore was never true.\nlives_in: Bangalore no longer holds\nlives_in: Delhi holds\n"
        "Memory now says: lives_in = Delhi from 2024-01-01",
    ),
    ("memory_search", {"query": "zebra"}, "Nothing found."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "told"), CALLED)
def test_a_call_is_answered_in_words(moved: ScopedMemory, name: str, arguments: Any, told: str) -> None:
    said = moved.call(name, arguments)
    assert said == told
    assert not said.is_error


REFUSED: list[tuple[str, Any, str]] = [
    ("memory_sing", {}, "There is no tool 'memory_sing'. There are: memory_context, "),
    ("memory_get", {}, "memory_get takes predicate, subject: missing a required argument: 'predicate'"),
    ("memory_get", {"predicate": "lives_in", "x": 1}, "memory_get takes predicate, subject: "),
    ("memory_get", "{", "The arguments are no JSON: "),
    ("memory_get", [1], "The arguments must be a JSON object."),
    ("memory_get", {"predicate": "town"}, "is not registered. These are: age, diet, drives, languages, lives_in."),
    ("memory_set", {"predicate": "diet", "value": "paleo"}, "'paleo' is none of its choices. Give one of "),
    ("memory_set", {"predicate": "lives_in", "value": "X", "since": "2999"}, "since"),
    ("memory_set", {"predicate": "lives_in", "value": "X", "since": "soon"}, "soon"),
    ("memory_correct", {"predicate": "lives_in", "wrong_value": "Paris"}, "holds no lives_in of user with the value"),
    ("memory_why", {"predicate": "diet"}, "Memory holds no diet of user. memory_history shows what it holds."),
]


@pytest.mark.parametrize(("name", "arguments", "told"), REFUSED)
def test_what_a_model_does_wrong_is_told_and_changes_nothing(
    moved: ScopedMemory, name: str, arguments: Any, told: str
) -> None:
    before = moved.state()
    said = moved.call(name, arguments)
    assert said.is_error
    assert said.startswith("Error: ")
    assert told in said
    assert moved.state().rev == before.rev


def test_of_several_values_one_is_named(memory: ScopedMemory) -> None:
    memory.replace_values("languages", ["C", "Go"])
    assert "languages has several values (C, Go): name one" in memory.call("memory_correct", {"predicate": "languages"})
    memory.call("memory_correct", {"predicate": "languages", "wrong_value": "go"})
    assert memory.state().values["languages"] == ("C",)


def test_a_past_value_can_be_corrected_by_its_name(moved: ScopedMemory) -> None:
    moved.call("memory_correct", {"predicate": "lives_in", "wrong_value": "Delhi", "value": "Mumbai"})
    assert [fact.object for fact in moved.history("lives_in") if fact.status == "superseded"] == ["Mumbai"]


def test_why_tells_the_words(mem: Memory) -> None:
    with Memory(":memory:", llm=FakeExtractor(), worker=False) as other:
        other.register_predicate("lives_in")
        other.add("u1", "I live in Delhi")
        other.flush()
        assert "I live in Delhi" in other.for_user("u1").call("memory_why", {"predicate": "lives_in"})


def test_doubts_and_lags_are_told(mem: Memory, moved: ScopedMemory) -> None:
    moved.add("maybe")
    assert "Memory is behind: 1 recent message(s)" in moved.call("memory_get", {"predicate": "lives_in"})
    mem.flush()
    said = moved.call("memory_get", {"predicate": "lives_in"})
    assert "IN DOUBT" in said
    assert "Unconfirmed, ask the user: Pune" in said


def test_reading_tools_alone_write_nothing(moved: ScopedMemory) -> None:
    tools = moved.tools("openai", read_only=True)
    assert not {"memory_set", "memory_correct", "memory_retract"} & set(tools.names)
    said = tools.call("memory_set", {"predicate": "diet", "value": "vegan"})
    assert said.is_error
    assert "diet" not in moved.state().values


def test_another_scope_is_out_of_reach(mem: Memory, moved: ScopedMemory) -> None:
    assert mem.for_user("u2").call("memory_get", {"predicate": "lives_in"}) == "Nothing is known of lives_in of user."
    assert mem.for_user("u2").call("memory_get", {"predicate": "lives_in", "user_id": "u1"}).is_error
    assert "Bangalore" not in mem.for_user("u2").call("memory_search", {"query": "Bangalore"})


def test_what_agents_write_can_be_shut_out(mem: Memory, memory: ScopedMemory) -> None:
    mem.register_predicate("salary", writers=["user"])
    assert memory.call("memory_set", {"predicate": "salary", "value": "1"}).is_error
    assert "salary" not in memory.state().values


def test_what_a_model_can_do_nothing_about_is_raised() -> None:
    mem = Memory(":memory:")
    memory = mem.for_user("u1")
    mem.close()
    with pytest.raises(errors.ClosedError):
        memory.call("memory_search", {"query": "x"})


def test_awaited_tools_say_the_same() -> None:
    async def story() -> list[str]:
        async with AsyncMemory(":memory:", llm=False) as mem:
            await mem.register_predicate("lives_in")
            memory = mem.for_user("u1")
            tools = await memory.tools("callables")
            by_name = {function.__name__: function for function in tools}
            assert all(inspect.iscoroutinefunction(function) for function in tools)
            await by_name["memory_set"]("lives_in", "Delhi", since="2024")
            with pytest.raises(errors.InvalidValueError):
                await memory.tools("gemini")  # type: ignore[arg-type]
            return [
                await tools.call("memory_get", {"predicate": "lives_in"}),
                await memory.call("memory_get", {"predicate": "town"}),
                await memory.call("memory_why", {"predicate": "lives_in", "value": "Rome"}),
                await by_name["memory_history"]("lives_in"),
            ]

    assert asyncio.run(story()) == [
        "lives_in = Delhi from 2024-01-01",
        "Error: the predicate 'town' is not registered. These are: lives_in.",
        "Error: Memory holds no lives_in of user with the value Rome. memory_history shows what it holds.",
        "Delhi: active from 2024-01-01",
    ]
