"""Leases on PostgreSQL: of those who come at the same time one gets the scope, and nobody waits for a busy one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

pytest.importorskip("psycopg")

from tensemem.model.scope import Scope
from tensemem.ports import Head
from tensemem.store.postgres import PostgresStore
from tests.servers import fresh_database

NOW, UNTIL = 100, 200
ALICE, BOB = Scope("default", "alice"), Scope("default", "bob")


@pytest.fixture
def stores() -> Iterator[list[PostgresStore]]:
    url = fresh_database("18")
    opened = [PostgresStore(url) for _ in range(2)]
    yield opened
    for store in opened:
        store.close()


def queue(store: PostgresStore, *scopes: Scope) -> list[int]:
    ids = []
    for scope in scopes:
        with store.write() as tx:
            ids.append(tx.open_scope(scope).id)
            tx.add_pending(ids[-1], 1)
    return ids


def lease(store: PostgresStore, owner: str) -> Head | None:
    with store.write() as tx:
        return tx.lease(owner, NOW, UNTIL, [], [])


def owners(store: PostgresStore) -> list[str]:
    with store.read() as reader:
        return reader.owners()


def test_a_scope_that_a_flush_is_just_taking_goes_to_nobody_else(stores: list[PostgresStore]) -> None:
    mine, theirs = stores
    (alice,) = queue(mine, ALICE)
    with ThreadPoolExecutor(1) as thread:
        with mine.write() as tx:
            tx.head(ALICE)
            assert tx.lease_scope(alice, "flush", NOW, UNTIL, [])
            tx.meta("sent")  # so that the lease is there, though not committed
            later: Future[Head | None] = thread.submit(lease, theirs, "worker")
        assert later.result(30) is None
    assert owners(mine) == ["flush"]


def test_a_scope_that_is_being_settled_is_passed_over_without_waiting(stores: list[PostgresStore]) -> None:
    mine, theirs = stores
    alice, bob = queue(mine, ALICE, BOB)
    with mine.write() as tx:
        assert tx.lease_scope(alice, "slow", 0, NOW - 1, [])  # it has run out meanwhile
    with mine.write() as tx:
        tx.head(ALICE)
        assert tx.holds(alice, "slow")
        found = lease(theirs, "worker")
        assert found is not None
        assert found.id == bob
        tx.drop_pending(alice, 1)
    assert owners(mine) == ["slow", "worker"]


def test_who_settles_first_finds_the_lease_gone_or_keeps_it_to_the_end(stores: list[PostgresStore]) -> None:
    mine, theirs = stores
    (alice,) = queue(mine, ALICE)
    with mine.write() as tx:
        assert tx.lease_scope(alice, "slow", 0, NOW - 1, [])
    assert lease(theirs, "worker") is not None
    with mine.write() as tx:
        tx.head(ALICE)
        assert not tx.holds(alice, "slow")


def test_many_workers_take_each_scope_once(stores: list[PostgresStore]) -> None:
    scopes = [Scope("default", f"user-{number}") for number in range(12)]
    queue(stores[0], *scopes)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda n: lease(stores[n % 2], f"worker-{n}"), range(24)))
    taken = [head.scope for head in found if head is not None]
    assert sorted(taken, key=repr) == sorted(scopes, key=repr)
