"""One request as the rest of the server sees it: its headers, its query, its body, and who asks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import quote

from tensemem.access import Key

from .refusals import Refusal

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Gone(Exception):
    """Whoever asked has gone away; nobody is there to be answered."""


class Call:
    """A request. Header names are small; where one came more than once, its values are joined by commas."""

    __slots__ = ("_headers", "held", "receive", "scope", "send")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope, self.receive, self.send = scope, receive, send
        self._headers: dict[bytes, bytes] | None = None
        self.held = 0  # bytes of the body that are counted for who asks

    @property
    def method(self) -> str:
        """GET, POST, …"""
        method: str = self.scope["method"]
        return method

    @property
    def is_head(self) -> bool:
        """Whether only the head of the answer is wanted."""
        return self.method == "HEAD"

    @property
    def query(self) -> bytes:
        """What follows the question mark, as it came."""
        query: bytes = self.scope.get("query_string", b"")
        return query

    @property
    def root(self) -> str:
        """Where the application is mounted, as it stands in an address; nothing where it is alone."""
        return quote(str(self.scope.get("root_path", "")).rstrip("/"), safe="/")

    @property
    def key(self) -> Key | None:
        """Who asks, as the guard found; None where there is no guard."""
        found: Key | None = (self.scope.get("state") or {}).get("key")
        return found

    def header(self, name: bytes) -> str | None:
        """Give a header's value, or None."""
        found = self.headers.get(name)
        return None if found is None else found.decode("latin-1")

    @property
    def headers(self) -> dict[bytes, bytes]:
        """All headers."""
        if self._headers is None:
            found: dict[bytes, bytes] = {}
            for name, value in self.scope["headers"]:
                found[name] = value if name not in found else found[name] + b", " + value
            self._headers = found
        return self._headers

    async def chunk(self, pace: Pace) -> tuple[bytes, bool]:
        """Give the next bytes of the body, and whether more may come. Raises Gone, and Refusal where it is too slow."""
        began = pace.clock()
        try:
            if pace.left <= 0:
                raise TimeoutError
            async with asyncio.timeout(pace.left):
                message = await self.receive()
        except TimeoutError:
            raise Refusal("too-slow", pace.wanted) from None
        if message["type"] == "http.disconnect":
            raise Gone
        part: bytes = message.get("body", b"")
        pace.note(len(part), pace.clock() - began)
        return part, message.get("more_body", False)

    async def body(self, most: int, pace: Pace, take: Callable[[int], None]) -> bytes:
        """Give the whole body; ``take`` is told of its bytes as they come, and may refuse them.

        Raises Refusal for one that is too large or too slow, and Gone.
        """
        refuse_long(self.header(b"content-length"), most)
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            part, more = await self.chunk(pace)
            size += len(part)
            if size > most:
                raise too_long(most)
            take(len(part))
            parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


class Pace:
    """How slowly a body may come: no pause longer than some seconds, and behind these so many bytes a second.

    Only the time counts that is spent waiting for it.
    """

    def __init__(self, seconds: float, rate: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._rate, self.clock = seconds, rate, clock
        self._size, self._waited = 0, 0.0

    @property
    def left(self) -> float:
        """For how many seconds the next bytes are waited for."""
        return min(self._seconds, max(0.0, self._seconds + self._size / self._rate - self._waited))

    def note(self, size: int, waited: float) -> None:
        """Count what came, and how long it was waited for."""
        self._size += size
        self._waited += waited

    @property
    def wanted(self) -> str:
        """What a sender must do."""
        return (
            f"the body came too slowly; send it without pauses of more than {self._seconds:g} s, and no slower than "
            f"{self._rate} bytes a second"
        )


async def disconnected(call: Call) -> None:
    """Return when whoever asked has gone away; what is left of the body is passed over."""
    while (await call.receive())["type"] != "http.disconnect":
        continue


def refuse_long(length: str | None, most: int) -> None:
    """Raise Refusal where a header says that more comes than is taken; nothing of it is read then."""
    if length is None:
        return
    if not (length.isascii() and length.isdigit()):
        raise Refusal("bad-request", "Content-Length must be a number of bytes, given once")
    if len(length) > 18 or int(length) > most:
        raise too_long(most)


def too_long(most: int) -> Refusal:
    """Give the refusal of a body that is too large."""
    return Refusal("too-large", f"the body has more than the {most} bytes that are taken here; split it")
