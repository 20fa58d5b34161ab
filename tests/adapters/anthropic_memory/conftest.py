from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tensemem import Memory


class Clock:
    """A clock that a test sets; each reading is a second later."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def mem(clock: Clock) -> Iterator[Memory]:
    with Memory(":memory:", llm=False, clock=clock) as made:
        made.register_predicate("lives_in", description="the city somebody lives in")
        made.register_predicate("languages", "many", aliases=["speaks"])
        made.register_predicate("age", type="number")
        made.register_predicate("diet", choices=["vegan", "omnivore"])
        made.register_predicate("profile", type="json")
        yield made


@pytest.fixture
def tool(mem: Memory) -> Any:
    pytest.importorskip("anthropic")
    from tensemem.adapters.anthropic import MemoryTool

    return MemoryTool(mem, "u1")


@pytest.fixture
def ask(tool: Any) -> Callable[..., str]:
    """Do a command; what is refused is given as text with "Error: " before it."""
    return lambda command, **fields: asked(tool, command, **fields)


def asked(tool: Any, command: str, **fields: Any) -> str:
    from anthropic.lib.tools import ToolError

    try:
        return str(tool.call({"command": command, **fields}))
    except ToolError as error:
        return f"Error: {error}"
