"""Measure the SQLite libraries against each other: opening, `set` and `state`, in turns, in one run.

    python tools/engine_speed.py

Machines are noisy: of each work the fastest round is told, and the median of the rounds' ratios to `sqlite3`. Needs
the extra `encrypted`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from tensemem import Memory

ENGINES: dict[str, tuple[str, dict[str, Any]]] = {
    "sqlite3": ("sqlite3", {}),
    "apsw": ("apsw", {}),
    "encrypted": ("", {"key": "correct horse battery staple"}),
}
ROUNDS, USERS, FACTS = 15, 60, 20


def main() -> int:
    """Measure, print, return 0."""
    seconds: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        memories = {engine: opened(engine, Path(folder)) for engine in ENGINES}
        for memory in memories.values():
            fill(memory)
        for number in range(ROUNDS):
            for engine in ENGINES:
                for name, took in round_of(memories, engine, Path(folder), number):
                    seconds.setdefault(name, {}).setdefault(engine, []).append(took)
        for memory in memories.values():
            memory.close()
    for name, found in seconds.items():
        for engine, rounds in found.items():
            ratio = median(one / floor for one, floor in zip(rounds, found["sqlite3"], strict=True))
            print(f"{name:<24}{engine:<12}{min(rounds):>10.1f}  ratio {ratio:.2f}")
    return 0


def round_of(memories: dict[str, Memory], engine: str, folder: Path, number: int) -> Iterator[tuple[str, float]]:
    """One round of each work on one library, in the units that are told."""
    memories[engine].close()
    yield "open and read, ms", timed(partial(reopen, memories, engine, folder)) * 1e3
    yield "set, µs", timed(partial(write, memories[engine], number)) / USERS * 1e6
    yield f"state of {FACTS} facts, µs", timed(partial(read, memories[engine])) / USERS * 1e6


def opened(engine: str, folder: Path) -> Memory:
    """Open a memory on a library."""
    os.environ["TENSEMEM_SQLITE"], options = ENGINES[engine]
    return Memory(folder / f"{engine}.db", durability="process", **options)


def reopen(memories: dict[str, Memory], engine: str, folder: Path) -> None:
    """Open a memory that was closed, up to its first answer."""
    memories[engine] = opened(engine, folder)
    memories[engine].state("u0", predicates=["lives_in"])


def fill(memory: Memory) -> None:
    """Register what is used, and store the facts that are read."""
    memory.register_predicate("lives_in")
    memory.register_predicate("likes", "many")
    for number in range(FACTS):
        memory.add_value("reader", "likes", f"thing {number}")


def write(memory: Memory, number: int) -> None:
    """Set one value of each user."""
    for user in range(USERS):
        memory.set(f"u{user}", "lives_in", f"city {number}")


def read(memory: Memory) -> None:
    """Read one state over and over."""
    for _ in range(USERS):
        memory.state("reader")


def timed(work: Callable[[], object]) -> float:
    """Seconds that some work takes."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


if __name__ == "__main__":
    sys.exit(main())
