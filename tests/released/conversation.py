"""The conversation that files of every released schema hold: each kind of entry, and each way a message can wait.

`tools/make_released.py` holds it with the library as it was released, once; from then on it is only read.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from tensemem import FakeExtractor, Memory, Operation
from tensemem.engine.settle import MAX_ATTEMPTS
from tensemem.errors import ExtractorOutputError
from tensemem.ports import WorkerRow

BEGIN = datetime(2026, 5, 1, 9, tzinfo=UTC)
LATER = datetime(2026, 6, 1, 12, tzinfo=UTC)
"""When what the file shows was written down, and is asked again."""

SCOPES = (("ann", ""), ("ann", "guide"), ("bob", ""), ("कमला", ""), ("dan", ""), ("eva", ""))
TOLD_TWICE = ("ann", "I live in Delhi", "first")
"""Who said something with an idempotency key, what, and the key: to be said again."""


class Troubled(FakeExtractor):
    """Fails on one text, always, and proposes an attribute that nobody has registered on another."""

    def extract(self, request: Any) -> Any:
        if "trouble" in request.text:
            raise ExtractorOutputError("no")
        if "Leo" in request.text:
            return [Operation("set", "star_sign", "Leo", quote="Leo")]
        return super().extract(request)


class Ticking:
    """A clock that goes on by a minute each time it is asked."""

    def __init__(self) -> None:
        self._now = BEGIN

    def __call__(self) -> datetime:
        self._now += timedelta(minutes=1)
        return self._now


class Waits:
    """A clock of the queue by which an hour has gone each time."""

    def __init__(self) -> None:
        self._now = 0

    def __call__(self) -> int:
        self._now += 3600 * 1_000_000
        return self._now


def first_half(mem: Memory) -> None:
    """Registrations, messages, writes, and what takes them back."""
    mem.register_predicate("lives_in", aliases=["home"], description="the place")
    mem.register_predicate("languages", "many")
    mem.register_predicate("diet", choices=["vegan", "vegetarian", "none"], review_after="30d")
    mem.register_predicate("mood", ttl="90d")
    mem.register_predicate("works_at")
    mem.register_predicate("lives_in", aliases=["home", "residence"], description="the place", update=True)
    mem.register_entity("Bombay", aliases=["Mumbai"])
    mem.add("ann", "I live in Delhi", said_at="2026-01-05", idempotency_key="first", session_id="s1")
    mem.add("ann", "Noted.", role="assistant", said_at="2026-01-05", session_id="s1")
    mem.flush("ann")
    mem.add("ann", "I am a Leo", said_at="2026-01-06", session_id="s2")
    mem.flush("ann")
    mem.set("ann", "lives_in", "Pune", said_at="2026-02-01", idempotency_key="second", metadata={"from": "form"})
    wrong = mem.history("ann", "lives_in").facts[0].id
    mem.correct(wrong, reason="another Ann")
    mem.reinstate(wrong)
    mem.correct(wrong, "New Delhi", reason="spelled out")
    mem.replace_values("ann", "languages", ["Go", "Rust", "Python"], said_at="2026-02-01")
    mem.retract("ann", "languages", "Go", said_at="2026-03-01")
    mem.deny("ann", "languages", "Rust", said_at="2026-03-02")


def second_half(mem: Memory) -> None:
    """Plans, candidates, reviews, another extraction, other people and namespaces; what waits, failed and was left."""
    removals(mem)
    mem.record("ann", "works_at", "Acme", valid_from="2015", valid_to="2017")
    mem.set("ann", "diet", "vegan", said_at="2026-01-10")
    mem.confirm("ann", "diet", said_at="2026-02-10")
    mem.set("ann", "mood", "fine", said_at="2026-04-20")
    mem.write("ann", [Operation("set", "lives_in", "Oslo", modality="planned", valid_from="2027")])
    for value, accepted in (("Rome", True), ("Bonn", False), ("Riga", None)):
        held = mem.write("ann", [Operation("set", "works_at", value, modality="reported")])
        if accepted is not None:
            mem.review(str(held.fact_id), accept=accepted, user_id="ann")
    mem.set("ann", "lives_in", "Goa", agent_id="guide")
    mem.register_predicate("lives_in", namespace="clinic")
    mem.set("ann", "lives_in", "Lima", namespace="clinic")
    again = FakeExtractor({"I live in Delhi": [Operation("set", "lives_in", "Delhi", quote="Delhi")]})
    mem.reextract("ann", again, limit=1, dry_run=False)
    mem.add("कमला", "मैं दिल्ली में रहती हूँ 🙂", extract=False, said_at="2026-04-01")
    mem.set("कमला", "lives_in", "दिल्ली", since="2020-03")
    mem.add("bob", "I live in Mumbai. My api key is sk-abcdefghijklmnopqrstuvwxyz123456")
    mem.add("bob", "trouble comes")
    mem.add("bob", "trouble goes")
    mem._engine.operational_clock = Waits()
    for _ in range(2 * MAX_ATTEMPTS):
        mem.flush("bob")
    mem.dismiss("bob", 2)
    mem.add("bob", "I live in Rome", said_at="2026-04-30")
    _leave_a_lease(mem)


def removals(mem: Memory) -> None:
    """Remove a slot, an entry, texts, and a whole person, where the library can: from version 2 on."""
    if not hasattr(mem, "forget"):
        return
    for user in ("dan", "eva"):
        mem.add(user, "I live in Lyon", said_at="2026-01-03")
        mem.add(user, "I live in Nice", said_at="2026-01-04")
        mem.flush(user)
        mem.set(user, "diet", "vegan", said_at="2026-01-05")
    mem.set("dan", "mood", "low", said_at="2026-01-06")
    mem.forget("dan", predicate="diet")
    mem.erase("dan", 1)
    mem.purge("2026-01-05", user_id="dan")
    mem.forget("eva")
    mem.set("eva", "lives_in", "Metz", said_at="2026-01-07")


def _leave_a_lease(mem: Memory) -> None:
    """Leave the queue as a worker on another machine does that is gone."""
    with mem._engine.store.write() as tx:
        tx.beat(WorkerRow("gone", "another machine", 4711, "1", 1_000_000))
        tx.lease("gone", 2**61, 2**61 + 1, [], [])


def scopes() -> Iterator[tuple[str, str, str]]:
    """Give namespace, user and agent of all that is asked about."""
    yield from (("default", *scope) for scope in SCOPES)
    yield ("clinic", "ann", "")
