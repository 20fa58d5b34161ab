"""A COMMIT that got no answer is looked up: what was kept is acknowledged, what was not is done again or told."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

pytest.importorskip("psycopg")

import psycopg

from tensemem import Memory, Message
from tensemem.engine import flow
from tensemem.errors import OutcomeUnknownError, PredicateConflictError, StoreBusyError, StoreError, StoreRetryError
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.scope import Scope
from tensemem.store.postgres import PostgresStore, settled
from tensemem.store.postgres import links as links_module
from tensemem.store.postgres.rows import scope_number
from tests.servers import fresh_database

ALICE = Scope("default", "alice")


@pytest.fixture(scope="module")
def url() -> str:
    return fresh_database("18")


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    opened = PostgresStore(url, busy_timeout=10)
    yield opened
    opened.close()


class Cut:
    """Breaks the connection of the next COMMIT: before it is sent, or when it has been done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, after: bool, times: int = 1) -> None:
        self.left, self._after = times, after
        self._commit = links_module.Session.commit
        cut = self

        def commit(session: links_module.Session) -> None:
            cut(session)

        monkeypatch.setattr(links_module.Session, "commit", commit)

    def __call__(self, session: Any) -> None:
        if not self.left or not session.has_written:
            self._commit(session)
            return
        self.left -= 1
        session.run(b"SELECT 1")
        if self._after:
            self._commit(session)
        session.was_sent = True
        session._connection.close()
        raise psycopg.OperationalError("the connection is lost")


def append(store: PostgresStore, content: str = "Delhi") -> int:
    with store.write() as tx:
        head = tx.open_scope(ALICE)
        head.rev += 1
        head.seq += 1
        tx.append(head.id, Entry(EntryKind.MESSAGE, head.rev, head.seq, head.rev, head.rev, body={"content": content}))
        tx.save_head(head)
        return head.rev


def revs(store: PostgresStore) -> list[int]:
    with store.read() as reader:
        head = reader.head(ALICE)
        return [] if head is None else [entry.rev for entry in reader.entries(head.id)]


def test_what_was_kept_is_acknowledged(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    known = revs(store)
    Cut(monkeypatch, after=True)
    assert append(store) not in known
    assert len(revs(store)) == len(known) + 1


def test_what_was_not_kept_is_told_so_and_may_be_done_again(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = revs(store)
    Cut(monkeypatch, after=False)
    with pytest.raises(StoreRetryError):
        append(store)
    assert revs(store) == known


BREAKING = [
    psycopg.errors.AdminShutdown("terminating connection due to administrator command"),
    psycopg.errors.CrashShutdown("terminating connection because of crash of another server process"),
    psycopg.OperationalError("cannot exit pipeline mode while busy"),
]
"""What is heard of a connection that breaks, before it is known to be lost."""


@pytest.mark.parametrize("error", BREAKING, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("after", [True, False], ids=["done", "not done"])
def test_what_is_heard_behind_a_commit_says_nothing_of_it(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, error: psycopg.Error, *, after: bool
) -> None:
    known, commit, rollbacks = revs(store), links_module.Session.commit, store._links.rollbacks

    def breaking(session: links_module.Session) -> None:
        monkeypatch.setattr(links_module.Session, "commit", commit)
        session.run(b"SELECT 1")
        if after:
            session.run(b"COMMIT")
        session.was_sent = True
        raise error

    monkeypatch.setattr(links_module.Session, "commit", breaking)
    if after:
        assert append(store) not in known
    else:
        with pytest.raises(StoreRetryError):
            append(store)
    assert len(revs(store)) == len(known) + after
    assert store._links.rollbacks == rollbacks + (not after)


@pytest.mark.parametrize("error", BREAKING, ids=lambda error: type(error).__name__)
def test_work_whose_connection_breaks_is_done_again(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, error: psycopg.Error
) -> None:
    known, send = revs(store), links_module.Session._send

    def breaking(session: links_module.Session, *arguments: Any) -> Any:
        monkeypatch.setattr(links_module.Session, "_send", send)
        raise error

    monkeypatch.setattr(links_module.Session, "_send", breaking)
    flow.persistently(lambda: append(store))
    assert len(revs(store)) == len(known) + 1


@pytest.fixture
def overtaken(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somebody else writes to the scope before a COMMIT without an answer is looked up."""
    look_up, other = settled._is_there, PostgresStore(url)

    def later(*arguments: Any) -> bool:
        append(other, "Paris")
        return look_up(*arguments)

    monkeypatch.setattr(settled, "_is_there", later)
    yield
    other.close()


@pytest.mark.usefixtures("overtaken")
def test_what_was_kept_is_found_where_another_one_has_written_since(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = revs(store)
    Cut(monkeypatch, after=True)
    append(store)
    assert len(revs(store)) == len(known) + 2


@pytest.mark.usefixtures("overtaken")
def test_what_another_one_put_in_its_place_is_not_taken_for_it(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = revs(store)
    Cut(monkeypatch, after=False)
    with pytest.raises(StoreRetryError):
        append(store)
    assert len(revs(store)) == len(known) + 1


def test_where_nobody_can_be_asked_it_is_said_that_it_is_not_known(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    Cut(monkeypatch, after=True)

    def away(*_: Any) -> bool:
        raise psycopg.OperationalError("nobody there")

    monkeypatch.setattr(settled, "_is_there", away)
    with pytest.raises(OutcomeUnknownError, match="not known whether it did") as caught:
        append(store)
    assert not isinstance(caught.value, StoreRetryError)


@pytest.mark.parametrize("after", [True, False])
def test_a_verb_writes_once_whatever_breaks(url: str, monkeypatch: pytest.MonkeyPatch, *, after: bool) -> None:
    user = f"u-{after}"
    with Memory(url, llm=False) as mem:
        mem.register_predicate("lives_in")
        mem.set(user, "lives_in", "Delhi")
        Cut(monkeypatch, after=after)
        written = mem.set(user, "lives_in", "Bangalore")
        assert (written.seq, written.rev, written.current) == (2, 2, True)
        Cut(monkeypatch, after=after, times=3)
        assert written.fact_id is not None
        assert mem.correct(written.fact_id).rev == 3
        assert mem.state(user).values == {"lives_in": "Delhi"}
        assert mem.verify(user).identical


def test_a_transaction_writes_to_one_scope(store: PostgresStore) -> None:
    append(store)
    with store.write() as tx:
        tx.open_scope(ALICE)
        with pytest.raises(StoreError, match="one scope"):
            tx.open_scope(Scope("default", "bob"))


@pytest.mark.parametrize("after", [True, False])
def test_a_batch_over_several_scopes_is_kept_once_where_one_breaks(
    url: str, monkeypatch: pytest.MonkeyPatch, *, after: bool
) -> None:
    users = [f"batch-{after}-{number}" for number in range(3)]
    with Memory(url, llm=False) as mem:
        cut = Cut(monkeypatch, after=after, times=0)
        messages = [Message(user, f"message {number}") for number in range(2) for user in users]
        cut.left = 2
        assert [added.seq for added in mem.add_many(messages)] == [1, 1, 1, 2, 2, 2]
        assert [len(mem.messages(user)) for user in users] == [2, 2, 2]


def test_work_that_is_broken_off_again_and_again_is_given_up(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensemem.engine.flow._LONGEST_PAUSE", 0.0)
    Cut(monkeypatch, after=False, times=flow.TRIES)
    with pytest.raises(StoreBusyError, match="tried 12 times") as caught:
        flow.persistently(lambda: append(store))
    assert not isinstance(caught.value, StoreRetryError)


def test_those_who_register_at_once_see_each_other(url: str) -> None:
    handles = [Memory(url, llm=False) for _ in range(6)]

    def register(number: int) -> str:
        handles[number].register_predicate(f"apart_{number}")
        try:
            handles[number].register_predicate("together", "one" if number % 2 else "many")
        except PredicateConflictError:
            return "refused"
        return "registered"

    with ThreadPoolExecutor(len(handles)) as threads:
        outcomes = list(threads.map(register, range(len(handles))))
    known = {predicate.name for predicate in handles[0].predicates()}
    assert known >= {"together", *(f"apart_{number}" for number in range(len(handles)))}
    assert sorted(outcomes) == ["refused"] * 3 + ["registered"] * 3
    for handle in handles:
        handle.close()


def test_a_new_database_has_one_tag_for_all_who_open_it() -> None:
    address = fresh_database("18")
    with Memory(address, llm=False) as one, Memory(address, llm=False) as other:
        assert one.context("ann").text == other.context("ann").text


def test_a_state_of_commits_that_a_server_lost_is_not_served_again(url: str) -> None:
    """A standby may take over without the last commits, and count on from an earlier revision."""
    with Memory(url, llm=False) as mem, Memory(url, llm=False) as other:
        mem.register_predicate("lives_in")
        mem.set("lost", "lives_in", "Delhi")
        mem.set("lost", "lives_in", "Bangalore")
        assert mem.state("lost").values == {"lives_in": "Bangalore"}
        with psycopg.connect(url, autocommit=True) as server:
            for statement in _TAKEN_BACK:
                server.execute(statement, (scope_number(Scope("default", "lost")),))
        other.rebuild("lost")
        other.set("lost", "lives_in", "Pune")
        assert other.state("lost").rev == mem.state("lost").rev == 2
        assert mem.state("lost").values == {"lives_in": "Pune"}


_TAKEN_BACK = (
    "DELETE FROM tensemem.entries WHERE scope = %s AND rev = 2",
    "DELETE FROM tensemem.claims WHERE scope = %s AND seq = 2",
    "UPDATE tensemem.scopes SET rev = 1, seq = 1, tx = 1 WHERE id = %s",
)
