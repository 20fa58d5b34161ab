"""Values: from what was given to what claims compare and keep, and back to what callers see.

A value's key is what it is compared by; what is stored is the value as given (text), or its one plain form (every
other type). A text predicate takes whole numbers, floats and decimals too, as the text they print as: ``set("u1",
"age", 31)`` is kept as ``"31"``; True and False are no text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, Protocol

from ..errors import InvalidTimeError, InvalidValueError
from ..model.claim import Held
from ..model.moment import to_datetime, to_moment
from ..model.predicate import Entity, Predicate
from .jsonforms import canonical_json, check_metadata, plain_json
from .numbers import number_in, number_key, number_stored
from .periods import format_duration, parse_day, parse_duration, parse_period
from .text import comparison_key, is_valid_text

__all__ = ["Names", "as_text", "check_metadata", "parse_value", "plain_answer", "shown"]


class Names(Protocol):
    """The names of things that values are read through; a Registry is one."""

    def entity(self, text: str) -> Entity | None:
        """Give the entity that goes by a name, or None."""

    def entity_key(self, text: str) -> str:
        """Give the key of the entity a text names; the text's own comparison key where it names none."""


def parse_value(raw: object, predicate: Predicate, registry: Names, zone: str) -> Held:
    """Give a value as claims keep it; ``zone`` is where a datetime without an offset is meant.

    Entity aliases have their entity's key in text, entity and enum values. A value with ``choices`` is stored as the
    choice it equals. Raises InvalidValueError, which says what to give, for a value that is not of the predicate's
    type or none of its choices. Parsing what is stored gives the same again.
    """
    if raw is None:
        raise InvalidValueError(f"{predicate.name}: None is no value. To take a value away, retract it.")
    if isinstance(raw, Enum):
        raw = raw.value
    try:
        held = _PARSERS[predicate.type](raw, registry, zone)
        return held if predicate.choices is None else _choice(raw, held, predicate, registry, zone)
    except _Unfit as why:
        raise InvalidValueError(f"{predicate.name}: {why}") from None


def shown(stored: Any, predicate: Predicate, registry: Names) -> tuple[Any, str]:
    """Give a stored value typed and as text: an entity's name for its aliases, datetimes aware in UTC.

    Never raises: a stored value that is not of the predicate's type of today is given as it is.
    """
    try:
        value = _TYPED[predicate.type](stored)
    except (InvalidValueError, InvalidTimeError, ValueError, TypeError):
        value = stored
    if predicate.type in ("text", "entity") and predicate.choices is None and isinstance(stored, str):
        entity = registry.entity(stored)
        value = stored if entity is None else entity.name
    return value, _as_text(value, stored)


def as_text(value: Any) -> str:
    """Give a typed value, as facts and changes carry it, as text: what ``object`` of its fact is."""
    if isinstance(value, datetime):
        return _moment_text(to_moment(value))
    if isinstance(value, date):
        return _day_text(value)
    return format_duration(value) if isinstance(value, timedelta) else _as_text(value, value)


def plain_answer(text: str) -> bool | None:
    """Give True for the word "yes" and False for "no", in the languages a bool is read in; None for anything else."""
    word = comparison_key(text[:_LONGEST_WORD])
    return None if len(text) > _LONGEST_WORD or word in _NO_ANSWERS else _BOOLS.get(word)


_LONGEST_WORD = 20
_NO_ANSWERS = frozenset(["true", "false", "on", "off"])
"""Words for a bool that nobody says for yes or no."""


class _Unfit(Exception):
    """Says why a value is not of a type, and what would be."""


def _shown(raw: object) -> str:
    """Show a value in a message: text and numbers by themselves, cut short, others by their type."""
    if isinstance(raw, str):
        return repr(raw if len(raw) <= 60 else raw[:60] + "…")
    if isinstance(raw, (bool, float)):
        return repr(raw)
    if isinstance(raw, int) and abs(raw) < 10**20:
        return str(raw)
    return f"a value of type {type(raw).__name__}"


def _parse_text(raw: object, registry: Names, _zone: str) -> Held:
    text = _checked(_text_of(raw))
    return Held(registry.entity_key(text), text)


def _text_of(raw: object) -> str:
    if isinstance(raw, str):
        return str.__str__(raw)
    is_number = isinstance(raw, (int, float, Decimal)) and not isinstance(raw, bool)
    if is_number and number_in(raw) is not None:
        return str(int(raw)) if isinstance(raw, int) else repr(float(raw)) if isinstance(raw, float) else str(raw)
    raise _Unfit(f"{_shown(raw)} is no text. Give text.")


def _checked(given: str) -> str:
    text = given.strip()
    fault = is_valid_text(text)
    if fault is not None:
        raise _Unfit(f"the text {fault}. Give text without it.")
    if not comparison_key(text):
        raise _Unfit("the text is blank. To take a value away, retract it.")
    return text


def _parse_number(raw: object, _registry: Names, _zone: str) -> Held:
    number = number_in(raw)
    if number is None:
        raise _Unfit(f"{_shown(raw)} is no number. Give a number, or digits such as '12.5'; no grouping.")
    return Held(number_key(number), number_stored(number, raw))


def _parse_bool(raw: object, _registry: Names, _zone: str) -> Held:
    found = raw if isinstance(raw, bool) else _BOOLS.get(comparison_key(raw)) if isinstance(raw, str) else None
    if found is None:
        raise _Unfit(f"{_shown(raw)} is neither true nor false. Give true or false, or 'yes' or 'no'.")
    return Held("true" if found else "false", found)


def _parse_date(raw: object, _registry: Names, _zone: str) -> Held:
    day = parse_day(raw) if isinstance(raw, str) else raw
    if not isinstance(day, date) or isinstance(day, datetime):
        raise _Unfit(f"{_shown(raw)} is no date. Give a date, or text such as '2026-03-05'.")
    return Held(_day_text(day), _day_text(day))


def _day_text(day: date) -> str:
    return f"{day.year:04d}-{day.month:02d}-{day.day:02d}"


def _parse_datetime(raw: object, _registry: Names, zone: str) -> Held:
    ask = "Give a date with a time, or text such as '2026-03-05T10:30Z', with the hour at least."
    if not isinstance(raw, (datetime, str)):
        raise _Unfit(f"{_shown(raw)} is no date with a time. {ask}")
    try:
        period = parse_period(raw, zone, name="it")
    except InvalidTimeError as error:
        raise _Unfit(f"{str(error).removeprefix('it: ').partition('Give ')[0]}{ask}") from None
    if period.grain not in ("instant", "minute", "hour"):
        raise _Unfit(f"{_shown(raw)} is a whole {period.grain}. {ask}")
    text = _moment_text(period.start)
    return Held(text, text)


def _moment_text(moment: int) -> str:
    return to_datetime(moment).isoformat().replace("+00:00", "Z")


def _parse_duration(raw: object, _registry: Names, _zone: str) -> Held:
    try:
        duration = parse_duration(raw, name="it")
    except InvalidTimeError as error:
        raise _Unfit(str(error).removeprefix("it: ")) from None
    return Held(format_duration(duration), format_duration(duration))


def _parse_enum(raw: object, registry: Names, _zone: str) -> Held:
    stored = raw if isinstance(raw, (int, float)) and not isinstance(raw, bool) else None
    text = _checked(_text_of(raw))
    return Held(registry.entity_key(text), text if stored is None else plain_json(stored, name="it"))


def _parse_json(raw: object, _registry: Names, _zone: str) -> Held:
    try:
        plain = plain_json(raw, name="it")
    except InvalidValueError as error:
        raise _Unfit(str(error).removeprefix("it: ")) from None
    return Held(canonical_json(plain), plain)


_PARSERS: Mapping[str, Callable[[object, Names, str], Held]] = {
    "text": _parse_text,
    "entity": _parse_text,
    "enum": _parse_enum,
    "number": _parse_number,
    "bool": _parse_bool,
    "date": _parse_date,
    "datetime": _parse_datetime,
    "duration": _parse_duration,
    "json": _parse_json,
}


def _choice(raw: object, held: Held, predicate: Predicate, registry: Names, zone: str) -> Held:
    """Give the choice a value equals: as it is spelled, or by key."""
    choices, parse = predicate.choices or (), _PARSERS[predicate.type]
    for choice in choices:
        if choice == held.stored:
            return Held(held.key, choice)
    for choice in choices:
        if parse(choice, registry, zone).key == held.key:
            return Held(held.key, choice)
    allowed = ", ".join(_shown(choice) for choice in choices[:20])
    raise _Unfit(f"{_shown(raw)} is none of its choices. Give one of {allowed}.")


def _typed_number(stored: Any) -> Any:
    number = number_in(stored)
    kept = stored if number is None else number_stored(number, stored)
    return float(kept) if isinstance(kept, str) and number is not None else kept


def _typed_datetime(stored: Any) -> datetime:
    return to_datetime(parse_period(stored, "UTC", name="value").start)


def _as_it_is(stored: Any) -> Any:
    return stored


_TYPED: Mapping[str, Callable[[Any], Any]] = {
    "text": _as_it_is,
    "entity": _as_it_is,
    "enum": _as_it_is,
    "number": _typed_number,
    "bool": _as_it_is,
    "date": date.fromisoformat,
    "datetime": _typed_datetime,
    "duration": lambda stored: parse_duration(stored, name="value"),
    "json": lambda stored: plain_json(stored, name="value"),
}


def _as_text(value: Any, stored: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime, date, timedelta)):
        return str(stored)
    if isinstance(value, (int, float)):
        number = number_in(stored)
        return str(value) if number is None or not math.isfinite(value) else number_key(number)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _bools(table: str, meaning: bool) -> dict[str, bool]:
    return {comparison_key(word): meaning for word in table.split()}


_BOOLS = _bools("true yes on ja oui sí si sim да 是 是的 对 はい 네 예 हाँ हां نعم", True) | _bools(
    "false no off nein non não nao нет 否 不 不是 いいえ 아니요 아니오 नहीं لا", False
)
