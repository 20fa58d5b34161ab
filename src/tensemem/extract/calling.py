"""How an extractor is called.

Whatever an application hands over (an object, a function, sync or async) is asked through one ``CallableExtractor``.
Nothing it does gets past it: what it raises becomes an ``ExtractorError``, and what it answers becomes operations
that are well formed, with a ``Malformed`` in the place of each that was not.
"""

from __future__ import annotations

import errno
import inspect
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from ..core.operations import encode_value
from ..errors import ExtractorError, ExtractorUnavailable
from ..model.operation import Operation
from ..ports import ExtractionRequest
from .answers import (
    MAX_COUNTED,
    PROVIDER_FAILURES,
    Malformed,
    MalformedError,
    check_value,
    described,
    read_answer,
    safe_text,
)
from .named import extractor_named
from .private_loop import PrivateLoop

__all__ = ["Answer", "CallableExtractor", "Malformed", "as_extractor", "read_answer"]

_MAX_LABEL = 200
_MOST = 1000
_DEBOUNCE, _MAX_DEBOUNCE = 0.2, 10.0
_NO_WAY = (errno.ENETDOWN, errno.ENETUNREACH, errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.ETIMEDOUT)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """What an extractor proposed, in its order, and what it says it used (tokens, cost; None where it says nothing)."""

    operations: tuple[Operation | Malformed, ...]
    usage: Mapping[str, Any] | None = None


def as_extractor(llm: object) -> CallableExtractor:
    """Give the one way to call an extractor object or a plain callable, sync or async.

    A text names one, as ``extract.named`` tells: ``"offline"``, ``"openai:gpt-5-mini"``. Raises ExtractorError for
    anything that can't be asked: a provider that is not known, one whose extra or key is missing, what is no extractor.
    """
    if isinstance(llm, CallableExtractor):
        return llm
    if isinstance(llm, str):
        llm = extractor_named(llm)
    if isinstance(llm, type):
        raise ExtractorError(f"{llm.__name__} is a class; give an instance of it")
    extract = _attribute(llm, "extract")
    if callable(extract):
        return CallableExtractor(extract, llm)
    if callable(llm):
        return CallableExtractor(llm, llm)
    kind = type(llm).__name__
    raise ExtractorError(f"a {kind} is no extractor; give an object with extract(request) or a callable")


class CallableExtractor:
    """Asks one extractor, blocking or awaiting, and reads what it answers. Safe to use from several threads.

    ``name`` is the extractor's own, else that of its function or class.
    """

    def __init__(self, ask: Callable[[ExtractionRequest], Any], source: object) -> None:
        self._function = ask
        self._source = source
        self._is_async = _is_async(ask)
        self._private_loop = PrivateLoop()
        self.name = _label(source, "name") or _label(source, "__name__") or type(source).__name__

    @property
    def is_async(self) -> bool:
        """Whether it is awaited, so that many questions at once take no thread each."""
        return self._is_async

    @property
    def max_messages(self) -> int:
        """How many messages of one scope it takes in one request; 1 where it does not say."""
        return _number(self._source, "max_messages", 1)

    @property
    def max_concurrency(self) -> int:
        """How many requests it takes at once: where it does not say, 8 if it is awaited, else 1."""
        return _number(self._source, "max_concurrency", 8 if self._is_async else 1)

    @property
    def debounce(self) -> float:
        """Seconds to wait for more messages before a request that may hold several; nothing where it takes one."""
        given = _attribute(self._source, "debounce")
        is_number = isinstance(given, (int, float)) and not isinstance(given, bool) and 0 <= given <= _MAX_DEBOUNCE
        if self.max_messages == 1:
            return 0.0
        return float(given) if is_number else _DEBOUNCE

    @property
    def model(self) -> str | None:
        """The model behind the extractor, where it names one."""
        return _label(self._source, "model")

    @property
    def prompt_digest(self) -> str | None:
        """What identifies the extractor's prompt, where it says so."""
        return _label(self._source, "prompt_digest")

    @property
    def usage(self) -> Mapping[str, Any] | None:
        """What the extractor says it has used, where it says so."""
        return _usage(self._source)

    def call(self, request: ExtractionRequest, seconds: float | None = None) -> Answer:
        """Ask and wait for the answer, from any thread, one that runs an event loop included.

        What is awaited is given up after some seconds, if any are given: OutOfTimeError.

        What the extractor awaits runs in one private loop for all calls, so that a client it keeps stays usable.
        Raises ExtractorUnavailable where the provider can't be reached, ExtractorOutputError where the answer is no
        sequence of operations, and ExtractorError for whatever else the extractor raises; Ctrl-C passes.
        """
        if self._private_loop.is_running_here():
            raise ExtractorError(f"{self.name} can't wait for itself: it was asked from within its own answer")
        with _failures_of(self.name):
            raw = self._ask(request)
            if inspect.isawaitable(raw):
                raw = self._private_loop.finish(_answered(raw, self.name, seconds))
        return self._read(raw, request)

    async def acall(self, request: ExtractionRequest, seconds: float | None = None) -> Answer:
        """Ask without holding up the event loop: an async extractor is awaited in it, a sync one runs in a thread.

        It is given up after some seconds, if any are given: OutOfTimeError.

        Raises as ``call`` does; being cancelled passes.
        """
        import asyncio  # costs much to load, and only who awaits needs it

        with _failures_of(self.name, awaiting=True):
            # A thread can't be interrupted: what a plain function does in one is waited for.
            raw = self._ask(request) if self._is_async else await asyncio.to_thread(self._ask, request)
            if inspect.isawaitable(raw):
                raw = await _answered(raw, self.name, seconds)
        return self._read(raw, request)

    def finish(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the private event loop, where what the extractor awaits runs; blocks.

        Raises what the coroutine raises, and ExtractorUnavailable where the loop is closed meanwhile.
        """
        return self._private_loop.finish(coroutine)

    def close(self) -> None:
        """Let go of the private event loop; what it still runs is cancelled. Another call opens a new one."""
        self._private_loop.close()

    def __repr__(self) -> str:
        return f"CallableExtractor({self.name!r})"

    def _ask(self, request: ExtractionRequest) -> Any:
        # Guarded here as well, because in a thread of asyncio's an exit or a StopIteration would do damage of its own.
        with _failures_of(self.name):
            return _listed(self._function(request))

    def _read(self, raw: Any, request: ExtractionRequest) -> Answer:
        own = _usage(raw)
        return Answer(read_answer(raw, len(request.messages)), self.usage if own is None else own)


class OutOfTimeError(ExtractorUnavailable):
    """The time that was given for an answer is over; whoever gave it decides what that means."""


async def _answered(awaitable: Awaitable[Any], name: str, seconds: float | None) -> Any:
    """Await an answer in a task of its own, so that what the extractor does to its task befalls nobody else.

    Whether the time is over or the caller was cancelled is decided here, not by what the extractor makes of being
    cancelled then. What it answers although the time is over is an answer.
    """
    import asyncio

    caller, limit = asyncio.current_task(), asyncio.timeout(seconds)
    before = 0 if caller is None else caller.cancelling()
    answer: Any = None
    failure: BaseException | None = None
    asked = asyncio.ensure_future(_finished(awaitable, name))
    try:
        async with limit:
            answer = await asked
    except BaseException as error:
        if not asked.done():  # the caller's coroutine is thrown away
            with suppress(RuntimeError):  # with its loop
                asked.cancel()
            raise
        failure = error
    if inspect.iscoroutine(awaitable):
        awaitable.close()  # for when it was cancelled before it began; else it has ended
    if caller is not None and caller.cancelling() > before:
        raise asyncio.CancelledError from failure
    if failure is None:
        return answer
    if limit.expired():
        raise OutOfTimeError("the time given for an answer is over") from failure
    with _failures_of(name):
        raise failure


async def _finished(awaitable: Awaitable[Any], name: str) -> Any:
    with _failures_of(name, awaiting=True):
        return _listed(await awaitable)


def _listed(raw: Any) -> Any:
    """Read a generator where its errors are looked after: its work is done while it is read. It may never end."""
    return list(islice(raw, MAX_COUNTED)) if inspect.isgenerator(raw) else raw


@contextmanager
def _failures_of(name: str, *, awaiting: bool = False) -> Iterator[None]:
    """Turn whatever an extractor raises into an error of the library, with its cause.

    While awaiting, a task or coroutine that was ended passes: whoever waits for it knows whether they ended it.
    """
    try:
        yield
    except BaseException as error:
        if awaiting and _is_end(error):
            raise
        ours = _as_ours(error, name)
        if ours is None:
            raise
        raise ours from error


def _as_ours(error: BaseException, name: str) -> ExtractorError | None:
    """Give the error that stands for another; None for what passes as it is."""
    if isinstance(error, ExtractorError):
        return None
    if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
        return None  # the person at the keyboard, not the extractor
    if _is_unreachable(error):
        return ExtractorUnavailable(f"{name} can't be reached: {described(error)}")
    return ExtractorError(f"{name} failed: {described(error)}")


def _is_end(error: BaseException) -> bool:
    """Whether it is how a task that was cancelled ends, or a coroutine that was closed."""
    import asyncio

    return isinstance(error, (GeneratorExit, asyncio.CancelledError))


def _is_unreachable(error: BaseException) -> bool:
    """Whether a provider was not there. One that was asked and gave no answer in time was; a broken disk is none."""
    if isinstance(error, ConnectionError):
        return True
    # By name, since a name that is not found is an error of a module that not everybody needs.
    return isinstance(error, OSError) and (error.errno in _NO_WAY or type(error).__name__ == "gaierror")


def _is_async(ask: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(ask) or inspect.iscoroutinefunction(_attribute(ask, "__call__"))


def _label(source: object, name: str) -> str | None:
    """Give a name the extractor has, where it is text that can stand in the log."""
    given = _attribute(source, name)
    return (safe_text(given, _MAX_LABEL).strip() or None) if isinstance(given, str) else None


def _number(source: object, name: str, otherwise: int) -> int:
    given = _attribute(source, name)
    is_number = isinstance(given, int) and not isinstance(given, bool)
    return min(given, _MOST) if is_number and given >= 1 else otherwise


def _usage(source: object) -> Mapping[str, Any] | None:
    given = _attribute(source, "usage")
    if not isinstance(given, Mapping):
        return None
    with suppress(*PROVIDER_FAILURES, MalformedError):
        copied = dict(given)
        check_value(copied)
        return {name: encode_value(used) for name, used in copied.items()}
    return None


def _attribute(source: object, name: str) -> Any:
    try:
        return getattr(source, name, None)
    except PROVIDER_FAILURES:
        return None
