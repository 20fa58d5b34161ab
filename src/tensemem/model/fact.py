"""Facts: maximal runs of one value in a slot's timeline, with the claims that support them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class FactStatus(StrEnum):
    """What a fact is, seen from the moment of the read."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    EXPIRED = "expired"
    SCHEDULED = "scheduled"
    CORRECTED = "corrected"
    DENIED = "denied"
    OVERRIDDEN = "overridden"
    CANDIDATE = "candidate"
    PLANNED = "planned"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a fact rests on: the episode, and where in its text the words stand.

    ``begin``/``stop`` are character offsets of ``quote`` in the message; 0 and 0 for an explicit write.
    """

    seq: int
    claim_id: str
    said_at: datetime
    source: str
    quote: str = ""
    begin: int = 0
    stop: int = 0


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of one attribute over one stretch of valid time.

    ``valid_from``/``valid_to`` are half-open; ``valid_from`` None means unknown, ``valid_to`` None means still.
    ``value`` is typed as the predicate says, ``object`` is the same as text. ``last_evidence_at`` is when it was
    last said; reading never refreshes it. ``contested`` tells of a newer statement that waits for review or comes
    from a less trusted source. ``claim_ids`` and ``evidence`` hold the first and the newest statements, 32 at most;
    ``explain()`` gives all.
    """

    id: str
    claim_ids: tuple[str, ...]
    subject: str
    predicate: str
    value: Any
    object: str
    status: FactStatus
    valid_from: datetime | None
    valid_to: datetime | None
    precision: str
    said_at: datetime
    recorded_at: datetime
    recorded_rev: int
    last_evidence_at: datetime
    confidence: float
    paraphrased: bool
    contested: bool
    due_for_review: bool
    source: str
    evidence: tuple[Evidence, ...] = ()

    def __str__(self) -> str:
        word = "for" if self.status is FactStatus.PLANNED else "since"
        since = "" if self.valid_from is None else f" {word} {self.valid_from:%Y-%m-%d}"
        until = "" if self.valid_to is None else f" until {self.valid_to:%Y-%m-%d}"
        return f"{self.subject}.{self.predicate} = {self.object} ({self.status}{since}{until})"


@dataclass(frozen=True, slots=True)
class Statement:
    """A retraction, removal, denial or REPLACE: it has an id of its own and can be corrected."""

    id: str
    kind: str
    subject: str
    predicate: str
    value: Any
    said_at: datetime
    in_force: bool
    corrected: bool
    source: str
    quote: str = ""
