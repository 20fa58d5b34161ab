"""Bytes on a real connection that no client sends: each is refused or cut, and the server answers the next."""

from __future__ import annotations

import socket
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import uvicorn
from uvicorn.server import ServerState

from tensemem import Memory
from tensemem.adapters import _connections as connections
from tests.adapters.rest.bench import TOKEN, Server, server

AUTHORIZED = f"Host: localhost\r\nAuthorization: Bearer {TOKEN}\r\n".encode()
JSON = b"Content-Type: application/json\r\n"
STATE = b"GET /v1/state?user_id=ann HTTP/1.1\r\n" + AUTHORIZED
SET = b'{"user_id": "ann", "predicate": "lives_in", "value": "Rome"}'
SECONDS = 60


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    db = tmp_path_factory.mktemp("hostile") / "m.db"
    prepared(db)
    with server(db) as started:
        yield started


def prepared(db: Path) -> None:
    with Memory(db, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")


def sent(running: Server, *pieces: bytes, ends: bool = False) -> bytes:
    """Send bytes on a connection of their own, under the server's name; gives what comes back until it is closed.

    ``ends`` says that no more will be sent; else the server has to close the connection.
    """
    found = b""
    with socket.create_connection(("127.0.0.1", running.port), SECONDS) as link:
        try:
            for piece in pieces:
                link.sendall(named(running, piece))
            if ends:
                link.shutdown(socket.SHUT_WR)
            while piece := link.recv(65536):
                found += piece
        except (ConnectionResetError, BrokenPipeError):
            pass
    return found


def named(running: Server, piece: bytes) -> bytes:
    return piece.replace(b"Host: localhost", b"Host: 127.0.0.1:%d" % running.port)


def status_of(answer: bytes) -> int:
    """The status of an answer; 0 where the connection was cut without one."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def still_serves(running: Server) -> None:
    answer = sent(running, STATE + b"Connection: close\r\n\r\n")
    assert status_of(answer) == 200
    assert b'"Delhi"' in answer


HEADS = {
    "no HTTP": b"\x00\xff\xfe nothing\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x07" * 300,
    "a header of 10 MB": STATE + b"X-Long: " + b"x" * 10_000_000 + b"\r\n\r\n",
    "a header without an end": STATE + b"X-Long: x",
    "200,000 headers": STATE + b"X: y\r\n" * 200_000 + b"\r\n",
    "a path of 10 MB": b"GET /v1/state?user_id=" + b"x" * 10_000_000 + b" HTTP/1.1\r\n" + AUTHORIZED + b"\r\n",
    "a header without a name": STATE + b": nothing\r\n\r\n",
    "a NUL in a header": STATE + b"X-Y: a\x00b\r\n\r\n",
    "two lengths": b"POST /v1/set HTTP/1.1\r\n" + AUTHORIZED + JSON
    + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
    "length and chunks": b"POST /v1/set HTTP/1.1\r\n" + AUTHORIZED + JSON
    + b"Content-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a chunk of no size": b"POST /v1/set HTTP/1.1\r\n" + AUTHORIZED + JSON
    + b"Transfer-Encoding: chunked\r\n\r\nnothing\r\n{}\r\n0\r\n\r\n",
    "a huge chunk": b"POST /v1/set HTTP/1.1\r\n" + AUTHORIZED + JSON
    + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}",
    "trailers of 10 MB": b"POST /v1/set HTTP/1.1\r\n" + AUTHORIZED + JSON
    + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n" + b"X: y\r\n" * 2_000_000 + b"\r\n",
    "bytes in the path": b"GET /v1/\xff\xfe HTTP/1.1\r\n" + AUTHORIZED + b"Connection: close\r\n\r\n",
    "two hosts": STATE + b"Host: evil.example\r\nConnection: close\r\n\r\n",
    "two keys": STATE + b"Authorization: Bearer nothing-that-opens-anything\r\nConnection: close\r\n\r\n",
}  # fmt: skip
UNFINISHED = {"a huge chunk", "a header without an end"}
"""What the server may still wait for more of."""


@pytest.mark.parametrize("case", HEADS)
def test_a_head_that_is_none_is_refused_or_cut(running: Server, case: str) -> None:
    answer = sent(running, HEADS[case], ends=case in UNFINISHED)
    assert status_of(answer) == 0 or 400 <= status_of(answer) < 500, answer[:300]
    still_serves(running)


@pytest.mark.parametrize("case", ["a header of 10 MB", "200,000 headers", "a path of 10 MB"])
def test_a_head_that_is_too_large_is_told_so(running: Server, case: str) -> None:
    answer = sent(running, HEADS[case][:80_000])
    assert status_of(answer) == 413
    assert b"urn:tensemem:problem:too-large" in answer


def test_a_large_head_is_taken(running: Server) -> None:
    head = STATE + b"Connection: close\r\nX-Large: " + b"x" * 60_000 + b"\r\n\r\n"
    assert status_of(sent(running, head)) == 200
    assert status_of(sent(running, *(head[place : place + 10_000] for place in range(0, len(head), 10_000)))) == 200


class Loop:
    """A loop whose alarms ring when told to."""

    def __init__(self) -> None:
        self.alarms: list[Mock] = []

    def call_later(self, seconds: float, ring: Callable[[], None]) -> Mock:
        self.alarms.append(Mock(seconds=seconds, ring=ring, cancel=Mock()))
        return self.alarms[-1]

    def create_task(self, work: Coroutine[Any, Any, None], **_: Any) -> Mock:
        work.close()
        return Mock()


def connection(loop: Loop) -> tuple[Any, Mock]:
    """A connection on a loop by hand, and what it writes to."""
    config = uvicorn.Config(Mock(), ws="none", lifespan="off", log_config=None)
    link = connections.Connection(config, ServerState(), {}, _loop=loop)
    transport = Mock(get_extra_info=Mock(return_value=None), is_closing=Mock(return_value=False))
    link.connection_made(transport)
    return link, transport


@pytest.mark.parametrize("piece", [b"", b"GET /", STATE], ids=["nothing", "a beginning", "no end"])
def test_who_sends_no_whole_head_is_let_go(piece: bytes) -> None:
    loop = Loop()
    link, transport = connection(loop)
    if piece:
        link.data_received(piece)
    (alarm,) = loop.alarms
    assert alarm.seconds == connections.HEAD_SECONDS
    assert not alarm.cancel.called
    alarm.ring()
    assert transport.close.called


def test_who_sends_a_head_in_time_is_not_and_has_the_time_again_for_the_next() -> None:
    loop = Loop()
    link, transport = connection(loop)
    link.data_received(STATE + b"\r\n")
    (alarm,) = loop.alarms
    assert alarm.cancel.called
    link.data_received(b"GET /")
    assert len(loop.alarms) == 2
    loop.alarms[1].ring()
    assert transport.close.called


def test_a_body_that_ends_too_early_writes_nothing(running: Server) -> None:
    head = b"POST /v1/set HTTP/1.1\r\n" + AUTHORIZED + JSON
    for rest in (
        b"Content-Length: 500\r\n\r\n" + SET,
        b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(SET) + SET,
        b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(SET) + SET + b"\r\n",
    ):
        answer = sent(running, head + rest, ends=True)
        assert status_of(answer) == 0 or 400 <= status_of(answer) < 500, answer[:300]
        still_serves(running)


def test_requests_behind_each_other_on_one_connection_are_answered_in_order(running: Server) -> None:
    answer = sent(running, (STATE + b"\r\n") * 20, STATE + b"Connection: close\r\n\r\n")
    assert answer.count(b"HTTP/1.1 200") == 21


def test_who_stalls_keeps_nobody_else_from_being_answered(running: Server) -> None:
    head = b"POST /v1/set HTTP/1.1\r\n" + AUTHORIZED + JSON + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"
    links = [socket.create_connection(("127.0.0.1", running.port), SECONDS) for _ in range(50)]
    try:
        for link in links:
            link.sendall(named(running, head))
        still_serves(running)
    finally:
        for link in links:
            link.close()
    still_serves(running)
