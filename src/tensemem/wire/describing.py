"""The OpenAPI 3.1 document of a server: every verb that is served, with its schemas, problems and examples.

It is made of the same tables that a server answers by, so what it says of them can't be out of date. Its examples are
what a memory answered when they were made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .answering import components_of_answers, responses_of
from .asking import body_of, components_of_questions, parameters_of
from .examples import shipped
from .inputs import plain_text
from .schemas import KINDS, definition
from .served import SERVED, Served

OPENAPI = "3.1.0"
KEY = "key"
"""The name of the security scheme."""

_ABOUT = """State memory for AI agents.

A path is a verb and its parameters are the verb's: reading asks with GET and a query, in which lists are repeated;
writing with POST and a JSON object. An answer is the document of the verb's result, `{"items", "next"}` for a list, and
`{"value"}` for a plain value. What is wrong is a problem (RFC 9457) of a stable type, `urn:tensemem:problem:<kind>`."""

_TAGS = {
    "Writing": "Appends to the log: messages, explicit values, corrections.",
    "Reading": "Facts and freshness from one snapshot.",
    "Keeping": "The registry, what waits, what is kept how long, and the state of the store.",
    "Moving": "Takes a memory elsewhere.",
    "Server": "About the server itself.",
}

_ROLE = {
    "read": "Takes a key of any role.",
    "write": "Takes a key of the role `write` or `admin`.",
    "admin": "Takes a key of the role `admin`.",
}


def openapi(version: str, *, url: str = "/", examples: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Give the OpenAPI document of a server of this version of the library; ``url`` is where it is reached.

    ``examples`` are those of ``wire.examples``, unless others are given.
    """
    known = shipped() if examples is None else examples
    paths = {
        served.path: {served.method.lower(): operation(served, known.get(served.name, {}))}
        for served in SERVED.values()
    }
    return {
        "openapi": OPENAPI,
        "info": {
            "title": "tensemem",
            "version": version,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": url}],
        "security": [{KEY: []}],
        "tags": [{"name": name, "description": meaning} for name, meaning in _TAGS.items()],
        "paths": paths | dict(_OWN),
        "components": {
            "schemas": {name: _definition(name) for name in sorted(KINDS)} | {"Problem": _PROBLEM},
            "securitySchemes": {KEY: {"type": "http", "scheme": "bearer", "bearerFormat": "tsm_<key id>_<secret>"}},
            **components_of_questions(),
            **components_of_answers(),
        },
    }


def operation(served: Served, example: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the document says of one verb."""
    found: dict[str, Any] = {
        "operationId": served.name.rstrip("_"),
        "tags": [served.part],
        "summary": plain_text(served.summary).rstrip("."),
        "description": "\n\n".join(filter(None, [plain_text(served.description), _ROLE[served.role]])),
        "x-tensemem-role": served.role,
    }
    parameters = parameters_of(served, example.get("arguments", {}))
    if parameters:
        found["parameters"] = parameters
    if served.method == "POST":
        found["requestBody"] = body_of(served, example)
    return {**found, "responses": responses_of(served, example)}


def _definition(name: str) -> dict[str, Any]:
    found = definition(name)
    return {**found, "description": plain_text(found["description"])}


def _answer(meaning: str, media: str, schema: Mapping[str, Any], example: Any) -> dict[str, Any]:
    return {"description": meaning, "content": {media: {"schema": schema, "example": example}}}


def _status(word: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"status": {"const": word}}, "required": ["status"]}
    return _answer(f"It is {word}.", "application/json", schema, {"status": word})


def _own(name: str, summary: str, answer: Mapping[str, Any], *statuses: str, is_open: bool = False) -> dict[str, Any]:
    refused = {status: {"$ref": f"#/components/responses/Problem{status}"} for status in statuses}
    found = {"operationId": name, "tags": ["Server"], "summary": summary, "responses": {"200": answer, **refused}}
    return {"get": {**found, "security": []} if is_open else found}


_NAMES: Mapping[str, Any] = {"type": ["array", "null"], "items": {"type": "string"}}
_WHO: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "role": {"enum": ["read", "write", "admin"]},
        "label": {"type": "string"},
        "namespace": {
            "type": ["string", "null"],
            "description": "The one that is meant where a request names none; null where it has to name one.",
        },
        "namespaces": {**_NAMES, "description": "The only ones that it reaches; null for no limit."},
        "users": {**_NAMES, "description": "The only ones that it reaches; null for no limit."},
        "verbs": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Those that it may call, for somebody that it reaches; every other is refused (403).",
        },
    },
    "required": ["role", "label", "namespace", "namespaces", "users", "verbs"],
}

_OWN: Mapping[str, Any] = {
    "/healthz": _own("healthz", "Say whether the process answers", _status("alive"), is_open=True),
    "/readyz": _own(
        "readyz", "Say whether requests can be served: the store answers, and the end is not near", _status("ready"),
        "503", is_open=True,
    ),
    "/metrics": _own(
        "metrics", "Give counters and times as Prometheus reads them",
        _answer("Lines of metrics.", "text/plain", {"type": "string"}, "tensemem_pending 0\n"),
        "401", "403", "429", "503",
    ),
    "/whoami": _own(
        "whoami", "Say what the key of who asks may do",
        _answer(
            "What its holder may know of a key.", "application/json", _WHO,
            {
                "role": "read", "label": "ann's phone", "namespace": "default", "namespaces": None, "users": ["ann"],
                "verbs": ["state", "history", "predicates"],
            },
        ),
        "401", "429", "503",
    ),
    "/openapi.json": _own(
        "openapi", "Give this document",
        _answer("An OpenAPI document.", "application/json", {"type": "object"}, {"openapi": OPENAPI}),
        "401", "429", "503",
    ),
}  # fmt: skip

_PROBLEM: Mapping[str, Any] = {
    "type": "object",
    "description": "Why a request was refused (RFC 9457).",
    "properties": {
        "type": {"type": "string", "description": "`urn:tensemem:problem:<kind>`; it stays the same."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened, and what to do."},
        "retry_after": {"type": "number", "description": "Seconds after which it may be asked again."},
        "freshness": {"$ref": "#/components/schemas/Freshness"},
    },
    "required": ["type", "title", "status", "detail"],
}
