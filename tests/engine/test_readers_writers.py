"""Readers beside writers: what is called current holds what was acknowledged, and one value shows at a time."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Operation, State
from tests.engine.bench import opened
from tests.store.children import start_child

WRITES = 120
READS = 80


def extract(request: Any) -> list[Operation]:
    text = request.messages[0].content
    return [Operation("set", "lives_in", text.rsplit(" ", 1)[1], quote=text)]


class Published:
    """What has been acknowledged so far; a writer tells it after its receipt, a reader asks before its read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seq = self._value = self._written = 0

    def tell(self, seq: int, value: int, *, is_written: bool) -> None:
        with self._lock:
            if seq > self._seq:
                self._seq, self._value = seq, value
            if is_written:
                self._written = max(self._written, value)

    def ask(self) -> tuple[int, int, int]:
        """The newest acknowledged seq, its value, and the newest value that was written, not said."""
        with self._lock:
            return self._seq, self._value, self._written


class Writers:
    """Several writers that count upwards together, through messages and explicit writes."""

    def __init__(self, mem: Memory, count: int) -> None:
        self.published = Published()
        self.is_over = threading.Event()
        self.errors: list[BaseException] = []
        self._mem, self._turn, self._number = mem, threading.Lock(), 0
        self._threads = [threading.Thread(target=self._guarded, args=(self._write,)) for _ in range(count)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(120)
        self.is_over.set()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self.errors.append(error)

    def _write(self) -> None:
        while True:
            with self._turn:  # so that a larger number is always stated later
                self._number += 1
                number = self._number
                if number > WRITES:
                    return
                is_written = number % 3 == 0
                if is_written:
                    seq = self._mem.set("ann", "lives_in", str(number)).seq
                else:
                    seq = self._mem.add("ann", f"I live in {number}").seq
            self.published.tell(seq, number, is_written=is_written)


def check(state: State, seq: int, value: int, written: int) -> None:
    facts = [fact for fact in state.facts if fact.predicate == "lives_in"]
    assert len(facts) <= 1
    shown = int(facts[0].value) if facts else 0
    judge(shown, state.freshness.is_current, state.freshness.latest_seq, (seq, value, written))


def judge(shown: int, is_current: bool, latest_seq: int, acknowledged: tuple[int, int, int]) -> None:
    seq, value, written = acknowledged
    assert latest_seq >= seq, "an acknowledged entry is not in a later snapshot"
    assert shown >= written, "an acknowledged write is not shown"
    if is_current:
        assert shown >= value, "a read was called current and did not show the newest acknowledged value"


def overlapping(mem: Memory) -> list[Any]:
    facts = [fact for fact in mem.history("ann", "lives_in") if fact.valid_from != fact.valid_to]
    found = []
    for before, after in pairwise(facts):
        assert after.valid_from is not None
        if before.valid_to is None or before.valid_to > after.valid_from:
            found.append((before, after))
    return found


@pytest.mark.parametrize("is_shared", [True, False], ids=["one handle", "handles of their own"])
def test_threads_that_read_beside_writers_see_what_was_acknowledged(tmp_path: Path, is_shared: bool) -> None:
    path = tmp_path / "memory.db"
    with opened(path, llm=extract, worker=True) as mem:
        writers = Writers(mem, 3)
        errors: list[BaseException] = []

        def read(handle: Memory) -> None:
            try:
                for _ in range(READS):
                    acknowledged = writers.published.ask()
                    state = handle.state("ann", min_seq=acknowledged[0])
                    check(state, *acknowledged)
                    assert not overlapping(handle)
            except BaseException as error:
                errors.append(error)

        handles = [mem if is_shared else opened(path) for _ in range(3)]
        readers = [threading.Thread(target=read, args=(handle,)) for handle in handles]
        for thread in readers:
            thread.start()
        writers.start()
        writers.join()
        for thread in readers:
            thread.join(120)
        assert writers.errors == []
        assert errors == []
        state = mem.state("ann", wait=60, on_stale="raise")
        assert state.values == {"lives_in": str(WRITES)}
        assert mem.verify().identical
        for handle in handles:
            handle.close()


READ = """
    import json, sys
    from tensemem import Memory
    with Memory(sys.argv[1], worker=False, durability="process") as mem:
        for line in sys.stdin:
            state = mem.state("ann", min_seq=int(line))
            facts = [fact for fact in state.facts if fact.predicate == "lives_in"]
            assert len(facts) <= 1, facts
            fresh = state.freshness
            shown = int(facts[0].value) if facts else 0
            print(json.dumps([shown, fresh.is_current, fresh.latest_seq]), flush=True)
"""


@pytest.mark.of_files
def test_processes_that_read_beside_writers_see_what_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path, llm=extract, worker=True) as mem:
        children = [start_child(READ, path) for _ in range(2)]
        writers = Writers(mem, 2)
        writers.start()
        try:
            for _ in range(READS):
                for child in children:
                    acknowledged = writers.published.ask()
                    shown, is_current, latest_seq = asked(child, acknowledged[0])
                    judge(shown, is_current, latest_seq, acknowledged)
        finally:
            writers.join()
            for child in children:
                child.communicate(timeout=60)
        assert writers.errors == []
        assert [child.returncode for child in children] == [0, 0]
        assert mem.state("ann", wait=60, on_stale="raise").values == {"lives_in": str(WRITES)}


def asked(child: subprocess.Popen[str], seq: int) -> tuple[int, bool, int]:
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(f"{seq}\n")
    child.stdin.flush()
    line = child.stdout.readline()
    assert line, child.communicate()[1]
    shown, is_current, latest_seq = json.loads(line)
    return shown, is_current, latest_seq


WRITE = """
    import json, sys
    from tensemem import Memory
    with Memory(sys.argv[1], worker=False, durability="process") as mem:
        for line in sys.stdin:
            number = int(line)
            receipt = mem.set("ann", "lives_in", str(number)) if number % 2 else mem.add("ann", f"I live in {number}")
            print(json.dumps(receipt.seq), flush=True)
"""


@pytest.mark.of_files
def test_a_reader_sees_what_another_process_was_told_is_written(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path, llm=extract, worker=True) as mem:
        child = start_child(WRITE, path)
        assert child.stdin is not None
        assert child.stdout is not None
        for number in range(1, WRITES):
            child.stdin.write(f"{number}\n")
            child.stdin.flush()
            line = child.stdout.readline()
            assert line, child.communicate()[1]
            seq = json.loads(line)
            state = mem.state("ann", min_seq=seq, wait=60 if number % 10 == 0 else None)
            assert state.freshness.latest_seq == seq
            if number % 2 or number % 10 == 0 or state.freshness.is_current:
                assert state.values == {"lives_in": str(number)}
        child.communicate(timeout=60)
        assert mem.state("ann", wait=60, on_stale="raise").values == {"lives_in": str(WRITES - 1)}
        assert mem.verify().identical
