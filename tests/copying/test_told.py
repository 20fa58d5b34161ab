"""Copies that are awaited, and what is told of them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.errors import ConflictError
from tensemem.model.results import CopyReport
from tests.copying.filled import CALM
from tests.copying.looking import kept


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
