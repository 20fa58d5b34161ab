"""What every store promises of leases: whose turn it is, and whose no longer."""

from __future__ import annotations

from tensemem.model.scope import Scope
from tensemem.ports import PendingRow, Store, WorkerRow
from tests.store.promises.rows import scope_id


def leased(
    store: Store,
    owner: str = "w",
    now: int = 100,
    until: int = 200,
    dead: tuple[str, ...] = (),
    skip: tuple[int, ...] = (),
) -> str | None:
    with store.write() as tx:
        head = tx.lease(owner, now, until, dead, skip)
        return None if head is None else head.scope.user_id


def wait_in_queue(store: Store, *names: str) -> list[int]:
    """Put a message of each user into the queue; gives the scopes' ids."""
    ids = []
    for name in names:
        with store.write() as tx:
            ids.append(tx.open_scope(Scope("default", name)).id)
            tx.add_pending(ids[-1], 1)
    return ids


def test_only_a_scope_with_a_waiting_message_that_is_due_is_leased(store: Store) -> None:
    assert leased(store) is None
    for name, state, not_before in (("a", "failed", 0), ("b", "waiting", 101)):
        with store.write() as tx:
            id = tx.open_scope(Scope("default", name)).id
            tx.add_pending(id, 1)
            tx.save_pending(PendingRow(id, 1, state, 1, not_before))
    assert leased(store, now=100) is None
    assert leased(store, now=101) == "b"


def test_a_leased_scope_is_not_leased_to_another(store: Store) -> None:
    wait_in_queue(store, "a", "b")
    assert [leased(store, owner) for owner in ("w1", "w2", "w3")] == ["a", "b", None]
    with store.write() as tx:
        assert tx.owners() == ["w1", "w2"]


def test_a_lease_ends_when_it_expires(store: Store) -> None:
    (id,) = wait_in_queue(store, "a")
    assert leased(store, "w1", now=100, until=200) == "a"
    assert leased(store, "w2", now=199) is None
    assert leased(store, "w2", now=200, until=300) == "a"
    with store.write() as tx:
        assert tx.renew(id, "w1", 400) is False
        assert tx.renew(id, "w2", 400) is True
    assert leased(store, "w3", now=399) is None


def test_the_lease_of_a_dead_owner_does_not_count(store: Store) -> None:
    wait_in_queue(store, "a")
    assert leased(store, "w1") == "a"
    assert leased(store, "w2", dead=("w0",)) is None
    assert leased(store, "w2", dead=("w0", "w1")) == "a"
    with store.write() as tx:
        assert tx.owners() == ["w2"]


def test_an_owner_may_lease_again_what_it_holds_unless_it_skips_it(store: Store) -> None:
    (id,) = wait_in_queue(store, "a")
    assert leased(store) == "a"
    assert leased(store, skip=(id,)) is None
    assert leased(store) == "a"


def test_a_lease_given_back_is_free_and_only_its_owner_gives_it_back(store: Store) -> None:
    (id,) = wait_in_queue(store, "a")
    assert leased(store, "w1") == "a"
    with store.write() as tx:
        tx.release(id, "w2")
    assert leased(store, "w2") is None
    with store.write() as tx:
        tx.release(id, "w1")
    assert leased(store, "w2") == "a"


def test_one_scope_can_be_leased_whether_or_not_it_is_due(store: Store) -> None:
    id = scope_id(store)

    def take(owner: str, now: int, dead: tuple[str, ...] = ()) -> bool:
        with store.write() as tx:
            return tx.lease_scope(id, owner, now, now + 10, dead)

    assert take("w1", 100)
    assert take("w1", 105)
    assert not take("w2", 114)
    assert take("w2", 115)
    assert not take("w3", 116, ("w1",))
    assert take("w3", 116, ("w2",))


def test_the_leases_of_a_worker_that_left_are_free(store: Store) -> None:
    first, _ = wait_in_queue(store, "a", "b")
    assert (leased(store, "w1"), leased(store, "w1", skip=(first,))) == ("a", "b")
    with store.write() as tx:
        tx.beat(WorkerRow("w1", "host", 1, "start", 1))
        tx.drop_worker("w1")
        assert (tx.workers(), tx.owners()) == ([], [])
    assert leased(store, "w2") == "a"


def test_every_scope_gets_its_turn_though_one_is_always_due(store: Store) -> None:
    ids = wait_in_queue(store, "a", "b", "c")
    turns = []
    for _ in range(4):
        turns.append(leased(store))
        for id in ids:
            with store.write() as tx:
                tx.release(id, "w")
    assert turns == ["a", "b", "c", "a"]


def test_a_retry_that_is_due_comes_first_and_the_oldest_before_others(store: Store) -> None:
    _, *retried = wait_in_queue(store, "fresh", "late", "early")
    for id, due in zip(retried, (60, 50), strict=True):
        with store.write() as tx:
            tx.save_pending(PendingRow(id, 1, "waiting", 1, due))
    assert [leased(store, owner) for owner in ("w1", "w2", "w3", "w4")] == ["early", "late", "fresh", None]


def test_a_scope_is_due_when_the_first_of_its_messages_is(store: Store) -> None:
    id = scope_id(store)
    with store.write() as tx:
        tx.add_pending(id, 1)
        tx.add_pending(id, 2)
        tx.save_pending(PendingRow(id, 1, "waiting", 1, 900))
        tx.save_pending(PendingRow(id, 2, "waiting", 1, 500))
    assert leased(store, now=499) is None
    assert leased(store, now=500) == "alice"
    with store.write() as tx:
        tx.release(id, "w")
        tx.drop_pending(id, 2)
    assert leased(store, now=899) is None
    with store.write() as tx:
        tx.save_pending(PendingRow(id, 1, "failed", 2, 0))
    assert leased(store, now=10**9) is None


def test_workers_are_listed_with_their_last_beat(store: Store) -> None:
    with store.write() as tx:
        tx.beat(WorkerRow("w2", "host", 2, "start", 5))
        tx.beat(WorkerRow("w1", "host", 1, "start", 5))
        tx.beat(WorkerRow("w2", "host", 2, "start", 9))
    with store.read() as reader:
        assert [(worker.id, worker.beat) for worker in reader.workers()] == [("w1", 5), ("w2", 9)]
