"""An agent of Strands remembers: what its model saw, which tools it had, what was logged."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory
from tests.adapters.logged import messages_of

pytest.importorskip("strands")

from strands import Agent
from strands.memory import MemoryManager

from tensemem.adapters.strands import TensememStore
from tests.adapters.strands.fakes import ScriptedModel


def agent_of(store: Any, model: ScriptedModel) -> Agent:
    return Agent(model=model, memory_manager=MemoryManager(stores=[store]), callback_handler=None)


def test_the_story_of_a_relocation(mem: Memory, path: Path) -> None:
    correction = ("memory_correct", {"predicate": "lives_in", "value": "Mysore", "reason": "the user said so"})
    model = ScriptedModel("Noted.", "Noted.", "In Bangalore.", correction, "Mysore it is.", "In Mysore.")
    agent = agent_of(TensememStore(mem, "u1"), model)
    said = [
        "I live in Delhi", "I moved to Bangalore", "Where do I live?", "Not Bangalore: Mysore!", "So, where do I live?",
    ]  # fmt: skip
    for text in said:
        agent(text)
        mem.flush()
    first, second, third, fourth, told, last = model.prompts
    assert first == "I live in Delhi"
    assert "lives_in: Delhi (since" in second
    assert "lives_in: Bangalore (since" in third
    assert "Delhi" not in third
    assert "lives_in: Bangalore" in fourth
    assert "Corrected: Bangalore was never true." in told
    assert "lives_in: Mysore (since" in last
    assert "Bangalore" not in last
    answers = ["Noted.", "Noted.", "In Bangalore.", "Mysore it is.", "In Mysore."]
    turns = zip(said, answers, strict=True)
    assert messages_of(path) == [each for said, answer in turns for each in (("user", said), ("assistant", answer))]
    assert [(fact.object, fact.status) for fact in mem.history("u1", "lives_in")] == [
        ("Delhi", "superseded"), ("Bangalore", "corrected"), ("Mysore", "active"),
    ]  # fmt: skip


def test_the_same_with_an_async_memory_and_an_async_agent(path: Path) -> None:
    async def story() -> tuple[list[str], Any]:
        async with AsyncMemory(path, llm=FakeExtractor()) as mem:
            await mem.register_predicate("lives_in")
            lookup = ("memory_history", {"predicate": "lives_in"})
            model = ScriptedModel("Noted.", "Noted.", lookup, "Delhi, then Bangalore.")
            manager = MemoryManager(stores=[TensememStore(mem, "u1", wait=True)])
            agent = Agent(model=model, memory_manager=manager, callback_handler=None)
            for text in ("I live in Delhi", "I moved to Bangalore", "Where did I live?"):
                await agent.invoke_async(text)
                await manager.flush()
            return model.prompts, await mem.get("u1", "lives_in")

    prompts, value = asyncio.run(story())
    assert "lives_in: Bangalore (since" in prompts[2]
    assert "Delhi: superseded" in prompts[3]
    assert value == "Bangalore"
    assert len(messages_of(path)) == 6


def test_the_model_is_told_when_the_memory_is_behind(mem: Memory) -> None:
    mem.set("u1", "diet", "vegan")
    mem.add("u1", "I live in Delhi")
    model = ScriptedModel("Hello.")
    agent_of(TensememStore(mem, "u1"), model)("Hello!")
    assert "diet: vegan" in model.prompts[0]
    assert "Memory is behind: 1 recent message is not learnt from yet." in model.prompts[0]


def test_the_tools_are_those_of_the_memory(mem: Memory) -> None:
    model = ScriptedModel("Hello.", "Hello.")
    agent_of(TensememStore(mem, "u1"), model)("Hello!")
    assert model.tools == [
        "search_memory", "memory_context", "memory_search", "memory_get", "memory_history", "memory_why", "memory_set",
        "memory_correct", "memory_retract",
    ]  # fmt: skip
    agent_of(TensememStore(mem, "u1", writable=False), model)("Hello!")
    assert model.tools == [
        "search_memory", "memory_context", "memory_search", "memory_get", "memory_history", "memory_why",
    ]  # fmt: skip


def test_the_search_tool_of_strands_gives_ids_that_explain(mem: Memory) -> None:
    mem.add("u1", "I live in Delhi")
    mem.flush()
    model = ScriptedModel(("search_memory", {"query": "where does the user live"}), "In Delhi.")
    agent_of(TensememStore(mem, "u1"), model)("Where do I live?")
    fact = mem.state("u1").fact("lives_in")
    assert fact is not None
    assert fact.id in model.prompts[1]
    assert "I live in Delhi" in str(mem.explain(fact.id))


class Flaky(TensememStore):
    """Logs the first batch, and fails after that, as when the answer of a store is lost."""

    failed = False

    async def add_messages(self, messages: Any, context: Any = None) -> Any:
        receipt = await super().add_messages(messages, context)
        if not self.failed:
            self.failed = True
            raise ConnectionError("the answer was lost")
        return receipt


def test_a_batch_that_is_tried_again_is_logged_once(mem: Memory, path: Path) -> None:
    agent = agent_of(Flaky(mem, "u1"), ScriptedModel("ok", "ok", "ok"))
    for _ in range(3):
        agent("ok")
    assert messages_of(path) == [("user", "ok"), ("assistant", "ok")] * 3


def test_the_next_agents_messages_are_not_those_of_the_one_before(mem: Memory, path: Path) -> None:
    store = TensememStore(mem, "u1")
    for _ in range(2):
        agent_of(store, ScriptedModel("ok"))("ok")
    assert messages_of(path) == [("user", "ok"), ("assistant", "ok")] * 2


def test_what_was_injected_is_not_learnt_from_again(mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    model = ScriptedModel("Hello.", "Hello.")
    agent = agent_of(TensememStore(mem, "u1"), model)
    agent("Hello!")
    injected = next(line for line in model.prompts[0].splitlines() if "Delhi" in line)
    mem.set("u1", "lives_in", "Goa")
    agent(injected.removeprefix('<entry source="tensemem">').removesuffix("</entry>"))
    mem.flush()
    assert mem.get("u1", "lives_in") == "Goa"


def test_a_store_that_may_not_be_written_logs_nothing(mem: Memory, path: Path) -> None:
    agent_of(TensememStore(mem, "u1", writable=False), ScriptedModel("ok"))("I live in Delhi")
    assert messages_of(path) == []
