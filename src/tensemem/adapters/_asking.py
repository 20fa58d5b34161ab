"""One way to ask a memory from a coroutine, whichever kind it is."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any


async def ask(memory: Any, verb: str, *args: Any, **keywords: Any) -> Any:
    """Do a verb of an AsyncMemory, or of a Memory in a thread, so that the event loop is never blocked."""
    method = getattr(memory, verb)
    if inspect.iscoroutinefunction(method):
        return await method(*args, **keywords)
    return await asyncio.to_thread(method, *args, **keywords)


async def chosen(name: Any, run: Any) -> Any:
    """Give a name: as it is, or what a function (plain or async) says for this run."""
    if not callable(name):
        return name
    found = name(run)
    return await found if inspect.isawaitable(found) else found
