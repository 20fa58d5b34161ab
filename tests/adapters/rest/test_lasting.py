"""What may take long is let: it ends when it is done, when nobody waits any more, or when the server ends."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory, errors
from tensemem.adapters.rest import Limits
from tensemem.adapters.rest.app import unguarded
from tensemem.client.failing import failure_in_transport
from tensemem.client.requests import LASTING_SECONDS, request_of
from tensemem.wire import SERVED
from tests.adapters.rest.bench import served
from tests.adapters.rest.test_requests import kind
from tests.engine.bench import Clock, Told

MODEL = {"add_many": False, "preview": True, "flush": True, "reextract": True, "plan_reextract": True}
"""Verbs that may ask a model, and whether they always may."""


class Posting:
    """A request that was sent and whose answer is waited for; ``gone`` says that nobody does any more."""

    def __init__(self, application: Any, verb: str, **given: Any) -> None:
        self.gone, self.status, self.body = asyncio.Event(), 0, b""
        self._bodies = [json.dumps(given).encode()]
        scope = {
            "type": "http", "method": "POST", "path": f"/v1/{verb}", "query_string": b"", "state": {},
            "headers": [(b"content-type", b"application/json")], "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 1),
        }  # fmt: skip
        self.task = asyncio.ensure_future(application(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if self._bodies:
            return {"type": "http.request", "body": self._bodies.pop(), "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")

    async def over(self) -> Any:
        async with asyncio.timeout(20):
            await self.task
        return json.loads(self.body) if self.body else None


@asynccontextmanager
async def serving(path: Path, clock: Clock, **options: Any) -> AsyncIterator[Any]:
    async with AsyncMemory(path, clock=clock, worker=False, durability="process", **options) as memory:
        yield unguarded(memory)


@pytest.mark.parametrize("end", ["server", "caller"])
@pytest.mark.parametrize("given", [{"timeout": 600}, {}])
def test_a_flush_ends_with_the_server_and_with_who_waits_for_it(
    path: Path, mem: Memory, clock: Clock, monkeypatch: pytest.MonkeyPatch, end: str, given: dict[str, Any]
) -> None:
    real, asked, is_asked = AsyncMemory.flush, list[Any](), asyncio.Event()

    async def slow(self: AsyncMemory, *names: Any, timeout: float = 10.0, **options: Any) -> Any:
        asked.append(timeout)
        is_asked.set()
        if timeout:
            await asyncio.Event().wait()
        return await real(self, *names, timeout=timeout, **options)

    monkeypatch.setattr(AsyncMemory, "flush", slow)

    async def ask() -> None:
        async with serving(path, clock) as application:
            posting = Posting(application, "flush", user_id="ann", **given)
            await is_asked.wait()
            if end == "caller":
                posting.gone.set()
                assert await posting.over() is None
                return
            application.ending.begin()
            assert (await posting.over())["pending"] == 0
            assert posting.status == 200

    asyncio.run(ask())
    longest = 60.0 if given else 10.0
    assert asked == ([longest] if end == "caller" else [longest, 0.0])


def test_a_preview_may_take_as_long_as_a_model_does(path: Path, mem: Memory, clock: Clock) -> None:
    waited = threading.Event()

    class Slow(Told):
        def extract(self, request: Any) -> Any:
            waited.wait(0.2)
            return super().extract(request)

    with served(path, clock=clock, llm=Slow(), limits=Limits(seconds=0.05)) as web:
        found = web.verb("POST", "preview", user_id="ann", messages_or_operations=[{"user_id": "ann", "content": "hi"}])
        assert found.status_code == 200, found.text


@pytest.mark.parametrize("dry_run", [True, False])
def test_of_what_never_writes_nobody_is_told_that_it_may_have(
    path: Path, mem: Memory, clock: Clock, monkeypatch: pytest.MonkeyPatch, dry_run: bool
) -> None:
    async def never(*_given: Any, **_options: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(AsyncMemory, "correct", never)
    with served(path, clock=clock, limits=Limits(seconds=0.05)) as web:
        answer = web.verb("POST", "correct", fact_id="f", dry_run=dry_run)
    assert (answer.status_code, kind(answer)) == (503, "unavailable" if dry_run else "outcome-unknown")


def test_a_client_goes_by_the_same_table() -> None:
    import httpx2

    for served_ in SERVED.values():
        given: dict[str, Any] = {"messages_or_operations": []} if served_.name == "preview" else {}
        request = request_of(served_, given, 60.0) if served_.method == "POST" else None
        if request is None:
            assert served_.only_looks
            continue
        assert (request.seconds >= LASTING_SECONDS) == served_.lasts
        assert request.is_repeatable or request.may_write
        failed = failure_in_transport(httpx2, "http://x", request, httpx2.ReadError("cut"))
        assert isinstance(failed.error, errors.OutcomeUnknownError) == request.may_write


def test_who_may_ask_a_model_may_take_long() -> None:
    assert all(SERVED[name].lasts for name in MODEL)
    assert {name for name, one in SERVED.items() if one.only_looks and one.method == "POST"} == {
        "preview", "verify", "plan_reextract",
    }  # fmt: skip
    trials = [one for one in SERVED.values() if one.parameter("dry_run") is not None]
    assert trials
    assert all(one.may_write({"dry_run": False}) and not one.may_write({"dry_run": True}) for one in trials)
