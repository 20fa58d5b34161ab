"""What verbs take, as JSON and as the text of a query: the type of each parameter, its schema, and how it is read."""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal, Union, get_args, get_origin

from ..errors import InvalidValueError
from ..model.operation import Message, Operation, When
from ..model.results import Reextraction
from .differences import LARGEST, checked
from .forms import shown
from .reading import read
from .schemas import schema_for

LONGEST_NAME = 512
"""Characters a user's id may have."""
MAY_BE_NONE = frozenset({"predicates"})
"""Lists that may be empty and mean it; in a query that is the name alone, ``predicates=``."""
TIME = "time:"
"""Before a ``known_at`` in a query that is digits alone and yet a time: ``time:2026``."""

Preview = str | list[Operation] | list[Message]
Content = str | list[Any] | None
DIFFERENCE = Reextraction | None

_KINDS: Mapping[tuple[str, str], Any] = {
    ("add", "content"): Content,
    ("add_many", "messages"): list[Message],
    ("write", "operations"): list[Operation],
    ("preview", "messages_or_operations"): Preview,
    ("record", "valid_from"): When | None,
    ("register", "source"): str,
    ("reextract", "since"): When | None,
    ("plan_reextract", "since"): When | None,
}
"""Types of parameters where the verb's own says less, or more than leaves a process."""

MEANING: Mapping[tuple[str, str], str] = {
    ("", "user_id"): "Whose memory: an exact string.",
    ("", "agent_id"): "Which agent's memory of the user; empty for the one shared by all.",
    ("", "namespace"): "The tenant; without it the server's own.",
    ("", "predicate"): "The attribute's registered name.",
    ("", "subject"): "What it is about; `user` for the user.",
    ("history", "subject"): "What it is about; `user` for the user, `subject=` for the user and all else.",
    ("", "at"): "What held then: ISO 8601, a period such as 2026-03 by its last moment.",
    ("", "known_at"): "As known then: a revision, or a time; in a query digits alone are a revision, and "
    "`time:2026` is a time.",
    ("", "predicates"): "Names of attributes: these alone; in a query `predicates=` is none of them.",
    ("", "layers"): "Agent ids to read through, the first one winning a slot.",
    ("", "min_seq"): "The receipt of a write that must be in.",
    ("", "wait"): "Seconds to wait for pending messages, or true.",
    ("", "on_stale"): "Whether a stale answer is flagged, or refused as a problem.",
    ("", "limit"): "At most so many.",
    ("", "after"): "Go on behind this one: the `next` of the last answer.",
    ("messages", "after"): "Of messages behind this seq.",
    ("", "before"): "Of messages before this seq: the `next` of the last answer.",
    ("purge", "before"): "Texts said before this moment.",
    ("", "after_rev"): "Of changes behind this revision: the `next` of the last answer.",
    ("", "expected_rev"): "A revision: refuse where a slot it touches changed after it. Or the `version` of a state: "
    "refuse where that has changed.",
    ("", "said_at"): "When it was said; without it, now.",
    ("", "source"): "Where it comes from.",
    ("register", "source"): "A profile as TOML text, or `personal` or `project` for a ready one.",
    ("", "metadata"): "An object kept with the entry.",
    ("", "idempotency_key"): "The same request under a known key is done once; also the header Idempotency-Key.",
    ("", "fact_id"): "The fact's id, or that of any claim that supports it.",
    ("", "value"): "The value, as the predicate's type takes it; times and durations as text.",
    ("", "between"): "Two times, the earlier one first: facts that hold at some moment between them.",
    ("", "since"): "From when on it holds.",
    ("reextract", "since"): "Messages said since then.",
    ("plan_reextract", "since"): "Messages said since then.",
    ("", "until"): "Until when it holds.",
    ("", "valid_from"): "From when it held; null where nobody knows.",
    ("", "valid_to"): "Until when it held.",
    ("preview", "messages_or_operations"): "What would be said: text or messages; or operations that would be written.",
}  # fmt: skip
"""What a parameter means, by verb and name, or by name alone."""


def kind_of(verb: str, name: str, hint: Any) -> Any:
    """Give the type of a verb's parameter."""
    return _KINDS.get((verb, name), hint)


def is_list(kind: Any) -> bool:
    """Whether a query repeats a parameter of this type."""
    return any(_is_sequence(member) for member in _members(kind))


def schema_of(verb: str, name: str, kind: Any) -> dict[str, Any]:
    """Give the JSON schema of what a parameter takes."""
    if (verb, name) == ("add", "content"):
        return dict(_CONTENT)
    if (verb, name) == ("preview", "messages_or_operations"):
        return _preview()
    found = schema_for(kind, is_input=True)
    kinds = found.get("type", ())
    if {"integer", "number"} & set([kinds] if isinstance(kinds, str) else kinds):
        return {**found, "minimum": 0, "maximum": LARGEST}
    return {**found, "minLength": 1, "maxLength": LONGEST_NAME} if name == "user_id" else found


_CONTENT: Mapping[str, Any] = {
    "anyOf": [
        {"type": "string"},
        {"type": "null"},
        {"type": "array", "items": {"anyOf": [{"type": "object"}, {"type": "string"}]}},
    ]
}


def in_a_query(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Give a parameter's schema as it stands in a query, which has no null: what is not known is left out."""
    found = dict(schema)
    if isinstance(found.get("type"), list):
        sorts = [sort for sort in found["type"] if sort != "null"]
        found["type"] = sorts[0] if len(sorts) == 1 else sorts
    if "anyOf" in found:
        others = [one for one in found["anyOf"] if one != {"type": "null"}]
        found = dict(others[0]) if len(others) == 1 else {"anyOf": others}
    return found


def plain_text(text: str) -> str:
    """Give the text of a docstring as Markdown: names stand between single backticks there."""
    return text.replace("``", "`")


def _preview() -> dict[str, Any]:
    said = {"type": "object", "properties": {"role": {"type": "string"}}, "required": ["role"]}
    return {
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": schema_for(Operation, is_input=True)},
            {"type": "array", "items": said},
        ]
    }


def given_in_json(name: str, kind: Any, data: Any) -> Any:
    """Give a parameter's value from JSON. Raises InvalidValueError, which names it."""
    check_text(name, data)
    if kind is Any:
        return data
    try:
        found = _read(kind, data)
    except InvalidValueError as error:
        raise InvalidValueError(f"{name}: {error}" if not str(error).startswith("[") else f"{name}{error}") from None
    _check_number(name, found)
    return found


def given_in_query(name: str, kind: Any, texts: Sequence[str]) -> Any:
    """Give a parameter's value from the texts it has in a query, one or several. Raises InvalidValueError."""
    if is_list(kind):
        return given_in_json(name, kind, [] if name in MAY_BE_NONE and list(texts) == [""] else list(texts))
    if len(texts) != 1:
        raise InvalidValueError(f"{name}: give it once")
    return given_in_json(name, kind, _typed(name, kind, texts[0]))


def text_in_query(kind: Any, value: Any) -> str:
    """Give a value of JSON as the text that stands for it in a query."""
    members = _members(kind)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and int in members and (value.strip().isdigit() or value.startswith(TIME)):
        return TIME + value
    return str(value)


def _typed(name: str, kind: Any, text: str) -> Any:
    members = _members(kind)
    plain = text.strip()
    if bool in members and plain.lower() in ("true", "false"):
        return plain.lower() == "true"
    if str in members:
        if int in members and plain.isascii() and plain.isdigit():
            return _whole(name, plain)
        return text.removeprefix(TIME) if int in members else text
    if int in members:
        return _whole(name, plain)
    if float in members:
        return _float(name, plain)
    if bool in members:
        raise InvalidValueError(f"{name}: give true or false, not {shown(text)}")
    return text


def _whole(name: str, text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 18:
        raise InvalidValueError(f"{name}: {shown(text)} is no whole number up to {LARGEST}")
    return int(text)


def _float(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidValueError(f"{name}: {shown(text)} is no number") from None


def _check_number(name: str, found: Any) -> None:
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return
    if not math.isfinite(found) or not 0 <= found <= LARGEST:
        raise InvalidValueError(f"{name}: give a number from 0 to {LARGEST}")


def check_text(name: str, data: Any) -> None:
    """Refuse text that is none (half a surrogate pair) wherever it stands; without recursion, for any depth."""
    waiting = [data]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            try:
                item.encode()
            except UnicodeEncodeError:
                raise InvalidValueError(f"{name}: the text has half a surrogate pair in it") from None
        elif isinstance(item, Mapping):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, (list, tuple)):
            waiting += item
        elif isinstance(item, float) and not math.isfinite(item):
            raise InvalidValueError(f"{name}: JSON has no such number")


def _read(kind: Any, data: Any) -> Any:
    if kind is Content:
        return data
    if kind is Preview:
        return _to_preview(data)
    if kind == DIFFERENCE:
        return None if data is None else checked(read(Reextraction, data))
    if kind in _STRICT:
        return _rows(_STRICT[kind], data)
    return read(kind, data)


_STRICT: Mapping[Any, type] = {list[Operation]: Operation, list[Message]: Message}


def _to_preview(data: Any) -> Any:
    is_rows = isinstance(data, list) and bool(data) and all(isinstance(item, Mapping) for item in data)
    if is_rows and all("op" in item for item in data):
        return _rows(Operation, data)
    if not isinstance(data, (str, list)):
        raise InvalidValueError(f"give text, messages or operations, not {shown(data)}")
    return data


def _rows(kind: type, data: Any) -> Any:
    """Read operations or messages: what comes in may have no field that is not known."""
    found = read(list[kind], data)  # type: ignore[valid-type]
    allowed = {field.name for field in dataclasses.fields(kind)} | {"value_type"}
    for number, row in enumerate(data):
        for name in row:
            if name not in allowed:
                raise InvalidValueError(f"[{number}]: {shown(name)} is no field of a {kind.__name__}")
    return found


def _members(kind: Any) -> tuple[Any, ...]:
    """Give the plain types a value may have: text stands for times and durations, and for the names of a choice."""
    members = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    return tuple(str if member in _TEXT or get_origin(member) is Literal else member for member in members)


_TEXT = (datetime, date, timedelta)


def _is_sequence(member: Any) -> bool:
    origin: Any = get_origin(member)
    return isinstance(origin, type) and issubclass(origin, Iterable) and not issubclass(origin, Mapping)
