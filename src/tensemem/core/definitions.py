"""Definitions of predicates and entities: checked and normalised as they come in, and their JSON in the log."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, get_args

from ..errors import InvalidValueError
from ..model.predicate import VALUE_TYPES, Cardinality, Entity, Predicate
from .periods import parse_duration
from .subjects import check_name, is_relation_or_user, normalise_subject
from .text import comparison_key, is_valid_text
from .values import parse_value

LONGEST_PREDICATE = 128
"""Characters a predicate's name may have."""
LONGEST_ENTITY = 512
"""Characters an entity's name may have."""
LONGEST_DESCRIPTION = 4_096
"""Characters a predicate's description may have."""


def predicate_name_key(name: str) -> str:
    """Give the key predicate names are compared by: runs of blanks, ``-`` and ``_`` are one ``_``.

    ``lives_in``, ``Lives In`` and ``lives-in`` are one name; ``c++`` and ``c#`` are two.
    """
    return _SEPARATORS.sub("_", comparison_key(name))


def make_predicate(
    name: Any,
    cardinality: Any = "one",
    *,
    type: Any = "text",
    description: Any = "",
    aliases: Any = (),
    choices: Any = None,
    ttl: Any = None,
    review_after: Any = None,
    writers: Any = None,
    trust: Any = None,
    min_confidence: Any = None,
    verbatim: Any = None,
    examples: Any = (),
) -> Predicate:
    """Give a predicate from the arguments of ``register_predicate``.

    Durations become timedeltas, choices the stored form of their type. Raises InvalidValueError for a bad argument,
    InvalidTimeError for a bad duration; the message names the argument.
    """
    known = check_predicate_name(name)
    if cardinality not in get_args(Cardinality):
        raise InvalidValueError(f"cardinality: give 'one' or 'many', not {_type(cardinality)}")
    if not isinstance(type, str) or type not in VALUE_TYPES:
        raise InvalidValueError(f"type: give one of {', '.join(VALUE_TYPES)}, not {_type(type)}")
    if type == "enum" and choices is None:
        raise InvalidValueError("choices: an enum needs them; give a sequence of its values")
    return Predicate(
        name=known,
        cardinality=cardinality,
        type=type,  # type: ignore[arg-type]
        description=_description(description),
        aliases=_other_names(known, aliases),
        choices=None if choices is None else _choices(choices, type),
        ttl=None if ttl is None else parse_duration(ttl, name="ttl"),
        review_after=None if review_after is None else parse_duration(review_after, name="review_after"),
        writers=None if writers is None else _labels(writers, "writers"),
        trust=None if trust is None else _trust(trust),
        min_confidence=None if min_confidence is None else _share(min_confidence),
        verbatim=_verbatim(verbatim),
        examples=tuple(_texts(examples, "examples")),
    )


def check_predicate_name(name: object) -> str:
    """Give a predicate's name, tidied; raises InvalidValueError unless it has a letter, a digit or a pictograph."""
    known = check_name(name, "a predicate", LONGEST_PREDICATE)
    if not any(unicodedata.category(char)[0] in "LN" or unicodedata.category(char) == "So" for char in known):
        raise InvalidValueError(f"a predicate's name needs a letter or a digit; {known!r} has none")
    return known


def make_entity(name: Any, *, aliases: Any = (), kind: Any = "thing") -> Entity:
    """Give an entity from the arguments of ``register_entity``.

    Raises InvalidValueError for a bad argument, and for a name that means the user or somebody around the user:
    what is said of them would be said of the entity.
    """
    known = _entity_name(name)
    others = {comparison_key(alias): alias for alias in _aliases(aliases, _entity_name)}
    others.pop(comparison_key(known), None)
    return Entity(known, tuple(others.values()), check_name(kind, "an entity's kind", LONGEST_PREDICATE))


def predicate_body(predicate: Predicate) -> dict[str, Any]:
    """Give a predicate as JSON for the log: what is at its default is left out, durations are seconds."""
    body: dict[str, Any] = {"name": predicate.name, "cardinality": predicate.cardinality, "type": predicate.type}
    optional = {
        "description": predicate.description or None,
        "aliases": list(predicate.aliases) or None,
        "choices": None if predicate.choices is None else list(predicate.choices),
        "ttl": _seconds(predicate.ttl),
        "review_after": _seconds(predicate.review_after),
        "writers": None if predicate.writers is None else list(predicate.writers),
        "trust": dict(predicate.trust) if isinstance(predicate.trust, Mapping) else _listed(predicate.trust),
        "min_confidence": predicate.min_confidence,
        "verbatim": predicate.verbatim,
        "examples": list(predicate.examples) or None,
    }
    return body | {name: value for name, value in optional.items() if value is not None}


def predicate_of(body: Mapping[str, Any]) -> Predicate:
    """Give the predicate an entry of the log defines; it was checked before it was logged."""
    trust, choices, writers = body.get("trust"), body.get("choices"), body.get("writers")
    return Predicate(
        name=body["name"],
        cardinality=body.get("cardinality", "one"),
        type=body.get("type", "text"),
        description=body.get("description", ""),
        aliases=tuple(body.get("aliases", ())),
        choices=None if choices is None else tuple(choices),
        ttl=_duration(body.get("ttl")),
        review_after=_duration(body.get("review_after")),
        writers=None if writers is None else tuple(writers),
        trust=tuple(trust) if isinstance(trust, (list, tuple)) else trust,
        min_confidence=body.get("min_confidence"),
        verbatim=body.get("verbatim"),
        examples=tuple(body.get("examples", ())),
    )


def entity_body(entity: Entity) -> dict[str, Any]:
    """Give an entity as JSON for the log."""
    return {"name": entity.name, "aliases": list(entity.aliases), "kind": entity.kind}


def entity_of(body: Mapping[str, Any]) -> Entity:
    """Give the entity an entry of the log defines."""
    return Entity(body["name"], tuple(body.get("aliases", ())), body.get("kind", "thing"))


_SEPARATORS = re.compile(r"[\s_-]+")


def _entity_name(name: object) -> str:
    known = check_name(name, "an entity", LONGEST_ENTITY)
    key, canonical = normalise_subject(known)
    if is_relation_or_user(key):
        raise InvalidValueError(f"an entity can't be named {known!r}: that means the subject {canonical!r}")
    return known


def _other_names(name: str, aliases: object) -> tuple[str, ...]:
    others = {predicate_name_key(alias): alias for alias in _aliases(aliases, check_predicate_name)}
    others.pop(predicate_name_key(name), None)
    return tuple(others.values())


def _aliases(given: object, check: Callable[[object], str]) -> list[str]:
    items = _items(given, "aliases")
    try:
        return [check(item) for item in items]
    except InvalidValueError as error:
        raise InvalidValueError(f"aliases: {error}") from None


def _items(given: object, name: str) -> list[Any]:
    """Give the items of a sequence or set; text is refused, for its items would be its characters."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise InvalidValueError(f"{name}: give a sequence such as ('one', 'two'), not {_type(given)}")
    if isinstance(given, Sequence):
        return list(given)
    return sorted(given, key=str)  # a set has no order of its own, and a definition must not depend on chance


def _type(given: object) -> str:
    if isinstance(given, str):
        return repr(given if len(given) <= 60 else given[:60] + "…")
    return f"a value of type {type(given).__name__}"


def _texts(given: object, name: str) -> list[str]:
    texts = []
    for text in _items(given, name):
        if not isinstance(text, str):
            raise InvalidValueError(f"{name}: each is text, not {_type(text)}")
        fault = is_valid_text(text)
        if fault is not None:
            raise InvalidValueError(f"{name}: a text {fault}")
        texts.append(str.__str__(text))
    return texts


def _labels(given: object, name: str) -> tuple[str, ...]:
    labels = tuple(dict.fromkeys(_texts(given, name)))
    if not labels or not all(map(str.strip, labels)):
        raise InvalidValueError(f"{name}: name at least one role or source, and none that is blank")
    return labels


def _description(given: object) -> str:
    if not isinstance(given, str):
        raise InvalidValueError(f"description: give text, not {_type(given)}")
    fault = is_valid_text(given) or (
        f"has {len(given)} characters; {LONGEST_DESCRIPTION} are the most" if len(given) > LONGEST_DESCRIPTION else None
    )
    if fault is not None:
        raise InvalidValueError(f"description: it {fault}")
    return given.strip()


def _choices(given: object, type: str) -> tuple[Any, ...]:
    """Give the choices in the stored form of their type, in order."""
    plain, unnamed = Predicate("choices", type=type), _Unnamed()  # type: ignore[arg-type]
    found: dict[str, Any] = {}
    for choice in _items(given, "choices"):
        held = parse_value(choice, plain, unnamed, "UTC")
        if held.key in found:
            raise InvalidValueError(f"choices: {found[held.key]!r} and {held.stored!r} are the same value")
        found[held.key] = held.stored
    if not found:
        raise InvalidValueError("choices: give at least one, or None for any value")
    return tuple(found.values())


class _Unnamed:
    """No entities: choices are told apart by what they are, whatever they may also be called one day."""

    def entity(self, _text: str) -> Entity | None:
        return None

    def entity_key(self, text: str) -> str:
        return comparison_key(text)


def _trust(given: object) -> Mapping[str, int] | tuple[str, ...]:
    if not isinstance(given, Mapping):
        return _labels(given, "trust")
    _labels(list(given), "trust")
    for label, rank in given.items():
        if isinstance(rank, bool) or not isinstance(rank, int) or abs(rank) > 1_000_000:
            raise InvalidValueError(f"trust: the rank of {label!r} is a whole number, not {rank!r}")
    return {str.__str__(label): int(rank) for label, rank in sorted(given.items())}


def _share(given: object) -> float:
    is_number = isinstance(given, (int, float)) and not isinstance(given, bool)
    if not is_number or not 0 <= given <= 1 or math.isnan(given):  # type: ignore[operator, arg-type]
        raise InvalidValueError(f"min_confidence: give a number from 0 to 1, not {_type(given)}")
    return float(given)  # type: ignore[arg-type]


def _verbatim(given: object) -> bool | None:
    if given is not None and not isinstance(given, bool):
        raise InvalidValueError(f"verbatim: give True, False or None, not {_type(given)}")
    return given


def _listed(labels: Sequence[str] | Mapping[str, int] | None) -> list[str] | None:
    return None if labels is None else list(labels)


def _seconds(duration: timedelta | None) -> int | float | None:
    if duration is None:
        return None
    return duration.total_seconds() if duration.microseconds else duration.days * 86_400 + duration.seconds


def _duration(seconds: float | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)
