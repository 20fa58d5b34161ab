"""Connections of a server: heads of requests, which are read before anybody knows who asks, are of bounded size and
come within a time; and whoever takes nothing of an answer is let go.

uvicorn leaves this to a proxy before it. Here whoever sends an endless head, or none, is told so and let go. The head
of an answer goes out with what follows it at once. There are no more connections than there is room for: whoever is
beyond that is told so, and the others, and the store, go on.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tensemem.model.jsontext import encode
from tensemem.wire import problem
from tensemem.wire.problems import RETRY_AFTER

from ._room import room

PROBLEM = b"application/problem+json"

LONGEST_HEAD = 64 * 1024
"""Bytes of a head: the request line with its query, and all headers; and of what follows a body in chunks."""
TOO_LARGE = f"the request line and headers have more than the {LONGEST_HEAD} bytes that are taken; send less in them"
HEAD_SECONDS = 20.0
"""How long a connection may be without a whole head, from its begin or from the first byte of a head on."""
FULL = "this server has as many connections as it has room for; try again when others have ended"
TAKING_SECONDS, TAKEN_BYTES = 30.0, 4096
"""Whoever takes less than so many bytes of a waiting answer in so many seconds is let go."""


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
    """One connection, as uvicorn serves it, with a bounded head, and an end to every way of keeping it for nothing."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._most = room()
        self._pending, self._size = 0, 0
        self._is_in_head = True
        self._alarm: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin: there must be room, and a head must come."""
        joining: Any = Joining(transport)
        super().connection_made(joining)
        if len(self.connections) > self._most:
            self._refuse("unavailable", FULL, retry_after=RETRY_AFTER)
            return
        self._alarm = self.loop.call_later(HEAD_SECONDS, self._is_late)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._disarm()
        self._is_taken()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, unless it is too much of a head."""
        self._pending += len(data)
        super().data_received(data)
        if self._pending > LONGEST_HEAD and not self.transport.is_closing():
            self._refuse("too-large", TOO_LARGE)
        if not self._waits_for_head():
            self._disarm()
        elif self._alarm is None and not self.transport.is_closing():
            self._alarm = self.loop.call_later(HEAD_SECONDS, self._is_late)

    def on_message_begin(self) -> None:
        """Note that a head begins."""
        self._is_in_head, self._size = True, 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a piece of the request line."""
        self._measure(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. A line behind the last chunk of a body is none: who is let in, is by those before the body."""
        self._measure(len(name) + len(value) + 4)
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Note that the head is whole."""
        self._is_in_head, self._pending = False, 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body, of which others know how large it may be."""
        self._pending = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that a request is whole."""
        self._pending = 0
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Wait for who takes the answer, but not for long."""
        super().pause_writing()
        if self._taking is None:
            self._look_again()

    def resume_writing(self) -> None:
        """Go on: the answer was taken."""
        self._is_taken()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what can't be read as HTTP."""
        if self._size > LONGEST_HEAD:
            self._refuse("too-large", TOO_LARGE)
        else:
            self._refuse("bad-request", msg)

    def _measure(self, size: int) -> None:
        self._size += size
        if self._size > LONGEST_HEAD:
            raise ValueError(TOO_LARGE)  # which the parser breaks off at

    def _is_late(self) -> None:
        self._alarm = None
        if self._waits_for_head() and not self.transport.is_closing():
            self.transport.close()

    def _waits_for_head(self) -> bool:
        """Tell whether nobody is being answered: what then comes of a body whose answer was sent is of no use."""
        return self._is_in_head or (self.cycle is not None and self.cycle.response_complete)

    def _look_again(self) -> None:
        self._taking = self.loop.call_later(TAKING_SECONDS, self._look, self.transport.get_write_buffer_size())

    def _look(self, before: int) -> None:
        """Let go of who has taken next to nothing of what waits."""
        if self.transport.get_write_buffer_size() > before - TAKEN_BYTES:
            self.transport.abort()
        else:
            self._look_again()

    def _is_taken(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def _disarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _refuse(self, kind: str, detail: str, **more: int) -> None:
        """Answer with a problem where nobody is being answered, and end the connection."""
        if self.cycle is None or self.cycle.response_complete:
            found = problem(kind, detail, **more)
            after = b"".join(b"retry-after: %d\r\n" % seconds for seconds in more.values())
            body = encode(found).encode()
            self.transport.write(
                b"HTTP/1.1 %d \r\ncontent-type: %s\r\ncontent-length: %d\r\ncache-control: no-store\r\n"
                b"%sconnection: close\r\n\r\n%s" % (found["status"], PROBLEM, len(body), after, body)
            )
        self.transport.close()

