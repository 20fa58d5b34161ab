"""The clients of `tools/capacity.py`: what they do to a memory again and again, and the same rows by a bare driver."""

from __future__ import annotations

import random
import resource
import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic, perf_counter
from typing import Any

from tensemem import Memory

FACTS = 20
"""Facts of a user."""
MESSAGE = "We talked about the garden and the trip for a while, and then, by the way: I live in City{}."


@dataclass(frozen=True)
class Job:
    """What one process of clients does."""

    url: str
    work: str
    users: int
    seconds: float
    threads: int
    number: int


def client(job: Job, ready: Any, stop: Any, told: Any) -> None:
    """Be one process of clients: say how much was done, in how many seconds, with how much CPU."""
    threads = job.threads
    with WORKS[job.work](job.url, job.users) as made:
        source = random.Random(job.number)
        for _ in range(threads * 3):
            made(source)  # connections, statements and caches are there
        ready.wait(120)
        counts = [0] * threads
        began, used = perf_counter(), cpu_seconds()

        def run(place: int) -> None:
            own, end = random.Random(job.number * 1000 + place), monotonic() + job.seconds
            while monotonic() < end:
                made(own)
                counts[place] += 1

        running = [threading.Thread(target=run, args=(place,)) for place in range(threads)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        told.put((sum(counts), perf_counter() - began, cpu_seconds() - used))
        stop.wait(120)


def cpu_seconds() -> float:
    """Give the CPU this process has used."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime


class Doing(ABC):
    """Something to do to a memory, again and again."""

    def __init__(self, url: str, users: int) -> None:
        self.users = users
        self.mem = Memory(url, llm=False)

    def __enter__(self) -> Doing:
        return self

    def __exit__(self, *_: object) -> None:
        self.mem.close()

    def user(self, source: random.Random) -> str:
        """Give somebody."""
        return f"user-{source.randrange(self.users)}"

    @abstractmethod
    def __call__(self, source: random.Random) -> object:
        """Do it once."""


class Setting(Doing):
    """State a new value."""

    def __call__(self, source: random.Random) -> object:
        return self.mem.set(self.user(source), f"attribute_{source.randrange(FACTS)}", f"value {source.random()}")


class SettingOfOne(Setting):
    """The same, all of them of one user, whose head they wait for."""

    def user(self, _: random.Random) -> str:
        return "user-0"


class Saying(Doing):
    """Keep a message."""

    def __call__(self, source: random.Random) -> object:
        return self.mem.add(self.user(source), MESSAGE.format(source.random()))


class Reading(Doing):
    """Read the present state, of twenty facts."""

    def __call__(self, source: random.Random) -> object:
        return self.mem.state(self.user(source))


class Prompting(Doing):
    """Make the text of a prompt of it."""

    def __call__(self, source: random.Random) -> object:
        return self.mem.context(self.user(source))


class Bare:
    """The rows of one `set` by hand: nothing is decided, and nothing that stands there is looked at."""

    _namespace = "bare"

    def __init__(self, url: str, users: int) -> None:
        from tensemem.store.postgres.store import PostgresStore

        self._users, self._here = users, threading.local()
        self._store = PostgresStore(url)
        self._links = self._store._links

    def __enter__(self) -> Bare:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def _connection(self) -> Any:
        if not hasattr(self._here, "connection"):
            self._here.connection = self._links.connect()
        return self._here.connection

    def _scope(self, source: random.Random) -> Sequence[Any]:
        from tensemem.model.scope import Scope
        from tensemem.store.postgres.rows import names

        return names(Scope(self._namespace, f"user-{source.randrange(self._users)}"))


class BareWriting(Bare):
    """Lock a head; an entry, a claim, two fact rows, a slot and the head; COMMIT."""

    def __call__(self, source: random.Random) -> object:
        connection, sql = self._connection(), self._links.sql
        scope = self._scope(source)
        slot, rev, body = source.randrange(FACTS), secrets.randbits(62), b"\0" + b"x" * 120
        with connection.pipeline():
            connection.execute(b"BEGIN")
            connection.execute(sql["add_scope"], scope)
            connection.execute(sql["head_and_lock"], scope)
        with connection.pipeline():
            execute = connection.execute
            execute(sql["append"], (scope[0], rev, "write", rev, 0, rev, rev, body))
            execute(sql["put_claim"], (scope[0], slot, rev, 0, 0, "value", "admitted", b"value", None, body))
            for start in (rev, rev + 1):
                execute(sql["put_fact"], (scope[0], slot, 0, b"value", None, start, start, body))
            execute(sql["save_slot"], (scope[0], slot, b"user", None, b"a", None, "user", "a", 0, 0, rev, True, 0, rev))
            execute(sql["save_head"], (scope[0], rev, rev, rev, rev, 0, 0, 0, rev))
            return execute(b"COMMIT")


class BareReading(Bare):
    """Read a head and the rows a state is made of, in one snapshot."""

    _namespace = "default"

    def __call__(self, source: random.Random) -> object:
        connection, sql = self._connection(), self._links.sql
        scope = self._scope(source)
        with connection.pipeline():
            connection.execute(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            connection.execute(sql["head"], scope)
            found = connection.execute(sql["live"], (scope[0], 2**62), binary=True)
            connection.execute(b"COMMIT")
        return found.fetchall()


WORKS: dict[str, Any] = {
    "bare rows of a set": BareWriting, "set": Setting, "set, all of one user": SettingOfOne, "add": Saying,
    "bare rows of a state": BareReading, "state": Reading, "context": Prompting,
}  # fmt: skip
FLOORS = {"set": "bare rows of a set", "state": "bare rows of a state"}
