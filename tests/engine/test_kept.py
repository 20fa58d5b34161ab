"""States that are kept: none of who was forgotten, whoever did it and whatever was being read meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.engine import kept, state
from tests.engine.bench import ANN


def test_what_was_read_before_a_drop_is_not_kept_behind_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(tmp_path / "m.db") as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "plumwood")
        real = state._read

        def late(*given: Any) -> Any:
            found = real(*given)
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(state, "_read", real)
                mem.forget("ann")
            return found

        monkeypatch.setattr(state, "_read", late)
        assert mem.state("ann").facts[0].value == "plumwood"
        assert len(mem._engine.states) == 0


def test_what_nobody_reads_is_dropped_after_a_while() -> None:
    now = [0.0]
    states = kept.KeptStates(lambda: now[0])
    bob = type(ANN)("default", "bob")
    for scope in (ANN, bob):
        states.keep(scope, "made", "state", drops=0)
    now[0] = kept.UNREAD_SECONDS - 1
    assert states.get(bob) == ("made", "state")
    now[0] += 2
    states.keep(type(ANN)("default", "cleo"), "made", "state", drops=0)
    assert states.get(ANN) is None
    assert states.get(bob) is not None
    now[0] += kept.UNREAD_SECONDS
    states.sweep()
    assert len(states) == 0


def test_so_much_is_kept_and_nothing_read_before_a_drop() -> None:
    states = kept.KeptStates(lambda: 0.0)
    for number in range(3 * kept.MOST):
        states.keep(type(ANN)("default", str(number)), "made", "state", drops=0)
        assert len(states) <= kept.MOST
    states.drop(ANN)
    states.keep(ANN, "made", "state", drops=0)
    assert states.get(ANN) is None
    states.keep(ANN, "made", "state", drops=1)
    assert states.get(ANN) == ("made", "state")


def test_whatever_is_done_with_a_memory_drops_what_another_process_may_have_forgotten(tmp_path: Path) -> None:
    now = [0.0]
    with Memory(tmp_path / "m.db", worker=False) as mem:
        mem._engine.states = kept.KeptStates(lambda: now[0])
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "plumwood")
        mem.state("ann")
        assert len(mem._engine.states) == 1
        now[0] += kept.UNREAD_SECONDS
        assert mem.get("bob", "lives_in") is None
        assert len(mem._engine.states) == 0
