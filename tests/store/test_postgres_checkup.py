"""Looking at a server: its role, its clients, its copies; and nothing but a note where it does not tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("psycopg")

import psycopg

from tensemem.engine.diagnosing import diagnose_at
from tensemem.memory import Memory
from tensemem.model.diagnosis import Finding
from tensemem.store.postgres import checkup
from tensemem.store.postgres.statements import named
from tests.servers import needed

VERSION = "15"


@pytest.fixture(scope="module")
def url() -> str:
    address = needed(VERSION).create_database()
    with Memory(address, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("secret-user", "lives_in", "Xanadu")
    return address


def one(found: Any, name: str) -> Finding:
    finding = found.named(name)
    assert finding is not None, f"{name} was not looked at: {found}"
    return finding


def test_a_server_in_order_is_fine_and_every_look_was_taken(url: str) -> None:
    found = diagnose_at(url)
    assert found.is_fine or found.level == "warning", found
    names = {finding.name for finding in found.findings}
    assert names >= {
        "versions", "server", "server durability", "role", "channel", "connections", "idle transactions", "copies",
        "vacuum", "size", "durability", "waiting", "failed", "workers", "clock", "digests",
    }  # fmt: skip
    assert [finding for finding in found.findings if finding.level == "error"] == []
    assert one(found, "server").found.startswith("PostgreSQL 15")
    assert one(found, "digests").found.startswith("1 of 1 memories")
    assert "Xanadu" not in str(found)
    assert "secret-user" not in str(found)


def test_the_owner_of_the_tables_is_told_that_it_sees_all(url: str) -> None:
    found = one(diagnose_at(url, quick=True), "role")
    assert found.level == "note"
    assert "sees every namespace" in found.found


def test_a_transaction_left_open_is_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = named("checkup.sql")["idle"].replace("interval '60 s'", "interval '0 s'")
    known = {**checkup._statements("tensemem"), "idle": text.encode()}
    monkeypatch.setattr(checkup, "_statements", lambda _: known)
    with psycopg.connect(url) as left_open:
        left_open.execute("SELECT 1")
        found = one(diagnose_at(url, quick=True), "idle transactions")
    assert found.level == "warning"
    assert found.found.startswith("1 transactions")


def test_a_server_that_does_not_tell_is_a_note_and_the_others_are_asked(url: str, monkeypatch: Any) -> None:
    known = {**checkup._statements("tensemem"), "channel": b"SELECT * FROM pg_no_such_catalog"}
    monkeypatch.setattr(checkup, "_statements", lambda _: known)
    found = diagnose_at(url, quick=True)
    assert (one(found, "channel").level, one(found, "channel").found) == (
        "note", "the server does not tell (UndefinedTable)",
    )  # fmt: skip
    assert one(found, "size").level == "ok"


def test_sizes_are_those_of_the_tables(url: str, monkeypatch: Any) -> None:
    with Memory(url, worker=False) as mem:
        assert mem._engine.store.sizes()["table_bytes"] > 8192
        known = {**checkup._statements("tensemem"), "size": b"SELECT * FROM pg_no_such_catalog"}
        monkeypatch.setattr(checkup, "_statements", lambda _: known)
        assert mem._engine.store.sizes() == {}


def told(name: str, *row: Any) -> dict[str, str]:
    found: Iterator[Finding] = checkup._LOOKS[name](row)
    return {finding.name: finding.level for finding in found}


@pytest.mark.parametrize(
    ("name", "row", "levels"),
    [
        (
            "server", ("PostgreSQL 17", "17.1", "off", "on", "on", False),
            {"server": "ok", "server durability": "warning"},
        ),
        (
            "server", ("PostgreSQL 17", "17.1", "on", "on", "on", True),
            {"server": "ok", "server durability": "ok", "standby": "note"},
        ),
        ("role", ("app", False, False, False, True, 1), {"role": "ok"}),
        ("role", ("app", False, False, False, False, 0), {"role": "warning"}),
        ("role", ("app", True, False, False, True, 0), {"role": "note"}),
        ("channel", (True, "10.0.0.1"), {"channel": "ok"}),
        ("channel", (False, None), {"channel": "ok"}),
        ("channel", (False, "127.0.0.1"), {"channel": "ok"}),
        ("channel", (False, "10.0.0.1"), {"channel": "warning"}),
        ("connections", (50, 100), {"connections": "ok"}),
        ("connections", (95, 100), {"connections": "warning"}),
        ("idle", (2, 900), {"idle transactions": "warning"}),
        ("copies", (0, 0, "off", False), {"copies": "note"}),
        ("copies", (1, 0, "off", False), {"copies": "ok"}),
        ("copies", (0, 2, "on", True), {"archive": "warning", "replication slots": "warning", "copies": "ok"}),
        ("upkeep", (50_000, 60_000, 100), {"vacuum": "warning"}),
        ("upkeep", (5, 60_000, 1_500_000_000), {"vacuum": "ok", "transaction numbers": "warning"}),
    ],
)
def test_what_a_server_tells_is_judged(name: str, row: Any, levels: dict[str, str]) -> None:
    assert told(name, *row) == levels


def test_a_role_behind_a_wall_is_told_that_it_is_and_sees_its_own_work_alone(url: str) -> None:
    from tensemem.store.postgres.definitions import grants_sql

    with Memory(url, worker=False, namespace="tenant") as mem:
        mem.add("ann", "hello")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS behind_a_wall")
        connection.execute("CREATE ROLE behind_a_wall LOGIN NOSUPERUSER NOBYPASSRLS")
        connection.execute(grants_sql("behind_a_wall", "tenant", "tensemem"))
    try:
        found = diagnose_at(url.replace("postgres@", "behind_a_wall@"))
        assert (one(found, "role").level, "sees 1 of the namespaces" in one(found, "role").found) == ("ok", True)
        assert one(found, "waiting").found.startswith("1 message")
        assert one(found, "digests").found.startswith("1 of 1 memories")
        assert [finding for finding in found.findings if finding.level == "error"] == []
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP OWNED BY behind_a_wall")
            connection.execute("DROP ROLE behind_a_wall")
