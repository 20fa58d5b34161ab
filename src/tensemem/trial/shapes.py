"""Messages in JSON, in the shapes in which chats are kept: API messages, fine-tuning sets, exports of assistants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.text import is_valid_text
from ..engine.outside import ROLES, moment_read, text_read
from ..errors import InvalidTimeError, InvalidValueError
from .values import Fault, Item, Said

_ROLE_KEYS = ("role", "sender", "from", "author")
_TEXT_KEYS = ("content", "text", "value")
_TIME_KEYS = ("created_at", "timestamp", "create_time", "said_at", "time", "date", "ts")
_USER_KEYS = ("user_id", "user")
_NAME_KEYS = ("speaker", "name")
_LIST_KEYS = ("messages", "chat_messages", "conversations", "conversation")


@dataclass(frozen=True, slots=True)
class Setting:
    """What reading needs to know beside the file: its name for faults, the zone of times that have none."""

    file: str
    zone: str = "UTC"


def messages_in(value: Any, line: int, session: str, setting: Setting) -> Iterator[Item]:
    """Give the messages of one JSON element: a message, a conversation, or a list of messages."""
    if isinstance(value, list):
        yield from _several(value, line, session, setting, None)
    elif not isinstance(value, Mapping):
        yield _expected(line, setting, f"a {_kind(value)} stands there")
    elif isinstance(value.get("mapping"), Mapping):
        yield from _exported(value, line, session, setting)
    elif (inside := _first(value, _LIST_KEYS, list)) is not None:
        yield from _several(inside, line, session, setting, _user_of(value))
    else:
        yield from _message(value, line, session, setting, None)


def _several(
    values: Sequence[Any], line: int, session: str, setting: Setting, user: str | None
) -> Iterator[Item]:
    for place, value in enumerate(values, start=1):
        if isinstance(value, Mapping):
            yield from _message(value, line, session, setting, user)
        else:
            yield _expected(line, setting, f"number {place} of the conversation is a {_kind(value)}")


def _message(
    value: Mapping[str, Any], line: int, session: str | None, setting: Setting, user: str | None
) -> Iterator[Item]:
    if "memory" in value and "role" not in value:
        yield Fault(setting.file, line, "it is a memory of another store, not a message; give the file to --from-mem0")
        return
    given = _first(value, _ROLE_KEYS, (str, Mapping))
    role_name = given.get("role") if isinstance(given, Mapping) else given
    role = ROLES.get(str(role_name).strip().lower()) if role_name is not None else None
    key = next((key for key in _TEXT_KEYS if key in value), None)
    if role is None or (key is None and "tool_calls" not in value):
        yield _expected(line, setting, _lack(role_name, role))
        return
    try:
        text = text_read(value.get(key) if key else None)
    except InvalidValueError as error:
        yield Fault(setting.file, line, str(error))
        return
    at = None
    raw = _first(value, _TIME_KEYS, (str, int, float))
    if raw is not None:
        try:
            at = moment_read(raw, setting.zone)
        except InvalidTimeError as error:
            yield Fault(setting.file, line, f"{error} The message is used without a time.")
    name = _label(_first(value, _NAME_KEYS, str)) if role == "user" else None
    own = _label(_first(value, ("session_id", "conversation_id", "thread_id"), str))
    yield Said(line, role, text, at, name, _user_of(value) or user, own or session)


def _lack(role_name: object, role: str | None) -> str:
    if role_name is None:
        return "it has no role"
    return f"its role is {str(role_name)[:40]!r}" if role is None else "it has no content"


def _exported(value: Mapping[str, Any], line: int, session: str, setting: Setting) -> Iterator[Item]:
    """Give the messages of a conversation kept as a tree: the branch that ends where the person left it."""
    nodes: Mapping[str, Any] = value["mapping"]
    place = value.get("current_node")
    if place not in nodes:
        place = next(reversed(list(nodes)), None)
    branch: list[Mapping[str, Any]] = []
    seen: set[Any] = set()
    while isinstance(place, str) and place in nodes and place not in seen:
        seen.add(place)
        node = nodes[place]
        if not isinstance(node, Mapping):
            break
        if isinstance(node.get("message"), Mapping):
            branch.append(node["message"])
        place = node.get("parent")
    for message in reversed(branch):
        yield from _message(message, line, session, setting, None)


def _first(value: Mapping[str, Any], keys: Sequence[str], kind: Any) -> Any:
    return next((value[key] for key in keys if isinstance(value.get(key), kind) and value[key] != ""), None)


def _user_of(value: Mapping[str, Any]) -> str | None:
    given = next((value[key] for key in _USER_KEYS if isinstance(value.get(key), (str, int))), None)
    return None if given is None or isinstance(given, bool) else _label(str(given))


def _label(text: str | None) -> str | None:
    if text is None or is_valid_text(text) is not None:
        return None
    return text.strip()[:200] or None


def _kind(value: object) -> str:
    return {str: "text", int: "number", float: "number", bool: "truth value", list: "list"}.get(type(value), "null")


def _expected(line: int, setting: Setting, found: str) -> Fault:
    return Fault(
        setting.file, line,
        f'{found}; expected a message such as {{"role": "user", "content": "…"}}, or {{"messages": [...]}}',
    )  # fmt: skip
