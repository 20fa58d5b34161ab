"""Rows as stores keep them, which they do not interpret: ``body`` columns are JSON text made above."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from .scope import Scope

NEVER = 2**63 - 1
"""Later than every place in a log."""

FILLING = -1
"""The ``Head.registry_rev`` of a scope that is being copied to this store: until it is whole, nobody may use it."""


@dataclass(slots=True)
class Head:
    """The one row that stands for a scope: its counters. ``id`` is the store's own number for it.

    ``last_said`` and ``last_recorded`` are the latest times in its log; ``registry_rev`` the registry revision its
    projection was made with; ``pending`` and ``failed`` count messages that are not settled. ``base_rev`` and
    ``base_seq`` are where a former life of the scope, which was forgotten, ended: its log begins
    behind them. ``stamp`` tells two states of one revision apart where a store may lose commits and count on from an
    earlier one; the others leave it at 0.
    """

    id: int
    scope: Scope
    rev: int = 0
    seq: int = 0
    last_said: int = -(2**62)
    last_recorded: int = -(2**62)
    registry_rev: int = 0
    pending: int = 0
    failed: int = 0
    base_rev: int = 0
    base_seq: int = 0
    stamp: int = field(default=0, compare=False)


@dataclass(slots=True)
class SlotRow:
    """One slot: whose attribute it is, and what is needed to append to it without reading it all.

    ``horizon`` is the latest start or through of its claims; ``last_said`` and ``last_seq`` are the newest of its
    statements and amendments. ``plain`` tells that nothing waits in it and no source outranks another. ``named_at``
    is the place in the log of the claim whose spelling of the subject is shown: the first one, whenever it came.
    ``last_rev`` is the revision of the newest entry that speaks of it. Behind ``ordered_from`` every entry that does
    states one thing on a later time than all before it (NEVER: nothing is known of that). ``whole`` tells that its
    history is its runs, and statements in force.
    """

    id: int
    subject_key: str
    predicate_key: str
    subject: str
    predicate: str
    horizon: int = -(2**62)
    last_said: int = -(2**62)
    last_seq: int = 0
    plain: bool = True
    named_at: int = NEVER
    last_rev: int = 0
    ordered_from: int = NEVER
    whole: bool = False


class ClaimRow(NamedTuple):
    """One proposed operation or amendment as its slot keeps it. ``body`` is JSON text.

    ``kind`` is a claim's or amendment's kind, ``outcome`` what admission said ("" for amendments).
    """

    slot: int
    seq: int
    extraction: int
    number: int
    kind: str
    outcome: str
    value_key: str
    body: str


class FactRow(NamedTuple):
    """One run of a slot, or one value that waits in it. ``end`` is FOREVER where open; ``body`` is JSON text.

    ``kind`` is 0 for a run, 1 for a candidate, 2 for a plan. (slot, kind, key, start) is unique.
    """

    slot: int
    kind: int
    key: str
    start: int
    end: int
    body: str


@dataclass(slots=True)
class PendingRow:
    """A message that is not settled: ``state`` is "waiting" or "failed"; times are microseconds."""

    scope_id: int
    seq: int
    state: str = "waiting"
    attempts: int = 0
    not_before: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A process that extracts: where it runs, since when, and when it last said so (microseconds)."""

    id: str
    host: str
    pid: int
    started: str
    beat: int


class UsageRow(NamedTuple):
    """What an extractor has used over the messages of a scope, or of a namespace."""

    extractor: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    milliseconds: int


class ForgottenRow(NamedTuple):
    """One line of the ledger of what was forgotten: keyed hashes, and nothing that can be read.

    ``scope`` is the mark of whose it was and ``mark`` of what. ``rev`` and ``seq`` are where the scope's log ended,
    ``at`` is when (microseconds). ``data`` is JSON text.
    """

    kind: str
    scope: str
    mark: str
    rev: int
    seq: int
    at: int
    data: str = ""

    @property
    def place(self) -> tuple[str, str, str, int, int]:
        """What no two lines share, and are in the order of."""
        return self.scope, self.kind, self.mark, self.at, self.rev
