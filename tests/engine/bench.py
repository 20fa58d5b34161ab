"""What the engine's tests share: a clock to set by hand, an extractor that does as told, and what a refusal leaves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory, Operation
from tensemem.errors import TensememError
from tensemem.model.scope import Scope

DAY_ZERO = datetime(2026, 1, 1, tzinfo=UTC)
ANN = Scope("default", "ann")


def day(number: float) -> datetime:
    """A moment some days after the first."""
    return DAY_ZERO + timedelta(days=number)


class Clock:
    """A clock that stands where it was put."""

    def __init__(self, now: datetime = DAY_ZERO) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **duration: float) -> None:
        self.now += timedelta(**duration)


class Told:
    """An extractor that answers every text as told; what it was not told of proposes nothing.

    An answer is a list of operations or an error; it stays until another is given. ``asked`` are the texts so far.
    """

    name = "told"

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.requests: list[Any] = []

    @property
    def asked(self) -> list[str]:
        return [request.messages[0].content for request in self.requests]

    def extract(self, request: Any) -> Any:
        self.requests.append(request)
        text = request.messages[0].content
        answer = self.answers.get(text, [])
        if isinstance(answer, BaseException):
            raise answer
        return FakeExtractor({text: answer}).extract(request) if isinstance(answer, list) else answer


class Gate:
    """An extractor that says when it was asked and answers when it may."""

    name = "gate"

    def __init__(self, answer: Sequence[Operation] = ()) -> None:
        self.answer = list(answer)
        self.was_asked = threading.Event()
        self.may_answer = threading.Event()

    def extract(self, request: Any) -> Any:
        self.was_asked.set()
        assert self.may_answer.wait(30), "nobody opened the gate"
        return FakeExtractor({request.messages[0].content: self.answer}).extract(request)


def beside(call: Callable[[], Any]) -> Future[Any]:
    """Call something in a thread of its own; the result, or the error it ended in, is the future's."""
    found: Future[Any] = Future()

    def run() -> None:
        try:
            found.set_result(call())
        except BaseException as error:
            found.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return found


def opened(path: Any = ":memory:", **options: Any) -> Memory:
    """A memory without a worker, with a place and languages to remember."""
    mem = Memory(path, **{"worker": False, "clock": Clock(), "durability": "process", **options})
    if not options.get("read_only"):
        mem.register_predicate("lives_in")
        mem.register_predicate("languages", "many")
    return mem


def lives(place: str, **options: Any) -> Operation:
    return Operation("set", "lives_in", place, **options)


def speaks(language: str, **options: Any) -> Operation:
    return Operation("add", "languages", language, **options)


def revs(mem: Memory, scope: Scope = ANN) -> tuple[int, int, int]:
    """The rev and seq of a scope's log, and the rev of its registry."""
    with mem._engine.store.read() as reader:
        head, registry = reader.head_and_registry(scope)
    return (0, 0, registry) if head is None else (head.rev, head.seq, registry)


@contextmanager
def refused(mem: Memory, *kinds: type[TensememError], match: str | None = None) -> Iterator[None]:
    """What is done inside is refused with one of these errors, and leaves the logs as they were."""
    before = revs(mem)
    with pytest.raises(kinds or TensememError, match=match):
        yield
    assert revs(mem) == before


def row(facts: Any) -> list[tuple[Any, Any, Any]]:
    """Facts as value and days since the first."""
    return [(fact.value, days(fact.valid_from), days(fact.valid_to)) for fact in facts]


def days(when: datetime | None) -> float | None:
    return None if when is None else (when - DAY_ZERO) / timedelta(days=1)
