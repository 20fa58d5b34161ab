"""Several processes on one file: locks, crashes, and files that are not ours."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.errors import SchemaTooNewError, StoreCorruptError, StoreError
from tests.store.children import finish, run_child, start_child

from .bench import Desk, assert_rebuilt_alike, lives

pytestmark = pytest.mark.of_files


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.on_sleep: Any = lambda now: None

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.on_sleep(self.now)


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("tensemem.store.sqlite.patience.time", clock)
    return clock


def test_a_writer_waits_while_another_process_holds_the_lock_for_long(desk: Desk, slept: Clock) -> None:
    desk.mem.set("ann", "lives_in", "Delhi")
    with closing(sqlite3.connect(desk.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = slept.now
        released: list[float] = []

        def release_after_a_while(now: float) -> None:
            if now - begun >= 20 and not released:
                released.append(now)
                other.execute("ROLLBACK")

        slept.on_sleep = release_after_a_while
        assert desk.mem.get("ann", "lives_in") == "Delhi"  # readers never wait
        desk.mem.set("ann", "lives_in", "Pune")
        assert released
    assert desk.mem.get("ann", "lives_in") == "Pune"


def test_a_write_made_while_a_rebuild_runs_elsewhere_is_not_lost(desk: Desk) -> None:
    for number in range(30):
        desk.mem.set("ann", "lives_in", f"place{number}")
    child = start_child(
        """
        import sys
        from tensemem import Memory
        with Memory(sys.argv[1], worker=False) as mem:
            print("ready", flush=True)
            for _ in range(20):
                assert mem.rebuild().identical
        """,
        desk.path,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    for number in range(30, 60):
        desk.mem.set("ann", "lives_in", f"place{number}")
    finish(child)
    assert desk.mem.get("ann", "lives_in") == "place59"
    assert_rebuilt_alike(desk.mem)


def test_processes_that_write_at_once_lose_nothing(desk: Desk) -> None:
    code = """
        import sys
        from tensemem import Memory
        with Memory(sys.argv[1], worker=False, durability="process") as mem:
            for number in range(25):
                mem.add_value("ann", "languages", f"{sys.argv[2]}-{number}")
        """
    for child in [start_child(code, desk.path, name) for name in "abc"]:
        finish(child)
    languages = desk.mem.get("ann", "languages")
    assert len(languages) == 75
    state = desk.mem.state("ann")
    assert (state.rev, state.freshness.latest_seq) == (75, 75)
    assert_rebuilt_alike(desk.mem)


def test_a_file_of_a_newer_version_is_not_opened(desk: Desk) -> None:
    desk.close()
    with closing(sqlite3.connect(desk.path)) as connection:
        connection.execute("PRAGMA user_version = 9999")
    before = desk.path.read_bytes()
    for options in ({}, {"read_only": True}):
        with pytest.raises(SchemaTooNewError, match="9999"):
            desk.open(**options)
    assert desk.path.read_bytes() == before


@pytest.mark.parametrize(
    "contents",
    [b"not a database at all\n" * 200, b"\0" * 8192, b"SQLite format 3\0" + b"\xff" * 4080],
    ids=["text", "zeros", "a header alone"],
)
def test_what_is_no_database_is_refused_and_left_alone(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(contents)
    with pytest.raises(StoreCorruptError, match="notes"):
        Memory(path, worker=False)
    assert path.read_bytes() == contents
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9])
def test_a_file_cut_short_is_named_as_damaged(desk: Desk, part: float) -> None:
    for number in range(50):
        desk.mem.set("ann", "lives_in", f"place{number}")
    desk.close()
    whole = desk.path.read_bytes()
    desk.path.write_bytes(whole[: int(len(whole) * part) // 4096 * 4096])
    with pytest.raises(StoreError) as refused:
        use_everything(desk)
    assert isinstance(refused.value, StoreCorruptError)
    assert isinstance(refused.value.__cause__, sqlite3.Error) or refused.value.__cause__ is None


def use_everything(desk: Desk) -> None:
    with desk.open() as mem:
        mem.state("ann")
        mem.history("ann")
        mem.search("ann", "place7")
        mem.set("ann", "lives_in", "Delhi")
        mem.verify()


def test_a_process_killed_while_it_asks_a_model_holds_up_nobody(desk: Desk) -> None:
    desk.close()
    child = start_child(
        """
        import sys
        from tensemem import Memory
        def extract(request):
            print("asked", flush=True)
            sys.stdin.readline()
            return []
        mem = Memory(sys.argv[1], llm=extract)
        mem.add("ann", "I live in Delhi")
        sys.stdin.readline()
        """,
        desk.path,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "asked\n"
    child.kill()
    child.communicate()
    with desk.open(llm=FakeExtractor(), worker=True, clock=None) as mem:
        state = mem.state("ann", wait=20, on_stale="raise")
        assert state.values == {"lives_in": "Delhi"}
        assert [item.seq for item in state.facts[0].evidence] == [1]
        assert mem.jobs() == ()
    desk.mem = desk.open()


def test_what_was_acknowledged_survives_a_killed_process(desk: Desk) -> None:
    desk.close()
    child = start_child(
        """
        import os, signal, sys
        from tensemem import Memory
        mem = Memory(sys.argv[1], worker=False)
        for number in range(40):
            print(mem.set("ann", "lives_in", f"place{number}").seq, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        """,
        desk.path,
    )
    out, _ = child.communicate(timeout=60)
    acknowledged = int(out.split()[-1])
    mem = desk.mem = desk.open()
    state = mem.state("ann")
    assert (acknowledged, state.values, state.freshness.latest_seq) == (40, {"lives_in": "place39"}, 40)
    assert_rebuilt_alike(mem)


def test_a_worker_of_another_process_is_waited_for(desk: Desk) -> None:
    child = start_child(
        """
        import sys
        from tensemem import FakeExtractor, Memory
        with Memory(sys.argv[1], llm=FakeExtractor()) as mem:
            print("ready", flush=True)
            sys.stdin.readline()
        """,
        desk.path,
    )
    assert child.stdout is not None
    assert child.stdin is not None
    try:
        assert child.stdout.readline() == "ready\n"
        with desk.open(llm=None, clock=None) as mem:
            assert mem.add("ann", "I live in Delhi", wait=30).settled
            assert mem.get("ann", "lives_in") == "Delhi"
            assert mem.flush().is_current
    finally:
        child.stdin.write("\n")
        child.stdin.flush()
        finish(child)
    with desk.open(llm=None, clock=None) as mem:
        assert not mem.add("ann", "I live in Goa", wait=30).settled


def test_a_file_written_by_one_process_reads_the_same_in_another(desk: Desk) -> None:
    desk.say("I live in Delhi", lives("Delhi"))
    desk.mem.set("ann", "lives_in", "Pune")
    digest = run_child(
        """
        import sys
        from tensemem import Memory
        with Memory(sys.argv[1], worker=False, read_only=True) as mem:
            print(mem.digest("ann"))
        """,
        desk.path,
    )
    assert digest.strip() == desk.mem.digest("ann")
