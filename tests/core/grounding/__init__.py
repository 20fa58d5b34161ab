"""What grounding is judged by: messages, values a good model makes of them, and values nobody said.

`cases.jsonl` holds one JSON object a line: `id` (language and number), `message` (of the user), `value`, `right`
(whether the message says it) and `kind`. Right values are verbatim, in another order, inflected, compounds, otherwise
spelt, abbreviated or written out, paraphrased, or translated where people do so. Invented ones are siblings (another
city, another firm), plausible completions (the city of a country), names with the same beginning, values that share an
ordinary word with the message, and what only an assistant had said. Six languages; all written for this project.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tensemem.core.text import Grounding

LANGUAGES = ("en", "zh", "es", "de", "fr", "ja")
RIGHT = ("verbatim", "order", "inflected", "compound", "spelling", "abbreviation", "paraphrase", "translated")
INVENTED = ("sibling", "completion", "prefix", "shared_word", "assistant")

Rule = Callable[[str, str], Grounding]
"""Value and message in, how much of the value is grounded out."""


@dataclass(frozen=True)
class Case:
    """A value that an extractor proposes for a message, and whether the message says it."""

    id: str
    message: str
    value: str
    right: bool
    kind: str

    @property
    def language(self) -> str:
        """The case's language, as its id begins."""
        return self.id.partition("-")[0]


@dataclass(frozen=True)
class Figures:
    """Counts over some cases: right values, and those held; invented ones, and those shown, unmarked or at all."""

    right: int
    held: int
    invented: int
    shown: int
    unmarked: int

    @property
    def held_rate(self) -> float:
        """How often a right value is held; 0 where there is none."""
        return self.held / self.right if self.right else 0.0

    @property
    def shown_rate(self) -> float:
        """How often an invented value is shown, marked as paraphrased or not; 0 where there is none."""
        return self.shown / self.invented if self.invented else 0.0

    @property
    def unmarked_rate(self) -> float:
        """How often an invented value is shown with no mark; 0 where there is none."""
        return self.unmarked / self.invented if self.invented else 0.0


@lru_cache
def load() -> tuple[Case, ...]:
    """Give all cases, in the order of the file."""
    with (Path(__file__).parent / "cases.jsonl").open(encoding="utf-8") as lines:
        return tuple(Case(**json.loads(line)) for line in lines)


def measure(rule: Rule, cases: Iterable[Case]) -> Figures:
    """Count what a rule does with the cases."""
    found = [(case.right, rule(case.value, case.message)) for case in cases]
    right = [share for is_right, share in found if is_right]
    invented = [share for is_right, share in found if not is_right]
    return Figures(
        right=len(right),
        held=right.count("none"),
        invented=len(invented),
        shown=len(invented) - invented.count("none"),
        unmarked=invented.count("all"),
    )


def by(cases: Sequence[Case], field: str) -> dict[str, list[Case]]:
    """Give the cases of each language or kind, in the order of appearance."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(str(getattr(case, field)), []).append(case)
    return groups
