"""The servers of the tests do what the tests rely on, and never outlive them."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.servers import Server, ServerError, binaries, kind_of, needed, shared
from tests.servers.binaries import drop_copies, usable_bin
from tests.servers.keeper import descendants
from tests.store.children import start_child

psycopg = pytest.importorskip("psycopg")


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of this test's own, to be ended as it likes."""
    needed("18")  # or the test is skipped
    with Server.start("18") as one:
        yield one


@pytest.mark.parametrize("name", ["18", "15"])
def test_a_server_is_of_the_version_asked_for(name: str) -> None:
    assert needed(name).execute("SHOW server_version")[0][0].split(".")[0] == name
    assert needed(name) is needed(name)


def test_a_database_is_new_and_its_own() -> None:
    server = needed("18")
    one, other = server.create_database(), server.create_database()
    with psycopg.connect(one) as connection:
        connection.execute("CREATE TABLE things (a int)")
    with psycopg.connect(other) as connection:
        assert connection.execute("SELECT to_regclass('things')").fetchone() == (None,)


def test_the_lower_bound_sorts_as_people_do() -> None:
    found = needed("15").execute("SELECT name FROM (VALUES ('b'), ('B'), ('a'), ('é'), ('Z')) AS t(name) ORDER BY name")
    assert [name for (name,) in found] == ["a", "b", "B", "é", "Z"]


def test_what_was_committed_outlives_a_kill(server: Server) -> None:
    server.execute("CREATE TABLE things (a int)")
    server.execute("INSERT INTO things VALUES (1)")
    family = [server.pid, *descendants(server.pid)]
    server.kill9()
    assert not any(map(is_there, family))
    with pytest.raises(psycopg.OperationalError):
        server.execute("SELECT 1")
    server.run()
    assert server.execute("SELECT a FROM things") == [(1,)]
    assert "database system was interrupted" in server.log.read_text()


def test_a_restart_keeps_the_address(server: Server) -> None:
    address = server.url()
    server.restart()
    assert server.url() == address
    assert server.execute("SELECT 1") == [(1,)]


def test_a_paused_server_answers_when_it_may_go_on(server: Server) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection, ThreadPoolExecutor(1) as beside:
        server.pause()
        answer = beside.submit(lambda: connection.execute("SELECT 1").fetchall())
        with pytest.raises(TimeoutError):
            answer.result(0.2)
        server.resume()
        assert answer.result(30) == [(1,)]


def test_connections_are_cut_by_database(server: Server) -> None:
    one, other = server.create_database("one"), server.create_database("other")
    with psycopg.connect(one) as cut, psycopg.connect(other) as kept:
        assert server.cut_connections("one") == 1
        with pytest.raises(psycopg.OperationalError):
            cut.execute("SELECT 1")
        assert kept.execute("SELECT 1").fetchone() == (1,)


def test_a_server_follows_its_configuration() -> None:
    needed("18")
    with Server.start("18", conf={"work_mem": "'7MB'"}, durable=True) as server:
        assert server.execute("SHOW work_mem") == [("7MB",)]
        assert server.execute("SHOW fsync") == [("on",)]
        assert needed("18").execute("SHOW fsync") == [("off",)]


def test_a_server_that_does_not_start_says_what_it_logged(server: Server) -> None:
    server.stop()
    server.configure({"work_mem": "'a lot'"})
    with pytest.raises(ServerError, match="work_mem"):
        server.run()


def test_a_port_that_was_taken_meanwhile_is_exchanged_once(server: Server) -> None:
    server.stop()
    server._has_run = False
    with socket.create_server(("127.0.0.1", server.port)) as thief:
        server.run()
        assert server.port != thief.getsockname()[1]
        assert server.execute("SELECT 1") == [(1,)]
    server.stop()
    with socket.create_server(("127.0.0.1", server.port)), pytest.raises(ServerError, match="already in use"):
        server.run()  # its address is known by now


def test_a_closed_server_leaves_nothing(server: Server) -> None:
    family = [server.pid, *descendants(server.pid)]
    server.close()
    assert not server.folder.exists()
    assert not any(map(is_there, family))


@pytest.mark.parametrize("end", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_a_server_ends_with_the_process_that_started_it(end: str) -> None:
    needed("18")
    child = start_child(
        """
        import signal, sys
        sys.path.insert(0, sys.argv[1])
        from tests.servers.server import Server
        server = Server.start("18")
        print(server.pid, server.folder, flush=True)
        signal.pause()
        """,
        Path(__file__).parents[2],
    )
    assert child.stdout is not None
    pid, folder = child.stdout.readline().split()
    assert is_there(int(pid))
    assert Path(folder).exists()
    child.send_signal(signal.Signals[end])
    child.communicate(timeout=60)  # the keeper holds the other end of what is read here until it has ended
    assert not is_there(int(pid))
    assert not Path(folder).exists()


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(("ci", "outcome"), [("true", "Failed"), ("", "Skipped")])
def test_a_demanded_server_that_is_not_here_fails_a_build_and_is_skipped_elsewhere(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: str
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(shared, "kind_of", lambda name: replace(kind_of(name), package="", folder="/no/such/folder"))
    for name, expected in (("18", outcome), ("15", "Skipped")):
        with pytest.raises(BaseException, match="brings it") as raised:
            needed(name)
        assert type(raised.value).__name__ == expected


def test_programs_that_another_user_cannot_reach_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    needed("18")
    kind = kind_of("18")
    assert usable_bin(kind, None) == kind.bin
    monkeypatch.setattr(binaries, "_is_open_to_all", lambda _: False)
    try:
        copied = usable_bin(kind, os.getuid())
        assert copied != kind.bin
        with Server.start("18") as server:
            assert server.execute("SELECT 1") == [(1,)]
    finally:
        drop_copies()
    assert not copied.exists()
