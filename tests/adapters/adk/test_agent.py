"""An ADK agent over the memory: what its model saw in the prompt, which tools it had, and what was logged."""

from __future__ import annotations

import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory
from tests.adapters.adk.conftest import registered

pytest.importorskip("google.adk")

from google.adk.agents import LlmAgent
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types

from tensemem.adapters.adk import TensememMemoryService, TensememToolset
from tests.adapters.adk.fakes import FakeLlm

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "integrations"
TOOLS = [
    "memory_context", "memory_search", "memory_get", "memory_history", "memory_why", "memory_set", "memory_correct",
    "memory_retract",
]  # fmt: skip


async def remember(callback_context: Any) -> None:
    await callback_context.add_session_to_memory()


async def run(memory: Any, text: str, *answers: Any, user_id: str = "ada") -> FakeLlm:
    """Have one run in a new session; give the model, with what it was asked."""
    model, sessions = FakeLlm(answers=list(answers)), InMemorySessionService()
    agent = LlmAgent(
        name="helper", model=model, tools=[PreloadMemoryTool(), TensememToolset(memory)], after_agent_callback=remember
    )
    runner = Runner(app_name="app", agent=agent, session_service=sessions, memory_service=TensememMemoryService(memory))
    session = await sessions.create_session(app_name="app", user_id=user_id)
    message = types.Content(role="user", parts=[types.Part(text=text)])
    async for _ in runner.run_async(user_id=user_id, session_id=session.id, new_message=message):
        pass
    return model


def test_a_relocation_from_the_first_word_to_the_correction(mem: Memory) -> None:
    bound = mem.for_user("ada", agent_id="app")
    first = asyncio.run(run(mem, "I live in Delhi", "Noted."))
    assert "lives_in" not in first.prompt()
    assert sorted(first.asked[0].tools_dict) == sorted(TOOLS)
    mem.flush()
    moved = asyncio.run(run(mem, "I moved to Bangalore", "Noted."))
    assert "memory: lives_in: Delhi (since " in moved.prompt()
    mem.flush()

    asked = asyncio.run(
        run(
            mem, "Where do I live, and why do you think so?", ("memory_history", {"predicate": "lives_in"}),
            ("memory_why", {"predicate": "lives_in"}), ("memory_set", {"predicate": "lives_in", "value": ""}),
            "Bangalore.",
        )
    )  # fmt: skip
    assert "memory: lives_in: Bangalore (since " in asked.prompt(0)
    assert "memory: lives_in: Delhi" not in asked.prompt(0)
    history, why, refused = asked.answered()
    assert history.startswith("Delhi: superseded")
    assert "I moved to Bangalore" in why
    assert refused.startswith("Error: ")

    corrected = asyncio.run(
        run(mem, "No, I only visited", ("memory_correct", {"predicate": "lives_in", "reason": "a visit"}), "Sorry.")
    )
    assert corrected.answered()[0].startswith("Corrected: Bangalore was never true.")
    shown = asyncio.run(run(mem, "And now?", "Delhi."))
    assert "memory: lives_in: Delhi (since " in shown.prompt()
    assert bound.state().values == {"lives_in": "Delhi"}
    assert asyncio.run(run(mem, "Hello", "Hello.", user_id="bob")).prompt() == "Hello"


def test_both_sides_are_logged_once_with_their_roles(mem: Memory) -> None:
    asyncio.run(run(mem, "I live in Delhi", ("memory_get", {"predicate": "lives_in"}), "Delhi, noted."))
    bound = mem.for_user("ada", agent_id="app")
    hits = {hit.text: hit.role for hit in bound.search("Delhi") if hit.fact is None}
    assert hits == {"I live in Delhi": "user", "Delhi, noted.": "assistant"}
    assert bound.state().freshness.latest_seq == 2


def test_an_async_memory_gives_awaited_tools() -> None:
    async def story() -> tuple[FakeLlm, dict[str, Any]]:
        async with AsyncMemory(":memory:", llm=FakeExtractor(), worker=False) as memory:
            await registered(memory)
            model = await run(memory, "Hello", ("memory_set", {"predicate": "lives_in", "value": "Goa"}), "Noted.")
            state = await memory.for_user("ada", agent_id="app").state()
            return model, state.values

    model, values = asyncio.run(story())
    assert "lives_in: Goa holds" in model.answered()[0]
    assert values == {"lives_in": "Goa"}


def test_tools_that_only_read(mem: Memory) -> None:
    class Context:
        class session:  # noqa: N801
            user_id, app_name = "ada", "app"

    toolset = TensememToolset(mem, read_only=True, tool_filter=["memory_get", "memory_set"])
    assert [tool.name for tool in asyncio.run(toolset.get_tools(Context()))] == ["memory_get"]
    assert asyncio.run(toolset.get_tools()) == []


def test_the_example_runs(capsys) -> None:
    runpy.run_path(str(EXAMPLES / "adk.py"), run_name="__main__")
    told = capsys.readouterr().out
    assert "Where do I live? -> memory: lives_in: Bangalore\n" in told
    assert "corrected: {'lives_in': 'Delhi'}" in told
