"""The application: which path is what, and that every request has an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from tensemem import AsyncMemory, errors
from tensemem.access import Access, Rate, guard, path_of
from tensemem.logs import Log
from tensemem.wire import SERVED, Served

from .answers import send_answer
from .calls import Call, Gone, Receive, Scope, Send
from .carrying import Backup, Export, Import, sweep_copies
from .drawn import History
from .limits import Limits
from .live import Changes
from .refusals import answer_to
from .serving import Serving
from .sites import Sites
from .sizes import Sizes
from .states import GOING, StateVerb
from .values import Value
from .verbs import Verb

log = Log("rest")

Handler = Callable[[Call], Awaitable[None]]

KINDS: Mapping[str, type[Verb]] = {
    "get": Value, "changes": Changes, "history": History, "export": Export, "import_": Import, "backup": Backup,
    "stats": Sizes,
}  # fmt: skip
"""Verbs that are served in a way of their own."""


class Application:
    """An ASGI application that serves one open memory. ``ending.begin()`` has everybody who waits be answered.

    It is started by its first request, or by the lifespan of whoever runs it, which also ends it.
    """

    def __init__(self, serving: Serving, guarded: Callable[[Any], Any] | None = None) -> None:
        self.serving = serving
        self.ending = serving.ending
        self._entry: Any = self._answered if guarded is None else guarded(self._answered)
        self._verbs = {served.path: _verb(serving, served) for served in SERVED.values()}
        self._sites = Sites(serving)
        self._fast = SERVED["state"].path
        self._states = StateVerb(serving, SERVED["state"])
        self._verbs[self._fast] = self._states
        self._starting: asyncio.Future[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._taken_off: Callable[[], None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or go through a lifespan."""
        await self._entry(scope, receive, send)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = scope["type"]
        if kind == "http":
            messages = self._states.at_once(scope) if path_of(scope) == self._fast else None
            if messages is None:
                await self._http(Call(scope, receive, send))
            else:
                for message in messages:
                    await send(message)
        elif kind == "lifespan":
            await self._lifespan(receive, send)
        elif kind == "websocket":
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, call: Call) -> None:
        started = _Started(call.send)
        call.send = started
        try:
            if self._taken_off is None:
                await self._start()
            await self._handler(call)(call)
        except Gone:
            return
        except Exception as error:
            if started.is_begun:
                raise  # the connection is cut: who reads sees that the answer is not whole
            await send_answer(call, answer_to(error))
        finally:
            if call.held:
                self.serving.held.give_back(call)

    def _handler(self, call: Call) -> Handler:
        path = path_of(call.scope)
        return self._verbs.get(path) or self._sites.handler(path)

    async def _start(self) -> None:
        """Open the memory, and hear of what happens in it; once."""
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._opened())
        await asyncio.shield(self._starting)

    async def _opened(self) -> None:
        memory = self.serving.memory
        off = [await memory.on(self.serving.metrics), await memory.on(self._heard)]
        self.serving.own_watchers = 1
        await self.serving.beside(lambda: sweep_copies(self.serving.engine.store.location))
        self._loop = asyncio.get_running_loop()
        self._states.begin()

        def take_off() -> None:
            for one in off:
                one()

        self._taken_off = take_off

    def _heard(self, event: str, _fields: Mapping[str, Any]) -> None:
        if event in GOING:
            with suppress(RuntimeError):  # the loop has ended, and nothing is served from what is kept
                if self._loop is not None:
                    self._loop.call_soon_threadsafe(self._states.forget)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self._start()
        except errors.TensememError as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.ending.begin()
        if self._taken_off is not None:
            self._taken_off()
        self._states.close()
        self.serving.close()
        await send({"type": "lifespan.shutdown.complete"})


class _Started:
    """Sends, and knows whether an answer was begun."""

    __slots__ = ("_send", "is_begun")

    def __init__(self, send: Send) -> None:
        self._send, self.is_begun = send, False

    async def __call__(self, message: Any) -> None:
        self.is_begun = True
        await self._send(message)


def _verb(serving: Serving, served: Served) -> Verb:
    return KINDS.get(served.name, Verb)(serving, served)


def app(
    memory: AsyncMemory, *, access: Access, token: str | None = None, hosts: Iterable[str] = (),
    origins: Iterable[str] = (), rate: Rate | None = None, rereader: Any = None, limits: Limits | None = None,
) -> Application:  # fmt: skip
    """Give the ASGI application that serves an open memory, behind its guard.

    ``access`` are its keys. ``token`` is the server's own, of an admin. ``hosts`` are names it may be asked under
    besides its machine's, ``origins`` pages of other servers that may ask, ``rate`` how often each key may.
    ``rereader`` is the extractor that ``reextract`` asks, where it is not the memory's own. The memory stays open when
    the application ends. Raises InvalidValueError.
    """
    if not isinstance(access, Access):  # None above all: it would serve whoever comes
        raise errors.InvalidValueError("access must be the keys of those who may ask: Access.open(...)")
    serving = Serving(memory, access, rereader, limits=limits or Limits())
    return Application(
        serving, lambda inside: guard(inside, access, token=token, hosts=hosts, origins=origins, rate=rate)
    )


def unguarded(memory: AsyncMemory, *, rereader: Any = None, limits: Limits | None = None) -> Application:
    """Give the application alone, which asks nobody who they are: for tests of what it answers."""
    return Application(Serving(memory, None, rereader, limits=limits or Limits()))
