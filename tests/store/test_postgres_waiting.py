"""Waiting for commits on PostgreSQL: told by the server, and looked for where it can't tell."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("psycopg")

from tensemem import FakeExtractor, Memory
from tensemem.store.postgres import PostgresStore, commits
from tests.fleet.standby import copy_of
from tests.servers import Server, fresh_database, needed

LONG = 60.0


@pytest.fixture(scope="module")
def url() -> str:
    return fresh_database("18")


@pytest.fixture
def two(url: str) -> Iterator[tuple[PostgresStore, PostgresStore]]:
    stores = PostgresStore(url), PostgresStore(url)
    yield stores
    for store in stores:
        store.close()


def set_meta(store: PostgresStore, value: str) -> None:
    with store.write() as tx:
        tx.set_meta("name", value)


def until_it_hears(store: PostgresStore) -> None:
    while not store._links.commits._hears:
        store.wait_for_commit(0.05)
    store.wait_for_commit(0.0)


def test_a_commit_of_another_process_ends_a_wait(
    two: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = two
    until_it_hears(mine)
    monkeypatch.setattr(commits, "LOOK_AGAIN", LONG)
    began = time.monotonic()
    waiting = threading.Thread(target=mine.wait_for_commit, args=(LONG,))
    waiting.start()
    set_meta(theirs, "a")
    waiting.join(LONG / 2)
    assert not waiting.is_alive()
    assert time.monotonic() - began < LONG / 2


def test_an_own_commit_ends_a_wait_at_once(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits.Commits, "_listen", lambda _: None)
    monkeypatch.setattr(commits, "LOOK_AGAIN_ALONE", LONG)
    store = PostgresStore(url)
    store.wait_for_commit(0.0)
    waiting = threading.Thread(target=store.wait_for_commit, args=(LONG,))
    waiting.start()
    while waiting.is_alive():  # its first wait may end at once; what comes after it must end it too
        set_meta(store, "b")
        waiting.join(0.01)
    store.close()


def test_where_notifications_do_not_get_through_a_wait_looks_again(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits.Commits, "_listen", lambda _: None)
    with Memory(url, llm=FakeExtractor()) as worker, Memory(url, llm=False) as reader:
        worker.register_predicate("lives_in")
        worker.add("ann", "I live in Delhi")
        state = reader.state("ann", wait=LONG)
        assert state.freshness.is_current
        assert state.values == {"lives_in": "Delhi"}


def test_who_listens_goes_on_after_its_connection_was_cut(
    two: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = two
    monkeypatch.setattr(commits, "_BEFORE_LISTENING_AGAIN", 0.0)
    until_it_hears(mine)
    needed("18").cut_connections()
    mine._links.commits._hears = False
    until_it_hears(mine)
    set_meta(theirs, "c")
    with mine.read() as reader:
        assert reader.meta("name") == "c"


def test_closing_ends_a_wait_and_every_thread(url: str) -> None:
    store = PostgresStore(url)
    until_it_hears(store)
    set_meta(store, "d")
    waiting = threading.Thread(target=store.wait_for_commit, args=(LONG,))
    waiting.start()
    store.close()
    waiting.join(LONG / 2)
    assert not waiting.is_alive()
    assert not any(thread.is_alive() for thread in store._links.commits._threads.values())


def test_many_commits_of_others_are_heeded_a_few_times(two: tuple[PostgresStore, PostgresStore]) -> None:
    mine, theirs = two
    until_it_hears(mine)
    heeded, began = mine._links.commits._number, time.monotonic()
    with theirs._links.connect() as connection:
        for _ in range(300):
            connection.execute(f"NOTIFY {theirs._links.commits._channel}".encode())
    while (heard := mine._links.commits._number - heeded) == 0:
        assert time.monotonic() - began < LONG
        mine.wait_for_commit(0.05)
    assert heard <= (time.monotonic() - began) / commits._BETWEEN_HEARINGS + 2


class Counted:
    """Counts the connections that are made for listening or telling, and says when there was one."""

    def __init__(self, store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count, self._connect = 0, store._links.commits._connect
        monkeypatch.setattr(store._links.commits, "_connect", self)

    def __call__(self) -> Any:
        self.count += 1
        return self._connect()


class Ended(threading.Event):
    """Notes the pauses that are made, and makes each of them as short as can be."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []
        self.has_paused = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.pauses.append(timeout)
        if timeout >= commits._BEFORE_LISTENING_AGAIN:
            self.has_paused.set()
            return super().wait(LONG)
        return super().wait(timeout)


def test_a_standby_which_lets_nobody_listen_is_not_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    needed("18")
    with Server.start("18") as primary:
        url = primary.create_database()
        with Memory(url, worker=False) as writer, copy_of(primary) as standby:
            writer.register_predicate("lives_in")
            database = url.rpartition("/")[2]
            until_it_has_come(primary, standby)
            store = PostgresStore(standby.url(database), read_only=True)
            counted, ended = Counted(store, monkeypatch), Ended()
            monkeypatch.setattr(store._links.commits, "_ended", ended)
            store.wait_for_commit(0.01)
            assert ended.has_paused.wait(LONG)
            assert (counted.count, ended.pauses[-1]) == (1, commits._BEFORE_ASKING_AGAIN)
            assert not store._links.commits._hears
            with store.read() as reader:
                assert reader.registry_rev("default") == 1
            store.close()


def until_it_has_come(primary: Server, standby: Server) -> None:
    """Return when a standby has all that its primary had."""
    end = primary.execute("SELECT pg_current_wal_insert_lsn()::text")[0][0]
    while standby.execute("SELECT pg_last_wal_replay_lsn() < %s::pg_lsn", (end,)) != [(False,)]:
        standby.execute("SELECT pg_sleep(0.02)")
