"""The first example of the README, tried against an installed package; run it from an empty directory.

It ends with exit code 0 where everything holds. Whatever moment extraction chooses, and whether or not it ran before
the correction, the end is the same.
"""

# ruff: noqa: B018, E702, I001 (the example stands here as it is published)

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

# --- the example
from tensemem import FakeExtractor, Memory
mem = Memory(llm=FakeExtractor())
mem.register_predicate("lives_in")
mem.add("u1", "I live in Delhi")
mem.set(user_id="u1", predicate="lives_in", value="Bangalore")
print(mem.state("u1").values)                       # {'lives_in': 'Bangalore'}, now and after the message is extracted
mem.flush()                                         # what waits is extracted now; else it is in the background
history = mem.history("u1", predicate="lives_in")   # Delhi superseded, Bangalore active
bangalore = next(f for f in history.facts if f.object == "Bangalore")
mem.correct(bangalore.id); mem.state("u1").values    # {'lives_in': 'Delhi'}
# --- what it says

assert os.path.exists("tensemem.db"), "the memory is not where the README says"
assert mem.flush("u1").is_current
assert mem.state("u1").values == {"lives_in": "Delhi"}
mem.close()


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
"""The clock of the runs below stands still, so that they can be compared."""


class Held:
    """The extractor of the example, which answers when it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self._fake = FakeExtractor()

    def extract(self, request: Any) -> Any:
        """Wait, then answer."""
        assert self.go.wait(60), "nobody let the extractor go"
        return self._fake.extract(request)


def statuses(memory: Memory) -> dict[str, str]:
    """What the history says of each value."""
    return {fact.object: fact.status.value for fact in memory.history("u1", predicate="lives_in").facts}


def example(path: str, extractor: Held, let_go_before: Callable[[str], bool]) -> None:
    """Play the example; extraction may begin just before one of its steps."""

    def step(name: str) -> None:
        if let_go_before(name):
            extractor.go.set()
            settled = memory.state("u1", min_seq=added.seq, wait=60)
            assert settled.freshness.is_current, settled.freshness

    with Memory(path, llm=extractor, clock=lambda: NOON) as memory:
        memory.register_predicate("lives_in")
        added = memory.add("u1", "I live in Delhi")
        step("set")
        memory.set(user_id="u1", predicate="lives_in", value="Bangalore")
        assert memory.state("u1").values == {"lives_in": "Bangalore"}
        check_context(memory, added.seq, is_settled=extractor.go.is_set())
        step("history")
        assert memory.state("u1").values == {"lives_in": "Bangalore"}
        if extractor.go.is_set():
            assert statuses(memory) == {"Delhi": "superseded", "Bangalore": "active"}
        fact = next(f for f in memory.history("u1", predicate="lives_in").facts if f.object == "Bangalore")
        memory.correct(fact.id)
        if extractor.go.is_set():
            assert memory.state("u1").values == {"lives_in": "Delhi"}
        step("end")
        assert memory.flush("u1").is_current
        assert memory.state("u1").values == {"lives_in": "Delhi"}
        assert statuses(memory) == {"Delhi": "active", "Bangalore": "corrected"}
        check_context(memory, added.seq, is_settled=True)
        assert memory.rebuild("u1").identical
        digests.add(memory.digest("u1"))


def check_context(memory: Memory, seq: int, *, is_settled: bool) -> None:
    """A context says truthfully whether the message is in it."""
    wait = 1.5 if is_settled else 0.1
    fresh = memory.context(user_id="u1", min_seq=seq, wait=wait).freshness
    assert fresh.is_current is is_settled, fresh
    assert (fresh.pending == 0) is is_settled, fresh
    assert fresh.reason == (None if is_settled else "extracting"), fresh


digests: set[str] = set()
for moment in ("set", "history", "end"):
    example(f"{moment}.db", Held(), lambda name, moment=moment: name == moment)  # type: ignore[misc]
assert len(digests) == 1, "the moment of extraction shows in the outcome"
print("the published example holds, whenever its message is extracted")
