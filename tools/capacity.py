"""Measure what a write, a read and a stored fact cost, in a file and on a PostgreSQL server, beside bare drivers.

    python tools/capacity.py [--url postgresql://user@host/database] [--seconds 4] [--users 400] [--json]

The server's tables are made in an SQL schema of their own, `tensemem_capacity`, which is dropped before and after.
Each kind of work is done for some seconds by 1, 8 and 32 clients, in processes of their own, so that no interpreter
stands in the way; the floor is the same rows by hand-written statements over the bare driver, in the same run. CPU is
told for the clients, and for the server where it runs on this machine. What it means is told in
`docs/explanation/capacity.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

from tensemem import FakeExtractor, Memory

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.capacity_clients import FACTS, FLOORS, MESSAGE, WORKS, Job, client

SCHEMA = "tensemem_capacity"
CLIENTS = (1, 8, 32)
PROCESSES = 4
TABLES = {
    "the log": ("entries",), "keys and heads": ("keys", "scopes"), "slots, claims, facts": ("slots", "claims", "facts"),
    "search": ("texts", "postings"),
}  # fmt: skip
"""What waits is left out: it goes, and its room is used again."""


@dataclass(frozen=True)
class Rate:
    """How often something was done in a second by some clients, and the CPU of one time in microseconds."""

    store: str
    work: str
    clients: int
    per_second: float
    client_cpu: float
    server_cpu: float | None = None
    wal: float | None = None
    """Bytes the server writes ahead for one time."""
    ratio: float | None = None
    """To the floor of the same run."""


@dataclass(frozen=True)
class Size:
    """Bytes for one of something, and where they are."""

    store: str
    what: str
    bytes: float
    parts: dict[str, float]


def main() -> int:
    """Measure, print, return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="a PostgreSQL database to measure as well")
    parser.add_argument("--seconds", type=float, default=4.0, help="for each kind of work")
    parser.add_argument("--users", type=int, default=400)
    parser.add_argument("--json", action="store_true", help="print one JSON list")
    options = parser.parse_args()
    found: list[Rate | Size] = []
    with tempfile.TemporaryDirectory() as folder:
        places = [Place("SQLite", str(Path(folder, "memory.db")))]
        if options.url:
            places.append(Server("PostgreSQL", options.url))
        for place in places:
            with place:
                for figure in measure(place, options.users, options.seconds):
                    found.append(figure)
                    if not options.json:
                        print(line_of(figure), flush=True)
    if options.json:
        print(json.dumps([asdict(figure) for figure in found], indent=1))
    return 0


def line_of(figure: Rate | Size) -> str:
    """Say a figure in a line."""
    if isinstance(figure, Size):
        parts = ", ".join(f"{name} {size:.0f}" for name, size in figure.parts.items() if size >= 1)
        return f"{figure.store:11} {figure.what:34} {figure.bytes:7.0f} bytes ({parts})"
    server = "" if figure.server_cpu is None else f", server {figure.server_cpu:5.0f} µs"
    server += "" if figure.wal is None else f", {figure.wal:5.0f} bytes of WAL"
    ratio = "" if figure.ratio is None else f", {figure.ratio:.2f} of the bare driver"
    return (
        f"{figure.store:11} {figure.work:22} {figure.clients:3} clients {figure.per_second:8.0f}/s, "
        f"CPU: client {figure.client_cpu:5.0f} µs{server}{ratio}"
    )


class Place:
    """Where a memory is measured: a file."""

    def __init__(self, name: str, url: str) -> None:
        self.name, self.url = name, url

    def __enter__(self) -> Place:
        return self

    def __exit__(self, *_: object) -> None:
        """The folder of the file is deleted by who made it."""

    def sizes(self) -> dict[str, int]:
        """Give the bytes in use, by part."""
        with sqlite3.connect(self.url) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return {"the file": os.path.getsize(self.url)}

    def cpu(self) -> float | None:
        """Give the seconds of CPU the server has used; there is none."""
        return None

    def wal(self) -> float | None:
        """Give the bytes of its write-ahead log so far; of a file's it is not told."""
        return None


class Server(Place):
    """The same on a PostgreSQL server, in an SQL schema of its own."""

    def __init__(self, name: str, url: str) -> None:
        import psycopg

        self._connection = psycopg.connect(url, autocommit=True)
        super().__init__(name, f"{url}{'&' if '?' in url else '?'}tensemem_schema={SCHEMA}")
        self._is_here = self._connection.info.hostaddr in ("127.0.0.1", "::1", "") and os.path.isdir("/proc/self")

    def __enter__(self) -> Place:
        self._connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        self._connection.close()

    def sizes(self) -> dict[str, int]:
        found = {}
        for part, tables in TABLES.items():
            for size, what in (("pg_table_size", "rows"), ("pg_indexes_size", "indexes")):
                asked = " + ".join(f"{size}('{SCHEMA}.{table}')" for table in tables)
                row = self._connection.execute(f"SELECT {asked}".encode()).fetchone() or (0,)
                found[f"{part}: {what}"] = row[0]
        return found

    def wal(self) -> float | None:
        row = self._connection.execute("SELECT pg_current_wal_insert_lsn() - '0/0'").fetchone() or (0,)
        return float(row[0])

    def cpu(self) -> float | None:
        if not self._is_here:
            return None
        pids = self._connection.execute("SELECT pid FROM pg_stat_activity").fetchall()
        used = 0.0
        for (pid,) in pids:
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return used


def measure(place: Place, users: int, seconds: float) -> Iterator[Rate | Size]:
    """Fill a memory and give each figure as it is found."""
    with Memory(place.url, llm=FakeExtractor(), worker=False) as mem:
        mem.register_predicate("lives_in")
        for number in range(FACTS):
            mem.register_predicate(f"attribute_{number}")
        yield from stored(place, mem, users)
    for clients in CLIENTS:
        floors: dict[str, Rate] = {}
        for work in WORKS:
            if work.startswith("bare") and not isinstance(place, Server):
                continue
            rate = done(place, work, clients, users, seconds)
            floor = floors.get(FLOORS.get(work, ""))
            if floor is not None:
                rate = Rate(**{**asdict(rate), "ratio": rate.per_second / floor.per_second})
            floors[work] = rate
            yield rate


def stored(place: Place, mem: Memory, users: int) -> Iterator[Size]:
    """Give what a fact, another value of it, a message and its place in the index take."""

    def every(what: str, count: int, write: Callable[[str], object], name: str = "user") -> Size:
        before = place.sizes()
        for number in range(users):
            write(f"{name}-{number}")
        after = place.sizes()
        parts = {part: (after[part] - before[part]) / (users * count) for part in after}
        return Size(place.name, what, sum(parts.values()), parts)

    def set_all(user: str, value: str) -> None:
        for number in range(FACTS):
            mem.set(user, f"attribute_{number}", f"{value} {number}")

    def say(user: str) -> None:
        for number in range(5):
            mem.add(user, MESSAGE.format(number))
        mem.flush(user)

    yield every("a fact, in a slot of its own", FACTS, lambda user: set_all(user, "the first value"))
    yield every("another value in its slot", FACTS, lambda user: set_all(user, "another value"))
    yield every("a message with one fact, settled", 5, say, "talker")
    yield every("the same in the search index", 5, lambda user: mem.search(user, "garden"), "talker")


def done(place: Place, work: str, clients: int, users: int, seconds: float) -> Rate:
    """Let clients do something for some seconds."""
    context = get_context("spawn")
    processes = min(clients, PROCESSES)
    ready, stop, told = context.Barrier(processes + 1), context.Event(), context.Queue()
    children = [
        context.Process(
            target=client, args=(Job(place.url, work, users, seconds, clients // processes, number), ready, stop, told)
        )
        for number in range(processes)
    ]
    for child in children:
        child.start()
    ready.wait(120)
    before, written = place.cpu(), place.wal()
    results = [told.get(timeout=seconds + 120) for _ in children]
    after, ahead = place.cpu(), place.wal()  # the clients are still there, and so are the server's processes for them
    stop.set()
    for child in children:
        child.join()
    count = sum(number for number, _, _ in results)
    rate = sum(number / took for number, took, _ in results)
    server = None if before is None or after is None else (after - before) / count * 1e6
    wal = None if written is None or ahead is None else (ahead - written) / count
    return Rate(place.name, work, clients, rate, sum(cpu for _, _, cpu in results) / count * 1e6, server, wal)


if __name__ == "__main__":
    sys.exit(main())
