"""JSON schemas (2020-12) of results and of what verbs take, made of the same types as the results themselves."""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Collection, Iterator, Mapping
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ..model import fact, receipts, results
from ..model.diagnosis import Diagnosis, Finding
from ..model.freshness import Freshness
from ..model.operation import Message, Operation
from ..model.predicate import Entity, Predicate
from ..model.scope import Scope
from .documents import is_typed
from .forms import FORMS, TYPED
from .told import ToldReceipt, ToldState

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLACE = "#/components/schemas/"
"""Where an OpenAPI document has its schemas."""

KINDS: Mapping[str, Any] = {
    "State": ToldState, "Fact": fact.Fact, "Evidence": fact.Evidence, "Freshness": Freshness,
    "History": results.History, "Statement": fact.Statement, "Context": results.Context,
    "Explanation": results.Explanation, "Step": results.Step, "Scope": Scope, "Decision": receipts.Decision,
    "Change": receipts.Change, "Question": results.Question, "SearchHit": results.SearchHit,
    "LoggedMessage": results.LoggedMessage, "AddResult": receipts.AddResult, "WriteResult": ToldReceipt,
    "StateDiff": results.StateDiff, "Reextraction": results.Reextraction, "ReextractPlan": results.ReextractPlan,
    "Predicate": Predicate, "Entity": Entity, "Proposal": results.Proposal, "Job": results.Job,
    "ScopeInfo": results.ScopeInfo, "RebuildReport": results.RebuildReport, "Removal": results.Removal,
    "Retention": results.Retention, "RetentionRun": results.RetentionRun, "Diagnosis": Diagnosis, "Finding": Finding,
    "ImportReport": results.ImportReport, "NotUnderstood": results.NotUnderstood,
    "ExportReport": results.ExportReport, "BackupReport": results.BackupReport, "Operation": Operation,
    "Message": Message,
}  # fmt: skip
"""Every kind that has a schema of its own, by name."""

_NAMES = {kind: name for name, kind in KINDS.items()} | {
    results.State: "State",
    results.WriteResult: "WriteResult",
}
_OF_WHAT = {"State": results.State, "WriteResult": results.WriteResult}
_INPUTS = frozenset({Operation, Message})
_PLAIN: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_SORTS = ("string", "integer", "number", "boolean", "null")
FORM: dict[str, Any] = {"enum": [*FORMS, None], "description": "How the value beside it is to be read."}
"""What ``value_type`` says of one value."""
SEVERAL_FORMS: dict[str, Any] = {"anyOf": [FORM, {"type": "array", "items": FORM}]}
"""What it says where the value may be several: what ``get`` gives, and what a REPLACE states."""


def schema_of(kind: Any) -> dict[str, Any]:
    """Give the JSON schema of a kind of result, complete in itself."""
    schema = schema_for(kind)
    needed: dict[str, Any] = {}
    waiting = list(_names_in(schema))
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = definition(name)
            waiting += _names_in(needed[name])
    moved: dict[str, Any] = _moved({"$schema": DIALECT, **schema, "$defs": dict(sorted(needed.items()))})
    if not needed:
        del moved["$defs"]
    return moved


def definition(name: str) -> dict[str, Any]:
    """Give the schema of a named kind, with references to others where an OpenAPI document has them."""
    kind = KINDS[name]
    hints = get_type_hints(kind)
    is_input = kind in _INPUTS
    properties: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        properties[field.name] = schema_for(hints[field.name], is_input=is_input)
        if is_typed(field.name, hints[field.name]):
            properties[TYPED[field.name]] = _form(kind, hints[field.name])
    needed = [name for name in properties if not is_input or _is_needed(kind, name)]
    closed = {"additionalProperties": False} if is_input else {}
    meaning = inspect.getdoc(_OF_WHAT.get(name, kind)) or ""
    return {"type": "object", "description": meaning, "properties": properties, "required": needed, **closed}


def _form(kind: Any, hint: Any) -> dict[str, Any]:
    if kind is fact.Statement:
        return SEVERAL_FORMS
    return {"type": "array", "items": FORM} if hint is not Any else FORM


def _is_needed(kind: Any, name: str) -> bool:
    return any(
        field.name == name and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        for field in dataclasses.fields(kind)
    )


def schema_for(kind: Any, *, is_input: bool = False) -> dict[str, Any]:
    """Give the schema of a type; dataclasses are referred to by name, ``Any`` takes anything."""
    if kind is Any:
        return {}
    if kind in _NAMES:
        return {"$ref": PLACE + _NAMES[kind]}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union(arguments, is_input)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin is tuple:
        return _tuple(arguments, is_input)
    if origin is not None and issubclass(origin, Mapping):
        inner = schema_for(arguments[1], is_input=is_input)
        return {"type": "object", "additionalProperties": inner or True}
    if origin is not None and issubclass(origin, Collection):
        return {"type": "array", "items": schema_for(arguments[0], is_input=is_input)}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"type": "string", "enum": [member.value for member in kind]}
    return dict(_SCALARS[kind]) if kind in _SCALARS else {"type": _PLAIN[kind]}


_SCALARS: Mapping[Any, Mapping[str, Any]] = {
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    timedelta: {"type": "string", "description": "A duration in ISO 8601, such as P30D."},
}


def _union(members: tuple[Any, ...], is_input: bool) -> dict[str, Any]:
    if str in members or is_input:  # text stands for times and durations too
        members = tuple(str if member in _SCALARS else member for member in members)
    found = [schema_for(member, is_input=is_input) for member in dict.fromkeys(members)]
    if all(found_one.keys() == {"type"} for found_one in found):
        sorts = sorted((one["type"] for one in found), key=_SORTS.index)
        return {"type": sorts[0] if len(sorts) == 1 else sorts}
    is_one_and_null = len(found) == 2 and {"type": "null"} in found
    first = next(one for one in found if one != {"type": "null"})
    if is_one_and_null and isinstance(first.get("type"), str) and "enum" not in first:
        return {**first, "type": [first["type"], "null"]}
    return {"anyOf": found}


def _tuple(arguments: tuple[Any, ...], is_input: bool) -> dict[str, Any]:
    if len(arguments) == 2 and arguments[1] is ...:
        return {"type": "array", "items": schema_for(arguments[0], is_input=is_input)}
    items = [schema_for(argument, is_input=is_input) for argument in arguments]
    inner = {"items": items[0]} if all(item == items[0] for item in items) else {"prefixItems": items}
    return {"type": "array", **inner, "minItems": len(items), "maxItems": len(items)}


def _names_in(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield reference.removeprefix(PLACE)
        for item in schema.values():
            yield from _names_in(item)
    elif isinstance(schema, list):
        for item in schema:
            yield from _names_in(item)


def _moved(schema: Any) -> Any:
    """Point references at ``$defs``."""
    if isinstance(schema, Mapping):
        return {
            name: f"#/$defs/{item.removeprefix(PLACE)}" if name == "$ref" else _moved(item)
            for name, item in schema.items()
        }
    return [_moved(item) for item in schema] if isinstance(schema, list) else schema
