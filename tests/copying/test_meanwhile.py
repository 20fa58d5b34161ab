"""Copying while others are at work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.engine import copying, filling
from tensemem.engine.verifying import Remade
from tensemem.errors import StoreBusyError, StoreError
from tensemem.ports import FILLING
from tests.copying.filled import CALM, Troubled, fill, on_copying
from tests.copying.looking import kept
from tests.copying.places import Places
from tests.store.every_kind import KINDS, StoreKind


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
