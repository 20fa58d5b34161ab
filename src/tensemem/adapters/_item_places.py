"""Where the items of a key-value store live in a memory: as json facts of their own, or as a user's typed facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..core.jsonforms import plain_json
from ..core.text import comparison_key
from ..errors import InvalidValueError
from ..memory import Memory
from ..model.fact import Fact
from ..model.operation import Operation
from ..model.predicate import Predicate
from ..model.results import ScopeInfo, State
from ._item_names import key_of_subject, labels_of_user, subject_of_key, user_of_labels

ITEM = "item"
PLAIN = (str, int, float, bool, dict, list, type(None))
"""What JSON can carry."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one key holds: its value, and the facts that say so (several where the attribute is many-valued)."""

    key: str
    value: dict[str, Any]
    facts: tuple[Fact, ...]


class Place(Protocol):
    """A part of the store's namespaces, and how its items are kept. ``tenant`` is the memory's namespace for them."""

    @property
    def tenant(self) -> str | None:
        """The memory's namespace that the scopes are in; None for the memory's own."""

    def user_of(self, labels: tuple[str, ...]) -> str:
        """Give whose scope a namespace is."""

    def slot(self, key: str) -> tuple[str, str]:
        """Give the predicate and the subject of a key."""

    def scopes(self, prefix: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
        """Give the namespaces under a prefix that may hold items, each with its user id."""

    def found(self, state: State) -> Iterator[Found]:
        """Give the items of a scope."""

    def operation(self, key: str, value: Mapping[str, Any]) -> Operation:
        """Give what puts a value. Raises InvalidValueError for one that can't be put here."""


@dataclass
class Items:
    """Arbitrary items: a scope for each namespace, a subject for each key, the value as one json fact."""

    memory: Memory
    tenant: str
    _is_ready: bool = field(default=False, init=False)

    def user_of(self, labels: tuple[str, ...]) -> str:
        """Give the user id that stands for a namespace."""
        return user_of_labels(labels)

    def slot(self, key: str) -> tuple[str, str]:
        """Give the one predicate, and the subject that stands for a key."""
        return ITEM, subject_of_key(key)

    def scopes(self, prefix: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
        """Give the namespaces under a prefix, each with its user id."""
        for info in _scopes(self.memory, user_of_labels(prefix), self.tenant):
            labels = labels_of_user(info.user_id)
            if labels[: len(prefix)] == prefix and not info.agent_id:
                yield labels, info.user_id

    def found(self, state: State) -> Iterator[Found]:
        """Give the items of a scope."""
        for fact in state.facts:
            if fact.predicate == ITEM:
                yield Found(key_of_subject(fact.subject), dict(fact.value), (fact,))

    def operation(self, key: str, value: Mapping[str, Any]) -> Operation:
        """Give what sets a value; the predicate is registered before the first. Raises InvalidValueError."""
        plain = plain_json(value, name=f"the value of {key!r}")
        if not self._is_ready:
            said = "an item of a key-value store"
            self.memory.register_predicate(ITEM, type="json", description=said, namespace=self.tenant)
            self._is_ready = True
        return Operation("set", ITEM, plain, subject=subject_of_key(key))


@dataclass(frozen=True)
class Facts:
    """What is known of a user: ``(*prefix, user_id)`` shows one item ``{"value": …}`` for each attribute that holds."""

    memory: Memory
    prefix: tuple[str, ...]
    tenant: None = None

    def user_of(self, labels: tuple[str, ...]) -> str:
        """Give the last label. Raises InvalidValueError for a namespace of another depth."""
        if len(labels) != len(self.prefix) + 1:
            raise InvalidValueError(f"facts stand in {(*self.prefix, 'USER')}, not in {labels}")
        return labels[-1]

    def slot(self, key: str) -> tuple[str, str]:
        """Give the attribute that a key names, by name or alias, of the user."""
        known = self._predicate(key)
        return (key if known is None else known.name), "user"

    def _predicate(self, key: str) -> Predicate | None:
        asked = comparison_key(key)
        names = ((each, (each.name, *each.aliases)) for each in self.memory.predicates())
        return next((each for each, known in names if asked in map(comparison_key, known)), None)

    def scopes(self, prefix: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
        """Give the users; those whose id could not be a label have no namespace."""
        for info in _scopes(self.memory, "", None):
            labels = (*self.prefix, info.user_id)
            if not info.agent_id and "." not in info.user_id and labels[: len(prefix)] == prefix:
                yield labels, info.user_id

    def found(self, state: State) -> Iterator[Found]:
        """Give what holds of the user, one item for each attribute."""
        held: dict[str, list[Fact]] = {}
        for fact in state.facts:
            if fact.subject == "user":
                held.setdefault(fact.predicate, []).append(fact)
        for name, facts in held.items():
            values = [fact.value if isinstance(fact.value, PLAIN) else fact.object for fact in facts]
            yield Found(name, {"value": values if name in state.many else values[0]}, tuple(facts))

    def operation(self, key: str, value: Mapping[str, Any]) -> Operation:
        """Give what sets a value, or replaces all values of a many-valued attribute."""
        if set(value) != {"value"}:
            raise InvalidValueError(f"a fact is put as {{'value': …}}, not as a dict with the keys {sorted(value)}")
        given = value["value"]
        known = self._predicate(key)
        is_list = known is not None and known.cardinality == "many" and isinstance(given, (list, tuple))
        if is_list and not given:
            return Operation("retract", key)
        return Operation("replace" if is_list else "set", key, given)


def _scopes(memory: Memory, prefix: str, tenant: str | None) -> Iterator[ScopeInfo]:
    after: str | None = None
    while page := memory.scopes(prefix, limit=1000, after=after, namespace=tenant):
        yield from page
        after = page[-1].cursor
