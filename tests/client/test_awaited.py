"""AsyncClient: what a Client gives, awaited; the event loop goes on meanwhile."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncClient, Client, Memory, Message, Operation, errors
from tests.client.bench import TOKEN, Served, between, same, served
from tests.engine.bench import Clock


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("served") / "m.db"
    with served(place, clock=Clock()) as running, Client(running.url, TOKEN) as client:
        client.register_predicate("lives_in")
        yield running


def finish(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


async def no_pause(_seconds: float) -> None:
    """Takes the place of sleeping."""


def test_every_verb_is_awaited_and_gives_what_a_client_gives(server: Served) -> None:
    async def use() -> None:
        async with AsyncClient(server.url, TOKEN) as mem, AsyncClient(server.url, TOKEN, namespace="acme") as other:
            with Client(server.url, TOKEN) as plain:
                assert repr(mem) == f"AsyncClient({server.url!r})"
                assert (await mem.set("ann", "lives_in", "Oslo")).changed
                assert await mem.get("ann", "lives_in") == "Oslo"
                assert await mem.get("ann", "lives_in", "none", subject="bob") == "none"
                await mem.write("ann", [Operation("set", "lives_in", "Rome")])
                await mem.add("ann", "hello", wait=0.01)
                for name in ("state", "history", "messages", "changes", "digest"):
                    same(await getattr(mem, name)("ann"), getattr(plain, name)("ann"))
                same(await mem.predicates(), plain.predicates())
                with pytest.raises(errors.UnknownPredicateError):
                    await mem.set("ann", "nonsense", 1)
                with pytest.raises(errors.AccessError, match="not served"):
                    await mem.copy_to("other.db")
                with pytest.raises(errors.AccessError, match="not served"):
                    await AsyncClient.restore("a", "b")
                with pytest.raises(errors.InvalidScopeError):
                    await other.state("ann", namespace="default")
                with pytest.raises(TypeError, match="colour"):
                    await mem.state("ann", colour="red")  # type: ignore[call-arg]

    finish(use())


def test_a_scope_a_turn_and_tools_are_awaited(server: Served) -> None:
    async def use() -> None:
        async with AsyncClient(server.url, TOKEN) as mem:
            bob = mem.for_user("bob")
            async with bob.turn("hello") as turn:
                turn.answer = "hello to you"
            assert [message.content for message in await bob.messages()] == ["hello", "hello to you"]
            assert "lives_in holds" not in await bob.call("memory_context")
            assert "Oslo holds" in await bob.call("memory_set", {"predicate": "lives_in", "value": "Oslo"})
            wrong = {"predicate": "lives_in", "wrong_value": "oslo"}
            assert (await bob.call("memory_correct", wrong)).is_error is False
            tools = await bob.tools()
            assert "memory_get" in tools.names

    finish(use())


def test_many_messages_are_taken_from_plain_and_async_iterables(server: Served) -> None:
    async def spoken() -> AsyncIterator[Message]:
        for number in range(5):
            yield Message("cy", f"hello {number}")

    async def use() -> None:
        async with AsyncClient(server.url, TOKEN) as mem:
            assert [result.seq async for result in mem.add_many(spoken(), batch=2)] == [1, 2, 3, 4, 5]
            assert [result.seq async for result in mem.add_many([Message("cy", "hi")])] == [6]
            for bad in (7, ["hello"]):
                with pytest.raises(errors.InvalidValueError):
                    [result async for result in mem.add_many(bad)]  # type: ignore[arg-type]

    finish(use())


def test_long_messages_are_several_requests(server: Served) -> None:
    with between(server.url) as proxy, Client(proxy.url, TOKEN) as client:
        long = [Message("dan", "x" * 900_000, extract=False) for _ in range(5)]
        assert [result.seq for result in client.add_many(long)] == [1, 2, 3, 4, 5]
        assert proxy.seen == ["pass /v1/add_many"] * 3


def test_what_breaks_is_tried_again_and_counts_once(server: Served) -> None:
    async def use(url: str) -> None:
        async with AsyncClient(url, TOKEN) as mem:
            mem._sender.sleep = no_pause
            result = await mem.set("eve", "lives_in", "Oslo")
            assert (result.seq, result.changed, result.duplicate) == (1, True, False)
            with pytest.raises(errors.OutcomeUnknownError):
                await mem.forget("nobody")

    with between(server.url, "cut", "busy", "pass", "pass", "lose") as proxy:
        finish(use(proxy.url))


def test_files_are_carried_while_the_loop_goes_on(server: Served, tmp_path: Path) -> None:
    async def use() -> None:
        async with AsyncClient(server.url, TOKEN) as mem:
            into = io.BytesIO()
            report, backup = await asyncio.gather(mem.export(into), mem.backup(tmp_path / "b.db"))
            assert (report.size, backup.size) == (len(into.getvalue()), (tmp_path / "b.db").stat().st_size)
            into.seek(0)
            assert (await mem.import_(into)).unchanged == report.scopes
            with Memory(tmp_path / "b.db", worker=False) as copy:
                assert copy.digest("ann") == await mem.digest("ann")

    finish(use())


def test_many_ask_at_once_and_one_client_serves_several_loops(server: Served) -> None:
    mem = AsyncClient(server.url, TOKEN)

    async def use(name: str) -> list[int]:
        results = await asyncio.gather(*(mem.add(name, f"hello {number}") for number in range(12)))
        return sorted(result.seq for result in results)

    for name in ("fay", "gus"):
        assert finish(use(name)) == list(range(1, 13))
    finish(mem.close())
    with pytest.raises(errors.ClosedError):
        finish(mem.state("fay"))
    assert repr(mem).endswith(", closed)")


def test_a_cancelled_caller_is_let_go(server: Served) -> None:
    async def use() -> None:
        async with AsyncClient(server.url, TOKEN) as mem:
            waiting = asyncio.ensure_future(mem.changes("nobody yet", wait=60))
            await mem.state("ann")
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert (await mem.state("ann")).rev

    finish(use())
