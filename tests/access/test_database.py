"""The store in a PostgreSQL database: the same keys and acts; a revocation counts within a second."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tensemem import Memory
from tensemem.access import Access, guard
from tensemem.access.grants import grants_sql
from tensemem.errors import (
    ClosedError,
    InvalidValueError,
    SchemaTooNewError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    UnknownFactError,
)
from tests.access.asking import Behind, ask
from tests.access.conftest import NOON, World
from tests.servers import fresh_database
from tests.store.every_kind import is_there

if not is_there("psycopg"):
    pytest.skip("psycopg is not installed", allow_module_level=True)

import psycopg

from tensemem.access.postgres.rows import _parsed


@pytest.fixture
def url() -> str:
    return fresh_database("18")


@pytest.fixture
def access(world: World, url: str) -> Iterator[Access]:
    with world.open(url) as opened:
        yield opened


def run(url: str, statement: str) -> Any:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else None


def test_keys_are_minted_found_listed_and_revoked(access: Access, world: World, url: str) -> None:
    key, token = access.mint("the app", "write", namespaces=["acme"], users=["ü\\1"], expires=timedelta(days=1))
    assert access.check(token) == key
    with world.open(url, make=False) as other:
        assert other.check(token) == key
        assert other.keys() == (key,)
    revoked = access.revoke(key.id)
    assert revoked.revoked_at == NOON
    assert access.check(token) is None
    assert [(act.act, act.about) for act in access.acts()] == [("mint", key.id), ("revoke", key.id)]
    with pytest.raises(UnknownFactError):
        access.revoke("0" * 16)


def test_what_another_process_revokes_is_closed_within_a_second(access: Access, world: World, url: str) -> None:
    key, token = access.mint()
    assert access.check(token) == key
    with world.open(url) as other:
        other.revoke(key.id)
    assert access.glance(token).key == key  # as it was read just now
    world.pass_by(0.999)
    assert access.glance(token).key == key
    world.pass_by(0.001)
    assert not access.glance(token).is_sure
    hashed = len(world.hashed)
    assert access.check(token) is None
    assert len(world.hashed) == hashed


def test_a_known_token_is_looked_up_once_a_second_and_never_hashed_again(access: Access, world: World) -> None:
    key, token = access.mint()
    assert access.check(token) == key
    hashed = len(world.hashed)
    for _ in range(10):
        world.pass_by(1)
        assert not access.glance(token).is_sure
        assert access.check(token) == key
        assert access.glance(token).key == key
    assert len(world.hashed) == hashed


def test_the_first_key_and_the_last(access: Access, world: World, url: str) -> None:
    made = access.first_key()
    assert made is not None
    with world.open(url) as other:
        assert other.first_key() is None
        other.revoke(made[0].id)
        assert other.first_key() is None
    world.pass_by(1)
    assert access.check(made[1]) is None


def test_a_forgotten_person_is_gone_from_the_limits(access: Access, url: str) -> None:
    both, _ = access.mint(users=["zebulon", "u2"])
    only, token = access.mint(users=["zebulon"])
    assert access.check(token)
    assert access.forget_person("default", "zebulon") == 2
    listed = access.keys()
    found = {key.id: key for key in listed}
    assert (found[both.id].users, found[only.id].users, found[only.id].revoked_at) == (("u2",), (), NOON)
    assert access.check(token) is None
    assert "zebulon" not in str(run(url, "SELECT * FROM tensemem_access.access_keys"))


def test_the_log_is_written_read_and_cut(access: Access, world: World, url: str) -> None:
    key, _ = access.mint("ops", "admin")
    with access.recording("forget", key, namespace="a\0b\ud800", user_id="zebulon"):
        world.pass_by(100)
    assert [(act.act, act.outcome) for act in access.last_acts(limit=2)] == [("forget", "begun"), ("forget", "done")]
    assert "zebulon" not in str(run(url, "SELECT * FROM tensemem_access.access_acts"))
    assert access.prune(NOON + timedelta(seconds=50)) == 2
    assert [act.act for act in access.acts()] == ["forget", "prune"]


def test_schemas_of_their_own_are_stores_of_their_own(access: Access, world: World, url: str) -> None:
    _, token = access.mint()
    with world.open(f"{url}?tensemem_schema=fleet&application_name=x&tensemem_pool=4") as other:
        assert other.check(token) is None
        assert other.keys() == ()
    names = {name for (name,) in run(url, "SELECT schema_name FROM information_schema.schemata")}
    assert {"tensemem_access", "fleet_access"} <= names


def test_a_store_that_isnt_there_is_only_made_where_told_so(world: World, url: str) -> None:
    with pytest.raises(StoreError, match="tensemem keys mint"):
        world.open(url, make=False)


def test_a_newer_store_is_refused(access: Access, world: World, url: str) -> None:
    run(url, "UPDATE tensemem_access.access_meta SET value = '2' WHERE name = 'version'")
    with pytest.raises(SchemaTooNewError):
        world.open(url)
    run(url, "UPDATE tensemem_access.access_meta SET value = 'x' WHERE name = 'version'")
    with pytest.raises(StoreCorruptError):
        world.open(url)


def test_a_store_that_is_gone_closes(access: Access, world: World, url: str) -> None:
    _, token = access.mint()
    behind = Behind()
    app = guard(behind, access)
    assert ask(app, token=token).status == 200
    run(url, "DROP SCHEMA tensemem_access CASCADE")
    world.pass_by(1)
    for _ in range(2):
        assert ask(app, token=token).status == 503
    assert len(behind.seen) == 1


def test_a_lost_connection_is_made_again(access: Access, world: World, url: str) -> None:
    key, token = access.mint()
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    run(url, f"{others} AND pid <> pg_backend_pid()")
    world.pass_by(1)
    assert access.check(token) == key


def test_a_server_that_cant_be_reached_is_told_as_such_without_its_password(world: World) -> None:
    with pytest.raises(StoreBusyError) as found:
        world.open("postgresql://ann:hunter2@127.0.0.1:1/db")
    assert "hunter2" not in str(found.value)


@pytest.mark.parametrize(
    "url", ["postgresql://[", "postgresql://h/db?tensemem_schema=Bad", "postgresql://h/db?tensemem_schema=pg_x",
            "postgresql://h/db?tensemem_schema=a;drop", "postgresql://h/db?nonsense=1"]
)  # fmt: skip
def test_a_url_that_is_none_is_refused(world: World, url: str) -> None:
    with pytest.raises(InvalidValueError):
        world.open(url)


def test_a_url_is_shown_without_user_and_password() -> None:
    plain, shown, schema = _parsed("postgresql://ann:hunter2@host:5433/db?sslmode=require&tensemem_schema=fleet")
    assert (plain, schema) == ("postgresql://ann:hunter2@host:5433/db?sslmode=require", "fleet_access")
    assert shown == "postgresql://host:5433/db (fleet_access)"


def test_after_closing_nothing_opens(access: Access, world: World) -> None:
    _, token = access.mint()
    access.close()
    access.close()
    with pytest.raises(ClosedError):
        access.check(token)


def test_a_role_that_was_granted_the_keys_can_do_all_that_a_server_does(access: Access, world: World, url: str) -> None:
    run(url, "CREATE ROLE keeper")
    for statement in grants_sql("keeper", "tensemem").splitlines():
        if not statement.startswith("--"):
            run(url, statement)
    with world.open(f"{url}{'&' if '?' in url else '?'}options=-c%20role%3Dkeeper", make=False) as mine:
        key, token = mine.mint("app", users=["ann", "bob"])
        assert mine.check(token) == key
        with mine.recording("forget", key, user_id="ann"):
            assert mine.forget_person("default", "ann") == 1
        mine.revoke(key.id)
        assert mine.prune(NOON + timedelta(days=1)) > 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run(url, "SET ROLE keeper; DELETE FROM tensemem_access.access_keys")


def test_who_is_forgotten_from_python_is_gone_from_keys_in_the_same_database(access: Access, url: str) -> None:
    access.mint("app", users=["zebulon", "bob"])
    with Memory(url, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("zebulon", "lives_in", "Delhi")
        assert mem.forget("zebulon").limits == 1
    assert [key.users for key in access.keys()] == [("bob",)]  # noqa: SIM118 - no mapping


def test_a_database_without_keys_has_none_to_look_at() -> None:
    with Memory(fresh_database("18"), worker=False) as mem:
        mem.register_predicate("lives_in")
        removed = mem.forget("zebulon")
    assert (removed.limits, removed.elsewhere) == (0, ())
