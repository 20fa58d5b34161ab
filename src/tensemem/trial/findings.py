"""What a trial found, as plain values: what is shown on a terminal, in a page, or as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .values import Fault


@dataclass(frozen=True, slots=True)
class Input:
    """A file as it was read.

    ``dated`` says how its messages got their times, ``taken`` which speaker is the user; ``others`` counts messages
    left out.
    """

    name: str
    form: str
    messages: int
    undated: int
    dated: str
    first: datetime | None
    last: datetime | None
    user_name: str | None
    taken: str
    others: int
    duplicates: int
    faulty: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a fact rests on, when they were said, and where they stand (``file:line``)."""

    text: str
    said_at: datetime
    where: str


@dataclass(frozen=True, slots=True)
class Held:
    """One value of a slot over one stretch of time; ``status`` as in FactStatus. ``quotes`` are a few of its words."""

    value: Any
    text: str
    status: str
    since: datetime | None
    until: datetime | None
    precision: str
    contested: bool
    quotes: tuple[Quote, ...]

    @property
    def is_now(self) -> bool:
        """Whether it holds now."""
        return self.status == "active"


@dataclass(frozen=True, slots=True)
class Slot:
    """One attribute of one subject in one user's memory, with everything that was ever known of it, by time."""

    user: str
    subject: str
    predicate: str
    cardinality: str
    facts: tuple[Held, ...]

    @property
    def now(self) -> tuple[Held, ...]:
        """What holds now: one at most where the attribute is single-valued."""
        return tuple(fact for fact in self.facts if fact.is_now)


@dataclass(frozen=True, slots=True)
class Example:
    """An operation that was not simply admitted: what was proposed, from which words, where."""

    user: str
    operation: str
    quote: str
    where: str


@dataclass(frozen=True, slots=True)
class Refusals:
    """All operations with one outcome and reason; ``examples`` are the first few."""

    outcome: str
    reason: str
    meaning: str
    count: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """An attribute that was proposed and is not registered."""

    predicate: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OldMemory:
    """A memory of the old store beside ours.

    ``verdict``: ``agrees`` (ours says the same now), ``outdated`` (ours holds something else now, and once held this),
    ``differs`` (ours holds something else), ``alone`` (ours knows nothing of it), ``unread`` (no fact was read in it).
    """

    id: str
    text: str
    user: str
    at: datetime
    subject: str
    predicate: str
    value: str
    verdict: str
    ours: str


@dataclass(frozen=True, slots=True)
class Side:
    """One of several values the old store believes at once, and the memories that say so."""

    value: str
    memories: tuple[OldMemory, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A single-valued slot for which the old store holds several values side by side.

    ``holds`` is what tensemem says holds now ("" for nothing), and ``because`` what that rests on.
    """

    user: str
    subject: str
    predicate: str
    sides: tuple[Side, ...]
    holds: str
    because: str


@dataclass(frozen=True, slots=True)
class OldStore:
    """What was made of the old store's dump."""

    file: str
    memories: int
    read: int
    faults: tuple[Fault, ...]
    verdicts: dict[str, int]
    contradictions: tuple[Contradiction, ...]
    beside: tuple[OldMemory, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """What extraction took. Tokens are the extractor's own count, or, where ``is_estimated``, of the text it was given.

    ``asked`` counts texts it was asked about, those of an old store too; ``unanswered`` those it had no usable answer
    to, ``unread`` those that were not reached because it stopped.
    """

    messages: int
    asked: int
    requests: int
    input_tokens: int
    output_tokens: int
    is_estimated: bool
    unanswered: int
    unread: int
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything a trial found. ``stopped`` says why extraction ended early, if it did."""

    extractor: str
    model: str
    schemas: tuple[str, ...]
    at: datetime
    zone: str
    inputs: tuple[Input, ...]
    users: tuple[str, ...]
    slots: tuple[Slot, ...]
    statuses: dict[str, int]
    admitted: int
    refusals: tuple[Refusals, ...]
    unknown: tuple[Unknown, ...]
    old: OldStore | None
    cost: Cost
    redactions: dict[str, int]
    stopped: str
    kept: str

    @property
    def superseded(self) -> int:
        """How many facts gave way to a newer one."""
        return self.statuses.get("superseded", 0)
