"""Extractors of awaited memories: plain ones have a thread, others the loop of the caller."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

from tensemem import Operation
from tests.aio.callers import DELHI, SlowModel, finish, opened, until


def test_a_plain_extractor_is_asked_in_a_thread(path: Path) -> None:
    asked_in: list[threading.Thread] = []

    def extract(request: Any) -> list[Operation]:
        asked_in.append(threading.current_thread())
        return [DELHI]

    async def use() -> None:
        async with opened(path, llm=extract) as mem:
            await mem.add("ann", "I live in Delhi")
            assert (await mem.flush("ann")).is_current
            assert await mem.get("ann", "lives_in") == "Delhi"

    finish(use())
    assert threading.main_thread() not in asked_in
    assert len(asked_in) == 1


def test_flush_and_preview_await_an_async_extractor_in_the_callers_loop(path: Path) -> None:
    async def use() -> None:
        model = SlowModel()
        async with opened(path, llm=model) as mem:
            await mem.add("ann", "I live in Delhi")
            flushed = asyncio.create_task(mem.flush("ann"))
            await until(lambda: model.loops)
            assert not flushed.done()
            model.may_answer.set()
            assert (await flushed).is_current
            assert await mem.get("ann", "lives_in") == "Delhi"
            await mem.preview("ann", "I live in Delhi")
            assert model.loops == [asyncio.get_running_loop()] * 2

    finish(use())
