"""Anthropic's memory tool over a state memory: Claude edits files, and the edits become typed operations.

    client.beta.messages.tool_runner(..., tools=[MemoryTool(mem, "u1")])

`AsyncMemoryTool` is the one for an async client. See `docs/how-to/use-with-anthropic-memory.md`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from functools import partial
from typing import Any

from ..aio import AsyncMemory
from ..errors import ClosedError, StoreError, TensememError
from ..memory import Memory
from ._extras import missing
from ._memory_files import MemoryFiles

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
except ImportError as error:
    raise missing("anthropic", error) from error

__all__ = ["AsyncMemoryTool", "MemoryTool"]

MAX_SIZE = 65_536
"""Characters that a file may have, by default."""
FIELDS: dict[str, dict[str, type]] = {
    "view": {"path": str},
    "create": {"path": str, "file_text": str},
    "str_replace": {"path": str, "old_str": str, "new_str": str},
    "insert": {"path": str, "insert_line": int, "insert_text": str},
    "delete": {"path": str},
    "rename": {"old_path": str, "new_path": str},
}
"""What each command must be given. The SDK hands over whatever the model wrote."""
_NOT_THE_MODELS = (StoreError, ClosedError)


class MemoryTool(BetaAbstractMemoryTool):
    """The memory tool over one scope of an open ``Memory``.

    ``max_size``: characters that a file may have. ``cache_control``: as the SDK takes it. Registers the predicate
    ``note_file``, which notes are kept under. What the model did wrong is a ToolError, which the SDK tells it; raises
    StoreError and ClosedError, which it can do nothing about.
    """

    def __init__(
        self, memory: Memory, user_id: str, *, agent_id: str = "", namespace: str | None = None,
        max_size: int = MAX_SIZE, cache_control: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(cache_control=cache_control)
        self._files = MemoryFiles(memory, user_id, agent_id, namespace, max_size)

    def view(self, command: Any) -> str:
        """Show a file or a folder."""
        return _run(_step(self._files, command))

    def create(self, command: Any) -> str:
        """Make a note, or the state file of somebody not known yet."""
        return _run(_step(self._files, command))

    def str_replace(self, command: Any) -> str:
        """Replace text in a file."""
        return _run(_step(self._files, command))

    def insert(self, command: Any) -> str:
        """Put lines into a file."""
        return _run(_step(self._files, command))

    def delete(self, command: Any) -> str:
        """Say that what a file holds no longer holds."""
        return _run(_step(self._files, command))

    def rename(self, command: Any) -> str:
        """Give a note another name."""
        return _run(_step(self._files, command))

    def clear_all_memory(self) -> str:
        """Say that nothing of what is known holds any more. The log keeps it: this forgets nobody."""
        return _run(self._files.clear)


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The memory tool for an async client, over an ``AsyncMemory``, or over a ``Memory`` worked in threads."""

    def __init__(
        self, memory: AsyncMemory | Memory, user_id: str, *, agent_id: str = "", namespace: str | None = None,
        max_size: int = MAX_SIZE, cache_control: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(cache_control=cache_control)
        self._files = MemoryFiles(memory, user_id, agent_id, namespace, max_size)
        self._is_awaited = isinstance(memory, AsyncMemory)

    async def view(self, command: Any) -> str:
        """Show a file or a folder."""
        return await self._done(_step(self._files, command))

    async def create(self, command: Any) -> str:
        """Make a note, or the state file of somebody not known yet."""
        return await self._done(_step(self._files, command))

    async def str_replace(self, command: Any) -> str:
        """Replace text in a file."""
        return await self._done(_step(self._files, command))

    async def insert(self, command: Any) -> str:
        """Put lines into a file."""
        return await self._done(_step(self._files, command))

    async def delete(self, command: Any) -> str:
        """Say that what a file holds no longer holds."""
        return await self._done(_step(self._files, command))

    async def rename(self, command: Any) -> str:
        """Give a note another name."""
        return await self._done(_step(self._files, command))

    async def clear_all_memory(self) -> str:
        """Say that nothing of what is known holds any more. The log keeps it: this forgets nobody."""
        return await self._done(self._files.clear)

    async def _done(self, begin: Callable[[], Generator[Any, Any, str]]) -> str:
        return await (_awaited(begin) if self._is_awaited else asyncio.to_thread(_run, begin))


def _step(files: MemoryFiles, command: Any) -> Callable[[], Generator[Any, Any, str]]:
    """Give what does a command, with what the model wrote checked: the SDK does not check it."""
    name = command.command
    given = {field: getattr(command, field, None) for field in FIELDS[name]}
    for field, kind in FIELDS[name].items():
        if not isinstance(given[field], kind) or isinstance(given[field], bool):
            raise ToolError(f"{name} needs {field}: {'a number' if kind is int else 'text'}")
    if name == "view":
        lines = getattr(command, "view_range", None)
        if lines is not None and not (isinstance(lines, list) and all(type(each) is int for each in lines)):
            raise ToolError("view_range is a list of two line numbers")
        given["view_range"] = lines
    return partial(getattr(files, name), **given)


def _run(begin: Callable[[], Generator[Any, Any, str]]) -> str:
    try:
        step = begin()
        answer: Any = None
        while True:
            answer = step.send(answer)
    except StopIteration as done:
        told: str = done.value
        return told
    except _NOT_THE_MODELS:
        raise
    except TensememError as error:
        raise ToolError(str(error)) from error


async def _awaited(begin: Callable[[], Generator[Any, Any, str]]) -> str:
    try:
        step, asked = begin(), None
        while True:
            asked, told = _next(step, None if asked is None else await asked)
            if asked is None:
                return told
    except _NOT_THE_MODELS:
        raise
    except TensememError as error:
        raise ToolError(str(error)) from error


def _next(step: Generator[Any, Any, str], answer: Any) -> tuple[Any, str]:
    """Go one step: what is to be awaited, or else None and what was told at the end."""
    try:
        return step.send(answer), ""
    except StopIteration as done:
        return None, done.value
