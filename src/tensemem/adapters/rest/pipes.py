"""Between a thread that reads or writes a file and the event loop: so many pieces may wait, and no more."""

from __future__ import annotations

import asyncio
import threading
import zlib
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tensemem import errors

from .calls import too_long
from .refusals import Refusal

PIECE = 64 * 1024
"""Bytes that are handed over at a time."""
WAITING = 8
"""Pieces that may wait between who gives and who takes."""

_GZIP = 31
"""What zlib calls gzip's form."""


class Pipe:
    """What an export is written to: a file for the thread that writes, pieces for the loop that sends."""

    name = "the answer"

    def __init__(self, seconds: float, *, is_packed: bool) -> None:
        self._loop, self._seconds = asyncio.get_running_loop(), seconds
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._room = threading.Semaphore(WAITING)
        self._packer = zlib.compressobj(6, zlib.DEFLATED, _GZIP) if is_packed else None
        self._buffer = bytearray()
        self._is_closed = False

    def write(self, data: bytes) -> int:
        """Take some bytes; waits while nobody takes what was written before. Raises StoreError where nobody does."""
        self._buffer += data if self._packer is None else self._packer.compress(data)
        while len(self._buffer) >= PIECE:
            piece = bytes(self._buffer[:PIECE])
            del self._buffer[:PIECE]
            self._hand_over(piece)
        return len(data)

    def filled(self, write: Callable[[], Any]) -> None:
        """Have somebody write it all; what is taken ends then, whether they could or not."""
        try:
            write()
            if self._packer is not None:
                self._buffer += self._packer.flush()
            if self._buffer:
                self._hand_over(bytes(self._buffer))
        finally:
            self._tell(None)

    async def take(self) -> bytes | None:
        """Give the next piece, None when there are no more."""
        piece = await self._pieces.get()
        self._room.release()
        return piece

    def close(self) -> None:
        """Take no more: whoever writes is refused."""
        self._is_closed = True
        self._room.release()

    def _hand_over(self, piece: bytes) -> None:
        if not self._room.acquire(timeout=self._seconds) or self._is_closed:
            raise errors.StoreError("whoever asked for it takes it no further")
        self._tell(piece)

    def _tell(self, piece: bytes | None) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._pieces.put_nowait, piece)


class Source:
    """What an import is read from: pieces that come in, lines for the thread that reads; unpacked, if they are packed.

    ``most`` are the bytes that are read, unpacked.
    """

    name = "the request"

    def __init__(self, most: int, *, is_packed: bool) -> None:
        self._loop, self._most = asyncio.get_running_loop(), most
        self._unpacking = Unpacking() if is_packed else None
        self._room = asyncio.Semaphore(WAITING)
        self._turn = threading.Condition()
        self._pieces: deque[bytes] = deque()
        self._is_whole = False
        self._error: BaseException | None = None
        self._is_read = False
        self._buffer, self._at, self._size = b"", 0, 0

    async def put(self, piece: bytes) -> None:
        """Hand over what came in; waits while what came before is not read."""
        await self._room.acquire()
        with self._turn:
            self._pieces.append(piece)
            self._turn.notify()

    def end(self, error: BaseException | None = None) -> None:
        """Say that no more comes, and why, where it should have."""
        with self._turn:
            self._is_whole, self._error = error is None, error
            self._turn.notify()

    def read_by(self, read: Callable[[], Any]) -> Any:
        """Have somebody read it; whoever hands over is let go when they are done."""
        try:
            return read()
        finally:
            self._is_read = True
            for _ in range(WAITING):
                self._make_room()

    @property
    def is_read(self) -> bool:
        """Whether nobody reads any more."""
        return self._is_read

    def read(self, size: int = -1) -> bytes:
        """Give so many bytes: whoever asks for none learns that these are bytes."""
        return b"" if size == 0 else self.readline(size)

    def readline(self, limit: int = -1, /) -> bytes:
        """Give the next line, of at most so many bytes; nothing at the end. Raises Refusal."""
        parts: list[bytes] = []
        left = limit if limit >= 0 else self._most
        while left > 0 and (self._at < len(self._buffer) or self._next()):
            end = self._buffer.find(b"\n", self._at, self._at + left)
            stop = min(self._at + left, len(self._buffer)) if end < 0 else end + 1
            parts.append(self._buffer[self._at : stop])
            left -= stop - self._at
            self._at = stop
            if end >= 0:
                break
        return b"".join(parts)

    def _next(self) -> bool:
        """Read on; tells whether there was anything."""
        while True:
            piece = self._unpacked()
            if piece is None:
                return False
            self._buffer, self._at = piece, 0
            self._size += len(piece)
            if self._size > self._most:
                raise too_long(self._most)
            if piece:
                return True

    def _unpacked(self) -> bytes | None:
        unpacking = self._unpacking
        if unpacking is not None and unpacking.has_more:
            return unpacking.more()
        piece = self._taken()
        if unpacking is None:
            return piece
        if piece is None:
            unpacking.end()
            return None
        return unpacking.more(piece)

    def _taken(self) -> bytes | None:
        with self._turn:
            self._turn.wait_for(lambda: bool(self._pieces) or self._is_whole or self._error is not None)
            if self._error is not None:
                raise self._error
            piece = self._pieces.popleft() if self._pieces else None
        self._make_room()
        return piece

    def _make_room(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._room.release)


class Unpacking:
    """Unpacks gzip a bounded piece at a time, whatever it says it holds."""

    def __init__(self) -> None:
        self._made = zlib.decompressobj(_GZIP)
        self._left = b""
        self._is_begun = False

    @property
    def has_more(self) -> bool:
        """Whether there is more in what was handed over."""
        return bool(self._left)

    def more(self, piece: bytes = b"") -> bytes:
        """Give the next bytes; raises Refusal for what is no gzip."""
        self._is_begun = True
        if self._made.eof:
            self._made = zlib.decompressobj(_GZIP)  # another one behind the first
        try:
            found = self._made.decompress(self._left + piece, 4 * PIECE)
        except zlib.error:
            raise Refusal("bad-request", "the body is not packed as gzip packs, or is damaged") from None
        self._left = self._made.unused_data if self._made.eof else self._made.unconsumed_tail
        return found

    def end(self) -> None:
        """Raise Refusal where what was handed over is cut short."""
        if self._is_begun and not self._made.eof:
            raise Refusal("bad-request", "the packed body is cut short")
