"""Rebuilding while the registry changes: what is not projected yet is no difference."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.engine import state


@pytest.mark.parametrize("changes", [1, 3])
@pytest.mark.parametrize("fold", [Memory.verify, Memory.rebuild])
def test_a_registry_that_changes_meanwhile_is_no_difference(
    fold: Callable[..., Any], changes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(":memory:", llm=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
        bring, numbers = state.bring_up_to_date, itertools.count()

        def outrun(*arguments: Any) -> None:
            """Somebody else registers something just when the scope was brought up to date."""
            bring(*arguments)
            number = next(numbers)
            if number < changes:
                mem.register_entity(f"thing {number}")

        monkeypatch.setattr(state, "bring_up_to_date", outrun)
        mem.register_entity("a thing")
        report = fold(mem, "ann")
        assert report.identical
        assert report.digest == mem.digest("ann")
        assert next(numbers) > changes


def test_what_differs_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(":memory:", llm=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
        with mem._engine.store.write() as tx:
            head = tx.head(mem._scope("ann", "", None))
            assert head is not None
            tx.clear_projection(head.id)
        assert not mem.verify("ann").identical
        assert not mem.rebuild("ann").identical
        assert mem.verify("ann").identical


def test_facts_of_yesterdays_registry_are_right_where_nothing_may_be_written(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, llm=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
        mem.register_predicate("diet")
    with Memory(path, llm=False, read_only=True) as mem:
        assert mem.verify("ann").identical
    with Memory(path, llm=False) as mem:
        assert mem.verify("ann").identical
