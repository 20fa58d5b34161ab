"""What a conversation is made of: steps to take, and questions with the answers they must get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

from ..model.operation import Operation


@dataclass(frozen=True, slots=True)
class Proposal:
    """An operation that an extractor proposes from a message; ``wrong`` says how it errs, where it does."""

    operation: Operation
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Say:
    """A message. ``heard`` is when it is logged, ``at`` when it was said.

    ``recall`` puts what the memory tells before the text: as it is (``"fenced"``), its fact lines alone (``"bare"``),
    or what the message before that had one was given (``"again"``), however old that is by now. ``is_unreadable``
    means that the script has no usable answer to it, so that it waits for good.
    """

    at: datetime
    heard: datetime
    text: str
    role: str = "user"
    speaker: str | None = None
    recall: Literal["", "fenced", "bare", "again"] = ""
    proposes: tuple[Proposal, ...] = ()
    is_unreadable: bool = False


@dataclass(frozen=True, slots=True)
class Write:
    """Operations that the application writes as one entry."""

    at: datetime
    heard: datetime
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """Which fact is meant: of a slot and value; the one that held ``on`` a day, else the latest.

    ``statement`` names a kind (retract, deny, replace …) where a statement that takes away is meant.
    """

    predicate: str
    value: Any = None
    subject: str = "user"
    on: str | None = None
    statement: str | None = None


@dataclass(frozen=True, slots=True)
class Amend:
    """A correction, a reinstatement or a review of a target, with what the verb takes beside it."""

    at: datetime
    verb: Literal["correct", "reinstate", "review"]
    target: Target
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Register:
    """Predicates and entities that become known, or known better, on the way."""

    at: datetime
    predicates: Mapping[str, Mapping[str, Any]]
    entities: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Rebuild:
    """The projection is folded again from the log."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Current:
    """What holds now? ``value`` is None for nothing, a tuple for a many-valued predicate.

    ``stale`` are values that must not be given. ``contested``, ``held`` and ``planned``, where given, must be told too.
    ``corrected`` asks it before and after a rebuild, for what somebody has put right.
    """

    predicate: str
    value: Any
    subject: str = "user"
    stale: tuple[Any, ...] = ()
    contested: bool | None = None
    held: tuple[Any, ...] | None = None
    planned: tuple[Any, ...] | None = None
    question: str = ""
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """One value and from when until when it held; None is unknown, or still."""

    value: Any
    start: datetime | None
    end: datetime | None


@dataclass(frozen=True, slots=True)
class Past:
    """What held when, all of it, in order?"""

    predicate: str
    spans: tuple[Span, ...]
    subject: str = "user"


@dataclass(frozen=True, slots=True)
class AsOf:
    """What held at a moment, as known now, or as known at another?"""

    predicate: str
    value: Any
    subject: str = "user"
    at: str | None = None
    known_at: str | None = None


@dataclass(frozen=True, slots=True)
class Never:
    """A value that must not have become a fact; None: nothing at all may have."""

    predicate: str
    value: Any
    subject: str = "user"


@dataclass(frozen=True, slots=True)
class Told:
    """What the text for a prompt must and must not hold."""

    has: tuple[str, ...]
    lacks: tuple[str, ...]
    question: str = ""


Check: TypeAlias = Current | Past | AsOf | Never | Told


@dataclass(frozen=True, slots=True)
class Ask:
    """Questions, put when everything said so far has been extracted."""

    at: datetime
    checks: tuple[Check, ...]


Step: TypeAlias = Say | Write | Amend | Register | Rebuild | Ask


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation with its registry, its steps, and where it stands (file and line)."""

    id: str
    category: str
    language: str
    why: str
    zone: str
    predicates: Mapping[str, Mapping[str, Any]]
    entities: Mapping[str, Mapping[str, Any]]
    questions: Mapping[str, str]
    steps: tuple[Step, ...]
    place: str = ""

    @property
    def checks(self) -> tuple[Check, ...]:
        """All its questions, in order."""
        return tuple(check for step in self.steps if isinstance(step, Ask) for check in step.checks)

    def type_of(self, predicate: str) -> str:
        """Give the type of a predicate's values."""
        return str(self.predicates.get(predicate, {}).get("type", "text"))
