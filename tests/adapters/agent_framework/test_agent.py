"""An agent of the Agent Framework remembers: what its model saw, which tools it had, what was logged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory
from tests.adapters.logged import messages_of, sessions_of

pytest.importorskip("agent_framework")

from agent_framework import Agent, AgentLoopMiddleware, AgentSession, FileSessionStore, Message

from tensemem.adapters.agent_framework import TensememProvider
from tests.adapters.agent_framework.fakes import ScriptedClient


def agent_of(mem: Any, client: ScriptedClient, **options: Any) -> Agent:
    return Agent(client=client, instructions="Be kind.", context_providers=[TensememProvider(mem, "u1", **options)])


async def talk(mem: Any, client: ScriptedClient, *said: Any, **options: Any) -> AgentSession:
    """Let an agent answer; each run has a session of its own, so that only the memory can know."""
    agent = agent_of(mem, client, **options)
    for text in said:
        session = agent.create_session()
        await agent.run(text, session=session)
        if isinstance(mem, Memory):
            mem.flush()
    return session


def test_the_story_of_a_relocation(mem: Memory, path: Path) -> None:
    correction = ("memory_correct", {"predicate": "lives_in", "value": "Mysore", "reason": "the user said so"})
    client = ScriptedClient("Noted.", "Noted.", "In Bangalore.", correction, "Mysore it is.", "In Mysore.")
    said = [
        "I live in Delhi", "I moved to Bangalore", "Where do I live?", "Not Bangalore: Mysore!", "So, where do I live?",
    ]  # fmt: skip
    asyncio.run(talk(mem, client, *said))
    first, second, third, fourth, _, last = client.instructions
    assert first == "Be kind."
    assert second.startswith("Be kind.\n<tensemem-")
    assert "- lives_in: Delhi (since" in second
    assert "- lives_in: Bangalore (since" in third
    assert "Delhi" not in third
    assert "Bangalore" in fourth
    assert client.prompts[4][-1][0] == "tool"
    assert client.prompts[4][-1][1].startswith("Corrected: Bangalore was never true.")
    assert "- lives_in: Mysore (since" in last
    assert "Bangalore" not in last
    assert client.prompts[-1] == [("user", "So, where do I live?")]
    logged = messages_of(path)
    assert [text for role, text in logged if role == "user"] == said
    assert [text for role, text in logged if role == "assistant"] == [
        "Noted.", "Noted.", "In Bangalore.", "Mysore it is.", "In Mysore.",
    ]  # fmt: skip
    assert [text.splitlines()[0] for role, text in logged if role == "tool"] == ["Corrected: Bangalore was never true."]
    assert len(set(sessions_of(path))) == 5
    assert [(fact.object, fact.status) for fact in mem.history("u1", "lives_in")] == [
        ("Delhi", "superseded"), ("Bangalore", "corrected"), ("Mysore", "active"),
    ]  # fmt: skip


def test_the_same_with_an_async_memory(path: Path) -> None:
    async def story() -> tuple[ScriptedClient, Any]:
        async with AsyncMemory(path, llm=FakeExtractor()) as mem:
            await mem.register_predicate("lives_in")
            lookup = ("memory_history", {"predicate": "lives_in"})
            client = ScriptedClient("Noted.", "Noted.", lookup, "Delhi, then Bangalore.")
            await talk(mem, client, "I live in Delhi", "I moved to Bangalore", "Where did I live?", wait=True)
            return client, await mem.get("u1", "lives_in")

    client, value = asyncio.run(story())
    assert "- lives_in: Bangalore (since" in client.instructions[2]
    assert "Delhi: superseded" in client.prompts[3][-1][1]
    assert value == "Bangalore"


def test_a_stream_is_logged_when_it_has_ended(mem: Memory, path: Path) -> None:
    async def run() -> None:
        agent = agent_of(mem, ScriptedClient("Noted."))
        async for _ in agent.run("I live in Delhi", stream=True):
            assert messages_of(path) == []

    asyncio.run(run())
    assert messages_of(path) == [("user", "I live in Delhi"), ("assistant", "Noted.")]


def test_the_model_is_told_when_the_memory_is_behind_and_the_session_too(mem: Memory) -> None:
    mem.set("u1", "diet", "vegan")
    mem.add("u1", "I live in Delhi")
    client = ScriptedClient("Hello.")
    session = asyncio.run(talk(mem, client, "Hello!"))
    assert "- diet: vegan" in client.instructions[0]
    assert "Memory is behind: 1 recent message is not learnt from yet." in client.instructions[0]
    state = session.state["tensemem"]
    assert state["freshness"] == {
        "is_current": False, "as_of_seq": 1, "pending": 1, "failed": 0, "reason": "no_extractor",
    }  # fmt: skip
    (fact_id,) = state["fact_ids"]
    assert mem.explain(fact_id).fact.object == "vegan"
    assert state["seq"] == 4


def test_the_tools_are_those_of_the_memory(mem: Memory) -> None:
    client = ScriptedClient("Hello.", "Hello.", "Hello.")
    asyncio.run(talk(mem, client, "Hello!"))
    assert client.tools == [
        "memory_context", "memory_search", "memory_get", "memory_history", "memory_why", "memory_set",
        "memory_correct", "memory_retract",
    ]  # fmt: skip
    asyncio.run(talk(mem, client, "Hello!", writable=False))
    assert client.tools == ["memory_context", "memory_search", "memory_get", "memory_history", "memory_why"]
    asyncio.run(talk(mem, client, "Hello!", tools=False))
    assert client.tools == []


def test_a_predicate_registered_meanwhile_is_among_the_tools_names(mem: Memory) -> None:
    setting = ("memory_set", {"predicate": "shoe_size", "value": "42"})
    client = ScriptedClient("Hello.", setting, "Done.")
    agent = agent_of(mem, client)

    async def two_runs() -> None:
        await agent.run("Hello!")
        mem.register_predicate("shoe_size", type="number")
        await agent.run("My shoes are 42")

    asyncio.run(two_runs())
    assert mem.get("u1", "shoe_size") == 42


@pytest.mark.filterwarnings("ignore:.SESSION_STORE. FileSessionStore is experimental")
def test_a_session_with_a_tools_answer_can_be_stored(mem: Memory, tmp_path: Path) -> None:
    async def stored() -> AgentSession | None:
        store = FileSessionStore(tmp_path / "sessions")
        session = await talk(mem, ScriptedClient(("memory_context", {}), "Nothing yet."), "What do you know?")
        await store.set(session.session_id, session)
        return await store.get(session.session_id)

    session = asyncio.run(stored())
    assert session is not None
    assert session.state["tensemem"]["seq"] == 3
    assert json.dumps(session.to_dict())


def test_a_run_that_fails_logs_nothing_and_once_it_succeeds_it_is_logged_once(mem: Memory, path: Path) -> None:
    agent = agent_of(mem, ScriptedClient(ConnectionError("no network"), "Noted."))
    session = agent.create_session()
    with pytest.raises(Exception, match="no network"):
        asyncio.run(agent.run("I live in Delhi", session=session))
    assert messages_of(path) == []
    asyncio.run(agent.run("I live in Delhi", session=session))
    assert messages_of(path) == [("user", "I live in Delhi"), ("assistant", "Noted.")]


@pytest.mark.parametrize("with_session", [True, False])
def test_an_application_that_sends_the_whole_history_is_not_counted_twice(
    mem: Memory, path: Path, with_session: bool
) -> None:
    agent = agent_of(mem, ScriptedClient("ok", "ok", "ok"))
    session = agent.create_session() if with_session else None
    history: list[Message] = []
    for _ in range(3):
        history.append(Message("user", ["ok"]))
        response = asyncio.run(agent.run(list(history), session=session))
        history += response.messages
    assert messages_of(path) == [("user", "ok"), ("assistant", "ok")] * 3


@pytest.mark.parametrize("only_final", [True, False])
@pytest.mark.filterwarnings("ignore:.HARNESS. AgentLoopMiddleware is experimental")
def test_a_loop_is_one_turn_and_its_nudges_are_not_the_users(mem: Memory, path: Path, only_final: bool) -> None:
    def nudge(**_: Any) -> Sequence[Message]:
        return [Message("user", ["I live in Rome"])]

    loop = AgentLoopMiddleware(
        should_continue=lambda *, iteration, **_: iteration < 3, next_message=nudge, return_final_only=only_final
    )
    client = ScriptedClient("one", "two", "three")
    agent = Agent(client=client, context_providers=[TensememProvider(mem, "u1")], middleware=[loop])
    asyncio.run(agent.run("I live in Delhi", session=agent.create_session()))
    mem.flush()
    assert len(client.prompts) == 3
    answers = ["three"] if only_final else ["one", "two", "three"]
    assert messages_of(path) == [("user", "I live in Delhi"), *(("assistant", answer) for answer in answers)]
    assert mem.get("u1", "lives_in") == "Delhi"


def test_two_providers_share_an_agent_where_one_has_no_tools(mem: Memory, path: Path) -> None:
    mem.set("u1", "lives_in", "Delhi")
    mem.set("u2", "lives_in", "Goa")
    guest = TensememProvider(mem, "u2", source_id="guest", tools=False, writable=False)
    client = ScriptedClient("Hello.")
    agent = Agent(client=client, context_providers=[TensememProvider(mem, "u1"), guest])
    session = agent.create_session()
    asyncio.run(agent.run("Hello!", session=session))
    assert "lives_in: Delhi" in client.instructions[0]
    assert "lives_in: Goa" in client.instructions[0]
    assert len(client.tools) == 8
    assert {"tensemem", "guest"} <= session.state.keys()
    assert messages_of(path, "u2") == []
