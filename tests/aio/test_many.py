"""Many tasks at once lose nothing, and leave threads to others."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from tensemem.engine.awaiting import THREADS
from tests.aio.callers import PATIENCE, Door, finish, let_in, opened


def test_fifty_tasks_lose_nothing_in_fifty_scopes_nor_in_one(path: Path) -> None:
    async def use() -> None:
        async with opened(path) as mem:
            apart = asyncio.gather(*(mem.set(f"user {n}", "lives_in", f"town {n}") for n in range(50)))
            together = asyncio.gather(*(mem.add("ann", f"hello {n}") for n in range(50)))
            assert sorted(result.seq for result in await together) == list(range(1, 51))
            assert [result.seq for result in await apart] == [1] * 50
            towns = await asyncio.gather(*(mem.get(f"user {n}", "lives_in") for n in range(50)))
            assert towns == [f"town {n}" for n in range(50)]
            assert (await mem.state("ann")).freshness.latest_seq == 50
            assert (await mem.verify()).identical

    finish(use())


def test_two_hundred_who_wait_leave_the_threads_to_others(path: Path) -> None:
    known = set(threading.enumerate())

    async def use() -> None:
        with let_in(Door()) as door:
            door.shut()
            async with opened(path, llm=door.extract, worker=True) as mem:
                calls = [mem.add(f"user {n}", "I live in Delhi", wait=PATIENCE) for n in range(200)]
                waiting = [asyncio.create_task(call) for call in calls]
                while (await mem.stats())["pending"] < 200:
                    await asyncio.sleep(0)
                await mem.set("ann", "lives_in", "Oslo")
                assert await mem.get("ann", "lives_in") == "Oslo"
                assert not any(task.done() for task in waiting)
                ours = {thread for thread in threading.enumerate() if thread.name.startswith("tensemem")} - known
                assert len(ours) <= 2 * THREADS + 8
                door.open()
                assert all(result.settled for result in await asyncio.gather(*waiting))

    finish(use())
