"""The sessions of older clients over HTTP: one key leaves room for others, and who is gone leaves its place."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tensemem.adapters.mcp.sessions import Sessions
from tensemem.errors import RateLimitedError
from tests.adapters.mcp.bench import run, serving

OLD = "2025-06-18"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class World:
    """A server that begins and ends sessions as the SDK does, and what looks on."""

    def __init__(self, most: int = 4) -> None:
        self.clock = Clock()
        self.sessions = Sessions(most, 100.0, self.clock)
        self.begun = 0
        self.status = 200

    async def inner(self, scope: Any, receive: Any, send: Any) -> None:
        headers = []
        if scope["method"] == "POST" and not any(name == b"mcp-session-id" for name, _ in scope["headers"]):
            self.begun += 1
            headers = [(b"mcp-session-id", f"s{self.begun}".encode())]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})

    async def ask(self, who: str, method: str = "POST", session: str = "", version: str = OLD, **more: Any) -> None:
        headers = [(b"mcp-protocol-version", version.encode())] if version else []
        headers += [(b"mcp-session-id", session.encode())] if session else []
        inner = more.get("inner", self.inner)
        scope = {"type": "http", "method": method, "headers": headers}

        async def sink(_: Any) -> None:
            pass

        await self.sessions.answer(inner, scope, None, sink, who)


def test_a_key_has_half_of_the_sessions_and_others_the_rest() -> None:
    async def story() -> None:
        world = World()
        for _ in range(2):
            await world.ask("greedy")
        for version in (OLD, ""):
            with pytest.raises(RateLimitedError, match="too many sessions"):
                await world.ask("greedy", version=version)
        await world.ask("greedy", version="2026-07-28")  # has none
        for who in ("one", "other"):
            await world.ask(who)
        with pytest.raises(RateLimitedError):
            await world.ask("third")
        await world.ask("greedy", session="s1")

    run(story())


def test_a_session_that_ended_or_is_idle_leaves_its_place() -> None:
    async def story() -> None:
        world = World()
        for _ in range(2):
            await world.ask("a")
        await world.ask("a", "DELETE", "s1")
        assert not world.sessions.is_open("s1")
        await world.ask("a")
        world.clock.now = 60.0
        await world.ask("a", session="s2")
        world.clock.now = 120.0
        assert [world.sessions.is_open(name) for name in ("s2", "s3", "s4", None)] == [True, False, False, False]
        await world.ask("a")
        with pytest.raises(RateLimitedError):
            await world.ask("a")
        world.status = 404  # the server has ended it
        await world.ask("a", session="s2")
        world.status = 200
        await world.ask("a")

    run(story())


def test_a_session_that_is_listened_in_is_not_idle() -> None:
    async def story() -> None:
        world, ending = World(), asyncio.Event()
        await world.ask("a")

        async def listening(scope: Any, receive: Any, send: Any) -> None:
            await ending.wait()

        stream = asyncio.ensure_future(world.ask("a", "GET", "s1", inner=listening))
        await asyncio.sleep(0)
        world.clock.now = 1000.0
        assert world.sessions.is_open("s1")
        ending.set()
        await stream
        world.clock.now = 1099.0
        assert world.sessions.is_open("s1")
        world.clock.now = 1100.0
        assert not world.sessions.is_open("s1")

    run(story())


def test_nobody_ends_or_keeps_the_session_of_another_key() -> None:
    async def story() -> None:
        world = World()
        await world.ask("a")
        world.status = 404
        for method in ("POST", "DELETE"):
            await world.ask("b", method, "s1")
        assert world.sessions.is_open("s1")
        world.clock.now = 99.0
        await world.ask("b", session="s1")
        world.clock.now = 100.0
        assert not world.sessions.is_open("s1")

    run(story())


@pytest.mark.parametrize("version", [OLD, "2026-07-28"])
def test_a_session_that_nobody_began_takes_no_place(version: str) -> None:
    async def story() -> None:
        world = World()
        for number in range(10):
            await world.ask("greedy", session=f"made up {number}", version=version)
        for who in ("greedy", "one", "other"):
            await world.ask(who)

    run(story())


def test_what_did_not_begin_takes_no_place() -> None:
    async def story() -> None:
        world = World(2)
        world.status = 400
        for _ in range(3):
            await world.ask("a")
        world.status = 200

        async def broken(scope: Any, receive: Any, send: Any) -> None:
            raise OSError

        with pytest.raises(OSError):
            await world.ask("a", inner=broken)
        await world.ask("a")
        with pytest.raises(RateLimitedError):
            await world.ask("a")

    run(story())


def test_sessions_that_begin_at_once_count_before_they_are_there() -> None:
    async def story() -> list[Any]:
        world, going = World(), asyncio.Event()

        async def slow(scope: Any, receive: Any, send: Any) -> None:
            await going.wait()
            await world.inner(scope, receive, send)

        asked = [asyncio.ensure_future(world.ask("a", inner=slow)) for _ in range(5)]
        await asyncio.sleep(0)
        going.set()
        return [type(one) for one in await asyncio.gather(*asked, return_exceptions=True)]

    assert run(story()) == [type(None)] * 2 + [RateLimitedError] * 3


@pytest.mark.filterwarnings("ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning")
def test_over_http_a_session_that_ended_leaves_the_place_of_what_it_watched(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensemem.adapters.mcp.notices.MOST", 2)
    rung = asyncio.Event()

    async def handle(message: Any) -> None:
        if getattr(message, "method", "") == "notifications/resources/updated":
            rung.set()

    async def story() -> None:
        async with serving(path) as (url, access):
            token = access.mint(role="write")[1]
            for number in range(3):
                http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"})
                way = streamable_http_client(url, http_client=http)
                async with http, Client(way, mode="legacy", message_handler=handle) as client:
                    await client.subscribe_resource("memory://state")
                    rung.clear()
                    await client.call_tool("memory_set", {"predicate": "lives_in", "value": f"city {number}"})
                    await rung.wait()

    run(story())


def test_over_http_a_key_that_opens_too_many_is_told_and_another_is_let_in(path: Path) -> None:
    body = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": OLD, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }  # fmt: skip

    async def story() -> list[Any]:
        async with serving(path, sessions=Sessions(4)) as (url, access), httpx2.AsyncClient() as web:
            tokens = [access.mint(role="read")[1] for _ in range(2)]

            async def ask(number: int, method: str = "POST", **more: str) -> httpx2.Response:
                headers = {
                    "Authorization": f"Bearer {tokens[number]}", "Content-Type": "application/json",
                    "Accept": "application/json, text/event-stream", **more,
                }  # fmt: skip
                content = json.dumps(body) if method == "POST" else None
                return await web.request(method, url, content=content, headers=headers)

            found: list[Any] = [await ask(0) for _ in range(3)]
            found.append(await ask(1))
            session = {"Mcp-Session-Id": found[0].headers["mcp-session-id"], "Mcp-Protocol-Version": OLD}
            found.append(await ask(0, "DELETE", **session))
            found.append(await ask(0))
            return found

    first, second, refused, neighbour, ended, again = run(story())
    assert [one.status_code for one in (first, second, neighbour, ended, again)] == [200] * 5
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "60"
    assert refused.json()["type"] == "urn:tensemem:problem:rate-limited"
