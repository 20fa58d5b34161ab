"""Changes as server-sent events: in order, once each, taken up where they broke off, whoever made them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.access import Access
from tensemem.adapters.rest import Limits, app
from tensemem.adapters.rest.app import unguarded
from tests.adapters.rest.bench import Web, events_in, served
from tests.adapters.rest.test_requests import kind
from tests.engine.bench import Clock, lives, speaks

STREAM = {"accept": "text/event-stream"}


class Listening:
    """One stream of changes, asked for as a server hands it over: what was sent so far, and when it was over."""

    def __init__(self, application: Any, query: str, **headers: str) -> None:
        self.text, self.status, self.headers = "", 0, dict[str, str]()
        self.gone = asyncio.Event()
        self._came = asyncio.Event()
        given = {**STREAM, **headers}
        scope = {
            "type": "http", "method": "GET", "path": "/v1/changes", "query_string": query.encode(), "state": {},
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
            "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1),
        }  # fmt: skip
        self.task = asyncio.ensure_future(application(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.text += message["body"].decode()
        self._came.set()

    @property
    def values(self) -> list[Any]:
        """The values of the events so far."""
        return [event["data"]["value"] for event in events_in(self.text)]

    async def until(self, done: Any) -> None:
        """Wait until something is true of what was sent."""
        async with asyncio.timeout(20):
            while not done():
                self._came.clear()
                await self._came.wait()

    async def over(self) -> None:
        async with asyncio.timeout(20):
            await self.task


@asynccontextmanager
async def serving(path: Path, clock: Clock, access: Any = None, **limits: Any) -> AsyncIterator[Any]:
    async with AsyncMemory(path, clock=clock, worker=False, durability="process") as memory:
        limited = Limits(**limits)
        yield unguarded(memory, limits=limited) if access is None else app(memory, access=access, limits=limited)


def test_changes_come_as_they_are_made_whoever_makes_them(path: Path, mem: Memory, clock: Clock) -> None:
    async def listen() -> None:
        async with serving(path, clock) as application:
            mem.set("ann", "lives_in", "Delhi")
            heard = Listening(application, "user_id=ann")
            await heard.until(lambda: heard.values == ["Delhi"])
            assert heard.headers["content-type"] == "text/event-stream"
            assert heard.headers["cache-control"] == "no-store"
            await asyncio.to_thread(mem.set, "ann", "lives_in", "Pune")  # of another process, as far as it knows
            await heard.until(lambda: heard.values == ["Delhi", "Delhi", "Pune"])
            await application.serving.memory.set("ann", "lives_in", "Goa")
            await heard.until(lambda: heard.values[-1] == "Goa")
            await asyncio.to_thread(mem.set, "bob", "lives_in", "Oslo")  # of no concern
            heard.gone.set()
            await heard.over()
            assert "Oslo" not in heard.text

    asyncio.run(listen())


def test_a_stream_is_taken_up_behind_the_last_event_that_came(path: Path, mem: Memory, clock: Clock) -> None:
    places = ["Delhi", "Pune", "Goa", "Oslo"]
    for place in places:
        mem.set("ann", "lives_in", place)
    mem.write("ann", [lives("Rome"), speaks("Go"), speaks("SQL")])
    whole = [(change.rev, change.kind, change.value) for change in mem.changes("ann")]

    async def listen() -> None:
        async with serving(path, clock) as application:
            first = Listening(application, "user_id=ann")
            await first.until(lambda: len(events_in(first.text)) == len(whole))
            first.gone.set()
            await first.over()
            events = events_in(first.text)
            assert [(e["data"]["rev"], e["data"]["kind"], e["data"]["value"]) for e in events] == whole
            assert {event["event"] for event in events} == {"change"}
            for number in range(len(events)):  # cut off behind each of them
                last = next((e["id"] for e in reversed(events[: number + 1]) if "id" in e), None)
                headers = {} if last is None else {"last-event-id": last}
                again = Listening(application, "user_id=ann&after_rev=0", **headers)
                rest = [one for one in whole if one[0] > int(last or 0)]
                seen = [one for one in whole[: number + 1] if one[0] <= int(last or 0)]
                await again.until(lambda again=again, rest=rest: len(events_in(again.text)) == len(rest))
                again.gone.set()
                await again.over()
                found = [(e["data"]["rev"], e["data"]["kind"], e["data"]["value"]) for e in events_in(again.text)]
                assert seen + found == whole

    asyncio.run(listen())


def test_only_the_last_change_of_a_revision_has_its_id(path: Path, mem: Memory, clock: Clock) -> None:
    mem.write("ann", [lives("Rome"), speaks("Go"), speaks("SQL")])

    async def listen() -> None:
        async with serving(path, clock) as application:
            heard = Listening(application, "user_id=ann")
            await heard.until(lambda: len(events_in(heard.text)) == 3)
            assert [event.get("id") for event in events_in(heard.text)] == [None, None, "1"]
            heard.gone.set()
            await heard.over()

    asyncio.run(listen())


def test_a_stream_says_that_it_lives_and_ends_with_the_server(path: Path, mem: Memory, clock: Clock) -> None:
    async def listen() -> None:
        async with serving(path, clock, heartbeat_seconds=0.05) as application:
            heard = Listening(application, "user_id=ann")
            await heard.until(lambda: heard.text.count("\n:\n") >= 3)
            application.ending.begin()
            await heard.over()
            assert heard.status == 200

    asyncio.run(listen())


def test_a_stream_ends_when_its_key_does(path: Path, mem: Memory, clock: Clock) -> None:
    async def listen() -> None:
        with Access.open(f"{path}-access") as keys:
            key, token = keys.mint("", "read", users=["ann"])
            async with serving(path, clock, keys, heartbeat_seconds=0.05) as application:
                heard = Listening(application, "user_id=ann", authorization=f"Bearer {token}", host="localhost")
                await heard.until(lambda: heard.status == 200)
                keys.revoke(key.id)
                await heard.over()
                other = Listening(application, "user_id=ann", authorization=f"Bearer {token}", host="localhost")
                await other.over()
                assert other.status == 401

    asyncio.run(listen())


def test_one_key_leaves_room_for_the_streams_of_others(path: Path, mem: Memory, clock: Clock) -> None:
    async def listen() -> None:
        with Access.open(f"{path}-access") as keys:
            tokens = [keys.mint("", "read", users=["ann"])[1] for _ in range(2)]
            async with serving(path, clock, keys, watched=5, watched_by_one=2) as application:

                def listening(token: str) -> Listening:
                    return Listening(application, "user_id=ann", authorization=f"Bearer {token}", host="localhost")

                for token in tokens:
                    heard = [listening(token) for _ in range(2)]
                    for one in heard:
                        await one.until(lambda one=one: one.status == 200)
                    refused = listening(token)
                    await refused.over()
                    assert refused.status == 503
                    heard[0].gone.set()
                    await heard[0].over()
                    again = listening(token)
                    await again.until(lambda again=again: again.status == 200)
                application.ending.begin()

    asyncio.run(listen())


@pytest.mark.parametrize("change", ["revoked", "limited"])
def test_a_key_that_opens_no_more_is_not_told_what_came_since(
    path: Path, mem: Memory, clock: Clock, change: str
) -> None:
    """The change comes at once after the key's end, while its stream waits for one."""

    async def listen() -> None:
        with Access.open(f"{path}-access") as keys:
            key, token = keys.mint("", "read", users=["ann", "bob"])
            async with serving(path, clock, keys, heartbeat_seconds=20) as application:
                heard = Listening(application, "user_id=ann", authorization=f"Bearer {token}", host="localhost")
                await heard.until(lambda: heard.status == 200)
                await asyncio.to_thread(mem.set, "ann", "lives_in", "Delhi")
                await heard.until(lambda: heard.values == ["Delhi"])
                if change == "revoked":
                    keys.revoke(key.id)
                else:
                    keys.forget_person("default", "ann")
                await asyncio.to_thread(mem.set, "ann", "lives_in", "Oslo")
                await heard.over()
                assert heard.values == ["Delhi"]

    asyncio.run(listen())


def test_no_more_streams_than_the_limit_are_open_at_once(path: Path, mem: Memory, clock: Clock) -> None:
    async def listen() -> None:
        async with serving(path, clock, watched=2) as application:
            two = [Listening(application, "user_id=ann") for _ in range(2)]
            for one in two:
                await one.until(lambda one=one: one.status == 200)
            third = Listening(application, "user_id=ann")
            await third.over()
            assert third.status == 503
            assert third.headers["retry-after"] == "1"
            two[0].gone.set()
            await two[0].over()
            fourth = Listening(application, "user_id=ann")
            await fourth.until(lambda: fourth.status == 200)
            for one in (two[1], fourth):
                one.gone.set()
                await one.over()

    asyncio.run(listen())


def test_many_who_listen_hold_no_thread_each(path: Path, mem: Memory, clock: Clock) -> None:
    import threading

    async def listen() -> None:
        async with serving(path, clock) as application:
            heard = [Listening(application, "user_id=ann") for _ in range(150)]
            for one in heard:
                await one.until(lambda one=one: one.status == 200)
            assert threading.active_count() < 120
            await asyncio.to_thread(mem.set, "ann", "lives_in", "Delhi")
            for one in heard:
                await one.until(lambda one=one: one.values == ["Delhi"])
            application.ending.begin()
            for one in heard:
                await one.over()

    asyncio.run(listen())


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "9" * 40, "1 2", "0" * 5000 + "1", "0" * 25 + "9" * 19])
def test_an_id_that_is_none_is_refused(web: Web, last: str) -> None:
    answer = web.get("/v1/changes?user_id=ann", headers={**STREAM, "last-event-id": last})
    assert (answer.status_code, kind(answer)) == (400, "bad-request")


def test_what_has_no_meaning_in_a_stream_is_refused(web: Web) -> None:
    for query in ("user_id=ann&limit=3", "user_id=ann&wait=5", "user_id=%00", ""):
        answer = web.get(f"/v1/changes?{query}", headers=STREAM)
        assert answer.status_code == 400, query
        kind(answer)


@pytest.mark.parametrize("given", [{}, STREAM])
def test_who_is_ahead_of_the_log_is_told_and_not_let_wait(web: Web, mem: Memory, given: dict[str, str]) -> None:
    """Another copy of the memory was restored, say."""
    mem.set("ann", "lives_in", "Delhi")
    answer = web.get("/v1/changes?user_id=ann&after_rev=50", headers=given)
    assert (answer.status_code, kind(answer)) == (409, "conflict")
    answer = web.get("/v1/changes?user_id=ann", headers={**STREAM, "last-event-id": "50"})
    assert (answer.status_code, kind(answer)) == (409, "conflict")


@pytest.mark.parametrize(("query", "statuses"), [("", {0, 200}), ("&after_rev=1", {0})])
def test_nothing_waits_for_who_has_gone_away(
    path: Path, mem: Memory, clock: Clock, query: str, statuses: set[int]
) -> None:
    """What there is may be on its way before it is seen that nobody takes it; what there is not is not waited for."""
    mem.set("ann", "lives_in", "Delhi")

    async def ask() -> None:
        async with serving(path, clock) as application:
            asked = Listening(application, f"user_id=ann&wait=50{query}", accept="application/json")
            asked.gone.set()
            await asked.over()
            assert asked.status in statuses

    asyncio.run(ask())


def test_a_long_poll_returns_as_soon_as_there_is_a_change(path: Path, mem: Memory, clock: Clock) -> None:
    with served(path, clock=clock) as web:
        mem.set("ann", "lives_in", "Delhi")
        assert [one["value"] for one in web.ok("GET", "changes", user_id="ann", wait=30)["items"]] == ["Delhi"]
        assert web.ok("GET", "changes", user_id="ann", after_rev=1, wait=0.05)["items"] == []
