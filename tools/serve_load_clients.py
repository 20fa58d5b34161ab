"""The clients of `tools/serve_load.py`: each keeps one connection, and asks again as soon as it is answered.

Streams of changes are listened to beside them. All speak just enough HTTP/1.1 for this server, so that what is measured
is the server and not a client library.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

WRITES = 0.25
"""The share of requests that write: half of them a value, half of them a message."""
CITIES = ("Delhi", "Pune", "Goa", "Bangalore", "Mumbai", "Chennai")


@dataclass(frozen=True)
class Job:
    """What one process of clients does: for so many seconds, or until each has made so many requests."""

    port: int
    token: str
    clients: int
    seconds: float | None = None
    requests: int | None = None
    first: int = 0
    """The number of the first client, which is in its user's name: two runs on one memory have users of their own."""
    streams: int = 0
    """How many besides have the changes of a user told to them as they come, each of another user."""


@dataclass
class Tally:
    """What came of it. Latencies in seconds; messages and values are those that were acknowledged, by user."""

    reads: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    messages: dict[str, list[str]] = field(default_factory=dict)
    values: dict[str, list[str]] = field(default_factory=dict)
    refusals: dict[str, int] = field(default_factory=dict)
    """Answers that are no success, by status."""
    events: int = 0
    """Changes that were told to streams."""
    broken: int = 0
    """Clients and streams whose connection was cut or refused; a server that ends does that."""


class CutError(Exception):
    """The connection is gone."""


class Connection:
    """One connection that is kept."""

    def __init__(self, port: int, token: str) -> None:
        self._port = port
        self._head = f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Give the status and the body of an answer. Raises CutError."""
        sent = b"" if body is None else json.dumps(body).encode()
        extra = f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n" if sent else ""
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self._port)
            reader, writer = self._streams
            writer.write(f"{method} {path} HTTP/1.1\r\n{self._head}{extra}\r\n".encode() + sent)
            return await _answer(reader)
        except (OSError, EOFError) as error:
            raise CutError from error

    async def events(self, path: str) -> AsyncIterator[bytes]:
        """Give the lines of a stream of events. Raises CutError where it is refused or ends."""
        try:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
            reader, writer = self._streams
            writer.write(f"GET {path} HTTP/1.1\r\n{self._head}Accept: text/event-stream\r\n\r\n".encode())
            if not (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200"):
                raise CutError
            while line := await reader.readline():
                yield line
        except (OSError, EOFError) as error:
            raise CutError from error
        raise CutError

    def close(self) -> None:
        """Let the connection go."""
        if self._streams is not None:
            self._streams[1].close()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    return int(head[0].split(" ")[1]), await reader.readexactly(int(headers["content-length"]))


def play(job: Job, begun: Callable[[], object] = lambda: None) -> Tally:
    """Be all clients of a job; calls ``begun`` as they begin, and gives what came of it."""
    return asyncio.run(_play(job, begun))


async def _play(job: Job, begun: Callable[[], object]) -> Tally:
    tally = Tally()
    begun()
    end = None if job.seconds is None else perf_counter() + job.seconds
    streams = [asyncio.ensure_future(_stream(job, job.first + number, tally)) for number in range(job.streams)]
    clients = [_client(job, number, end, tally) for number in range(job.first, job.first + job.clients)]
    await asyncio.gather(*clients)
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    return tally


async def _stream(job: Job, number: int, tally: Tally) -> None:
    connection = Connection(job.port, job.token)
    try:
        async for line in connection.events(f"/v1/changes?user_id=user{number}"):
            tally.events += line.startswith(b"event: ")
    except CutError:
        tally.broken += 1
    finally:
        connection.close()


async def _client(job: Job, number: int, end: float | None, tally: Tally) -> None:
    user, source, made = f"user{number}", random.Random(number), 0
    connection = Connection(job.port, job.token)
    try:
        while (end is None or perf_counter() < end) and made != job.requests:
            await _request(connection, user, made, source.random(), tally)
            made += 1
    except CutError:
        tally.broken += 1
    finally:
        connection.close()


async def _request(connection: Connection, user: str, number: int, chance: float, tally: Tally) -> None:
    began = perf_counter()
    if chance > WRITES:
        status, _ = await connection.ask("GET", f"/v1/state?user_id={user}")
        tally.reads.append(perf_counter() - began)
    else:
        is_value = chance > WRITES / 2
        text = f"{CITIES[number % len(CITIES)]} {number}"
        body = {"user_id": user, **({"predicate": "lives_in", "value": text} if is_value else {"content": text})}
        status, _ = await connection.ask("POST", "/v1/set" if is_value else "/v1/add", body)
        tally.writes.append(perf_counter() - began)
        if status == 200:
            (tally.values if is_value else tally.messages).setdefault(user, []).append(text)
    if status != 200:
        tally.refusals[str(status)] = tally.refusals.get(str(status), 0) + 1
