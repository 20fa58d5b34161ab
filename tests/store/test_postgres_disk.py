"""A server whose disk is full, that is read only by default, or takes rights away: it is told, and work goes on."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.errors import StoreError
from tests.disks import Balloon, small_disk
from tests.servers import needed

pytest.importorskip("psycopg")

_numbers = itertools.count(1)


@pytest.fixture(params=["18", "15"])
def server(request: pytest.FixtureRequest) -> Any:
    return needed(request.param)


@pytest.fixture
def disk() -> Iterator[Path]:
    """A small disk in a folder that the user of a server gets at."""
    folder = Path(tempfile.mkdtemp(prefix="tensemem-disk-"))
    try:
        folder.chmod(0o755)
        with small_disk(folder / "disk", "24m") as disk:
            yield disk
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def opened(url: str, **options: Any) -> Memory:
    mem = Memory(url, llm=FakeExtractor(), worker=False, **options)
    mem.register_predicate("lives_in")
    return mem


def said(mem: Memory) -> list[str]:
    return [message.content for message in mem.messages("ann")]


def test_a_server_s_full_disk_is_told_and_everything_acknowledged_is_there(server: Any, disk: Path) -> None:
    number = next(_numbers)
    space, place = f"small_{number}", disk / "space"
    place.mkdir()
    if server.user is not None:
        os.chown(disk, server.user, server.group)
        os.chown(place, server.user, server.group)
    server_run(server, f"CREATE TABLESPACE {space} LOCATION '{place}'")
    url = server.create_database(f"on_a_small_disk_{number}", f"TABLESPACE {space}")
    balloon = Balloon(disk)
    kept: list[str] = []
    try:
        with opened(url) as mem:
            balloon.blow_up(leave=400_000)
            with pytest.raises(StoreError, match=r"No room to write to .*Make room on the server's disk"):
                write_without_end(mem, kept)
            assert said(mem) == kept, "it is still read"
            balloon.let_go()
            mem.add("ann", "I live in Delhi")
            mem.flush("ann")
            assert mem.get("ann", "lives_in") == "Delhi"
            assert said(mem) == [*kept, "I live in Delhi"]
            assert mem.verify().identical
    finally:
        balloon.let_go()
        name = url.rpartition("/")[2].partition("?")[0]
        server.cut_connections(name)
        server_run(server, f"DROP DATABASE {name}")
        server_run(server, f"DROP TABLESPACE {space}")


def write_without_end(mem: Memory, kept: list[str]) -> None:
    for number in itertools.count():
        text = f"{number} " + os.urandom(1_500).hex()  # which a server can't make smaller
        mem.add("ann", text, extract=False)
        kept.append(text)


def server_run(server: Any, statement: str) -> None:
    """Run what can't be part of a transaction."""
    import psycopg

    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(statement.encode())


def test_sessions_that_are_read_only_unless_they_say_otherwise_are_written_in(server: Any) -> None:
    url = server.create_database()
    name = url.rpartition("/")[2].partition("?")[0]
    with opened(url) as mem:
        server_run(server, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        server.cut_connections(name)
        mem.set("ann", "lives_in", "Pune")
        assert mem.get("ann", "lives_in") == "Pune"


def test_a_right_that_is_taken_away_is_told_and_work_goes_on_when_it_is_back(server: Any) -> None:
    url = server.create_database()
    role = f"worker_{next(_numbers)}"
    name = url.rpartition("/")[2].partition("?")[0]
    opened(url).close()
    tables = "ALL TABLES IN SCHEMA tensemem"
    for statement in (
        f"CREATE ROLE {role} LOGIN BYPASSRLS", f"GRANT USAGE ON SCHEMA tensemem TO {role}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO {role}",
    ):  # fmt: skip
        server.execute(statement, database=name)
    with Memory(url.replace("postgres@", f"{role}@"), worker=False) as mem:
        mem.set("ann", "lives_in", "Pune")
        server.execute(f"REVOKE INSERT ON {tables} FROM {role}", database=name)
        with pytest.raises(StoreError, match=r"does not allow this role.*schema --grants"):
            mem.set("ann", "lives_in", "Goa")
        assert mem.get("ann", "lives_in") == "Pune"
        server.execute(f"GRANT INSERT ON {tables} TO {role}", database=name)
        mem.set("ann", "lives_in", "Rome")
        assert [fact.value for fact in mem.history("ann").facts] == ["Pune", "Rome"]
        assert mem.verify().identical
