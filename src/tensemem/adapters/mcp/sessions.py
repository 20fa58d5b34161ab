"""The sessions of older clients over HTTP: whose they are, and that one key leaves room for others.

The SDK keeps them, of all keys together, and ends those that nothing was asked in for some time. What it does not tell
is seen here by what passes: which one an answer began, which one ended, and since when one is idle.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from ...access.requests import headers_of
from ...errors import RateLimitedError

MOST = 1000
"""Sessions that are open at a time; one key has half of them at most."""
IDLE_SECONDS = 30 * 60
"""How long nothing is asked in a session, with no stream open, until it is ended."""
GRACE_SECONDS = 60
"""How much longer a session counts here: the SDK ends it first, so that none is open that does not count."""
RETRY_SECONDS = 60.0
_SESSION, _VERSION = "mcp-session-id", "mcp-protocol-version"

Application = Callable[[MutableMapping[str, Any], Callable[..., Any], Callable[..., Any]], Awaitable[None]]


@dataclass(slots=True)
class _Open:
    """A session: whose it is, how many requests are being answered in it, and when the last one was."""

    who: str
    asked: int = 0
    since: float = 0.0


class Sessions:
    """Which sessions are open."""

    def __init__(
        self, most: int = MOST, idle: float = IDLE_SECONDS + GRACE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._most, self._idle, self._clock = most, idle, clock
        self._open: dict[str, _Open] = {}
        self._opening: list[str] = []

    def is_open(self, name: str | None) -> bool:
        """Whether a session is open still."""
        found = None if name is None else self._open.get(name)
        return found is not None and (found.asked > 0 or self._clock() - found.since < self._idle)

    async def answer(
        self, inner: Application, scope: MutableMapping[str, Any], receive: Any, send: Any, who: str
    ) -> None:
        """Have a request answered that a key lets in. Raises RateLimitedError where it would open one too many."""
        headers = headers_of(scope)
        name = headers.get(_SESSION) or None
        if name is None and scope["method"] == "POST" and _is_old(headers.get(_VERSION)):
            await self._begin(inner, scope, receive, send, who)
        elif name is None:
            await inner(scope, receive, send)
        else:
            await self._go_on(inner, scope, receive, send, who, name)

    async def _begin(
        self, inner: Application, scope: MutableMapping[str, Any], receive: Any, send: Any, who: str
    ) -> None:
        self._check_room(who)
        self._opening.append(who)

        async def seen(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                begun = dict(message["headers"]).get(_SESSION.encode())
                if begun is not None:
                    self._open[begun.decode("latin-1")] = _Open(who, since=self._clock())
            await send(message)

        try:
            await inner(scope, receive, seen)
        finally:
            self._opening.remove(who)

    def _check_room(self, who: str) -> None:
        for name in [name for name in self._open if not self.is_open(name)]:
            del self._open[name]
        mine = self._opening.count(who) + sum(one.who == who for one in self._open.values())
        if mine >= max(1, self._most // 2) or len(self._opening) + len(self._open) >= self._most:
            told = "too many sessions are open; end some that are not needed, or ask again later"
            raise RateLimitedError(told, retry_after=RETRY_SECONDS)

    async def _go_on(
        self, inner: Application, scope: MutableMapping[str, Any], receive: Any, send: Any, who: str, name: str
    ) -> None:
        found = self._open.get(name)
        if found is None or found.who != who:  # it is none, or none of theirs: the SDK says so
            await inner(scope, receive, send)
            return
        found.asked += 1

        async def seen(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                is_ended = scope["method"] == "DELETE" and message["status"] < 400
                if (is_ended or message["status"] == 404) and self._open.get(name) is found:
                    del self._open[name]
            await send(message)

        try:
            await inner(scope, receive, seen)
        finally:
            found.asked -= 1
            found.since = self._clock()


def _is_old(version: str | None) -> bool:
    """Whether a request is of a protocol that has sessions."""
    return version is None or version in HANDSHAKE_PROTOCOL_VERSIONS
