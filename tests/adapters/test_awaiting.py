"""One scope for frameworks that await: either kind of memory, and never in the way of the loop."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory, errors
from tensemem.adapters._awaiting import AwaitedScope
from tensemem.adapters._extras import missing
from tensemem.adapters._metadata import fact_metadata, freshness_metadata


def test_a_plain_memory_works_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    with Memory(":memory:", worker=False) as mem:
        mem.register_predicate("diet")
        mem.set("u1", "diet", "vegan")
        get = mem.get

        def watched(*args: Any, **keywords: Any) -> Any:
            threads.append(threading.current_thread())
            return get(*args, **keywords)

        monkeypatch.setattr(mem, "get", watched)
        scope = AwaitedScope(mem, "u1", "", None)
        assert asyncio.run(scope.do("get", "diet")) == "vegan"
        assert [tool.__name__ for tool in scope.tools(read_only=True)][:1] == ["memory_context"]
    assert threads
    assert threading.current_thread() not in threads


def test_an_async_memory_gives_its_tools_within_a_running_loop(tmp_path: Path) -> None:
    async def ask() -> tuple[Any, list[str], str]:
        async with AsyncMemory(tmp_path / "memory.db", worker=False) as mem:
            await mem.register_predicate("diet")
            scope = AwaitedScope(mem, "u1", "", None)
            await scope.do("set", "diet", "vegan")
            tools = scope.tools(read_only=True)
            told = await tools[list(tools.names).index("memory_get")](predicate="diet")
            return await scope.do("get", "diet"), list(tools.names), told

    value, names, told = asyncio.run(ask())
    assert value == "vegan"
    assert "memory_set" not in names
    assert told.startswith("diet = vegan")


def test_what_a_verb_raises_is_raised() -> None:
    with Memory(":memory:", worker=False) as mem, pytest.raises(errors.UnknownPredicateError):
        asyncio.run(AwaitedScope(mem, "u1", "", None).do("get", "shoe_size"))


@pytest.mark.parametrize("memory", ["memory.db", None, object()])
def test_what_is_no_memory_is_refused(memory: Any) -> None:
    with pytest.raises(errors.InvalidValueError, match="give an open Memory or AsyncMemory"):
        AwaitedScope(memory, "u1", "", None)


def test_metadata_is_json_and_leaves_out_what_is_absent() -> None:
    with Memory(":memory:", worker=False) as mem:
        mem.register_predicate("allergies", type="json")
        mem.register_predicate("leaves", type="date")
        mem.record("u1", "allergies", {"nuts": True}, valid_from="2024-01-01", valid_to="2998-12-31")
        mem.set("u1", "leaves", "2024-05-06")
        state = mem.state("u1")
        first, second = (fact_metadata(fact) for fact in state.facts)
        assert first["value"] == {"nuts": True}
        assert (first["valid_from"], first["valid_to"]) == ("2024-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00")
        assert "contested" not in first
        assert second["value"] == "2024-05-06"
        assert freshness_metadata(state.freshness) == {"is_current": True, "as_of_seq": 2}
        mem.add("u1", "hello")
        behind = freshness_metadata(mem.state("u1").freshness)
        assert behind == {"is_current": False, "as_of_seq": 2, "pending": 1, "failed": 0, "reason": "no_extractor"}


def test_a_missing_framework_is_told_with_its_extra() -> None:
    error = missing("strands", ImportError("No module named 'strands'", name="strands"))
    told = "install the extra `strands`: pip install '.[strands]' in a clone of the repository"
    assert str(error) == f"No module named 'strands'. This adapter needs it: {told}"
    assert error.name == "strands"
