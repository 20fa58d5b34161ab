"""Entries of the log: what was said and decided, never updated; erasing puts one without content in their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EntryKind(StrEnum):
    """What an entry records."""

    MESSAGE = "message"
    WRITE = "write"
    EXTRACTION = "extraction"
    SKIP = "skip"
    CORRECTION = "correction"
    REINSTATEMENT = "reinstatement"
    REVIEW = "review"
    PREDICATE = "predicate"
    ERASURE = "erasure"
    ENTITY = "entity"


EPISODES = frozenset(
    {
        EntryKind.MESSAGE,
        EntryKind.WRITE,
        EntryKind.CORRECTION,
        EntryKind.REINSTATEMENT,
        EntryKind.REVIEW,
        EntryKind.ERASURE,
    }
)
"""Kinds that get a seq of their own; extractions and skips carry the seq of their message.

An erasure stands in the place of what was erased: with an ``extraction`` it is no episode but what is left of one.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a scope's log.

    ``rev`` numbers every entry, ``seq`` the episodes (an extraction or skip carries its message's). ``extraction``
    counts the extractions of a message from 1; it is 0 for other kinds. Times are microseconds. ``body`` is what the
    kind carries, as JSON knows it.
    """

    kind: EntryKind
    rev: int
    seq: int
    recorded_at: int
    said_at: int
    extraction: int = 0
    body: Mapping[str, Any] = field(default_factory=dict)
