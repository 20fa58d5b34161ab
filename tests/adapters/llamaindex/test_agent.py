"""An agent of LlamaIndex remembers: what its model saw, which tools it had, what was logged."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory
from tests.adapters.logged import messages_of, sessions_of

pytest.importorskip("llama_index.core")

from llama_index.core.agent.workflow import FunctionAgent

from tensemem.adapters.llamaindex import TensememBlock, TensememMemory
from tests.adapters.llamaindex.fakes import Script, known

pytestmark = [
    pytest.mark.filterwarnings("ignore:The `__fields:pydantic.warnings.PydanticDeprecatedSince20"),
    pytest.mark.filterwarnings("ignore:Accessing the 'model_:pydantic.warnings.PydanticDeprecatedSince211"),
]


async def talk(mem: Any, script: Script, *said: str, flush: bool = True, **options: Any) -> None:
    """Let an agent answer; each run has a conversation of its own, so that only the memory can know."""
    block = TensememBlock(mem, "u1", **options)
    agent = FunctionAgent(tools=block.tools(), llm=script.model())
    for number, text in enumerate(said):
        memory = TensememMemory.from_defaults(session_id=f"s{number}", memory_blocks=[block])
        await agent.run(text, memory=memory)
        await memory.sql_store._async_engine.dispose()
        if flush and isinstance(mem, Memory):
            mem.flush()


def test_the_story_of_a_relocation(mem: Memory, path: Path) -> None:
    correction = ("memory_correct", {"predicate": "lives_in", "value": "Mysore", "reason": "the user said so"})
    script = Script("Noted.", "Noted.", "In Bangalore.", correction, "Mysore it is.", "In Mysore.")
    said = [
        "I live in Delhi", "I moved to Bangalore", "Where do I live?", "Not Bangalore: Mysore!", "So, where do I live?",
    ]  # fmt: skip
    asyncio.run(talk(mem, script, *said))
    first, second, third, fourth, told, last = script.prompts
    assert first == [("user", "I live in Delhi")]
    assert "- lives_in: Delhi (since" in known(second)
    assert "- lives_in: Bangalore (since" in known(third)
    assert "Delhi" not in known(third)
    assert "Bangalore" in known(fourth)
    assert told[-1][1].startswith("Corrected: Bangalore was never true.")
    assert "- lives_in: Mysore (since" in known(last)
    assert "Bangalore" not in known(last)
    logged = messages_of(path)
    assert [text for role, text in logged if role == "user"] == said
    assert [text for role, text in logged if role == "assistant"] == [
        "Noted.", "Noted.", "In Bangalore.", "Mysore it is.", "In Mysore.",
    ]  # fmt: skip
    assert [text.splitlines()[0] for role, text in logged if role == "tool"] == ["Corrected: Bangalore was never true."]
    assert list(dict.fromkeys(sessions_of(path))) == ["s0", "s1", "s2", "s3", "s4"]
    assert [(fact.object, fact.status) for fact in mem.history("u1", "lives_in")] == [
        ("Delhi", "superseded"), ("Bangalore", "corrected"), ("Mysore", "active"),
    ]  # fmt: skip


def test_the_same_with_an_async_memory(path: Path) -> None:
    async def story() -> tuple[Script, Any]:
        async with AsyncMemory(path, llm=FakeExtractor()) as mem:
            await mem.register_predicate("lives_in")
            script = Script("Noted.", "Noted.", ("memory_history", {"predicate": "lives_in"}), "Delhi, then Bangalore.")
            await talk(mem, script, "I live in Delhi", "I moved to Bangalore", "Where did I live?", wait=True)
            return script, await mem.get("u1", "lives_in")

    script, value = asyncio.run(story())
    assert "- lives_in: Bangalore (since" in known(script.prompts[2])
    assert "Delhi: superseded" in script.prompts[3][-1][1]
    assert value == "Bangalore"


def test_the_message_being_answered_makes_nothing_stale_and_the_one_before_does(mem: Memory) -> None:
    script = Script("Noted.", "Hello.")
    asyncio.run(talk(mem, script, "I live in Delhi", "Hello!", flush=False))
    assert known(script.prompts[0]) == ""
    assert "Memory is behind: 2 recent messages are not learnt from yet." in known(script.prompts[1])


def test_the_tools_are_those_of_the_memory(mem: Memory) -> None:
    script = Script("Hello.")
    asyncio.run(talk(mem, script, "Hello!"))
    assert script.tools == [
        "memory_context", "memory_search", "memory_get", "memory_history", "memory_why", "memory_set",
        "memory_correct", "memory_retract",
    ]  # fmt: skip
    names = [tool.metadata.name for tool in TensememBlock(mem, "u1").tools(read_only=True)]
    assert names == ["memory_context", "memory_search", "memory_get", "memory_history", "memory_why"]
