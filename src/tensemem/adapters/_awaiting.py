"""One scope of an open memory for frameworks that await: a Memory and an AsyncMemory alike, the loop never blocked."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..aio import AsyncMemory
from ..errors import InvalidValueError
from ..memory import Memory
from ..verbs.awaited import AsyncScopedMemory
from ..verbs.tools import Tools


class AwaitedScope:
    """The verbs of one scope, to be awaited. A plain memory works in a thread, an AsyncMemory as it always does."""

    def __init__(self, memory: Memory | AsyncMemory, user_id: str, agent_id: str, namespace: str | None) -> None:
        """Bind a memory to a scope. Raises InvalidValueError for what is no memory, InvalidScopeError."""
        if not isinstance(memory, (Memory, AsyncMemory)):
            raise InvalidValueError(f"give an open Memory or AsyncMemory, not {type(memory).__name__}")
        self._scoped: Any = memory.for_user(user_id, agent_id=agent_id, namespace=namespace)
        self._awaits = isinstance(self._scoped, AsyncScopedMemory)

    async def do(self, verb: str, /, *args: Any, **keywords: Any) -> Any:
        """Call a verb by name; gives and raises what the verb does."""
        call = getattr(self._scoped, verb)
        return await (call(*args, **keywords) if self._awaits else asyncio.to_thread(call, *args, **keywords))

    def tools(self, *, read_only: bool) -> Tools:
        """Give the memory's tools as functions, for frameworks that ask for them outside any coroutine."""
        if not self._awaits:
            return self._scoped.tools("callables", read_only=read_only)  # type: ignore[no-any-return]
        with ThreadPoolExecutor(1) as thread:  # this thread may be running a loop, in which nothing can be waited for
            made: Tools = thread.submit(asyncio.run, self._scoped.tools("callables", read_only=read_only)).result()
        return made
