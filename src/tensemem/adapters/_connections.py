"""Connections of a server: how long their requests' heads may be and take, and how long who reads nothing is kept.

uvicorn leaves all three open: whoever shows no key could fill the working storage with one endless header, or keep
connections on which nothing is ever asked, or let an answer lie that nobody takes. Here each ends by itself.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 64 * 1024
"""Bytes of a request that are none of its body, in a row: its head, or what may follow the body."""
HEAD_SECONDS = 20.0
"""How long a head may take to come, once the connection is there or the head has begun."""
TAKING_SECONDS, TAKEN_BYTES = 30.0, 4096
"""Whoever takes less than so many bytes of a waiting answer in so many seconds is let go."""


class Connection(HttpToolsProtocol):
    """One connection, as uvicorn has it, with an end to each way of keeping it."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._apart, self._is_in_head = 0, False
        self._head: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, but not for long."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of what was waited for."""
        self._has_head()
        self._is_taken()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; refuse a head without end."""
        self._apart += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._apart > HEAD_BYTES:
            self._refuse()
        elif self.cycle is None or self.cycle.response_complete:
            self._expect_head()

    def on_message_begin(self) -> None:
        """Begin to count the bytes of a head."""
        self._apart, self._is_in_head = 0, True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; what follows a body is none, for whoever was let in was let in by those before it."""
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Answer the request."""
        self._apart, self._is_in_head = 0, False
        self._has_head()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body, which the application counts."""
        self._apart = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Take the end of a request."""
        self._apart = 0
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Wait for who takes the answer, but not for long."""
        super().pause_writing()
        if self._taking is None:
            self._look_again(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Go on: the answer was taken."""
        self._is_taken()
        super().resume_writing()

    def _refuse(self) -> None:
        self.transport.write(
            b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
        self.transport.close()

    def _expect_head(self) -> None:
        if self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _has_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _look_again(self, before: int) -> None:
        self._taking = self.loop.call_later(TAKING_SECONDS, self._look, before)

    def _look(self, before: int) -> None:
        """Let go of who has taken next to nothing of what waits."""
        left = self.transport.get_write_buffer_size()
        if left > before - TAKEN_BYTES:
            self.transport.abort()
        else:
            self._look_again(left)

    def _is_taken(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None
