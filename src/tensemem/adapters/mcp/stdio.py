"""Over standard input and output: one client, which started the server and ends it by closing the pipe.

Standard output belongs to the protocol: whatever else is printed goes to standard error. When the client closes its
end, or the process is told to end (SIGTERM, Ctrl-C), what was asked before is still done and answered.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import anyio.to_thread
import mcp_types as types
from mcp.server.stdio import stdio_server

from .server import MemoryServer

LAST_ANSWERS = 10.0
"""Seconds for what was asked before the end to be answered."""
_CHUNK = 65_536
_AHEAD = 64
"""Lines that are read before the server takes them."""


@dataclass(frozen=True, slots=True)
class Pipes:
    """Descriptors of standard input and output that nobody else reads or writes."""

    input: int
    output: int


@contextmanager
def claimed() -> Iterator[Pipes]:
    """Take standard input and output for the protocol alone.

    Meanwhile whatever else reads finds nothing there, and whatever else is printed goes to standard error, also by
    extractors and what they start.
    """
    pipes = Pipes(_copy_of(0), _copy_of(1))
    _put(os.open(os.devnull, os.O_RDONLY), 0)
    _put(_copy_of(2), 1)
    try:
        yield pipes
    finally:
        with suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()  # what was printed meanwhile, to where it was printed
        with suppress(OSError):
            os.dup2(pipes.input, 0)
            os.dup2(pipes.output, 1)


def _copy_of(descriptor: int) -> int:
    try:
        return os.dup(descriptor)
    except OSError:  # there is none
        return os.open(os.devnull, os.O_RDWR)


def _put(descriptor: int, place: int) -> None:
    os.dup2(descriptor, place)
    os.close(descriptor)


async def serve_stdio(service: MemoryServer, pipes: Pipes) -> None:
    """Serve the client at the other end of the pipes until it goes, or the process is told to end."""
    unanswered = Unanswered()
    with _told_to_end() as ended:
        lines = _Watched(Lines(lambda: os.read(pipes.input, _CHUNK), ended), unanswered, service.close)
        streams: Any = {"stdin": lines, "stdout": _Output(pipes.output)}
        async with stdio_server(**streams) as (read, write):
            answers = _Answers(write, unanswered)
            await service.server.run(read, answers, service.server.create_initialization_options())


class Unanswered:
    """The requests that were handed over and not answered yet."""

    def __init__(self) -> None:
        self._ids: set[Any] = set()
        self._none = asyncio.Event()
        self._none.set()

    def asked(self, line: str) -> None:
        """Note a request that is about to be handed over; one that the client cancelled needs no answer."""
        with suppress(ValueError):
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            if isinstance(message, types.JSONRPCRequest):
                self._ids.add(message.id)
                self._none.clear()
            elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
                self.answered((message.params or {}).get("requestId"))

    def answered(self, number: Any) -> None:
        """Note an answer."""
        with suppress(TypeError):  # what is no id
            self._ids.discard(number)
        if not self._ids:
            self._none.set()

    async def none(self) -> None:
        """Wait until all are answered, for some seconds at most."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._none.wait(), LAST_ANSWERS)


class Lines:
    """Lines of UTF-8 as they come, until there are no more or the process is told to end.

    A thread of its own reads them, which nobody waits for: a read can't be broken off.
    """

    def __init__(self, read: Callable[[], bytes], ended: asyncio.Event) -> None:
        self._read, self._ended = read, ended
        self._found: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(_AHEAD)
        self._loop = asyncio.get_running_loop()

    async def __aiter__(self) -> AsyncIterator[str]:
        threading.Thread(target=self._serve, name="tensemem-stdin", daemon=True).start()
        end = asyncio.ensure_future(self._ended.wait())
        try:
            while True:
                found = asyncio.ensure_future(self._found.get())
                await asyncio.wait((found, end), return_when=asyncio.FIRST_COMPLETED)
                line = found.result() if found.done() else None
                if line is None or self._ended.is_set():
                    found.cancel()
                    return
                self._room.release()
                yield line
        finally:
            end.cancel()

    def _serve(self) -> None:
        rest = b""
        with suppress(RuntimeError):  # the loop is closed: nobody takes lines any more
            while chunk := self._chunk():
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    self._room.acquire()
                    self._tell(line.decode("utf-8", "replace"))
            if rest.strip():
                self._tell(rest.decode("utf-8", "replace"))
            self._tell(None)

    def _chunk(self) -> bytes:
        try:
            return self._read()
        except OSError:  # no standard input, or a terminal that is gone
            return b""

    def _tell(self, line: str | None) -> None:
        self._loop.call_soon_threadsafe(self._found.put_nowait, line)


class _Watched:
    """Lines whose requests are noted; their end waits until these are answered."""

    def __init__(self, lines: Lines, unanswered: Unanswered, end: Callable[[], None]) -> None:
        self._lines, self._unanswered, self._end = lines, unanswered, end

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._lines:
            if line.strip():
                self._unanswered.asked(line)
                yield line
        self._end()
        await self._unanswered.none()


class _Answers:
    """The stream to the client, on which answers are noted."""

    def __init__(self, stream: Any, unanswered: Unanswered) -> None:
        self._stream, self._unanswered = stream, unanswered

    async def send(self, item: Any, /) -> None:
        """Send one message."""
        await self._stream.send(item)
        if isinstance(item.message, (types.JSONRPCResponse, types.JSONRPCError)):
            self._unanswered.answered(item.message.id)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> _Answers:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class _Output:
    """Lines to the client, written in a thread; once the client is gone, to nobody."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._is_gone = descriptor, False

    async def write(self, text: str) -> None:
        """Write text whole."""
        await anyio.to_thread.run_sync(self._write, text.encode("utf-8", "replace"))

    async def flush(self) -> None:
        """Nothing is held back."""

    def _write(self, left: bytes) -> None:
        try:
            while left and not self._is_gone:
                left = left[os.write(self._descriptor, left) :]
        except OSError:
            self._is_gone = True


@contextmanager
def _told_to_end() -> Iterator[asyncio.Event]:
    """Give an event that SIGTERM and Ctrl-C set; a second Ctrl-C does not wait."""
    ended, loop = asyncio.Event(), asyncio.get_running_loop()

    def end(number: int, _frame: Any) -> None:
        if ended.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        loop.call_soon_threadsafe(ended.set)

    if threading.current_thread() is not threading.main_thread():
        yield ended
        return
    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield ended
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
