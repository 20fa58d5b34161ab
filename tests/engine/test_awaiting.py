"""The drivers: what a flow is given, when it sleeps and wakes, and how it ends when its caller is gone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem.engine.awaiting import AwaitingDriver, finished
from tensemem.engine.bell import Bell
from tensemem.engine.flow import Flow, Pause, Work, once, run
from tensemem.errors import ClosedError, StoreError
from tensemem.store.sqlite import SqliteStore
from tests.store.children import run_child
from tests.store.test_sqlite_processes import needs_fork

PATIENCE = 60.0
FOREVER = 10_000.0
"""Seconds of a pause that only a bell can end in time."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "memory.db", durability="process")
    yield opened
    opened.close()


@pytest.fixture
def driver() -> Iterator[AwaitingDriver]:
    made = AwaitingDriver(threads=2)
    yield made
    made.close()


def within_patience(make: Callable[[], Any]) -> Any:
    async def limited() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await make()

    return asyncio.run(limited())


def commit(store: SqliteStore, name: str = "n") -> None:
    with store.write() as tx:
        tx.set_meta(name, str(int(tx.meta(name) or 0) + 1))


def told(store: SqliteStore, name: str = "n") -> int:
    with store.read() as reader:
        return int(reader.meta(name) or 0)


def until_told(store: SqliteStore, between: Callable[[], None] = lambda: None) -> Flow[int]:
    """Wait for a commit as the engine's flows do; ``between`` happens after each look, before the pause."""
    while not (number := (yield Work(lambda: told(store)))):
        between()
        yield Pause(FOREVER, store.wait_for_commit)
    return int(number)


async def turns(number: int = 50) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def test_a_commit_wakes_all_who_sleep(store: SqliteStore, driver: AwaitingDriver) -> None:
    async def use() -> list[int]:
        sleepers = [asyncio.create_task(driver.finish(until_told(store))) for _ in range(20)]
        await turns()
        await driver.finish(once(lambda: commit(store)))
        return await asyncio.gather(*sleepers)

    assert within_patience(use) == [1] * 20


def test_a_commit_of_another_process_wakes_who_sleeps(store: SqliteStore, driver: AwaitingDriver) -> None:
    other = SqliteStore(store.location, durability="process")

    async def use() -> int:
        sleeper = asyncio.create_task(driver.finish(until_told(store)))
        await turns()
        commit(other)
        return await sleeper

    assert within_patience(use) == 1
    other.close()


def test_a_commit_between_the_look_and_the_pause_is_not_missed(store: SqliteStore, driver: AwaitingDriver) -> None:
    async def use() -> int:
        return await driver.finish(until_told(store, between=lambda: commit(store)))

    for _ in range(20):
        with store.write() as tx:
            tx.set_meta("n", "0")
        assert within_patience(use) >= 1


def test_a_ring_during_the_look_lets_nobody_sleep(driver: AwaitingDriver) -> None:
    leave = threading.Event()

    def listen(_: float) -> None:
        leave.wait(PATIENCE)

    def flow() -> Flow[str]:
        yield Work(driver._bell.ring)  # another sleeper's commit, which this look was too early for
        yield Pause(FOREVER, listen)
        return "awake"

    assert within_patience(lambda: driver.finish(flow())) == "awake"
    leave.set()


def test_a_ring_before_the_look_wakes_nobody(driver: AwaitingDriver) -> None:
    is_asleep, leave = threading.Event(), threading.Event()

    def listen(_: float) -> None:
        is_asleep.set()
        leave.wait(PATIENCE)

    def flow() -> Flow[None]:
        yield Work(driver._bell.ring)
        yield Work(lambda: "a look")
        yield Pause(FOREVER, listen)

    async def use() -> None:
        task = asyncio.create_task(driver.finish(flow()))
        while not is_asleep.is_set():
            await asyncio.sleep(0)
        await turns()
        assert not task.done()
        leave.set()
        await task

    within_patience(use)


def test_a_bell_that_rang_after_it_was_noted_lets_nobody_sleep() -> None:
    async def use() -> bool:
        bell = Bell()
        noted = bell.rings
        bell.ring()
        asleep = bell.sleep(Pause(FOREVER, never), noted)
        try:
            asleep.send(None)
        except StopIteration:
            return False
        asleep.close()
        return True

    assert within_patience(use) is False


def test_closing_wakes_who_sleeps_and_tells_them(driver: AwaitingDriver) -> None:
    leave = threading.Event()

    def listen(_: float) -> None:
        leave.wait(PATIENCE)

    def flow() -> Flow[None]:
        yield Pause(FOREVER, listen)
        yield Work(never)

    async def use() -> None:
        task = asyncio.create_task(driver.finish(flow()))
        await turns()
        driver.close()
        with pytest.raises(ClosedError):
            await task
        leave.set()

    within_patience(use)


def test_a_pause_ends_without_a_bell_when_its_time_is_up() -> None:
    leave = threading.Event()

    def listen(_: float) -> None:
        leave.wait(PATIENCE)

    async def use() -> None:
        bell = Bell()
        await bell.sleep(Pause(0, listen), bell.rings)
        leave.set()
        bell.close()
        await bell.sleep(Pause(0, listen), bell.rings)

    within_patience(use)


def test_one_thread_listens_and_none_when_nobody_sleeps() -> None:
    heard: list[str] = []
    listening = threading.Semaphore(0)

    def listen(_: float) -> None:
        heard.append(threading.current_thread().name)
        listening.release()

    async def use() -> None:
        bell = Bell()
        sleepers = [asyncio.create_task(bell.sleep(Pause(FOREVER, listen), bell.rings)) for _ in range(50)]
        await asyncio.gather(*sleepers)
        before = len(heard)
        assert listening.acquire(timeout=PATIENCE)
        await turns()
        assert len(heard) == before <= 2
        bell.close()

    within_patience(use)
    assert len(set(heard)) == 1


def test_a_store_that_can_not_be_listened_to_wakes_who_sleeps() -> None:
    def refuse(_: float) -> None:
        raise StoreError

    async def use() -> None:
        bell = Bell()
        await bell.sleep(Pause(FOREVER, refuse), bell.rings)
        bell.close()

    within_patience(use)


class Steps:
    """A flow that holds something, does its works, pauses, and gives back what it holds; it tells how it went."""

    def __init__(self, *works: Callable[[], Any]) -> None:
        self.told: list[str] = []
        self.is_over = threading.Event()
        self._works = works

    def flow(self) -> Flow[str]:
        try:
            for number, work in enumerate(self._works):
                outcome = yield Work(work)
                self.told.append(f"{number} gave {outcome}")
            yield Pause(FOREVER, never)
            return "done"
        except BaseException as error:
            self.told.append(type(error).__name__)
            raise
        finally:
            yield Work(lambda: self.told.append("given"))
            yield Work(lambda: self.told.append("back"))
            self.is_over.set()


class Gate:
    """Work that begins, and ends when it is let."""

    def __init__(self) -> None:
        self.begun, self._may_end = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self._may_end.wait(PATIENCE)
        return "it all"

    def let_end(self) -> None:
        self._may_end.set()


def never(*_: object) -> None:
    raise AssertionError("this must not begin")


def test_a_cancelled_flow_goes_on_up_to_its_next_pause_and_gives_back_what_it_holds(driver: AwaitingDriver) -> None:
    gate = Gate()
    steps = Steps(lambda: "a lease", gate, lambda: "a look")

    async def use() -> None:
        task = asyncio.create_task(driver.finish(steps.flow()))
        while not gate.begun.is_set():
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert steps.told == ["0 gave a lease"]
        gate.let_end()

    within_patience(use)
    assert steps.is_over.wait(PATIENCE)
    assert steps.told == [
        "0 gave a lease", "1 gave it all", "2 gave a look", "CancelledError", "given", "back",
    ]  # fmt: skip


def test_a_flow_that_has_not_begun_is_dropped(driver: AwaitingDriver) -> None:
    gates = [Gate(), Gate()]  # they keep both threads
    steps = Steps(never)

    async def use() -> None:
        keeping = [asyncio.create_task(driver.finish(once(gate))) for gate in gates]
        waiting = asyncio.create_task(driver.finish(steps.flow()))
        await turns()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        for gate in gates:
            gate.let_end()
        await asyncio.gather(*keeping)

    within_patience(use)
    assert steps.is_over.wait(PATIENCE)
    assert steps.told == ["CancelledError", "given", "back"]


def test_a_flow_that_has_begun_is_not_dropped_while_it_stands_in_line(driver: AwaitingDriver) -> None:
    first, second, lease = Gate(), Gate(), Gate()
    steps = Steps(lease, lambda: "a look")

    async def use() -> None:
        task = asyncio.create_task(driver.finish(steps.flow()))
        await asyncio.sleep(0)
        keeping = [asyncio.create_task(driver.finish(once(gate))) for gate in (first, second)]
        await asyncio.sleep(0)
        lease.let_end()  # then its thread takes the second of those, and both are kept
        while not (second.begun.is_set() and steps.told):
            await asyncio.sleep(0)
        await turns()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        first.let_end()
        second.let_end()
        await asyncio.gather(*keeping)

    within_patience(use)
    assert steps.is_over.wait(PATIENCE)
    assert steps.told == ["0 gave it all", "1 gave a look", "CancelledError", "given", "back"]


def test_a_flow_is_told_of_work_that_failed_after_its_caller_had_gone(driver: AwaitingDriver) -> None:
    gate = Gate()

    def fail() -> None:
        gate()
        raise StoreError

    steps = Steps(fail)

    async def use() -> None:
        task = asyncio.create_task(driver.finish(steps.flow()))
        while not gate.begun.is_set():
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        gate.let_end()

    within_patience(use)
    assert steps.is_over.wait(PATIENCE)
    assert steps.told == ["StoreError", "given", "back"]


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_coroutine_that_is_thrown_away_lets_its_flow_end(driver: AwaitingDriver, is_closed: bool) -> None:
    gate = Gate()
    steps = Steps(gate)

    async def use() -> None:
        coroutine = driver.finish(steps.flow())
        coroutine.send(None)  # up to where it waits for the gate
        if is_closed:
            driver.close()
        coroutine.close()
        gate.let_end()

    within_patience(use)
    if not is_closed:
        assert steps.is_over.wait(PATIENCE)
        assert steps.told == ["0 gave it all", "CancelledError", "given", "back"]


def test_a_flow_that_is_cancelled_while_it_pauses_gives_back_what_it_holds(driver: AwaitingDriver) -> None:
    steps = Steps()
    is_asleep = threading.Event()
    leave = threading.Event()

    def listen(_: float) -> None:
        is_asleep.set()
        leave.wait(PATIENCE)

    def flow() -> Flow[None]:
        try:
            yield Pause(FOREVER, listen)
        finally:
            yield from steps.flow()

    async def use() -> None:
        task = asyncio.create_task(driver.finish(flow()))
        while not is_asleep.is_set():
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    within_patience(use)
    assert steps.is_over.wait(PATIENCE)
    leave.set()


def test_a_closed_driver_refuses_and_flows_may_still_end(driver: AwaitingDriver) -> None:
    steps = Steps(never)
    driver.close()
    with pytest.raises(ClosedError):
        within_patience(lambda: driver.finish(steps.flow()))
    assert steps.told == ["ClosedError"]


def test_an_error_of_any_kind_reaches_the_flow_and_then_the_caller(driver: AwaitingDriver) -> None:
    class Odd(BaseException):
        pass

    def fail(error: BaseException) -> Callable[[], None]:
        def work() -> None:
            raise error

        return work

    for error, seen in ((ValueError(), "ValueError"), (Odd(), "Odd"), (StopIteration(), "RuntimeError")):
        for finish in (run, lambda flow: within_patience(lambda: driver.finish(flow))):
            steps = Steps(fail(error))
            with pytest.raises(RuntimeError if seen == "RuntimeError" else type(error)):
                finish(steps.flow())
            assert steps.told[1:] == ["given", "back"]


def test_an_interrupt_lets_a_blocking_flow_give_back_what_it_holds() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    steps = Steps(interrupted, never)
    with pytest.raises(KeyboardInterrupt):
        run(steps.flow())
    assert steps.told == ["KeyboardInterrupt", "given", "back"]


def test_waiting_for_a_thread_that_is_done_takes_no_turn_of_the_loop(driver: AwaitingDriver) -> None:
    from concurrent.futures import Future

    work: Future[int] = Future()
    work.set_result(7)
    with pytest.raises(StopIteration) as ended:
        finished(work).send(None)
    assert ended.value.value == 7


@needs_fork
def test_a_forked_child_is_told_that_the_memory_is_its_parents(tmp_path: Path) -> None:
    code = """
        import asyncio, os, sys, warnings
        from tensemem import AsyncMemory
        from tensemem.errors import StoreError
        warnings.simplefilter("ignore", DeprecationWarning)
        mem = AsyncMemory(sys.argv[1], worker=False)
        asyncio.run(mem.stats())
        if (child := os.fork()) == 0:
            try:
                asyncio.run(asyncio.wait_for(mem.stats(), 30))
            except StoreError:
                os._exit(7)
            os._exit(1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        asyncio.run(mem.stats())
        asyncio.run(mem.close())
    """
    assert run_child(code, tmp_path / "memory.db").split() == ["7"]
