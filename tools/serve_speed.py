"""Measure how fast `GET /v1/state` is served, beside a bare Starlette route that returns the same bytes.

    python tools/serve_speed.py [--facts N] [--connections N] [--seconds S] [--json]

Both are real servers: uvicorn with httptools, a process each. A client in a process of its own keeps connections
open, and asks the one and the other in turns, in many short rounds; ours checks a key on every request. Machines are
noisy, so what counts is the ratio, of the requests of all rounds. Wanted is 0.5 or more. On Linux the processor's time
for a request is told as well, which others on the machine disturb less.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from tensemem import Memory
from tensemem.access import Access

ROUNDS = 50
WANTED = 0.5

BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

BODY = open(sys.argv[1], "rb").read()

async def state(request):
    return Response(BODY, media_type="application/json")

app = Starlette(routes=[Route("/v1/state", state)])
uvicorn.run(app, port=int(sys.argv[2]), http="httptools", access_log=False, log_level="error", server_header=False)
"""


def main() -> int:
    """Measure, print, return 0 where it is fast enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=20, help="how many facts the state has")
    parser.add_argument("--connections", type=int, default=16, help="how many ask at once")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long it takes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), options.facts, options.seconds, options.connections)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        print(f"GET /v1/state, {options.facts} facts, {found['bytes']} bytes, {options.connections} connections")
        for name in ("bare", "state"):
            cpu = found[f"{name}_cpu"]
            told = "" if cpu is None else f"   {cpu:>6.0f} us of the processor each"
            print(f"{name:<12}{found[name]:>9,.0f} requests/s{told}")
        told = "" if found["cpu_ratio"] is None else f"; by the processor's time {found['cpu_ratio']:.2f}"
        print(f"{'ratio':<12}{found['ratio']:>9.2f}{told}  (wanted >= {WANTED})")
    return 0 if found["ratio"] >= WANTED else 1


def measure(folder: Path, facts: int, seconds: float, connections: int) -> dict[str, Any]:
    """Have both servers asked in turns."""
    db, token = prepared(folder, facts)
    with ours(db) as (port, pid):
        body = asyncio.run(_once(port, token))
        (folder / "body").write_bytes(body)
        with bare(folder / "body") as (bare_port, bare_pid):
            context = multiprocessing.get_context("spawn")
            with context.Pool(1) as client:
                client.apply(ask, (port, token, 0.5, connections))
                client.apply(ask, (bare_port, token, 0.5, connections))
                names = {"bare": (bare_port, bare_pid), "state": (port, pid)}
                totals = {name: [0.0, 0.0, 0.0] for name in names}
                for _ in range(ROUNDS):
                    for name, (where, process) in names.items():
                        before = processor_seconds(process)
                        asked = client.apply(ask, (where, token, seconds / ROUNDS / 2, connections))
                        used = processor_seconds(process) - before
                        totals[name] = [a + b for a, b in zip(totals[name], (*asked, used), strict=True)]
    found: dict[str, Any] = {"bytes": len(body)}
    for name, (count, took, used) in totals.items():
        found |= {name: count / took, f"{name}_cpu": used / count * 1e6 if used else None}
    cpu = None if found["state_cpu"] is None else found["bare_cpu"] / found["state_cpu"]
    return {**found, "ratio": found["state"] / found["bare"], "cpu_ratio": cpu}


def processor_seconds(pid: int) -> float:
    """Give how long a process has had a processor; 0.0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def prepared(folder: Path, facts: int) -> tuple[Path, str]:
    """Make a memory with so many facts, and a key that reads it."""
    db = folder / "m.db"
    with Memory(db, worker=False, durability="process") as mem:
        for number in range(facts):
            mem.register_predicate(f"attribute_{number}")
            mem.set("u1", f"attribute_{number}", f"value {number}")
    with Access.open(f"{db}-access") as keys:
        return db, keys.mint("measuring", "read")[1]


@contextmanager
def ours(db: Path) -> Iterator[tuple[int, int]]:
    """Serve the memory as the command line does."""
    line = [sys.executable, "-m", "tensemem", "--db", str(db), "serve", "--port", "0"]
    with _process(line, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        for told in process.stderr:
            if " at http" in told:
                yield int(told.partition(";")[0].rpartition(":")[2]), process.pid
                return
        raise RuntimeError("the server did not begin")


@contextmanager
def bare(body: Path) -> Iterator[tuple[int, int]]:
    """Serve the same bytes from a bare route."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with _process([sys.executable, "-c", BARE, str(body), str(port)]) as process:
        give_up = perf_counter() + 30
        while perf_counter() < give_up:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    yield port, process.pid
                    return
        raise RuntimeError("the bare server did not begin")


@contextmanager
def _process(line: list[str], **how: Any) -> Iterator[subprocess.Popen[str]]:
    source = str(Path(__file__).resolve().parents[1] / "src")
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
    with subprocess.Popen(line, env={**os.environ, "PYTHONPATH": path}, text=True, **how) as process:
        try:
            yield process
        finally:
            process.terminate()
            if process.stderr is not None:
                process.stderr.close()


def ask(port: int, token: str, seconds: float, connections: int) -> tuple[int, float]:
    """Ask for so long; gives how many answers came, in how many seconds."""
    return asyncio.run(_asked(port, token, seconds, connections))


async def _asked(port: int, token: str, seconds: float, connections: int) -> tuple[int, float]:
    loop = asyncio.get_running_loop()
    asking = [await loop.create_connection(lambda: _Asking(token), "127.0.0.1", port) for _ in range(connections)]
    begin = perf_counter()
    for _, one in asking:
        one.begin()
    await asyncio.sleep(seconds)
    count, took = sum(one.answered for _, one in asking), perf_counter() - begin
    for transport, one in asking:
        if one.failed is not None:
            raise RuntimeError(f"an answer was not as it should be: {one.failed!r}")
        transport.close()
    return count, took


async def _once(port: int, token: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_request(token).replace(b":7340", b":%d" % port))
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    body = await reader.readexactly(_length_in(head))
    writer.close()
    return body


def _request(token: str) -> bytes:
    return (
        b"GET /v1/state?user_id=u1 HTTP/1.1\r\nHost: 127.0.0.1:%b\r\nAccept: application/json\r\n"
        b"Authorization: Bearer %b\r\n\r\n"
    ) % (_PORT, token.encode())


_PORT = b"7340"


def _length_in(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])


class _Asking(asyncio.Protocol):
    """Asks again as soon as it is answered, and counts."""

    def __init__(self, token: str) -> None:
        self._token, self._left = token, b""
        self._transport: Any = None
        self._message = b""
        self.answered, self.failed = 0, None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        port = transport.get_extra_info("peername")[1]
        self._message = _request(self._token).replace(b":7340", b":%d" % port)

    def begin(self) -> None:
        """Ask for the first time."""
        self._transport.write(self._message)

    def data_received(self, data: bytes) -> None:
        self._left += data
        head, found, body = self._left.partition(b"\r\n\r\n")
        if not found:
            return
        if not head.startswith(b"HTTP/1.1 200"):
            self.failed = head  # type: ignore[assignment]
            return
        if len(body) >= _length_in(head + b"\r\n"):
            self._left = b""
            self.answered += 1
            self._transport.write(self._message)


if __name__ == "__main__":
    raise SystemExit(main())
