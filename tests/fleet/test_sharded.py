"""Rows spread by scope over three servers, by what PostgreSQL itself brings: one memory, as on one."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.errors import InvalidValueError, TensememError
from tensemem.model.scope import Scope
from tensemem.store.postgres.rows import scope_number
from tensemem.store.postgres.shards import KEYS, Shard, coordinator_script
from tests.fleet.proxy import Proxy
from tests.fleet.sharded import Sharded, ShardedShelf
from tests.laws import test_told_alike  # noqa: F401 - makes the law known
from tests.laws.law import LAWS

pytestmark = pytest.mark.slow

USERS = [f"user-{number}" for number in range(48)]


@pytest.fixture(scope="module")
def url(sharded: Sharded) -> str:
    return sharded.layout("spread")


@pytest.fixture
def memory(url: str) -> Iterator[Memory]:
    with Memory(url, llm=FakeExtractor(), worker=False) as mem:
        yield mem


def tell(mem: Memory, user: str) -> None:
    mem.add(user, "I live in Delhi.")
    mem.set(user, "diet", "vegan", idempotency_key="diet")
    mem.add_value(user, "languages", "Go")
    mem.add_value(user, "languages", "Python")
    mem.flush(user)
    moved = mem.set(user, "lives_in", "Paris")
    assert moved.fact_id is not None
    mem.correct(moved.fact_id, "Rome")
    mem.context(user, "Rome")


def register(mem: Memory) -> None:
    mem.register_predicate("lives_in")
    mem.register_predicate("diet")
    mem.register_predicate("languages", cardinality="many")


def test_a_scope_lies_on_one_server_and_scopes_on_all(memory: Memory, sharded: Sharded) -> None:
    register(memory)
    for user in USERS:
        tell(memory, user)
    wanted = {scope_number(Scope("default", user)): user for user in USERS}
    homes: dict[int, set[int]] = {scope: set() for scope in wanted}
    for table in KEYS:
        for place, rows in enumerate(sharded.rows("spread", table)):
            for scope in rows.keys() & wanted.keys():
                homes[scope].add(place)
    assert all(len(places) == 1 for places in homes.values())
    kept = [sum(places == {place} for places in homes.values()) for place in range(3)]
    assert min(kept) >= len(USERS) // 6, kept
    assert memory.stats()["scopes"] == len(USERS)
    assert [scope.user_id for scope in memory.scopes("user-1", limit=100)] == sorted(
        user for user in USERS if user.startswith("user-1")
    )


def test_every_verb_tells_what_a_file_tells(memory: Memory) -> None:
    with Memory(":memory:", llm=FakeExtractor(), worker=False) as reference:
        for mem in (memory, reference):
            register(mem)
            tell(mem, "ann")
        assert memory.state("ann").values == reference.state("ann").values
        assert memory.get("ann", "lives_in") == "Rome"
        assert [hit.text for hit in memory.search("ann", "Delhi")] == [
            hit.text for hit in reference.search("ann", "Delhi")
        ]
        assert memory.set("ann", "diet", "vegan", idempotency_key="diet").rev == 2
        assert memory.rebuild("ann").identical
        assert memory.state("ann").freshness.is_current


@pytest.mark.parametrize("name", ["a_store_tells_what_the_reference_tells"])
def test_random_histories_are_told_alike(shelf: ShardedShelf, name: str) -> None:
    found = next(law for law in LAWS if str(law) == name)
    found.hold_on(shelf)


def test_no_write_of_many_threads_is_lost(memory: Memory) -> None:
    register(memory)
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            for count in range(6):
                memory.add_value("crowd", "languages", f"{number}-{count}")
        except TensememError as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(memory.get("crowd", "languages")) == 36
    assert memory.verify("crowd").identical


def test_a_server_that_is_lost_holds_up_its_own_scopes_alone(sharded: Sharded, url: str) -> None:
    lost = sharded.keepers[1]
    with Memory(f"{url}&tensemem_statement_timeout=5", llm=False) as mem:
        register(mem)
        for user in USERS:
            mem.set(user, "diet", "fish")
        theirs = set(sharded.rows("spread", "scopes")[1])
        on_lost = [user for user in USERS if scope_number(Scope("default", user)) in theirs]
        elsewhere = [user for user in USERS if user not in on_lost]
        registry = scope_number(Scope("default", "")) in theirs
        lost.kill9()
        try:
            with pytest.raises(TensememError):
                mem.set(on_lost[0], "diet", "meat")
            if not registry:  # what a namespace has registered lies on one server too, and every write reads it
                for user in elsewhere[:5]:
                    assert mem.set(user, "diet", "meat").current
        finally:
            lost.run()
        assert mem.get(on_lost[0], "diet") == "fish"
        assert mem.set(on_lost[0], "diet", "meat").current
        assert all(mem.verify(user).identical for user in USERS[:6])


@pytest.mark.parametrize("after", [True, False])
def test_a_commit_whose_answer_is_lost_between_servers_is_looked_up(sharded: Sharded, *, after: bool) -> None:
    schema = f"cut_{after}".lower()
    with Proxy(sharded.keepers[0].port) as proxy:
        sharded.layout(schema, through=proxy)
        with Memory(sharded.coordinator.url(tensemem_schema=schema), llm=False) as mem:
            register(mem)
            theirs = [user for user in USERS if mem.set(user, "diet", "fish")]
            here = set(sharded.rows(schema, "scopes")[0])
            user = next(user for user in theirs if scope_number(Scope("default", user)) in here)
            sprung = proxy.trap(b"COMMIT TRANSACTION", after=after)
            written = mem.set(user, "diet", "meat")
            assert sprung.is_set()
            assert (written.rev, written.current) == (2, True)
            assert [fact.value for fact in mem.history(user, "diet").facts] == ["fish", "meat"]
            assert mem.verify(user).identical


def test_a_layout_names_its_servers() -> None:
    with pytest.raises(InvalidValueError):
        coordinator_script([])
    with pytest.raises(InvalidValueError):
        Shard("no name", "postgresql://localhost/x")
    text = coordinator_script([Shard("east", "postgresql://ann:it's@10.0.0.1:5433/memories")], "other")
    assert "CREATE SERVER east" in text
    assert "password 'it''s'" in text
    assert "tensemem." not in text
    assert text.count("PARTITION OF") == len(KEYS)
