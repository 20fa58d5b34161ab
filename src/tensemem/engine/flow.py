"""Flows: the walk written once, finished by a blocking driver or by an awaiting one.

A flow is a generator that yields what it waits for: a transaction (``Work``), a question to a model (``Ask``) or a
pause (``Pause``). It is given the outcome, and its errors are thrown into it, so that it reads like plain code.
The awaiting driver is in ``awaiting``; this one needs no event loop, and loads none.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from ..errors import StoreBusyError, StoreRetryError
from ..extract.calling import CallableExtractor
from ..ports import ExtractionRequest

T = TypeVar("T")

TRIES = 12
"""How often a unit of work is done at most that the database breaks off, with nothing written."""
_FIRST_PAUSE, _GROWTH, _LONGEST_PAUSE = 0.005, 2.0, 2.0


@dataclass(frozen=True, slots=True)
class Work:
    """A whole unit of work on the store; it may block, but only for the store.

    It is done again where the store breaks it off (`StoreRetryError`), so it keeps nothing of its own before its end.
    """

    call: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to a model, for some seconds at most; no transaction is open meanwhile."""

    extractor: CallableExtractor
    request: ExtractionRequest
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Sleep until something may have changed, at most ``seconds``; ``wait`` blocks, and tells nothing.

    ``has_news`` tells, in any thread, whether it is anything to the flow: one that waits for something in one scope is
    not to be woken by each commit anywhere. What it raises is news.
    """

    seconds: float
    wait: Callable[[float], None]
    has_news: Callable[[], bool] | None = None


Step: TypeAlias = Work | Ask | Pause
Flow: TypeAlias = Generator[Step, Any, T]


def once(call: Callable[[], T]) -> Flow[T]:
    """Make a flow of one unit of work."""
    result: T = yield Work(call)
    return result


def run(flow: Flow[T]) -> T:
    """Finish a flow, blocking. Raises what the flow raises; an interrupt is thrown into it, so that it tidies up."""
    try:
        step = next(flow)
        while True:
            try:
                outcome = _do(step)
            except BaseException as error:
                step = flow.throw(error)
            else:
                step = flow.send(outcome)
    except StopIteration as done:
        value: T = done.value
        return value


def _do(step: Step) -> Any:
    if isinstance(step, Work):
        return persistently(step.call)
    if isinstance(step, Ask):
        return step.extractor.call(step.request, step.seconds)
    return _sleep(step)


def _sleep(pause: Pause) -> None:
    end = time.monotonic() + pause.seconds
    pause.wait(pause.seconds)
    while (left := end - time.monotonic()) > 0 and not is_told(pause):
        pause.wait(left)


def is_told(pause: Pause) -> bool:
    """Tell whether what may have changed is anything to the flow that sleeps."""
    try:
        return pause.has_news is None or pause.has_news()
    except Exception:  # who is woken looks, and is told what it is
        return True


def persistently(call: Callable[[], T]) -> T:
    """Do a unit of work, again where the store breaks it off; raises StoreBusyError after some tries.

    Work of several transactions, which must not all be done again, does each of them by this.
    """
    pause = _FIRST_PAUSE
    for number in range(1, TRIES + 1):
        try:
            return call()
        except StoreRetryError as error:
            if number == TRIES:
                raise StoreBusyError(f"tried {TRIES} times: {error}") from error
            time.sleep(pause * random.uniform(0.5, 1.5))  # never equal, so that two who collided don't do so again
            pause = min(pause * _GROWTH, _LONGEST_PAUSE)
    raise AssertionError("the last try ends by itself")
