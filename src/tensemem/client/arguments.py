"""The arguments of a verb as they are sent: what only this process has (files, models, parts) is put in words."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from ..core.definitions import entity_body, make_entity, make_predicate, predicate_body
from ..core.periods import format_duration, parse_period
from ..core.profiles import predicates_of
from ..engine.core import described
from ..engine.record import text_of
from ..errors import InvalidScopeError, InvalidTimeError, InvalidValueError, UnknownFactError
from ..model.operation import Message, Operation
from ..model.predicate import Entity, Predicate
from ..model.results import Reextraction
from ..verbs.scoped import SCOPE, Verb
from ..wire import SERVED, Served
from ..wire.decoding import READY

LONGEST_SHOWN = 60
LONGEST_ID = 1000
"""Characters of what may be an id; ids have far fewer."""
_TIMES = ("at", "since", "until", "valid_from", "valid_to", "said_at", "known_at")
_OWN = ("role", "said_at", "session_id", "speaker", "source", "metadata", "idempotency_key")


def bound(verb: Verb, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Give a call's arguments by name, those left out with their defaults. Raises TypeError, as a call does."""
    given = _signature(verb).bind(None, *args, **keywords)
    given.apply_defaults()
    return {name: value for name, value in given.arguments.items() if name != "self"}


@cache
def _signature(verb: Verb) -> inspect.Signature:
    return inspect.signature(verb)


def prepared(name: str, arguments: dict[str, Any], namespace: str | None) -> dict[str, Any]:
    """Give the arguments of a verb as they are sent. Raises the errors of a memory for what can't be any."""
    given = {**arguments, **_scope(arguments, namespace, served=SERVED[name])}
    for word in _TIMES:
        if word in given:
            _check_time(word, given[word])
    if isinstance(given.get("layers"), str):
        given["layers"] = [given["layers"]]
    for word in ("fact_id", "question_id"):
        _check_id(word, given.get(word), is_needed=word in given and name != "forget")
    change = _CHANGES.get(name)
    return given if change is None else change(given)


def _scope(arguments: Mapping[str, Any], namespace: str | None, *, served: Served | None = None) -> dict[str, Any]:
    """Check whose memory is meant. A client of one namespace names it, and no other."""
    for word in SCOPE:
        value = arguments.get(word)
        if word not in arguments or (value is None and _may_be_left_out(served, word)):
            continue
        if not _is_text(value):
            what = "must be text" if isinstance(value, str) else f"must be text, not {type(value).__name__}"
            raise InvalidScopeError(f"{word} {what}" + (" without lone surrogates" if isinstance(value, str) else ""))
    if "namespace" not in arguments or namespace is None:
        return {}
    if arguments["namespace"] not in (None, namespace) or arguments.get("every_namespace"):
        raise InvalidScopeError(
            f"this client is pinned to namespace {namespace[:LONGEST_SHOWN]!r} and knows no other; make one without "
            "namespace=... for all of them"
        )
    return {"namespace": namespace}


def _may_be_left_out(served: Served | None, name: str) -> bool:
    parameter = None if served is None else served.parameter(name)
    return parameter is not None and not parameter.required and parameter.default is None


def _is_text(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_time(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, str) and not (name == "known_at" and type(value) is int):
        parse_period(value, "UTC", name=name)


def _check_id(name: str, value: Any, *, is_needed: bool) -> None:
    if (_is_text(value) and len(value) <= LONGEST_ID) or (value is None and not is_needed):
        return
    places = "state(), history() or context()" if name == "fact_id" else "questions()"
    raise UnknownFactError(f"{described(value)} is not an id; use one printed by {places}")


def _message(given: dict[str, Any]) -> dict[str, Any]:
    return {**given, "content": content_of(given["content"])}


def content_of(content: Any) -> Any:
    """Give what was said as text; of a list of messages each. Pictures and other parts stay here."""
    if is_conversation(content):
        own = [{name: item[name] for name in _OWN if item.get(name) is not None} for item in content]
        return [{**each, "content": text_of(item.get("content"))} for each, item in zip(own, content, strict=True)]
    return text_of(content)


def is_conversation(content: Any) -> bool:
    """Tell whether content is a list of messages with roles."""
    is_list = isinstance(content, Sequence) and not isinstance(content, (str, bytes))
    return is_list and bool(content) and all(isinstance(item, Mapping) and "role" in item for item in content)


def message_of(message: object) -> Message:
    """Give a message of ``add_many`` as it is sent. Raises InvalidValueError and InvalidTimeError."""
    if not isinstance(message, Message):
        raise InvalidValueError(f"add_many takes Message objects, not {type(message).__name__}")
    _scope({"user_id": message.user_id, "agent_id": message.agent_id}, None)
    _check_time("said_at", message.said_at)
    return replace(message, content=text_of(message.content))


def _write(given: dict[str, Any]) -> dict[str, Any]:
    operations = given["operations"]
    if not isinstance(operations, (list, tuple)) or not operations:
        raise InvalidValueError("give a list of at least one operation")
    _check_operations(operations)
    return given


def _check_operations(operations: Sequence[Any]) -> None:
    for operation in operations:
        if not isinstance(operation, Operation):
            raise InvalidValueError(f"an operation is an Operation object, not {type(operation).__name__}")
        for word in ("since", "until", "valid_from", "valid_to"):
            value = getattr(operation, word)
            if value is not None and not isinstance(value, (str, date)):
                what = type(value).__name__
                raise InvalidTimeError(
                    f"{word} must be an aware datetime, a date, or ISO 8601 text, not a value of type {what}"
                )


def _preview(given: dict[str, Any]) -> dict[str, Any]:
    if given.pop("llm") is not None:
        raise InvalidValueError("a server asks its own extractor: leave llm out")
    what = given["messages_or_operations"]
    if isinstance(what, Operation):
        raise InvalidValueError("give a list of operations")
    is_list = isinstance(what, Sequence) and not isinstance(what, (str, bytes)) and bool(what)
    if is_list and all(isinstance(item, Operation) for item in what):
        _check_operations(what)
        return given
    if is_list and isinstance(what[0], Message):
        said = [_as_item(message_of(item)) for item in what]
        return {**given, "messages_or_operations": said}
    return {**given, "messages_or_operations": content_of(what)}


def _as_item(message: Message) -> dict[str, Any]:
    own = {name: getattr(message, name) for name in _OWN if getattr(message, name) is not None}
    return {**own, "content": message.content}


def _reextract(given: dict[str, Any]) -> dict[str, Any]:
    found = given.pop("llm")
    if isinstance(found, Reextraction):
        return {**given, "difference": found}
    _refuse_llm(found)
    return given


def _plan(given: dict[str, Any]) -> dict[str, Any]:
    _refuse_llm(given.pop("llm"))
    return given


def _refuse_llm(llm: Any) -> None:
    if llm is not None:
        raise InvalidValueError("a server asks the extractor that its operator chose: give None as llm")


def _profile(given: dict[str, Any]) -> dict[str, Any]:
    source = given["source"]
    if isinstance(source, str) and source in READY and not Path(source).exists():
        return given
    predicates, entities = predicates_of(source, lambda path: Path(path).read_bytes())
    return {**given, "source": toml_of(predicates, entities)}


def toml_of(predicates: Sequence[Predicate], entities: Sequence[Entity]) -> str:
    """Give definitions as the text of a TOML file."""
    tables = [("predicates", _fields_of(one)) for one in predicates]
    tables += [("entities", entity_body(one)) for one in entities]
    lines = ["# tensemem"]
    for group, body in tables:
        lines.append(f"[{group}.{_literal(body.pop('name'))}]")
        lines += [f"{name} = {_literal(value)}" for name, value in body.items()]
    return "\n".join(lines) + "\n"


def _fields_of(predicate: Predicate) -> dict[str, Any]:
    body = predicate_body(predicate)
    for name in ("ttl", "review_after"):
        duration = getattr(predicate, name)
        if duration is not None:
            body[name] = format_duration(duration)
    return body


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_literal(str(name))} = {_literal(item)}" for name, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return repr(value)


def _predicate(given: dict[str, Any]) -> dict[str, Any]:
    rest = {name: given.pop(name) for name in ("update", "namespace")}
    return {**_fields_of(make_predicate(**given)), **rest}


def _entity(given: dict[str, Any]) -> dict[str, Any]:
    namespace = given.pop("namespace")
    return {**entity_body(make_entity(**given)), "namespace": namespace}


def _purge(given: dict[str, Any]) -> dict[str, Any]:
    _check_time("before", given["before"])
    return given


def _history(given: dict[str, Any]) -> dict[str, Any]:
    between = given["between"]
    if isinstance(between, (list, tuple)):
        for each in between:
            _check_time("between", each)
    return given


_CHANGES: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "add": _message, "write": _write, "preview": _preview, "reextract": _reextract, "plan_reextract": _plan,
    "register": _profile, "register_predicate": _predicate, "register_entity": _entity, "purge": _purge,
    "history": _history,
}  # fmt: skip
