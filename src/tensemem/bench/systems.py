"""What every system that is measured offers: it is told what happens, and asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..model.operation import Operation
from .cases import Amend, AsOf, Current, Never, Past, Say, Span, Write


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system gives for a question: the text for a prompt, and the values, where it knows of such.

    ``values`` is None for a system that gives text alone. ``contested``, ``held`` and ``planned`` are what it says of
    them.
    """

    text: str
    values: tuple[Any, ...] | None = None
    contested: bool = False
    held: tuple[Any, ...] = ()
    planned: tuple[Any, ...] = ()


class Baseline(Protocol):
    """A simpler memory. What it can't answer it answers with None."""

    name: str
    notes: Mapping[str, str]

    def hear(self, said: Say, text: str) -> None:
        """Take note of a message; ``text`` is what it says."""

    def learn(self, operations: Sequence[Operation]) -> None:
        """Take what the extractor proposed for a message."""

    def write(self, written: Write) -> None:
        """Take what the application writes."""

    def amend(self, amended: Amend) -> None:
        """Take a correction, a reinstatement, a review."""

    @property
    def is_behind(self) -> bool:
        """Whether it lacks a message that waits for extraction."""

    def current(self, asked: Current, question: str) -> Answer:
        """Tell what holds now."""

    def told(self, question: str) -> str:
        """Give the text for a prompt."""

    def past(self, asked: Past) -> list[Span] | None:
        """Tell what held when."""

    def as_of(self, asked: AsOf) -> tuple[Any, ...] | None:
        """Tell what held at a moment."""

    def ever(self, asked: Never) -> bool | None:
        """Tell whether something is, or was, a fact; None leaves it to its text."""
