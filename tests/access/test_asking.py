"""Asking from an event loop: once for all who show the same token, and nobody who is known waits for who guesses."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem.access import Access, guard
from tensemem.access.asking import MOST_ASKED
from tensemem.access.file import FileRows
from tests.access.asking import Behind, asked, scope_of
from tests.access.conftest import World


class Far(FileRows):
    """Rows that take a while to be read, as in a database; reads are counted."""

    is_near = False

    def __init__(self, path: Path) -> None:
        super().__init__(path, make=True)
        self.begun = 0
        self.gate = threading.Event()
        self.gate.set()

    def begin(self, *, write: bool) -> Any:
        """Begin; who shows a token that is not known only while the gate is open."""
        self.begun += 1
        if threading.current_thread().name.startswith("tensemem-tokens"):
            assert self.gate.wait(30)
        return super().begin(write=write)


class Slow(World):
    """Hashes that are only made while a gate is open."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()

    def make_hash(self, secret: bytes, salt: bytes) -> bytes:
        assert self.gate.wait(30)
        return super().make_hash(secret, salt)


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def rows(place: Path) -> Far:
    return Far(place)


@pytest.fixture
def far(slow: Slow, rows: Far) -> Iterator[Access]:
    with Access(rows, clock=slow.clock, monotonic=slow.monotonic, make_hash=slow.make_hash) as access:
        yield access


def wrong(number: int) -> str:
    return f"tsm_{number:016x}_{number:064x}"


async def statuses(app: Any, tokens: list[str]) -> list[int]:
    scopes = [scope_of(token=token, client=f"10.0.{number}.1") for number, token in enumerate(tokens)]
    return [answer.status for answer in await asyncio.gather(*(asked(app, scope) for scope in scopes))]


def test_many_who_show_one_token_have_it_looked_at_once(far: Access, slow: Slow, rows: Far) -> None:
    _, token = far.mint()
    app = guard(Behind(), far)
    slow.hashed.clear()
    rows.begun = 0
    assert set(asyncio.run(statuses(app, [token] * 50))) == {200}
    assert (len(slow.hashed), rows.begun) == (1, 1)
    slow.pass_by(1)
    assert set(asyncio.run(statuses(app, [token] * 50))) == {200}
    assert (len(slow.hashed), rows.begun) == (1, 2)
    assert set(asyncio.run(statuses(app, [wrong(1)] * 50))) == {401}
    assert (len(slow.hashed), rows.begun) == (1, 3)


def test_who_is_known_waits_for_nobody_who_guesses(far: Access, slow: Slow, rows: Far) -> None:
    _, token = far.mint()
    app = guard(Behind(), far)

    async def during_a_siege() -> tuple[list[int], list[int]]:
        assert await statuses(app, [token]) == [200]
        slow.pass_by(1)
        rows.gate.clear()
        siege = asyncio.ensure_future(statuses(app, [wrong(number) for number in range(MOST_ASKED + 20)]))
        await asyncio.sleep(0)
        known = await statuses(app, [token] * 5)
        rows.gate.set()
        return known, await siege

    known, siege = asyncio.run(during_a_siege())
    assert known == [200] * 5
    assert siege == [401] * MOST_ASKED + [429] * 20


def test_who_goes_away_takes_the_answer_from_nobody(far: Access, slow: Slow) -> None:
    _, token = far.mint()
    app = guard(Behind(), far)

    async def one_goes() -> int:
        slow.gate.clear()
        first, second = (asyncio.ensure_future(asked(app, scope_of(token=token))) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        slow.gate.set()
        with pytest.raises(asyncio.CancelledError):
            await first
        return (await second).status

    assert asyncio.run(one_goes()) == 200


def test_a_loop_that_broke_off_leaves_nothing_to_wait_for(far: Access, slow: Slow) -> None:
    _, token = far.mint()
    app = guard(Behind(), far)

    async def breaks_off() -> None:
        slow.gate.clear()
        task = asyncio.ensure_future(asked(app, scope_of(token=token)))
        await asyncio.sleep(0)
        task.cancel()
        slow.gate.set()

    asyncio.run(breaks_off())
    assert asyncio.run(statuses(app, [token])) == [200]


def test_what_goes_wrong_is_told_to_all_who_wait(far: Access) -> None:
    app = guard(Behind(), far)
    far.close()
    assert set(asyncio.run(statuses(app, [wrong(1)] * 5))) == {503}
