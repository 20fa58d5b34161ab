"""Who proposes: the script of a conversation, or any extractor, overheard so that every system gets the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from ..errors import ExtractorError, ExtractorOutputError
from ..extract.calling import CallableExtractor, Malformed, as_extractor
from ..model.operation import Operation
from ..ports import ExtractionRequest, RequestMessage
from .cases import Conversation, Say

SCRIPTED = "scripted"


def extractor_named(name: str) -> Any:
    """Give what a name stands for: ``offline``, or ``provider:model``. ``scripted`` is None: each set has its script.

    Raises ExtractorError where it is not there.
    """
    if name == SCRIPTED:
        return None
    if name == "offline":
        return _offline()
    return as_extractor(name)


def _offline() -> Any:
    import tensemem

    make: Callable[[], Any] | None = getattr(tensemem, "OfflineExtractor", None)
    if make is None:
        raise ExtractorError("this version of tensemem has no offline extractor; give a provider or a script")
    return make()


Moment: TypeAlias = tuple[datetime, str]
"""When something was said, and in which role: no two messages of a conversation share it."""


def _moment_of(message: RequestMessage) -> Moment:
    return message.said_at, message.role


class Script:
    """Proposes what a conversation says for each message, known by when it was said."""

    name = SCRIPTED

    def __init__(self, conversation: Conversation) -> None:
        says = [step for step in conversation.steps if isinstance(step, Say)]
        self._answers = {(step.at, step.role): [one.operation for one in step.proposes] for step in says}
        self._unreadable = {(step.at, step.role) for step in says if step.is_unreadable}

    def extract(self, request: ExtractionRequest) -> list[Operation]:
        """Give the operations for the messages of a request. Raises ExtractorOutputError where there is no answer."""
        if any(_moment_of(message) in self._unreadable for message in request.messages):
            raise ExtractorOutputError("the script has no usable answer to this message")
        return [operation for message in request.messages for operation in self.answer(_moment_of(message))]

    def answer(self, said: Moment) -> list[Operation]:
        """Give the operations for the message that was said at a moment by a side."""
        return self._answers.get(said, [])


class Overheard:
    """Asks an extractor and keeps what it proposed for each message, and to which it had no answer."""

    def __init__(self, extractor: CallableExtractor | Script) -> None:
        self._extractor = as_extractor(extractor)
        self._script = extractor if isinstance(extractor, Script) else None
        self._heard: dict[Moment, list[Operation]] = {}
        self._failed: set[Moment] = set()
        self.name = self._extractor.name
        self.model = self._extractor.model
        self.prompt_digest = self._extractor.prompt_digest

    def extract(self, request: ExtractionRequest) -> Sequence[Operation | Malformed]:
        """Ask; raises what the extractor raises."""
        asked = {_moment_of(message) for message in request.messages}
        self._failed |= asked
        proposed = self._extractor.call(request).operations
        self._failed -= asked
        self._heard |= {moment: [] for moment in asked}
        for operation in proposed:
            if isinstance(operation, Operation):
                message = request.messages[operation.message or 0]
                self._heard[_moment_of(message)].append(operation)
        return proposed

    def proposed(self, say: Say) -> list[Operation]:
        """Give what was proposed for a message; of one that nobody asked about, what the script has."""
        said = (say.at, say.role)
        if said not in self._heard and self._script is not None:
            return self._script.answer(said)
        return self._heard.get(said, [])

    def is_unanswered(self, say: Say) -> bool:
        """Tell whether the extractor was asked about a message and had no usable answer."""
        return (say.at, say.role) in self._failed
