"""What a request for a verb may say, as OpenAPI: its query, its headers, its body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..model.jsontext import encode
from .inputs import TIME, in_a_query, plain_text
from .served import Parameter, Served

LINES = "application/x-ndjson"
"""The media type of JSON Lines."""

_PLACE = "#/components/parameters/"
_HEADERS: Mapping[str, tuple[str, Any, Any, str]] = {
    "IdempotencyKey": (
        "Idempotency-Key", {"type": "string"}, "order-4711",
        "The same request under a known key is done once; many messages have it with their places, unless they have "
        "keys of their own.",
    ),
    "IfMatch": (
        "If-Match", {"type": "string"}, None,
        "The ETag of a state: what is written is only written while that is the state.",
    ),
    "IfNoneMatch": (
        "If-None-Match", {"type": "string"}, None, "The ETag of what is known already; the same is answered with 304.",
    ),
    "Prefer": (
        "Prefer", {"type": "string", "pattern": "^ *wait *= *[0-9]{1,9} *$"}, "wait=2",
        "Seconds to wait for what is pending; the same as the parameter `wait`.",
    ),
    "LastEventID": (
        "Last-Event-ID", {"type": "integer", "minimum": 0}, None,
        "Where a stream of events broke off: it goes on behind that revision.",
    ),
}  # fmt: skip


def components_of_questions() -> dict[str, Any]:
    """Give the headers of requests, as components that verbs refer to."""
    found: dict[str, Any] = {}
    for name, (header, schema, example, meaning) in _HEADERS.items():
        found[name] = {"name": header, "in": "header", "description": meaning, "schema": schema}
        if example is not None:
            found[name]["example"] = example
    return {"parameters": found}


def parameters_of(served: Served, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give what stands in the query and in headers; ``given`` are the arguments of the example."""
    found = [_in_query(parameter, given) for parameter in served.parameters if parameter.in_query]
    return found + [{"$ref": _PLACE + name} for name in _headers_of(served)]


def _in_query(parameter: Parameter, given: Mapping[str, Any]) -> dict[str, Any]:
    schema = in_a_query(parameter.schema)
    if parameter.default not in (None, ()):
        schema["default"] = parameter.default
    found = {
        "name": parameter.name, "in": "query", "required": parameter.required, "schema": schema,
        "description": parameter.description,
    }  # fmt: skip
    if not parameter.description:
        del found["description"]
    if parameter.name in given:
        value = given[parameter.name]
        found["example"] = TIME + value if parameter.name == "known_at" and str(value).isdigit() else value
    return found


def _headers_of(served: Served) -> list[str]:
    takes = {parameter.name for parameter in served.parameters}
    found = ["IdempotencyKey"] if served.is_keyed else []
    if "wait" in takes:
        found.append("Prefer")
    if "expected_rev" in takes:
        found.append("IfMatch")
    if served.has_version:
        found.append("IfNoneMatch")
    if served.name == "changes":
        found.append("LastEventID")
    return found


def body_of(served: Served, example: Mapping[str, Any]) -> dict[str, Any]:
    """Give what stands in the body."""
    if served.takes == "lines":
        meaning = "The lines of an export, as they are or packed with gzip; or what another system wrote."
        packed = {"schema": {"type": "string", "format": "binary"}}
        lines = {"schema": {"type": "string"}, "example": example.get("body", "")}
        return {"required": True, "description": meaning, "content": {LINES: lines, "application/gzip": packed}}
    schema = schema_of_body(served)
    content = {"schema": schema, "example": example.get("arguments", {})}
    return {"required": bool(schema.get("required")), "content": {"application/json": content}}


def _default_of(parameter: Parameter) -> str:
    """Give in words what a parameter is when it is left out.

    As ``default`` in the schema, generators take it for a promise that the field is there, and ask for it in requests.
    """
    if parameter.default in (None, ()):
        return ""
    return f"Left out it is `{encode(parameter.default)}`."


def schema_of_body(served: Served) -> dict[str, Any]:
    """Give the schema of the object that holds a verb's parameters."""
    found: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    for parameter in served.parameters:
        meaning = " ".join(filter(None, [plain_text(parameter.description), _default_of(parameter)]))
        found["properties"][parameter.name] = dict(parameter.schema) | ({"description": meaning} if meaning else {})
    needed = [parameter.name for parameter in served.parameters if parameter.required]
    return {**found, "required": needed} if needed else found


