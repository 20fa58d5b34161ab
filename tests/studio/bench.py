"""A memory that is served, and what is in it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tensemem import AsyncMemory, Memory, Operation
from tensemem.errors import ExtractorOutputError
from tests.engine.bench import Clock, Told
from tests.studio.late import as_late_as_told

NOON = datetime(2026, 6, 15, 12, tzinfo=UTC)
TOKEN = "a-token-of-the-tests-0123456789"


@dataclass
class Served:
    """A served memory: its address, and the second handle on it."""

    url: str
    mem: Memory
    clock: Clock
    told: Told
    keys: Path
    token: str = TOKEN

    def says(self, user: str, text: str, *answers: Operation, **more: Any) -> None:
        """Say something to the agent, and have it extracted as told."""
        self.told.answers[text] = list(answers)
        self.mem.add(user, text, **more)
        fresh = self.mem.flush(user, timeout=60)
        assert not fresh.pending, "it was not extracted in a minute"


@contextmanager
def served(path: Path, clock: Clock, told: Told, port: int = 0, **more: Any) -> Iterator[Served]:
    """Serve a memory in a thread, behind its guard, until the block ends."""
    from tensemem.access import Access
    from tensemem.adapters.rest import Address, app
    from tensemem.adapters.rest.running import server_of

    with Memory(path, clock=clock, llm=told, worker=False, durability="process") as mem:
        register(mem)
        inner = AsyncMemory(path, clock=clock, llm=told, worker=False, durability="process")
        found: list[str] = []
        ready = threading.Event()

        def started(url: str) -> None:
            found.append(url)
            ready.set()

        with Access.open(path.with_name("access.db")) as keys:
            application = as_late_as_told(app(inner, access=keys, token=TOKEN, **more))
            server = server_of(application, Address(port=port), started)

            def run() -> None:  # the browser's own loop runs in the thread of the test
                asyncio.run(inner.__aenter__())
                server.run()
                asyncio.run(inner.close())

            thread = threading.Thread(target=run)
            thread.start()
            try:
                assert ready.wait(20), "the server did not start"
                yield Served(found[0], mem, clock, told, path.with_name("access.db"))
            finally:
                server.end()
                thread.join(30)


def register(mem: Memory) -> None:
    mem.register_predicate("lives_in", description="the city somebody lives in", aliases=["city"])
    mem.register_predicate("works_at", description="who they work for", review_after="30d")
    mem.register_predicate("languages", "many", description="languages they speak")
    mem.register_predicate("diet", choices=["vegan", "vegetarian", "none"])
    mem.register_predicate("birthday", type="date")


MOVED = "I moved to Bangalore in March, and I work at Acme."


def alice(studio: Served) -> None:
    """A life that has a bit of everything, said over half a year."""
    says, mem = studio.says, studio.mem
    says("alice", "Hi! I live in Delhi.", Operation("set", "lives_in", "Delhi", quote="I live in Delhi"),
         said_at="2026-01-05T09:12Z", session_id="first")
    mem.add("alice", "Noted.", role="assistant", said_at="2026-01-05T09:13Z", session_id="first")
    says("alice", MOVED, Operation("set", "lives_in", "Bangalore", quote="moved to Bangalore"),
         Operation("set", "works_at", "Acme", quote="I work at Acme"), said_at="2026-03-10T18:40Z",
         session_id="second")  # fmt: skip
    mem.record("alice", "lives_in", "Paris", valid_from="2023", valid_to="2023")
    mem.add_value("alice", "languages", "Hindi", said_at="2026-02-01")
    mem.add_value("alice", "languages", "French", said_at="2026-02-01")
    mem.set("alice", "diet", "vegan", said_at="2026-04-02")
    mem.record("alice", "lives_in", "Berlin", valid_from="2027-02-01")
    says("alice", "Tom says I am living in Lisbon. I will join Globex. Assam tea is the best.",
         Operation("set", "lives_in", "Lisbon", quote="living in Lisbon", modality="reported"),
         Operation("set", "works_at", "Globex", quote="join Globex", modality="planned", since="2026-09-01"),
         Operation("set", "favourite_tea", "Assam", quote="Assam tea"), said_at="2026-05-20")  # fmt: skip


def fails(studio: Served, user: str, text: str) -> None:
    """Say something that the extractor makes nothing of, until it is given up."""
    studio.told.answers[text] = ExtractorOutputError("the answer was no JSON")
    studio.mem.add(user, text)
    while not any(job.state == "failed" for job in studio.mem.jobs(user)):
        studio.mem.flush(user)
        studio.clock.advance(hours=3)


def crowd(mem: Memory, count: int) -> None:
    """Many people, of whom little is known."""
    for number in range(count):
        mem.set(f"person-{number:03d}", "lives_in", ("Oslo", "Lima", "Kyoto")[number % 3])
