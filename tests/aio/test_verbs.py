"""Every verb can be awaited."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Message
from tensemem.errors import InvalidScopeError, InvalidValueError
from tests.aio.callers import finish, opened


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
