"""AsyncMemory: the same verbs, awaited; the event loop is never blocked.

Work on the store runs in a small pool of threads, a whole transaction at a time; models are awaited, and so are
pauses. The verbs are those of Memory: only what finishes a flow differs. The types a checker sees stand in aio.pyi.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from .engine.flow import Flow, arun, once
from .engine.record import store_batch
from .memory import Memory
from .model.operation import Message
from .model.results import AddResult
from .verbs.scoped import ScopedMemory, bind_verbs

T = TypeVar("T")

THREADS = 8
"""Threads that work on the store for one AsyncMemory."""


class AsyncMemory(Memory):
    """Memory for asyncio: every verb of Memory, to be awaited; the same arguments, results and errors."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._executor = ThreadPoolExecutor(THREADS, thread_name_prefix="tensemem-async")
        self._is_opening = True
        try:
            super().__init__(*args, **options)
        except BaseException:
            self._executor.shutdown(wait=False)
            raise
        self._is_opening = False

    def _run(self, flow: Flow[T]) -> Any:
        if self._is_opening:
            return super()._run(flow)
        return arun(flow, self._executor)

    def for_user(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> Any:
        """Give the same verbs bound to one scope."""
        scope = self._scope(user_id, agent_id, namespace)
        return AsyncScopedMemory(self, scope.user_id, scope.agent_id, scope.namespace)

    async def add_many(  # type: ignore[override]
        self, messages: Iterable[Message] | AsyncIterable[Message], *, batch: int = 1000, namespace: str | None = None
    ) -> AsyncIterator[AddResult]:
        """Log messages of any users as they come; see Memory.add_many."""
        where = self._namespace(namespace)
        async for some in _batches(messages, batch):
            work = partial(store_batch, self._engine, some, where)
            for result in await arun(once(work), self._executor):
                yield result

    async def close(self, *, timeout: float = 5.0) -> None:  # type: ignore[override]
        """Stop the worker and close the file; see Memory.close."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, lambda: Memory.close(self, timeout=timeout))
        self._executor.shutdown(wait=False)

    def __enter__(self) -> Self:
        raise TypeError("use 'async with AsyncMemory(...)'")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncScopedMemory(ScopedMemory):
    """The verbs of an AsyncMemory bound to one scope, to be awaited."""


async def _batches(
    messages: Iterable[Message] | AsyncIterable[Message], size: int
) -> AsyncIterator[list[Message]]:
    waiting: list[Message] = []
    if isinstance(messages, AsyncIterable):
        async for message in messages:
            waiting.append(message)
            if len(waiting) >= size:
                yield waiting
                waiting = []
    else:
        for message in messages:
            waiting.append(message)
            if len(waiting) >= size:
                yield waiting
                waiting = []
    if waiting:
        yield waiting


bind_verbs(AsyncScopedMemory, Memory)

