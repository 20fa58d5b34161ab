"""What comes in: messages, and the operations an extractor or the application proposes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal, TypeAlias

When: TypeAlias = datetime | date | str
"""An aware datetime, a date, or ISO 8601 text; ``"2026"``, ``"2026-03"`` and ``"2026-03-05"`` are periods."""

Op: TypeAlias = Literal["set", "add", "remove", "replace", "retract", "deny", "confirm"]
Modality: TypeAlias = Literal["asserted", "planned", "hypothetical", "question", "reported"]

OPS = ("set", "add", "remove", "replace", "retract", "deny", "confirm")
MODALITIES = ("asserted", "planned", "hypothetical", "question", "reported")


@dataclass(frozen=True, slots=True)
class Message:
    """One message for ``add_many``: who said what, and when.

    ``said_at`` may lie in the past; without one it is the time of recording.
    """

    user_id: str
    content: Any
    role: str = "user"
    said_at: When | None = None
    session_id: str | None = None
    speaker: str | None = None
    idempotency_key: str | None = None
    source: str | None = None
    metadata: Mapping[str, Any] | None = None
    extract: bool = True
    agent_id: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """A typed proposal about one attribute of one subject. The engine decides what becomes of it.

    ``since``/``until`` speak of the present ("since 10 January", "until Friday"); ``valid_from``/``valid_to``
    file a dated row ("from 2015 to 2017"). Both kinds at once is an InvalidTimeError when it is recorded.
    ``quote`` is the span of the message that says so; ``message`` is the index of that message in the request.
    """

    op: Op
    predicate: str
    value: Any = None
    subject: str = field(default="user", kw_only=True)
    quote: str = field(default="", kw_only=True)
    message: int | None = field(default=None, kw_only=True)
    modality: Modality = field(default="asserted", kw_only=True)
    since: When | None = field(default=None, kw_only=True)
    until: When | None = field(default=None, kw_only=True)
    valid_from: When | None = field(default=None, kw_only=True)
    valid_to: When | None = field(default=None, kw_only=True)
    confidence: float = field(default=1.0, kw_only=True)
