"""A server that is killed, restarted, paused or cut off: nothing acknowledged is lost, nothing is kept twice, and the
memory that was open carries on."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("psycopg")

import psycopg

from tensemem import FakeExtractor, Memory
from tensemem.errors import ClosedError, StoreBusyError, StoreError
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.scope import Scope
from tensemem.store.postgres import PostgresStore
from tests.servers import Server, needed
from tests.store.children import finish, start_child

ALICE, BOB = Scope("default", "alice"), Scope("default", "bob")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that these tests may do anything to; it waits for no disk, which a killed process does not need."""
    needed("18")
    with Server.start("18") as one:
        yield one


@pytest.fixture
def url(server: Server) -> str:
    if not server.is_running:
        server.run()
    return server.create_database()


@pytest.fixture
def mem(url: str) -> Iterator[Memory]:
    with Memory(url, llm=FakeExtractor(), worker=False) as opened:
        opened.register_predicate("counter")
        yield opened


class Writers:
    """Threads that write numbered messages until told to stop, and keep what they were told of each.

    A message that raised may be kept or not; it is not said again.
    """

    def __init__(self, mem: Memory, users: list[str]) -> None:
        self.mem, self.users = mem, users
        self.told: dict[str, int] = {}
        self.refused: dict[str, Exception] = {}
        self._changed = threading.Condition()
        self._is_over = False
        self._threads = [threading.Thread(target=self._write, args=(place,)) for place in range(len(users))]

    def __enter__(self) -> Writers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        for thread in self._threads:
            thread.join()

    def _write(self, place: int) -> None:
        number = 0
        while not self._is_over:
            number += 1
            text = f"writer {place}, message {number}"
            try:
                seq = self.mem.add(self.users[place], text, extract=False).seq
            except StoreError as error:
                with self._changed:
                    self.refused[text] = error
            else:
                with self._changed:
                    self.told[text] = seq
                    self._changed.notify_all()

    def until_told(self, more: int) -> None:
        """Wait until so many more were acknowledged."""
        with self._changed:
            wanted = len(self.told) + more
            assert self._changed.wait_for(lambda: len(self.told) >= wanted, 60), self.refused

    def check(self, mem: Memory) -> None:
        """What was acknowledged is in the log, where it was said to be, and nothing is there twice."""
        kept = {user: {one.seq: one.content for one in mem.messages(user)} for user in set(self.users)}
        texts = Counter(text for found in kept.values() for text in found.values())
        assert max(texts.values()) == 1
        for text, seq in self.told.items():
            assert any(found.get(seq) == text for found in kept.values()), text
        assert set(texts) <= {*self.told, *self.refused}
        for user, found in kept.items():
            assert sorted(found) == list(range(1, len(found) + 1))
            assert mem.verify(user).identical


def kill(server: Server) -> None:
    server.kill9()
    server.run()


FAULTS: dict[str, Callable[[Server], object]] = {
    "killed": kill,
    "restarted": Server.restart,
    "cut off": Server.cut_connections,
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("users", [["ann"] * 3, ["ann", "ben", "cid"]], ids=["of one user", "of three users"])
def test_nothing_acknowledged_is_lost_or_kept_twice(
    server: Server, url: str, mem: Memory, fault: str, users: list[str]
) -> None:
    with Writers(mem, users) as writers:
        for _ in range(3):
            writers.until_told(10)
            FAULTS[fault](server)
        writers.until_told(10)
    writers.check(mem)
    with Memory(url, worker=False) as other:
        writers.check(other)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_memory_that_lay_idle_meanwhile_reads_and_writes_on(server: Server, mem: Memory, fault: str) -> None:
    mem.set("ann", "counter", "1")
    FAULTS[fault](server)
    assert mem.get("ann", "counter") == "1"
    FAULTS[fault](server)
    assert mem.set("ann", "counter", "2").seq == 2
    FAULTS[fault](server)
    assert mem.add("ann", "hello").seq == 3
    mem.flush()
    assert mem.state("ann").freshness.is_current
    assert [fact.value for fact in mem.history("ann", "counter")] == ["1", "2"]


def test_a_process_that_is_killed_leaves_what_it_was_told_is_kept(url: str, mem: Memory) -> None:
    child = start_child(
        """
        import sys
        from tensemem import Memory
        mem = Memory(sys.argv[1], worker=False)
        for number in range(10**6):
            print(mem.add("ann", f"message {number}", extract=False).seq, flush=True)
        """,
        url,
    )
    assert child.stdout is not None
    told = [int(child.stdout.readline()) for _ in range(20)]
    child.kill()
    child.communicate()
    kept = {one.seq: one.content for one in mem.messages("ann")}
    assert [kept[seq] for seq in told] == [f"message {number}" for number in range(20)]
    assert sorted(kept) == list(range(1, len(kept) + 1))
    assert mem.verify().identical
    assert mem.set("ann", "counter", "1").seq == len(kept) + 1


def test_a_server_that_is_away_is_told_and_waited_for(server: Server, url: str) -> None:
    with closing(PostgresStore(url, busy_timeout=0.5)) as store:
        put(store, ALICE, 1)
        server.stop()
        with pytest.raises(StoreBusyError):
            put(store, ALICE, 2)
        with pytest.raises(StoreBusyError), store.read() as reader:
            reader.head(ALICE)
        with pytest.raises(StoreBusyError):
            PostgresStore(url, busy_timeout=0.5)
        server.run()
        store._links.budget = 60.0  # it comes back within whatever this machine takes
        put(store, ALICE, 2)
        assert revs(store, ALICE) == [1, 2]


def test_a_paused_server_holds_a_write_up_and_loses_none(server: Server, mem: Memory) -> None:
    mem.set("ann", "counter", "1")
    server.pause()
    with ThreadPoolExecutor(1) as beside:
        written = beside.submit(mem.set, "ann", "counter", "2")
        with pytest.raises(TimeoutError):
            written.result(0.2)
        server.resume()
        assert written.result(60).seq == 2
    assert mem.get("ann", "counter") == "2"


# Who waits for whom


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    opened = PostgresStore(url, busy_timeout=30)
    yield opened
    opened.close()


def put(store: PostgresStore, scope: Scope, rev: int) -> None:
    with store.write() as tx:
        head = tx.open_scope(scope)
        tx.append(head.id, Entry(EntryKind.MESSAGE, rev, rev, rev, rev, body={}))
        head.rev = rev
        tx.save_head(head)


def revs(store: PostgresStore, scope: Scope) -> list[int]:
    with store.read() as reader:
        head = reader.head(scope)
        return [] if head is None else [entry.rev for entry in reader.entries(head.id)]


def test_two_writers_of_one_scope_take_turns(store: PostgresStore) -> None:
    put(store, ALICE, 1)
    with ThreadPoolExecutor(1) as beside:
        with store.write() as tx:
            assert tx.open_scope(ALICE).rev == 1
            other = beside.submit(put, store, ALICE, 2)
            with pytest.raises(TimeoutError):
                other.result(0.2)
            tx.set_meta("done", "first")
        other.result(30)
    assert revs(store, ALICE) == [1, 2]


def test_writers_of_two_scopes_do_not_wait_for_each_other(store: PostgresStore) -> None:
    for scope in (ALICE, BOB):
        put(store, scope, 1)
    with ThreadPoolExecutor(1) as beside, store.write() as tx:
        tx.append(tx.open_scope(ALICE).id, Entry(EntryKind.MESSAGE, 2, 2, 2, 2, body={}))
        beside.submit(put, store, BOB, 2).result(30)
        beside.submit(put, store, Scope("default", "new"), 1).result(30)
    assert (revs(store, ALICE), revs(store, BOB)) == ([1, 2], [1, 2])


def test_a_snapshot_stays_while_writers_commit(store: PostgresStore) -> None:
    put(store, ALICE, 1)
    with ThreadPoolExecutor(1) as beside, store.read() as reader:
        head = reader.head(ALICE)
        assert head is not None
        for rev in range(2, 12):
            beside.submit(put, store, ALICE, rev).result(30)
            assert [entry.rev for entry in reader.entries(head.id)] == [1]
            assert reader.head(ALICE) == head
    assert revs(store, ALICE) == list(range(1, 12))


def test_whoever_waits_too_long_for_a_scope_is_told_so(url: str) -> None:
    with closing(PostgresStore(url, busy_timeout=0.3)) as store, ThreadPoolExecutor(1) as beside:
        put(store, ALICE, 1)
        with store.write() as tx:
            tx.open_scope(ALICE)
            with pytest.raises(StoreBusyError):
                beside.submit(put, store, ALICE, 2).result(30)
        put(store, ALICE, 2)
        assert revs(store, ALICE) == [1, 2]


def test_a_statement_that_takes_too_long_is_broken_off(url: str) -> None:
    with closing(PostgresStore(f"{url}?tensemem_statement_timeout=2")) as store:
        put(store, ALICE, 1)

        def read_too_long() -> None:
            with store.read() as reader:
                reader._session.run(b"SELECT pg_sleep(30)")

        with pytest.raises(StoreError):
            read_too_long()
        put(store, ALICE, 2)
        assert revs(store, ALICE) == [1, 2]


@pytest.mark.parametrize("at", ["before it begins", "while it reads", "before it commits"])
def test_a_transaction_whose_connection_is_cut_writes_nothing(server: Server, url: str, at: str) -> None:
    name = url.rpartition("/")[2]
    with closing(PostgresStore(url)) as store:
        put(store, ALICE, 1)
        if at == "before it begins":
            server.cut_connections(name)
            put(store, ALICE, 2)  # nothing was done on it yet: another connection is taken
            assert revs(store, ALICE) == [1, 2]
            return

        def write_and_be_cut() -> None:
            with store.write() as tx:
                head = tx.open_scope(ALICE)
                tx.append(head.id, Entry(EntryKind.MESSAGE, 2, 2, 2, 2, body={}))
                server.cut_connections(name)
                if at == "while it reads":
                    list(tx.entries(head.id))

        with pytest.raises(StoreBusyError):
            write_and_be_cut()
        assert revs(store, ALICE) == [1]
        put(store, ALICE, 2)
        assert revs(store, ALICE) == [1, 2]


def test_a_stranger_who_holds_a_scope_is_waited_for(url: str, mem: Memory) -> None:
    mem.set("ann", "counter", "1")
    with psycopg.connect(url) as stranger, ThreadPoolExecutor(1) as beside:
        stranger.execute("SELECT 1 FROM tensemem.scopes WHERE user_id = 'ann' FOR UPDATE")
        written = beside.submit(mem.set, "ann", "counter", "2")
        with pytest.raises(TimeoutError):
            written.result(0.2)
        stranger.rollback()
        assert written.result(30).seq == 2


def test_a_closed_memory_stays_closed_when_its_server_comes_back(server: Server, url: str) -> None:
    store = PostgresStore(url, busy_timeout=0.5)
    server.stop()
    store.close()
    server.run()
    with pytest.raises(ClosedError):
        put(store, ALICE, 1)


def test_processes_that_write_to_one_scope_take_turns(url: str, mem: Memory, tmp_path: Path) -> None:
    code = """
        import sys
        from tensemem import Memory
        with Memory(sys.argv[1], worker=False) as mem:
            for number in range(20):
                mem.add("ann", f"{sys.argv[2]}, message {number}", extract=False)
    """
    children = [start_child(code, url, f"process {number}") for number in range(3)]
    for child in children:
        finish(child)
    messages = mem.messages("ann")
    assert [one.seq for one in messages] == list(range(1, 61))
    for number in range(3):
        own = [one.content for one in messages if one.content.startswith(f"process {number},")]
        assert own == [f"process {number}, message {each}" for each in range(20)]
