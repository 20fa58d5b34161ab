"""AsyncMemory: every verb awaited, the loop never blocked, nothing lost when callers go away."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import aclosing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory, Message, Operation
from tensemem.engine.awaiting import THREADS
from tensemem.errors import ClosedError, InvalidScopeError, InvalidValueError, StoreError
from tensemem.store.sqlite import SqliteStore

T = TypeVar("T")

DELHI = Operation("set", "lives_in", "Delhi", quote="I live in Delhi")
PATIENCE = 60.0
"""Seconds after which a test has failed: more than anything here takes, even on a busy machine."""


def finish(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a loop of its own; one that hangs fails."""

    async def within() -> T:
        async with asyncio.timeout(PATIENCE):
            return await coroutine

    return asyncio.run(within())


async def until(condition: Callable[[], object]) -> None:
    """Let the loop go on until something holds."""
    while not condition():
        await asyncio.sleep(0)


async def turns(number: int = 200) -> None:
    """Let the loop go round so many times."""
    for _ in range(number):
        await asyncio.sleep(0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a registry and nothing else."""
    place = tmp_path / "memory.db"
    with Memory(place, durability="process") as mem:
        mem.register_predicate("lives_in")
    return place


def opened(path: Path | str, **options: Any) -> AsyncMemory:
    return AsyncMemory(path, **{"durability": "process", "worker": False, **options})


def engine_of(mem: Any) -> Any:
    """What an open memory works with, to reach where no verb reaches."""
    return mem._opening.result()._engine


class HeldLock:
    """Someone else's transaction, which keeps the write lock of a file until told to end."""

    def __init__(self, path: Path) -> None:
        self._path, self._held, self._let_go = path, threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold)

    def __enter__(self) -> HeldLock:
        self._thread.start()
        assert self._held.wait(PATIENCE)
        return self

    def let_go(self) -> None:
        self._let_go.set()

    def __exit__(self, *_: object) -> None:
        self._let_go.set()
        self._thread.join()

    def _hold(self) -> None:
        store = SqliteStore(self._path, durability="process")
        with store.write():
            self._held.set()
            self._let_go.wait(PATIENCE)
        store.close()


class Door:
    """A clock or an extractor that stops whoever asks, in a thread, until it is opened."""

    def __init__(self) -> None:
        self.asked, self._open = threading.Event(), threading.Event()
        self.is_shut = False

    def shut(self) -> None:
        self.is_shut = True

    def open(self) -> None:
        self.is_shut = False
        self._open.set()

    def clock(self) -> datetime:
        self._pass()
        return datetime(2026, 1, 1, tzinfo=UTC)

    def microseconds(self) -> int:
        return int(self.clock().timestamp() * 1_000_000)

    def extract(self, request: Any) -> list[Operation]:
        self._pass()
        return FakeExtractor().extract(request)

    def _pass(self) -> None:
        if self.is_shut:
            self.asked.set()
            assert self._open.wait(PATIENCE)


class SlowModel:
    """An async extractor that answers when told to, and remembers in which loops it was asked."""

    def __init__(self) -> None:
        self.loops: list[asyncio.AbstractEventLoop] = []
        self.may_answer = asyncio.Event()

    async def extract(self, request: Any) -> list[Operation]:
        self.loops.append(asyncio.get_running_loop())
        await self.may_answer.wait()
        return [DELHI]


@contextmanager
def let_in(door: Door) -> Iterator[Door]:
    """A door that is open in the end, so that no thread is left standing."""
    try:
        yield door
    finally:
        door.open()


# The verbs


def test_the_published_example_can_be_awaited() -> None:
    async def example() -> None:
        async with AsyncMemory(":memory:", llm=FakeExtractor()) as mem:
            await mem.register_predicate("lives_in")
            await mem.add("u1", "I live in Delhi")
            await mem.set(user_id="u1", predicate="lives_in", value="Bangalore")
            await mem.flush("u1")
            assert (await mem.state("u1")).values == {"lives_in": "Bangalore"}
            history = await mem.history("u1", predicate="lives_in")
            bangalore = next(f for f in history.facts if f.object == "Bangalore")
            await mem.correct(bangalore.id)
            assert (await mem.state("u1")).values == {"lives_in": "Delhi"}

    finish(example())


def test_verbs_bound_to_a_scope_can_be_awaited(path: Path) -> None:
    async def use() -> None:
        async with opened(path) as mem:
            ann = mem.for_user("ann", agent_id="guide")
            done = await ann.set("lives_in", "Delhi")
            assert await ann.get("lives_in") == "Delhi"
            assert await mem.get("ann", "lives_in") is None
            assert (await ann.explain(done.fact_id or "")).fact.value == "Delhi"
            assert (await ann.flush()).is_current
            with pytest.raises(InvalidScopeError):
                mem.for_user(" ")

    finish(use())


def test_an_error_comes_when_it_is_awaited(path: Path) -> None:
    async def use() -> list[Any]:
        async with opened(path) as mem:
            calls = mem.set("", "lives_in", "Delhi"), mem.set("ann", "shoe_size", 3), mem.get("ann", "lives_in", "none")
            return await asyncio.gather(*calls, return_exceptions=True)

    first, second, third = finish(use())
    assert (type(first).__name__, type(second).__name__, third) == (
        "InvalidScopeError", "UnknownPredicateError", "none",
    )  # fmt: skip


def test_a_hook_is_told_in_the_context_of_the_caller(path: Path) -> None:
    request = contextvars.ContextVar("request", default="none")
    seen: list[tuple[str, str]] = []

    async def say(mem: AsyncMemory, user: str) -> None:
        request.set(user)
        await mem.add(user, "hello there")

    async def use() -> None:
        async with opened(path) as mem:
            await mem.on(lambda event, fields: seen.append((fields["scope"].user_id, request.get())))
            await asyncio.gather(say(mem, "ann"), say(mem, "bob"))

    finish(use())
    assert sorted(seen) == [("ann", "ann"), ("bob", "bob")]


def messages(*numbers: int) -> list[Message]:
    return [Message(f"user {number % 2}", f"hello {number}") for number in numbers]


async def one_by_one(given: list[Message]) -> AsyncIterator[Message]:
    for message in given:
        await asyncio.sleep(0)
        yield message


@pytest.mark.parametrize("as_given", [list, iter, one_by_one])
def test_many_messages_come_from_plain_and_async_iterables(path: Path, as_given: Callable[[Any], Any]) -> None:
    async def use() -> list[int]:
        async with opened(path) as mem:
            return [result.seq async for result in mem.add_many(as_given(messages(0, 1, 2, 3, 4)), batch=2)]

    assert finish(use()) == [1, 1, 2, 2, 3]


def test_what_came_before_a_bad_message_is_kept(path: Path) -> None:
    given = [*messages(0, 1), Message("user 0", 7), *messages(2)]

    async def use() -> tuple[int, int]:
        async with opened(path) as mem:
            receipts, done = mem.add_many(given, batch=2), 0
            try:
                async for _ in receipts:
                    done += 1
            except InvalidValueError:
                return done, (await mem.stats())["pending"]
            return pytest.fail("the bad message was taken")

    assert finish(use()) == (2, 2)


def test_whoever_stops_taking_receipts_stops_the_messages(path: Path) -> None:
    async def use() -> int:
        async with opened(path) as mem:
            async with aclosing(mem.add_many(messages(*range(10)), batch=2)) as receipts:  # type: ignore[type-var]
                async for _ in receipts:
                    break
            return int((await mem.stats())["pending"])

    assert finish(use()) == 2


@pytest.mark.parametrize("batch", [0, -1, True, "many"])
def test_a_batch_of_no_size_is_refused(path: Path, batch: Any) -> None:
    async def use() -> None:
        async with opened(path) as mem:
            with pytest.raises(InvalidValueError, match="batch"):
                [_ async for _ in mem.add_many(messages(1), batch=batch)]

    finish(use())


# Many at once


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


# The loop is never blocked


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


# Extractors


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


# Cancelled callers


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


# Opening and closing


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

    assert {type(outcome) for outcome in finish(use())} == {ClosedError}


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
