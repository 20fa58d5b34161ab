"""How long a namespace keeps what: the policy, and what the runs that follow it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

EVERY = "*"
"""Stands for every predicate that a policy does not name."""


@dataclass(frozen=True, slots=True)
class RetentionRun:
    """One run over a namespace's scopes: how many it looked at, and how many message texts and values went.

    ``failed`` counts scopes that something kept from being done; they are tried again by the next run. ``ended_at`` is
    None while it goes on, and where it broke off: the next worker takes it up where it stopped.
    """

    began_at: datetime
    ended_at: datetime | None = None
    scopes: int = 0
    texts: int = 0
    facts: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Retention:
    """How long a namespace keeps message texts, and values after they ended, by predicate; None is for ever.

    ``keep_quotes`` tells that facts keep their quotes when texts go. ``facts`` may hold ``"*"`` for all predicates that
    it does not name. ``last_run`` is the newest run, ``next_run_at`` when another one is due (None: nothing is asked).
    """

    texts: timedelta | None = None
    keep_quotes: bool = False
    facts: Mapping[str, timedelta | None] = field(default_factory=dict)
    last_run: RetentionRun | None = None
    next_run_at: datetime | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it asks for nothing to be removed."""
        return self.texts is None and not any(self.facts.values())
