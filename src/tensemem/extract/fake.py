"""An extractor for tests and first steps: it plays a script, or knows a handful of English sentences.

It is a toy on purpose. It is never used unless it is given to ``Memory`` by name.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from ..errors import InvalidValueError
from ..model.operation import Operation
from ..ports import ExtractionRequest, RequestMessage
from .small_english import propose

Step: TypeAlias = "Sequence[Any] | BaseException | type[BaseException]"
"""What a script says about one message: operations, or an error to raise."""
Script: TypeAlias = "Mapping[str, Step] | Sequence[Step]"

_Play: TypeAlias = "Callable[[ExtractionRequest], list[Any]]"


class FakeExtractor:
    """Proposes what a script says; without one, what a few English patterns find in the user's messages.

    ``FakeExtractor({text: [Operation, …]})`` answers a message by its exact text, white space around it aside; a text
    it does not know proposes nothing. ``FakeExtractor([[…], […]])`` answers in order, one list for each message; once
    they are used up it proposes nothing. In place of a list may stand an exception, or its class, which is raised.

    So that scripts stay short, an operation without a quote gets the whole text of its message as its quote, and one
    without a message that message's index. What is no ``Operation`` is passed on as it is.

    Raises InvalidValueError for a script of another shape.
    """

    name = "fake"

    def __init__(self, script: Script | None = None) -> None:
        self._lock = threading.Lock()
        self._requests: list[ExtractionRequest] = []
        self._play = _player(script)

    @property
    def calls(self) -> int:
        """How often it was asked, failures included."""
        with self._lock:
            return len(self._requests)

    @property
    def requests(self) -> tuple[ExtractionRequest, ...]:
        """What it was asked, in order."""
        with self._lock:
            return tuple(self._requests)

    def extract(self, request: ExtractionRequest) -> list[Any]:
        """Give the operations for a request's messages, in their order; raises what the script says."""
        with self._lock:
            self._requests.append(request)
            return self._play(request)


def _player(script: Script | None) -> _Play:
    if script is None:
        return _small_english
    if isinstance(script, Mapping):
        return _by_text({text.strip(): _checked(step) for text, step in script.items()})
    if isinstance(script, Sequence) and not isinstance(script, (str, bytes)):
        return _in_order([_checked(step) for step in script])
    raise InvalidValueError("a script is a mapping from texts to lists of operations, or a list of such lists")


def _checked(step: Any) -> Step:
    is_list = isinstance(step, Sequence) and not isinstance(step, (str, bytes))
    if is_list or _is_error(step):
        return step  # type: ignore[no-any-return]
    kind = type(step).__name__
    raise InvalidValueError(f"a script has a list of operations, or an exception, for each message; not {kind}")


def _is_error(step: Any) -> bool:
    return isinstance(step, BaseException) or (isinstance(step, type) and issubclass(step, BaseException))


def _small_english(request: ExtractionRequest) -> list[Any]:
    proposed: list[Any] = []
    for index, message in enumerate(request.messages):
        if message.role == "user" or message.speaker is not None:
            proposed += _completed(propose(message.content), index, message)
    return proposed


def _by_text(steps: Mapping[str, Step]) -> _Play:
    def play(request: ExtractionRequest) -> list[Any]:
        return _joined(request, [steps.get(message.content.strip(), ()) for message in request.messages])

    return play


def _in_order(steps: list[Step]) -> _Play:
    def play(request: ExtractionRequest) -> list[Any]:
        due = steps[: len(request.messages)]
        errors = [place for place, step in enumerate(due) if _is_error(step)]
        if errors:
            # Only the error is used up, so that the next attempt gets what was meant for these messages.
            del steps[errors[0]]
        else:
            del steps[: len(due)]
        return _joined(request, due)

    return play


def _joined(request: ExtractionRequest, steps: Sequence[Step]) -> list[Any]:
    proposed: list[Any] = []
    for index, (message, step) in enumerate(zip(request.messages, steps, strict=False)):
        if isinstance(step, (BaseException, type)):
            raise step
        proposed += _completed(step, index, message)
    return proposed


def _completed(operations: Sequence[Any], index: int, message: RequestMessage) -> list[Any]:
    return [_with_place(item, index, message) if isinstance(item, Operation) else item for item in operations]


def _with_place(operation: Operation, index: int, message: RequestMessage) -> Operation:
    return replace(
        operation,
        quote=operation.quote or message.content,
        message=index if operation.message is None else operation.message,
    )
