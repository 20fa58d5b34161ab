"""The registry's values: attributes that may be remembered, and names that mean the same thing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal, TypeAlias

Cardinality: TypeAlias = Literal["one", "many"]
ValueType: TypeAlias = Literal[
    "text", "number", "bool", "date", "datetime", "duration", "enum", "entity", "json"
]
VALUE_TYPES = ("text", "number", "bool", "date", "datetime", "duration", "enum", "entity", "json")
DEFAULT_WRITERS = ("user", "application")
ROLES = ("user", "assistant", "system", "tool", "application")
"""Who may speak. A source label of the same name gives none of a role's rights."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A registered attribute: cardinality, value type and policy.

    ``ttl`` is how long a statement holds without being renewed; ``review_after`` how old evidence may grow before
    the fact is due for review. ``writers`` are the roles or source labels that may write (default: the user's
    messages and the application). ``trust`` orders sources: the most trusted first, or label → rank.
    """

    name: str
    cardinality: Cardinality = "one"
    type: ValueType = "text"
    description: str = ""
    aliases: tuple[str, ...] = ()
    choices: tuple[Any, ...] | None = None
    ttl: timedelta | None = None
    review_after: timedelta | None = None
    writers: tuple[str, ...] | None = None
    trust: Mapping[str, int] | tuple[str, ...] | None = None
    min_confidence: float | None = None
    verbatim: bool | None = None
    examples: tuple[str, ...] = ()

    @property
    def is_many(self) -> bool:
        """Whether a slot of this predicate holds several values at once."""
        return self.cardinality == "many"

    def rank_of(self, source: str) -> int:
        """Give the trust rank of a source label: 0 unless ``trust`` names it; a higher one is not displaced."""
        if self.trust is None:
            return 0
        if isinstance(self.trust, Mapping):
            return int(self.trust.get(source, 0))
        return len(self.trust) - self.trust.index(source) if source in self.trust else 0


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing with a name and the other names it goes by."""

    name: str
    aliases: tuple[str, ...] = ()
    kind: str = "thing"
