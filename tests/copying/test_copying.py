"""Copying whole memories: what moves, what is left alone, what is refused, and what others see meanwhile."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory, Operation
from tensemem.engine import copying, filling
from tensemem.engine.settle import MAX_ATTEMPTS
from tensemem.engine.verifying import Remade
from tensemem.errors import (
    ClosedError,
    ConflictError,
    ExtractorOutputError,
    InvalidValueError,
    ReadOnlyError,
    StoreBusyError,
    StoreError,
)
from tensemem.model.results import CopyReport
from tensemem.model.scope import Scope
from tensemem.ports import FILLING, UsageRow
from tests.copying.looking import kept, shown
from tests.copying.places import PAIRS, Places
from tests.store.children import finish, start_child
from tests.store.every_kind import KINDS, LOCAL_KINDS, StoreKind

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
CALM: dict[str, Any] = {"worker": False, "clock": lambda: NOON}


def fill(mem: Memory) -> None:
    """Two namespaces, three users, one with an agent; corrected, retracted, held, waiting and failed things."""
    mem.register_predicate("lives_in")
    mem.register_predicate("languages", "many")
    mem.register_entity("Bombay", aliases=["Mumbai"])
    mem.add("ann", "I live in Delhi", said_at="2026-01-05", idempotency_key="first")
    mem.flush("ann")
    mem.set("ann", "lives_in", "Pune", said_at="2026-02-01", idempotency_key="second")
    mem.correct(mem.history("ann", "lives_in").facts[0].id, reason="another Ann")
    mem.replace_values("ann", "languages", ["Go", "Rust"], said_at="2026-02-01")
    mem.retract("ann", "languages", "Go", said_at="2026-03-01")
    mem.write("ann", [Operation("set", "lives_in", "Oslo", modality="planned", valid_from="2027")])
    mem.write("ann", [Operation("set", "lives_in", "Rome", modality="reported")])
    mem.set("ann", "lives_in", "Goa", agent_id="guide")
    mem.add("bob", "I live in Mumbai")
    mem.add("bob", "trouble")


class Troubled(FakeExtractor):
    """Fails on one text, always."""

    def extract(self, request: Any) -> Any:
        if "trouble" in request.text:
            raise ExtractorOutputError("no")
        return super().extract(request)


@pytest.fixture(params=KINDS, ids=str)
def source(request: pytest.FixtureRequest, places: Places) -> Iterator[Memory]:
    with places.opened(request.param, "source", llm=Troubled(), **CALM) as mem:
        yield mem


@pytest.fixture(params=[kind for kind in LOCAL_KINDS if kind.name in ("plain", "file")], ids=str)
def dest(request: pytest.FixtureRequest, places: Places) -> Iterator[Memory]:
    with places.opened(request.param, "dest", llm=Troubled(), **CALM) as mem:
        yield mem


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Memory]:
    """A memory in a file, with something in it."""
    with Memory(tmp_path / "source.db", llm=Troubled(), **CALM) as mem:
        fill(mem)
        yield mem


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory in a file."""
    with Memory(tmp_path / "dest.db", llm=Troubled(), **CALM) as mem:
        yield mem


def on_copying(mem: Memory, act: Callable[[], Any], times: int = 1) -> None:
    """Do something at the first pauses of copies from a memory."""
    left = times

    def hook(event: str, fields: Mapping[str, Any]) -> None:
        nonlocal left
        if event == "copying" and left:
            left -= 1
            act()

    mem.on(hook)


class Broken(KeyboardInterrupt):
    """What ends a copy in the middle."""


def break_off() -> None:
    raise Broken


@pytest.fixture
def half(one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A memory to which Ann's was copied, but for the most of it."""
    with monkeypatch.context() as patch:
        patch.setattr(filling, "ROWS", 2)
        on_copying(one, break_off)
        with pytest.raises(Broken):
            one.copy_to(other)
    return other


# What moves


def test_everything_moves(source: Memory, dest: Memory) -> None:
    fill(source)
    for _ in range(MAX_ATTEMPTS):  # the second message fails for good, the third waits behind it
        source.retry("bob", 2)
        source.flush("bob")
    source.add("bob", "I live in Rome")
    report = source.copy_to(dest)
    assert (report.namespaces, report.scopes, report.copied, report.unchanged, report.ahead) == (1, 3, 3, 0, 0)
    assert kept(dest) == kept(source)
    for user in ("ann", "bob"):
        assert shown(dest, user) == shown(source, user)
    assert dest.jobs() == source.jobs()
    assert dest.verify().identical
    assert dest.verify().digest == source.verify().digest


def test_what_extractors_used_moves_and_is_counted_once(source: Memory, dest: Memory) -> None:
    fill(source)
    for calls in (3, 1):  # before a first copy, and before another one
        with source._engine.store.write() as tx:
            head = tx.head(Scope("default", "bob"))
            assert head is not None
            tx.add_usage(head.id, UsageRow("model", "m", calls, 10 * calls, calls, 5))
            tx.add_usage(head.id, UsageRow("other", "m", 1, 0, 0, 0))
        source.add("bob", f"hello {calls}", extract=False)
        source.copy_to(dest)
        source.copy_to(dest)
        assert dest.stats()["usage"] == source.stats()["usage"] != []
    assert kept(dest) == kept(source)


@pytest.mark.parametrize(("kind", "to"), PAIRS, ids=str)
def test_retries_of_what_was_done_before_are_known_there(kind: StoreKind, to: StoreKind, places: Places) -> None:
    with places.opened(kind, "source", llm=Troubled(), **CALM) as one:
        fill(one)
        with places.opened(to, "dest", llm=Troubled(), **CALM) as other:
            one.copy_to(other)
            again = other.add("ann", "I live in Delhi", said_at="2026-01-05", idempotency_key="first")
            assert (again.seq, again.duplicate) == (1, True)
            written = other.set("ann", "lives_in", "Pune", said_at="2026-02-01", idempotency_key="second")
            assert (written.seq, written.duplicate) == (2, True)
            assert kept(other) == kept(one)


def test_what_is_written_afterwards_gets_the_next_numbers(source: Memory, dest: Memory) -> None:
    fill(source)
    source.copy_to(dest)
    receipts = [mem.set("ann", "lives_in", "Goa") for mem in (source, dest)]
    assert receipts[0].seq == receipts[1].seq
    assert receipts[0].fact_ids == receipts[1].fact_ids
    for mem in (source, dest):
        mem.dismiss("bob", 2)
        mem.flush("bob")
    assert shown(dest, "bob") == shown(source, "bob")


def test_recalled_text_is_known_as_such_there(source: Memory, dest: Memory) -> None:
    fill(source)
    fenced = source.context("ann").text
    source.copy_to(dest)
    assert dest.context("ann").text == fenced
    assert dest._engine.fence_tag == source._engine.fence_tag


def test_a_path_is_copied_to_and_made_if_need_be(one: Memory, tmp_path: Path) -> None:
    report = one.copy_to(tmp_path / "new.db")
    assert report.destination == str(tmp_path / "new.db")
    with Memory(tmp_path / "new.db", read_only=True, clock=lambda: NOON) as new:
        assert kept(new) == kept(one)


def test_some_namespaces_and_users_may_be_chosen(one: Memory, tmp_path: Path) -> None:
    with Memory(tmp_path / "source.db", namespace="tenant", **CALM) as tenant:
        tenant.register_predicate("diet")
        tenant.set("zoe", "diet", "vegan")
    one.copy_to(tmp_path / "b.db", prefix="b")
    with Memory(tmp_path / "b.db", **CALM) as new:
        assert [info.user_id for info in new.scopes()] == ["bob"]
        assert [info.user_id for info in new.scopes(namespace="tenant")] == []
        assert [predicate.name for predicate in new.predicates(namespace="tenant")] == ["diet"]
    one.copy_to(tmp_path / "t.db", namespaces=["tenant"])
    with Memory(tmp_path / "t.db", **CALM) as new:
        assert new.scopes() == ()
        assert new.get("zoe", "diet", namespace="tenant") == "vegan"
    assert one.copy_to(tmp_path / "all.db").namespaces == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((3,), "dest must be"),
        ((":memory:",), "working storage"),
        (("x.db", ["nobody"]), "no namespace 'nobody'"),
        (("x.db", "default"), "must be a list"),
        (("x.db", []), "must be a list"),
        (("x.db", ["\ud800"]), "without lone surrogates"),
        (("x.db", None, 3), "prefix must be text"),
    ],
)
def test_what_can_not_be_copied_is_refused(one: Memory, tmp_path: Path, arguments: tuple[Any, ...], says: str) -> None:
    where, *rest = arguments
    named = dict(zip(("namespaces", "prefix"), rest, strict=False))
    with pytest.raises(InvalidValueError, match=says):
        one.copy_to(tmp_path / where if where == "x.db" else where, **named)
    assert one.verify().identical


def test_a_memory_is_not_copied_to_itself(source: Memory) -> None:
    fill(source)
    with pytest.raises(InvalidValueError, match="to itself"):
        source.copy_to(source)


def test_what_is_closed_or_read_only_is_refused(one: Memory, tmp_path: Path) -> None:
    Memory(tmp_path / "dest.db", **CALM).close()
    with Memory(tmp_path / "dest.db", read_only=True) as other, pytest.raises(ReadOnlyError):
        one.copy_to(other)
    with pytest.raises(ClosedError):
        one.copy_to(other)
    one.close()
    with pytest.raises(ClosedError):
        one.copy_to(tmp_path / "dest.db")


def test_the_source_may_be_open_for_reading_only(one: Memory, other: Memory, tmp_path: Path) -> None:
    with Memory(tmp_path / "source.db", read_only=True) as reading:
        reading.copy_to(other)
    assert shown(other, "ann") == shown(one, "ann")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name not in ("plain", "memory")], ids=str)
def test_a_copy_to_a_path_lasts(one: Memory, kind: StoreKind, places: Places) -> None:
    with places.inside(kind):
        one.copy_to("dest")
        one.set("bob", "lives_in", "Rome")
        assert one.copy_to("dest").entries == 1
        with Memory("dest", clock=lambda: NOON) as new:
            assert kept(new) == kept(one)


# Copying again


def test_copying_again_does_nothing(source: Memory, dest: Memory) -> None:
    fill(source)
    first = source.copy_to(dest)
    before = kept(dest)
    again = source.copy_to(dest)
    assert (first.entries > 0, again.entries, again.copied, again.unchanged) == (True, 0, 0, 3)
    assert kept(dest) == before


def test_copying_again_fetches_what_was_written_since(source: Memory, dest: Memory) -> None:
    fill(source)
    source.copy_to(dest)
    source.register_predicate("diet", aliases=["food"])
    source.set("ann", "food", "vegan")
    source.flush("bob")
    source.set("new", "lives_in", "Oslo")
    report = source.copy_to(dest)
    assert (report.copied, report.unchanged) == (3, 1)
    assert kept(dest) == kept(source)


def test_a_memory_that_went_on_there_is_left_alone(one: Memory, other: Memory) -> None:
    one.copy_to(other)
    other.set("ann", "lives_in", "Goa")
    other.register_predicate("diet")
    before = kept(other)
    report = one.copy_to(other)
    assert (report.copied, report.unchanged, report.ahead) == (0, 2, 1)
    assert kept(other) == before


def test_a_key_that_a_repeated_message_left_is_fetched(one: Memory, other: Memory) -> None:
    one.copy_to(other)
    one.add("ann", "I live in Delhi", said_at="2026-01-05", idempotency_key="another name for it")
    assert one.copy_to(other).copied == 1
    assert kept(other) == kept(one)
    assert one.copy_to(other).copied == 0


def test_another_memory_of_the_same_user_is_refused_and_left_as_it_is(one: Memory, other: Memory) -> None:
    one.copy_to(other)
    one.set("ann", "lives_in", "Goa")
    other.set("ann", "lives_in", "Rome")
    before = kept(other)
    with pytest.raises(ConflictError, match=r"the memory of 'ann' in namespace 'default' is another one .* differ"):
        one.copy_to(other)
    assert kept(other) == before


def test_how_long_a_namespace_keeps_what_is_copied_and_holds_nothing_up(one: Memory, other: Memory) -> None:
    one.retain(texts="90d")
    one.copy_to(other)
    assert other.retention() == one.retention()
    other.retain(texts="10d")
    before = other.retention()
    assert one.copy_to(other).unchanged == 3
    assert other.retention() == before != one.retention()


def test_another_registry_is_refused(one: Memory, other: Memory) -> None:
    other.register_predicate("diet")
    with pytest.raises(ConflictError, match="the registry in namespace 'default' is another one"):
        one.copy_to(other)
    assert other.scopes() == ()


# Broken off


READS: list[Callable[[Memory], Any]] = [
    lambda mem: mem.state("ann"), lambda mem: mem.get("ann", "lives_in"), lambda mem: mem.history("ann"),
    lambda mem: mem.context("ann"), lambda mem: mem.search("ann", "Delhi"), lambda mem: mem.changes("ann"),
    lambda mem: mem.decisions("ann", 1), lambda mem: mem.messages("ann"), lambda mem: mem.questions("ann"),
    lambda mem: mem.digest("ann"), lambda mem: mem.verify("ann"), lambda mem: mem.flush("ann"),
    lambda mem: mem.explain(f"{Scope('default', 'ann').tag}-1-1-0"), lambda mem: mem.state("ann", known_at=1),
    lambda mem: mem.state("ann", wait=1), lambda mem: mem.preview("ann", "I live in Goa"),
]  # fmt: skip
WRITES: list[Callable[[Memory], Any]] = [
    lambda mem: mem.set("ann", "lives_in", "Goa"), lambda mem: mem.add("ann", "I live in Goa"),
    lambda mem: mem.add("ann", "I live in Delhi", idempotency_key="first"),
    lambda mem: mem.correct(f"{Scope('default', 'ann').tag}-1-1-0"), lambda mem: mem.rebuild("ann"),
    lambda mem: mem.reextract("ann", FakeExtractor(), dry_run=False),
]  # fmt: skip


@pytest.mark.parametrize("verb", [*READS, *WRITES])
def test_half_a_memory_is_not_used_as_if_it_were_whole(half: Memory, verb: Callable[[Memory], Any]) -> None:
    before = kept(half)
    with pytest.raises(StoreBusyError, match="'ann' is being copied here and is not whole yet"):
        verb(half)
    assert kept(half) == before


def test_half_a_memory_holds_up_nobody_else(half: Memory) -> None:
    half.set("dora", "lives_in", "Rome")
    half.add("dora", "I live in Oslo")
    assert half.flush().is_current
    assert half.verify().identical
    assert half.rebuild().scopes == 1
    assert half.proposals() == ()
    assert [info.user_id for info in half.scopes()] == ["ann", "dora"]


def test_a_copy_that_was_broken_off_goes_on_where_it_stopped(half: Memory, one: Memory) -> None:
    whole = len(kept(one)["Scope(namespace='default', user_id='ann', agent_id='')"]["entries"])
    report = one.copy_to(half)
    assert 0 < report.entries < whole + 3
    assert kept(half) == kept(one)


def test_half_a_memory_is_not_copied_on(half: Memory, tmp_path: Path) -> None:
    with pytest.raises(StoreBusyError, match="not whole yet"):
        half.copy_to(tmp_path / "third.db")


def test_what_was_broken_off_of_a_newer_state_is_not_ended_by_an_older_one(
    half: Memory, one: Memory, tmp_path: Path
) -> None:
    with Memory(tmp_path / "older.db", **CALM) as older:
        older.register_predicate("lives_in")
        older.register_predicate("languages", "many")
        older.register_entity("Bombay", aliases=["Mumbai"])
        older.add("ann", "I live in Delhi", said_at="2026-01-05", idempotency_key="first")
        with pytest.raises(ConflictError, match="of a newer state"):
            older.copy_to(half)


KILLED = """
    import sys
    from tensemem import Memory
    from tensemem.engine import filling
    filling.ROWS = 50
    pauses = 0
    def tell(event, fields):
        global pauses
        pauses += event == "copying"
        if event == "copying" and pauses == int(sys.argv[3]):
            print("inside", flush=True)
            sys.stdin.readline()
    with Memory(sys.argv[1], read_only=True) as mem:
        mem.on(tell)
        mem.copy_to(sys.argv[2])
    print("done", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no kill -9 here")
def test_a_killed_copy_goes_on_where_it_stopped(one: Memory, tmp_path: Path) -> None:
    for number in range(120):
        one.set("ann", "lives_in", f"town {number}")
    path = tmp_path / "killed.db"
    for pauses in (1, 3, 5):
        child = start_child(KILLED, tmp_path / "source.db", path, pauses)
        assert child.stdout is not None
        assert child.stdout.readline() == "inside\n"
        os.kill(child.pid, signal.SIGKILL)
        child.communicate()
        with Memory(path, **CALM) as mem, pytest.raises(StoreBusyError, match="not whole"):
            mem.state("ann")
    assert finish(start_child(KILLED, tmp_path / "source.db", path, 0)) == "done\n"
    with Memory(path, **CALM) as mem:
        assert kept(mem) == kept(one)
        assert mem.verify().identical
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# While others are at work


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name != "memory"], ids=str)
def test_what_is_written_to_the_source_meanwhile_comes_with_the_next_copy(
    kind: StoreKind, other: Memory, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    with places.opened(kind, "source", llm=Troubled(), **CALM) as mem:
        fill(mem)
        digest = mem.digest("ann")
        monkeypatch.setattr(filling, "ROWS", 2)
        on_copying(mem, lambda: mem.set("ann", "lives_in", "Goa"), times=3)
        mem.copy_to(other)
        assert other.digest("ann") == digest != mem.digest("ann")
        mem.copy_to(other)
        assert kept(other) == kept(mem)


def test_a_registry_that_grows_meanwhile_comes_along(
    one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "ROWS", 2)

    def grow() -> None:
        one.register_predicate("diet")
        one.set("bob", "diet", "vegan")

    on_copying(one, grow)
    one.copy_to(other)
    assert other.get("bob", "diet") == "vegan"
    assert kept(other) == kept(one)


def test_two_copies_of_one_registry_do_not_get_in_each_others_way(
    one: Memory, other: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PAGE", 1)
    append, turns = copying._append_registry, iter([True])

    def late(reader: Any, head: Any, dest: Any, last: int) -> None:
        if next(turns, False):
            with Memory(tmp_path / "source.db", **CALM) as again:
                again.copy_to(other, prefix="bob")
        append(reader, head, dest, last)

    monkeypatch.setattr(copying, "_append_registry", late)
    one.copy_to(other)
    assert kept(other) == kept(one)


def test_of_two_copies_the_later_one_wins_and_the_other_is_told(
    one: Memory, other: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "ROWS", 2)
    with Memory(tmp_path / "source.db", **CALM) as again:
        on_copying(one, lambda: again.copy_to(other))
        with pytest.raises(StoreBusyError, match="another copy fills the memory of 'ann'"):
            one.copy_to(other)
    assert kept(other) == kept(one)


def test_who_writes_between_the_comparison_and_the_copy_is_not_overwritten(
    one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    one.copy_to(other)
    one.set("ann", "lives_in", "Goa")
    entered = filling.Filling.__enter__

    def late(self: filling.Filling) -> filling.Filling:
        other.set("ann", "lives_in", "Rome")
        return entered(self)

    monkeypatch.setattr(filling.Filling, "__enter__", late)
    with pytest.raises(StoreBusyError, match="was written to meanwhile"):
        one.copy_to(other)
    assert other.get("ann", "lives_in") == "Rome"


def test_a_store_that_does_not_give_back_what_it_was_given_is_noticed(
    one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = filling.Filling.put


    def forgetful(self: filling.Filling, slot: Remade) -> None:
        if slot.slot.predicate != "lives_in":
            put(self, slot)

    monkeypatch.setattr(filling.Filling, "put", forgetful)
    with pytest.raises(StoreError, match="does not read back as it was"):
        one.copy_to(other)
    assert [info.user_id for info in other.scopes()] == []


def test_the_parts_of_a_large_memory_are_written_in_short_transactions(
    one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        one.add("ann", f"{number} " + "x" * 3000, extract=False)
    monkeypatch.setattr(filling, "ROWS", 20)
    monkeypatch.setattr(filling, "TEXT", 1000)  # so that each of these counts as four
    revs: list[int] = []
    on_copying(one, lambda: revs.append(0), times=10_000)
    turns: list[str] = []

    def write() -> None:
        other.set("dora", "lives_in", f"turn {len(turns)}")
        turns.append("")

    on_copying(one, write, times=5)
    one.copy_to(other)
    assert len(revs) > 15
    assert len(turns) == 5
    assert other.get("dora", "lives_in") == "turn 4"


def test_a_waiting_message_is_nobodys_work_before_the_memory_is_whole(
    one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "ROWS", 1)
    leased: list[Any] = []

    def lease() -> None:
        with other._engine.store.write() as tx:
            leased.append(tx.lease("w", 10, 20, [], []))

    on_copying(one, lease, times=1000)
    one.copy_to(other)
    assert len(leased) > 10
    assert set(leased) == {None}
    with other._engine.store.write() as tx:
        head = tx.lease("w", 10, 20, [], [])
        assert head is not None
        assert (head.scope.user_id, head.registry_rev != FILLING) == ("bob", True)


# Awaited, and told


async def _copied(source: Path, dest: Path) -> CopyReport:
    async with AsyncMemory(source, read_only=True) as mem:
        return await mem.copy_to(dest)


def test_an_awaited_memory_copies_too(one: Memory, tmp_path: Path) -> None:
    report = asyncio.run(_copied(tmp_path / "source.db", tmp_path / "dest.db"))
    assert report.copied == 3
    with Memory(tmp_path / "dest.db", **CALM) as mem:
        assert kept(mem) == kept(one)


def test_hooks_are_told(one: Memory, other: Memory) -> None:
    told: list[tuple[str, str, int]] = []
    one.on(lambda event, fields: told.append((fields["scope"].user_id, fields["outcome"], fields["entries"])))
    one.copy_to(other)
    assert [user for user, *_ in told] == ["ann", "ann", "bob"]
    assert {outcome for _, outcome, _ in told} == {"copied"}
    assert sum(entries for *_, entries in told) == one.stats()["entries"]


def test_one_memory_that_differs_does_not_keep_the_others_back(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db", llm=False) as old, Memory(tmp_path / "b.db", llm=False) as new:
        old.register_predicate("lives_in")
        old.copy_to(new)
        for user in ("ann", "bob", "cid", "dan"):
            old.set(user, "lives_in", "Delhi")
        for user in ("bob", "cid"):
            new.set(user, "lives_in", "Mysore")
        with pytest.raises(ConflictError, match=r"memory of 'bob'.*all others were copied; 1 more"):
            old.copy_to(new)
        assert [new.get(user, "lives_in") for user in ("ann", "bob", "cid", "dan")] == [
            "Delhi", "Mysore", "Mysore", "Delhi",
        ]  # fmt: skip
