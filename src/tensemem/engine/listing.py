"""Reading messages back as they were said, newest pages first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.findings import GONE
from ..errors import InvalidValueError
from ..model.claim import Amendment
from ..model.entry import Entry
from ..model.items import Items
from ..model.moment import to_datetime
from ..model.results import LoggedMessage
from ..model.scope import Scope
from ..ports import NEVER
from .core import Engine, check_limit, check_seq, check_text
from .searching import is_corrected
from .state import Snapshot, items_in

CHUNK = 64
"""How many messages are read at a time while those of one session are looked for."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Which messages are asked for."""

    session_id: str | None = None
    after: int = 0
    before: int | None = None
    limit: int | None = None


def messages(engine: Engine, scope: Scope, asked: Stretch) -> Items[LoggedMessage]:
    """Give the newest messages of a stretch of the log, oldest first."""
    check_seq(asked.after)
    if asked.before is not None:
        check_seq(asked.before)
    if asked.limit is not None:
        check_limit(asked.limit)
    session = None if asked.session_id is None else _as_kept(engine, asked.session_id)
    return items_in(engine, scope, lambda found: _messages(found, asked, session))


def _as_kept(engine: Engine, session_id: str) -> str:
    """Give a session's name as the log has it: a secret in it was replaced."""
    if not isinstance(session_id, str):
        raise InvalidValueError("session_id must be text")
    clean, _ = engine.redacted(check_text("session_id", session_id))
    return str(clean)


def _messages(snapshot: Snapshot, asked: Stretch, session: str | None) -> tuple[LoggedMessage, ...]:
    found: list[Entry] = []
    for entry in _backwards(snapshot, asked):
        if session is None or entry.body.get("session") == session:
            found.append(entry)
            if len(found) == asked.limit:
                break
    amendments: dict[int, Sequence[Amendment]] = {}
    return tuple(_shown(snapshot, entry, amendments) for entry in reversed(found))


def _backwards(snapshot: Snapshot, asked: Stretch) -> Iterator[Entry]:
    before = NEVER if asked.before is None else asked.before
    while snapshot.head is not None:
        chunk = snapshot.reader.messages_before(snapshot.head.id, before, CHUNK)
        for entry in reversed(chunk):
            if entry.seq <= asked.after:
                return
            yield entry
        if len(chunk) < CHUNK:
            return
        before = chunk[0].seq


def _shown(snapshot: Snapshot, entry: Entry, amendments: dict[int, Sequence[Amendment]]) -> LoggedMessage:
    body: dict[str, Any] = dict(entry.body)
    return LoggedMessage(
        entry.seq, str(body.get("role", "user")), str(body.get("content", "")), to_datetime(entry.said_at),
        to_datetime(entry.recorded_at), body.get("session"), body.get("speaker"), body.get("source"),
        body.get("metadata", {}), is_corrected(snapshot, entry.seq, amendments), str(body.get(GONE, "")),
    )  # fmt: skip
