"""Results as JSON documents: every field by its name, times in ISO 8601, nothing hidden.

How a kind of result is written is worked out once, from its fields; a document is then made at the speed of the few
fields that JSON has no type for.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ..model.fact import Fact
from ..model.results import State, WriteResult
from .forms import TYPED, duration_text, form_of, number

Writer = Callable[[Any], Any]

OF_WRITE = (
    "seq", "rev", "duplicate", "changed", "current", "fact_id", "fact_ids", "shown", "changes", "decisions",
    "redactions", "durability",
)  # fmt: skip
"""What a receipt tells, in the order of its document."""

_PLAIN = (str, int, float, bool, type(None))


def document(value: object) -> Any:
    """Give a result as what JSON knows: fields by name, times as ISO text, sets in order.

    A field that holds a value of any type has another beside it that says of which: ``value`` and ``value_type``.
    ``read`` gives the result back.
    """
    kind = type(value)
    writer = _WRITERS.get(kind)
    if writer is None:
        writer = _WRITERS[kind] = _writer_of(kind)
    return writer(value)


def _writer_of(kind: type) -> Writer:
    if dataclasses.is_dataclass(kind):
        return _of_fields(kind)
    return next((writer for base, writer in _BY_BASE if issubclass(kind, base)), _as_it_is)


def _of_fields(kind: Any) -> Writer:
    hints = get_type_hints(kind)
    names, attributes, told = [], [], []
    for field in dataclasses.fields(kind):
        hint, name = hints[field.name], field.name
        names.append(name)
        attributes.append(name)
        convert = _converter(hint)
        if convert is not None:
            told.append((name, convert))
        if is_typed(name, hint):
            names.append(TYPED[name])
            attributes.append(name)
            told.append((TYPED[name], form_of))
    get = attrgetter(*attributes) if len(attributes) > 1 else lambda value: (getattr(value, attributes[0]),)

    def write(value: Any) -> dict[str, Any]:
        found = dict(zip(names, get(value), strict=False))  # as many attributes as names
        for name, convert in told:
            found[name] = convert(found[name])
        return found

    return write


def is_typed(name: str, hint: Any) -> bool:
    """Whether a field holds values of any type, so that another one says of which."""
    return name in TYPED and hint in (Any, tuple[Any, ...])


def _converter(hint: Any) -> Writer | None:
    """Give what a field of this type is written by; None where JSON has it as it is."""
    members = [member for member in _members(hint) if member is not type(None)]
    if all(member in _PLAIN or get_origin(member) is Literal for member in members):
        return None
    if members == [datetime]:
        return _moment
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {member: member.value for member in hint}.__getitem__
    if members == [Any]:
        return _value
    arguments = get_args(hint)
    if dataclasses.is_dataclass(hint):
        return _of_fields(hint)
    if get_origin(hint) is tuple and len(arguments) == 2 and arguments[1] is ...:
        each = _converter(arguments[0])
        return list if each is None else _list_of(each)
    return document


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _value(value: Any) -> Any:
    return value if type(value) is str else document(value)


def _list_of(each: Writer) -> Writer:
    return lambda items: [each(item) for item in items]


def _moment(value: datetime | None) -> str | None:
    if value is None:
        return None
    return _utc_text(value) if value.tzinfo is UTC else value.isoformat()


@lru_cache(maxsize=8192)
def _utc_text(value: datetime) -> str:
    """Give a moment in UTC as text. A fact names few moments many times, and writing one out is what costs.

    Equal moments of other zones would be written otherwise, so none of them may be asked for here.
    """
    return value.isoformat()


def _state(state: State) -> dict[str, Any]:
    facts = [document(fact) for fact in state.facts]
    by_subject = _by_subject(state.facts, facts, state.many)
    return {
        "user_id": state.user_id,
        "at": _moment(state.at),
        "rev": state.rev,
        "version": state.version,
        "next_change_at": _moment(state.next_change_at),
        "values": by_subject.get("user", {}),
        "by_subject": by_subject,
        "facts": facts,
        "planned": [document(fact) for fact in state.planned],
        "candidates": [document(fact) for fact in state.candidates],
        "many": sorted(state.many),
        "freshness": document(state.freshness),
    }


def _by_subject(facts: Iterable[Fact], written: Iterable[dict[str, Any]], many: frozenset[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for fact, told in zip(facts, written, strict=True):
        values = found.setdefault(fact.subject, {})
        if fact.predicate in many:
            values.setdefault(fact.predicate, []).append(told["value"])
        else:
            values[fact.predicate] = told["value"]
    return found


def _receipt(result: WriteResult) -> dict[str, Any]:
    return {name: document(getattr(result, name)) for name in OF_WRITE}


def _mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): document(item) for key, item in value.items()}


def _as_it_is(value: Any) -> Any:
    return value


_BY_BASE: tuple[tuple[Any, Writer], ...] = (
    (Enum, lambda value: document(value.value)),
    (State, _state),
    (WriteResult, _receipt),
    (Mapping, _mapping),
    ((set, frozenset), lambda value: sorted(document(item) for item in value)),
    ((list, tuple), _list_of(document)),
    (date, lambda value: value.isoformat()),
    (timedelta, duration_text),
    (Decimal, number),
)
_WRITERS: dict[type, Writer] = dict.fromkeys(_PLAIN, _as_it_is)
