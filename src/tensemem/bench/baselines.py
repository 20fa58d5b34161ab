"""The simpler memories: everything that was said, the messages that look like the question, the last value for a key.

They are given every advantage that costs nothing: see docs/explanation/what-the-bench-shows.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..core.subjects import normalise_subject
from ..core.text import comparison_key, search_terms
from ..model.operation import Operation
from .cases import Amend, AsOf, Conversation, Current, Never, Past, Say, Write
from .judging import as_text, as_values
from .systems import Answer

TOP = 3
"""How many messages the retrieval gives."""

_NO_ANSWER = "gives text, and the model has to pick: an answer is right where the value stands in that text"
_NO_HISTORY = "keeps no valid times"
_TEXT_NOTES = {
    "current_state_accuracy": _NO_ANSWER,
    "stale_fact_leak_rate": "the stale value stands in the text the model is given",
    "contamination_rate": "the value stands in the text the model is given",
    "freshness_honesty": "everything said is there at once",
    "correction_durability": "what was said can't be corrected",
    "history_accuracy": _NO_HISTORY,
    "as_of_accuracy": _NO_HISTORY,
}


@dataclass(frozen=True, slots=True)
class _Line:
    """One message as it stands in a prompt."""

    at: datetime
    place: int
    text: str
    terms: frozenset[str]


class Transcript:
    """Everything said, and what the application did, in order of when it was said."""

    name = "whole transcript"
    notes: Mapping[str, str] = _TEXT_NOTES
    is_behind = False

    def __init__(self) -> None:
        self.lines: list[_Line] = []

    def hear(self, said: Say, text: str) -> None:
        """Keep a message."""
        self._keep(said.at, said.speaker or said.role, text)

    def learn(self, operations: Sequence[Operation]) -> None:
        """Do nothing: it has the message."""

    def write(self, written: Write) -> None:
        """Keep what was written as a line."""
        told = (f"{one.op} {one.subject} {one.predicate} {_told(one.value)}" for one in written.operations)
        self._keep(written.at, "application", "; ".join(told))

    def amend(self, amended: Amend) -> None:
        """Keep what was put right as a line."""
        target, instead = amended.target, amended.options.get("value")
        told = f"{amended.verb} {target.subject} {target.predicate} {_told(target.value)}"
        self._keep(amended.at, "application", told if instead is None else f"{told}: it was {_told(instead)}")

    def current(self, asked: Current, question: str) -> Answer:  # noqa: ARG002 - every question finds the same text
        """Give the text in which the answer is to be looked for."""
        return Answer(self.told(question))

    def told(self, question: str) -> str:  # noqa: ARG002 - the same
        """Give the whole transcript."""
        return _joined(self.lines)

    def past(self, asked: Past) -> None:
        """It knows no times at which things held."""

    def as_of(self, asked: AsOf) -> None:
        """It knows no times at which things held."""

    def ever(self, asked: Never) -> None:
        """It is judged by its text."""

    def _keep(self, at: datetime, who: str, text: str) -> None:
        line = f"[{at:%Y-%m-%d %H:%M}] {who}: {text}"
        self.lines.append(_Line(at, len(self.lines), line, frozenset(search_terms(text))))


class Retrieval(Transcript):
    """The messages that share most words with the question, the newer first among equals."""

    name = "token-overlap retrieval"

    def told(self, question: str) -> str:
        """Give the best messages, in order of when they were said."""
        wanted = frozenset(search_terms(question))
        best = sorted(self.lines, key=lambda line: (len(wanted & line.terms), line.at, line.place), reverse=True)
        return _joined(best[:TOP])


def _joined(lines: Iterable[_Line]) -> str:
    return "\n".join(line.text for line in sorted(lines, key=lambda line: (line.at, line.place)))


def _told(value: Any) -> str:
    return ", ".join(as_text(item) for item in as_values(value))


class LastWriteWins:
    """The last extracted value of every key. What the extractor asserts is believed; there is no time and no doubt."""

    name = "last-write-wins key-value"
    notes: Mapping[str, str] = {
        "freshness_honesty": "it never says that a message waits",
        "correction_durability": "a correction deletes or overwrites the value",
        "history_accuracy": _NO_HISTORY,
        "as_of_accuracy": _NO_HISTORY,
    }

    def __init__(self, conversation: Conversation) -> None:
        found = conversation.predicates.items()
        self._many = {name for name, definition in found if definition.get("cardinality") == "many"}
        self._values: dict[tuple[str, str], dict[str, Any]] = {}
        self._waiting = 0

    @property
    def is_behind(self) -> bool:
        """Whether a message was heard and its operations have not come yet."""
        return self._waiting > 0

    def hear(self, said: Say, text: str) -> None:  # noqa: ARG002 - it keeps no words
        """Wait for what the extractor makes of it."""
        self._waiting += 1

    def learn(self, operations: Sequence[Operation]) -> None:
        """Apply what is asserted, in order."""
        self._waiting = max(0, self._waiting - 1)
        for operation in operations:
            if operation.modality == "asserted":
                self._apply(operation)

    def write(self, written: Write) -> None:
        """Apply what the application writes."""
        for operation in written.operations:
            self._apply(operation)

    def amend(self, amended: Amend) -> None:
        """Delete the value, or overwrite it; taking a correction back and accepting write it again."""
        target = amended.target
        slot = _slot(target.subject, target.predicate)
        instead = amended.options.get("value")
        is_taken_out = amended.verb == "correct" or amended.options.get("accept") is False
        if target.statement is not None or {"valid_from", "valid_to"} & set(amended.options):
            return
        if is_taken_out:
            self._values.get(slot, {}).pop(_key(target.value), None)
        if not is_taken_out or instead is not None:
            self._put(slot, target.value if instead is None else instead)

    def current(self, asked: Current, question: str) -> Answer:
        """Give the value of the key."""
        held = self._values.get(_slot(asked.subject, asked.predicate), {})
        return Answer(self.told(question), tuple(held.values()))

    def told(self, question: str) -> str:  # noqa: ARG002 - it gives all it has
        """Give every key with its value."""
        slots = ((subject, predicate, list(held.values())) for (subject, predicate), held in self._values.items())
        lines = (f"{predicate} of {subject}: {_told(values)}" for subject, predicate, values in slots if values)
        return "\n".join(sorted(lines))

    def past(self, asked: Past) -> None:
        """It keeps the last value only."""

    def as_of(self, asked: AsOf) -> None:
        """It keeps the last value only."""

    def ever(self, asked: Never) -> bool | None:
        """Tell whether the key has the value, or any."""
        held = self._values.get(_slot(asked.subject, asked.predicate), {})
        return bool(held) if asked.value is None else _key(asked.value) in held

    def _apply(self, operation: Operation) -> None:
        slot = _slot(operation.subject, operation.predicate)
        if operation.op in ("set", "add"):
            self._put(slot, operation.value)
        elif operation.op == "replace":
            self._values[slot] = {_key(value): value for value in as_values(operation.value)}
        elif operation.op in ("remove", "retract", "deny"):
            held = self._values.get(slot, {})
            if operation.value is None:
                held.clear()
            held.pop(_key(operation.value), None)

    def _put(self, slot: tuple[str, str], value: Any) -> None:
        held = self._values.setdefault(slot, {})
        if slot[1] not in self._many:
            held.clear()
        held[_key(value)] = value


def _key(value: Any) -> str:
    return comparison_key(as_text(value))


def _slot(subject: str, predicate: str) -> tuple[str, str]:
    """Give a key; "my wife" and "wife" are one, which a good extractor would say anyway."""
    return normalise_subject(subject)[0], predicate
