"""The shapes of mem0: its ids, its items, its events, and what it has that a state memory has not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from ..core.tool_forms import given_value
from ..core.values import as_text
from ..engine.record import text_of as text_of_content
from ..errors import InvalidValueError, TensememError
from ..model.fact import Fact
from ..model.predicate import ROLES, Predicate
from ..model.results import Change, State
from ..verbs.scoped import ScopedMemory

NOTE = "note"
"""The predicate of what ``infer=False`` keeps as it was said."""
IDENTITY = ("user_id", "agent_id", "run_id")
_NOBODY = "(nobody)"


class NotSupportedError(TensememError, ValueError):
    """mem0 has this, and a state memory has not; the message says what to use instead."""


class NoSuchPartError(NotSupportedError, AttributeError):
    """The same of an attribute, so that ``hasattr`` answers."""


def scope_of(user_id: Any, agent_id: Any, run_id: Any) -> dict[str, str]:
    """Give the scope of some ids. None of mem0's ids holds white space, so a space parts an agent from a run."""
    names = {
        name: _checked(one, name)
        for name, one in zip(IDENTITY, (user_id, agent_id, run_id), strict=True)
        if one is not None
    }
    if not names:
        raise ValueError("At least one of 'user_id', 'agent_id', or 'run_id' must be provided.")
    run = f" {names['run_id']}" if "run_id" in names else ""
    return {"user_id": names.get("user_id", _NOBODY), "agent_id": names.get("agent_id", "") + run}


def names_of(memory: ScopedMemory) -> dict[str, str]:
    """Give the ids that name a scope."""
    agent, _, run = memory.agent_id.partition(" ")
    user = "" if memory.user_id == _NOBODY else memory.user_id
    return {name: one for name, one in zip(IDENTITY, (user, agent, run), strict=True) if one}


def _checked(one: Any, name: str) -> str:
    text = str(one).strip()
    if not text or text == _NOBODY or any(character.isspace() for character in text):
        raise ValueError(f"Invalid {name}: give an identifier that is not empty and has no white space.")
    return text


def identity(filters: Mapping[str, Any] | None) -> dict[str, str]:
    """Read the ids in filters; raises ValueError without any, NotSupportedError for other filters."""
    if filters is not None and not isinstance(filters, Mapping):
        raise ValueError("filters must be a dict such as {'user_id': ...}")
    given = dict(filters or {})
    ids = {name: given.pop(name) for name in IDENTITY if name in given}
    if any(isinstance(one, (Mapping, list, tuple, set)) for one in ids.values()):
        raise NotSupportedError("filters with operators are not supported; give each id itself")
    names = {name: _checked(one, name) for name, one in ids.items() if one is not None}
    if given:
        others = ", ".join(map(str, given))
        raise NotSupportedError(f"filters by {others} are not supported; a fact has no metadata but its own")
    if not names:
        raise ValueError("filters must contain at least one of: user_id, agent_id, run_id.")
    return names


def refuse_others(others: Mapping[str, Any], method: str) -> None:
    """Raise for arguments that mem0 does not take there either."""
    if not others.keys().isdisjoint(IDENTITY):
        raise ValueError(f"{method}() takes its ids as filters={{'user_id': ...}}, not at the top level.")
    if others:
        raise TypeError(f"{method}() got an unexpected keyword argument {next(iter(others))!r}")


def refuse(**given: Any) -> None:
    """Raise NotSupportedError for what has been given of it."""
    for name, value in given.items():
        if value is not None:
            raise NotSupportedError(f"{name} is not supported: register a predicate with a ttl, or read as of a time")


def limit_of(top_k: Any) -> int:
    """Read how many are wanted; raises ValueError."""
    if isinstance(top_k, bool) or not isinstance(top_k, int) or top_k < 0:
        raise ValueError(f"Invalid top_k: {top_k}. Must be a non-negative integer.")
    return top_k


def as_messages(messages: Any) -> list[dict[str, Any]]:
    """Give messages as a list of role and content; raises ValueError."""
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    given = [messages] if isinstance(messages, Mapping) else messages
    if not isinstance(given, Sequence) or not all(isinstance(each, Mapping) for each in given):
        raise ValueError("messages must be str, dict, or list[dict]")
    return [{"role": each.get("role", "user"), "content": each.get("content")} for each in given]


def moment_of(timestamp: Any) -> Any:
    """Give a time; numbers are seconds since 1970, as mem0's platform takes them. Raises ValueError."""
    if isinstance(timestamp, bool) or not isinstance(timestamp, (int, float)):
        return timestamp
    try:
        return datetime.fromtimestamp(timestamp, UTC)
    except (OverflowError, OSError) as error:
        raise ValueError(f"timestamp {timestamp} is no time") from error


def as_notes(messages: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Give role and text of the messages to keep as notes: those with text, but the system's; raises ValueError."""
    notes = []
    for each in messages:
        role, content = each["role"], each["content"]
        if role not in ROLES or role == "application":
            raise ValueError(f"role must be one of {', '.join(ROLES[:-1])}, not {role!r}")
        text = text_of_content(content)
        if role != "system" and text.strip():
            notes.append((role, text))
    return notes


def llm_of(config: Any) -> Any:
    """Give the extractor that a configuration of mem0 names; the offline one where it names none."""
    if config is None:
        return "offline"
    inner = config.get("config") or {}
    model, provider = inner.get("model"), config.get("provider", "openai")
    if not model:
        raise InvalidValueError("name the model: {'llm': {'provider': 'openai', 'config': {'model': '...'}}}")
    url = inner.get(f"{provider}_base_url") or inner.get("base_url")
    return f"{provider}:{model}" + (f"@{url}" if url else "")


def text_of(predicate: str, subject: str, value: Any) -> str:
    """Give a fact as the text of a memory: "lives in: Bangalore"."""
    text = as_text(value)
    if predicate == NOTE:
        return text
    whose = "" if subject == "user" else f"{subject.removeprefix('user.')}: "
    return f"{whose}{predicate.replace('_', ' ')}: {text}"


def value_in(text: str, fact: Fact, predicate: Predicate | None) -> Any:
    """Give the value that a text states for a fact: all of it, or what stands behind the attribute's name."""
    head = text_of(fact.predicate, fact.subject, "").rstrip()
    if head and text[: len(head)].casefold() == head.casefold():
        text = text[len(head) :].strip()
    return given_value(predicate, text)


def _plain(fact: Fact) -> Any:
    """Give a fact's value as JSON has it: dates and durations as text."""
    return fact.object if isinstance(fact.value, (date, timedelta)) else fact.value


def item(fact: Fact, memory: ScopedMemory, state: State) -> dict[str, Any]:
    text = text_of(fact.predicate, fact.subject, fact.object)
    return {
        "id": fact.id, "memory": text, "hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
        "metadata": {
            "predicate": fact.predicate, "subject": fact.subject, "value": _plain(fact),
            "valid_from": _iso(fact.valid_from), "valid_to": _iso(fact.valid_to), "contested": fact.contested,
            "due_for_review": fact.due_for_review, "is_current": state.freshness.is_current, "version": state.version,
        },
        "score": None, "created_at": _iso(fact.recorded_at), "updated_at": _iso(fact.last_evidence_at),
        **names_of(memory),
    }  # fmt: skip


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


@dataclass
class Event:
    """What one log entry did to one memory."""

    rev: int
    id: str
    before: str | None = None
    after: str | None = None
    ended_at: datetime | None = None

    @property
    def name(self) -> str:
        """mem0's word for it."""
        if self.after is None:
            return "DELETE"
        return "ADD" if self.before is None else "UPDATE"

    def told(self) -> dict[str, Any]:
        """Give it as ``add`` does."""
        told = {"id": self.id, "memory": self.before if self.after is None else self.after, "event": self.name}
        return {**told, "previous_memory": self.before} if self.name == "UPDATE" else told

    def row(self, memory_id: str, dates: Mapping[int, datetime]) -> dict[str, Any]:
        """Give it as ``history`` does; ``dates`` are those of revisions."""
        at = _iso(dates.get(self.rev) if self.after is not None else self.ended_at)
        return {
            "id": f"{self.id}@{self.rev}", "memory_id": memory_id, "old_memory": self.before, "new_memory": self.after,
            "event": self.name, "created_at": at, "updated_at": at, "is_deleted": self.after is None, "actor_id": None,
            "role": None,
        }  # fmt: skip


def events_of(changes: Iterable[Change], many: frozenset[str]) -> list[Event]:
    """Join what one log entry ended and began in a slot (for a many-valued one: of one value) to one event."""
    found: dict[tuple[Any, ...], Event] = {}
    for change in changes:
        text = text_of(change.predicate, change.subject, change.value)
        key = (change.rev, change.subject, change.predicate, text if change.predicate in many else None)
        event = found.setdefault(key, Event(change.rev, change.fact_id))
        if change.kind == "ended":
            event.before, event.ended_at = text, change.valid_to
        elif change.valid_to is None:
            event.after, event.id = text, change.fact_id
    return [event for event in found.values() if (event.before, event.after) != (None, None)]
