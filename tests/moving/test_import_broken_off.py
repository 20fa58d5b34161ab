"""Imports that are broken off, and those beside which others write."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.engine import copying, filling, importing
from tensemem.errors import StoreBusyError, StoreRetryError
from tests.copying.filled import CALM
from tests.copying.looking import kept
from tests.moving.lines import exported, kind_of
from tests.store.children import finish, killed_when_told, start_child


def test_an_import_broken_off_at_any_line_ends_the_same(
    one: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "ROWS", 2)
    monkeypatch.setattr(importing, "SCRATCH_ENTRIES", 3)
    lines = exported(one)

    class CutError(Exception):
        pass

    def upto(number: int) -> Iterator[bytes]:
        yield from lines[:number]
        raise CutError

    for number in range(len(lines)):
        with Memory(tmp_path / f"{number}.db", **CALM) as mem:
            with pytest.raises(CutError):
                mem.import_(upto(number))
            mem.import_(lines)
            assert kept(mem) == kept(one)


def test_an_import_broken_off_while_it_writes_goes_on(
    one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "ROWS", 2)
    lines, told = exported(one), 0

    def cut(event: str, fields: Mapping[str, Any]) -> None:
        nonlocal told
        told += event == "importing"
        if event == "importing" and told == 3:
            raise KeyboardInterrupt

    other.on(cut)
    with pytest.raises(KeyboardInterrupt):
        other.import_(lines)
    with pytest.raises(StoreBusyError, match="not whole yet"):
        other.state("ann")
    other.import_(lines)
    assert kept(other) == kept(one)


KILLED = """
    import sys
    from tensemem import Memory
    from tensemem.engine import filling
    filling.ROWS = 50
    pauses = 0
    def tell(event, fields):
        global pauses
        pauses += event == "importing"
        if event == "importing" and pauses == int(sys.argv[3]):
            print("inside", flush=True)
            sys.stdin.readline()
    with Memory(sys.argv[2], worker=False) as mem:
        mem.on(tell)
        mem.import_(sys.argv[1])
    print("done", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no kill -9 here")
def test_a_killed_import_goes_on_where_it_stopped(one: Memory, tmp_path: Path) -> None:
    for number in range(120):
        one.set("ann", "lives_in", f"town {number}")
    one.export(tmp_path / "out.gz")
    path = tmp_path / "killed.db"
    for pauses in (1, 4):
        killed_when_told(start_child(KILLED, tmp_path / "out.gz", path, pauses))
        with Memory(path, **CALM) as mem, pytest.raises(StoreBusyError, match="not whole"):
            mem.state("ann")
    assert finish(start_child(KILLED, tmp_path / "out.gz", path, 0)) == "done\n"
    with Memory(path, **CALM) as mem:
        assert kept(mem) == kept(one)
        assert mem.verify().identical
    assert {file.name for file in tmp_path.iterdir()} <= {
        "source.db", "source.db-wal", "source.db-shm", "out.gz", "killed.db"
    }  # fmt: skip


def test_what_is_written_meanwhile_is_in_or_not(one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "PAGE", 1)
    digest = one.digest("ann")

    def write(event: str, fields: Mapping[str, Any]) -> None:
        if event == "exported" and fields["scope"].user_id == "ann":
            one.register_predicate(f"diet{fields['scope'].agent_id}")
            one.set("bob", f"diet{fields['scope'].agent_id}", "vegan")
            one.set("ann", "lives_in", "Goa")

    one.on(write)
    lines = exported(one)
    assert [kind_of(line) for line in lines].count("registry") == 3
    assert other.import_(lines).imported == 3
    assert other.digest("ann") == digest != one.digest("ann")
    assert other.get("bob", "diet") == "vegan"
    assert other.verify().identical


def test_a_section_that_the_store_breaks_off_is_begun_again(
    one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tensemem.engine import exporting

    turns = iter([True, False, False, True])

    def unsteady(*arguments: Any) -> Any:
        if next(turns, False):
            raise StoreRetryError
        return copying.keys_of(*arguments)

    monkeypatch.setattr(exporting, "keys_of", unsteady)
    lines = exported(one)
    assert [kind_of(line) for line in lines].count("void") == 2
    monkeypatch.undo()
    assert other.import_(lines).imported == 3
    assert kept(other) == kept(one)
