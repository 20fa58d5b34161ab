"""Measure tensemem on this machine, beside the same rows written and read with bare `sqlite3` in the same run.

    python tools/perf.py [--full] [--json]

Machines are noisy, so what counts is the ratio to a floor: bare `sqlite3` on the same tables, and an append with
`fdatasync`. Verb and floor take turns in short rounds; a ratio is the median of the rounds' ratios. Growth is the
same work in a small and in a large store, in turns too. `--full` grows to 100,000 facts and scopes.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Literal

from tensemem import Memory, Message, Operation

Work = Callable[[int], object]
ROUNDS, PER_ROUND = 15, 40


@dataclass(frozen=True)
class Figure:
    """One measurement: microseconds (or another unit) of the verb, and the ratio to its floor."""

    name: str
    value: float
    unit: str
    floor: float | None = None
    ratio: float | None = None
    wanted: str = ""


def main() -> int:
    """Measure, print, return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="grow to 100,000 facts and scopes (some minutes)")
    parser.add_argument("--json", action="store_true", help="print one JSON list")
    options = parser.parse_args()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        for figure in measure(Path(folder), 100_000 if options.full else 10_000):
            figures.append(figure)
            if not options.json:
                print(line_of(figure), flush=True)
    if options.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=1))
    return 0


def line_of(figure: Figure) -> str:
    """One figure as a line for people."""
    floor = "" if figure.floor is None else f"  floor {figure.floor:>9,.1f}"
    ratio = "" if figure.ratio is None else f"  ratio {figure.ratio:5.2f}"
    wanted = f"  (wanted {figure.wanted})" if figure.wanted else ""
    return f"{figure.name:<52}{figure.value:>12,.1f} {figure.unit:<10}{floor}{ratio}{wanted}"


def measure(folder: Path, large: int) -> Iterator[Figure]:
    """All figures, one after the other."""
    yield import_time()
    yield from flushes(folder)
    yield from against_bare_tables(folder)
    yield from other_verbs(folder)
    yield from bulk(folder)
    yield from growth_in_a_scope(folder, large)
    yield from growth_in_scopes(folder, large)


def import_time() -> Figure:
    """What `import tensemem` adds to a bare interpreter."""
    code = "from time import perf_counter as t; a = t(); import tensemem; print(t() - a)"
    runs = [float(subprocess.check_output([sys.executable, "-c", code], text=True)) for _ in range(9)]
    return Figure("import tensemem", median(runs) * 1e3, "ms", wanted="<= 80")


def flushes(folder: Path) -> Iterator[Figure]:
    """An acknowledged write that survives power loss, beside a bare append with fdatasync."""
    mem = opened(folder / "power.db", "power")
    raw = os.open(folder / "raw.log", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def append(_: int) -> None:
        os.write(raw, b"x" * 256)
        os.fdatasync(raw)

    yield compared("set, durability=power / append+fdatasync", lambda n: mem.set("u", f"p{n % 20}", f"v{n}"), append)
    os.close(raw)
    mem.close()


def against_bare_tables(folder: Path) -> Iterator[Figure]:
    """The verbs with a wanted ratio, beside the same rows through bare sqlite3."""
    mem = opened(folder / "verbs.db", "process")
    for number in range(20):
        mem.set("u", f"p{number}", f"value {number}")
    bare = Bare(folder / "verbs.db", folder / "bare.db")
    yield compared("set / the same rows", lambda n: mem.set("u", f"p{n % 20}", f"v{n}"), bare.write, "<= 3")
    yield compared("state of 20 facts / the bare select", lambda _: mem.state("u").values, bare.read, "<= 3")

    def changed_state(n: int) -> object:
        mem.set("u", "p0", f"w{n}")
        begin = perf_counter()
        mem.state("u").values  # noqa: B018 (the values are what is measured)
        return perf_counter() - begin

    first = median(float(str(changed_state(n))) for n in range(200)) * 1e6
    yield Figure("state of 20 facts, first read after a write", first, "us")
    mem.close()


class Bare:
    """The same tables and rows, without the library: what the disk format itself costs."""

    def __init__(self, source: Path, path: Path) -> None:
        with sqlite3.connect(source) as old, sqlite3.connect(path) as new:
            old.backup(new)
        self._db = db = sqlite3.connect(path, isolation_level=None, cached_statements=256)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        self._scope = db.execute("SELECT id FROM scopes WHERE user_id = 'u'").fetchone()[0]
        self._entry = db.execute("SELECT body FROM entries WHERE kind = 'write' LIMIT 1").fetchone()[0]
        self._claim = db.execute("SELECT body FROM claims LIMIT 1").fetchone()[0]
        self._fact = db.execute("SELECT body FROM facts LIMIT 1").fetchone()[0]
        self._rev = 10_000
        self._start = {slot: row for slot, *row in db.execute("SELECT slot, key, start FROM facts")}

    def write(self, n: int) -> None:
        """One entry, one claim, the old fact closed, the new one, slot and head."""
        run, scope, slot = self._db.execute, self._scope, 1 + n % 20
        self._rev = at = self._rev + 1
        now = 1_900_000_000_000_000 + at
        key, start = self._start[slot]
        run("BEGIN IMMEDIATE")
        run("INSERT INTO entries VALUES (?, ?, 'write', ?, 0, ?, ?, ?)", (scope, at, at, now, now, self._entry))
        values = (scope, slot, at, f"v{n}", self._claim)
        run("INSERT INTO claims VALUES (?, ?, ?, 0, 0, 'value', 'admitted', ?, ?)", values)
        closed = (now, self._fact, scope, slot, key, start)
        run("UPDATE facts SET stop = ?, body = ? WHERE scope = ? AND slot = ? AND kind = 0 AND key = ? AND start = ?",
            closed)  # fmt: skip
        run("INSERT INTO facts VALUES (?, ?, 0, ?, ?, 9223372036854775807, ?)", (scope, slot, f"v{n}", now, self._fact))
        told = (now, now, at, scope, slot)
        run("UPDATE slots SET horizon = ?, last_said = ?, last_seq = ? WHERE scope = ? AND id = ?", told)
        head = (at, at, now, now, scope)
        run("UPDATE scopes SET rev = ?, seq = ?, last_said = ?, last_recorded = ? WHERE id = ?", head)
        run("COMMIT")
        self._start[slot] = [f"v{n}", now]

    def read(self, _: int) -> object:
        """The twenty rows of a state."""
        return self._db.execute(
            "SELECT f.*, s.subject, s.predicate FROM facts AS f JOIN slots AS s ON s.scope = f.scope AND s.id = f.slot "
            "WHERE f.scope = ? AND f.stop > ?", (self._scope, 9_000_000_000_000_000_000)
        ).fetchall()  # fmt: skip


def other_verbs(folder: Path) -> Iterator[Figure]:
    """Microseconds of the other verbs, in a scope of 20 facts."""
    mem = opened(folder / "other.db", "process")
    for number in range(20):
        mem.set("u", f"p{number}", f"value {number}")
    mem.set("u", "p1", "another")
    yield Figure("get", cost(lambda _: mem.get("u", "p3")), "us")
    yield Figure("history of one slot", cost(lambda _: mem.history("u", "p1")), "us")
    yield Figure("context of 20 facts", cost(lambda _: mem.context("u")), "us")
    yield Figure("add a message", cost(lambda n: mem.add("u", f"hello {n}", extract=False)), "us")
    wrong = [mem.set("u", f"p{n % 20}", f"wrong {n}").fact_id or "" for n in range(400)]
    yield Figure("correct", cost(lambda n: mem.correct(wrong[-1 - n]), 200), "us")
    mem.close()


def bulk(folder: Path) -> Iterator[Figure]:
    """Entries a second of imports and rebuilds, and bytes per simple fact."""
    path = folder / "bulk.db"
    mem = opened(path, "process")
    messages = [Message("m", f"message number {n}", extract=False) for n in range(10_000)]
    begin = perf_counter()
    for _ in mem.add_many(messages):
        pass
    yield Figure("add_many", len(messages) / (perf_counter() - begin), "entries/s")
    for number in range(10_000):
        mem.set("s", "p0", f"value {number}", subject=f"item {number % 1000}")
    begin = perf_counter()
    report = mem.rebuild("s")
    yield Figure("rebuild", report.entries / (perf_counter() - begin), "entries/s", wanted=">= 20,000")
    mem.close()
    yield bytes_per_fact(folder)


def bytes_per_fact(folder: Path) -> Figure:
    """File size per simple fact, log included."""
    path, count = folder / "size.db", 10_000
    with opened(path, "process") as mem:
        for number in range(count):
            mem.set("s", "p0", "Bangalore", subject=f"item {number}")
    return Figure("bytes on disk per simple fact", path.stat().st_size / count, "bytes")


def growth_in_a_scope(folder: Path, large: int) -> Iterator[Figure]:
    """The same work in a scope of 100 facts and in one of many."""
    small, big = filled(folder / "small.db", 100), filled(folder / "big.db", large)
    for name, work in slot_work().items():
        yield grown(f"{name}: {large:,} facts / 100", lambda n, w=work: w(small, n), lambda n, w=work: w(big, n))  # type: ignore[misc]
    long = opened(folder / "long.db", "process")
    for number in range(large // 10):
        long.set("u", "p0", f"value {number}")
    short = opened(folder / "short.db", "process")
    name = f"set: a slot of {large // 10:,} changes / a new one"
    yield grown(name, lambda n: short.set("u", f"p{n % 20}", f"v{n}"), lambda n: long.set("u", "p0", f"v{n}"))
    name = f"get: a slot of {large // 10:,} changes / a new one"
    yield grown(name, lambda n: short.get("u", f"p{n % 20}"), lambda _: long.get("u", "p0"))
    for mem in (small, big, long, short):
        mem.close()


def growth_in_scopes(folder: Path, large: int) -> Iterator[Figure]:
    """The same work beside 100 scopes and beside many."""
    few, many = opened(folder / "few.db", "process"), opened(folder / "many.db", "process")
    for mem, count in ((few, 100), (many, large)):
        for number in range(count):
            mem.set(f"user {number}", "p0", "somewhere")
    for name, work in slot_work().items():
        yield grown(f"{name}: {large:,} scopes / 100", lambda n, w=work: w(few, n), lambda n, w=work: w(many, n))  # type: ignore[misc]
    few.close()
    many.close()


def slot_work() -> dict[str, Callable[[Memory, int], object]]:
    """Work that touches a few slots of one user."""
    return {
        "set": lambda mem, n: mem.set("user 1", f"p{n % 10}", f"v{n}"),
        "get": lambda mem, n: mem.get("user 1", f"p{n % 10}"),
        "state of 5 slots": lambda mem, _: mem.state("user 1", predicates=[f"p{n}" for n in range(5)], subject="user"),
        "correct": lambda mem, n: mem.correct(mem.set("user 1", f"p{10 + n % 10}", f"v{n}").fact_id or ""),
        "add": lambda mem, n: mem.add("user 1", f"hello {n}", extract=False),
    }


def filled(path: Path, count: int) -> Memory:
    """A memory whose scope holds many facts, in as many slots."""
    mem = opened(path, "process")
    for first in range(0, count, 1000):
        numbers = range(first, min(first + 1000, count))
        mem.write("user 1", [Operation("set", "p0", "somewhere", subject=f"item {n}") for n in numbers])
    return mem


def opened(path: Path, durability: Literal["power", "process"]) -> Memory:
    """A memory on a new file, with twenty predicates and no worker."""
    mem = Memory(path, durability=durability, worker=False)
    for number in range(20):
        mem.register_predicate(f"p{number}")
    return mem


def compared(name: str, work: Work, floor: Work, wanted: str = "") -> Figure:
    """Time a verb and its floor in turns."""
    mine, bare = turns(work, floor)
    ratio = median(m / b for m, b in zip(mine, bare, strict=True))
    return Figure(name, median(mine), "us", median(bare), ratio, wanted)


def grown(name: str, small: Work, large: Work) -> Figure:
    """Time the same work in a small and in a large store, in turns."""
    few, many = turns(small, large)
    ratio = median(m / f for m, f in zip(many, few, strict=True))
    return Figure(name, median(many), "us", median(few), ratio, "<= 1.3")


def turns(first: Work, second: Work) -> tuple[list[float], list[float]]:
    """Microseconds per call of both, round by round; the first round warms up and is dropped."""
    found: tuple[list[float], list[float]] = ([], [])
    number = 0
    for round_ in range(ROUNDS + 1):
        for kept, work in zip(found, (first, second), strict=True):
            begin = perf_counter()
            for n in range(number, number + PER_ROUND):
                work(n)
            if round_:
                kept.append((perf_counter() - begin) / PER_ROUND * 1e6)
        number += PER_ROUND
    return found


def cost(work: Work, times: int = 300) -> float:
    """Median microseconds of a call."""
    found = []
    for number in range(times):
        begin = perf_counter()
        work(number)
        found.append(perf_counter() - begin)
    return median(found) * 1e6


if __name__ == "__main__":
    sys.exit(main())
