"""A process killed in the middle of its work loses nothing it acknowledged, and leaves nothing half done."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Operation
from tensemem.model.entry import Entry, EntryKind
from tests.engine.bench import ANN
from tests.store.children import start_child

pytestmark = [
    pytest.mark.of_files,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
]

LIVES_PER_FILE = 5

WORK = """
    import itertools, json, sys
    from datetime import UTC, datetime, timedelta
    from tensemem import Memory, Operation
    from tensemem.errors import TensememError

    path, life = sys.argv[1], int(sys.argv[2])
    ticks = itertools.count()
    clock = lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=life, seconds=next(ticks))

    def extract(request):
        text = request.messages[0].content
        value = text.rsplit(" ", 1)[1]
        return [Operation("set", "lives_in", value, quote=text), Operation("add", "languages", value[-1], quote=text)]

    def act(mem, number, value):
        match number % 7:
            case 0 | 1 | 4:
                return mem.add("ann", f"I live in {value}").seq
            case 2:
                return mem.set("ann", "lives_in", value, idempotency_key=value).seq
            case 3:
                return mem.correct(mem.state("ann").fact("lives_in").id, value).seq
            case 5:
                return mem.write("ann", [Operation("replace", "languages", [value, "x"])]).seq
            case _:
                return mem.retract("ann", "lives_in", metadata={"value": value}).seq

    mem = Memory(path, llm=extract, durability="process", clock=clock)
    mem.register_predicate("lives_in")
    mem.register_predicate("languages", "many")
    for number in itertools.count():
        value = f"place-{life}-{number}"
        try:
            seq = act(mem, number, value)
        except (TensememError, AttributeError):  # what it points at is gone
            continue
        print(json.dumps([seq, value]), flush=True)
"""


def killed_in(path: Path, life: int, chance: random.Random, work: str = WORK) -> list[tuple[int, str]]:
    """Let a child work on the file and kill it after a random number of bytes; what it acknowledged until then."""
    child = start_child(work, path, life)
    assert child.stdout is not None
    pipe = child.stdout.fileno()
    output = b""
    enough = chance.choice((1, chance.randrange(200), chance.randrange(3_000)))
    with contextlib.closing(child.stdout):
        while len(output) < enough:
            some = os.read(pipe, 64)
            assert some, child.communicate()[1]
            output += some
        os.kill(child.pid, signal.SIGKILL)
        while some := os.read(pipe, 65_536):
            output += some
    child.stdout = None
    _, error = child.communicate()
    assert child.returncode == -signal.SIGKILL, error
    complete = output[: output.rfind(b"\n") + 1]
    return [(seq, value) for seq, value in map(json.loads, complete.splitlines())]


def checked(path: Path, acknowledged: list[tuple[int, str]]) -> Any:
    """Open what is left and check all of it; gives the digest."""
    with Memory(path, durability="process") as mem:
        with mem._engine.store.read() as reader:
            head = reader.head(ANN)
            entries = [] if head is None else list(reader.entries(head.id))
            waiting = [] if head is None else [row.seq for row in reader.pending(head.id)]
        assert [entry.rev for entry in entries] == list(range(1, len(entries) + 1))
        episodes = {entry.seq: entry for entry in entries if entry.kind not in (EntryKind.EXTRACTION, EntryKind.SKIP)}
        assert sorted(episodes) == list(range(1, len(episodes) + 1))
        for seq, value in acknowledged:
            assert value in repr(episodes[seq].body), "what was acknowledged is missing"
        unsettled = unsettled_in(entries)
        assert waiting == unsettled
        fresh = mem.state("ann").freshness
        assert (fresh.latest_seq, fresh.pending, fresh.failed) == (len(episodes), len(unsettled), 0)
        assert fresh.is_current == (not unsettled)
        digest, report = mem.digest("ann"), mem.verify("ann")
        assert report.identical
        assert report.digest == digest
        return digest


def unsettled_in(entries: list[Entry]) -> list[int]:
    settled = {entry.seq for entry in entries if entry.kind in (EntryKind.EXTRACTION, EntryKind.SKIP)}
    return [entry.seq for entry in entries if entry.kind is EntryKind.MESSAGE and entry.seq not in settled]


def caught_up(path: Path) -> None:
    """Another process goes on where the killed one was, at once, and ends at the same state as a rebuild."""

    def extract(request: Any) -> list[Operation]:
        text = request.messages[0].content
        return [Operation("set", "lives_in", text.rsplit(" ", 1)[1], quote=text)]

    with Memory(path, llm=extract, worker=False, durability="process") as mem:
        assert mem.flush("ann").is_current
        digest = mem.digest("ann")
        assert mem.rebuild("ann").identical
        assert mem.digest("ann") == digest


def kill(folder: Path, kills: range) -> None:
    acknowledged: list[tuple[int, str]] = []
    for life in kills:
        path = folder / f"memory-{life // LIVES_PER_FILE}.db"
        if not path.exists():
            acknowledged = []
        acknowledged += killed_in(path, life, random.Random(life))
        checked(path, acknowledged)
        if life % LIVES_PER_FILE == LIVES_PER_FILE - 1:
            caught_up(path)


@pytest.mark.parametrize("part", range(4))
def test_nothing_acknowledged_is_lost_when_a_process_is_killed(tmp_path: Path, part: int) -> None:
    kill(tmp_path, range(part * 5, part * 5 + 5))


TOGETHER = """
    import itertools, json, sys, threading
    from tensemem import Memory

    path, life = sys.argv[1], int(sys.argv[2])
    mem = Memory(path, worker=False, durability="process")
    mem.register_predicate("lives_in")
    telling = threading.Lock()

    def work(thread):
        for number in itertools.count():
            value = f"place-{life}-{thread}-{number}"
            if number % 5 == 4:
                seq = mem.add("ann", f"I live in {value}").seq
            else:
                seq = mem.set("ann", "lives_in", value).seq
            with telling:
                print(json.dumps([seq, value]), flush=True)

    for thread in range(16):
        threading.Thread(target=work, args=(thread,), daemon=True).start()
    threading.Event().wait()
"""


def test_nothing_acknowledged_is_lost_when_writers_share_their_commits(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    acknowledged: list[tuple[int, str]] = []
    for life in range(6):
        acknowledged += killed_in(path, life, random.Random(life), TOGETHER)
        checked(path, acknowledged)
    assert len({seq for seq, _ in acknowledged}) == len(acknowledged), "two writes of one number"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_nothing_acknowledged_is_lost_however_often_a_process_is_killed(tmp_path: Path, part: int) -> None:
    kill(tmp_path, range(1_000 + part * 50, 1_000 + part * 50 + 50))


REREADING = """
    import itertools, sys
    from datetime import UTC, datetime, timedelta
    from tensemem import Memory, Operation

    path, life = sys.argv[1], int(sys.argv[2])
    ticks = itertools.count()
    clock = lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=life, seconds=next(ticks))

    class Model:
        def __init__(self, number):
            self.model = f"{life}-{number}"
            self.is_odd = bool(number % 2)

        def extract(self, request):
            text = request.messages[0].content
            value = text.rsplit(" ", 1)[1]
            found = [Operation("set", "lives_in", value, quote=text), Operation("add", "languages", value, quote=text)]
            return found[:1] if self.is_odd else found[::-1]

    mem = Memory(path, worker=False, durability="process", clock=clock)
    print("open", flush=True)
    mem.on(lambda event, told: print(event, flush=True))
    for number in itertools.count():
        mem.reextract("ann", Model(number), dry_run=False)
        mem.reextract("ann", mem.reextract("ann", Model(number + 1_000_001)), dry_run=False)
"""


def killed_while_rereading(path: Path, life: int, chance: random.Random) -> None:
    """Let a child read messages again and kill it after some bytes of what it tells."""
    child = start_child(REREADING, path, life)
    assert child.stdout is not None
    with contextlib.closing(child.stdout):
        wanted = chance.choice((5, chance.randrange(5, 200), chance.randrange(5, 1_500)))
        while wanted > 0:
            some = os.read(child.stdout.fileno(), 64)
            assert some, child.communicate()[1]
            wanted -= len(some)
        os.kill(child.pid, signal.SIGKILL)
        while os.read(child.stdout.fileno(), 65_536):
            pass
    child.stdout = None
    _, error = child.communicate()
    assert child.returncode == -signal.SIGKILL, error


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_whoever_is_killed_while_rereading_leaves_a_sound_log_beside_a_living_worker(
    tmp_path: Path, part: int
) -> None:
    def extract(request: Any) -> list[Operation]:
        text = request.messages[0].content
        return [Operation("set", "lives_in", text.rsplit(" ", 1)[1], quote=text)]

    path, chance = tmp_path / "memory.db", random.Random(part)
    with Memory(path, llm=extract, durability="process") as mem:
        mem.register_predicate("lives_in")
        mem.register_predicate("languages", "many")
        for life in range(1, 9):
            for number in range(4):
                mem.add("ann", f"I live in place-{life}-{number}")
            killed_while_rereading(path, life, chance)
            mem.state("ann", wait=60, on_stale="raise")
            digest = mem.digest("ann")
            assert mem.verify("ann").identical
            assert mem.rebuild("ann").identical
            assert mem.digest("ann") == digest
        with mem._engine.store.read() as reader:
            head = reader.head(ANN)
            assert head is not None
            entries = list(reader.entries(head.id))
        assert [entry.rev for entry in entries] == list(range(1, len(entries) + 1))
        made = [(entry.seq, entry.extraction) for entry in entries if entry.kind is EntryKind.EXTRACTION]
        assert len(made) == len(set(made)), "two extractions of one number"
        assert max(number for _, number in made) > 2
