"""One client for each event loop.

An SDK's async client keeps connections that belong to the loop in which they were opened, and has to be closed in that
loop before it ends. An async generator is exactly that: whoever shuts a loop down properly (``asyncio.run``, the
private loop of ``extract.private_loop``) finishes the generators that run in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any


class Clients:
    """Makes a client when a loop first needs one, and closes it with that loop. Safe to use from several loops."""

    def __init__(self, make: Callable[[], Any], close: Callable[[Any], Awaitable[None]]) -> None:
        self._make, self._close = make, close
        self._kept: dict[asyncio.AbstractEventLoop, tuple[Any, AsyncGenerator[Any, None]]] = {}

    async def here(self) -> Any:
        """Give the client of the loop that runs."""
        loop = asyncio.get_running_loop()
        if loop not in self._kept:
            self._forget_dead_loops()
            keeper = _keeping(self._make, self._close, self._kept, loop)
            client = await anext(keeper)  # does not wait for anything, so no other task of this loop came between
            self._kept[loop] = client, keeper
        return self._kept[loop][0]

    def made(self) -> list[Any]:
        """Give the clients there are now, of all loops."""
        return [client for client, _ in list(self._kept.values())]

    async def close(self) -> None:
        """Close the client of the loop that runs, if there is one."""
        kept = self._kept.get(asyncio.get_running_loop())
        if kept is not None:
            await kept[1].aclose()

    def _forget_dead_loops(self) -> None:
        for loop in list(self._kept):
            if loop.is_closed():
                self._kept.pop(loop, None)


async def _keeping(
    make: Callable[[], Any],
    close: Callable[[Any], Awaitable[None]],
    kept: dict[asyncio.AbstractEventLoop, Any],
    loop: asyncio.AbstractEventLoop,
) -> AsyncGenerator[Any, None]:
    client = make()
    try:
        yield client
    finally:
        kept.pop(loop, None)
        await close(client)
