"""AsyncMemory: the same verbs, awaited; the event loop is never blocked.

The verbs are those of Memory, as flows; the awaiting driver finishes them, so that nothing but the awaiting differs.
The types a checker sees stand in aio.pyi.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterable, AsyncIterator, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing, contextmanager
from functools import partial, wraps
from types import TracebackType
from typing import Any, Self

from .engine.awaiting import AwaitingDriver, finished
from .engine.core import Engine
from .engine.flow import once
from .engine.record import store_batch, store_many
from .engine.watching import Call, watched
from .engine.wiring import DEFAULT_NAMESPACE
from .engine.write import AskedKey
from .memory import Memory
from .model.operation import Message
from .model.predicate import Predicate
from .model.results import AddResult, RestoreReport, WriteResult
from .verbs.awaited import AsyncScopedMemory
from .verbs.base import Standing, standing_in
from .verbs.batching import batches_of
from .verbs.keeping import Keeping
from .verbs.moving import Moving
from .verbs.reading import Reading
from .verbs.scoped import Verb, named_in, public_verbs
from .verbs.turns import AsyncTurn, Turning
from .verbs.watched import call_of, done
from .verbs.writing import Writing

_READS = {name for name in vars(Reading) if name != "search"}  # which brings its index up to date, so it may write


class _Flows(Writing, Reading, Keeping, Moving):
    """The verbs of an open memory as flows; whoever calls one finishes it."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._engine: Engine = memory._engine

    def _run(self, flow: Any) -> Any:
        return flow

    def _watch_calls(self) -> None:
        """Whoever awaits a verb looks for those who watch."""


class AsyncMemory:
    """Memory for asyncio: every verb of Memory, to be awaited; the same arguments, results and errors.

    It opens in a thread of its own; the first verb, or ``async with``, waits for that and raises what opening raised.
    A cancelled caller is told so at once; what it had begun is kept whole, what it had not begun is never done. An
    async extractor is awaited in the caller's loop by ``flush`` and ``preview``, and in a loop of its own by the
    background worker.

    Safe to use from many tasks, threads and event loops. Raises StoreError and its kinds.
    """

    @wraps(Memory.__init__)  # type: ignore[misc]  # its signature, for whoever inspects this one
    def __init__(self, /, *args: Any, **options: Any) -> None:
        given = inspect.signature(Memory).bind(*args, **options)  # what can't be an argument is told here
        self._namespace: str = given.arguments.get("namespace") or DEFAULT_NAMESPACE
        self._driver = AwaitingDriver()
        self._door = ThreadPoolExecutor(1, thread_name_prefix="tensemem-door")
        self._opening = self._door.submit(lambda: _Flows(Memory(*args, **options)))
        self._closing: Future[None] | None = None
        self._lock = threading.Lock()

    @classmethod
    @wraps(Memory.restore.__func__)  # type: ignore[attr-defined]  # with its first argument, as a class method has
    async def restore(cls, /, *args: Any, **options: Any) -> RestoreReport:
        return await asyncio.to_thread(Memory.restore, *args, **options)

    def for_user(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> AsyncScopedMemory:
        """Give the same verbs bound to one scope; ids of other scopes are unknown to it.

        Not awaited, since nothing is read. Raises InvalidScopeError; before the memory is open, the first verb does.
        """
        if self._is_open():
            self._opening.result()._scope(user_id, agent_id, namespace)
        return AsyncScopedMemory(self, user_id, agent_id, self._namespace if namespace is None else namespace)

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
        flows = await finished(self._opening)
        engine, where = flows._engine, flows._namespace(namespace)
        list(store_many(engine, (), batch, where))  # refuses a batch that is no number of messages
        with _watched_stream(engine, where) as fields:
            async with aclosing(batches_of(messages, batch)) as batches:
                async for some in batches:
                    for result in await self._driver.finish(once(partial(store_batch, engine, some, where))):
                        fields["count"] = fields.get("count", 0) + 1
                        yield result

    async def close(self, *, timeout: float = 5.0) -> None:
        """Stop the worker, waiting some seconds for the message being extracted, and close the file.

        Tasks that still use the memory get ClosedError. What was acknowledged is kept. Closing twice is fine, and
        closing goes on where the caller is cancelled.
        """
        await finished(self._begin_closing(timeout))

    async def __aenter__(self) -> Self:
        try:
            await finished(self._opening)
        except BaseException:
            self._begin_closing(0)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        if self._is_open():
            return f"Async{self._opening.result().memory!r}"
        return f"AsyncMemory({'not open' if self._opening.done() else 'opening'})"

    @property
    def _engine(self) -> Engine:
        """The engine of a memory that is open: one of whose verbs has been awaited."""
        return self._opening.result()._engine

    def _standing(self, namespace: str, _known: Sequence[Predicate]) -> Standing:
        """Give what the tools of a bound memory go by, once the predicates were read."""
        return standing_in(self._engine, namespace)

    async def _made_before(self, user_id: str, agent_id: str, namespace: str, key: AskedKey) -> WriteResult | None:
        """Give the receipt of what was written under a key before, as a plain memory does."""
        flows = await finished(self._opening)
        flow: Any = flows._made_before(user_id, agent_id, namespace, key)
        found: WriteResult | None = await self._driver.finish(flow)
        return found

    def _is_open(self) -> bool:
        return self._opening.done() and self._opening.exception() is None

    def _begin_closing(self, timeout: float) -> Future[None]:
        with self._lock:
            if self._closing is None:
                self._closing = self._door.submit(self._close, timeout)
                self._door.shutdown(wait=False)
            return self._closing

    def _close(self, timeout: float) -> None:
        try:
            if self._is_open():
                self._opening.result().memory.close(timeout=timeout)
        finally:
            self._driver.close()


@contextmanager
def _watched_stream(engine: Engine, namespace: str) -> Iterator[dict[str, Any]]:
    """Have those who watch stand around a stream, if there are any; gives what they are told of it."""
    if not engine.watchers:
        yield {}
        return
    with watched(engine, Call("verb", "add_many", namespace, streams=True)) as call:
        yield call.fields


def _awaited(name: str, verb: Verb) -> Verb:
    reads = name in _READS

    @wraps(verb)
    async def call(self: AsyncMemory, /, *args: Any, **keywords: Any) -> Any:
        flows = await finished(self._opening)
        if flows._engine.watchers and name != "on":
            return await _in_sight(self, flows, args, keywords)
        flow = verb(flows, *args, **keywords)
        return await self._driver.finish(flow, reads=reads) if isinstance(flow, Generator) else flow

    async def _in_sight(self: AsyncMemory, flows: _Flows, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        with watched(flows._engine, call_of(flows._engine, name, verb, (flows, *args), keywords)) as seen:
            flow = verb(flows, *args, **keywords)
            return done(seen, await self._driver.finish(flow, reads=reads) if isinstance(flow, Generator) else flow)

    return named_in(AsyncMemory, name, call)


for _name, _verb in public_verbs().items():
    if _name not in vars(AsyncMemory):
        setattr(AsyncMemory, _name, _awaited(_name, _verb))
