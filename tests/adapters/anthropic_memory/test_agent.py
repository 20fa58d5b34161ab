"""Claude's loop as the SDK runs it, over the memory tool: what the model is told, and what comes of its edits."""

from __future__ import annotations

import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FactStatus, Memory
from tests.adapters.anthropic_memory.scripted import results, says, wants
from tests.verbs.scripted_server import Script, scripted_server

pytest.importorskip("anthropic")

import anthropic

from tensemem.adapters.anthropic import AsyncMemoryTool, MemoryTool

STATE = "/memories/user/state.md"
EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "integrations"


def run(tool: Any, text: str, *answers: dict[str, Any]) -> Script:
    """Have one run of an agent; give what its model was asked."""
    with (
        scripted_server(*answers) as server,
        anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0) as client,
    ):
        client.beta.messages.tool_runner(
            model="m", max_tokens=1024, tools=[tool], messages=[{"role": "user", "content": text}]
        ).until_done()
        return server


def test_a_relocation_from_the_first_word_to_the_correction(mem: Memory, clock) -> None:
    tool = MemoryTool(mem, "u1")
    made = run(
        tool, "I live in Delhi", wants("view", path="/memories"),
        wants("create", path=STATE, file_text="lives_in: Delhi\n"), says("Noted."),
    )  # fmt: skip
    assert made.asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    assert results(made.asked)[1] == (f"File created successfully at: {STATE}\nlives_in: Delhi now holds.", False)

    clock.now = clock.now.replace(month=3)
    moved = run(
        tool, "I moved to Bangalore", wants("view", path=STATE),
        wants("str_replace", path=STATE, old_str="Dehli", new_str="Bangalore"),
        wants("str_replace", path=STATE, old_str="Delhi", new_str="Bangalore"), says("Noted."),
    )  # fmt: skip
    told = results(moved.asked)
    assert told[0] == (f"Here's the content of {STATE} with line numbers:\n     1\tlives_in: Delhi\n     2\t", False)
    assert told[1] == (f"No replacement was performed, old_str `Dehli` did not appear verbatim in {STATE}.", True)
    assert told[2][1] is False

    asked = run(
        tool, "Where do I live, and where before?", wants("view", path=STATE),
        wants("view", path="/memories/user/history/lives_in.md"), says("Bangalore; before that Delhi."),
    )  # fmt: skip
    state, history = (text for text, _ in results(asked.asked))
    assert "lives_in: Bangalore" in state
    assert "- Delhi (superseded from 2026-01-05 until 2026-03-05; said 2026-01-05 by agent)" in history

    fact = mem.state("u1").fact("lives_in")
    assert fact is not None
    mem.correct(fact.id, "Mysore", reason="misheard")
    shown = run(tool, "And now?", wants("view", path=STATE), says("Mysore."))
    assert "lives_in: Mysore" in results(shown.asked)[0][0]
    statuses = {each.value: each.status for each in mem.history("u1", "lives_in")}
    assert statuses == {
        "Delhi": FactStatus.SUPERSEDED, "Bangalore": FactStatus.CORRECTED, "Mysore": FactStatus.ACTIVE,
    }  # fmt: skip


def test_a_call_run_again_writes_nothing_twice(mem: Memory) -> None:
    tool = MemoryTool(mem, "u1")
    twice = [wants("create", path=STATE, file_text="lives_in: Delhi\n") for _ in range(2)]
    seen = run(tool, "I live in Delhi", *twice, says("Noted."))
    assert [is_error for _, is_error in results(seen.asked)] == [False, True]
    assert len(mem.history("u1", "lives_in").facts[0].evidence) == 1


def test_an_unknown_command_is_the_models_error(mem: Memory) -> None:
    seen = run(MemoryTool(mem, "u1"), "hello", wants("chmod", path=STATE), says("Oh."))
    assert results(seen.asked)[0][1] is True


def test_scopes_are_apart(mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    seen = run(MemoryTool(mem, "u2"), "hello", wants("view", path=STATE), says("Hello."))
    assert results(seen.asked) == [(f"The path {STATE} does not exist. Please provide a valid path.", True)]


def test_the_async_tool_does_the_same_over_either_memory(mem: Memory) -> None:
    async def story(memory: Any, server: Script) -> list[tuple[str, bool]]:
        tool = AsyncMemoryTool(memory, "u1", cache_control={"type": "ephemeral"})
        assert tool.to_dict()["cache_control"] == {"type": "ephemeral"}
        async with anthropic.AsyncAnthropic(api_key="none", base_url=server.url, max_retries=0) as client:
            await client.beta.messages.tool_runner(
                model="m", max_tokens=1024, tools=[tool], messages=[{"role": "user", "content": "I live in Delhi"}]
            ).until_done()
        said = results(server.asked)
        return [*said, (await tool.clear_all_memory(), False)]

    async def over_async(server: Script) -> list[tuple[str, bool]]:
        async with AsyncMemory(":memory:", llm=False) as memory:
            await memory.register_predicate("lives_in")
            return await story(memory, server)

    note = "/memories/notes/a.md"
    answers = [
        wants("create", path=STATE, file_text="lives_in: Delhi\n"), wants("create", path=note, file_text="x"),
        wants("insert", path=note, insert_line=1, insert_text="y"),
        wants("str_replace", path=note, old_str="y", new_str="z"),
        wants("rename", old_path=note, new_path="/memories/notes/b.md"), wants("view", path="/memories/notes/b.md"),
        wants("delete", path="/memories/notes/b.md"), wants("delete", path="/memories/notes/b.md"), says("Noted."),
    ]  # fmt: skip
    with scripted_server(*answers) as server:
        first = asyncio.run(over_async(server))
    with scripted_server(*answers) as server:
        second = asyncio.run(story(mem, server))
    assert first == second
    assert [is_error for _, is_error in first] == [False] * 7 + [True, False]
    assert first[5][0].endswith("     1\tx\n     2\tz\n     3\t")
    assert mem.get("u1", "lives_in") is None


def test_errors_of_the_store_are_not_the_models(mem: Memory) -> None:
    from tensemem.errors import ClosedError

    tool = MemoryTool(mem, "u1")
    mem.close()
    with pytest.raises(ClosedError):
        tool.call({"command": "view", "path": "/memories"})


def test_the_example_runs(capsys) -> None:
    runpy.run_path(str(EXAMPLES / "anthropic_memory.py"), run_name="__main__")
    told = capsys.readouterr().out
    assert "lives_in: Delhi no longer holds.\nlives_in: Bangalore now holds." in told
    assert "corrected: {'lives_in': 'Delhi'}" in told
