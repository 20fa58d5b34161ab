"""State: the values of a scope at a moment."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from .display import fact_table, pictured
from .fact import Fact
from .freshness import Freshness
from .profile import fill_model

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Shown:
    """The facts a state is made of, each sort in reading order."""

    facts: tuple[Fact, ...] = ()
    planned: tuple[Fact, ...] = ()
    candidates: tuple[Fact, ...] = ()


class State:
    """The values of a scope at a moment, with how fresh they are, from one snapshot.

    ``facts`` are shown now, ``planned`` and ``candidates`` wait. ``version`` changes whenever the state may have;
    ``next_change_at`` is when it will change by itself. ``at`` is the moment it speaks of, ``rev`` the revision.
    """

    __slots__ = ("_shown", "_tell", "at", "freshness", "many", "next_change_at", "rev", "user_id", "version")

    _shown: Shown | None
    _tell: Callable[[], Shown]
    user_id: str
    rev: int
    version: str
    at: datetime
    next_change_at: datetime | None
    freshness: Freshness
    many: frozenset[str]

    def __init__(
        self,
        user_id: str,
        tell: Callable[[], Shown],
        *,
        rev: int,
        version: str,
        at: datetime,
        next_change_at: datetime | None,
        freshness: Freshness,
        many: frozenset[str] = frozenset(),
    ) -> None:
        setting = object.__setattr__
        setting(self, "user_id", user_id)
        setting(self, "_tell", tell)
        setting(self, "_shown", None)
        setting(self, "rev", rev)
        setting(self, "version", version)
        setting(self, "at", at)
        setting(self, "next_change_at", next_change_at)
        setting(self, "freshness", freshness)
        setting(self, "many", many)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a state can't be changed: {name}")

    @property
    def shown(self) -> Shown:
        """All facts of the snapshot, made from its rows when first asked for."""
        found = self._shown
        if found is None:
            found = self._tell()
            object.__setattr__(self, "_shown", found)
        return found

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts shown, of the user first."""
        return self.shown.facts

    @property
    def planned(self) -> tuple[Fact, ...]:
        """What is planned: never current by itself."""
        return self.shown.planned

    @property
    def candidates(self) -> tuple[Fact, ...]:
        """What waits for review."""
        return self.shown.candidates

    def seen(self, at: datetime, freshness: Freshness) -> State:
        """Give the same state as another read of it sees it."""
        return State(
            self.user_id, lambda: self.shown, rev=self.rev, version=self.version, at=at,
            next_change_at=self.next_change_at, freshness=freshness, many=self.many,
        )  # fmt: skip

    def _key(self) -> tuple[Any, ...]:
        return self.user_id, self.shown, self.rev, self.version, self.at, self.next_change_at, self.freshness

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.user_id, self.rev, self.version, self.at))

    def __repr__(self) -> str:
        return f"State({self.user_id!r}, {self.values!r}, rev={self.rev}, is_current={self.freshness.is_current})"

    def _repr_html_(self) -> str:
        fresh = self.freshness
        note = "" if fresh.is_current else f"not current: {fresh.pending} pending, {fresh.failed} failed"
        return pictured(self, fact_table((*self.facts, *self.planned, *self.candidates), note))

    def __reduce__(self) -> tuple[Any, ...]:
        rest = (self.rev, self.version, self.at, self.next_change_at, self.freshness, self.many)
        return _shown_state, (self.user_id, self.shown, *rest)

    @property
    def values(self) -> dict[str, Any]:
        """Give the values of subject ``user``: one → value, many → tuple; nothing held → absent."""
        return self._values_of("user")

    @property
    def by_subject(self) -> dict[str, dict[str, Any]]:
        """Give the values of every subject."""
        return {subject: self._values_of(subject) for subject in dict.fromkeys(fact.subject for fact in self.facts)}

    def get(self, predicate: str, default: Any = None) -> Any:
        """Give a value of subject ``user``, or the default."""
        return self.values.get(predicate, default)

    def fact(self, predicate: str, value: Any = None, *, subject: str = "user") -> Fact | None:
        """Give the fact shown for a predicate (for many-valued ones: of a value), or None."""
        for fact in self.facts:
            if (fact.predicate, fact.subject) == (predicate, subject) and value in (None, fact.value, fact.object):
                return fact
        return None

    def as_model(self, model: type[M]) -> M:
        """Give the values as an instance of a pydantic model; raises pydantic's ValidationError where they don't fit.

        Fields are read by predicate name; a nested model reads the subject of its field's name.
        """
        return fill_model(model, self.by_subject)

    def _values_of(self, subject: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for fact in self.facts:
            if fact.subject != subject:
                continue
            # A caller may change what it is given; the state, which others are given too, stays as it is.
            value = deepcopy(fact.value) if isinstance(fact.value, (dict, list)) else fact.value
            if fact.predicate in self.many:
                found[fact.predicate] = (*found.get(fact.predicate, ()), value)
            else:
                found[fact.predicate] = value
        return found

    def __str__(self) -> str:
        lines = [str(fact) for fact in self.facts] or ["nothing known"]
        if not self.freshness.is_current:
            lines.append(f"(not current: {self.freshness.pending} pending, {self.freshness.failed} failed)")
        return "\n".join(lines)


def _shown_state(user_id: str, shown: Shown, *rest: Any) -> State:
    names = ("rev", "version", "at", "next_change_at", "freshness", "many")
    return State(user_id, lambda: shown, **dict(zip(names, rest, strict=True)))
