"""Opening and closing, in one loop or several."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory
from tensemem.engine.awaiting import THREADS
from tensemem.errors import ClosedError, StoreError
from tests.aio.callers import PATIENCE, Door, HeldLock, finish, let_in, opened, turns, until


def test_it_may_be_opened_used_and_closed_in_different_loops(path: Path) -> None:
    mem = opened(path, llm=FakeExtractor(), worker=True)
    finish(mem.add("ann", "I live in Delhi", wait=PATIENCE))
    assert finish(mem.get("ann", "lives_in")) == "Delhi"
    finish(mem.close())
    assert repr(mem).endswith(", closed)")


def test_it_may_be_used_in_two_loops_at_once(path: Path) -> None:
    async def say(mem: AsyncMemory, user: str) -> None:
        for number in range(10):
            await mem.add(user, f"I live in Delhi {number}", wait=PATIENCE)

    mem = opened(path, llm=FakeExtractor(), worker=True)
    other = threading.Thread(target=lambda: finish(say(mem, "bob")))
    other.start()
    finish(say(mem, "ann"))
    other.join()
    seqs = [finish(mem.state(user)).freshness.as_of_seq for user in ("ann", "bob")]
    finish(mem.close())
    assert seqs == [10, 10]


def test_what_opening_raises_comes_with_the_first_await(tmp_path: Path) -> None:
    nowhere = tmp_path / "no such folder" / "memory.db"

    async def enter() -> None:
        async with AsyncMemory(nowhere):
            pytest.fail("it opened")

    async def use() -> None:
        mem = AsyncMemory(nowhere)
        for _ in range(2):
            with pytest.raises(StoreError):
                await mem.get("ann", "lives_in")
        assert repr(mem) == "AsyncMemory(not open)"
        await mem.close()

    with pytest.raises(StoreError):
        finish(enter())
    finish(use())


def test_an_argument_it_does_not_know_is_refused_at_once() -> None:
    wrong: dict[str, Any] = {"colour": "red"}
    with pytest.raises(TypeError, match="colour"):
        AsyncMemory(":memory:", **wrong)


def test_leaving_the_block_closes_also_when_it_fails(path: Path) -> None:
    async def use() -> AsyncMemory:
        async with opened(path) as mem:
            await mem.add("ann", "hello there")
            with pytest.raises(ZeroDivisionError):
                async with mem:
                    raise ZeroDivisionError
        return mem

    mem = finish(use())
    for call in (mem.stats, mem.jobs, lambda: mem.get("ann", "lives_in"), lambda: mem.add("ann", "hello there")):
        with pytest.raises(ClosedError):
            finish(call())


def test_being_cancelled_while_it_opens_leaves_nothing_open(path: Path) -> None:
    async def use() -> None:
        with HeldLock(path) as lock:
            mem = opened(path, llm=FakeExtractor(), worker=True)
            entering = asyncio.create_task(mem.__aenter__())
            await turns()
            entering.cancel()
            with pytest.raises(asyncio.CancelledError):
                await entering
            lock.let_go()
            await until(lambda: repr(mem).endswith(", closed)"))

    finish(use())


def test_closing_leaves_no_thread_behind(path: Path) -> None:
    before = set(threading.enumerate())

    async def use() -> None:
        async with opened(path, llm=FakeExtractor(), worker=True) as mem:
            await mem.add("ann", "I live in Delhi", wait=PATIENCE)
            await mem.state("ann", min_seq=9, wait=0)
            assert len(set(threading.enumerate()) - before) >= 4
        await until(lambda: set(threading.enumerate()) <= before)

    finish(use())


def test_closing_tells_those_who_wait(path: Path) -> None:
    async def use() -> list[Any]:
        with let_in(Door()) as door:
            door.shut()
            mem = opened(path, llm=door.extract, worker=True)
            waiting = [asyncio.create_task(mem.add(f"user {n}", "I live in Delhi", wait=PATIENCE)) for n in range(20)]
            waiting.append(asyncio.create_task(mem.changes("ann", wait=PATIENCE)))  # type: ignore[arg-type]
            await until(door.asked.is_set)
            await asyncio.gather(mem.close(timeout=0), mem.close(timeout=0))
            return await asyncio.gather(*waiting, return_exceptions=True)

    *added, changed = finish(use())
    assert type(changed) is ClosedError
    kept = [outcome for outcome in added if not isinstance(outcome, ClosedError)]
    assert kept
    assert not any(receipt.settled for receipt in kept), "what is kept is told to be so, whatever became of the wait"
    with Memory(path, worker=False) as mem:
        assert sum(len(mem.messages(scope.user_id)) for scope in mem.scopes()) == len(kept)


def test_closing_tells_those_who_write_and_keeps_what_it_acknowledged(path: Path) -> None:
    async def use() -> list[Any]:
        mem = opened(path)
        await mem.stats()
        with HeldLock(path) as lock:
            writing = [asyncio.create_task(mem.add("ann", f"hello {n}")) for n in range(5 * THREADS)]
            await turns()
            closing = asyncio.create_task(mem.close())
            await turns()
            lock.let_go()
            await closing
        return await asyncio.gather(*writing, return_exceptions=True)

    outcomes = finish(use())
    told = [outcome for outcome in outcomes if isinstance(outcome, ClosedError)]
    seqs = sorted(outcome.seq for outcome in outcomes if not isinstance(outcome, BaseException))
    assert len(told) + len(seqs) == len(outcomes)
    assert told
    with Memory(path, worker=False) as mem:
        assert [mem.state("ann").freshness.latest_seq] == [len(seqs)]
    assert seqs == list(range(1, len(seqs) + 1))


def test_closing_goes_on_where_the_caller_is_cancelled(path: Path) -> None:
    async def use() -> None:
        mem = opened(path)
        with HeldLock(path) as lock:
            writing = asyncio.create_task(mem.set("ann", "lives_in", "Oslo"))
            await until(lambda: repr(mem) != "AsyncMemory(opening)")
            await turns()
            closing = asyncio.create_task(mem.close())
            await turns()
            closing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await closing
            lock.let_go()
            await asyncio.wait([writing])
        await mem.close()
        with pytest.raises(ClosedError):
            await mem.get("ann", "lives_in")
        writing.exception()

    finish(use())
