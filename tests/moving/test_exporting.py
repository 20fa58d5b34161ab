"""Exporting and importing: everything moves, once, and what went on is left alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.engine import filling
from tensemem.engine.settle import MAX_ATTEMPTS
from tensemem.errors import ConflictError, InvalidValueError, StoreError
from tests.copying.filled import CALM, Troubled, fill
from tests.copying.looking import kept, shown
from tests.copying.places import PAIRS, Places
from tests.moving.lines import changed, exported, kind_of, place_of
from tests.store.every_kind import StoreKind


@pytest.mark.parametrize(("kind", "to"), PAIRS, ids=str)
def test_everything_moves(kind: StoreKind, to: StoreKind, places: Places) -> None:
    with (
        places.opened(kind, "source", llm=Troubled(), **CALM) as source,
        places.opened(to, "dest", llm=Troubled(), **CALM) as dest,
    ):
        fill(source)
        for _ in range(MAX_ATTEMPTS):  # the second message fails for good, the third waits behind it
            source.retry("bob", 2)
            source.flush("bob")
        source.add("bob", "I live in Rome")
        report = dest.import_(exported(source))
        assert (report.namespaces, report.scopes, report.imported, report.entries) == (1, 3, 3, len_of(source))
        assert kept(dest) == kept(source)
        for user in ("ann", "bob"):
            assert shown(dest, user) == shown(source, user)
        assert dest.verify().identical
        assert dest._engine.fence_tag == source._engine.fence_tag
        assert dest.set("ann", "lives_in", "Goa").fact_ids == source.set("ann", "lives_in", "Goa").fact_ids


def len_of(mem: Memory) -> int:
    size: int = mem.stats()["entries"]
    return size


def test_usage_moves(one: Memory, other: Memory) -> None:
    from tensemem.model.scope import Scope
    from tensemem.ports import UsageRow

    with one._engine.store.write() as tx:
        head = tx.head(Scope("default", "bob"))
        assert head is not None
        tx.add_usage(head.id, UsageRow("model", "m", 3, 30, 3, 5))
    for _ in range(2):
        other.import_(exported(one))
        assert other.stats()["usage"] == one.stats()["usage"] != []


def test_an_import_exports_the_same_lines(one: Memory, other: Memory) -> None:
    lines = exported(one)
    other.import_(lines)
    assert exported(other) == lines


def test_importing_twice_is_importing_once(one: Memory, other: Memory) -> None:
    lines = exported(one)
    other.import_(lines)
    before = kept(other)
    again = other.import_(lines)
    assert (again.entries, again.imported, again.unchanged) == (0, 0, 3)
    assert kept(other) == before


def test_a_newer_export_brings_what_is_new(one: Memory, other: Memory) -> None:
    other.import_(exported(one))
    one.register_predicate("diet", aliases=["food"])
    one.set("ann", "food", "vegan")
    one.flush("bob")
    report = other.import_(exported(one))
    assert (report.imported, report.unchanged) == (2, 1)
    assert kept(other) == kept(one)


def test_facts_of_yesterdays_registry_move_as_they_are(one: Memory, other: Memory) -> None:
    one.register_predicate("lives_in", type="enum", choices=["Delhi", "Pune"], update=True)
    other.import_(exported(one))
    assert kept(other) == kept(one)
    assert shown(other, "ann") == shown(one, "ann")


def test_a_memory_that_went_on_is_left_alone(one: Memory, other: Memory) -> None:
    lines = exported(one)
    other.import_(lines)
    other.set("ann", "lives_in", "Goa")
    before = kept(other)
    assert other.import_(lines).ahead == 1
    assert kept(other) == before


def test_another_memory_of_the_same_user_is_refused_and_the_others_come(one: Memory, other: Memory) -> None:
    other.import_(exported(one, user_id="ann"))
    other.set("ann", "lives_in", "Rome")
    one.set("ann", "lives_in", "Goa")
    before = other.digest("ann")
    with pytest.raises(ConflictError, match=r"the memory of 'ann' .* differ .*all others were imported$"):
        other.import_(exported(one))
    assert other.digest("ann") == before
    assert other.digest("bob") == one.digest("bob")


def test_another_registry_is_refused_with_all_that_rests_on_it(one: Memory, other: Memory) -> None:
    other.register_predicate("diet")
    with Memory(one._engine.store.location, namespace="tenant", **CALM) as tenant:
        tenant.register_predicate("diet")
        tenant.set("zoe", "diet", "vegan")
    with pytest.raises(ConflictError, match="the registry in namespace 'default' is another one"):
        other.import_(exported(one, every_namespace=True), every_namespace=True)
    assert other.scopes() == ()
    assert other.get("zoe", "diet", namespace="tenant") == "vegan"


# Signed


def test_a_signed_export_needs_its_key(one: Memory, other: Memory) -> None:
    lines = exported(one, sign_key="a long secret")
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({}, InvalidValueError, "is signed; give its sign_key"),
        ({"sign_key": "another secret"}, StoreError, "line 1: the checksum is not right: the sign_key is another"),
    ]
    for options, error, says in wrong:
        with pytest.raises(error, match=says):
            other.import_(lines, **options)
    with pytest.raises(InvalidValueError, match="is not signed; leave sign_key out"):
        other.import_(exported(one), sign_key="a long secret")
    assert other.scopes() == ()
    assert other.import_(lines, sign_key="a long secret").imported == 3


# Awaited, and told


def test_awaited_memories_do_it_too(one: Memory, tmp_path: Path) -> None:
    async def moved() -> None:
        async with AsyncMemory(tmp_path / "source.db", read_only=True) as mem:
            await mem.export(tmp_path / "out.jsonl")
        async with AsyncMemory(tmp_path / "dest.db", worker=False) as mem:
            assert (await mem.import_(tmp_path / "out.jsonl")).imported == 3

    asyncio.run(moved())
    with Memory(tmp_path / "dest.db", **CALM) as mem:
        assert kept(mem) == kept(one)


def test_hooks_are_told_and_hear_no_text(one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "ROWS", 2)
    told: list[tuple[str, Mapping[str, Any]]] = []
    for mem in (one, other):
        mem.on(lambda event, fields: told.append((event, fields)))
    lines = exported(one)
    other.import_(lines)
    events = [event for event, _ in told]
    assert (events.count("exported"), events.count("imported"), "importing" in events) == (3, 3, True)
    assert "Delhi" not in repr(told)
    assert json.loads(lines[-1])["entries"] == sum(fields["entries"] for event, fields in told if event == "imported")


# Retention


def test_how_long_a_namespace_keeps_what_moves_with_it(one: Memory, other: Memory, tmp_path: Path) -> None:
    one.retain(texts="90d", facts={"lives_in": "1y"})
    with Memory(one._engine.store.location, namespace="bare", **CALM) as bare:
        bare.retain(texts="30d")  # and registers nothing
    assert [kind_of(line) for line in exported(one, user_id="ann")].count("policy") == 0
    lines = exported(one, every_namespace=True)
    assert [kind_of(line) for line in lines].count("policy") == 2
    other.import_(lines, every_namespace=True)
    assert other.retention() == one.retention()
    assert other.retention(namespace="bare") == one.retention(namespace="bare")
    other.retain(texts="10d")
    before = other.retention()
    other.import_(lines)
    assert other.retention() == before != one.retention()
    wrong = changed(lines, place_of(lines, "policy"), lambda line: line.update(policy={"texts": "soon"}))
    with Memory(tmp_path / "new.db", **CALM) as new, pytest.raises(StoreError, match="it is no policy"):
        new.import_(wrong, every_namespace=True)
