"""Measure writes, reads and corrections on this machine, beside the same work written by hand in `sqlite3`.

    python tools/perf.py [--quick] [--json]

Every figure is a median. The memory writes at its default durability, which waits for the disk, and at
`process`; the floor is hand-written SQL that does not wait. What should stay flat is printed as a ratio:
the same work beside 100 times the facts, and beside a slot with 1,000 versions.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Literal

from tensemem import Memory

Action = Callable[[int], object]
Durability = Literal["power", "process"]
DURABILITIES: tuple[Durability, ...] = ("power", "process")
SMALL, LARGE, VERSIONS = 50, 5_000, 1_000


@dataclass(frozen=True)
class Figure:
    """One measurement: a time in microseconds, or a plain ratio."""

    name: str
    value: float
    unit: Literal["us", "x"] = "us"


def main() -> int:
    """Measure, print, return 0."""
    parser = argparse.ArgumentParser(description="Measure tensemem on this machine.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, for a first look")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    scale = 10 if options.quick else 1
    with tempfile.TemporaryDirectory() as folder:
        figures = list(measure(Path(folder), scale))
    if options.json:
        print(json.dumps({f"{figure.name} ({figure.unit})": round(figure.value, 1) for figure in figures}))
    else:
        for figure in figures:
            print(f"{figure.name:<58}{figure.value:>12,.1f} {'µs' if figure.unit == 'us' else 'times'}")
    return 0


def measure(folder: Path, scale: int) -> Iterator[Figure]:
    times = 400 // scale
    yield Figure("import tensemem, in a new process", import_time())
    yield from hand_written(folder / "floor.db", times)
    for durability in DURABILITIES:
        with memory(folder / f"{durability}.db", durability) as mem:
            yield from verbs(mem, times, f"durability={durability}")
    yield from growth(folder, scale)


def import_time() -> float:
    """Microseconds for the import itself, without starting Python."""
    code = "from time import perf_counter as t; a = t(); import tensemem; print(t() - a)"
    runs = [subprocess.check_output([sys.executable, "-c", code], text=True) for _ in range(7)]
    return median(map(float, runs)) * 1e6


def hand_written(path: Path, times: int) -> Iterator[Figure]:
    """What a careful person would write for one table of current values."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=NORMAL")
    db.execute("CREATE TABLE fact (user TEXT, name TEXT, value TEXT, PRIMARY KEY (user, name)) WITHOUT ROWID")
    put = "INSERT INTO fact VALUES ('u', ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
    read = "SELECT name, value FROM fact WHERE user = 'u'"
    write_cost = cost(lambda n: db.execute(put, (f"p{n % 20}", f"v{n}")), times)
    yield Figure("write one value, hand-written SQL", write_cost)
    yield Figure("read a state, hand-written SQL", cost(lambda _: db.execute(read).fetchall(), times))
    db.close()


@contextmanager
def memory(path: Path, durability: Durability) -> Iterator[Memory]:
    """A memory on a new file, with a predicate for each of twenty slots and no worker."""
    with Memory(path, durability=durability, worker=False) as mem:
        for number in range(20):
            mem.register_predicate(f"p{number}")
        yield mem


def verbs(mem: Memory, times: int, about: str) -> Iterator[Figure]:
    yield Figure(f"set, {about}", cost(lambda n: mem.set("u", f"p{n % 20}", f"v{n}"), times))
    yield Figure(f"state, {about}", cost(lambda _: mem.state("u"), times))
    yield Figure(f"add a message, {about}", cost(lambda n: mem.add("u", f"hello {n}", extract=False), times))
    yield Figure(f"correct, {about}", correction_cost(mem, "u", times // 4))


def correction_cost(mem: Memory, user: str, times: int) -> float:
    """Median microseconds to take back a value that was just set over another."""
    found = []
    for number in range(max(times, 5)):
        mem.set(user, "p0", f"right {number}")
        wrong = mem.set(user, "p0", f"wrong {number}").fact_id
        begin = perf_counter()
        mem.correct(wrong)
        found.append(perf_counter() - begin)
    return median(found) * 1e6


def growth(folder: Path, scale: int) -> Iterator[Figure]:
    """How much dearer the same work is in a scope that holds more."""
    times = 200 // scale
    with memory(folder / "growth.db", "process") as mem:
        fill(mem, "small", SMALL)
        fill(mem, "large", LARGE // scale)
        for version in range(VERSIONS // scale):
            mem.set("long", "p1", f"v{version}")
        more, versions = LARGE // scale // SMALL, VERSIONS // scale
        actions: dict[str, Callable[[str], Action]] = {
            "set": lambda user: lambda n: mem.set(user, "p2", f"n{n}"),
            "state of one predicate": lambda user: lambda _: mem.state(user, predicates=["p2"]),
        }
        for name, action in actions.items():
            base = cost(action("small"), times)
            large, long = (cost(action(user), times) / base for user in ("large", "long"))
            yield Figure(f"{name}, beside {more} times the facts", large, "x")
            yield Figure(f"{name}, beside a slot of {versions} versions", long, "x")
        base, large = (correction_cost(mem, user, times // 4) for user in ("small", "large"))
        yield Figure(f"correct, beside {more} times the facts", large / base, "x")


def fill(mem: Memory, user: str, facts: int) -> None:
    """Give a user that many facts, each about a subject of its own."""
    for number in range(facts):
        mem.set(user, f"p{number % 20}", f"v{number}", subject=f"thing {number}")


def cost(action: Action, times: int) -> float:
    """Median microseconds of one call, after a few that do not count."""
    for number in range(3):
        action(-number)
    found = []
    for number in range(max(times, 5)):
        begin = perf_counter()
        action(number)
        found.append(perf_counter() - begin)
    return median(found) * 1e6


if __name__ == "__main__":
    sys.exit(main())
