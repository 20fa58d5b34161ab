"""Somebody moves, asks, and is corrected, through the SDK's own runner and the real client."""

from __future__ import annotations

import asyncio
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("agents")

from agents import Runner

from tensemem import AsyncMemory, FakeExtractor, Memory
from tensemem.adapters.openai_agents import TensememSession, memory_instructions, memory_tools
from tensemem.errors import InvalidValueError
from tests.adapters.openai_agents.bench import chatting, system_prompt

EXAMPLE = Path(__file__).parents[3] / "examples" / "integrations" / "openai_agents.py"
SAID = ["I live in Delhi", "I moved to Bangalore", "Where do I live?", "No, it was Mysore all along", "So, where?"]
WRONG = {"predicate": "lives_in", "value": "Mysore", "subject": "user", "wrong_value": None, "reason": "a typo"}
NAMES = ["context", "search", "get", "history", "why", "set", "correct", "retract"]
ANSWERS = ["Noted.", "Welcome there!", "In Bangalore.", ("memory_correct", WRONG), "Corrected.", "In Mysore."]


@pytest.fixture
def mem() -> Iterator[Memory]:
    with Memory(":memory:", llm=FakeExtractor()) as made:
        made.register_predicate("lives_in", description="the city somebody lives in")
        yield made


def known(asked: dict[str, Any]) -> list[str]:
    """The facts that one request's instructions told, without their dates."""
    lines = system_prompt(asked).splitlines()
    return [line.removeprefix("- ").split(" (since")[0] for line in lines if line.startswith("- lives_in:")]


@pytest.mark.parametrize("responses", [False, True], ids=["chat", "responses"])
def test_the_relocation_story(mem: Memory, responses: bool) -> None:
    session = TensememSession(mem, "ann", "s1")
    told = memory_instructions(mem, "ann", base="Be kind.", session_id="s1", wait=True)

    async def run() -> Any:
        async with chatting(
            *ANSWERS, responses=responses, instructions=told, tools=memory_tools(mem, "ann")
        ) as (agent, script):
            answers = [(await Runner.run(agent, said, session=session)).final_output for said in SAID]
            return answers, script.asked

    answers, asked = asyncio.run(run())
    assert answers == [answer for answer in ANSWERS if isinstance(answer, str)]
    assert [known(each) for each in asked[2:]] == [
        ["lives_in: Bangalore"], ["lives_in: Bangalore"], ["lives_in: Mysore"], ["lives_in: Mysore"]
    ]  # fmt: skip
    assert all(system_prompt(each).startswith("Be kind.") for each in asked)
    assert not any("Memory is behind" in system_prompt(each) for each in asked)
    names = [tool.get("function", tool)["name"] for tool in asked[0]["tools"]]
    assert names == [f"memory_{name}" for name in NAMES]
    talk = [(each.role, each.content) for each in mem.messages("ann") if each.role in ("user", "assistant")]
    assert [text for role, text in talk if role == "user"] == SAID
    assert [text for role, text in talk if role == "assistant"] == answers
    facts = {fact.object: fact.status.value for fact in mem.history("ann", "lives_in").facts}
    assert facts == {"Delhi": "superseded", "Mysore": "active", "Bangalore": "corrected"}
    corrected = next(fact for fact in mem.history("ann", "lives_in").facts if fact.object == "Bangalore")
    assert "a typo" in repr(mem.explain(corrected.id).steps)


@pytest.mark.parametrize("responses", [False, True], ids=["chat", "responses"])
def test_what_the_model_is_sent_is_what_the_sdks_session_would_send(mem: Memory, responses: bool) -> None:
    from agents import SQLiteSession

    async def sent(session: Any) -> list[Any]:
        async with chatting(*ANSWERS, responses=responses, tools=memory_tools(mem, "bob")) as (agent, script):
            for said in SAID:
                await Runner.run(agent, said, session=session)
            return [each.get("messages") or each["input"] for each in script.asked]

    theirs = SQLiteSession("s1")
    mem.set("bob", "lives_in", "Delhi", since="2020", said_at="2021")
    ours = asyncio.run(sent(TensememSession(mem, "ann", "s1")))
    mem.reinstate(mem.history("bob", "lives_in").facts[0].id)
    assert ours == asyncio.run(sent(theirs))
    theirs.close()


def test_instructions_say_what_memory_lags_behind_and_keep_their_bytes(tmp_path) -> None:
    with Memory(tmp_path / "m.db", worker=False) as mem:  # nobody reads the messages
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi", since="2024")
        session = TensememSession(mem, "ann", "s1")
        told = memory_instructions(mem, "ann", session_id="s1")

        async def run() -> list[str]:
            async with chatting("Hi.", "Yes.", "Fine.", instructions=told) as (agent, script):
                for said in ("hello", "I moved to Pune", "so?"):
                    await Runner.run(agent, said, session=session)
                return [system_prompt(each) for each in script.asked]

        first, second, third = asyncio.run(run())
    assert first.endswith(">")  # what is said right now stands in the conversation
    assert second == f"{first}\n\n" + second.split("\n\n")[-1]
    assert second.split("\n\n")[-1].startswith("Memory is behind: 2 recent messages are not learnt from yet")
    assert third.split("\n\n")[-1].startswith("Memory is behind: 3 recent messages are not learnt from yet")


def test_the_user_may_be_told_by_the_runs_context(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi", since="2024")
    mem.set("bob", "lives_in", "Pune", since="2024")

    async def session_of(run: Any) -> str:
        return f"session of {run.context}"

    told = memory_instructions(mem, lambda run: run.context, session_id=session_of)

    async def run() -> list[list[str]]:
        async with chatting("Hi.", "Hi.", instructions=told) as (agent, script):
            for name in ("ann", "bob"):
                await Runner.run(agent, "hello", context=name)
            return [known(each) for each in script.asked]

    assert asyncio.run(run()) == [["lives_in: Delhi"], ["lives_in: Pune"]]


def test_a_tool_may_wait_for_a_person(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi", since="2024")
    tools = memory_tools(mem, "ann", needs_approval=["memory_correct"])
    assert [tool.name for tool in tools if tool.needs_approval] == ["memory_correct"]

    async def run() -> tuple[Any, Any]:
        async with chatting(("memory_correct", WRONG), "Corrected.", tools=tools) as (agent, _):
            asked = await Runner.run(agent, "it was Mysore")
            before = mem.get("ann", "lives_in")
            state = asked.to_state()
            state.approve(asked.interruptions[0])
            return before, (await Runner.run(agent, state)).final_output

    assert asyncio.run(run()) == ("Delhi", "Corrected.")
    assert mem.get("ann", "lives_in") == "Mysore"


def test_an_approval_of_a_tool_that_is_not_there_is_refused(mem: Memory) -> None:
    with pytest.raises(InvalidValueError, match="memory_corect"):
        memory_tools(mem, "ann", needs_approval=["memory_corect"])


def test_reading_tools_alone(mem: Memory) -> None:
    names = [tool.name for tool in memory_tools(mem, "ann", read_only=True)]
    assert names == [f"memory_{name}" for name in NAMES[:5]]


def test_what_a_tool_refuses_is_told_to_the_model(mem: Memory) -> None:
    wrong = {"predicate": "lives_in", "value": None, "subject": "user", "wrong_value": "Rome", "reason": None}

    async def run() -> Any:
        async with chatting(("memory_correct", wrong), "Hm.", tools=memory_tools(mem, "ann")) as (agent, script):
            await Runner.run(agent, "it was not Rome")
            return script.asked[-1]["messages"][-1]["content"]

    assert asyncio.run(run()).startswith("Error: Memory holds no lives_in")


def test_an_async_memory_serves_all_three(tmp_path) -> None:
    async def run() -> Any:
        async with AsyncMemory(tmp_path / "m.db", llm=FakeExtractor()) as mem:
            await mem.register_predicate("lives_in")
            told = memory_instructions(mem, "ann", session_id="s1", wait=True)
            tools = memory_tools(mem, "ann")
            session = TensememSession(mem, "ann", "s1")
            async with chatting(*ANSWERS, instructions=told, tools=tools) as (agent, script):
                for said in SAID:
                    await Runner.run(agent, said, session=session)
                return known(script.asked[-1])

    assert asyncio.run(run()) == ["lives_in: Mysore"]


def test_the_example_runs(capsys) -> None:
    assert EXAMPLE.name == "openai_agents.py"
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    printed = capsys.readouterr().out
    assert "['Delhi superseded', 'Bangalore corrected', 'Mysore active']" in printed
    assert "12 items in the session" in printed
