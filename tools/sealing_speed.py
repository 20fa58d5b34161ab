"""Measure what a key per person costs: the same work on memories that are plain, encrypted, and sealed, in turns.

    python tools/sealing_speed.py

A sealed memory's file is encrypted too, so what sealing adds is seen beside the encrypted one. Machines are noisy: of
each work the fastest round is told, and the median of the rounds' ratios to the plain memory. Needs the extra
`encrypted`.
"""

from __future__ import annotations

import itertools
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

KEY = "correct horse battery staple"
KINDS: dict[str, dict[str, Any]] = {"plain": {}, "encrypted": {"key": KEY}, "sealed": {"key": KEY, "shred": True}}
ROUNDS, USERS, FACTS, SIZED = 15, 40, 20, 2_000


def main() -> int:
    """Measure, print, return 0."""
    os.environ["TENSEMEM_SQLITE"] = "apsw"  # one SQLite for all three
    figures: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        memories = {kind: opened(kind, Path(folder) / f"{kind}.db") for kind in KINDS}
        for number in range(ROUNDS):
            for kind, memory in memories.items():
                for name, figure in round_of(memory, number):
                    figures.setdefault(name, {}).setdefault(kind, []).append(figure)
        for memory in memories.values():
            memory.close()
        for kind in KINDS:
            size = bytes_a_fact(kind, Path(folder) / f"{kind}-size.db")
            figures.setdefault("bytes a fact", {})[kind] = [size]
    for name, found in figures.items():
        for kind, rounds in found.items():
            ratio = median(one / floor for one, floor in zip(rounds, found["plain"], strict=True))
            print(f"{name:<32}{kind:<12}{min(rounds):>10.1f}  ratio {ratio:.2f}")
    return 0


def opened(kind: str, path: Path) -> Memory:
    """Open a memory of a kind, with what is read in it."""
    memory = Memory(path, durability="process", worker=False, **KINDS[kind])
    memory.register_predicate("lives_in")
    memory.register_predicate("likes", "many")
    for number in range(FACTS):
        memory.add_value("reader", "likes", f"thing {number}")
    memory.search("reader", "thing")
    return memory


def round_of(memory: Memory, number: int) -> Iterator[tuple[str, float]]:
    """One round of each work, in microseconds a call."""
    users = [f"u{user}" for user in range(USERS)]
    newcomers = [f"n{number}-{user}" for user in range(USERS)]
    yield "set, first of a person, µs", each(newcomers, lambda user: memory.set(user, "lives_in", "Delhi"))
    yield "set, µs", each(users, lambda user: memory.set(user, "lives_in", f"city {number}"))
    yield "add, µs", each(users, lambda user: memory.add(user, f"I live in city {number}, and like it"))
    yield "get, µs", each(users, lambda user: memory.get(user, "lives_in"))
    yield f"state of {FACTS}, µs", each(users, lambda _: unremembered(memory).state("reader"))
    yield f"context of {FACTS}, µs", each(users, lambda _: unremembered(memory).context("reader"))
    yield f"search in {FACTS}, µs", each(users, lambda _: memory.search("reader", "thing 7"))
    yield f"history of {FACTS}, µs", each(users, lambda _: memory.history("reader", "likes"))


def unremembered(memory: Memory) -> Memory:
    """Have a memory read a state again that it has at hand."""
    memory._engine.states.drop(memory._engine.scope("reader"))
    return memory


def each(users: list[str], work: Callable[[str], object]) -> float:
    """Microseconds that some work takes, on average."""
    return timed(partial(run_all, users, work)) / len(users) * 1e6


def run_all(users: list[str], work: Callable[[str], object]) -> None:
    """Do some work for each user."""
    for user in users:
        work(user)


def timed(work: Callable[[], object]) -> float:
    """Seconds that some work takes."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def bytes_a_fact(kind: str, path: Path) -> float:
    """What one `set` adds to the file, key store and all, over some hundred people with ten slots each."""
    with Memory(path, durability="process", worker=False, **KINDS[kind]) as memory:
        for slot in range(10):
            memory.register_predicate(f"attribute_{slot}")
    begun = held(path)
    with Memory(path, durability="process", worker=False, **KINDS[kind]) as memory:
        for user, slot in itertools.product(range(SIZED // 10), range(10)):
            memory.set(f"u{user}", f"attribute_{slot}", f"value {user % 7}")
    return (held(path) - begun) / SIZED


def held(path: Path) -> int:
    """Bytes of a memory's files."""
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))


if __name__ == "__main__":
    sys.exit(main())
