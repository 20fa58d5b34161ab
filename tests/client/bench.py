"""What the tests of the client share: a real server on this machine, with a real key, in a thread of this process."""

from __future__ import annotations

import http.client
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tensemem import AsyncMemory, Client, FakeExtractor, Memory, errors
from tensemem.access import Access
from tensemem.adapters.rest import app
from tensemem.adapters.rest.running import Address, server_of
from tensemem.client.requests import PROBLEM
from tensemem.wire import document, problem
from tests.engine.bench import Clock

TOKEN = "-".join(["a", "token", "of", "an", "admin", "for", "tests"])
STARTING = 30.0


class Served:
    """A memory that is served on a free port, until the block ends. ``url`` is where."""

    def __init__(
        self, path: Path | str, *, port: int = 0, of_app: Any = None, files: Any = (None, None), **options: Any
    ) -> None:
        self._memory = AsyncMemory(path, **{"worker": False, "durability": "process", **options})
        self.access = Access.open(f"{path}-access")
        self._application = app(self._memory, access=self.access, token=TOKEN, **(of_app or {}))
        self._ready = threading.Event()
        self.url = ""
        self._server = server_of(self._application, Address("127.0.0.1", port, *files), self._listens)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        assert self._ready.wait(STARTING), "the server did not begin"

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def _listens(self, url: str) -> None:
        self.url = url
        self._ready.set()

    def mint(self, role: str, **limits: Any) -> str:
        """Make a key; gives its token."""
        return self.access.mint("", role, **limits)[1]

    def end(self) -> None:
        """End as on a signal, and close what was opened."""
        self._server.end()
        self._thread.join(STARTING)
        assert not self._thread.is_alive()
        self._memory._opening.result().memory.close()  # type: ignore[attr-defined]
        self.access.close()


@contextmanager
def served(path: Path | str, **options: Any) -> Iterator[Served]:
    """Serve a memory as long as the block lasts."""
    running = Served(path, **options)
    try:
        yield running
    finally:
        running.end()


class Proxy:
    """A server between a client and the real one, which does as its script says with each request in turn.

    ``"pass"`` hands it on and the answer back; ``"cut"`` hands it on and closes the connection instead of answering;
    ``"lose"`` closes it before anything was handed on; ``"busy"`` and ``"gateway"`` answer 503 and 502 themselves;
    ``"often"`` answers 429; ``"part"`` hands on half of the answer. When the script is at its end, all pass.
    """

    def __init__(self, url: str) -> None:
        proxy = self
        self.script: list[str] = []
        self.seen: list[str] = []
        self.headers: list[dict[str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                proxy._handle(self)

            do_POST = do_GET  # noqa: N815 -- named by the library

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, *_: Any) -> None:
                pass

        self._target = urlsplit(url)
        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = _body(handler)
        act = self.script.pop(0) if self.script else "pass"
        self.seen.append(f"{act} {handler.path.partition('?')[0]}")
        self.headers.append(dict(handler.headers))
        handler.close_connection = True
        if act in OF_ITSELF:
            status, kind, headers = OF_ITSELF[act]
            self._answer(handler, status, {"Content-Type": PROBLEM if kind else "text/html", **headers}, _problem(kind))
            return
        if act == "lose":
            return
        ours = http.client.HTTPConnection(str(self._target.hostname), self._target.port)
        kept = {name: value for name, value in handler.headers.items() if name.lower() not in HOP}
        ours.request(handler.command, handler.path, body, {**kept, "Host": f"{self._target.netloc}"})
        answer = ours.getresponse()
        if answer.getheader("Content-Type") == "text/event-stream":
            self._relay(handler, answer, most=CUT_AFTER if act == "cut" else None)
            ours.close()
            return
        found = answer.read()
        ours.close()
        if act != "cut":
            self._answer(handler, answer.status, dict(answer.getheaders()), found, is_half=act == "part")

    def _relay(self, handler: BaseHTTPRequestHandler, answer: http.client.HTTPResponse, most: int | None) -> None:
        """Hand on a stream as it comes, or the first few lines of it."""
        handler.send_response_only(answer.status)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        with suppress(OSError):  # whoever listened has gone
            while (most is None or most > 0) and (line := answer.readline()):
                handler.wfile.write(line)
                handler.wfile.flush()
                most = None if most is None else most - 1

    def _answer(
        self, handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str], body: bytes, is_half: bool = False
    ) -> None:
        handler.send_response_only(status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(body[: len(body) // 2] if is_half else body)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


CUT_AFTER = 9
"""Lines of a stream: an event has three or four."""
HOP = ("host", "connection", "transfer-encoding", "content-length")


def _body(handler: BaseHTTPRequestHandler) -> bytes:
    if handler.headers.get("Transfer-Encoding") != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    parts = []
    while size := int(handler.rfile.readline(), 16):
        parts.append(handler.rfile.read(size))
        handler.rfile.readline()
    handler.rfile.readline()
    return b"".join(parts)


OF_ITSELF: dict[str, tuple[int, str, dict[str, str]]] = {
    "busy": (503, "store-busy", {"Retry-After": "1"}),
    "gateway": (502, "", {}),
    "often": (429, "rate-limited", {"Retry-After": "2"}),
    "away": (307, "", {"Location": "http://elsewhere.example/v1/state"}),
    "strange": (200, "", {}),
}


def _problem(kind: str) -> bytes:
    return json.dumps(problem(kind)).encode() if kind else b"<h1>not from here</h1>"


@contextmanager
def between(url: str, *script: str) -> Iterator[Proxy]:
    """Have a proxy before a server as long as the block lasts."""
    proxy = Proxy(url)
    proxy.script += script
    try:
        yield proxy
    finally:
        proxy.close()


class Pauses(list[float]):
    """Takes the place of sleeping: notes for how long it would have been."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def same(mine: Any, theirs: Any) -> None:
    """Two results are the same in every field; but for how long they took, and where the memory is."""
    assert type(mine) is type(theirs)
    assert _plain(mine) == _plain(theirs), (mine, theirs)


def _plain(result: Any) -> Any:
    found = document(result)
    return {name: value for name, value in found.items() if name not in PLACES} if isinstance(found, dict) else found


PLACES = ("seconds", "source", "destination", "location", "keys")
"""Fields that may differ: a client's writes have idempotency keys, which are counted when they are removed."""


class Twins:
    """A memory that is served, and one like it that is not; every call is made to both and must come to the same."""

    def __init__(self, client: Any, memory: Memory, clock: Clock) -> None:
        self.client, self.memory, self.clock = client, memory, clock

    def call(self, name: str, *args: Any, **keywords: Any) -> Any:
        """Call a verb of both; gives what it gave, or the error that it raised."""
        mine, theirs = (_outcome(getattr(kind, name), args, keywords) for kind in (self.client, self.memory))
        if isinstance(mine, Exception) or isinstance(theirs, Exception):
            assert (type(mine), str(mine)) == (type(theirs), str(theirs)), (name, args, keywords, mine, theirs)
        else:
            same(mine, theirs)
        self.clock.advance(seconds=1)
        return mine


def _outcome(verb: Any, args: Any, keywords: Any) -> Any:
    try:
        found = verb(*args, **keywords)
        return list(found) if isinstance(found, Iterator) else found
    except errors.TensememError as error:
        return error


@contextmanager
def twins(folder: Path, *, kind: Any = Client, **options: Any) -> Iterator[Twins]:
    """Have two memories alike, one of them served."""
    clock = Clock(datetime(2026, 6, 1, 12, tzinfo=UTC))
    with Memory(folder / "plain.db", clock=clock, durability="process"):
        pass
    shutil.copy(folder / "plain.db", folder / "served.db")  # with what is random in a file that is new
    same_way = {"llm": FakeExtractor(), "clock": clock, "durability": "process", "worker": False, **options}
    with (
        served(folder / "served.db", **same_way) as server,
        Memory(folder / "plain.db", **same_way) as memory,
        kind(server.url, TOKEN, retries=0) as client,
    ):
        yield Twins(client, memory, clock)
