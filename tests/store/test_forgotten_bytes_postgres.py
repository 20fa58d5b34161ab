"""What a PostgreSQL server still holds of the forgotten: nothing a statement finds, and bytes until VACUUM FULL."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tests.servers import Server, needed

pytestmark = pytest.mark.skipif(importlib.util.find_spec("psycopg") is None, reason="PostgreSQL needs psycopg")

WORD = "zanzibarxq"


@pytest.fixture
def server() -> Server:
    return needed("18")


@pytest.fixture
def url(server: Server) -> str:
    return server.create_database()


@pytest.fixture
def connection(url: str) -> Iterator[Any]:
    import psycopg

    with psycopg.connect(url, autocommit=True) as opened:
        yield opened


def fill(mem: Memory) -> None:
    mem.register_predicate("lives_in")
    for number in range(50):
        mem.set("ann", "lives_in", f"{WORD}{number}")
        mem.add("ann", f"I was in {WORD} {number}", idempotency_key=f"{WORD}{number}" * 9)
        mem.set("bob", "lives_in", f"Rome{number}")
    mem.search("ann", WORD)


def rows_with(connection: Any, word: str) -> int:
    """Count the rows of all tables that say a word, as text or as bytes shown in hexadecimal."""
    tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'tensemem'").fetchall()
    found = [
        row
        for (table,) in tables
        for (row,) in connection.execute(f"SELECT t::text FROM tensemem.{table} AS t").fetchall()
    ]
    return sum(word in row or word.encode().hex() in row for row in found)


def bytes_with(connection: Any, word: str) -> int:
    """Count a word in the files of a database's tables and indexes."""
    connection.execute("CHECKPOINT")
    (folder,) = connection.execute("SHOW data_directory").fetchone()
    (number,) = connection.execute("SELECT oid FROM pg_database WHERE datname = current_database()").fetchone()
    return sum(file.read_bytes().count(word.encode()) for file in Path(folder, "base", str(number)).iterdir())


def test_no_statement_finds_a_word_and_the_receipt_tells_of_the_bytes(url: str, connection: Any) -> None:
    with Memory(url, llm=False, worker=False) as mem:
        fill(mem)
        assert rows_with(connection, WORD) > 100
        removed = mem.forget("ann")
        assert (removed.scopes, removed.episodes, removed.facts) == (1, 100, 50)
        assert rows_with(connection, WORD) == 0
        assert rows_with(connection, "Rome") > 0
        assert not removed.scrubbed
        assert "VACUUM FULL" in removed.unscrubbed
        assert bytes_with(connection, WORD) > 0, "as the receipt says"
        connection.execute("VACUUM FULL")
        assert bytes_with(connection, WORD) == 0
        assert bytes_with(connection, "Rome") > 0
        assert mem.verify().identical
        assert mem.set("ann", "lives_in", "Lima").seq == 101


def test_a_role_behind_a_wall_forgets_its_own_and_sees_its_own_lines(url: str, connection: Any) -> None:
    from tensemem.store.postgres.definitions import grants_sql

    with Memory(url, namespace="theirs", llm=False, worker=False) as mem:
        fill(mem)
        mem.forget("ann")
    connection.execute("DROP ROLE IF EXISTS forgetful")
    connection.execute("CREATE ROLE forgetful LOGIN NOSUPERUSER NOBYPASSRLS")
    connection.execute(grants_sql("forgetful", "ours", "tensemem"))
    with Memory(url, namespace="ours", llm=False, worker=False) as mem:
        fill(mem)
    with Memory(url.replace("postgres@", "forgetful@"), namespace="ours", llm=False, worker=False) as mem:
        assert mem.forget("ann").scopes == 1
        assert mem.set("ann", "lives_in", "Lima").seq == 101
        with mem._engine.store.read() as reader:
            assert len(reader.forgotten(None, 10)) == 1
    assert connection.execute("SELECT count(*) FROM tensemem.forgotten").fetchone() == (2,)
