"""AsyncClient: the verbs of a client, awaited; the types a checker sees stand in awaited.pyi."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from functools import wraps
from types import TracebackType
from typing import Any, NoReturn, Self

from ..errors import InvalidValueError
from ..memory import Memory
from ..model.operation import Message
from ..model.predicate import Predicate
from ..model.results import AddResult, Change
from ..verbs.awaited import AsyncScopedMemory
from ..verbs.base import Standing
from ..verbs.batching import batches_of
from ..verbs.scoped import Verb, named_in
from ..verbs.turns import AsyncTurn, Turning
from .adding import Batches
from .arguments import bound
from .calling import SHORTCUTS, Flow, flow_of, refusal_of, refused_verbs, served_verbs, standing_of
from .carrying import CARRIED
from .plain import Client, give_verbs, scope_of, shown
from .sending import AwaitingSender
from .watching import stream_of, watched_awaiting


class AsyncClient:
    """Client for asyncio: every verb of Client, to be awaited; the same arguments, results and errors.

    Exports, imports and backups are carried in a thread. Safe to use from many tasks, threads and event loops.
    """

    @wraps(Client.__init__)  # type: ignore[misc]  # its signature, for whoever inspects this one
    def __init__(self, /, *args: Any, **options: Any) -> None:
        self._plain = Client(*args, **options)
        self._setting = self._plain._setting
        self._sender = AwaitingSender.like(self._plain._sender)

    @classmethod
    @wraps(Memory.restore.__func__)  # type: ignore[attr-defined]  # with its first argument, as a class method has
    async def restore(cls, /, *_args: Any, **_options: Any) -> NoReturn:
        raise refusal_of("restore")

    def for_user(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> AsyncScopedMemory:
        """Give the same verbs bound to one scope; ids of other scopes are unknown to it. Not awaited."""
        return AsyncScopedMemory(self, *scope_of(self._setting, user_id, agent_id, namespace))

    @wraps(Turning.turn)
    def turn(self, /, *args: Any, **options: Any) -> AsyncTurn:
        return AsyncTurn.of(Turning.turn(self, *args, **options))  # type: ignore[arg-type]  # it only keeps it

    async def add_many(
        self, messages: Iterable[Message] | AsyncIterable[Message], *, batch: int = 1000, namespace: str | None = None
    ) -> AsyncIterator[AddResult]:
        """Log messages of any users as they come, a transaction per batch and scope; gives a receipt for each.

        Takes plain and async iterables; use it with ``async for``. What was given out is durable. Raises as ``add``
        does; the batches before the bad message are kept.
        """
        sending = Batches(self._setting, batch, namespace)
        if not isinstance(messages, (Iterable, AsyncIterable)):
            raise InvalidValueError(f"add_many takes an iterable of Message objects, not {type(messages).__name__}")
        async with aclosing(batches_of(messages, batch)) as batches:
            async for some in batches:
                for flow in sending.flows(some):
                    for result in await self._finish(flow):
                        yield result

    def watch(
        self, user_id: str, *, after_rev: int = 0, patience: float = 300.0, agent_id: str = "",
        namespace: str | None = None,
    ) -> AsyncIterator[Change]:  # fmt: skip
        """Give every value that changes after a revision, as ``watch`` of a Client does; use it with ``async for``."""
        asked = {"after_rev": after_rev, "agent_id": agent_id, "namespace": namespace}
        return watched_awaiting(self._sender, stream_of(self._setting, user_id, asked, patience))

    async def close(self, *, timeout: float = 5.0) -> None:  # noqa: ARG002 -- as a memory's has it
        """Close the connections; nothing is waited for. Closing twice is fine."""
        self._plain.close()
        await self._sender.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return shown(self, self._setting, self._sender.is_closed)

    async def _finish(self, flow: Flow) -> Any:
        """Send what a flow asks for, until it gives its result."""
        try:
            request = next(flow)
        except StopIteration as done:
            return done.value
        while True:
            answer = await self._sender.send(request)
            try:
                request = flow.send(answer)
            except StopIteration as done:
                return done.value

    def _standing(self, _namespace: str | None, known: Sequence[Predicate]) -> Standing:
        """Give what the tools of a bound memory go by."""
        return standing_of(known)


def _sent(name: str, verb: Verb) -> Verb:
    @wraps(verb)
    async def call(self: AsyncClient, /, *args: Any, **keywords: Any) -> Any:
        return await self._finish(flow_of(self._setting, name, verb, args, keywords))

    return named_in(AsyncClient, name, call)


def _carried(name: str, verb: Verb) -> Verb:
    carry = CARRIED[name]

    @wraps(verb)
    async def call(self: AsyncClient, /, *args: Any, **keywords: Any) -> Any:
        return await asyncio.to_thread(carry, self._setting, self._plain._sender, bound(verb, args, keywords))

    return named_in(AsyncClient, name, call)


def _short(name: str, verb: Verb) -> Verb:
    @wraps(verb)
    async def call(self: AsyncClient, /, *args: Any, **keywords: Any) -> Any:
        return await verb(self, *args, **keywords)

    return named_in(AsyncClient, name, call)


def _refused(name: str, verb: Verb) -> Verb:
    @wraps(verb)
    async def call(*_args: Any, **_keywords: Any) -> NoReturn:
        raise refusal_of(name)

    return named_in(AsyncClient, name, call)


give_verbs(
    AsyncClient,
    ((served_verbs(), _sent), (SHORTCUTS, _short), (CARRIED, _carried), (refused_verbs(), _refused)),
)
