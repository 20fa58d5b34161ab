"""What the messages of a run say, and the extractor that understands them: a pure function of the text.

A message is a few lines. ``now P V`` states a value, ``also`` adds one, ``gone`` takes one away, ``maybe`` reports one
(it waits for review), ``plan`` plans one. ``note`` names the operation. ``slow``, ``bad`` and ``away`` are about the
extractor: it takes long over such a message, gives a bad answer, or is not there at first.
"""

from __future__ import annotations

from collections.abc import Callable

from tensemem import Operation
from tensemem.errors import ExtractorOutputError, ExtractorUnavailable
from tensemem.ports import ExtractionRequest

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
    """The extractor of a run. ``began`` is told the text of each message it is asked about, before it answers.

    ``delay`` is what it does over a slow one. A willing extractor makes no trouble.
    """

    name = "script"

    def __init__(
        self, began: Callable[[str], None], *, delay: Callable[[], object] = bool, is_willing: bool = False
    ) -> None:
        self._began, self._delay, self._is_willing = began, delay, is_willing
        self._was_away: set[str] = set()

    def extract(self, request: ExtractionRequest) -> list[Operation]:
        """Answer as the text wants it."""
        text = request.messages[0].content
        self._began(text)
        words = set() if self._is_willing else set(text.splitlines())
        if "slow" in words:
            self._delay()
        if "bad" in words:
            raise ExtractorOutputError("the message wants a bad answer")
        if "away" in words and text not in self._was_away:
            self._was_away.add(text)
            raise ExtractorUnavailable("the message wants nobody to be there at first")
        return proposals(text)
