"""Questions: what an agent may ask so that its memory gets surer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .fact import Fact

PRIORITIES = {"contested": 1, "due_plan": 2, "candidate": 3, "due_for_review": 4}
"""How pressing each kind of question is; 1 is asked first."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something worth asking, in words that can be said as they are; ``answer`` takes its id and what was said.

    ``kind`` is ``"contested"`` (a newer statement is in doubt against the fact shown), ``"due_plan"`` (a plan whose
    date has passed), ``"candidate"`` (a statement that waits) or ``"due_for_review"`` (a fact not heard of for long).
    ``text`` can be answered by yes or no, and then a yes says that ``fact`` holds. ``priority`` is 1 for the most
    pressing kind and grows. ``other`` is the fact shown that would give way to ``fact``. ``options`` are the
    predicate's choices, else the values the question names.
    """

    id: str
    kind: str
    text: str
    priority: int
    fact: Fact
    other: Fact | None = None
    options: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return self.text
