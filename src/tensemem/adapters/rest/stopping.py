"""The end of a server: those who wait are told of it, and what lasts ends by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


class Ending:
    """Whether the server is about to end; told from any thread or signal handler, waited for in any event loop."""

    def __init__(self) -> None:
        self.is_near = False
        self._waiting: dict[asyncio.Future[None], asyncio.AbstractEventLoop] = {}

    def begin(self) -> None:
        """Say that it is about to end: from now on nobody is let wait."""
        self.is_near = True
        for waiting, loop in list(self._waiting.items()):
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_wake, waiting)

    async def wait(self) -> None:
        """Return when it is about to end."""
        loop = asyncio.get_running_loop()
        woken: asyncio.Future[None] = loop.create_future()
        self._waiting[woken] = loop
        try:
            if not self.is_near:
                await woken
        finally:
            self._waiting.pop(woken, None)


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


async def first_of(work: Awaitable[T], *others: Awaitable[object]) -> T | None:
    """Give what some work gives, or None where one of the others is done before; what is not done is cancelled."""
    task = asyncio.ensure_future(work)
    beside = [asyncio.ensure_future(one) for one in others]
    try:
        await asyncio.wait([task, *beside], return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for one in (task, *beside):
            if not one.done():
                one.cancel()
        await asyncio.gather(task, *beside, return_exceptions=True)
