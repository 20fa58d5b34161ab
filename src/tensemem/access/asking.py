"""Asking an access store from an event loop: in threads, once for all who show the same token meanwhile.

Tokens that are known to open have threads of their own: whoever tries others keeps nobody waiting who has shown a right
one before. Of the others so many may wait, and no more.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from ..errors import RateLimitedError
from .key import Key
from .store import Access

MOST_ASKED = 64
"""How many tokens that are not known may be looked at, or wait for it."""

_THREADS = 2


class Asker:
    """Asks one store, from one event loop at a time."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._for_known = ThreadPoolExecutor(_THREADS, thread_name_prefix="tensemem-access")
        self._for_others = ThreadPoolExecutor(_THREADS, thread_name_prefix="tensemem-tokens")
        self._asked: dict[str, asyncio.Future[Key | None]] = {}

    async def ask(self, token: str, client: str) -> Key | None:
        """Give the key that a token opens, None where it opens none; raises what ``Access.check`` does."""
        loop = asyncio.get_running_loop()
        under_way = self._asked.get(token)
        if under_way is None or under_way.get_loop() is not loop:
            under_way = self._asked[token] = self._begun(token, client, loop)
            under_way.add_done_callback(lambda done: self._ended(token, done))
        return await asyncio.shield(under_way)  # who goes away takes the answer from nobody else

    def _begun(self, token: str, client: str, loop: asyncio.AbstractEventLoop) -> asyncio.Future[Key | None]:
        if self._access.knows(token):
            return loop.run_in_executor(self._for_known, lambda: self._access.check(token, client=client))
        if len(self._asked) >= MOST_ASKED:
            raise RateLimitedError("too many tokens are being looked at; ask again", retry_after=1.0)
        return loop.run_in_executor(self._for_others, lambda: self._access.check(token, client=client))

    def _ended(self, token: str, done: asyncio.Future[Key | None]) -> None:
        if self._asked.get(token) is done:
            del self._asked[token]
        if not done.cancelled():
            done.exception()  # told to those who waited, if any still do
