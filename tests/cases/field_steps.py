"""What a case is made of: steps to take, and what must hold afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tensemem import Operation
from tensemem.errors import TensememError

USER = "ann"


@dataclass(frozen=True)
class Say:
    """A message, and what the extractor proposes from it.

    ``heard`` is when it is recorded, where that is later than when it was said. ``fails`` are the answers before the
    one that counts: errors, or what is no answer at all; where nothing is proposed (None), the last of them stays.
    ``rulings`` is what must become of the proposals. ``recall`` puts the text of ``context()`` before the message.
    ``repeats`` is the step that this message is a retry of.
    """

    at: str
    text: str
    proposes: tuple[Any, ...] | None = ()
    role: str = "user"
    heard: str | None = None
    key: str | None = None
    fails: tuple[Any, ...] = ()
    rulings: tuple[str, ...] | None = None
    recall: bool = False
    repeats: int | None = None


@dataclass(frozen=True)
class Put:
    """An explicit write: `set`, or `add_value` where ``adds`` says so. ``raises`` is the error it must end in."""

    at: str
    predicate: str
    value: Any
    of: str = "user"
    user: str = USER
    adds: bool = False
    key: str | None = None
    raises: type[TensememError] | None = None


@dataclass(frozen=True)
class Swap:
    """Several operations written as one entry."""

    at: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True)
class Undo:
    """The fact that came from a step was never true."""

    at: str
    step: int


@dataclass(frozen=True)
class Look:
    """A read in between: the values, and how many messages wait where nothing was extracted so far."""

    values: Mapping[Slot | str, Any] = field(default_factory=dict)
    pending: int | None = None


@dataclass(frozen=True)
class Again:
    """What waits is tried once more."""

    at: str


@dataclass(frozen=True)
class Crash:
    """The process is killed, and the file is opened by another one."""

    at: str


Step = Say | Put | Swap | Undo | Look | Again | Crash


@dataclass(frozen=True)
class Slot:
    """An attribute of somebody, in somebody's memory."""

    predicate: str
    of: str = "user"
    user: str = USER


def slot(given: Slot | str) -> Slot:
    """A name alone is an attribute of the user."""
    return Slot(given) if isinstance(given, str) else given


@dataclass(frozen=True)
class Was:
    """One fact of a history. ``said`` are the steps it rests on, counting those that were put into the log."""

    slot: Slot | str
    value: Any
    since: str | None
    until: str | None = None
    status: str = "active"
    said: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Case:
    """A conversation, and what is known after it. A value of None means that nothing is shown."""

    title: str
    predicates: Mapping[str, Mapping[str, Any]]
    steps: tuple[Step, ...]
    values: Mapping[Slot | str, Any]
    history: tuple[Was, ...] = ()
    entities: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    leaves_pending: int = 0
