"""How many requests one provider gets at once, from all threads and event loops of this process.

``asyncio.Semaphore`` belongs to one event loop; the extractors of one program may be asked in several. So whoever
waits here leaves a future of its own loop, and is woken through that loop, in the order of coming.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass


@dataclass(eq=False)
class _Waiting:
    loop: asyncio.AbstractEventLoop
    let_in: asyncio.Future[None]
    limit: int
    has_place: bool = False


class Turnstile:
    """Lets some in at once; ``limit`` is what the one who comes allows, so the strictest extractor waits longest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._queue: deque[_Waiting] = deque()

    @property
    def inside(self) -> int:
        """How many are in."""
        return self._inside

    @asynccontextmanager
    async def entered(self, limit: int) -> AsyncIterator[None]:
        """Wait for a place, and give it back in the end."""
        await self._enter(limit)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, limit: int) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            if not self._queue and self._inside < limit:
                self._inside += 1
                return
            waiting = _Waiting(loop, loop.create_future(), limit)
            self._queue.append(waiting)
        try:
            await waiting.let_in
        except BaseException:
            with self._lock:
                had_place = waiting.has_place
                if not had_place and waiting in self._queue:
                    self._queue.remove(waiting)
            if had_place:
                self._leave()
            else:
                self._admit()  # the one behind may have been held up by this one's stricter limit
            raise

    def _leave(self) -> None:
        with self._lock:
            self._inside -= 1
        self._admit()

    def _admit(self) -> None:
        while True:
            with self._lock:
                if not self._queue or self._inside >= self._queue[0].limit:
                    return
                first = self._queue.popleft()
                if first.loop.is_closed():
                    continue  # nobody waits there any more
                first.has_place = True
                self._inside += 1
            with suppress(RuntimeError):
                first.loop.call_soon_threadsafe(_wake, first.let_in)
                continue
            with self._lock:  # its loop was closed just now
                self._inside -= 1


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


_turnstiles: dict[tuple[int, str], Turnstile] = {}


def turnstile(key: str) -> Turnstile:
    """Give the turnstile that all extractors of one provider and address share. A forked child has its own."""
    return _turnstiles.setdefault((os.getpid(), key), Turnstile())
