"""What may not come back: the rules that forgetting a slot, a subject or a value leaves in a scope's log.

A rule is a mark: a keyed hash of the names' keys, under a key of the scope's own that stands in the log beside it. So a
log says by itself what it refuses, wherever it is moved to, and says to nobody what that was. A rule speaks of all that
was stated before the forgetting: with a smaller seq, or not later than it. What is said after it counts.

Names are compared under everything they go by: the key they have through the registry of today, the key of the words as
they were written, and those of all aliases. So an alias learned later neither brings a forgotten value back nor hides
it from its rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import InvalidValueError
from ..model.predicate import Predicate
from .definitions import predicate_name_key
from .marks import mark
from .registry import Registry
from .text import comparison_key
from .values import parse_value


@dataclass(frozen=True, slots=True)
class Before:
    """The moment of a forgetting: what has a smaller seq, or was said no later, was stated before it."""

    seq: int
    said_at: int

    def covers(self, seq: int, said_at: int) -> bool:
        """Tell whether something was stated before this moment."""
        return seq < self.seq or said_at <= self.said_at


@dataclass(frozen=True, slots=True)
class SlotNames:
    """Every key that a slot's subject and predicate go by."""

    subjects: frozenset[str]
    predicates: frozenset[str]


@dataclass(frozen=True)
class Forgotten:
    """The rules of one scope. ``rev`` is the revision of the newest removal from its log; 0 where there was none."""

    key: bytes
    marks: Mapping[str, Before] = field(default_factory=dict)
    rev: int = 0

    def with_marks(self, marks: Iterable[str], before: Before) -> Forgotten:
        """Give the rules with some more."""
        return Forgotten(self.key, {**self.marks, **dict.fromkeys(marks, before)}, self.rev)

    def covers_slot(self, names: SlotNames, seq: int, said_at: int) -> bool:
        """Tell whether a statement speaks of a slot, or a subject, that was forgotten after it."""
        return self._is_covered(slot_marks(self.key, names), seq, said_at) or self._is_covered(
            (mark(self.key, "subject", subject) for subject in names.subjects), seq, said_at
        )

    def covers_value(self, names: SlotNames, values: Iterable[str], seq: int, said_at: int) -> bool:
        """Tell whether a statement names a value that was forgotten after it; ``values`` are all its keys."""
        return self._is_covered(value_marks(self.key, names, values), seq, said_at)

    def _is_covered(self, marks: Iterable[str], seq: int, said_at: int) -> bool:
        found = (self.marks.get(one) for one in marks)
        return any(before is not None and before.covers(seq, said_at) for before in found)


def slot_marks(key: bytes, names: SlotNames) -> list[str]:
    """Give the marks of a slot under all its names."""
    return [mark(key, "slot", subject, predicate) for subject in names.subjects for predicate in names.predicates]


def subject_marks(key: bytes, subjects: Iterable[str]) -> list[str]:
    """Give the marks of a subject under all its names."""
    return [mark(key, "subject", subject) for subject in subjects]


def value_marks(key: bytes, names: SlotNames, values: Iterable[str]) -> list[str]:
    """Give the marks of a value in a slot, under all names of both."""
    return [
        mark(key, "value", subject, predicate, value)
        for subject in names.subjects
        for predicate in names.predicates
        for value in values
    ]


def slot_names(subject_key: str, predicate: str, registry: Registry) -> SlotNames:
    """Give what a slot goes by; the predicate by any name, registered or not."""
    known = registry.predicate(predicate)
    others = () if known is None else (known.name, *known.aliases)
    keys = {registry.predicate_key(predicate), *map(predicate_name_key, (predicate, *others))}
    return SlotNames(subject_names(subject_key, registry), frozenset(keys))


def subject_names(subject_key: str, registry: Registry) -> frozenset[str]:
    """Give what a subject goes by: a thing's aliases as well, its relations behind each of them."""
    head, dot, relations = subject_key.partition(".")
    whole = (comparison_key(name) for name in registry.names_of(subject_key))
    heads = (comparison_key(name) for name in registry.names_of(head))
    return frozenset({subject_key, *whole, *(name + dot + relations for name in heads)})


def value_names(value: Any, predicate: Predicate | None, registry: Registry, zone: str) -> frozenset[str]:
    """Give what a value goes by: as the predicate's type compares it, as it is written, and by all its aliases."""
    keys = {comparison_key(str(value))}
    if predicate is not None:
        try:
            held = parse_value(value, predicate, registry, zone)
            keys |= {held.key, comparison_key(str(held.stored))}
        except InvalidValueError:
            pass  # it is none of the predicate's values: its words are compared
    names = (name for key in tuple(keys) for name in registry.names_of(key))
    return frozenset({*keys, *map(comparison_key, names)})
