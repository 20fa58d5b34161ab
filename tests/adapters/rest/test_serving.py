"""``tensemem serve`` in a process of its own: what it says, whom it lets in, how it ends, and what is left of it."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tensemem import AsyncMemory, Memory
from tensemem.access import Access
from tensemem.adapters.cli import program
from tensemem.adapters.rest import Address
from tensemem.adapters.rest.app import unguarded
from tensemem.adapters.rest.running import server_of
from tests.adapters.rest.bench import TOKEN, Server, events_in, server

AS_ADMIN = {"authorization": f"Bearer {TOKEN}"}


@contextmanager
def client(running: Server) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=running.url, headers=AS_ADMIN, timeout=30) as web:
        yield web


def prepared(db: Path) -> None:
    with Memory(db, worker=False) as mem:
        mem.register_predicate("lives_in")


def test_a_server_says_where_it_listens_serves_and_ends_when_told(tmp_path: Path) -> None:
    prepared(tmp_path / "m.db")
    with server(tmp_path / "m.db") as running, client(running) as web:
        assert web.get("/healthz").json() == {"status": "alive"}
        assert web.get("/readyz").json() == {"status": "ready"}
        set_ = web.post("/v1/set", json={"user_id": "ann", "predicate": "lives_in", "value": "Delhi"})
        assert set_.json()["durability"] == "power"
        assert web.get("/v1/state?user_id=ann").json()["values"] == {"lives_in": "Delhi"}
        for headers, status in (
            ({"authorization": "Bearer wrong-but-long-enough"}, 401), ({"host": "evil.example"}, 403),
            ({"origin": "http://evil.example"}, 403),
        ):  # fmt: skip
            assert web.get("/v1/state?user_id=ann", headers=headers).status_code == status
        assert web.get("/healthz", headers={"authorization": ""}).status_code == 200
        assert running.end(signal.SIGTERM) == 0
        assert "stopped" in running.told[-1]
    with Memory(tmp_path / "m.db", worker=False) as mem:
        assert mem.get("ann", "lives_in") == "Delhi"


def test_an_acknowledged_write_survives_a_server_that_is_killed(tmp_path: Path) -> None:
    prepared(tmp_path / "m.db")
    with server(tmp_path / "m.db") as running, client(running) as web:
        for place in ("Delhi", "Pune"):
            done = web.post("/v1/set", json={"user_id": "ann", "predicate": "lives_in", "value": place})
            assert done.status_code == 200
        assert running.end(signal.SIGKILL) == -signal.SIGKILL
    with Memory(tmp_path / "m.db", worker=False) as mem:
        assert [fact.value for fact in mem.history("ann").facts] == ["Delhi", "Pune"]


def test_a_server_that_ends_while_many_write_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    prepared(tmp_path / "m.db")
    kept: dict[str, list[int]] = {f"u{number}": [] for number in range(8)}
    going = threading.Barrier(9)
    with server(tmp_path / "m.db") as running:
        def write(user: str) -> None:
            with client(running) as web:
                for number in range(10_000):
                    if number == 3:
                        going.wait()
                    try:
                        answer = web.post("/v1/add", json={"user_id": user, "content": f"message {number}"})
                    except httpx2.TransportError:
                        return
                    if answer.status_code != 200:
                        return
                    kept[user].append(number)

        threads = [threading.Thread(target=write, args=(user,)) for user in kept]
        for thread in threads:
            thread.start()
        going.wait()
        assert running.end(signal.SIGTERM) == 0
        for thread in threads:
            thread.join()
    with Memory(tmp_path / "m.db", worker=False) as mem:
        for user, numbers in kept.items():
            found = [message.content for message in mem.messages(user)]
            assert found[: len(numbers)] == [f"message {number}" for number in numbers]
            assert len(numbers) <= len(found) <= len(numbers) + 1
            assert len(numbers) >= 3


def test_streams_and_waits_end_with_the_server_and_whoever_waits_is_answered(tmp_path: Path) -> None:
    prepared(tmp_path / "m.db")
    told: dict[str, Any] = {}
    open_ = threading.Event()
    with server(tmp_path / "m.db") as running:
        def watch() -> None:
            with client(running) as web, web.stream(
                "GET", "/v1/changes?user_id=ann", headers={"accept": "text/event-stream"}
            ) as answer:  # fmt: skip
                text = ""
                for piece in answer.iter_text():
                    text += piece
                    open_.set()
                told["stream"] = text

        def wait() -> None:
            with client(running) as web:
                told["poll"] = web.get("/v1/changes?user_id=nobody&wait=60")

        threads = [threading.Thread(target=watch), threading.Thread(target=wait)]
        for thread in threads:
            thread.start()
        assert open_.wait(30)
        with client(running) as web:
            web.post("/v1/set", json={"user_id": "ann", "predicate": "lives_in", "value": "Delhi"})
        assert running.end(signal.SIGTERM) == 0
        for thread in threads:
            thread.join(30)
    assert [event["data"]["value"] for event in events_in(told["stream"])] in (["Delhi"], [])
    assert told["poll"].status_code == 200
    polled = told["poll"].json()
    assert (polled["items"], polled["next"], polled["freshness"]["is_current"]) == ([], None, True)


def test_the_first_start_shows_a_key_once_and_a_revoked_one_never_opens_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(tmp_path / "m.db")
    real = dict
    monkeypatch.setattr("tests.adapters.rest.bench.TOKEN", "")
    with server(tmp_path / "m.db") as running:
        token = next(line.strip() for line in running.told if line.startswith("tsm_"))
        headers = real(authorization=f"Bearer {token}")
        assert httpx2.get(f"{running.url}/v1/scopes", headers=headers).status_code == 200
        assert httpx2.get(f"{running.url}/v1/scopes").status_code == 401
        assert running.end(signal.SIGINT) == 0
    with Access.open(f"{tmp_path / 'm.db'}-access") as keys:
        keys.revoke(keys.keys()[0].id)
    with server(tmp_path / "m.db") as running:
        assert not any("tsm_" in line for line in running.told)
        assert any("no key opens; 'tensemem keys mint' makes one" in line for line in running.told)
        assert httpx2.get(f"{running.url}/v1/scopes", headers=headers).status_code == 401
        assert httpx2.get(f"{running.url}/v1/scopes").status_code == 401


@pytest.mark.parametrize("command", [["serve"], ["studio", "--no-browser"]], ids=" ".join)
def test_an_address_that_is_taken_is_told_in_one_line_and_no_key_is_made_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Any, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ran = cli("--db", "new.db", *command, "--port", str(taken.getsockname()[1]))
    assert ran.code == 3
    assert "nobody can listen on 127.0.0.1" in ran.err
    assert ran.err.count("\n") == 1
    assert not list(tmp_path.glob("new.db*"))


def test_a_certificate_that_is_none_is_told_as_that(cli: Any) -> None:
    ran = cli("serve", "--port", "0", "--tls-cert", __file__, "--tls-key", __file__)
    assert ran.code == 3
    assert "as a certificate and its key" in ran.err


@pytest.mark.parametrize("cause", [socket.gaierror(-2, "Name or service not known"), UnicodeError("label empty")])
def test_a_name_that_no_address_has_is_told_as_that(
    monkeypatch: pytest.MonkeyPatch, cli: Any, cause: Exception
) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise cause

    monkeypatch.setattr(socket, "getaddrinfo", fails)
    ran = cli("serve", "--port", "0", "--host", "a..b", "--insecure-no-tls")
    assert ran.code == 3
    assert "no address of that name" in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--host", "0.0.0.0"), "--insecure-no-tls"),
        (("--host", "::"), "--insecure-no-tls"),
        (("--host", "memory.example.org"), "--insecure-no-tls"),
        (("--tls-cert", __file__), "go together"),
        (("--tls-key", __file__), "go together"),
        (("--host", "0.0.0.0", "--tls-key", __file__), "go together"),
        (("--rate", "0"), "--rate"),
        (("--port", "70000"), "--port"),
        (("--allow-origin", "example.org"), "origin"),
        (("--allow-host", "a b"), "host"),
        (("--llm", "nonsense"), "--llm"),
    ],
)
def test_what_can_t_be_served_so_is_refused_before_anything_listens(
    cli: Any, arguments: tuple[str, ...], words: str
) -> None:
    ran = cli("serve", "--port", "0", *arguments)
    assert ran.code in (2, 3)
    assert words in ran.err


def test_a_token_that_is_easy_to_guess_is_refused(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for token in ("short", "a" * 40, "with blanks in between them"):
        monkeypatch.setenv("TENSEMEM_TOKEN", token)
        ran = cli("serve", "--port", "0")
        assert ran.code == 3
        assert "TENSEMEM_TOKEN" in ran.err


def test_no_option_serves_without_keys() -> None:
    options = {name for parameter in program.commands["serve"].params for name in parameter.opts}
    assert not any(word in name for name in options for word in ("no-auth", "no-access", "anonymous", "no-key"))


def test_a_server_with_a_certificate_speaks_tls(tmp_path: Path) -> None:
    x509 = pytest.importorskip("tests.adapters.rest.certificate")
    certificate, key = x509.made(tmp_path)
    prepared(tmp_path / "m.db")
    with server(tmp_path / "m.db", "--tls-cert", str(certificate), "--tls-key", str(key)) as running:
        assert running.url.startswith("https://")
        found = httpx2.get(f"{running.url}/healthz", verify=False)
        assert json.loads(found.text) == {"status": "alive"}


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    from tests.adapters.cli.conftest import Cli

    monkeypatch.delenv("TENSEMEM_TOKEN", raising=False)
    return Cli(tmp_path / "cli.db")


@pytest.mark.slow
def test_what_was_acknowledged_before_a_read_was_asked_for_is_in_it(tmp_path: Path) -> None:
    prepared(tmp_path / "m.db")
    newest, over, late = [0], threading.Event(), list[tuple[int, int]]()
    with server(tmp_path / "m.db") as running, Memory(tmp_path / "m.db", worker=False, durability="process") as beside:
        running_too = client(running)

        def read_on() -> None:
            with client(running) as web:
                while not over.is_set():
                    known = newest[0]
                    found = web.get("/v1/state?user_id=ann").json()["values"].get("lives_in", "place 0")
                    if int(found.split()[1]) < known:
                        late.append((known, int(found.split()[1])))

        threads = [threading.Thread(target=read_on) for _ in range(6)]
        for thread in threads:
            thread.start()
        with running_too as web:
            for number in range(1, 60):
                place = f"place {number}"
                if number % 2:  # by the server, and by another process
                    done = web.post("/v1/set", json={"user_id": "ann", "predicate": "lives_in", "value": place})
                    assert done.status_code == 200
                else:
                    beside.set("ann", "lives_in", place)
                newest[0] = number
        over.set()
        for thread in threads:
            thread.join()
    assert late == []


def test_the_server_writes_nobody_s_name_and_no_word_of_theirs_to_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(tmp_path / "m.db")
    monkeypatch.setenv("TENSEMEM_LOG_LEVEL", "info")
    with server(tmp_path / "m.db") as running, client(running) as web:
        given = {"user_id": "plumwood", "predicate": "lives_in", "value": "quince street"}
        assert web.post("/v1/set", json=given).status_code == 200
        for path in ("state", "history", "search", "decisions", "forget"):
            web.get(f"/v1/{path}?user_id=plumwood&query=quince")
        assert web.post("/v1/forget", json={"user_id": "plumwood"}).status_code == 200
        assert running.end(signal.SIGTERM) == 0
    assert "tensemem" in "".join(running.told)
    assert not any("plumwood" in line or "quince" in line for line in running.told)


@contextmanager
def beside(db: Path) -> Iterator[int]:
    """Have a server in a thread of this process; gives its port."""
    found: list[int] = []
    ready = threading.Event()

    def told(url: str) -> None:
        found.append(int(url.rpartition(":")[2]))
        ready.set()

    memory = AsyncMemory(db, worker=False, durability="process")
    running = server_of(unguarded(memory), Address(port=0), told)
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        assert ready.wait(30)
        yield found[0]
    finally:
        running.end()
        thread.join(30)
        asyncio.run(memory.close())


HEADS: dict[str, bytes] = {
    "nothing": b"",
    "half a head": b"GET /healthz HTTP/1.1\r\nHost: loc",
    "a second one that does not end": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /heal",
}


@pytest.mark.parametrize("head", HEADS)
def test_a_connection_over_which_no_request_comes_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str
) -> None:
    monkeypatch.setattr("tensemem.adapters._connections.HEAD_SECONDS", 0.1)
    monkeypatch.setattr("tensemem.adapters.rest.running.KEPT_SECONDS", 1)
    with beside(tmp_path / "m.db") as port, socket.create_connection(("127.0.0.1", port), 30) as connection:
        connection.sendall(HEADS[head])
        told = b""
        while piece := connection.recv(65536):
            told += piece
        assert told.count(b"HTTP/1.1 200") == HEADS[head].count(b"\r\n\r\n")


def test_a_head_that_goes_on_and_on_is_cut_off(tmp_path: Path) -> None:
    with beside(tmp_path / "m.db") as port, socket.create_connection(("127.0.0.1", port), 30) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")

        def send_on() -> None:
            for _ in range(10_000):
                connection.sendall(b"X-Header: " + b"x" * 1000 + b"\r\n")

        with pytest.raises(OSError, match=r"reset|pipe|aborted"):
            send_on()


def test_a_body_may_be_longer_than_a_head_and_a_connection_serves_many(tmp_path: Path) -> None:
    with beside(tmp_path / "m.db") as port, httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as web:
        for number in range(3):
            added = web.post("/v1/add", json={"user_id": "ann", "content": "x" * 300_000, "extract": False})
            assert added.json()["seq"] == number + 1
        large = web.post("/v1/add", content=b"x" * 9_000_000, headers={"content-type": "application/json"})
        assert large.status_code == 413
        assert web.get("/healthz").status_code == 200
