"""What a killed process left of a backup or an export is removed by the next one; nobody else's work is touched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tensemem import Memory
from tensemem.engine import leftovers
from tensemem.engine.leftovers import own_mark, sweep
from tensemem.engine.outlets import partial_name


@pytest.fixture
def dead() -> str:
    return dead_mark()


def dead_mark() -> str:
    """Give the mark of a process that has ended."""
    code = "from tensemem.engine.leftovers import own_mark; print(own_mark())"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    line = [sys.executable, "-c", code]
    return subprocess.run(line, capture_output=True, text=True, check=True, env=environment).stdout.strip()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_the_dead_left_goes_and_what_is_of_the_living_stays(tmp_path: Path, dead: str) -> None:
    for name in (f".tensemem-{dead}-x1", f".tensemem-{own_mark()}-x2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "backup.db").write_bytes(b"copy")
    kept = {f".tensemem-{own_mark()}-x2", ".tensemem-other", "memory.db", f"tensemem-{dead}", f"x.tensemem-{dead}-y"}
    for name in kept - {f".tensemem-{own_mark()}-x2"}:
        (tmp_path / name).write_bytes(b"")
    sweep(str(tmp_path), ".tensemem-")
    assert names(tmp_path) == kept


def test_a_process_that_has_the_number_of_a_dead_one_is_another(tmp_path: Path) -> None:
    machine, pid, started = own_mark().split("-")
    former = f"{machine}-{pid}-{'0' * 8 if started != '0' * 8 else '1' * 8}"
    (tmp_path / f".tensemem-{former}-x").mkdir()
    sweep(str(tmp_path), ".tensemem-")
    assert names(tmp_path) == set()


def test_what_another_machine_makes_in_a_shared_folder_stays(tmp_path: Path, dead: str) -> None:
    _, _, rest = dead.partition("-")
    (tmp_path / f".tensemem-{'f' * 8}-{rest}-x").mkdir()
    sweep(str(tmp_path), ".tensemem-")
    assert len(names(tmp_path)) == 1


def test_where_the_system_tells_nothing_of_a_process_it_counts_as_living(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = own_mark()  # by somebody from whom it is not hidden
    monkeypatch.setattr(leftovers, "process_started", lambda _pid: "running")
    for mark in (before, own_mark()):
        (tmp_path / f".tensemem-{mark}-x").mkdir(exist_ok=True)
    sweep(str(tmp_path), ".tensemem-")
    assert len(names(tmp_path)) == len({before, own_mark()})


def test_a_link_is_removed_and_not_what_it_leads_to(tmp_path: Path, dead: str) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_bytes(b"dear")
    (tmp_path / f".tensemem-{dead}-x").symlink_to(tmp_path / "mine")
    sweep(str(tmp_path), ".tensemem-")
    assert names(tmp_path) == {"mine"}
    assert (tmp_path / "mine" / "letter").exists()


def test_a_folder_that_is_not_there_has_nothing(tmp_path: Path) -> None:
    sweep(str(tmp_path / "nowhere"), ".tensemem-")


@pytest.mark.parametrize("verb", ["backup", "export"])
def test_the_next_backup_or_export_to_the_same_place_sweeps_it(tmp_path: Path, dead: str, verb: str) -> None:
    target = tmp_path / "copy.db"
    left = [f".copy.db.{dead}.0123abcd.partial", f".copy.db.{dead}.0123abcd.partial-filling-wal"]
    others = [f".other.db.{dead}.0123abcd.partial", Path(partial_name(str(target))).name]
    for name in left + others:
        (tmp_path / name).write_bytes(b"half of it")
    with Memory(tmp_path / "m.db", worker=False) as mem:
        getattr(mem, verb)(target)
        assert names(tmp_path) & {*left, *others} == set(others)
        assert target.exists()
