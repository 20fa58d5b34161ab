"""Nothing is lost, and nothing left half done, when callers go away."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tensemem import FakeExtractor, Operation
from tensemem.engine.awaiting import THREADS
from tests.aio.callers import (
    DELHI,
    PATIENCE,
    Door,
    HeldLock,
    SlowModel,
    engine_of,
    finish,
    let_in,
    opened,
    turns,
    until,
)


def test_a_cancelled_caller_is_told_at_once_and_its_transaction_is_whole(path: Path) -> None:
    async def use() -> None:
        with let_in(Door()) as door:
            async with opened(path, clock=door.clock) as mem:
                door.shut()
                writing = asyncio.create_task(mem.write("ann", [DELHI, Operation("set", "lives_in", "Oslo")]))
                await until(door.asked.is_set)
                writing.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await writing
                assert door.is_shut  # so the transaction is still open
                door.open()
                assert (await mem.add("ann", "hello there")).seq == 2
                assert await mem.get("ann", "lives_in") == "Oslo"
                assert [len(await mem.decisions("ann", seq)) for seq in (1, 2)] == [2, 0]

    finish(use())


def test_what_a_cancelled_caller_had_not_begun_is_never_done(path: Path) -> None:
    async def use() -> None:
        async with opened(path) as mem:
            with HeldLock(path) as lock:
                begun = [asyncio.create_task(mem.set(f"user {n}", "lives_in", "Oslo")) for n in range(THREADS)]
                await turns()
                late = asyncio.create_task(mem.set("ann", "lives_in", "Delhi"))
                await turns()
                late.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await late
                lock.let_go()
                await asyncio.gather(*begun)
            assert await mem.get("ann", "lives_in") is None
            assert (await mem.set("ann", "lives_in", "Oslo")).seq == 1

    finish(use())


def test_a_time_out_ends_a_wait_at_once_and_leaves_the_message(path: Path) -> None:
    async def use() -> None:
        with let_in(Door()) as door:
            door.shut()
            async with opened(path, llm=door.extract, worker=True) as mem:
                limit = asyncio.timeout(None)

                async def add() -> None:
                    async with limit:
                        await mem.add("ann", "I live in Delhi", wait=PATIENCE)

                adding = asyncio.create_task(add())
                await until(door.asked.is_set)
                limit.reschedule(asyncio.get_running_loop().time())
                with pytest.raises(TimeoutError):
                    await adding
                assert (await mem.state("ann")).freshness.pending == 1
                door.open()
                assert (await mem.state("ann", min_seq=1, wait=PATIENCE)).values == {"lives_in": "Delhi"}

    finish(use())


def test_a_flush_cancelled_while_the_model_thinks_gives_the_scope_back(path: Path) -> None:
    async def use() -> None:
        model = SlowModel()
        async with opened(path, llm=model) as mem:
            await mem.add("ann", "I live in Delhi")
            flushed = asyncio.create_task(mem.flush("ann"))
            await until(lambda: model.loops)
            flushed.cancel()
            with pytest.raises(asyncio.CancelledError):
                await flushed
            model.may_answer.set()
            assert (await mem.flush("ann", timeout=PATIENCE / 2)).is_current
            assert await mem.get("ann", "lives_in") == "Delhi"

    finish(use())


def test_a_flush_cancelled_while_it_takes_the_scope_gives_it_back(path: Path) -> None:
    async def use() -> None:
        with let_in(Door()) as door:
            async with opened(path, llm=FakeExtractor()) as mem:
                await mem.add("ann", "I live in Delhi")
                engine_of(mem).operational_clock = door.microseconds
                door.shut()
                flushed = asyncio.create_task(mem.flush("ann"))
                await until(door.asked.is_set)  # when the lease would begin, so inside the transaction that takes it
                flushed.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await flushed
                door.open()
                assert (await mem.flush("ann", timeout=PATIENCE / 2)).is_current
                assert await mem.get("ann", "lives_in") == "Delhi"

    finish(use())
