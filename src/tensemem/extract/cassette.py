"""A cassette keeps what an extractor answered, so that the same conversation can be played again with no model.

``RecordingExtractor`` stands before a real extractor and writes; ``ReplayExtractor`` answers from what was written. The
file is described in docs/reference/cassette-format.md.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from ..core.text import FoldedText, find_quote
from ..errors import ExtractorError, ExtractorOutputError
from ..model.operation import Operation
from ..ports import ExtractionRequest
from .answers import Malformed, safe_text
from .calling import Answer, as_extractor
from .cassette_lines import Asked, Line, asked_in, read_lines, written

__all__ = ["RecordingExtractor", "ReplayExtractor"]

_Item = Operation | Malformed


class _Answered(list[_Item]):
    """Operations, with what the question used."""

    def __init__(self, operations: Iterable[_Item], usage: Mapping[str, Any] | None) -> None:
        super().__init__(operations)
        self.usage = usage


class RecordingExtractor:
    """Asks another extractor and appends each question with its answer to a file, one line each.

    ``extractor`` is whatever ``Memory(llm=...)`` takes, a name included; this one is awaited where that one is, and has
    its name, model, prompt digest, usage and limits. What it raises is recorded and raised. A line is written whole
    when its answer is there, so that a run that is interrupted leaves a file that can be played. A file that is there
    is added to; its folder is made. Safe to use from several threads.

    Raises ExtractorError for what is no extractor, and where the file holds something else or can't be written.
    """

    extract: Callable[[ExtractionRequest], Any]
    """Give the operations the other extractor proposes; to be awaited where that one is. Raises what it raises."""

    def __init__(self, extractor: Any, path: str | os.PathLike[str]) -> None:
        self._asked = as_extractor(extractor)
        self.path = Path(path).absolute()
        self._lock = threading.Lock()
        if self.path.exists():
            read_lines(self.path)  # nothing is added to, or cut from, a file that is something else
            _cut_unfinished(self.path)
        self.extract = self._awaited if self._asked.is_async else self._plain

    @property
    def name(self) -> str:
        """The other extractor's name."""
        return self._asked.name

    @property
    def model(self) -> str | None:
        """The model behind it, where it names one."""
        return self._asked.model

    @property
    def prompt_digest(self) -> str | None:
        """What identifies its prompt, where it says so."""
        return self._asked.prompt_digest

    @property
    def max_messages(self) -> int:
        """How many messages of one scope it takes in one request."""
        return self._asked.max_messages

    @property
    def max_concurrency(self) -> int:
        """How many requests it takes at once."""
        return self._asked.max_concurrency

    @property
    def debounce(self) -> float:
        """Seconds to wait for more messages before a request."""
        return self._asked.debounce

    @property
    def usage(self) -> Mapping[str, Any] | None:
        """What it says it has used, where it says so."""
        return self._asked.usage

    def close(self) -> None:
        """Let go of what the other extractor's answers ran in; the file is closed after each line."""
        self._asked.close()

    def __repr__(self) -> str:
        return f"RecordingExtractor({self.name!r}, {str(self.path)!r})"

    def _plain(self, request: ExtractionRequest) -> _Answered:
        try:
            answer = self._asked.call(request)
        except ExtractorError as error:
            self._write(request, error, error.usage)
            raise
        return self._kept(request, answer)

    async def _awaited(self, request: ExtractionRequest) -> _Answered:
        try:
            answer = await self._asked.acall(request)
        except ExtractorError as error:
            self._write(request, error, error.usage)
            raise
        return self._kept(request, answer)

    def _kept(self, request: ExtractionRequest, answer: Answer) -> _Answered:
        self._write(request, answer.operations, answer.usage)
        return _Answered(answer.operations, answer.usage)

    def _write(
        self, request: ExtractionRequest, answer: Sequence[_Item] | ExtractorError, usage: Mapping[str, Any] | None
    ) -> None:
        line = written(
            request, answer, usage, extractor=self.name, model=self.model, prompt=self.prompt_digest
        )
        try:
            with self._lock:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self.path.open("ab", buffering=0) as file:
                    if file.write(line) != len(line):
                        raise OSError("the disk is full")
        except OSError as error:
            raise ExtractorError(f"the cassette {self.path} can't be written: {error.strerror or error}") from error


def _cut_unfinished(path: Path) -> None:
    """Take away a last line without its end, which an interrupted run left."""
    try:
        with path.open("rb+") as file:
            content = file.read()
            end = content.rfind(b"\n") + 1
            if end < len(content):
                file.truncate(end)
    except OSError as error:
        raise ExtractorError(f"the cassette {path} can't be written: {error.strerror or error}") from error


class ReplayExtractor:
    """Answers from a file that ``RecordingExtractor`` wrote; asks nobody.

    A message gets the answer recorded for one of the same role, speaker and words, whatever its time, scope and
    database. Each answer is given once: of several about the same words the one whose preceding message, then whose
    time is the same goes first, else the first that was recorded. An error that was recorded is raised. Messages that
    were asked about together may be asked about alone, and are. Safe to use from several threads.

    ``name``, ``model`` and ``prompt_digest`` are those of the recorded extractor. Raises ExtractorError where there is
    no such file or it can't be read; ``extract`` raises ExtractorOutputError for a message it has no answer to.
    """

    max_messages = 1  # which messages wait together is a matter of speed; alone they are the same everywhere

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()
        self._lines = read_lines(self.path)
        self._lock = threading.Lock()
        self._waiting: dict[str, list[tuple[int, int]]] = {}
        for number, line in enumerate(self._lines):
            if line.error is None or len(line.asked) == 1:
                # The failure of a question about several says nothing of each of them.
                for place, asked in enumerate(line.asked):
                    self._waiting.setdefault(asked.digest, []).append((number, place))
        self._recorded = {digest: len(cells) for digest, cells in self._waiting.items()}
        self._missed: list[str] = []
        first = self._lines[0] if self._lines else None
        self.name = first.extractor if first else "cassette"
        self.model = first.model if first else None
        self.prompt_digest = first.prompt if first else None

    @property
    def missed(self) -> tuple[str, ...]:
        """What it was asked and had no answer to: the error's text for each, in order."""
        with self._lock:
            return tuple(self._missed)

    @property
    def unused(self) -> tuple[str, ...]:
        """The texts of the recorded messages nobody asked about yet, in order."""
        with self._lock:
            left = sorted(cell for cells in self._waiting.values() for cell in cells)
            return tuple(self._lines[number].texts[place] for number, place in left)

    def extract(self, request: ExtractionRequest) -> list[Any]:
        """Give what was recorded for a request's messages; raises what was recorded, and ExtractorOutputError."""
        with self._lock:
            taken = self._taken(request)
        operations: list[_Item] = []
        usages: list[Mapping[str, Any]] = []
        for index, (line, place) in enumerate(taken):
            operations += [replace(item, message=index) for item in _own(line, place)]
            if place == 0 and line.usage is not None:
                usages.append(line.usage)
        return _Answered(operations, _summed(usages))

    def __repr__(self) -> str:
        return f"ReplayExtractor({str(self.path)!r})"

    def _taken(self, request: ExtractionRequest) -> list[tuple[Line, int]]:
        """Give the answer to each message; where one fails, those to the others wait for the next attempt."""
        found: list[tuple[int, int]] = []
        asked = asked_in(request)
        for index, one in enumerate(asked):
            cell = self._next(one)
            error = None if cell is None else self._lines[cell[0]].error
            if cell is not None and error is None:
                found.append(cell)
                continue
            for number, place in found:
                digest = self._lines[number].asked[place].digest
                self._waiting[digest] = sorted([*self._waiting[digest], (number, place)])
            if error is not None:
                raise _again(error)
            self._miss(one.digest, request.messages[index].content)
        return [(self._lines[number], place) for number, place in found]

    def _next(self, asked: Asked) -> tuple[int, int] | None:
        cells = self._waiting.get(asked.digest)
        if not cells:
            return None

        def fit(cell: tuple[int, int]) -> tuple[bool, bool]:
            recorded = self._lines[cell[0]].asked[cell[1]]
            return recorded.after == asked.after, recorded.said_at == asked.said_at

        best = max(cells, key=fit)  # the first of those that fit as well
        cells.remove(best)
        return best

    def _miss(self, digest: str, content: str) -> NoReturn:
        known = self._recorded.get(digest, 0)
        why = f"only {known} to" if known else "no answer to"
        told = (
            f"the cassette {self.path} has {why} the message {safe_text(content, 200)!r}; "
            "record it again with the extractor it stands for: RecordingExtractor(extractor, path), "
            "or pytest --tensemem-record"
        )
        self._missed.append(told)
        raise ExtractorOutputError(told)


def _own(line: Line, place: int) -> list[_Item]:
    """Give the operations of one message of a line; one that names none belongs to the first that has its quote."""
    if len(line.texts) == 1:
        return list(line.operations)
    texts = [FoldedText(text) for text in line.texts]
    return [item for item in line.operations if _place_of(item, texts) == place]


def _place_of(item: _Item, texts: Sequence[FoldedText]) -> int:
    if item.message is not None:
        return item.message
    quote = getattr(item, "quote", "")
    if not quote:
        return 0
    return next((number for number, text in enumerate(texts) if find_quote(quote, text) is not None), 0)


def _again(error: ExtractorError) -> ExtractorError:
    """Give an error like the recorded one: one that is raised collects a traceback, and belongs to who caught it."""
    copied = type(error)(str(error))
    copied.usage = error.usage
    return copied


def _summed(usages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    if len(usages) < 2:
        return usages[0] if usages else None
    total: dict[str, Any] = {}
    for usage in usages:
        for name, used in usage.items():
            is_number = isinstance(used, (int, float)) and not isinstance(used, bool)
            total[name] = total.get(name, 0) + used if is_number else used
    return total
