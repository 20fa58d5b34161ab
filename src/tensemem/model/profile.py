"""Reading values into a typed profile: any class with pydantic's ``model_fields``."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, TypeVar

M = TypeVar("M")


def fill_model(model: type[M], by_subject: Mapping[str, Mapping[str, Any]]) -> M:
    """Give an instance of a pydantic model; raises pydantic's ValidationError where the values don't fit.

    A field that is itself a model reads the subject of its name (``wife`` reads ``user.wife``).
    """
    return _fill(model, by_subject, by_subject.get("user", {}))


def _fill(model: type[M], by_subject: Mapping[str, Mapping[str, Any]], values: Mapping[str, Any]) -> M:
    found: dict[str, Any] = {}
    for name, info in getattr(model, "model_fields", {}).items():
        nested = nested_model(info.annotation)
        if nested is not None:
            inner = by_subject.get(f"user.{name}", by_subject.get(name))
            if inner:
                found[name] = _fill(nested, by_subject, inner)
        elif name in values:
            value = values[name]
            found[name] = list(value) if isinstance(value, tuple) else value
    return model(**found)


def nested_model(annotation: Any) -> type[Any] | None:
    """Give the model a field holds, looking through Optional; None where it holds a plain value."""
    options = (annotation, *typing.get_args(annotation))
    return next((option for option in options if isinstance(option, type) and hasattr(option, "model_fields")), None)
