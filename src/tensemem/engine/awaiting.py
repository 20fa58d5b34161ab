"""The awaiting driver: finishes flows for coroutines, and never blocks their event loop.

Work runs in threads, a whole unit at a time; a model is awaited in the caller's loop; a pause takes no thread. A
caller that is cancelled is told so at once. What it had begun ends without it: the transaction in the thread is kept
whole, the flow learns of it, begins nothing more, and gives back what it holds.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from ..errors import ClosedError
from .bell import Bell, call_in
from .core import log
from .flow import Ask, Flow, Step, Work

T = TypeVar("T")

THREADS = 8
"""Threads for work that may write, and again as many for work that reads."""


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
        noted = self._bell.rings
        try:
            step = next(flow)
            while True:
                if isinstance(step, Work):
                    noted = self._bell.rings
                step = (await self._outcome(flow, step, threads, noted)).into(flow)
        except StopIteration as done:
            value: T = done.value
            return value

    def close(self) -> None:
        """Take no more work; what was begun ends, and whoever pauses looks once more."""
        self._writing.shutdown(wait=False)
        self._reading.shutdown(wait=False)
        self._bell.close()

    async def _outcome(self, flow: Flow[Any], step: Step, threads: ThreadPoolExecutor, noted: int) -> Outcome:
        begun: Future[Outcome] | None = None
        try:
            if isinstance(step, Work):
                begun = self._begin(step, threads)
                return await finished(begun)
            if isinstance(step, Ask):
                return await _asked(step)
            await self._bell.sleep(step.seconds, step.wait, noted)
            return Outcome()
        except BaseException:  # the caller is gone: cancelled, interrupted, or its loop ended
            self._let_end(flow, begun, threads)
            raise

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

    def _let_end(self, flow: Flow[Any], begun: Future[Outcome] | None, threads: ThreadPoolExecutor) -> None:
        """End a flow without its caller, in a thread, once the work it had begun is done."""

        def end(last: Outcome | None) -> None:
            try:
                threads.submit(_end, flow, last, _attempt)
            except RuntimeError:
                _end(flow, last, _refuse)

        if begun is None or begun.cancel():
            end(None)
        else:
            begun.add_done_callback(lambda done: end(done.result()))


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
        return Outcome(await ask.extractor.acall(ask.request))
    except Exception as error:
        return Outcome(error=error)


def _attempt(call: Callable[[], Any]) -> Outcome:
    try:
        return Outcome(call())
    except BaseException as error:
        return Outcome(error=error)


def _refuse(_: Callable[[], Any]) -> Outcome:
    return Outcome(error=ClosedError())


def _end(flow: Flow[Any], last: Outcome | None, do: Callable[[Callable[[], Any]], Outcome]) -> None:
    """End a flow: it learns what became of its last work, and of what it does then only work is done.

    A flow gives back what it holds in one unit of work, since there is no telling that unit from the next of many.
    """
    gone = asyncio.CancelledError()
    try:
        step = None if last is None else last.into(flow)
        if last is None or last.error is None:  # else it is on its way out already
            step = flow.throw(gone)
        while True:
            outcome = do(step.call) if isinstance(step, Work) else Outcome(error=gone)
            step = outcome.into(flow)
    except (StopIteration, asyncio.CancelledError):
        return
    except BaseException:
        log.warning("what a cancelled caller had begun failed", exc_info=True)
