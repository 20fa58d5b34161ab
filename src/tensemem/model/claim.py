"""What admission makes of a proposal: a claim on a slot's timeline, or a refusal with its reason.

A claim is identified by where it stands in the log: the episode's seq, which extraction of it (0 for explicit
writes), the operation's number in it, and the part of a REPLACE (0 for the statement itself).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class ClaimKind(StrEnum):
    """What a statement does to its slot."""

    VALUE = "value"
    RETRACT = "retract"
    DENY = "deny"
    CONFIRM = "confirm"
    REPLACE = "replace"


class Outcome(StrEnum):
    """What became of a proposal."""

    ADMITTED = "admitted"
    HELD = "held"
    PLANNED = "planned"
    REFUSED = "refused"
    SKIPPED = "skipped"


class ClaimId(NamedTuple):
    """Where a claim stands in its scope's log."""

    seq: int
    extraction: int
    number: int
    part: int = 0


class Order(NamedTuple):
    """Statement order: the newest statement of the highest trust is painted last.

    Claims accepted by one review stand where the review does; ``own`` is where each stood before, and parts them.
    """

    rank: int
    said_at: int
    seq: int
    number: int
    part: int = 0
    own: tuple[int, ...] = ()


class Held(NamedTuple):
    """A value as claims keep it: its comparison key, and the JSON form that is shown."""

    key: str
    stored: Any


FORGOTTEN = " forgotten"
"""Stands where a value's key stood. No value has it: comparison keys do not begin with a blank."""

GAP = Held(FORGOTTEN, None)
"""Stands where a value stood that was forgotten, so that those beside it keep their places, and with them their ids."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement about one slot, with the span of evidence it has (microseconds).

    It vouches for ``[start, through]`` and covers ``[start, end)`` (``end`` None: open). ``stated_end`` tells a
    stated end from one that only a ttl sets. ``range_stop`` marks an imprecise start, somewhere in
    ``[start, range_stop)``. ``unknown_start`` shows the fact without a valid_from. ``value`` is None for a
    retraction of whatever holds; ``values`` are a REPLACE's.
    """

    id: ClaimId
    kind: ClaimKind
    rank: int
    said_at: int
    start: int
    through: int
    end: int | None = None
    stated_end: bool = False
    range_stop: int | None = None
    unknown_start: bool = False
    grain: str = "instant"
    value: Held | None = None
    values: tuple[Held, ...] = ()
    outcome: Outcome = Outcome.ADMITTED
    reason: str = ""
    paraphrased: bool = False
    confidence: float = 1.0
    source: str = "application"
    quote: str = ""
    begin: int = 0
    stop: int = 0
    rev: int = 0
    recorded_at: int = 0
    stated_at: int | None = None
    stated_seq: int | None = None

    @property
    def order(self) -> Order:
        """Place in statement order; a claim accepted by a review stands where the review does."""
        id = self.id
        if self.stated_at is None or self.stated_seq is None:
            return Order(self.rank, self.said_at, id.seq, id.number, id.part)
        return Order(self.rank, self.stated_at, self.stated_seq, 0, 0, (self.said_at, id.seq, id.number, id.part))

    @property
    def parts(self) -> tuple[tuple[ClaimId, Held], ...]:
        """The values of a REPLACE, each with the id of its own; what was forgotten leaves a gap."""
        numbered = enumerate(self.values, 1)
        return tuple((self.id._replace(part=number), held) for number, held in numbered if held.key != FORGOTTEN)

    @property
    def key(self) -> str | None:
        """Comparison key of the value, or None where none is named."""
        return None if self.value is None else self.value.key


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of one fact, or of one statement, as its slot sees it.

    ``start``/``end`` are the fact's valid time when it was corrected (``end`` None: open). ``statement`` names a
    retraction, removal, denial or REPLACE that is voided instead; ``waiting`` a candidate or plan that is cancelled.
    ``target`` is the fact's id as text within its scope, ``shown`` the claims that supported it. ``lapsed`` tells that
    only a ttl ended the fact: what its own claims say later, should the ttl grow, is corrected as well.
    """

    seq: int
    said_at: int
    target: str
    value: Held | None
    start: int
    end: int | None
    shown: tuple[ClaimId, ...] = ()
    unknown_start: bool = False
    grain: str = "instant"
    statement: ClaimKind | None = None
    waiting: bool = False
    replacement: Claim | None = None
    because: str = ""
    rev: int = 0
    recorded_at: int = 0
    meant: str = ""
    lapsed: bool = False


@dataclass(frozen=True, slots=True)
class Reinstatement:
    """Takes the correction with seq ``corrects`` back, its replacement with it."""

    seq: int
    corrects: int
    said_at: int = 0
    rev: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """Accepts or rejects what waits in a slot for one value: candidates or plans stated before it.

    ``meant`` tells which: the claim's kind, and whether it is planned.
    """

    seq: int
    said_at: int
    target: str
    key: str | None
    accept: bool
    rev: int = 0
    meant: str = ""


Amendment = Correction | Reinstatement | Review
