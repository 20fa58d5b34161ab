"""Have the verbs of every memory that a test opens go through a client and a server, in this process.

The test does not know: it calls a Memory, whose verb sends a request, which the server answers from that very memory.
So whatever a test says of verbs is said of the client too.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import wraps
from typing import Any

import httpx2
import pytest

from tensemem import AsyncMemory, Client, Memory, Reextraction
from tensemem.adapters.rest.app import unguarded
from tensemem.aio import _Flows  # type: ignore[attr-defined]  # which its stub does not show
from tensemem.engine.awaiting import AwaitingDriver
from tensemem.verbs.scoped import public_verbs
from tensemem.wire import SERVED

ADDRESS = "http://localhost:7340"
ASKING = {"preview": 2, "reextract": 1, "plan_reextract": 1}
"""Where the arguments of verbs have an extractor: one that a test brings is asked without a server."""


class _Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


class _InProcess(httpx2.BaseTransport):
    """Sends a request to an application of this process, as a server does; gives its whole answer."""

    def __init__(self, loop: _Loop, application: Any) -> None:
        self._loop, self._application = loop, application

    def handle_request(self, request: Any) -> Any:
        return self._loop.run(self._answer(request, request.read()))

    async def _answer(self, request: Any, body: bytes) -> Any:
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": request.method,
            "path": request.url.path, "raw_path": request.url.raw_path.partition(b"?")[0],
            "query_string": request.url.query, "root_path": "", "scheme": "http", "client": ("127.0.0.1", 1),
            "headers": [(name.lower(), value) for name, value in request.headers.raw], "server": ("localhost", 7340),
            "state": {},
        }  # fmt: skip
        given = iter([{"type": "http.request", "body": body, "more_body": False}])
        sent: list[Any] = []

        async def receive() -> Any:
            found = next(given, None)
            if found is None:
                await asyncio.Future()
            return found

        async def send(message: Any) -> None:
            sent.append(message)

        await self._application(scope, receive, send)
        head = sent[0]
        return httpx2.Response(
            head["status"], headers=head["headers"], content=b"".join(part.get("body", b"") for part in sent[1:]),
            request=request,
        )  # fmt: skip


class Way:
    """The way of a memory's verbs through a server."""

    def __init__(self, memory: Memory, loop: _Loop) -> None:
        self._loop = loop
        served = AsyncMemory.__new__(AsyncMemory)
        opening: Future[Any] = Future()
        opening.set_result(_Flows(memory))
        served._namespace, served._driver = memory._engine.namespace, AwaitingDriver()  # type: ignore[attr-defined]
        served._door, served._opening = ThreadPoolExecutor(1), opening  # type: ignore[attr-defined]
        served._closing, served._lock = None, threading.Lock()  # type: ignore[attr-defined]
        self._application = unguarded(served)
        self.client = Client(ADDRESS, namespace=memory._engine.namespace if memory._engine.is_pinned else None)
        self.client._sender._client = httpx2.Client(transport=_InProcess(loop, self._application))
        self.client._setting.home = memory._engine.namespace

    def close(self) -> None:
        self.client.close()
        self._application.serving.close()


@contextmanager
def through_a_server() -> Iterator[None]:
    """Have it so while the block lasts."""
    loop, ways, inside = _Loop(), dict[int, tuple[Memory, Way]](), threading.local()

    def way_of(memory: Memory) -> Way:
        if id(memory) not in ways:
            ways[id(memory)] = memory, Way(memory, loop)
        return ways[id(memory)][1]

    def sent(name: str, verb: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(verb)
        def call(self: Any, /, *args: Any, **keywords: Any) -> Any:
            is_here = getattr(inside, "is_here", False) or type(self) is not Memory or self._engine.closed
            asks = keywords.get("llm") or (args[ASKING[name]] if name in ASKING and len(args) > ASKING[name] else None)
            if is_here or (asks is not None and not isinstance(asks, Reextraction)):
                return verb(self, *args, **keywords)
            inside.is_here = True
            try:
                return getattr(way_of(self).client, name)(*args, **keywords)
            finally:
                inside.is_here = False

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name, verb in public_verbs().items():
            if name in SERVED and name != "add_many":
                patch.setattr(Memory, name, sent(name, verb), raising=False)
        try:
            yield
        finally:
            for _, way in ways.values():
                way.close()
            loop.close()
