"""A write that expects a version of the state is made only while that is the state; on every kind of store."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.errors import InvalidValueError, StateChangedError
from tensemem.ports import Head
from tests.engine.bench import ANN, Clock, day, opened, refused, revs
from tests.engine.calls import written_by_verbs
from tests.store.shelves import Shelf, opening_in

VERBS = (
    "set", "record", "add_value", "remove_value", "replace_values", "retract", "deny", "confirm", "write", "correct",
    "reinstate", "review",
)  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_every_conditional_verb_takes_the_version_that_is_and_refuses_the_one_that_was(mem: Memory, verb: str) -> None:
    call = written_by_verbs(mem)[verb]
    seen = mem.state("ann").version
    mem.add("ann", "hello", extract=False)  # nothing of any slot, yet another revision
    with refused(mem, StateChangedError, match="read it again"):
        call(expected_rev=seen)
    assert call(expected_rev=mem.state("ann").version).seq


def test_on_every_kind_of_store_a_version_holds_until_anything_is_written(shelf: Shelf) -> None:
    with opening_in(shelf), opened("m.db") as mem:
        empty = mem.state("ann").version
        mem.set("ann", "lives_in", "Delhi", expected_rev=empty)
        with refused(mem, StateChangedError):
            mem.set("ann", "lives_in", "Pune", expected_rev=empty)
        seen = mem.state("ann").version
        mem.set("ann", "lives_in", "Pune", expected_rev=seen)
        with refused(mem, StateChangedError):
            mem.correct(mem.state("ann").facts[0].id, expected_rev=seen)
        assert mem.get("ann", "lives_in") == "Pune"


def test_of_many_who_expect_one_version_one_writes(shelf: Shelf) -> None:
    with opening_in(shelf), opened("m.db") as mem:
        seen, outcomes, start = mem.state("ann").version, list[str](), threading.Barrier(6)

        def write(place: str) -> None:
            start.wait()
            try:
                mem.set("ann", "lives_in", place, expected_rev=seen)
                outcomes.append(place)
            except StateChangedError:
                outcomes.append("refused")

        threads = [threading.Thread(target=write, args=(f"place {number}",)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert outcomes.count("refused") == 5
        assert [fact.value for fact in mem.history("ann").facts] == [one for one in outcomes if one != "refused"]


def test_a_change_of_the_registry_makes_another_version(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    seen = mem.state("ann").version
    mem.register_predicate("diet")
    with refused(mem, StateChangedError):
        mem.set("ann", "lives_in", "Pune", expected_rev=seen)


def test_a_moment_at_which_a_value_begins_makes_another_version(mem: Memory, clock: Clock) -> None:
    mem.record("ann", "lives_in", "Pune", valid_from=day(5))
    seen = mem.state("ann").version
    clock.now = day(4)
    mem.add_value("ann", "languages", "Go", expected_rev=seen)
    seen = mem.state("ann").version
    clock.now = day(5)
    with refused(mem, StateChangedError, match="began or ended"):
        mem.add_value("ann", "languages", "Rust", expected_rev=seen)


def test_whoever_was_forgotten_begins_with_the_version_of_nothing(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    before = mem.state("ann").version
    mem.forget("ann")
    with refused(mem, StateChangedError):
        mem.set("ann", "lives_in", "Pune", expected_rev=before)
    mem.set("ann", "lives_in", "Pune", expected_rev=mem.state("ann").version)
    assert mem.state("ann").version != before


def test_a_repeated_request_is_answered_though_its_version_is_gone(mem: Memory) -> None:
    seen = mem.state("ann").version
    first = mem.set("ann", "lives_in", "Delhi", expected_rev=seen, idempotency_key="k")
    again = mem.set("ann", "lives_in", "Delhi", expected_rev=seen, idempotency_key="k")
    assert (again.seq, again.duplicate) == (first.seq, True)


ELSEWHEN: list[dict[str, Any]] = [{"known_at": 2}, {"at": "2030-01-01"}]


@pytest.mark.of_files
def test_a_log_that_was_restored_and_went_on_has_no_version_that_was_before(tmp_path: Path) -> None:
    """Revision, registry and moment are those of the version that was read; what was written is not."""
    clock = Clock()
    with opened(tmp_path / "m.db", clock=clock) as mem:
        mem.set("ann", "lives_in", "Delhi")
        mem.backup(tmp_path / "kept.db")
        clock.advance(minutes=1)
        mem.set("ann", "lives_in", "Oslo")
        seen = mem.state("ann")
        elsewhen = [mem.state("ann", **asked).version for asked in ELSEWHEN]
    with opened(tmp_path / "kept.db", clock=clock) as other:
        clock.advance(minutes=1)
        other.set("ann", "lives_in", "Lima")
        found = other.state("ann")
        assert (found.rev, found.next_change_at) == (seen.rev, seen.next_change_at)
        assert found.version != seen.version
        assert not {other.state("ann", **asked).version for asked in ELSEWHEN} & set(elsewhen)
        with refused(other, StateChangedError):
            other.set("ann", "lives_in", "Pune", expected_rev=seen.version)
        other.set("ann", "lives_in", "Pune", expected_rev=found.version)


@pytest.mark.parametrize("asked", [{"at": day(0)}, {"known_at": 1}, {"layers": ["", "shop"]}])
def test_the_version_of_another_read_is_no_condition_and_the_error_says_which_one_is(mem: Memory, asked: Any) -> None:
    mem.set("ann", "lives_in", "Delhi")
    seen = mem.state("ann", **asked).version
    assert seen == mem.state("ann", **asked).version
    with refused(mem, InvalidValueError, match="without at, known_at and layers"):
        mem.set("ann", "lives_in", "Pune", expected_rev=seen)


@pytest.mark.parametrize("version", ["", "3", "3.1", "3.1.x", "3.1.2+4.1.", "٣.1.", "-3.1.", "3.1.\n", "9" * 400])
def test_what_is_no_version_of_one_scope_is_refused(mem: Memory, version: str) -> None:
    with refused(mem, InvalidValueError, match="the version of one scope's state"):
        mem.set("ann", "lives_in", "Delhi", expected_rev=version)


def test_the_head_of_a_scope_that_was_never_there_is_that_of_nothing(mem: Memory) -> None:
    assert Head(0, ANN).rev == Head(0, ANN).base_rev
    assert revs(mem) == (0, 0, 2)
    assert mem.state("ann").version == "0.2."
