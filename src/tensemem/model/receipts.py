"""Receipts of writes: where they stand in the log, and what they did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .fact import Fact


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one proposed operation, with the reason for it.

    ``outcome`` is ``"admitted"``, ``"held"``, ``"planned"``, ``"refused"``, ``"skipped"`` (nothing was proposed)
    or ``"erased"``. ``reason`` is a code of the admission table, or tells what the claim did to its slot. ``operation``
    is the proposal as it was made, without its quote where the message's text is gone; empty where it was forgotten.
    """

    seq: int
    outcome: str
    reason: str = ""
    claim_id: str | None = None
    operation: Mapping[str, Any] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One value that changed: what the slot showed before and shows now, and why.

    ``kind`` is ``"began"``, ``"ended"`` or ``"moved"`` (the same value over other times). ``rev`` is the log entry
    that did it and ``why`` its kind.
    """

    rev: int
    kind: str
    subject: str
    predicate: str
    value: Any
    fact_id: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    why: str = ""
    seq: int = 0
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class AddResult:
    """Receipt of ``add``: where the messages stand in the log.

    ``seq`` is the last message's, ``seqs`` all of them. ``duplicate`` tells that nothing new was stored. ``settled``
    tells that extraction is done with them. ``redactions`` counts the secrets replaced, by kind.
    """

    seq: int
    seqs: tuple[int, ...]
    rev: int
    duplicate: bool = False
    settled: bool = False
    redactions: Mapping[str, int] = field(default_factory=dict)
    durability: str = "power"


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """What a write did, as its receipt tells it."""

    fact_ids: tuple[str, ...] = ()
    current: bool = False
    shown: Fact | None = None
    changes: tuple[Change, ...] = ()
    decisions: tuple[Decision, ...] = ()


class WriteResult:
    """Receipt of an explicit write or a correction: what it did to the state.

    ``seq`` and ``rev`` say where it stands in the log. ``fact_id`` is the fact it supports (the first of ``fact_ids``).
    ``current`` tells whether what was written is shown now; ``shown`` is the fact shown now in that slot, if any.
    ``changed`` tells whether any value changed and ``changes`` lists them. A write whose time has been overtaken by
    later evidence is kept, with ``current`` False. ``redactions`` counts the secrets replaced, by kind.

    All of it is of the transaction that wrote it; what costs something to tell is worked out when it is asked for.
    """

    __slots__ = ("_outcome", "_tell", "duplicate", "durability", "redactions", "rev", "seq")

    _outcome: WriteOutcome | None
    _tell: Callable[[], WriteOutcome]
    seq: int
    rev: int
    redactions: Mapping[str, int]
    durability: str
    duplicate: bool

    def __init__(
        self,
        seq: int,
        rev: int,
        tell: Callable[[], WriteOutcome],
        *,
        redactions: Mapping[str, int] | None = None,
        durability: str = "power",
        duplicate: bool = False,
    ) -> None:
        given = (seq, rev, tell, None, redactions or {}, durability, duplicate)
        names = ("seq", "rev", "_tell", "_outcome", "redactions", "durability", "duplicate")
        for name, value in zip(names, given, strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a receipt can't be changed: {name}")

    @property
    def outcome(self) -> WriteOutcome:
        """Everything the write did."""
        found = self._outcome
        if found is None:
            found = self._tell()
            object.__setattr__(self, "_outcome", found)
        return found

    @property
    def fact_id(self) -> str | None:
        """The id of the fact the first operation supports."""
        return self.outcome.fact_ids[0] if self.outcome.fact_ids else None

    @property
    def fact_ids(self) -> tuple[str, ...]:
        """The ids of the facts its operations support, in order."""
        return self.outcome.fact_ids

    @property
    def current(self) -> bool:
        """Whether what was written is shown now."""
        return self.outcome.current

    @property
    def shown(self) -> Fact | None:
        """The fact shown now in the first operation's slot."""
        return self.outcome.shown

    @property
    def changed(self) -> bool:
        """Whether any value changed."""
        return bool(self.outcome.changes)

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every value that changed."""
        return self.outcome.changes

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What became of each operation."""
        return self.outcome.decisions

    def _key(self) -> tuple[Any, ...]:
        return self.seq, self.rev, self.outcome, dict(self.redactions), self.durability, self.duplicate

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WriteResult) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.seq, self.rev, self.fact_ids))

    def __repr__(self) -> str:
        return (
            f"WriteResult(seq={self.seq}, rev={self.rev}, fact_id={self.fact_id!r}, changed={self.changed}, "
            f"current={self.current}, shown={self.shown!s}, durability={self.durability!r})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _told, (self.seq, self.rev, self.outcome, dict(self.redactions), self.durability, self.duplicate)


def _told(
    seq: int, rev: int, outcome: WriteOutcome, redactions: dict[str, int], durability: str, duplicate: bool
) -> WriteResult:
    return WriteResult(
        seq, rev, lambda: outcome, redactions=redactions, durability=durability, duplicate=duplicate
    )
