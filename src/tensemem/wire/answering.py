"""What a verb may answer, as OpenAPI: the schema of its result, its headers, its problems."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from .. import errors
from ..model.freshness import Freshness
from .asking import LINES
from .envelopes import item_kind
from .problems import MEDIA_TYPE, OF_REQUESTS, PROBLEMS, problem, problem_of
from .schemas import SEVERAL_FORMS, schema_for
from .served import Served

_STALE = Freshness(3, 4, 1, 0, (), False, "extracting")

STATUSES: Mapping[int, tuple[str, dict[str, Any]]] = {
    400: ("What was asked can't be read, or not taken as it is.", problem("invalid-value", "limit: give it once")),
    401: ("No key, or none that opens.", problem("unauthenticated")),
    403: ("The key does not reach as far as that.", problem("forbidden")),
    404: ("There is no such fact, or no such path.", problem("unknown-fact")),
    405: ("The path is asked with another method.", problem("method-not-allowed")),
    408: ("The body did not come in time.", problem("too-slow")),
    409: (
        "It contradicts what is there, or messages are still pending.",
        problem_of(errors.StaleMemoryError("1 message is still pending", freshness=_STALE)),
    ),
    412: ("The state has changed since the version that was expected.", problem("state-changed")),
    413: ("It is larger than this server takes.", problem("too-large")),
    415: ("The body is of no media type that is read here.", problem("unsupported-media-type")),
    422: ("It can be read, and yet not done.", problem("unknown-predicate")),
    424: ("An extractor is needed, and there is none, or it failed.", problem("extractor")),
    429: ("Too many requests with this key.", problem("rate-limited", retry_after=2)),
    500: ("The store or the server failed; its log says more.", problem("internal")),
    503: ("It can't be done now; ask again.", problem_of(errors.StoreBusyError())),
}
"""What every status of a refusal means, and an example of it."""

_ALWAYS = (400, 401, 403, 404, 405, 409, 422, 429, 500, 503)
_WITH_BODY = (408, 412, 413, 415)
_ASKING = frozenset({"flush", "preview", "reextract", "plan_reextract"})

_HEADERS: Mapping[str, tuple[Any, str]] = {
    "Tensemem-Current": ({"type": "string", "enum": ["true", "false"]}, "Whether nothing is pending or failed."),
    "Tensemem-As-Of-Seq": ({"type": "integer"}, "No message up to this seq is pending."),
    "Tensemem-Latest-Seq": ({"type": "integer"}, "The newest episode."),
    "Tensemem-Pending": ({"type": "integer"}, "How many messages are still to be extracted."),
    "Tensemem-Failed": ({"type": "integer"}, "How many messages were given up."),
    "Tensemem-Reason": ({"type": "string"}, "What is being waited for; absent where it is nothing."),
    "Tensemem-Rev": ({"type": "integer"}, "The revision of the log."),
    "Tensemem-Report": (
        {"type": "string"},
        "The receipt of the backup, a BackupReport as JSON, without the places on the server's machine.",
    ),
    "ETag": ({"type": "string"}, "The version of what was read, for If-None-Match and If-Match."),
    "Link": ({"type": "string"}, 'Where the next page is: `<...>; rel="next"`.'),
    "Preference-Applied": ({"type": "string"}, "What of Prefer was followed."),
    "Retry-After": ({"type": "integer"}, "Seconds after which it may be asked again."),
}
_FRESH = tuple(
    name for name in _HEADERS if name.startswith("Tensemem-") and name not in ("Tensemem-Rev", "Tensemem-Report")
)


def components_of_answers() -> dict[str, Any]:
    """Give the headers and the refusals, as components that verbs refer to."""
    headers = {name: {"schema": schema, "description": meaning} for name, (schema, meaning) in _HEADERS.items()}
    return {"headers": headers, "responses": {f"Problem{status}": _refusal(status) for status in STATUSES}}


def _refusal(status: int) -> dict[str, Any]:
    meaning, example = STATUSES[status]
    kinds = [kind for kind, (of, _) in PROBLEMS.items() if of == status]
    kinds += [kind for kind, (of, _, _) in OF_REQUESTS.items() if of == status and kind not in kinds]
    content = {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example}
    told = ", ".join(f"`{kind}`" for kind in kinds)
    found: dict[str, Any] = {"description": f"{meaning} Kinds: {told}.", "content": {MEDIA_TYPE: content}}
    if status in (429, 503):
        found["headers"] = _headers("Retry-After")
    return found


def responses_of(served: Served, example: Mapping[str, Any]) -> dict[str, Any]:
    """Give all answers to a verb, by status."""
    found: dict[str, Any] = {"200": _answer(served, example)}
    if served.has_version:
        found["304"] = {"description": "It is what is known already.", "headers": _headers("ETag", *_FRESH)}
    statuses = {*_ALWAYS}
    if served.method == "POST":
        statuses |= {*_WITH_BODY}
    if served.name in _ASKING:
        statuses |= {424}
    return found | {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(statuses)}


def _answer(served: Served, example: Mapping[str, Any]) -> dict[str, Any]:
    if served.sends == "file":
        content: dict[str, Any] = {"application/vnd.sqlite3": {"schema": {"type": "string", "format": "binary"}}}
        told = {"description": "The whole memory as a file.", "content": content}
        return {**told, "headers": _headers("Tensemem-Report")}
    if served.sends == "lines":
        content = {LINES: {"schema": {"type": "string"}, "example": example.get("answer", "")}}
        return {"description": "Lines of JSON; the last one has the checksum of all.", "content": content}
    content = {"application/json": {"schema": schema_of_answer(served), "example": example.get("answer")}}
    found = {"description": _meaning(served), "content": content}
    if served.name == "changes":
        content["text/event-stream"] = {"schema": {"type": "string"}, "example": _events(example.get("answer"))}
    if served.name == "history":
        content["image/svg+xml"] = {"schema": {"type": "string"}}
    headers = _headers_of(served)
    return {**found, "headers": headers} if headers else found


def _meaning(served: Served) -> str:
    if served.name == "changes":
        return "A page of changes; or, as text/event-stream, every change as it comes, its revision as the event's id."
    if served.name == "history":
        return (
            "What the verb gives; or, as image/svg+xml, the timeline that it makes, for which the query may have "
            "`width` (pixels) and `zone` too."
        )
    if served.is_list:
        return "A page of items." if served.cursor else "All items."
    return "What the verb gives."


def schema_of_answer(served: Served) -> dict[str, Any]:
    """Give the schema of the JSON that a verb answers with."""
    if served.name == "get":
        found = {"value": {}, "value_type": SEVERAL_FORMS, "found": {"type": "boolean"}}
        return _object({**found, "freshness": schema_for(Freshness)})
    if served.is_list:
        items = {"type": "array", "items": schema_for(item_kind(served))}
        fresh = {"freshness": schema_for(Freshness)} if served.is_fresh else {}
        return _object({"items": items, "next": {"type": _cursor_types(served)}, **fresh})
    if served.returns in (str, int, type(None)):
        return _object({"value": schema_for(served.returns)})
    return schema_for(served.returns)


def _cursor_types(served: Served) -> Any:
    parameter = None if served.cursor is None else served.parameter(served.cursor)
    if parameter is None:
        return "null"
    return ["integer" if "integer" in parameter.schema["type"] else "string", "null"]


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _headers_of(served: Served) -> dict[str, Any]:
    kind = served.returns
    fields = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    names: list[str] = []
    if served.has_version or served.is_fresh or kind is Freshness or "freshness" in fields:
        names += _FRESH
    if served.has_version:
        names.append("ETag")
    if served.cursor is not None:
        names.append("Link")
    if served.parameter("wait") is not None:
        names.append("Preference-Applied")
    if served.name == "state" or served.parameter("idempotency_key") is not None:
        names.append("Tensemem-Rev")
    return _headers(*names)


def _events(answer: Any) -> str:
    from ..model.jsontext import encode

    items = (answer or {}).get("items", [])
    return "".join(f"id: {item['rev']}\nevent: change\ndata: {encode(item)}\n\n" for item in items[:1])
