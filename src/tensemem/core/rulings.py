"""Ruling on the operations of an entry: where they come from, and what admission says of each."""

from __future__ import annotations

from typing import Any

from ..model.entry import Entry
from .admission import Ruling, admit
from .forgotten import Forgotten
from .registry import Registry
from .said import Said


def said_of(entry: Entry, message: Entry | None, forgotten: Forgotten | None = None) -> Said:
    """Give where an entry's operations come from: the application, or the words of a message.

    A message whose text is gone has no words; its operations carry what was found in them.
    """
    body = entry.body if message is None else message.body
    common: dict[str, Any] = {
        "seq": entry.seq,
        "extraction": entry.extraction,
        "said_at": entry.said_at,
        "rev": entry.rev,
        "recorded_at": entry.recorded_at,
        "zone": body.get("zone", "UTC"),
        "declared_only": body.get("subjects") == "declared",
        "forgotten": forgotten,
    }
    if message is None:
        return Said(source=body.get("source") or "application", role="application", **common)
    role = body.get("role", "user")
    return Said(
        source=body.get("source") or role,
        role=role,
        text=body.get("content", ""),
        speaker=body.get("speaker"),
        recalled=tuple((begin, stop) for begin, stop in body.get("echo", ())),
        **common,
    )


def rulings_of(
    entry: Entry, message: Entry | None, registry: Registry, forgotten: Forgotten | None = None
) -> list[Ruling]:
    """Rule on every operation of a write or extraction; ``forgotten`` is what may not come back in its scope."""
    said = said_of(entry, message, forgotten)
    return [admit(operation, number, said, registry) for number, operation in enumerate(entry.body.get("ops", ()))]
