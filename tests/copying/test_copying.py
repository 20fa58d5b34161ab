"""Copying: everything moves, from every store to every store, and what can't be copied is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.engine.settle import MAX_ATTEMPTS
from tensemem.errors import ClosedError, InvalidValueError, ReadOnlyError
from tensemem.model.scope import Scope
from tensemem.ports import UsageRow
from tests.copying.filled import CALM, NOON, Troubled, fill
from tests.copying.looking import kept, shown
from tests.copying.places import PAIRS, Places
from tests.store.every_kind import KINDS, StoreKind


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
