"""Places at a provider: never more than allowed, from whatever loop or thread, and none is lost."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable

import pytest

from tensemem.extract.models.turnstile import Turnstile, turnstile


async def settled() -> None:
    """Let everything that can go on in this loop go on."""
    for _ in range(20):
        await asyncio.sleep(0)


class Crowd:
    """Visitors of a turnstile who stay until they are told to leave."""

    def __init__(self, gate: Turnstile) -> None:
        self.gate = gate
        self.came: list[str] = []
        self.doors: dict[str, asyncio.Event] = {}

    def visit(self, name: str, limit: int) -> asyncio.Task[None]:
        self.doors[name] = asyncio.Event()

        async def stay() -> None:
            async with self.gate.entered(limit):
                self.came.append(name)
                await self.doors[name].wait()

        return asyncio.create_task(stay())


def run(scene: Callable[[Crowd], Awaitable[None]]) -> Turnstile:
    gate = Turnstile()

    async def main() -> None:
        await scene(Crowd(gate))

    asyncio.run(main())
    return gate


def test_so_many_are_in_at_once_and_the_others_follow_in_order() -> None:
    async def scene(crowd: Crowd) -> None:
        tasks = [crowd.visit(name, 2) for name in "abcd"]
        await settled()
        assert crowd.came == ["a", "b"]
        crowd.doors["b"].set()
        await settled()
        assert crowd.came == ["a", "b", "c"]
        for door in crowd.doors.values():
            door.set()
        await asyncio.gather(*tasks)
        assert crowd.came == ["a", "b", "c", "d"]

    assert run(scene).inside == 0


def test_who_allows_fewer_waits_longer_and_nobody_overtakes() -> None:
    async def scene(crowd: Crowd) -> None:
        tasks = [crowd.visit("a", 3), crowd.visit("b", 3), crowd.visit("strict", 1), crowd.visit("c", 3)]
        await settled()
        assert crowd.came == ["a", "b"]
        crowd.doors["a"].set()
        await settled()
        assert crowd.came == ["a", "b"]
        crowd.doors["b"].set()
        await settled()
        assert crowd.came == ["a", "b", "strict", "c"]
        for door in crowd.doors.values():
            door.set()
        await asyncio.gather(*tasks)

    assert run(scene).inside == 0


def test_who_gives_up_waiting_holds_nobody_up() -> None:
    async def scene(crowd: Crowd) -> None:
        tasks = [crowd.visit("a", 2), crowd.visit("strict", 1), crowd.visit("b", 2)]
        await settled()
        tasks[1].cancel()
        await settled()
        assert crowd.came == ["a", "b"]
        for door in crowd.doors.values():
            door.set()
        await asyncio.gather(*tasks, return_exceptions=True)

    assert run(scene).inside == 0


def test_a_place_given_to_one_who_is_cancelled_goes_to_the_next() -> None:
    async def scene(crowd: Crowd) -> None:
        tasks = [crowd.visit(name, 1) for name in "abc"]
        await settled()
        crowd.doors["a"].set()
        await asyncio.sleep(0)  # a is leaving: b has its place, and has not been told
        await asyncio.sleep(0)
        tasks[1].cancel()
        await settled()
        assert "c" in crowd.came
        for door in crowd.doors.values():
            door.set()
        await asyncio.gather(*tasks, return_exceptions=True)

    assert run(scene).inside == 0


def test_an_error_inside_gives_the_place_back() -> None:
    async def scene(crowd: Crowd) -> None:
        with pytest.raises(ZeroDivisionError):
            async with crowd.gate.entered(1):
                raise ZeroDivisionError
        async with crowd.gate.entered(1):
            assert crowd.gate.inside == 1

    assert run(scene).inside == 0


def test_loops_in_several_threads_share_the_places() -> None:
    gate = Turnstile()
    inside, most, lock = 0, 0, threading.Lock()

    async def visit() -> None:
        nonlocal inside, most
        async with gate.entered(3):
            with lock:
                inside += 1
                most = max(most, inside)
            await settled()
            with lock:
                inside -= 1

    async def main() -> None:
        await asyncio.gather(*[visit() for _ in range(40)])

    threads = [threading.Thread(target=asyncio.run, args=(main(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert most == 3
    assert gate.inside == 0


def test_a_loop_that_ended_while_waiting_is_passed_over() -> None:
    gate = Turnstile()
    ended = asyncio.new_event_loop()
    waiting = gate.entered(1)

    async def scene() -> None:
        async with gate.entered(1):
            entering = ended.create_task(waiting.__aenter__())
            await asyncio.to_thread(ended.run_until_complete, asyncio.sleep(0))
            entering.cancel()  # it never hears of it: its loop does not run again
            ended.close()
        assert gate.inside == 0
        async with gate.entered(1):
            assert gate.inside == 1

    asyncio.run(scene())


def test_one_provider_and_address_has_one_turnstile_in_a_process() -> None:
    assert turnstile("openai http://x") is turnstile("openai http://x")
    assert turnstile("openai http://x") is not turnstile("openai http://y")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_does_not_wait_for_its_parent_s_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    parents = turnstile("openai http://x")
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert turnstile("openai http://x") is not parents
