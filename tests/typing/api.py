"""The public API as a type checker sees it: checked by tests/test_facades.py, never run.

Where an ignore names an error, that error must be there: a checker that is strict complains of ignores it has no use
for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, assert_type

from tensemem import (
    AddResult,
    AsyncMemory,
    Change,
    Context,
    CopyReport,
    Decision,
    Entity,
    Explanation,
    Fact,
    FactStatus,
    FakeExtractor,
    Freshness,
    History,
    Items,
    LoggedMessage,
    Memory,
    Message,
    Operation,
    Predicate,
    Question,
    RebuildReport,
    SearchHit,
    State,
    StateDiff,
    WriteResult,
    errors,
)

HELLO = Message("ann", "hello", said_at=datetime(2026, 1, 1, tzinfo=UTC))
MOVED = Operation("set", "lives_in", "Oslo", since="2026-01-05")


def clock() -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC)


def opening() -> None:
    assert_type(Memory(), Memory)
    Memory(Path("memory.db"), llm=FakeExtractor(), clock=clock, durability="process", worker=False, redact=False)
    AsyncMemory("memory.db", llm=False, namespace="tests", tz="Europe/Oslo", max_content=100, subjects="declared")
    Memory(durability="perhaps")  # type: ignore[arg-type]
    AsyncMemory(colour="red")  # type: ignore[call-arg]
    with Memory(":memory:") as mem:
        assert_type(mem, Memory)
    with AsyncMemory(":memory:"):  # type: ignore[attr-defined]
        pass


def writing(mem: Memory) -> None:
    assert_type(mem.add("ann", "hello", wait=True), AddResult)
    assert_type(mem.add_many([HELLO], batch=10), Iterator[AddResult])
    done = assert_type(mem.set("ann", "lives_in", "Oslo", since="2026-01-05"), WriteResult)
    assert_type(mem.write("ann", [MOVED], expected_rev=done.rev), WriteResult)
    assert_type(mem.correct("id", valid_from=clock()), WriteResult)
    assert_type(mem.review("id", False), WriteResult)
    assert_type(mem.answer("q-id", "yes", user_id="ann"), WriteResult)
    assert_type(mem.preview("ann", [MOVED]), StateDiff)
    assert_type(mem.register_predicate("lives_in", "many", ttl=timedelta(days=1)), Predicate)
    assert_type(mem.register_entity("Kit", aliases=["the cat"]), Entity)
    mem.set("ann", "lives_in", "Oslo", valid_from=clock())  # type: ignore[call-arg]
    mem.record("ann", "lives_in", "Oslo")  # type: ignore[call-arg]
    mem.register_predicate("lives_in", "several")  # type: ignore[arg-type]


def reading(mem: Memory) -> None:
    state = assert_type(mem.state("ann", at="2026", known_at=3, layers=["", "guide"]), State)
    assert_type(state.freshness, Freshness)
    history = assert_type(mem.history("ann", "lives_in"), History)
    fact: Fact = history.facts[0]
    assert_type(fact.status, FactStatus)
    assert_type(mem.get("ann", "lives_in"), Any)
    assert_type(mem.explain(fact.id), Explanation)
    assert_type(mem.decisions("ann", 1), Items[Decision])
    assert_type(mem.context("ann", max_tokens=100, format="xml"), Context)
    assert_type(mem.search("ann", "where"), Items[SearchHit])
    assert_type(mem.messages("ann", session_id="s1", limit=10), Items[LoggedMessage])
    assert_type(mem.questions("ann", limit=3), Items[Question])
    assert_type(mem.changes("ann", 7, wait=1.5), Items[Change])
    assert_type(mem.flush(), Freshness)
    assert_type(mem.rebuild("ann"), RebuildReport)
    assert_type(mem.copy_to(mem, namespaces=["a"]), CopyReport)
    assert_type(mem.retry("ann", 3), int)
    mem.state("ann", on_stale="shrug")  # type: ignore[arg-type]


def bound(mem: Memory) -> None:
    ann = mem.for_user("ann", agent_id="guide")
    assert_type(ann.user_id, str)
    assert_type(ann.add("hello"), AddResult)
    assert_type(ann.set("lives_in", "Oslo"), WriteResult)
    assert_type(ann.correct("id", "Oslo"), WriteResult)
    assert_type(ann.state(predicates=["lives_in"]), State)
    assert_type(ann.get("lives_in", "nowhere"), Any)
    assert_type(ann.history("lives_in"), History)
    assert_type(ann.flush(timeout=1), Freshness)
    assert_type(ann.retry(3), int)
    assert_type(ann.digest(), str)
    ann.state(user_id="ann")  # type: ignore[call-arg]
    ann.set("lives_in", "Oslo", namespace="other")  # type: ignore[call-arg]
    ann.explain("id", user_id="bob")  # type: ignore[call-arg]
    ann.register_predicate("lives_in")  # type: ignore[attr-defined]
    ann.close()  # type: ignore[attr-defined]


async def incoming() -> AsyncIterator[Message]:
    yield HELLO


async def awaited() -> None:
    async with AsyncMemory(":memory:", llm=FakeExtractor()) as mem:
        assert_type(mem, AsyncMemory)
        assert_type(await mem.add("ann", "hello", wait=2), AddResult)
        assert_type(mem.add_many([HELLO]), AsyncIterator[AddResult])
        assert_type([receipt.seq async for receipt in mem.add_many(incoming(), batch=10)], list[int])
        assert_type(await mem.set("ann", "lives_in", "Oslo"), WriteResult)
        assert_type(await mem.state("ann"), State)
        assert_type(await mem.get("ann", "lives_in"), Any)
        assert_type(await mem.context("ann", format="json"), Context)
        assert_type(await mem.flush("ann", timeout=1), Freshness)
        assert_type(await mem.register_predicate("lives_in"), Predicate)
        assert_type(await mem.stats(), dict[str, Any])
        await mem.on(print)
        await mem.close(timeout=1)
        mem.state("ann").values  # type: ignore[attr-defined]  # noqa: B018
        mem.state("ann")  # type: ignore[unused-coroutine]
        await mem.state("ann", on_stale="shrug")  # type: ignore[arg-type]
        await mem.set("ann", "lives_in")  # type: ignore[call-arg]
        await mem.add_many([HELLO])  # type: ignore[misc]


async def awaited_and_bound(mem: AsyncMemory) -> None:
    ann = mem.for_user("ann")
    assert_type(ann.namespace, str)
    assert_type(await ann.add("hello"), AddResult)
    assert_type(await ann.set("lives_in", "Oslo"), WriteResult)
    assert_type(await ann.state(), State)
    assert_type(await ann.changes(7), Items[Change])
    await ann.state(agent_id="guide")  # type: ignore[call-arg]
    await ann.stats()  # type: ignore[attr-defined]


async def not_interchangeable(mem: Memory, other: AsyncMemory) -> None:
    plain: Memory = other  # type: ignore[assignment]
    print(plain)
    await mem.state("ann")  # type: ignore[misc]


def handling() -> None:
    try:
        Memory("memory.db")
    except errors.StaleMemoryError as error:
        assert_type(error.freshness, Freshness)
    except errors.TensememError as error:
        print(error)
