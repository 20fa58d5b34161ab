"""A process of a run: opens the memory and lets its threads walk until the run is over, or it is killed.

It is forked from a nursery, which is given its settings as JSON.
"""

from __future__ import annotations

import json
import os
import random
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tensemem import Memory
from tensemem.errors import StoreError
from tests.histories import bugs
from tests.histories.awaited import AwaitedMemory
from tests.histories.control import Control
from tests.histories.records import Recorder
from tests.histories.script import AwaitedScript, Script
from tests.histories.walker import Walker


@dataclass(frozen=True, slots=True)
class Settings:
    """What a client is started with. ``lease`` are the seconds a lease holds; ``slow`` those of a slow answer.

    An ``is_awaited`` one works through AsyncMemory, with an extractor that is awaited. One with a ``host`` is a process
    of another machine to all others: they know only by its beat whether it lives.
    """

    url: str
    name: str
    folder: str
    control: str
    seed: int
    threads: int = 2
    users: int = 3
    rest: float = 0.004
    lease: int = 1
    slow: float = 0.0
    durability: str = "process"
    has_worker: bool = True
    is_awaited: bool = False
    host: str = ""
    key: str | None = None
    shred: bool = False
    bugs: tuple[str, ...] = ()

    def as_json(self) -> str:
        """The settings as the client reads them."""
        return json.dumps(asdict(self))


def quicken(settings: Settings) -> None:
    """Make leases, pauses and patience short, so that a run of seconds sees what else takes minutes."""
    from tensemem.engine import freshness, settle, upkeep, wiring, worker

    control = Control(Path(settings.control))
    changes: list[tuple[Any, str, Any]] = [
        (freshness, "DEAD_AFTER", 3 * settings.lease * 1_000_000),
        (worker, "LEASE_SECONDS", settings.lease),
        (worker, "BEAT_SECONDS", settings.lease / 3),
        (settle, "MAX_ATTEMPTS", 2),
        (settle, "UNAVAILABLE_PAUSE", 1),
        (wiring, "_wall_clock", control.microseconds),
    ]
    if settings.host:
        changes += [(module, "host_name", lambda: settings.host) for module in (freshness, upkeep, worker)]
    for module, name, value in changes:
        if not hasattr(module, name):
            raise AttributeError(f"{module.__name__} has no {name} any more; say here what takes its place")
        setattr(module, name, value)


def opened(settings: Settings, script: Script, control: Control) -> Memory | AwaitedMemory | None:
    """Open the memory, however often a full disk or a server that is away refuses; None where the run ends first."""
    options: dict[str, Any] = {
        "llm": script, "clock": control.clock, "worker": settings.has_worker, "durability": settings.durability,
        "key": settings.key, "shred": settings.shred,
    }  # fmt: skip
    while not control.is_over:
        try:
            if settings.is_awaited:
                return AwaitedMemory(settings.url, chance=random.Random(settings.seed), **options)
            return Memory(settings.url, **options)
        except StoreError:
            time.sleep(0.05)
    return None


def end_with(parent: int) -> None:
    """End this process once its parent has ended: a run that was broken off leaves nobody behind."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main(settings: Settings) -> None:
    """Walk until the run is over; raises what no operation may raise."""
    end_with(os.getppid())
    control = Control(Path(settings.control))
    recorder = Recorder(Path(settings.folder) / f"{settings.name}.jsonl", settings.name)
    quicken(settings)
    bugs.plant(settings.bugs, random.Random(settings.seed))

    def asked_about(texts: list[str]) -> None:
        recorder.began(recorder.new_name(), "extract", "", {"texts": texts})

    kind = AwaitedScript if settings.is_awaited else Script
    mem = opened(settings, kind(asked_about, delay=settings.slow), control)
    if mem is None:
        return
    failures: list[BaseException] = []

    def walk(number: int) -> None:
        chance = random.Random(f"{settings.seed} {settings.name} {number}")
        try:
            Walker(mem, recorder, control, chance, users=settings.users, rest=settings.rest).walk()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=walk, args=(number,)) for number in range(settings.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    mem.close(timeout=2)
    if failures:
        raise failures[0]


def settings_in(text: str) -> Settings:
    """Read settings as the client is given them."""
    read: dict[str, Any] = json.loads(text)
    return Settings(**{**read, "bugs": tuple(read["bugs"])})

