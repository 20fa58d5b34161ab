"""A glance: the present state, told without waiting for anybody, or not at all."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.engine.state import glance
from tensemem.errors import ClosedError
from tests.engine.bench import ANN, Clock, Told, day, opened
from tests.store.shelves import Shelf, opening_in

pytestmark = pytest.mark.of_files


def seen(mem: Memory) -> Any:
    return glance(mem._engine, ANN)


@pytest.fixture
def file(tmp_path: Path, clock: Clock) -> Any:
    with opened(tmp_path / "m.db", clock=clock) as mem:
        mem.set("ann", "lives_in", "Delhi")
        mem.state("ann")
        yield mem


def test_it_is_the_state_that_a_read_gives(file: Memory) -> None:
    assert seen(file) == file.state("ann")
    assert seen(file).shown is file.state("ann").shown


def test_it_is_the_state_or_nothing_on_every_kind_of_store(shelf: Shelf) -> None:
    with opening_in(shelf), opened("m.db") as mem:
        for place in ("Delhi", "Pune"):
            mem.set("ann", "lives_in", place)
            assert seen(mem) is None
            assert mem.state("ann").values == {"lives_in": place}
            assert seen(mem) in (None, mem.state("ann"))


CHANGES: dict[str, Callable[[Memory, Clock], object]] = {
    "a write": lambda mem, _: mem.set("ann", "lives_in", "Pune"),
    "a message that waits": lambda mem, _: mem.add("ann", "I moved"),
    "a registered predicate": lambda mem, _: mem.register_predicate("diet"),
    "forgetting": lambda mem, _: mem.forget("ann"),
    "a clock that goes back": lambda _, clock: setattr(clock, "now", day(-9)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_is_told_once_it_may_have_changed(file: Memory, clock: Clock, change: str) -> None:
    clock.now = day(1)
    file.set("ann", "lives_in", "Goa")
    clock.now = day(2)
    file.state("ann")
    assert seen(file) is not None
    CHANGES[change](file, clock)
    found = seen(file)
    assert found is None or (change.startswith("a clock") and found == file.state("ann"))


def test_nothing_is_told_from_the_moment_on_at_which_a_value_begins(file: Memory, clock: Clock) -> None:
    file.record("ann", "lives_in", "Pune", valid_from=day(5))
    file.state("ann")
    clock.now = day(4.99)
    assert seen(file) == file.state("ann")
    clock.now = day(5)
    assert seen(file) is None


def test_a_write_of_another_process_is_seen(file: Memory, tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path / "m.db", clock=clock) as other:
        other.set("ann", "lives_in", "Pune")
    assert seen(file) is None
    assert file.state("ann").values == {"lives_in": "Pune"}
    assert seen(file).values == {"lives_in": "Pune"}


def test_a_failed_message_is_told_by_a_read_only(tmp_path: Path, clock: Clock) -> None:
    told = Told()
    told.answers["I moved"] = "nonsense"
    with opened(tmp_path / "m.db", clock=clock, llm=told) as mem:
        mem.set("ann", "lives_in", "Delhi")
        mem.add("ann", "I moved")
        mem.flush("ann")
        mem.state("ann")
        assert seen(mem) is None


def test_it_waits_for_nobody_who_has_the_file_alone(file: Memory, tmp_path: Path) -> None:
    assert seen(file) is not None
    with file._engine.store.write() as tx:  # a writer keeps nobody from looking
        tx.set_meta("x", "y")
        found: list[Any] = []
        thread = threading.Thread(target=lambda: found.append(seen(file)))
        thread.start()
        thread.join()
        assert found[0] is not None


def test_a_look_that_fails_gives_nothing_and_the_next_one_is_made_anew(
    file: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seen(file) is not None
    links: Any = file._engine.store._links  # type: ignore[attr-defined]
    assert len(links._glancing) == 1

    class Busy:
        cursor = links._glancing[0].cursor

        def row(self, *_: Any) -> Any:
            raise sqlite3.OperationalError("database is locked")

    links._glancing[:] = [Busy()]
    assert seen(file) is None
    assert links._glancing == []
    assert seen(file) is not None
    assert len(links._glancing) == 1


def test_a_row_is_read_again_only_after_somebody_has_committed(file: Memory, tmp_path: Path, clock: Clock) -> None:
    seen(file)
    links: Any = file._engine.store._links  # type: ignore[attr-defined]
    glancing = links._glancing[0]
    for _ in range(3):
        seen(file)
    assert len(glancing._rows) == 1
    with opened(tmp_path / "m.db", clock=clock) as other:
        other.set("bob", "lives_in", "Pune")
        version = glancing._version
        assert seen(file) == file.state("ann")  # hers is as it was
    assert glancing._version != version


def test_closing_lets_go_of_what_looked(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as mem:
        mem.set("ann", "lives_in", "Delhi")
        mem.state("ann")
        assert seen(mem) is not None
        links: Any = mem._engine.store._links  # type: ignore[attr-defined]
    assert links._glancing == []
    assert not links._readers
    with pytest.raises(ClosedError):
        seen(mem)
    assert mem._engine.store.glance(ANN) is None


def test_another_key_is_given_to_a_file_that_was_looked_at(tmp_path: Path) -> None:
    pytest.importorskip("apsw")
    with opened(tmp_path / "m.db", key=bytes(32)) as mem:
        mem.set("ann", "lives_in", "Delhi")
        mem.state("ann")
        assert seen(mem) is not None
        mem.rekey(bytes(range(32)))
        assert seen(mem) in (None, mem.state("ann"))
        mem.state("ann")
        assert seen(mem).values == {"lives_in": "Delhi"}
