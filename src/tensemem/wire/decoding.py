"""Requests as arguments of a verb, and arguments as a request: the two are each other's inverse."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import InvalidValueError
from ..model.operation import Message, Operation
from .documents import document
from .forms import shown
from .inputs import MAY_BE_NONE, given_in_json, given_in_query, text_in_query
from .served import Parameter, Served

_TYPED_TEXT = ("date", "datetime", "duration", "decimal")
"""Forms of values that are text on the way; for all others the JSON says enough."""

READY = ("personal", "project")
"""Names of vocabularies that come with the library."""


def decode(served: Served, given: Mapping[str, Any] | Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Give the keyword arguments for a verb from a request.

    ``given`` is the object of a JSON body, or the names and texts of a query, in which lists are repeated. Raises
    InvalidValueError for a name that is unknown or missing, and for a value of another type; it says which.
    """
    is_body = isinstance(given, Mapping)
    found = _of_body(served, given) if isinstance(given, Mapping) else _of_query(served, given)
    missing = [one.name for one in served.parameters if one.required and one.name not in found]
    if missing:
        where = "body" if is_body else "query"
        raise InvalidValueError(f"{served.name} needs {', '.join(missing)}: give it in the {where}")
    return _for_the_verb(served, found)


def encode(served: Served, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Give the keyword arguments of a verb as the object of a JSON body; what is at its default is left out."""
    found = {}
    for name, value in arguments.items():
        parameter = _parameter(served, name)
        if parameter.required or value != parameter.default or type(value) is not type(parameter.default):
            found[name] = [_brief(item) for item in value] if _holds_inputs(value) else document(value)
    return found


def _holds_inputs(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, (Operation, Message)) for item in value)


def _brief(item: Operation | Message) -> dict[str, Any]:
    """Give an operation or a message without what is at its default; its value keeps its type."""
    told: dict[str, Any] = document(item)
    usual = {field.name: field.default for field in dataclasses.fields(item)}
    found = {name: data for name, data in told.items() if name not in usual or data != usual[name]}
    if "value" not in found or found.get("value_type") not in _TYPED_TEXT:
        found.pop("value_type", None)
    return found


def query_of(served: Served, encoded: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Give what ``encode`` gave as the names and texts of a query."""
    found: list[tuple[str, str]] = []
    for name, value in encoded.items():
        parameter = _parameter(served, name)
        values = value if parameter.is_list and isinstance(value, list) else [value]
        if values == [] and name in MAY_BE_NONE:
            values = [""]
        found += [(name, text_in_query(parameter.kind, item)) for item in values]
    return found


def _of_body(served: Served, given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given_in_json(name, _parameter(served, name).kind, data) for name, data in given.items()}


def _of_query(served: Served, given: Iterable[tuple[str, str]]) -> dict[str, Any]:
    texts: dict[str, list[str]] = {}
    for name, text in given:
        texts.setdefault(name, []).append(text)
    return {name: _texts_read(_parameter(served, name), found) for name, found in texts.items()}


def _texts_read(parameter: Parameter, texts: list[str]) -> Any:
    if parameter.blank_is_none and texts == [""]:
        return None
    return given_in_query(parameter.name, parameter.kind, texts)


def _parameter(served: Served, name: Any) -> Parameter:
    found = served.parameter(name)
    if found is None:
        known = ", ".join(one.name for one in served.parameters) or "nothing"
        raise InvalidValueError(f"{served.name} takes no {shown(name)}; it takes {known}")
    return found


def _for_the_verb(served: Served, found: dict[str, Any]) -> dict[str, Any]:
    if served.name == "register" and found["source"] not in READY and "\n" not in found["source"]:
        found["source"] += "\n"  # text of a profile, never the path of a file on this machine
    if "difference" in found:
        difference = found.pop("difference")
        if difference is not None:
            found["llm"] = difference
    return found
