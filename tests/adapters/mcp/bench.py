"""Ways to a server: within the process, over standard input and output, over HTTP; one client for all of them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client, StdioServerParameters

from tensemem import AsyncMemory, FakeExtractor, Memory
from tensemem.access import Access
from tensemem.adapters.mcp.http import HttpServer, app
from tensemem.adapters.mcp.reach import Pin
from tensemem.adapters.mcp.server import MemoryServer

T = TypeVar("T")

ADA = Pin("ada")
NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
SOURCE = Path(__file__).resolve().parents[3] / "src"
LIMIT = 60
PACE = 0.02
"""Seconds between two looks at what no value tells of."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Do what is to be awaited, within a minute."""
    return asyncio.run(asyncio.wait_for(work, LIMIT))


def made(path: Path) -> Path:
    """Make a memory with attributes of several kinds, in which nothing is said yet."""
    with Memory(path, clock=lambda: NOON) as mem:
        mem.register_predicate("lives_in", description="the city somebody lives in", aliases=("city",))
        mem.register_predicate("languages", "many")
        mem.register_predicate("age", type="number")
        mem.register_predicate("diet", choices=("vegan", "vegetarian", "none"))
        mem.register_predicate("born_on", type="date")
    return path


@asynccontextmanager
async def opened(path: Path | str, **options: Any) -> AsyncIterator[AsyncMemory]:
    """Open a memory on a day in June; without a worker, messages wait until somebody calls ``flush``."""
    given = {"llm": FakeExtractor(), "worker": False, "clock": lambda: NOON, **options}
    async with AsyncMemory(path, **given) as memory:
        yield memory


@asynccontextmanager
async def within(path: Path, pin: Pin = ADA, *, mode: str = "auto", **options: Any) -> AsyncIterator[Client]:
    """Give a client of a server in this process."""
    prefix = options.pop("prefix", "memory_")
    async with opened(path, **options) as memory:
        service = MemoryServer(memory, pin, prefix=prefix, pace=PACE)
        async with Client(service.server, mode=mode) as client:
            yield client


@asynccontextmanager
async def serving(path: Path, pin: Pin = ADA, **options: Any) -> AsyncIterator[tuple[str, Access]]:
    """Serve a memory on a free port of this machine; gives its address and its keys."""
    ready = asyncio.get_running_loop().create_future()
    async with opened(path, **options.pop("memory", {})) as memory:
        with Access.open(path.with_name("keys")) as access:
            service = MemoryServer(memory, pin, pace=PACE)
            served = app(service, access=access, **options)
            server = HttpServer(service, served, host="127.0.0.1", port=0, ready=ready.set_result)
            task = asyncio.create_task(server.serve())
            try:
                yield await asyncio.wait_for(ready, 30), access
            finally:
                server.should_exit = True
                await asyncio.wait_for(task, 30)


def started(path: Path, *options: str) -> StdioServerParameters:
    """Say how a client starts the server on a file; warnings are errors in it, too."""
    arguments = ["-W", "error", "-m", "tensemem", "--db", str(path), "mcp", *(options or ("--user=ada",))]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment())


def environment() -> dict[str, str]:
    """Give the environment of a server: this source, and no words about memories."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TENSEMEM")}
    return kept | {"PYTHONPATH": str(SOURCE)}


def piped(path: Path, *options: str, mode: str = "auto") -> AbstractAsyncContextManager[Client]:
    """Give a client that starts a server of its own."""
    return Client(started(path, *options), mode=mode)


def text_of(result: Any) -> str:
    """Give the words of a tool's answer."""
    (part,) = result.content
    words: str = part.text
    return words
