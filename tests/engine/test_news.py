"""Who waits for one scope is not woken by what happens in others, and misses nothing that happens in its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.engine.awaiting import AwaitingDriver
from tensemem.engine.bell import Bell
from tensemem.engine.core import Engine
from tensemem.engine.flow import Flow, Pause, Work, run
from tensemem.engine.news import looked
from tensemem.engine.state import items_in
from tensemem.errors import StoreError
from tensemem.model.scope import Scope

PATIENCE = 60.0
FOREVER = 10_000.0


def within_patience(make: Callable[[], Any]) -> Any:
    async def limited() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await make()

    return asyncio.run(limited())


async def turns(number: int = 50) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def silent(_: float) -> None:
    """Nothing is heard for as long as this thread lives, but the loop of the bell goes on."""


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db", worker=False) as opened:
        opened.register_predicate("lives_in")
        yield opened


def test_a_ring_wakes_those_to_whom_it_is_anything() -> None:
    async def use() -> None:
        bell, told = Bell(), [False]
        asked = threading.Semaphore(0)

        def has_news() -> bool:
            asked.release()
            return told[0]

        sleeper = asyncio.create_task(bell.sleep(Pause(FOREVER, silent, has_news), bell.rings))
        await turns()
        for _ in range(3):
            assert await asyncio.to_thread(asked.acquire, timeout=PATIENCE)
        await turns()
        assert not sleeper.done()
        told[0] = True
        assert await sleeper is True
        bell.close()

    within_patience(use)


def test_who_can_not_ask_is_woken_and_sees_why() -> None:
    def has_news() -> bool:
        raise StoreError

    async def use() -> None:
        bell = Bell()
        assert await bell.sleep(Pause(FOREVER, silent, has_news), bell.rings)
        bell.close()

    within_patience(use)


@pytest.mark.parametrize("news", [[True], [False, True]])
def test_a_ring_during_the_look_is_asked_about_and_lets_sleep_where_it_was_nothing(news: list[bool]) -> None:
    """What rang while somebody looked is asked about in a thread; the bell asks the next time."""
    left, driver = list(news), AwaitingDriver(threads=2)
    asking: list[str] = []

    def has_news() -> bool:
        asking.append(threading.current_thread().name)
        return left.pop(0)

    def flow() -> Flow[str]:
        yield Work(driver._bell.ring)
        yield Pause(FOREVER, silent, has_news)
        return "awake"

    assert within_patience(lambda: driver.finish(flow())) == "awake"
    assert left == []
    assert [name.rpartition("_")[0] for name in asking] == ["tensemem-read", "tensemem-bell"][: len(news)]
    driver.close()


def test_a_flow_that_blocks_goes_on_waiting_where_it_was_nothing() -> None:
    waits: list[float] = []
    left = [False, False, True]

    def flow() -> Flow[str]:
        yield Pause(FOREVER, waits.append, lambda: left.pop(0))
        return "awake"

    assert run(flow()) == "awake"
    assert len(waits) == 3
    assert FOREVER >= waits[0] > waits[1] > waits[2] > FOREVER - PATIENCE


def test_a_scope_has_news_when_it_or_its_registry_goes_on(mem: Memory) -> None:
    engine = mem._engine
    mem.set("ann", "lives_in", "Delhi")

    def since(act: Callable[[], Any]) -> bool:
        has_news, seen = looked(engine, Scope("default", "ann", ""), lambda: "seen")
        assert (has_news(), seen) == (False, "seen")
        act()
        return has_news()

    assert since(lambda: mem.set("ann", "lives_in", "Pune"))
    assert since(lambda: mem.add("ann", "I moved.", extract=False))
    assert since(lambda: mem.register_predicate("works_at"))
    assert since(lambda: mem.forget("ann"))
    assert since(lambda: mem.set("ann", "lives_in", "Goa"))
    assert not since(lambda: mem.set("bob", "lives_in", "Goa"))


def test_a_look_sees_news_that_come_while_it_looks(mem: Memory) -> None:
    has_news, _ = looked(mem._engine, Scope("default", "ann", ""), lambda: mem.set("ann", "lives_in", "Delhi"))
    assert has_news()


def test_what_is_said_of_others_has_nobody_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred people wait for changes while somebody else is written to: the log is looked at once by each."""
    looks: list[str] = []

    def counted(engine: Engine, scope: Scope, read: Callable[[Any], Any]) -> Any:
        looks.append(scope.user_id)
        return items_in(engine, scope, read)

    monkeypatch.setattr("tensemem.engine.changes.items_in", counted)

    async def use() -> None:
        async with AsyncMemory(tmp_path / "m.db", worker=False) as mem:
            await mem.register_predicate("lives_in")
            users = [f"u{number}" for number in range(100)]
            waiting = [asyncio.create_task(mem.changes(user, wait=FOREVER)) for user in users]
            while len(looks) < len(users):
                await asyncio.sleep(0)
            for number in range(30):
                await mem.set("bob", "lives_in", f"City {number}")
            assert not any(task.done() for task in waiting)
            assert len(looks) == len(users)
            for user in users:
                await mem.set(user, "lives_in", "Delhi")
            found = await asyncio.gather(*waiting)
            assert all(len(each) == 1 for each in found)

    monkeypatch.setattr("tensemem.engine.changes.LONGEST_WAIT", FOREVER)
    within_patience(use)
