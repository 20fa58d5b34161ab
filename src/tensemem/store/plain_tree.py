"""The tree that the reference store keeps its state in."""

from __future__ import annotations

import secrets
from copy import copy
from dataclasses import dataclass, field

from ..model.entry import Entry
from ..model.scope import Scope
from ..ports import ClaimRow, FactRow, ForgottenRow, Head, PendingRow, SlotRow, UsageRow, WorkerRow


@dataclass
class Log:
    """All of one scope."""

    head: Head
    entries: list[Entry] = field(default_factory=list)
    keys: dict[str, tuple[int, str]] = field(default_factory=dict)
    slots: dict[int, SlotRow] = field(default_factory=dict)
    claims: dict[tuple[int, int, int], ClaimRow] = field(default_factory=dict)
    facts: dict[tuple[int, int, str, int], FactRow] = field(default_factory=dict)
    pending: dict[int, PendingRow] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)
    indexed_rev: int = 0
    usage: dict[tuple[str, str], UsageRow] = field(default_factory=dict)

    def copied(self) -> Log:
        """Give a copy that shares nothing that ever changes."""
        return Log(
            copy(self.head), list(self.entries), dict(self.keys),
            {id: copy(slot) for id, slot in self.slots.items()}, dict(self.claims), dict(self.facts),
            {seq: copy(row) for seq, row in self.pending.items()}, dict(self.texts), self.indexed_rev,
            dict(self.usage),
        )  # fmt: skip

    @property
    def due(self) -> int | None:
        """When the first waiting message is due; None where none waits."""
        return min((max(row.not_before, 0) for row in self.pending.values() if row.state == "waiting"), default=None)


@dataclass
class Tree:
    """The whole store. ``queue`` holds the scopes that are due at once, in the order in which they get their turn."""

    meta: dict[str, str] = field(default_factory=lambda: {"forget_key": secrets.token_hex(32)})
    ids: dict[Scope, int] = field(default_factory=dict)
    logs: dict[int, Log] = field(default_factory=dict)
    queue: list[int] = field(default_factory=list)
    leases: dict[int, tuple[str, int]] = field(default_factory=dict)
    workers: dict[str, WorkerRow] = field(default_factory=dict)
    forgotten: list[ForgottenRow] = field(default_factory=list)
    removals: set[int] = field(default_factory=set)

    def logs_of(self, namespace: str) -> list[Log]:
        """Give the logs of a namespace, its registry's too."""
        return [self.logs[id] for scope, id in self.ids.items() if scope.namespace == namespace]

    def copied(self) -> Tree:
        """Give a copy that shares the logs, which are copied when they are touched."""
        return Tree(
            dict(self.meta), dict(self.ids), dict(self.logs), list(self.queue), dict(self.leases), dict(self.workers),
            list(self.forgotten), set(self.removals),
        )


def removed_from(log: Log, limit: int) -> dict[str, int]:
    """Remove up to so many rows from a log; gives how many of each table."""
    gone: dict[str, int] = {}
    for table in ("entries", "claims", "facts", "slots", "texts", "keys", "usage"):
        rows = getattr(log, table)
        count = min(len(rows), limit - sum(gone.values()))
        if count:
            setattr(log, table, rows[count:] if isinstance(rows, list) else dict(list(rows.items())[count:]))
            gone[table] = count
    return gone


def usage_of(logs: list[Log]) -> list[UsageRow]:
    """Add up what was used over some logs, by extractor and model."""
    found: dict[tuple[str, str], UsageRow] = {}
    for log in logs:
        for key, used in log.usage.items():
            found[key] = used if key not in found else summed(found[key], used)
    return [used for _, used in sorted(found.items())]


def sizes_of(logs: list[Log]) -> dict[str, int]:
    """Add up what some logs hold."""
    return {
        "scopes": len(logs),
        "entries": sum(log.head.rev - log.head.base_rev for log in logs),
        "episodes": sum(log.head.seq - log.head.base_seq for log in logs),
        "facts": sum(len(log.facts) for log in logs),
        "claims": sum(len(log.claims) for log in logs),
        "pending": sum(log.head.pending for log in logs),
        "failed": sum(log.head.failed for log in logs),
    }


def place_of(fact: FactRow) -> tuple[int, int, str, int]:
    """Give what no two fact rows of a scope share."""
    return fact.slot, fact.kind, fact.key, fact.start


def summed(one: UsageRow, other: UsageRow) -> UsageRow:
    """Add up what one extractor and model has used."""
    numbers = (a + b for a, b in zip(one[2:], other[2:], strict=True))
    return UsageRow(*one[:2], *numbers)
