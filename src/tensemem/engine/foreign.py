"""What other systems write of what they remember: messages and dated statements, record by record.

Two kinds of files are read: JSON Lines with a kind of record on each line, as engines of the same idea export them,
and what mem0 gives as ``get_all()`` and ``history()``. Nobody promises their shapes, so names are looked for where they
usually stand; what can't be read says why, with its line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from ..core.text import is_valid_text
from ..errors import InvalidTimeError, InvalidValueError
from .exportreading import BadLineError, ExportReader, parsed
from .outside import ROLES, moment_read, text_read

FORMATS = ("tensemem", "jsonl", "mem0")
TAKEN = ("messages", "rows", "both")

LARGEST = 256 * 1024 * 1024
"""Bytes of a file that is one piece of JSON, which is read at once."""

_KIND = ("kind", "type", "record_type", "record", "object_type", "_type")
_MESSAGES = frozenset({"message", "messages", "episode", "event", "turn", "utterance", "msg", "chat"})
_FACTS = frozenset({"fact", "claim", "triple", "statement", "assertion", "memory", "edge", "attribute"})
_SILENT = frozenset({"header", "meta", "metadata", "export", "manifest", "version", "footer", "end", "summary"})
"""Records about the file itself."""
_TEXT = ("content", "text", "body", "message", "raw_text", "utterance")
_SAID = ("said_at", "occurred_at", "observed_at", "timestamp", "created_at", "recorded_at", "ingested_at", "time", "ts")
_BEGINS = ("valid_from", "valid_at", "start", "since", "effective_from")
_ENDS = ("valid_to", "valid_until", "invalid_at", "end", "until", "effective_to")
_SESSION = ("session_id", "session", "conversation_id", "thread_id")
_USER = ("user_id", "user", "owner")
_AGENT = ("agent_id", "agent")
_ID = ("id", "uuid", "fact_id", "claim_id", "episode_id", "seq")
_PREDICATE = ("predicate", "attribute", "relation", "property")
_VALUE = ("object", "value", "object_value")
_SUBJECT = ("subject", "entity")
_TAKEN_BACK = frozenset({"retracted", "corrected", "deleted", "denied", "rejected", "candidate", "held", "planned"})
_MEM0_LISTS = ("results", "memories", "history", "data")
_EXPECTED = 'expected what mem0 gives: {"results": [{"memory": "…", "created_at": "…"}]}, or that list'
_MEM0_TEXT = ("memory", "text", "data", "new_memory")


class NotTakenError(Exception):
    """A record that is not taken, and why."""


@dataclass(frozen=True, slots=True)
class Words:
    """A message in somebody's words."""

    line: int
    user: str | None
    agent: str
    id: str
    at: datetime | None
    text: str
    role: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A statement with its dates, as they were written."""

    line: int
    user: str | None
    agent: str
    id: str
    at: datetime | None
    subject: str
    predicate: str
    value: Any
    valid_from: Any
    valid_to: Any


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was not taken of a file."""

    line: int
    why: str


Record: TypeAlias = Words | Row | Refusal


@dataclass(frozen=True, slots=True)
class Manner:
    """How a file is read: which of its records are taken, who speaks where it does not say, the zone of bare times.

    ``predicate`` is what a memory without one becomes a row of.
    """

    take: str
    role: str
    zone: str
    predicate: str


def json_lines(reader: ExportReader, manner: Manner) -> Iterator[Record]:
    """Give what the lines of a file say."""
    while True:
        try:
            raw = reader.next()
            if raw is None:
                return
            if not raw.strip():
                continue
            fields = parsed(reader.number, raw.removeprefix(b"\xef\xbb\xbf"))
            found = _line(fields, reader.number, manner)
            if found is not None:
                yield found
        except BadLineError as error:
            yield Refusal(error.number, str(error).partition(": ")[2])
        except (NotTakenError, InvalidValueError, InvalidTimeError) as error:
            yield Refusal(reader.number, str(error))


def _line(fields: Mapping[str, Any], number: int, manner: Manner) -> Words | Row | None:
    kind = str(_first(fields, _KIND, str) or "").strip().lower()
    inner = dict(fields)
    for name in ("scope", "data", "payload", "record"):  # where the fields themselves may stand
        if isinstance(fields.get(name), Mapping):
            inner.update(fields[name])
    has_predicate = _first(inner, _PREDICATE, str) is not None
    if kind in _SILENT:
        return None
    if kind in _FACTS or (not kind and has_predicate):
        return _row(inner, number, manner)
    if kind in _MESSAGES or (not kind and "role" in inner):
        return _words(inner, number, manner)
    if not kind:
        raise NotTakenError("it has no kind, no role and no predicate")
    raise NotTakenError(f"records of kind {kind[:40]!r} are not read")


def _words(fields: Mapping[str, Any], number: int, manner: Manner) -> Words | None:
    if manner.take == "rows":
        return None
    content = next((fields[name] for name in _TEXT if fields.get(name) is not None), None)
    text = text_read(content)
    if not text.strip():
        raise NotTakenError("the message has no text")
    given = _first(fields, ("role", "speaker_role", "sender"), str)
    role = manner.role if given is None else ROLES.get(given.strip().lower())
    if role is None:
        raise NotTakenError(f"nobody is known by the role {given[:40]!r}" if given else "it has no role")
    return Words(number, *_whose(fields), _id(fields), _at(fields, manner), text, role, _first(fields, _SESSION, str))


def _row(fields: Mapping[str, Any], number: int, manner: Manner) -> Row | None:
    if manner.take == "messages":
        return None
    status = str(fields.get("status", "")).strip().lower()
    if status in _TAKEN_BACK or fields.get("is_deleted") is True or fields.get("retracted_at") is not None:
        raise NotTakenError(f"it does not hold there ({status or 'taken back'})")
    predicate = _first(fields, _PREDICATE, str)
    if predicate is None:
        raise NotTakenError("it has no predicate")
    value = next((fields[name] for name in _VALUE if fields.get(name) is not None), None)
    if value is None:
        raise NotTakenError("it has no value")
    at = _at(fields, manner)
    begins, ends = _date(fields, _BEGINS, manner), _date(fields, _ENDS, manner)
    if begins is None and ends is None:
        begins = at
    if begins is None and ends is None:
        raise NotTakenError("it has no date, neither of its own nor of when it was said")
    subject = _first(fields, _SUBJECT, str) or "user"
    user, agent = _whose(fields)
    if user is not None and subject == user:
        subject = "user"
    return Row(number, user, agent, _id(fields), at, subject, predicate, value, begins, ends)


# mem0


def mem0_records(given: Any, manner: Manner) -> Iterator[Record]:
    """Give what a dump of mem0 says: what ``get_all()`` or ``history()`` gave, or a list of such."""
    items = given
    if isinstance(given, Mapping):
        items = next((given[name] for name in _MEM0_LISTS if isinstance(given.get(name), list)), None)
        if items is None and any(name in given for name in _MEM0_TEXT):
            items = [given]
    if not isinstance(items, Sequence) or isinstance(items, (str, bytes)):
        raise InvalidValueError(_EXPECTED)
    ends = _ends_of(items, manner) if manner.take != "messages" else {}
    for place, item in enumerate(items, start=1):
        try:
            yield from _memory(item, place, manner, ends.get(place))
        except (NotTakenError, InvalidValueError, InvalidTimeError) as error:
            yield Refusal(place, str(error))


def mem0_dump(stream: ExportReader, name: str) -> Any:
    """Read a dump as one piece of JSON, or as JSON Lines; raises InvalidValueError."""
    lines: list[bytes] = []
    size = 0
    while True:
        try:
            raw = stream.next()
        except BadLineError as error:
            raise InvalidValueError(f"{name}: {error}") from None
        if raw is None:
            break
        size += len(raw)
        if size > LARGEST:
            raise InvalidValueError(f"{name} has more than {LARGEST // 1024 // 1024} MiB; give a part of it")
        lines.append(raw)
    text = b"".join(lines).removeprefix(b"\xef\xbb\xbf")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        found = _each(lines, name, error)
    return found


def _each(lines: Sequence[bytes], name: str, error: Exception) -> list[Any]:
    found = [_parsed(line) for line in lines if line.strip()]
    if not any(isinstance(one, dict) for one in found):
        raise InvalidValueError(f"{name} is no JSON: {getattr(error, 'msg', error)}") from None
    return found


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _memory(item: Any, place: int, manner: Manner, end: datetime | None) -> Iterator[Words | Row]:
    if not isinstance(item, Mapping):
        raise NotTakenError("it is no object")
    event = str(item.get("event") or "").upper()
    if event == "DELETE" or item.get("is_deleted") in (True, 1):
        if manner.take == "messages":
            raise NotTakenError("that a memory was deleted is no message; take rows, and it ends there")
        return  # the row before it ends then
    text = text_read(next((item[name] for name in _MEM0_TEXT if isinstance(item.get(name), str)), None))
    if not text.strip():
        raise NotTakenError('it has no text under "memory"')
    user, agent = _whose(item)
    at = _at(item, manner, ("updated_at", "created_at") if event == "UPDATE" else ("created_at", "updated_at"))
    known = item.get("metadata")
    details: Mapping[str, Any] = known if isinstance(known, Mapping) else {}
    id_ = f"{_id(item)}{event and ':' + event}"
    if manner.take != "rows":
        yield Words(place, user, agent, id_, at, text, _role_of(item, manner), _first(item, ("run_id",), str))
    if manner.take == "messages":
        return
    predicate = _first(details, _PREDICATE, str)
    value = text if predicate is None or details.get("value") is None else details["value"]
    begins = _date(details, _BEGINS, manner) or at
    if begins is None:
        raise NotTakenError("it has no date under created_at")
    subject = _first(details, _SUBJECT, str) or "user"
    ends = end or _date(details, _ENDS, manner)
    yield Row(place, user, agent, id_, at, subject, predicate or manner.predicate, value, begins, ends)


def _role_of(item: Mapping[str, Any], manner: Manner) -> str:
    given = _first(item, ("role",), str)
    return ROLES.get(given.strip().lower(), manner.role) if given else manner.role


def _ends_of(items: Sequence[Any], manner: Manner) -> dict[int, datetime]:
    """Give when each memory of a history ended, by its place: when the next event of the same one came."""
    found: dict[int, datetime] = {}
    last: dict[str, int] = {}
    listed = enumerate(items, start=1)
    events = [(place, item) for place, item in listed if isinstance(item, Mapping) and item.get("event")]
    for place, item in sorted(events, key=lambda one: (_moment(one[1], manner), one[0])):
        name = str(item.get("memory_id") or item.get("id"))
        before = last.pop(name, None)
        moment = _moment(item, manner)
        if before is not None and moment is not None:
            found[before] = moment
        if str(item["event"]).upper() != "DELETE":
            last[name] = place
    return found


# Fields


def _moment(item: Mapping[str, Any], manner: Manner) -> datetime:
    try:
        found = _at(item, manner, ("updated_at", "created_at"))
    except (InvalidTimeError, InvalidValueError):
        found = None
    return found or moment_read(0, "UTC")


def _first(fields: Mapping[str, Any], names: Sequence[str], kind: Any) -> Any:
    return next((fields[name] for name in names if isinstance(fields.get(name), kind) and fields[name] != ""), None)


def _whose(fields: Mapping[str, Any]) -> tuple[str | None, str]:
    user, agent = _first(fields, _USER, (str, int)), _first(fields, _AGENT, (str, int))
    return (None if user is None else _name(user)), ("" if agent is None else _name(agent))


def _name(value: object) -> str:
    text = str(value)
    if isinstance(value, bool) or is_valid_text(text) is not None:
        raise NotTakenError("it names nobody whose memory it could be")
    return text


def _id(fields: Mapping[str, Any]) -> str:
    return str(_first(fields, _ID, (str, int)) or "")


def _at(fields: Mapping[str, Any], manner: Manner, names: Sequence[str] = _SAID) -> datetime | None:
    raw = _first(fields, names, (str, int, float))
    return None if raw is None or isinstance(raw, bool) else moment_read(raw, manner.zone)


def _date(fields: Mapping[str, Any], names: Sequence[str], manner: Manner) -> Any:
    """Give a date as it was written, where that is a period; numbers are moments."""
    raw = _first(fields, names, (str, int, float))
    if raw is None or isinstance(raw, bool):
        return None
    read = moment_read(raw, manner.zone)
    is_number = not isinstance(raw, str) or (raw.strip().replace(".", "").isdigit() and len(raw.strip()) > len("2026"))
    return read if is_number else raw.strip()
