"""Networks that break between a lease and what is settled under it: nothing is settled twice, or by the wrong one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.model.entry import EntryKind
from tensemem.model.scope import Scope
from tensemem.store.postgres import PostgresStore
from tests.fleet.proxy import Proxy
from tests.servers import Server, needed

ROOT = Path(__file__).parents[2]
TEXT = "I live in Delhi or Paris"


@pytest.fixture
def server() -> Server:
    return needed("18")


@pytest.fixture
def database(server: Server) -> str:
    return server.create_database()


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    with Proxy(server.port) as made:
        yield made


@pytest.fixture
def memory(database: str) -> Iterator[Memory]:
    with Memory(database, llm=FakeExtractor(), worker=False) as mem:
        mem.register_predicate("lives_in")
        yield mem


class Machine:
    """A worker's machine, and what has happened on it."""

    def __init__(self, url: str, host: str, *, wrong: float = 0, lease: int = 2) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-m", "tests.fleet.machine", url, host, str(wrong), str(lease)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        )  # fmt: skip
        self.said: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.hear("ready")

    def hear(self, what: str, *, times: int = 1, seconds: float = 60) -> list[Any]:
        """Return when something has happened so often, and give what was said of it."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.heard(what)) >= times, seconds), self.said
        return self.heard(what)

    def heard(self, what: str) -> list[Any]:
        return [line[what] for line in self.said if what in line]

    def answer(self, city: str) -> None:
        assert self._child.stdin is not None
        self._child.stdin.write(f"{city}\n")
        self._child.stdin.flush()

    def close(self) -> None:
        self._child.kill()
        self._reader.join(30)
        self._child.communicate()

    def _read(self) -> None:
        assert self._child.stdout is not None
        for line in self._child.stdout:
            with self._changed:
                self.said.append(json.loads(line))
                self._changed.notify_all()


@pytest.fixture
def machine() -> Iterator[Callable[..., Machine]]:
    made: list[Machine] = []

    def make(*arguments: Any, **options: Any) -> Machine:
        made.append(Machine(*arguments, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def extractions(mem: Memory, user: str) -> list[Any]:
    with mem._engine.store.read() as reader:
        head = reader.head(Scope("default", user))
        assert head is not None
        return [entry.body for entry in reader.entries(head.id) if entry.kind is EntryKind.EXTRACTION]


def settled_by(mem: Memory, user: str) -> list[str]:
    """The values of the extractions in the log."""
    return [body["ops"][0]["value"] for body in extractions(mem, user)]


def wait_until(mem: Memory, true: Callable[[], bool], seconds: float = 60) -> None:
    give_up = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < give_up
        mem._engine.store.wait_for_commit(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("breaks", ["cut", "stall", "forget"])
def test_a_worker_that_was_cut_off_settles_nothing_that_another_took_over(
    memory: Memory, database: str, proxy: Proxy, machine: Callable[..., Machine], breaks: str
) -> None:
    first = machine(proxy.url(database) + "?tensemem_statement_timeout=2", "here")
    memory.add("ann", TEXT)
    first.hear("asked")
    getattr(proxy, breaks)()
    if breaks == "forget":
        proxy.cut()  # it believes that it is connected, and finds no way when it notices
    second = machine(database, "there")
    second.hear("asked")
    second.answer("Paris")
    wait_until(memory, lambda: memory.state("ann").freshness.is_current)
    first.answer("Delhi")
    first.hear("answers")
    proxy.mend()
    wait_until(memory, lambda: any("too late" in told for told in first.heard("logged")))
    assert settled_by(memory, "ann") == ["Paris"]
    assert memory.get("ann", "lives_in") == "Paris"
    used = memory.stats()["usage"]
    assert [(row["calls"], row["input_tokens"]) for row in used] == [(2, 20)]  # both models were asked
    memory.add("bob", TEXT)
    wait_until(memory, lambda: bool(len(first.heard("asked")) - 1 or len(second.heard("asked")) - 1))
    for one in (first, second):
        one.answer("Delhi")
    wait_until(memory, lambda: memory.state("bob").freshness.is_current)  # and both work on
    assert settled_by(memory, "bob") == ["Delhi"]


@pytest.mark.slow
@pytest.mark.parametrize("is_wrong_at_work", [True, False])
@pytest.mark.parametrize("wrong", [-90.0, 90.0])
def test_a_clock_that_is_wrong_takes_no_lease_from_a_live_worker(
    memory: Memory, database: str, machine: Callable[..., Machine], wrong: float, *, is_wrong_at_work: bool
) -> None:
    # Wrong by more than a lease lasts, or a worker counts as living without a beat; a slow machine is late by less.
    clocks = {"at work": wrong, "other": 0} if is_wrong_at_work else {"at work": 0, "other": wrong}
    at_work = machine(database, "here", wrong=clocks["at work"], lease=60)
    memory.add("ann", TEXT)
    at_work.hear("asked")
    other = machine(database, "there", wrong=clocks["other"], lease=60)
    for number in range(1, 5):
        user = f"user-{number}"
        memory.add(user, TEXT)
        other.hear("asked", times=number)  # it has looked for what may be taken: this one, and not ann's
        assert memory.state("ann").freshness.reason == "extracting"
        other.answer("Paris")
        wait_until(memory, lambda user=user: memory.state(user).freshness.is_current)  # type: ignore[misc]
        assert settled_by(memory, user) == ["Paris"]
    at_work.answer("Delhi")
    wait_until(memory, lambda: memory.state("ann").freshness.is_current)
    assert settled_by(memory, "ann") == ["Delhi"]
    assert (len(at_work.heard("asked")), len(other.heard("asked"))) == (1, 4)


@pytest.mark.parametrize("after", [True, False])
@pytest.mark.parametrize("verb", ["set", "add", "correct", "flush"])
def test_a_commit_that_got_no_answer_is_looked_up(
    memory: Memory, database: str, proxy: Proxy, verb: str, *, after: bool
) -> None:
    wrote = memory.set("ann", "lives_in", "Delhi")
    assert wrote.fact_id is not None
    memory.add("ann", "I live in Rome.")
    with Memory(f"{proxy.url(database)}?tensemem_prepare=off", llm=FakeExtractor(), worker=False) as mem:
        mem.state("ann")
        sprung = proxy.trap(b"COMMIT\0", after=after)
        match verb:
            case "set":
                assert mem.set("ann", "lives_in", "Paris").rev == 3
            case "add":
                assert mem.add("ann", "I live in Oslo.").rev == 3
            case "correct":
                assert mem.correct(wrote.fact_id, "Paris").rev == 3
            case "flush":
                assert mem.flush("ann").is_current
        assert sprung.is_set()
    memory.flush("ann")
    with memory._engine.store.read() as reader:
        head = reader.head(Scope("default", "ann"))
        assert head is not None
        entries = list(reader.entries(head.id))
    assert [entry.rev for entry in entries] == list(range(1, len(entries) + 1))
    assert len(entries) == {"set": 4, "add": 5, "correct": 4, "flush": 3}[verb]
    assert memory.verify("ann").identical


@pytest.mark.parametrize("breaks", ["stall", "forget", "cut"])
def test_a_memory_carries_on_when_the_network_is_back(
    memory: Memory, database: str, proxy: Proxy, breaks: str
) -> None:
    url = f"{proxy.url(database)}?tensemem_statement_timeout=2&connect_timeout=2"
    with Memory(url, llm=False) as mem:
        assert mem.set("ann", "lives_in", "Delhi").rev == 1
        getattr(proxy, breaks)()
        before = proxy.arrived
        written: list[int] = []
        writing = threading.Thread(target=lambda: written.append(mem.set("ann", "lives_in", "Paris").rev))
        writing.start()
        proxy.wait_for_arrivals(before + 1)  # it has given up the connection that it had, and asks for another
        if breaks != "forget":
            assert writing.is_alive()
        proxy.mend()
        writing.join(60)
        assert written == [2]
        assert mem.get("ann", "lives_in") == "Paris"
        assert memory.verify("ann").identical


def test_a_server_ends_a_session_whose_machine_is_gone(database: str) -> None:
    """TCP's own patience is about two hours: long enough for the lock of a scope to be a failure for everybody."""
    store = PostgresStore(database)
    with store._links.connect() as connection:
        found = {
            name: connection.execute(f"SHOW {name}".encode()).fetchone()
            for name in ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout")
        }
        client = connection.info.get_parameters()
    store.close()
    assert list(found.values()) == [("10",), ("5",), ("4",), ("30000",)]
    assert (client["keepalives_idle"], client["tcp_user_timeout"]) == ("10", "30000")


def test_the_clock_of_the_server_decides(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = time.time_ns
    with Memory(database, llm=FakeExtractor(), worker=False) as mem:
        for wrong in (-90, 90):
            monkeypatch.setattr(time, "time_ns", lambda wrong=wrong: right() + wrong * 10**9)
            assert abs(mem._engine.operational_clock() - right() // 1000) < 5 * 10**6
