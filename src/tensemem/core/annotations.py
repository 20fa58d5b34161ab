"""Which value type a field's annotation asks for. Only typing is read, no library of models."""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from ..errors import InvalidValueError


@dataclass(frozen=True, slots=True)
class Shape:
    """What a field holds: one or many values, of which type, and of which choices if it has them."""

    type: str
    is_many: bool = False
    choices: tuple[Any, ...] = ()


def shape_of(annotation: Any) -> Shape:
    """Give the shape of a field; raises InvalidValueError for one that no JSON value fits."""
    options = _options(annotation)
    if len(options) == 1:
        item = _item_of(options[0])
        if item is not None:
            shape = _single(_options(item))
            return Shape(shape.type, True, shape.choices)
    return _single(options)


def nested_models(annotation: Any) -> list[type]:
    """Give the models a field holds one of, looking through Optional; nothing where it holds a plain value."""
    return [option for option in _options(annotation) if isinstance(option, type) and hasattr(option, "model_fields")]


def _options(annotation: Any) -> list[Any]:
    """Give the members of a union, None left out; of anything else, itself without its wrapping."""
    plain = _unwrapped(annotation)
    if get_origin(plain) in (Union, types.UnionType):
        return [option for member in get_args(plain) for option in _options(member)]
    return [] if plain in (None, type(None)) else [plain]


def _unwrapped(annotation: Any) -> Any:
    """Look through Annotated, NewType, named aliases and type variables."""
    for _ in range(20):  # an alias may name itself
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        elif hasattr(annotation, "__supertype__"):
            annotation = annotation.__supertype__
        elif hasattr(annotation, "__value__") and not isinstance(annotation, type):
            annotation = annotation.__value__
        elif isinstance(annotation, TypeVar):
            annotation = annotation.__bound__ or Any
        else:
            break
    return annotation


def _item_of(option: Any) -> Any:
    """Give what a list, set or tuple holds of one kind; None where it is none, or each place has its own type."""
    origin, arguments = get_origin(option) or option, get_args(option)
    if not isinstance(origin, type) or not issubclass(origin, Collection):
        return None
    if issubclass(origin, (str, bytes, bytearray, Mapping)) or issubclass(origin, Enum):
        return None
    if issubclass(origin, tuple):
        kinds = [argument for argument in arguments if argument is not Ellipsis]
        if hasattr(origin, "_fields") or (len(kinds) > 1 and any(kind != kinds[0] for kind in kinds)):
            return None
        return kinds[0] if kinds else str
    return arguments[0] if arguments else str


def _single(options: list[Any]) -> Shape:
    shapes = [_plain(option) for option in options]
    if shapes and all(shape.choices for shape in shapes):
        return _of_choices([choice for shape in shapes for choice in shape.choices])
    kinds = {shape.type for shape in shapes}
    if len(kinds) == 1:
        return Shape(kinds.pop())
    return Shape("text" if kinds <= {"text", "enum", "number"} and kinds else "json")


def _plain(option: Any) -> Shape:
    if get_origin(option) is Literal:
        return _of_choices([choice for choice in _literals(option) if choice is not None])
    if isinstance(option, str) or type(option).__name__ == "ForwardRef":
        raise InvalidValueError(f"the type {option!r} is not known yet; call model_rebuild() on the model first")
    origin = get_origin(option) or option
    if not isinstance(origin, type) or origin in (Any, object):
        return Shape("json")
    if issubclass(origin, Enum):
        return _of_choices([member.value for member in origin])
    if issubclass(origin, (bytes, bytearray, memoryview)):
        raise InvalidValueError(f"no value type fits {origin.__name__}. Use str.")
    return Shape(next((kind for known, kind in _KINDS if issubclass(origin, known)), _other(origin)))


def _literals(option: Any) -> list[Any]:
    found: list[Any] = []
    for argument in get_args(option):
        found += _literals(argument) if get_origin(argument) is Literal else [argument]
    return found


def _of_choices(choices: list[Any]) -> Shape:
    values = [choice.value if isinstance(choice, Enum) else choice for choice in choices]
    if not values or not all(isinstance(value, (str, int, float)) for value in values):
        return Shape("json")
    plain = tuple({(type(value), value): value for value in values}.values())  # 1 and True are two
    kinds = {"bool" if isinstance(v, bool) else "text" if isinstance(v, str) else "number" for v in plain}
    if kinds in ({"bool"}, {"number"}):
        return Shape(kinds.pop(), choices=plain)
    return Shape("json" if "bool" in kinds else "enum", choices=plain)


# In order: a bool is an int and a datetime a date.
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "bool"),
    (str, "text"),
    (int, "number"),
    (float, "number"),
    (Decimal, "number"),
    (datetime, "datetime"),
    (date, "date"),
    (timedelta, "duration"),
    (Collection, "json"),
    (Mapping, "json"),
)


def _other(origin: type) -> str:
    """Types that are read from text (UUID, Path, URLs, time) are text; those with fields are JSON."""
    return "json" if hasattr(origin, "model_fields") or hasattr(origin, "__dataclass_fields__") else "text"
