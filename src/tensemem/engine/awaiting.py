"""The awaiting driver: finishes flows for coroutines, and never blocks their event loop.

Work runs in threads, a whole unit at a time; a model is awaited in the caller's loop; a pause takes no thread. A
caller that is cancelled is told so at once. A flow whose first unit of work has not begun is dropped then; one that
has begun goes on without its caller, up to its next question or pause: it ends there, and gives back what it holds.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from ..errors import ClosedError
from ..logs import Log
from .bell import Bell, call_in
from .flow import Ask, Flow, Pause, Step, Work, is_told, persistently

log = Log("engine")

T = TypeVar("T")

THREADS = 32
"""Threads for work that may write, so that as many tasks share a commit, and again as many for work that reads."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a step: a value, or an error."""

    value: Any = None
    error: BaseException | None = None

    def into(self, flow: Flow[Any]) -> Step:
        """Hand it to the flow that waits for it; gives the flow's next step."""
        return flow.send(self.value) if self.error is None else flow.throw(self.error)


class AwaitingDriver:
    """Finishes flows for coroutines, of one event loop or of several."""

    def __init__(self, threads: int = THREADS) -> None:
        # Apart, so that readers, who wait for nobody, don't stand behind writers who wait for the file.
        self._writing = ThreadPoolExecutor(threads, thread_name_prefix="tensemem-write")
        self._reading = ThreadPoolExecutor(threads, thread_name_prefix="tensemem-read")
        self._bell = Bell()
        self._pid = os.getpid()

    async def finish(self, flow: Flow[T], *, reads: bool = False) -> T:
        """Finish a flow; ``reads`` tells that its work does not write. Raises what the flow raises, ClosedError."""
        threads = self._reading if reads else self._writing
        noted, may_drop = self._bell.rings, True
        try:
            step = next(flow)
            while True:
                if isinstance(step, Work):
                    noted = self._bell.rings
                outcome = await self._outcome(flow, step, threads, noted, may_drop=may_drop)
                step, may_drop = outcome.into(flow), False
        except StopIteration as done:
            value: T = done.value
            return value

    def close(self, *, wait: bool = False) -> None:
        """Take no more work; what was begun ends, and is waited for if so told. Whoever pauses looks once more."""
        self._writing.shutdown(wait=wait)
        self._reading.shutdown(wait=wait)
        self._bell.close()

    async def _outcome(
        self, flow: Flow[Any], step: Step, threads: ThreadPoolExecutor, noted: int, *, may_drop: bool
    ) -> Outcome:
        begun: Future[Outcome] | None = None
        try:
            if isinstance(step, Work):
                begun = self._begin(step, threads)
                return await finished(begun)
            if isinstance(step, Ask):
                return await _asked(step)
            await self._sleep(step, noted)
            return Outcome()
        except BaseException:  # the caller is gone: cancelled, interrupted, or its loop ended
            if begun is None or (may_drop and begun.cancel()):
                self._let_end(flow, None, threads)
            else:
                begun.add_done_callback(lambda done: self._let_end(flow, done.result(), threads))
            raise

    async def _sleep(self, pause: Pause, noted: int) -> None:
        """Sleep until something may have changed that is anything to who sleeps, since its rings were noted."""
        while not await self._bell.sleep(pause, noted):
            noted = self._bell.rings
            if pause.has_news is None or await self._is_told(pause):
                return

    async def _is_told(self, pause: Pause) -> bool:
        told: Outcome = await finished(self._begin(Work(partial(is_told, pause)), self._reading))
        return told.error is not None or bool(told.value)

    def _begin(self, work: Work, threads: ThreadPoolExecutor) -> Future[Outcome]:
        refused: Future[Outcome] = Future()
        if os.getpid() != self._pid:  # a forked child has none of the threads; the store says so without them
            refused.set_result(_attempt(work.call))
            return refused
        try:
            return threads.submit(copy_context().run, _attempt, work.call)
        except RuntimeError:  # closed, or the interpreter is ending
            refused.set_result(_refuse(work.call))
            return refused

    def _let_end(self, flow: Flow[Any], last: Outcome | None, threads: ThreadPoolExecutor) -> None:
        """Let a flow end without its caller, in a thread; ``last`` is what became of its work, if it had begun any."""
        try:
            threads.submit(_end, flow, last, _attempt)
        except RuntimeError:
            _end(flow, last, _refuse)


async def finished(work: Future[T]) -> T:
    """Wait for what runs in a thread; gives its result or raises its error. Being cancelled leaves it alone."""
    if not work.done():
        loop = asyncio.get_running_loop()
        woken = asyncio.Event()
        work.add_done_callback(lambda _: call_in(loop, woken.set))
        await woken.wait()
    return work.result()


async def _asked(ask: Ask) -> Outcome:
    try:
        return Outcome(await ask.extractor.acall(ask.request, ask.seconds))
    except Exception as error:
        return Outcome(error=error)


def _attempt(call: Callable[[], Any]) -> Outcome:
    try:
        return Outcome(persistently(call))
    except BaseException as error:
        return Outcome(error=error)


def _refuse(_: Callable[[], Any]) -> Outcome:
    return Outcome(error=ClosedError())


def _end(flow: Flow[Any], last: Outcome | None, do: Callable[[Callable[[], Any]], Outcome]) -> None:
    """Go on with a flow up to its next question or pause, and end it there.

    Work is never left out: there is no telling what gives something back from what goes on.
    """
    gone = asyncio.CancelledError()
    try:
        step = flow.throw(gone) if last is None else last.into(flow)
        while True:
            outcome = do(step.call) if isinstance(step, Work) else Outcome(error=gone)
            step = outcome.into(flow)
    except (StopIteration, asyncio.CancelledError, ClosedError):
        return
    except BaseException as error:
        log.failure("cancelled", "what a cancelled caller had begun failed", error=error, level=logging.WARNING)
