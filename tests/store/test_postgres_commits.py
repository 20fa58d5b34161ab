"""A COMMIT that got no answer is looked up: what was kept is acknowledged, what was not is done again or told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("psycopg")

import psycopg

from tensemem import Memory
from tensemem.errors import StoreError, StoreRetryError
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.scope import Scope
from tensemem.store.postgres import PostgresStore, settled
from tensemem.store.postgres import links as links_module
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


def test_what_was_kept_is_found_where_another_one_has_written_since(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = revs(store)
    Cut(monkeypatch, after=True)
    look_up = settled._is_there
    other = PostgresStore(url)

    def later(*arguments: Any) -> bool:
        append(other, "Paris")
        return look_up(*arguments)

    monkeypatch.setattr(settled, "_is_there", later)
    append(store)
    other.close()
    assert len(revs(store)) == len(known) + 2


def test_what_another_one_put_in_its_place_is_not_taken_for_it(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = revs(store)
    Cut(monkeypatch, after=False)
    look_up = settled._is_there
    other = PostgresStore(url)

    def later(*arguments: Any) -> bool:
        append(other, "Paris")
        return look_up(*arguments)

    monkeypatch.setattr(settled, "_is_there", later)
    with pytest.raises(StoreRetryError):
        append(store)
    other.close()
    assert len(revs(store)) == len(known) + 1


def test_where_nobody_can_be_asked_it_is_said_that_it_is_not_known(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    Cut(monkeypatch, after=True)

    def away(*_: Any) -> bool:
        raise psycopg.OperationalError("nobody there")

    monkeypatch.setattr(settled, "_is_there", away)
    with pytest.raises(StoreError, match="not known whether it did") as caught:
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
