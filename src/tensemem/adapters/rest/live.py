"""Changes: a page of them, or all of them as they come, as server-sent events that resume where they broke off."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tensemem import errors
from tensemem.logs import Log
from tensemem.model.jsontext import encode
from tensemem.model.receipts import Change
from tensemem.wire import document

from .answers import USUAL, Headers
from .calls import Call, Gone, disconnected
from .refusals import Refusal
from .stopping import first_of
from .verbs import Verb

log = Log("rest")

STREAM = b"text/event-stream"
AT_ONCE = 500
"""How many changes are read at a time."""
_HEADERS: Headers = [
    *(header for header in USUAL if header[0] != b"cache-control"),
    (b"cache-control", b"no-store"),
    (b"content-type", STREAM),
    (b"x-accel-buffering", b"no"),
]
_LONGEST = 18
"""Digits of a revision."""


class Changes(Verb):
    """``changes``, and the stream of them for who accepts one."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.watching: Counter[str] = Counter()

    async def __call__(self, call: Call) -> None:
        """Answer a request."""
        if call.method == "GET" and _wants_stream(call):
            await self._stream(call)
        else:
            await super().__call__(call)

    async def _stream(self, call: Call) -> None:
        arguments, _, _, _ = await self.understood(call)
        for name in ("limit", "wait"):
            if arguments.pop(name, None) is not None:
                raise Refusal("bad-request", f"{name} has no meaning in a stream of changes; leave it out")
        after = _resumed(call, arguments.pop("after_rev", 0))
        first = await self._changes(arguments, after, None)  # what is wrong with it is told before anything is sent
        with _counted(self, "" if call.key is None else call.key.id):
            await call.send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            gone = asyncio.ensure_future(disconnected(call))
            try:
                await _send(call, b"retry: 1000\n\n")
                await self._tell(call, arguments, after, first, gone)
            except (Gone, OSError):
                return
            finally:
                gone.cancel()
        await call.send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell(
        self, call: Call, arguments: dict[str, Any], after: int, found: tuple[Change, ...], gone: asyncio.Future[None]
    ) -> None:
        """Send changes as they come, until the server ends, the key does, or nobody listens any more."""
        ending, limits = self.serving.ending, self.serving.limits
        while not gone.done():
            if not await self.serving.still_opens(call):
                return  # before what came meanwhile is told, which is not this key's any more
            if found:
                after = found[-1].rev
                await _send(call, b"".join(_events(found)))
            if ending.is_near:
                return
            waiting = self._changes(arguments, after, limits.heartbeat_seconds)
            try:
                looked = await first_of(waiting, ending.wait(), asyncio.shield(gone))
            except errors.TensememError as error:
                log.failure("stream ended", "a stream of changes ended early", error=error)
                return
            found = looked or ()
            if not found and not gone.done():
                await _send(call, b":\n\n")

    async def _changes(self, arguments: dict[str, Any], after: int, wait: float | None) -> tuple[Change, ...]:
        found: tuple[Change, ...] = await self.serving.memory.changes(
            **arguments, after_rev=after, limit=AT_ONCE, wait=wait
        )
        return found


def _wants_stream(call: Call) -> bool:
    accepted = call.headers.get(b"accept", b"")
    return any(part.partition(b";")[0].strip().lower() == STREAM for part in accepted.split(b","))


def _resumed(call: Call, after: int) -> int:
    """Give the revision behind which to begin: where a stream broke off, else what was asked for."""
    last = call.header(b"last-event-id")
    if last is None:
        return after
    if not (last.isascii() and last.isdigit()) or len(last) > _LONGEST:
        raise Refusal("bad-request", "Last-Event-ID must be the id of an event of this stream: a revision")
    return max(after, int(last))


def _events(found: tuple[Change, ...]) -> Iterable[bytes]:
    """Give changes as events; only the last one of a revision has its id, so that none is passed over on resuming."""
    for change, following in zip(found, (*found[1:], None), strict=True):
        is_last = following is None or following.rev != change.rev
        id = b"id: %d\n" % change.rev if is_last else b""
        yield b"%bevent: change\ndata: %b\n\n" % (id, encode(document(change)).encode())


async def _send(call: Call, data: bytes) -> None:
    await call.send({"type": "http.response.body", "body": data, "more_body": True})


@contextmanager
def _counted(verb: Changes, key_id: str) -> Iterator[None]:
    """Count a stream; raises Refusal where there are too many, of all keys or of this one: one leaves room for others.

    The server's own token, or none, is one key like any.
    """
    watching, limits = verb.watching, verb.serving.limits
    if watching.total() >= limits.watched or watching[key_id] >= limits.watched_by_one:
        raise Refusal("unavailable", "too many streams of changes are open; ask again later")
    watching[key_id] += 1
    try:
        yield
    finally:
        watching[key_id] -= 1
        if not watching[key_id]:
            del watching[key_id]
