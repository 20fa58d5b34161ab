"""A server that refuses who connects: told at once and never asked again, for too many tries lock an account."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

from tensemem.errors import StoreBusyError, StoreError
from tensemem.model.scope import Scope
from tests.servers import Server, needed

pytest.importorskip("psycopg")

import psycopg

from tensemem.store.postgres.driver_errors import connecting_error, is_final
from tensemem.store.postgres.link import Link
from tensemem.store.postgres.pool import Pool
from tensemem.store.postgres.store import PostgresStore

PASSWORD = "right"


@pytest.fixture(scope="module", params=["18", "15"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server that asks some roles for a password, and lets the others in."""
    needed(request.param)
    with Server.start(request.param) as one:
        for role, limit in (("ann", -1), ("crowd", 0)):
            one.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}' CONNECTION LIMIT {limit}")
        one.execute("CREATE ROLE locked NOLOGIN")
        one.execute("CREATE DATABASE closed ALLOW_CONNECTIONS false")
        rules = one.data / "pg_hba.conf"
        asked = "host all ann,crowd 127.0.0.1/32 scram-sha-256\nhost all outcast 127.0.0.1/32 reject\n"
        rules.write_text(asked + rules.read_text())
        one.restart()
        yield one


def address(server: Server, user: str, database: str = "postgres", host: str = "") -> str:
    return f"postgresql://{user}@{host or f'127.0.0.1:{server.port}'}/{database}"


def tried(url: str, seconds: float) -> tuple[int, psycopg.Error]:
    """Ask a pool for a connection; gives how often it tried, and what it raised."""
    attempts = []

    def connect() -> Link:
        attempts.append(url)
        return Link.connect(url, autocommit=True)

    pool = Pool(connect, 1, lambda: None)
    with pytest.raises(psycopg.OperationalError) as caught:
        pool.take(time.monotonic() + seconds)
    return len(attempts), caught.value


@pytest.mark.parametrize(
    ("user", "database", "told"),
    [
        ("ann:wrong", "postgres", "refused the user or the password"),
        ("ann", "postgres", "refused the user or the password"),
        ("outcast", "postgres", "refused the user or the password"),
        ("nobody", "postgres", "refused the user or the password"),
        ("locked", "postgres", "refused the user or the password"),
        ("postgres", "nowhere", "there is no such database; create it first"),
        ("postgres", "closed", "refuses the connection"),
        ("postgres", "postgres?options=-c%20nonsense%3D1", "refuses the connection"),
        ("postgres", "postgres?sslmode=require", "refuses the connection"),
    ],
)
def test_what_would_fail_again_is_tried_once_and_told(server: Server, user: str, database: str, told: str) -> None:
    url = address(server, user, database)
    attempts, error = tried(url, 30)
    assert attempts == 1
    assert told in str(connecting_error(error, "there"))
    with pytest.raises(StoreError, match=told) as caught:
        PostgresStore(url)
    assert not isinstance(caught.value, StoreBusyError)
    assert "wrong" not in str(caught.value)


def test_one_of_several_hosts_that_refuses_a_password_is_enough(server: Server) -> None:
    here, nobody = f"127.0.0.1:{server.port}", "127.0.0.1:1"
    for hosts in (f"{here},{nobody}", f"{nobody},{here}"):
        assert tried(address(server, "ann:wrong", host=hosts), 30)[0] == 1


def test_a_server_that_is_full_is_tried_again(server: Server) -> None:
    attempts, error = tried(address(server, f"crowd:{PASSWORD}"), 0.2)
    assert attempts > 1
    assert isinstance(connecting_error(error, "there"), StoreBusyError)


def test_where_nobody_listens_opening_tells_so_at_once() -> None:
    for host in ("127.0.0.1:1", "127.0.0.1:1,127.0.0.1:2"):
        began = time.monotonic()
        with pytest.raises(StoreBusyError, match="can't be reached"):
            PostgresStore(f"postgresql://ann@{host}/memory")
        assert time.monotonic() - began < 30  # of the 60 that a connection is waited for


def test_a_password_that_is_changed_meanwhile_is_told_at_once(server: Server) -> None:
    url = address(server, f"ann:{PASSWORD}", server.create_database().rpartition("/")[2])
    server.execute("GRANT CREATE ON DATABASE " + url.rpartition("/")[2] + " TO ann")
    with closing(PostgresStore(url)) as store:
        server.execute("ALTER ROLE ann PASSWORD 'another'")
        try:
            with pytest.raises(StoreError, match="refused the user or the password"), store.read() as reader:
                reader.head(Scope("default", "ann"))
        finally:
            server.execute(f"ALTER ROLE ann PASSWORD '{PASSWORD}'")


def said(told: str, *, asked: bool) -> psycopg.OperationalError:
    """Make what the driver raises where a server says this, to somebody who was asked for a password or was not."""
    connection: Any = SimpleNamespace(used_password=asked)
    words = f'connection failed: connection to server at "db", port 5432 failed: {told}'
    return psycopg.OperationalError(words, pgconn=connection)


@pytest.mark.parametrize(
    ("told", "asked", "final"),
    [
        ("FATAL:  the database system is starting up", False, False),
        ("FATAL:  the database system is shutting down", False, False),
        ("FATAL:  the database system is not yet accepting connections", False, False),
        ("FATAL:  the database system is in recovery mode", False, False),
        ("FATAL:  sorry, too many clients already", False, False),
        ("FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute", True, False),
        ("FATAL:  das Datenbanksystem startet", False, False),
        ("FATAL:  Passwort-Authentifizierung für Benutzer »ann« fehlgeschlagen", True, True),
        ("ВАЖНО:  пользователь \"ann\" не прошёл проверку подлинности", True, True),
        ("server closed the connection unexpectedly", True, False),
        ("Connection refused", False, False),
    ],
)
def test_whoever_may_be_let_in_later_is_not_turned_away(told: str, *, asked: bool, final: bool) -> None:
    assert is_final(said(told, asked=asked)) is final
