"""Loops, doors and slow models, for the tests of memories that are awaited."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from tensemem import AsyncMemory, FakeExtractor, Operation
from tensemem.store.sqlite import SqliteStore

T = TypeVar("T")

DELHI = Operation("set", "lives_in", "Delhi", quote="I live in Delhi")
PATIENCE = 60.0
"""Seconds after which a test has failed: more than anything here takes, even on a busy machine."""


def finish(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a loop of its own; one that hangs fails."""

    async def within() -> T:
        async with asyncio.timeout(PATIENCE):
            return await coroutine

    return asyncio.run(within())


async def until(condition: Callable[[], object]) -> None:
    """Let the loop go on until something holds."""
    while not condition():
        await asyncio.sleep(0)


async def turns(number: int = 200) -> None:
    """Let the loop go round so many times."""
    for _ in range(number):
        await asyncio.sleep(0)


def opened(path: Path | str, **options: Any) -> AsyncMemory:
    return AsyncMemory(path, **{"durability": "process", "worker": False, **options})


def engine_of(mem: Any) -> Any:
    """What an open memory works with, to reach where no verb reaches."""
    return mem._opening.result()._engine


class HeldLock:
    """Someone else's transaction, which keeps the write lock of a file until told to end."""

    def __init__(self, path: Path) -> None:
        self._path, self._held, self._let_go = path, threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold)

    def __enter__(self) -> HeldLock:
        self._thread.start()
        assert self._held.wait(PATIENCE)
        return self

    def let_go(self) -> None:
        self._let_go.set()

    def __exit__(self, *_: object) -> None:
        self._let_go.set()
        self._thread.join()

    def _hold(self) -> None:
        store = SqliteStore(self._path, durability="process")
        with store.write():
            self._held.set()
            self._let_go.wait(PATIENCE)
        store.close()


class Door:
    """A clock or an extractor that stops whoever asks, in a thread, until it is opened."""

    def __init__(self) -> None:
        self.asked, self._open = threading.Event(), threading.Event()
        self.is_shut = False

    def shut(self) -> None:
        self.is_shut = True

    def open(self) -> None:
        self.is_shut = False
        self._open.set()

    def clock(self) -> datetime:
        self._pass()
        return datetime(2026, 1, 1, tzinfo=UTC)

    def microseconds(self) -> int:
        return int(self.clock().timestamp() * 1_000_000)

    def extract(self, request: Any) -> list[Operation]:
        self._pass()
        return FakeExtractor().extract(request)

    def _pass(self) -> None:
        if self.is_shut:
            self.asked.set()
            assert self._open.wait(PATIENCE)


class SlowModel:
    """An async extractor that answers when told to, and remembers in which loops it was asked."""

    def __init__(self) -> None:
        self.loops: list[asyncio.AbstractEventLoop] = []
        self.may_answer = asyncio.Event()

    async def extract(self, request: Any) -> list[Operation]:
        self.loops.append(asyncio.get_running_loop())
        await self.may_answer.wait()
        return [DELHI]


@contextmanager
def let_in(door: Door) -> Iterator[Door]:
    """A door that is open in the end, so that no thread is left standing."""
    try:
        yield door
    finally:
        door.open()
