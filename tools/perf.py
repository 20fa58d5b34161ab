"""Measure tensemem on this machine, beside the same rows written and read with bare `sqlite3` in the same run.

    python tools/perf.py [--full] [--json] [--pages]

Machines are noisy, so what counts is the ratio to a floor: bare `sqlite3` on the same tables, and an append with
`fdatasync`. Verb and floor take turns in short rounds; a ratio is the median of the rounds' ratios. Growth is the
same work in a small and in a large store, in turns too. `--full` grows to 1,000,000 facts and scopes. `--pages`
measures alone what gives a part of much: the newest changes, a page of a history, sizes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from tensemem import Memory, Message, Operation

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.perf_floors import Appending, Bare, BareGroup, Durability, by_threads

Work = Callable[[int], object]
ROUNDS, PER_ROUND = 15, 40
TOGETHER = 32


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
    parser.add_argument("--full", action="store_true", help="grow to 1,000,000 facts and scopes (an hour)")
    parser.add_argument("--json", action="store_true", help="print one JSON list")
    parser.add_argument("--pages", action="store_true", help="measure only what gives a part of much")
    options = parser.parse_args()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        large = 1_000_000 if options.full else 10_000
        for figure in pages(Path(folder), large) if options.pages else measure(Path(folder), large):
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
    yield from bulk(folder, large)
    yield from growth_in_a_scope(folder, large)
    yield from growth_in_scopes(folder, large)
    yield from pages(folder, large)


def import_time() -> Figure:
    """What `import tensemem` adds to a bare interpreter."""
    code = "from time import perf_counter as t; a = t(); import tensemem; print(t() - a)"
    runs = [float(subprocess.check_output([sys.executable, "-c", code], text=True)) for _ in range(9)]
    return Figure("import tensemem", median(runs) * 1e3, "ms", wanted="<= 80")


def flushes(folder: Path) -> Iterator[Figure]:
    """Acknowledged writes that survive power loss: one thread, and 32 that share their commits."""
    raw = Appending(folder / "raw.log")
    flush = cost(raw.append)
    yield Figure("append 256 bytes + fdatasync", flush, "us")
    mem = with_twenty_facts(folder / "power.db", "power")
    bare = Bare(folder / "power.db", folder / "bare-power.db", "power")
    yield compared("set, durability=power / the same rows and flush", set_one(mem), bare.write, "<= 1.5")
    yield compared("set, durability=power / append+fdatasync", set_one(mem), raw.append)
    yield from shared_commits(mem, bare, flush)
    raw.close()
    bare.close()
    mem.close()


def shared_commits(mem: Memory, bare: Bare, flush: float) -> Iterator[Figure]:
    """32 threads beside bare group commit, and beside one thread; commits are counted, too."""
    group = BareGroup(bare)
    each = 10
    ours = by_threads(lambda number, n: mem.set(f"user {number}", f"p{n % 20}", f"v{n}"), TOGETHER, each)
    floor = by_threads(lambda number, n: group.write(number * each + n), TOGETHER, each)
    alone = by_threads(lambda _, n: mem.set("u", f"p{n % 20}", f"v{n}"), 1, each * 4)
    rates: tuple[list[float], list[float], list[float]] = ([], [], [])
    for round_ in range(ROUNDS // 2 + 1):
        for kept, work, writes in zip(rates, (ours, floor, alone), (TOGETHER * each,) * 2 + (each * 4,), strict=True):
            begin = perf_counter()
            work()
            if round_:
                kept.append(writes / (perf_counter() - begin))
    group.close()
    many, most, one = (median(kept) for kept in rates)
    to_floor = median(m / f for m, f in zip(rates[0], rates[1], strict=True))
    to_one = median(m / o for m, o in zip(rates[0], rates[2], strict=True))
    yield Figure(f"set by {TOGETHER} threads / bare group commit", many, "writes/s", most, to_floor, ">= 0.7")
    wanted = ">= 5" if flush > 1000 else ">= 5 where a flush takes over 1 ms; here it does not"
    yield Figure(f"set by {TOGETHER} threads / by one", many, "writes/s", one, to_one, wanted)


def against_bare_tables(folder: Path) -> Iterator[Figure]:
    """The verbs with a wanted ratio, beside the same rows through bare sqlite3."""
    mem = with_twenty_facts(folder / "verbs.db", "process")
    bare = Bare(folder / "verbs.db", folder / "bare.db", "process")
    yield compared("set, durability=process / the same rows", set_one(mem), bare.write)
    yield compared("state of 20 facts / the bare select", lambda _: mem.state("u").values, bare.read, "<= 2")

    def first_read(n: int) -> float:
        mem.set("u", "p0", f"w{n}")
        begin = perf_counter()
        mem.state("u").values  # noqa: B018 (the values are what is measured)
        return perf_counter() - begin

    name = "state, first read after a write / the bare select"
    yield compared(name, first_read, lambda n: bare.timed(bare.read, n), own_clock=True)
    bare.close()
    mem.close()


def with_twenty_facts(path: Path, durability: Durability) -> Memory:
    """A memory in which the user "u" has a fact for each predicate."""
    mem = opened(path, durability)
    for number in range(20):
        mem.set("u", f"p{number}", f"value {number}")
    return mem


def set_one(mem: Memory) -> Work:
    """A set that changes a value."""
    return lambda n: mem.set("u", f"p{n % 20}", f"v{n}")


def other_verbs(folder: Path) -> Iterator[Figure]:
    """Microseconds of the other verbs, in a scope of 20 facts."""
    mem = opened(folder / "other.db", "process")
    for number in range(20):
        mem.set("u", f"p{number}", f"value {number}")
    mem.set("u", "p1", "another")
    yield Figure("get", cost(lambda _: mem.get("u", "p3")), "us")
    yield Figure("history of one slot", cost(lambda _: mem.history("u", "p1")), "us")
    yield Figure("context of 20 facts", cost(lambda _: mem.context("u")), "us", wanted="<= 1,000")
    yield Figure("add a message", cost(lambda n: mem.add("u", f"hello {n}", extract=False)), "us")
    wrong = [mem.set("u", f"p{n % 20}", f"wrong {n}").fact_id or "" for n in range(400)]
    yield Figure("correct", cost(lambda n: mem.correct(wrong[-1 - n]), 200), "us")
    mem.close()


def bulk(folder: Path, large: int) -> Iterator[Figure]:
    """Entries a second of lists, imports and rebuilds; what a rebuild takes of memory; bytes per simple fact."""
    mem = opened(folder / "bulk.db", "process")
    listed = [{"role": "user", "content": f"message number {n}"} for n in range(1_000)]
    begin = perf_counter()
    for _ in range(20):
        mem.add("l", listed, extract=False)
    yield Figure("add of lists of 1,000", 20_000 / (perf_counter() - begin), "messages/s", wanted=">= 30,000")
    messages = [Message("m", f"message number {n}", extract=False) for n in range(10_000)]
    begin = perf_counter()
    for _ in mem.add_many(messages):
        pass
    yield Figure("add_many", len(messages) / (perf_counter() - begin), "messages/s")
    mem.close()
    yield from rebuilds(folder, large)
    yield bytes_per_fact(folder)


REBUILD = """
import resource, sys
from tensemem import Memory
mem = Memory(sys.argv[1], durability="process", worker=False)
mem.get("s", "p0")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
report = mem.rebuild("s")
assert report.identical
print(report.entries / report.seconds, before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def rebuilds(folder: Path, large: int) -> Iterator[Figure]:
    """A rebuild in a process of its own, of a scope and of one ten times as large: its speed, and its memory."""
    if sys.platform == "win32":
        return
    for count in (large // 10, large):
        path = folder / f"rebuild-{count}.db"
        with opened(path, "process") as mem:
            for first in range(0, count, 1000):
                for n in range(first, first + 1000):
                    mem.set("s", "p0", f"value {n}", subject=f"item {n % (count // 4)}")
        told = subprocess.check_output([sys.executable, "-c", REBUILD, str(path)], text=True).split()
        speed, before, after = map(float, told)
        unit = 1 / 1024 if sys.platform != "darwin" else 1 / 2**20
        yield Figure(f"rebuild of {count:,} entries", speed, "entries/s", wanted=">= 50,000")
        yield Figure(f"rebuild of {count:,} entries: the process", after * unit, "MB", before * unit, wanted="<= 200")


def bytes_per_fact(folder: Path) -> Figure:
    """File size per simple fact, log included."""
    path, count = folder / "size.db", 10_000
    with opened(path, "process") as mem:
        for number in range(count):
            mem.set("s", "p0", "Bangalore", subject=f"item {number}")
    return Figure("bytes on disk per simple fact", path.stat().st_size / count, "bytes", wanted="<= 600")


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


def pages(folder: Path, large: int) -> Iterator[Figure]:
    """What gives a part of much, in slots of a few values and of many, and beside a few scopes and many."""
    short, long = opened(folder / "few-values.db", "process"), opened(folder / "many-values.db", "process")
    for mem, count in ((short, 2_000), (long, large)):
        for number in range(count):
            mem.set("u", f"p{number % 20}", f"value {number}")

    def newest(mem: Memory) -> object:
        return mem.changes("u", mem.state("u").rev - 50)

    yield grown(f"changes, the newest 50: {large:,} values / 2,000", lambda _: newest(short), lambda _: newest(long))
    asked: dict[str, dict[str, Any]] = {"a page of 50": {}, "a page of 50 of one slot": {"predicate": "p1"}}
    for name, given in asked.items():
        few, many = (lambda _, m=mem, g=given: m.history("u", limit=50, **g) for mem in (short, long))
        yield grown(f"history, {name}: {large:,} values / 2,000", few, many)
    few_scopes, scopes = opened(folder / "few-scopes.db", "process"), opened(folder / "many-scopes.db", "process")
    for mem, count in ((few_scopes, 100), (scopes, large)):
        for number in range(count):
            mem.set(f"user {number}", "p0", "somewhere")
    yield grown(f"stats: {large:,} scopes / 100", lambda _: few_scopes.stats(), lambda _: scopes.stats())
    for mem in (short, long, few_scopes, scopes):
        mem.close()


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


def opened(path: Path, durability: Durability) -> Memory:
    """A memory on a new file, with twenty predicates and no worker."""
    mem = Memory(path, durability=durability, worker=False)
    for number in range(20):
        mem.register_predicate(f"p{number}")
    return mem


def compared(name: str, work: Work, floor: Work, wanted: str = "", *, own_clock: bool = False) -> Figure:
    """Time a verb and its floor in turns; work with a clock of its own gives the seconds that count."""
    mine, bare = turns(work, floor, own_clock=own_clock)
    ratio = median(m / b for m, b in zip(mine, bare, strict=True))
    return Figure(name, median(mine), "us", median(bare), ratio, wanted)


def grown(name: str, small: Work, large: Work) -> Figure:
    """Time the same work in a small and in a large store, in turns."""
    few, many = turns(small, large)
    ratio = median(m / f for m, f in zip(many, few, strict=True))
    return Figure(name, median(many), "us", median(few), ratio, "<= 1.2")


def turns(first: Work, second: Work, *, own_clock: bool = False) -> tuple[list[float], list[float]]:
    """Microseconds per call of both, round by round; the first round warms up and is dropped."""
    found: tuple[list[float], list[float]] = ([], [])
    number = 0
    for round_ in range(ROUNDS + 1):
        for kept, work in zip(found, (first, second), strict=True):
            begin = perf_counter()
            told = [work(n) for n in range(number, number + PER_ROUND)]
            took = sum(map(float, told)) if own_clock else perf_counter() - begin  # type: ignore[arg-type]
            if round_:
                kept.append(took / PER_ROUND * 1e6)
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
