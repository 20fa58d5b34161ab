"""Watching: standing around verbs and steps of work, for spans and metrics.

A watcher is told when a verb or a step begins and ends, how long it took and the type of the error it ended with; what
was said, and what was answered, only where it was attached for content. Where nobody watches nothing is made or timed:
verbs are then those of the class as they are written, and a step is one look at an empty list.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ..extract.calling import Answer, CallableExtractor
from ..logs import Log
from ..model.scope import Scope
from .core import Engine

log = Log("hooks")

Kind = Literal["verb", "step"]

STEPS = ("settle", "ask", "keep")
"""The steps of a worker: a scope's next messages as a whole; the extractor's part of that; writing what it answered."""


@dataclass(slots=True)
class Call:
    """A verb that is called, or a step of work that is done; ``seconds`` and ``error`` are known at its end.

    ``fields`` are ids and counts (`session_id`, `fact_id`, `seq`, `count`, `messages`, …). ``error`` is the type of
    what was raised. ``arguments`` and ``result`` are shown to those attached with ``content=True`` only. ``streams``
    tells that it goes on while its results are taken.
    """

    kind: Kind
    name: str
    namespace: str
    scope: Scope | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    error: str | None = None
    streams: bool = False
    arguments: Mapping[str, Any] | None = None
    result: Any = None


class Around(Protocol):
    """What watches: it gives a context for each call, entered before and left after it."""

    def around(self, call: Call, /) -> AbstractContextManager[object]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Watcher:
    """One who watches, and whether it is shown content."""

    around: Callable[[Call], AbstractContextManager[object]]
    sees_content: bool = False


_inside: ContextVar[Engine | None] = ContextVar("tensemem_inside", default=None)


_told_as: ContextVar[str | None] = ContextVar("tensemem_told_as", default=None)


@contextmanager
def told_as(verb: str) -> Iterator[None]:
    """Have the verb that is called meanwhile be told to watchers as this one, which is done by it."""
    token = _told_as.set(verb)
    try:
        yield
    finally:
        _told_as.reset(token)


def name_told(verb: str) -> str:
    """Give the name under which a verb is told to watchers."""
    return _told_as.get() or verb


def is_inside(engine: Engine) -> bool:
    """Tell whether a verb of this memory is being watched here already: what it calls is part of it."""
    return _inside.get() is engine


@contextmanager
def watched(engine: Engine, call: Call) -> Iterator[Call]:
    """Have the watchers stand around a call; what one of them raises is logged and does no harm."""
    content = (call.arguments, None)
    entered: list[tuple[Watcher, AbstractContextManager[object]]] = []
    for watcher in tuple(engine.watchers):
        _show(call, watcher, content)
        with _harmless(call):
            context = watcher.around(call)
            context.__enter__()
            entered.append((watcher, context))
    token = _inside.set(engine) if call.kind == "verb" and not call.streams else None
    began = time.perf_counter()
    try:
        yield call
    except BaseException as error:
        call.error = type(error).__name__
        raise
    finally:
        call.seconds = time.perf_counter() - began
        if token is not None:
            _leave(token)
        content = (content[0], call.result)
        for watcher, context in reversed(entered):
            _show(call, watcher, content)
            with _harmless(call):
                context.__exit__(None, None, None)  # never the error itself: what it says may quote anything


def step(engine: Engine, name: str, scope: Scope, **fields: Any) -> AbstractContextManager[Call | None]:
    """Have the watchers stand around a step of work, if there are any."""
    if not engine.watchers:
        return _NOBODY
    return watched(engine, Call("step", name, scope.namespace, scope, fields))


def who(extractor: CallableExtractor) -> dict[str, str]:
    """Give who is asked, as a step's fields."""
    return {"extractor": extractor.name} | ({"model": extractor.model} if extractor.model else {})


def answered(answer: Answer) -> dict[str, int]:
    """Give what an answer was, as a step's fields: how many operations, and the tokens it says it used."""
    usage = answer.usage if isinstance(answer.usage, Mapping) else {}
    tokens = {name: usage[name] for name in ("input_tokens", "output_tokens") if type(usage.get(name)) is int}
    return {"operations": len(answer.operations), **tokens}


_NOBODY: AbstractContextManager[None] = nullcontext()


def _show(call: Call, watcher: Watcher, content: tuple[Mapping[str, Any] | None, Any]) -> None:
    call.arguments, call.result = content if watcher.sees_content else (None, None)


def _leave(token: Any) -> None:
    try:
        _inside.reset(token)
    except ValueError:  # a cancelled task may end in another context than it began in
        _inside.set(None)


@contextmanager
def _harmless(call: Call) -> Iterator[None]:
    try:
        yield
    except (Exception, SystemExit) as error:
        log.failure("watcher failed", f"a watcher failed around the {call.kind} {call.name}", error=error)


class Telling:
    """Tells a hook of every call when it has ended: ``called`` of a verb, ``stepped`` of a step."""

    def __init__(self, hook: Callable[[str, Mapping[str, Any]], None]) -> None:
        self._hook = hook

    def around(self, call: Call) -> AbstractContextManager[object]:
        """Give a context that tells the hook when it is left."""
        stack = ExitStack()
        stack.callback(self._tell, call)
        return stack

    def _tell(self, call: Call) -> None:
        event, fields = event_of(call)
        self._hook(event, fields)


def event_of(call: Call) -> tuple[str, dict[str, Any]]:
    """Give the event, and its fields, that a call is told as when it has ended."""
    told = {"scope": call.scope, "namespace": call.namespace, "seconds": call.seconds, "error": call.error}
    if call.kind == "verb":
        return "called", {"verb": call.name, **told, "fields": dict(call.fields)}
    return "stepped", {"step": call.name, **told, "fields": dict(call.fields)}


def attach(engine: Engine, hook: Any, *, calls: bool, content: bool) -> Callable[[], None]:
    """Add a hook, and what watches; gives what takes both off again, once or more often."""
    watchers = [Watcher(hook.around, content)] if callable(getattr(hook, "around", None)) else []
    if calls:
        watchers.append(Watcher(Telling(hook).around))
    heard = _Heard(hook)
    engine.hooks.append(heard)
    engine.watchers.extend(watchers)

    def remove() -> None:
        if heard in engine.hooks:
            engine.hooks.remove(heard)
        for watcher in watchers:
            if watcher in engine.watchers:
                engine.watchers.remove(watcher)

    return remove


class _Heard:
    """A hook as it was attached: the same one attached twice is two, each taken off by itself."""

    __slots__ = ("hook",)

    def __init__(self, hook: Callable[[str, Mapping[str, Any]], None]) -> None:
        self.hook = hook

    def __call__(self, event: str, fields: Mapping[str, Any]) -> None:
        self.hook(event, fields)
