"""How well an extractor reads the sentences: what it finds, and what it asserts that nobody said.

An operation is an *assertion* if its modality is "asserted". Two operations say the same if their kind, predicate,
subject and the comparison key of their value are equal; set and add are one kind, so are retract and remove. The
figure that counts is the rate of false assertions; recall and precision are told beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tensemem import Operation
from tensemem.core.subjects import normalise_subject
from tensemem.core.text import comparison_key

from . import Expectation, Sentence

Extract = Callable[[str, str], Sequence[Operation]]
"""Language and text in, operations out."""

TOTAL = "all"
_KINDS = {"set": "state", "add": "state", "retract": "end", "remove": "end"}


@dataclass(frozen=True)
class Judged:
    """One sentence with what an extractor made of it: what was expected and found, missed, or falsely asserted."""

    sentence: Sentence
    found: tuple[Expectation, ...]
    missed: tuple[Expectation, ...]
    right: tuple[Operation, ...]
    false: tuple[Operation, ...]


@dataclass(frozen=True)
class Figures:
    """Counts over some sentences. `right` and `false` count assertions, `found` and `expected` what is asked for."""

    sentences: int = 0
    expected: int = 0
    found: int = 0
    right: int = 0
    false: int = 0

    @property
    def rate(self) -> float:
        """False assertions for each sentence; 0 without sentences."""
        return self.false / self.sentences if self.sentences else 0.0

    @property
    def recall(self) -> float:
        """How much of what is expected was found; 1 where nothing is."""
        return self.found / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        """How much of what was asserted is right; 1 where nothing was asserted."""
        asserted = self.right + self.false
        return self.right / asserted if asserted else 1.0


@dataclass(frozen=True)
class Score:
    """Every sentence as judged, and the figures over them."""

    judged: tuple[Judged, ...]

    @property
    def total(self) -> Figures:
        """The figures of all sentences."""
        return _figures(self.judged)

    def by_language(self) -> dict[str, Figures]:
        """The figures of each language, in the order of appearance."""
        return self._by(lambda one: one.sentence.language)

    def by_kind(self) -> dict[str, Figures]:
        """The figures of each kind of sentence, in the order of appearance."""
        return self._by(lambda one: one.sentence.kind)

    def _by(self, name_of: Callable[[Judged], str]) -> dict[str, Figures]:
        names = dict.fromkeys(map(name_of, self.judged))
        return {name: _figures([one for one in self.judged if name_of(one) == name]) for name in names}


def score(extract: Extract, sentences: Iterable[Sentence]) -> Score:
    """Ask an extractor about each sentence and judge what it answers; what it raises passes."""
    return Score(tuple(judge(one, extract(one.language, one.text)) for one in sentences))


def judge(sentence: Sentence, operations: Iterable[Operation]) -> Judged:
    """Compare the operations with what a sentence asserts. The same assertion made twice counts once."""
    asserted = {_gist(one): one for one in operations if one.modality == "asserted"}.values()
    right = tuple(one for one in asserted if any(says(one, asked) for asked in sentence.expect))
    fine = (*sentence.expect, *sentence.allowed)
    false = tuple(one for one in asserted if not any(says(one, asked) for asked in fine))
    found = tuple(asked for asked in sentence.expect if any(says(one, asked) for one in right))
    missed = tuple(asked for asked in sentence.expect if asked not in found)
    return Judged(sentence, found, missed, right, false)


def says(operation: Operation, asked: Expectation) -> bool:
    """Whether an operation says what is asked for."""
    if operation.predicate != asked.predicate or _kind(operation.op, operation.value) != _kind(asked.op, ()):
        return False
    if asked.is_past and operation.valid_to is None and operation.until is None:
        return False
    subjects = {_subject_key(name) for name in asked.subjects}
    return _subject_key(operation.subject) in subjects and _is_one_of(operation.value, asked)


def _is_one_of(value: Any, asked: Expectation) -> bool:
    if not asked.values:  # such as a retraction of whatever holds
        return True
    return _value_key(value) in {_value_key(variant) for variant in asked.values}


def _kind(op: str, value: Any) -> str:
    is_single = op == "replace" and isinstance(value, (list, tuple)) and len(value) == 1
    return "state" if is_single else _KINDS.get(op, op)


def _value_key(value: Any) -> Any:
    """Equal for values that are the same: numbers by their size, text by its comparison key, several as a set."""
    if isinstance(value, (list, tuple, set, frozenset)):
        keys = frozenset(map(_value_key, value))
        return next(iter(keys)) if len(keys) == 1 else keys
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return None if value is None else comparison_key(str(value))


def _subject_key(subject: str) -> str:
    return normalise_subject(subject)[0]


def _gist(operation: Operation) -> tuple[Any, ...]:
    ended = operation.valid_to is not None or operation.until is not None
    kind = _kind(operation.op, operation.value)
    return kind, operation.predicate, _subject_key(operation.subject), _value_key(operation.value), ended


def _figures(judged: Sequence[Judged]) -> Figures:
    return Figures(
        sentences=len(judged),
        expected=sum(len(one.sentence.expect) for one in judged),
        found=sum(len(one.found) for one in judged),
        right=sum(len(one.right) for one in judged),
        false=sum(len(one.false) for one in judged),
    )
