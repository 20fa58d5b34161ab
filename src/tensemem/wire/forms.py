"""Values that JSON has no type for: which form a value has, how it is written, and how it is read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from ..core.periods import format_duration, parse_duration
from ..errors import InvalidTimeError, InvalidValueError

FORMS = ("text", "number", "decimal", "bool", "date", "datetime", "duration", "json")
"""What ``value_type`` says: how to read the value beside it. Entities and choices are text."""

TYPED = {"value": "value_type", "options": "option_types"}
"""Fields that hold values of any type, and the field beside each that says of which."""

NOTHING = "PT0S"
"""A duration of nothing, which nobody can state."""

_FORM_OF: Mapping[type, str] = {
    str: "text", bool: "bool", int: "number", float: "number", Decimal: "decimal", date: "date", datetime: "datetime",
    timedelta: "duration", list: "json", dict: "json",
}  # fmt: skip


def form_of(value: Any) -> Any:
    """Give the form of a value: its name, None for no value; for a tuple of values a list of the forms of each."""
    if isinstance(value, tuple):
        return [form_of(item) for item in value]
    found = _FORM_OF.get(type(value))
    if found is not None or value is None:
        return found
    return next((form for kind, form in _FORM_OF.items() if isinstance(value, kind)), "json")


def duration_text(value: timedelta) -> str:
    """Give a duration as ISO text."""
    return format_duration(value) if value > timedelta(0) else NOTHING


def number(value: Decimal) -> Any:
    """Give a decimal as an int or a float where that says all of it, else as its digits: 70.50 is no 70.5 as text."""
    plain = int(value) if value == value.to_integral_value() else float(value)
    places = min(int(value.as_tuple().exponent), 0)
    is_all = Decimal(plain) == value and places == min(int(Decimal(repr(plain)).as_tuple().exponent), 0)
    return plain if is_all else str(value)


def value_of(form: Any, data: Any) -> Any:
    """Give a value back from its JSON and its form; raises InvalidValueError for what is not of that form."""
    if isinstance(form, list):
        if not isinstance(data, list) or len(data) != len(form):
            raise InvalidValueError(f"give a list of {len(form)} values")
        return tuple(value_of(one, item) for one, item in zip(form, data, strict=True))
    back = _BACK.get(form) if isinstance(form, str) else None
    return data if back is None else back(data)


def moment(data: Any) -> datetime:
    """Give a moment from ISO text with an offset."""
    try:
        found = datetime.fromisoformat(data)
    except (TypeError, ValueError):
        raise InvalidValueError(f"{shown(data)} is no time with an offset, such as 2026-03-05T10:30:00+00:00") from None
    if found.tzinfo is None:
        raise InvalidValueError(f"{shown(data)} has no offset from UTC")
    return found


def day(data: Any) -> date:
    """Give a day from ISO text."""
    try:
        return date.fromisoformat(data)
    except (TypeError, ValueError):
        raise InvalidValueError(f"{shown(data)} is no date, such as 2026-03-05") from None


def duration(data: Any) -> timedelta:
    """Give a duration from ISO text."""
    if data == NOTHING:
        return timedelta(0)
    try:
        return parse_duration(data, name="it")
    except InvalidTimeError:
        raise InvalidValueError(f"{shown(data)} is no duration, such as P1DT12H") from None


def shown(data: Any) -> str:
    """Show what was given in a message: short text by itself, anything else by its type."""
    if isinstance(data, str):
        return repr(data if len(data) <= 60 else data[:60] + "…")
    return "null" if data is None else f"a {type(data).__name__}"


def _decimal(data: Any) -> Decimal:
    try:
        return Decimal(data if isinstance(data, str) else repr(data))
    except InvalidOperation:
        raise InvalidValueError(f"{shown(data)} is no number") from None


_BACK: Mapping[str, Callable[[Any], Any]] = {
    "date": day, "datetime": moment, "duration": duration, "decimal": _decimal,
}  # fmt: skip
