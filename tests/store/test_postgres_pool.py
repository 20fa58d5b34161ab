"""Connections that are used again: how many there are, what becomes of broken and forgotten ones, and of who waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("psycopg")

import psycopg

from tensemem.errors import ClosedError, StoreBusyError
from tensemem.store.postgres import pool as pool_module
from tensemem.store.postgres.link import Link
from tensemem.store.postgres.pool import Pool
from tests.servers import fresh_database


@pytest.fixture(scope="module")
def url() -> str:
    return fresh_database("18")


class Made:
    """Makes connections, and fails to as often as told."""

    def __init__(self, url: str) -> None:
        self.url, self.count, self.is_closed = url, 0, False
        self.failures: list[psycopg.Error] = []

    def connect(self) -> Link:
        if self.failures:
            raise self.failures.pop()
        self.count += 1
        return Link.connect(self.url, autocommit=True)

    def check(self) -> None:
        if self.is_closed:
            raise ClosedError


@pytest.fixture
def made(url: str) -> Made:
    return Made(url)


@pytest.fixture
def pool(made: Made) -> Iterator[Pool]:
    opened = Pool(made.connect, 2, made.check)
    yield opened
    opened.close()


def soon(seconds: float = 30.0) -> float:
    return time.monotonic() + seconds


def test_a_connection_is_used_again_and_a_broken_one_is_not(pool: Pool, made: Made) -> None:
    one = pool.take(soon())
    pool.give_back(one)
    assert pool.take(soon()) is one
    one.close()
    pool.give_back(one)
    other = pool.take(soon())
    assert other is not one
    pool.give_back(other)
    assert made.count == 2


def test_no_more_are_made_than_allowed(pool: Pool, made: Made) -> None:
    held = [pool.take(soon()) for _ in range(2)]
    with pytest.raises(StoreBusyError, match="tensemem_pool"):
        pool.take(soon(0.01))
    for one in held:
        pool.give_back(one)
    assert made.count == 2


def test_it_is_tried_again_until_a_server_takes_it(pool: Pool, made: Made) -> None:
    made.failures = [psycopg.OperationalError("the database system is starting up") for _ in range(3)]
    pool.give_back(pool.take(soon()))
    made.failures = [psycopg.OperationalError("nobody there") for _ in range(99)]
    held = pool.take(soon())  # the idle one
    with pytest.raises(psycopg.OperationalError, match="nobody there"):
        pool.take(soon(0.05))
    pool.give_back(held)


def test_one_that_lay_idle_for_long_is_closed(pool: Pool, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = pool.take(soon()), pool.take(soon())
    pool.give_back(first)
    monkeypatch.setattr(pool_module, "_IDLE_FOR", -1.0)
    pool.give_back(second)
    assert first.closed
    third = pool.take(soon())
    assert second.closed
    pool.give_back(third)


def test_closing_wakes_who_waits_and_drops_what_comes_back(pool: Pool, made: Made) -> None:
    held = [pool.take(soon()) for _ in range(2)]
    waits = threading.Event()

    def take_late() -> Link:
        waits.set()
        return pool.take(soon(60))

    with ThreadPoolExecutor(1) as beside:
        waiting = beside.submit(take_late)
        waits.wait(10)
        made.is_closed = True
        pool.close()
        with pytest.raises(ClosedError):
            waiting.result(30)
    for one in held:
        pool.give_back(one)
        assert one.closed
