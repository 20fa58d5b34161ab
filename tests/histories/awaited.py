"""An AsyncMemory that threads may ask as they ask a Memory; now and then a caller is cancelled while it waits."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from tensemem import AsyncMemory

_ONE_IN = 30
_LONGEST = 0.02


class CancelledAskError(Exception):
    """The caller was cancelled: what it asked for may be done, or not."""


class AwaitedMemory:
    """Every verb of an AsyncMemory, awaited in one event loop that has a thread of its own.

    The verbs raise what they raise, and CancelledAskError.
    """

    def __init__(self, *args: Any, chance: random.Random, **options: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._chance = chance
        try:
            self._mem: AsyncMemory = self._finish(_opened(*args, **options))
        except BaseException:
            self._end()
            raise

    def __getattr__(self, name: str) -> Callable[..., Any]:
        verb = getattr(self._mem, name)
        return lambda *args, **options: self._asked(verb(*args, **options))

    def _asked(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        if self._chance.randrange(_ONE_IN):
            return self._finish(coroutine)
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(self._chance.random() * _LONGEST)
        except TimeoutError:
            future.cancel()
            raise CancelledAskError from None

    def _finish(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def close(self, *, timeout: float) -> None:
        """Close the memory and end the loop."""
        self._finish(self._mem.close(timeout=timeout))
        self._end()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _opened(*args: Any, **options: Any) -> AsyncMemory:
    mem = AsyncMemory(*args, **options)
    await mem.__aenter__()
    return mem
