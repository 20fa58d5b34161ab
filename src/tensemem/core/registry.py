"""The registry: which attributes may be remembered, and which names mean the same thing, as of one revision.

It is folded from the registry's own log. Names in entries stand as given; they are read through the registry of today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TypeVar

from ..errors import PredicateConflictError
from ..model.entry import Entry, EntryKind
from ..model.predicate import Entity, Predicate
from .definitions import (
    check_predicate_name,
    entity_body,
    entity_of,
    make_entity,
    make_predicate,
    predicate_body,
    predicate_name_key,
    predicate_of,
)
from .subjects import subject_of
from .text import comparison_key

__all__ = [
    "Registry",
    "changed_names",
    "check_predicate_name",
    "entity_body",
    "entity_of",
    "make_entity",
    "make_predicate",
    "predicate_body",
    "predicate_name_key",
    "predicate_of",
]

T = TypeVar("T")


@dataclass(frozen=True)
class Registry:
    """One state of a namespace's registry. ``predicates`` and ``entities`` are by the key of their own name."""

    rev: int = 0
    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    entities: Mapping[str, Entity] = field(default_factory=dict)

    _predicate_keys: Mapping[str, str] = field(init=False, repr=False, compare=False)
    _as_written: Mapping[str, str] = field(init=False, repr=False, compare=False)
    _entity_keys: Mapping[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        aliases = {key: p.aliases for key, p in self.predicates.items()}
        object.__setattr__(self, "_predicate_keys", _names(aliases, predicate_name_key))
        written = {p.name: key for key, p in self.predicates.items()}
        object.__setattr__(self, "_as_written", written)
        aliases = {key: e.aliases for key, e in self.entities.items()}
        object.__setattr__(self, "_entity_keys", _names(aliases, comparison_key))

    @cached_property
    def many_names(self) -> frozenset[str]:
        """The names of the many-valued predicates."""
        return frozenset(predicate.name for predicate in self.predicates.values() if predicate.is_many)

    def with_entry(self, entry: Entry) -> Registry:
        """Give the registry as it is after one more entry of its log."""
        predicates, entities = dict(self.predicates), dict(self.entities)
        if entry.kind is EntryKind.PREDICATE:
            predicate = predicate_of(entry.body)
            predicates[predicate_name_key(predicate.name)] = predicate
        elif entry.kind is EntryKind.ENTITY:
            entity = entity_of(entry.body)
            entities[comparison_key(entity.name)] = entity
        return Registry(max(self.rev, entry.rev), predicates, entities)

    @staticmethod
    def build(entries: Iterable[Entry]) -> Registry:
        """Give the registry that a registry log makes; a later definition of a name replaces the earlier one."""
        rev = 0
        predicates: dict[str, Predicate] = {}
        entities: dict[str, Entity] = {}
        for entry in entries:
            rev = max(rev, entry.rev)
            if entry.kind is EntryKind.PREDICATE:
                predicate = predicate_of(entry.body)
                predicates[predicate_name_key(predicate.name)] = predicate
            elif entry.kind is EntryKind.ENTITY:
                entity = entity_of(entry.body)
                entities[comparison_key(entity.name)] = entity
        return Registry(rev, predicates, entities)

    def predicate(self, name: str) -> Predicate | None:
        """Give a predicate by its name or an alias, or by the key of either; None where it is not registered."""
        return self.predicates.get(self.predicate_key(name))

    def predicate_key(self, name: str) -> str:
        """Give the key of the predicate a name belongs to; the name's own key where none is registered."""
        known = self._as_written.get(name)
        if known is not None:
            return known
        key = predicate_name_key(name)
        return self._predicate_keys.get(key, key)

    def entity(self, text: str) -> Entity | None:
        """Give the entity that goes by a name, or None."""
        return self.entities.get(self.entity_key(text))

    def entity_key(self, text: str) -> str:
        """Give the key of the entity a text names; the text's own comparison key where it names none."""
        key = comparison_key(text)
        return self._entity_keys.get(key, key)

    def names_of(self, key: str) -> tuple[str, ...]:
        """Give the name and all aliases of the entity a key belongs to; nothing where there is none."""
        entity = self.entity(key)
        return () if entity is None else (entity.name, *entity.aliases)

    def subject(self, name: str) -> tuple[str, str]:
        """Give a subject's key and shown name, relations and aliases resolved; raises InvalidValueError."""
        return subject_of(name, self)

    def remembering(self) -> Registry:
        """Give the same registry that works each subject out once: for one fold, since it keeps what it has seen."""
        return _Remembering(self.rev, self.predicates, self.entities)

    def check_predicate(self, candidate: Predicate, update: bool = False) -> Predicate | None:
        """Give the definition to log, or None where the very same one is registered already.

        Raises PredicateConflictError where the name has another definition and ``update`` is False, and where the
        name or an alias belongs to another predicate.
        """
        key = predicate_name_key(candidate.name)
        for name in (candidate.name, *candidate.aliases):
            owner = self._predicate_keys.get(predicate_name_key(name), key)
            if owner != key:
                known = self.predicates[owner].name
                raise PredicateConflictError(
                    f"{candidate.name}: {name!r} is a name of the predicate {known!r} already. Use that one, or take "
                    f"the alias from it first."
                )
        existing = self.predicates.get(key)
        if existing is None:
            return candidate
        different = _differences(existing, candidate)
        if not different:
            return None
        if not update:
            raise PredicateConflictError(
                f"{candidate.name} is registered with another {' and '.join(different)}. Pass update=True to change it."
            )
        return candidate

    def check_entity(self, candidate: Entity) -> Entity | None:
        """Give the entity to log, with the aliases it has already; None where that is nothing new.

        The newest spelling of the name counts, and a kind other than "thing". Raises PredicateConflictError where the
        name or an alias belongs to another entity.
        """
        key = comparison_key(candidate.name)
        for name in (candidate.name, *candidate.aliases):
            owner = self._entity_keys.get(comparison_key(name), key)
            if owner != key:
                known = self.entities[owner].name
                raise PredicateConflictError(f"{candidate.name}: {name!r} is a name of the entity {known!r} already.")
        existing = self.entities.get(key)
        if existing is None:
            return candidate
        added = [a for a in candidate.aliases if comparison_key(a) not in map(comparison_key, existing.aliases)]
        kind = existing.kind if candidate.kind == "thing" else candidate.kind
        merged = Entity(candidate.name, (*existing.aliases, *added), kind)
        return None if merged == existing else merged


_REMEMBERED = 20_000
"""Subjects kept at a time."""


@dataclass(frozen=True)
class _Remembering(Registry):
    _subjects: dict[str, tuple[str, str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def subject(self, name: str) -> tuple[str, str]:
        found = self._subjects.get(name)
        if found is None:
            if len(self._subjects) >= _REMEMBERED:
                self._subjects.clear()
            found = self._subjects[name] = subject_of(name, self)
        return found


def changed_names(old: Registry, new: Registry) -> tuple[frozenset[str], frozenset[str]]:
    """Give the keys of predicates and of entities that differ between two registries.

    Each with all its names and aliases, old and new: a slot or value known by any of them may have changed.
    """
    predicates = {
        predicate_name_key(name)
        for p in _changed(old.predicates, new.predicates)
        for name in (p.name, *p.aliases)
    }  # fmt: skip
    entities = {comparison_key(n) for e in _changed(old.entities, new.entities) for n in (e.name, *e.aliases)}
    return frozenset(predicates), frozenset(entities)


def _names(aliases: Mapping[str, tuple[str, ...]], key_of: Callable[[str], str]) -> dict[str, str]:
    """Give every name's key → the key it belongs to. Names come before aliases, earlier definitions before later."""
    found = {key: key for key in aliases}
    for key, others in aliases.items():
        for other in others:
            found.setdefault(key_of(other), key)
    return found


def _differences(existing: Predicate, candidate: Predicate) -> list[str]:
    """Name what differs between two definitions; the order of aliases and of writers says nothing."""
    before, after = _unordered(existing), _unordered(candidate)
    return [item.name for item in fields(Predicate) if getattr(before, item.name) != getattr(after, item.name)]


def _unordered(predicate: Predicate) -> Predicate:
    return replace(
        predicate,
        name=predicate_name_key(predicate.name),
        aliases=tuple(sorted(map(predicate_name_key, predicate.aliases))),
        writers=None if predicate.writers is None else tuple(sorted(predicate.writers)),
    )


def _changed(old: Mapping[str, T], new: Mapping[str, T]) -> Iterator[T]:
    for key in old.keys() | new.keys():
        before, after = old.get(key), new.get(key)
        if before != after:
            yield from (item for item in (before, after) if item is not None)
