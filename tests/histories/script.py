"""What the messages of a run say, and the extractor that understands them: a pure function of the text.

A message is a few lines. ``now P V`` states a value, ``also`` adds one, ``gone`` takes one away, ``maybe`` reports one
(it waits for review), ``plan`` plans one. ``note`` names the operation. ``slow``, ``bad`` and ``away`` are about the
extractor: it takes long over such a message, gives a bad answer, or is not there at first.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tensemem import Operation
from tensemem.errors import ExtractorOutputError, ExtractorUnavailable
from tensemem.ports import ExtractionRequest, RequestMessage

ONE = ("lives_in", "diet")
MANY = ("languages",)
"""The predicates of a run: single-valued and many-valued."""

TROUBLES = frozenset({"bad", "away"})


def proposals(text: str) -> list[Operation]:
    """Give the operations a message proposes."""
    return [found for line in text.splitlines() if (found := _proposal(line)) is not None]


def _proposal(line: str) -> Operation | None:
    match line.split(" "):
        case ["now", predicate, value]:
            return Operation("set", predicate, value, quote=line)
        case ["also", predicate, value]:
            return Operation("add", predicate, value, quote=line)
        case ["gone", predicate, value]:
            return Operation("retract", predicate, value, quote=line)
        case ["maybe", predicate, value]:
            return Operation("set", predicate, value, quote=line, modality="reported")
        case ["plan", predicate, value]:
            return Operation("set", predicate, value, quote=line, modality="planned")
    return None


def is_troubled(text: str) -> bool:
    """Whether the extractor may fail on a message, so that later ones may be extracted before it."""
    return not TROUBLES.isdisjoint(text.splitlines())


class Script:
    """The extractor of a run. ``began`` is told the texts of the messages it is asked about, before it answers.

    ``delay`` are the seconds it takes over a slow one. A willing extractor makes no trouble.
    """

    name = "script"
    max_messages = 1

    def __init__(self, began: Callable[[list[str]], None], *, delay: float = 0.0, is_willing: bool = False) -> None:
        self._began, self._delay, self._is_willing = began, delay, is_willing
        self._was_away: set[str] = set()

    def extract(self, request: ExtractionRequest) -> Any:
        """Answer as the texts want it."""
        time.sleep(self._asked(request))
        return self._answer(request)

    def _asked(self, request: ExtractionRequest) -> float:
        """Tell of the question; gives the seconds it takes."""
        self._began([message.content for message in request.messages])
        return 0.0 if self._is_willing else max(map(self._takes, request.messages))

    def _takes(self, message: RequestMessage) -> float:
        return self._delay if "slow" in message.content.splitlines() else 0.0

    def _answer(self, request: ExtractionRequest) -> list[Operation]:
        for message in request.messages:
            self._make_trouble(message.content)
        return [
            replace(one, message=place)
            for place, message in enumerate(request.messages) for one in proposals(message.content)
        ]  # fmt: skip

    def _make_trouble(self, text: str) -> None:
        words = set() if self._is_willing else set(text.splitlines())
        if "bad" in words:
            raise ExtractorOutputError("the message wants a bad answer")
        if "away" in words and text not in self._was_away:
            self._was_away.add(text)
            raise ExtractorUnavailable("the message wants nobody to be there at first")


class AwaitedScript(Script):
    """The same, awaited, and asked about several messages at once."""

    max_messages = 3
    debounce = 0.01

    async def extract(self, request: ExtractionRequest) -> Any:
        """Answer as the texts want it."""
        await asyncio.sleep(self._asked(request))
        return self._answer(request)
