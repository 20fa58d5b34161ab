"""Bodies as they come: slowly, in many pieces, many at once; only so slowly, and only so much of them at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.adapters.rest import Limits
from tensemem.adapters.rest.app import unguarded
from tensemem.adapters.rest.calls import Call, Pace
from tensemem.adapters.rest.refusals import Refusal
from tests.engine.bench import Clock

BODY = b'{"user_id": "ann", "predicate": "lives_in", "value": "Delhi"}'


class Slow:
    """What comes in pieces, so many seconds after one another, by a clock of its own."""

    def __init__(self, seconds: float, pieces: list[bytes]) -> None:
        self.now, self._seconds, self._pieces = 0.0, seconds, pieces

    def clock(self) -> float:
        return self.now

    async def __call__(self) -> dict[str, Any]:
        self.now += self._seconds
        part = self._pieces.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(self._pieces)}


def sent(slow: Slow, rate: int) -> bytes:
    async def read() -> bytes:
        call = Call({"headers": [], "method": "POST"}, slow, slow)  # type: ignore[arg-type]
        return await call.body(10**6, Pace(30.0, rate, slow.clock), lambda _: None)

    return asyncio.run(read())


def test_a_large_body_may_take_longer_than_a_pause_may() -> None:
    pieces = [b"x" * 10_000] * 20
    assert sent(Slow(5.0, list(pieces)), 1000) == b"".join(pieces)


def test_a_body_a_byte_at_a_time_is_not_waited_for_for_ever() -> None:
    slow = Slow(5.0, [b"x"] * 1000)
    with pytest.raises(Refusal, match="1000 bytes a second") as raised:
        sent(slow, 1000)
    assert raised.value.kind == "too-slow"
    assert slow.now < 60


def test_only_so_much_is_held_at_once(path: Path, mem: Memory, clock: Clock) -> None:
    """Of one key, and of all; and what is answered, or gone, is held no longer."""

    async def ask() -> None:
        limits = Limits(bodies=150, bodies_of_one=100)
        async with AsyncMemory(path, clock=clock, worker=False, durability="process") as memory:
            application = unguarded(memory, limits=limits)
            held = application.serving.held

            async def post(receive: Any) -> int:
                found: list[int] = []

                async def send(message: Any) -> None:
                    found.extend([message["status"]] if "status" in message else [])

                scope = {
                    "type": "http", "method": "POST", "path": "/v1/set", "query_string": b"", "state": {},
                    "headers": [(b"content-type", b"application/json")],
                }  # fmt: skip
                await application(scope, receive, send)
                return found[0] if found else 0

            first_came, go_on = asyncio.Event(), asyncio.Event()
            parts = [BODY[:50], BODY[50:]]

            async def halting() -> dict[str, Any]:
                if len(parts) == 1:
                    first_came.set()
                    await go_on.wait()
                if not parts:
                    return {"type": "http.disconnect"}
                return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

            first = asyncio.ensure_future(post(halting))
            await first_came.wait()
            assert held.total == 50
            assert await post(Slow(0.0, [BODY])) == 503
            assert held.total == 50
            go_on.set()
            assert await first == 200
            assert held.total == 0
            assert await post(Slow(0.0, [BODY])) == 200

            async def gone() -> dict[str, Any]:
                if gone_parts:
                    return {"type": "http.request", "body": gone_parts.pop(), "more_body": True}
                return {"type": "http.disconnect"}

            gone_parts = [BODY]
            assert await post(gone) == 0
            assert held.total == 0

    asyncio.run(ask())
