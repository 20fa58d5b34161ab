"""The loop is never blocked."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tensemem import FakeExtractor
from tensemem.engine.awaiting import THREADS
from tests.aio.callers import PATIENCE, Door, HeldLock, finish, let_in, opened, turns, until


def test_a_locked_file_holds_up_neither_the_loop_nor_readers(path: Path) -> None:
    async def use() -> None:
        async with opened(path) as mem:
            with HeldLock(path) as lock:
                writers = [asyncio.create_task(mem.set(f"user {n}", "lives_in", "Oslo")) for n in range(3 * THREADS)]
                await turns()
                assert await mem.get("ann", "lives_in") is None
                assert (await mem.state("ann")).freshness.is_current
                assert not any(writer.done() for writer in writers)
                lock.let_go()
                assert all(result.changed for result in await asyncio.gather(*writers))

    finish(use())


def test_a_locked_file_holds_up_opening_but_not_the_loop(path: Path) -> None:
    async def use() -> None:
        with HeldLock(path) as lock:
            mem = opened(path, llm=FakeExtractor(), worker=True)  # a worker writes that it is there
            assert repr(mem) == "AsyncMemory(opening)"
            first = asyncio.create_task(mem.get("ann", "lives_in", "nowhere"))
            ann = mem.for_user("ann")
            await turns()
            assert not first.done()
            lock.let_go()
            assert await first == "nowhere"
            assert await ann.get("lives_in", "nowhere") == "nowhere"
        await mem.close()

    finish(use())


def test_who_waits_leaves_the_loop_to_others(path: Path) -> None:
    async def use() -> None:
        with let_in(Door()) as door:
            door.shut()
            async with opened(path, llm=door.extract, worker=True) as mem:
                written = asyncio.create_task(mem.add("ann", "I live in Delhi", wait=PATIENCE))
                await until(door.asked.is_set)
                read = asyncio.create_task(mem.state("ann", min_seq=1, wait=PATIENCE))
                changed = asyncio.create_task(mem.changes("ann", wait=PATIENCE))
                await turns()
                assert not any(task.done() for task in (written, read, changed))
                door.open()
                assert (await written).settled
                assert (await read).values == {"lives_in": "Delhi"}
                assert [change.value for change in await changed] == ["Delhi"]

    finish(use())
