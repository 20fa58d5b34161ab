"""What a run found: figures for each system, by category too, and every answer that was wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

FIGURES = (
    "current_state_accuracy",
    "stale_fact_leak_rate",
    "freshness_honesty",
    "contamination_rate",
    "correction_durability",
    "history_accuracy",
    "as_of_accuracy",
    "tokens_per_answer",
)
"""The figures of a system, as JSON names them."""

HARM = frozenset({"stale_fact_leak_rate", "contamination_rate"})
"""The figures that count what must not be: 0 is best."""

_ACTED_ON = (*FIGURES[:5],)


@dataclass(frozen=True, slots=True)
class Failure:
    """One answer that was wrong, in words: which question, what was expected, what was given."""

    system: str
    conversation: str
    place: str
    figure: str
    question: str
    expected: str
    given: str


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a system over some conversations; None where it was asked nothing it can answer.

    ``asked`` counts the answers behind each figure.
    """

    cases: int
    values: Mapping[str, float | None]
    asked: Mapping[str, int]

    def __getitem__(self, figure: str) -> float | None:
        return self.values[figure]

    def document(self) -> dict[str, Any]:
        """Give the figures by name, as JSON has them."""
        return {"cases": self.cases, **self.values}


@dataclass(frozen=True, slots=True)
class SystemReport:
    """One system: its figures over everything, by category, and what its figures stand for where that is special."""

    name: str
    total: Figures
    by_category: Mapping[str, Figures]
    notes: Mapping[str, str]

    @property
    def is_safe(self) -> bool:
        """Whether nothing that somebody would act on was wrong, as far as it was asked.

        What a system can't do at all, such as being corrected, is wrong. History and as-of answers don't count here.
        """
        given = {figure: self.total[figure] for figure in _ACTED_ON}
        can_all = all(given[figure] is not None or figure not in self.notes for figure in _ACTED_ON)
        return can_all and all(value in (None, 0.0 if figure in HARM else 1.0) for figure, value in given.items())

    def document(self) -> dict[str, Any]:
        """Give the report as JSON has it."""
        return {
            **self.total.document(),
            "safe_to_act_on": self.is_safe,
            "asked": dict(self.total.asked),
            "notes": dict(self.notes),
            "by_category": {name: figures.document() for name, figures in self.by_category.items()},
        }


@dataclass(frozen=True, slots=True)
class Report:
    """A run: its conversations, who extracted, in which manner, and a report for each system, the memory's first.

    ``missed`` counts corrections and reviews that found nothing of the kind, as where an extractor proposed nothing.
    """

    cases: int
    extractor: str
    manner: str
    systems: tuple[SystemReport, ...]
    failures: tuple[Failure, ...]
    rebuilds: int = 0
    identical_rebuilds: int = 0
    missed: int = 0

    @property
    def own_failures(self) -> tuple[Failure, ...]:
        """The wrong answers of the memory under test."""
        return tuple(failure for failure in self.failures if failure.system == self.systems[0].name)

    @property
    def is_right(self) -> bool:
        """Whether the memory answered every question rightly and every rebuild gave the same."""
        return not self.own_failures and self.rebuilds == self.identical_rebuilds

    def document(self) -> dict[str, Any]:
        """Give the run as JSON has it; the failures are the memory's own."""
        return {
            "cases": self.cases,
            "extractor": self.extractor,
            "manner": self.manner,
            "rebuilds": self.rebuilds,
            "identical_rebuilds": self.identical_rebuilds,
            "missed": self.missed,
            "systems": {system.name: system.document() for system in self.systems},
            "failures": [asdict(one) for one in self.own_failures],
        }


@dataclass
class Tally:
    """Counts answers while a run goes on."""

    cases: Counter[str] = field(default_factory=Counter)
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    hits: dict[tuple[str, str], float] = field(default_factory=dict)

    def count(self, category: str, figure: str, amount: float) -> None:
        """Count one answer: 1 or 0 for a rate, a size for a mean."""
        self.asked[category, figure] += 1
        self.hits[category, figure] = self.hits.get((category, figure), 0) + amount

    def figures(self, categories: list[str]) -> Figures:
        """Give the figures over some categories."""
        asked = {figure: sum(self.asked[name, figure] for name in categories) for figure in FIGURES}
        hits = {figure: sum(self.hits.get((name, figure), 0) for name in categories) for figure in FIGURES}
        values = {figure: hits[figure] / asked[figure] if asked[figure] else None for figure in FIGURES}
        return Figures(sum(self.cases[name] for name in categories), values, asked)
