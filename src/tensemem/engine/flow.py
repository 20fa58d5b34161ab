"""Flows: the walk written once, finished by a blocking driver or by an awaiting one.

A flow is a generator that yields what it waits for: a transaction (``Work``), a question to a model (``Ask``) or a
pause (``Pause``). It is given the outcome, and its errors are thrown into it, so that it reads like plain code.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from ..extract.calling import Answer, CallableExtractor
from ..ports import ExtractionRequest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Work:
    """A whole unit of work on the store; it may block, but only for the store."""

    call: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to a model; no transaction is open meanwhile."""

    extractor: CallableExtractor
    request: ExtractionRequest


@dataclass(frozen=True, slots=True)
class Pause:
    """Sleep until something may have changed, at most ``seconds``; ``wait`` blocks, and tells nothing."""

    seconds: float
    wait: Callable[[float], None]


Step: TypeAlias = Work | Ask | Pause
Flow: TypeAlias = Generator[Step, Any, T]


def once(call: Callable[[], T]) -> Flow[T]:
    """Make a flow of one unit of work."""
    result: T = yield Work(call)
    return result


def run(flow: Flow[T]) -> T:
    """Finish a flow, blocking."""
    return _finish(flow, _do)


def _finish(flow: Flow[T], do: Callable[[Step], Any]) -> T:
    try:
        step = next(flow)
        while True:
            try:
                outcome = do(step)
            except BaseException as error:
                step = flow.throw(error)
            else:
                step = flow.send(outcome)
    except StopIteration as done:
        value: T = done.value
        return value


def _do(step: Step) -> Any:
    if isinstance(step, Work):
        return step.call()
    if isinstance(step, Ask):
        return step.extractor.call(step.request)
    return step.wait(step.seconds)


async def arun(flow: Flow[T], executor: Executor) -> T:
    """Finish a flow without ever blocking the loop: work runs in the executor, whole units at a time."""
    loop = asyncio.get_running_loop()
    try:
        step = next(flow)
        while True:
            try:
                outcome = await _ado(step, loop, executor)
            except BaseException as error:
                step = flow.throw(error)
            else:
                step = flow.send(outcome)
    except StopIteration as done:
        value: T = done.value
        return value


async def _ado(step: Step, loop: asyncio.AbstractEventLoop, executor: Executor) -> Any:
    if isinstance(step, Work):
        return await _shielded(loop.run_in_executor(executor, step.call))
    if isinstance(step, Ask):
        answer: Answer = await step.extractor.acall(step.request)
        return answer
    await asyncio.sleep(min(step.seconds, 0.02))
    return None


async def _shielded(work: Awaitable[Any]) -> Any:
    """Wait for a unit of work; a cancelled caller lets it end, so that its transaction is whole."""
    return await asyncio.shield(asyncio.ensure_future(work))
