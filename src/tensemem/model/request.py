"""What an extractor is asked: the messages, and what they are to be read with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .predicate import Predicate


@dataclass(frozen=True, slots=True)
class RequestMessage:
    """A message as an extractor sees it; ``said_at`` is aware, in the speaker's zone."""

    content: str
    role: str
    said_at: datetime
    speaker: str | None = None
    session_id: str | None = None


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """What an extractor is asked: messages, the dialogue before them, the registry, the state before the first.

    ``state`` maps subject → predicate → value (a tuple where many). ``window`` is context only; nothing in it may be
    asserted from.
    """

    messages: tuple[RequestMessage, ...]
    window: tuple[RequestMessage, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    state: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The messages' text, joined by line breaks."""
        return "\n".join(message.content for message in self.messages)
