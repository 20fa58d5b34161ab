"""Connections that somebody keeps for nothing: each ends by itself, however the one at the other end goes about it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.store.every_kind import is_there

if not (is_there("uvicorn") and is_there("httptools")):
    pytest.skip("the server is not installed", allow_module_level=True)

import uvicorn

from tensemem.adapters import _connections

LONGEST = 10.0
HEAD = b"POST / HTTP/1.1\r\nhost: localhost\r\n"
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"


class Echo:
    """An application that answers with as many bytes as it was told, or before it has read anything."""

    def __init__(self, *, size: int = 2, reads: bool = True) -> None:
        self.size, self.reads = size, reads
        self.headers: list[tuple[bytes, bytes]] = []
        self.over = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while self.reads and (await receive()).get("more_body"):
            continue
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % self.size)]})
        await send({"type": "http.response.body", "body": b"x" * self.size})
        self.headers = list(scope["headers"])
        self.over.set()


@asynccontextmanager
async def served(application: Any) -> AsyncIterator[int]:
    server = uvicorn.Server(
        uvicorn.Config(application, port=0, http=_connections.Connection, ws="none", lifespan="off", log_config=None)
    )
    running = asyncio.ensure_future(server.serve())
    async with asyncio.timeout(LONGEST):
        while not server.started:
            await asyncio.sleep(0)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        await running


async def said_to(port: int, pieces: Callable[[int], bytes], times: int) -> bytes:
    """Say something so many times, unless the other end hangs up; gives what it said."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for number in range(times):
            writer.write(pieces(number))
            await writer.drain()
    except ConnectionError:
        pass
    try:
        async with asyncio.timeout(LONGEST):
            return await reader.read()
    except ConnectionError:
        return b"hung up"
    finally:
        writer.close()


ENDLESS = {
    "one header": (HEAD + b"x: ", b"a" * 4096),
    "many headers": (HEAD, b"x: a\r\n" * 700),
    "the path": (b"GET /", b"a" * 4096),
    "what follows a body": (CHUNKED + b"2\r\nhi\r\n0\r\n", b"x: a\r\n" * 700),
    "what stands beside a piece of a body": (CHUNKED + b"2;", b"a" * 4096),
}


@pytest.mark.parametrize("reads", [True, False])
@pytest.mark.parametrize("case", ENDLESS)
def test_what_has_no_end_is_not_taken(case: str, reads: bool) -> None:
    begin, more = ENDLESS[case]

    async def flood() -> bytes:
        async with served(Echo(reads=reads)) as port:
            return await said_to(port, lambda number: more if number else begin, 600)

    assert asyncio.run(flood()).startswith((b"HTTP/1.1", b"hung up"))


def test_a_head_as_long_as_may_be_and_a_long_body_are_taken() -> None:
    body = b"8000\r\n" + b"b" * 0x8000 + b"\r\n"

    async def ask() -> bytes:
        async with served(Echo()) as port:
            begin = HEAD + b"connection: close\r\nx: " + b"a" * 60_000 + b"\r\ntransfer-encoding: chunked\r\n\r\n"
            pieces = [begin, *[body] * 40, b"0\r\n\r\n"]
            return await said_to(port, lambda number: pieces[number], len(pieces))

    assert asyncio.run(ask()).startswith(b"HTTP/1.1 200")


def test_what_follows_a_body_is_no_header_of_the_request() -> None:
    echo = Echo()

    async def ask() -> None:
        async with served(echo) as port:
            begin = HEAD + b"connection: close\r\ntransfer-encoding: chunked\r\n\r\n"
            await said_to(port, lambda _: begin + b"2\r\nhi\r\n0\r\nauthorization: Bearer x\r\n\r\n", 1)

    asyncio.run(ask())
    assert [name for name, _ in echo.headers] == [b"host", b"connection", b"transfer-encoding"]


@pytest.mark.parametrize("begin", [b"", b"\r\n", b"GET / HT", HEAD, HEAD + b"content-length: 9\r\n\r\nx"])
def test_a_connection_on_which_nothing_more_comes_is_closed(begin: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_connections, "HEAD_SECONDS", 0.1)

    async def wait() -> bytes:
        async with served(Echo(reads=False)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(begin)
            found = b""
            try:
                async with asyncio.timeout(LONGEST):
                    while piece := await reader.read(4096):
                        found += piece
                        writer.write(b"x")  # answered before its body came, and never done with it
            except ConnectionError:
                pass
            writer.close()
            return found

    found = asyncio.run(wait())
    assert found == b"" or found.startswith(b"HTTP/1.1")


def test_who_takes_nothing_of_an_answer_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_connections, "TAKING_SECONDS", 0.1)

    async def wait() -> None:
        echo = Echo(size=64 * 2**20)
        async with served(echo) as port:
            _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
            writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
            async with asyncio.timeout(LONGEST):
                await echo.over.wait()
            writer.transport.abort()

    asyncio.run(wait())


def test_who_takes_an_answer_slowly_gets_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_connections, "TAKING_SECONDS", 0.2)
    size = 16 * 2**20

    async def read() -> int:
        async with served(Echo(size=size)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=64 * 1024)
            writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            came = 0
            async with asyncio.timeout(LONGEST):
                while piece := await reader.read(256 * 1024):
                    came += len(piece)
                    await asyncio.sleep(0.005)
            writer.close()
            return came

    assert asyncio.run(read()) > size


def test_whoever_finds_no_room_is_told_so_and_the_others_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_connections, "room", lambda: 2)
    async def all_of_it() -> None:
        async with served(Echo(reads=False)) as port:
            held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            refused = await said_to(port, lambda _: b"", 1)
            assert refused.startswith(b"HTTP/1.1 503 ")
            assert b"retry-after: 1\r\n" in refused
            assert b"urn:tensemem:problem:unavailable" in refused
            for _, writer in held:
                writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            for reader, writer in held:
                assert (await reader.read()).startswith(b"HTTP/1.1 200 ")
                writer.close()
            again = await said_to(port, lambda _: b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", 1)
            assert again.startswith(b"HTTP/1.1 200 ")

    asyncio.run(all_of_it())
