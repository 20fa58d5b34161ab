"""The fields of the documents of those results that keep theirs to themselves until they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..model.fact import Fact
from ..model.freshness import Freshness
from ..model.results import Change, Decision


@dataclass(frozen=True, slots=True)
class ToldState:
    """What the document of a State holds. ``values`` and ``by_subject`` follow from the facts."""

    user_id: str
    at: datetime
    rev: int
    version: str
    next_change_at: datetime | None
    facts: tuple[Fact, ...]
    planned: tuple[Fact, ...]
    candidates: tuple[Fact, ...]
    many: frozenset[str]
    freshness: Freshness
    values: Mapping[str, Any] = field(default_factory=dict)
    by_subject: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToldReceipt:
    """What the document of a WriteResult holds. ``changed`` and ``fact_id`` follow from the others."""

    seq: int
    rev: int
    duplicate: bool
    current: bool
    fact_ids: tuple[str, ...]
    shown: Fact | None
    changes: tuple[Change, ...]
    decisions: tuple[Decision, ...]
    redactions: Mapping[str, int]
    durability: str
    changed: bool = False
    fact_id: str | None = None
