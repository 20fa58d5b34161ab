"""Connections that nobody may keep open for nothing: a request's head comes in time and is no longer than it need be.

Whoever has shown no key yet can do no more than that. The head of an answer goes out with what follows it at once.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 20.0
"""How long a request's head may take, from its connection's or its own beginning."""
LONGEST_HEAD = 64 * 1024


class Joining:
    """A transport that sends what is written in one go as one piece, for each costs a call of the system."""

    __slots__ = ("_held", "_transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport, self._held = transport, b""

    def write(self, data: bytes) -> None:
        """Send some bytes, with those before; what nothing follows goes when the loop comes to it."""
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held + data)
        elif data:
            self._held = data
            asyncio.get_running_loop().call_soon(self._flush)

    def close(self) -> None:
        """Send what is left, and close."""
        self._flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def _flush(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            if not self._transport.is_closing():
                self._transport.write(held)


class Connection(HttpToolsProtocol):
    """A connection that is closed where the head of a request does not come, or does not end."""

    _timer: asyncio.TimerHandle | None = None
    _is_in_body = False
    _came = 0

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        joining: Any = Joining(transport)
        super().connection_made(joining)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; what is the part of a head only is waited for no longer than a head is."""
        super().data_received(data)
        if self._is_in_body or not (self.cycle is None or self.cycle.response_complete):
            return
        self._came += len(data)
        if self._came > LONGEST_HEAD:
            self._give_up()
        elif self._timer is None:
            self._wait()

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._stop()
        self._came, self._is_in_body = 0, True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The body is there too."""
        self._is_in_body = False
        super().on_message_complete()

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(HEAD_SECONDS, self._give_up)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._stop()
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()
