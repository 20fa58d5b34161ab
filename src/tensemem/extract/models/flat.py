"""The flat form in which models answer, and the way from it to operations.

Providers enforce a JSON schema each in its own strict dialect. What all of them take: every property required, null
where nothing applies, no open maps, no unions of objects. So each operation is one flat object, values are text, and a
REPLACE has a list of text; what that leaves open is checked by ``extract.answers`` like any other extractor's answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ...core.definitions import predicate_name_key
from ...model.operation import MODALITIES, OPS
from ...ports import ExtractionRequest

SCHEMA_NAME = "operations"
MAX_ANSWER = 4_000_000
"""Characters of an answer that are read: more than any model writes."""

_TEXT_OR_NULL = {"type": ["string", "null"]}
_PROPERTIES: dict[str, Any] = {
    "message": {"type": "integer", "description": "number of the message that says it"},
    "quote": {"type": "string", "description": "the words of that message that say it, verbatim"},
    "op": {"type": "string", "enum": list(OPS)},
    "subject": {"type": "string"},
    "predicate": {"type": "string"},
    "value": _TEXT_OR_NULL,
    "values": {"type": ["array", "null"], "items": {"type": "string"}, "description": "for replace only"},
    "modality": {"type": "string", "enum": list(MODALITIES)},
    "since": _TEXT_OR_NULL,
    "until": _TEXT_OR_NULL,
    "valid_from": _TEXT_OR_NULL,
    "valid_to": _TEXT_OR_NULL,
    "confidence": {"type": "number"},
}
FIELDS = tuple(_PROPERTIES)
"""The fields of a flat operation, in the order in which a model is to write them: the words before the reading."""


class Unreadable(Exception):
    """What is wrong with an answer as a whole; never leaves this folder."""


def schema() -> dict[str, Any]:
    """Give the JSON schema of an answer; a new one each time, since an SDK may change what it is given."""
    operation = {
        "type": "object",
        "properties": {name: dict(rule) for name, rule in _PROPERTIES.items()},
        "required": list(FIELDS),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"operations": {"type": "array", "items": operation}},
        "required": ["operations"],
        "additionalProperties": False,
    }


def read_flat(text: str, request: ExtractionRequest) -> list[Any]:
    """Give the mappings of operations' fields that an answer holds; what is no flat operation is passed on as it is.

    Raises Unreadable where the text is not JSON with a list of operations.
    """
    if len(text) > MAX_ANSWER:
        raise Unreadable(f"it has {len(text)} characters; {MAX_ANSWER} are read")
    try:
        answer = json.loads(_unfenced(text))
    except (ValueError, RecursionError) as error:
        said = str(error) if isinstance(error, ValueError) else "it is nested too deep"
        raise Unreadable(f"it is not JSON: {said}") from None
    if isinstance(answer, dict):
        answer = answer.get("operations")
    if not isinstance(answer, list):
        raise Unreadable('it is not an object {"operations": [...]} with a list')
    open_types = _json_predicates(request)
    only_one = len(request.messages) == 1
    return [operation for item in answer for operation in _operations(item, open_types, only_one)]


def _unfenced(text: str) -> str:
    """Take away the code fence that models put around JSON where nothing enforces the form."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        return text[text.index("\n") : -3]
    return text


def _json_predicates(request: ExtractionRequest) -> frozenset[str]:
    """Give the names of the predicates whose values are JSON, which the flat form carries as text."""
    found = (predicate for predicate in request.predicates if predicate.type == "json")
    return frozenset(predicate_name_key(name) for predicate in found for name in (predicate.name, *predicate.aliases))


def _operations(item: Any, open_types: frozenset[str], only_one: bool) -> Iterator[Any]:
    if not isinstance(item, Mapping):
        yield item
        return
    given = {name: field for name, field in item.items() if not _is_absent(name, field)}
    if only_one:  # there is nothing to tell apart, and the quote is looked for in it anyhow
        given["message"] = 0
    for value in _values(given):
        yield {**given, "value": _opened(value, given, open_types)}


def _values(given: dict[str, Any]) -> list[Any]:
    """Take the values out of an operation's fields: what each operation made of it holds.

    A REPLACE is one operation with a list. Another operation that names several values is read as one for each.
    """
    value, several = given.pop("value", None), given.pop("values", None)
    several = several if isinstance(several, list) or several is None else [several]
    if given.get("op") == "replace":
        return [several or (None if value is None else [value])]
    named = [] if value is None else [value]
    named += [other for other in several or () if other not in named]
    return named or [None]


def _is_absent(name: str, field: Any) -> bool:
    """Whether a field says nothing. A blank predicate or op says something: that it is wrong."""
    return field is None or (field in ("", []) and name not in ("op", "predicate"))


def _opened(value: Any, given: Mapping[str, Any], open_types: frozenset[str]) -> Any:
    """Read a JSON value that was written as text; text that is none is left to be judged as text."""
    predicate = given.get("predicate")
    if not isinstance(value, str) or not isinstance(predicate, str) or predicate_name_key(predicate) not in open_types:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
