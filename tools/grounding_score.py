"""Measure the grounding rule: how often a right value is held, and how often an invented one is shown.

    python tools/grounding_score.py [--language LANGUAGE] [--show held|shown]

Over the cases in `tests/core/grounding`, whose docstring tells what they are. A value is held if none of its words is
grounded; it is shown if all are, or some, and marked as paraphrased if only some are.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tensemem.core.text import grounding  # noqa: E402 - the folders of this project come first
from tests.core.grounding import LANGUAGES, Case, by, load, measure  # noqa: E402


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", choices=LANGUAGES)
    parser.add_argument("--show", choices=["held", "shown"], help="print the cases that are decided wrongly")
    options = parser.parse_args(arguments)
    cases = [case for case in load() if options.language in (None, case.language)]
    print("\n".join(report(cases, options.show)))
    return 0


def report(cases: Sequence[Case], show: str | None) -> Iterator[str]:
    """The lines to print: a table by language and kind, and the faults that are asked for."""
    counted = f"{'':<14}{'right':>7}{'held':>7}{'rate':>8}{'invented':>10}{'shown':>7}{'rate':>8}"
    yield f"{counted}{'unmarked':>10}{'rate':>8}"
    for name, group in {**by(cases, "language"), **by(cases, "kind"), "all": cases}.items():
        one = measure(grounding, group)
        right = f"{one.right:>7}{one.held:>7}{one.held_rate:>8.1%}"
        invented = f"{one.invented:>10}{one.shown:>7}{one.shown_rate:>8.1%}{one.unmarked:>10}{one.unmarked_rate:>8.1%}"
        yield f"{name:<14}{right}{invented}"
    if show is not None:
        yield ""
        yield from (_told(case) for case in cases if _is_fault(case, show))


def _is_fault(case: Case, show: str) -> bool:
    is_held = grounding(case.value, case.message) == "none"
    return is_held if show == "held" and case.right else show == "shown" and not case.right and not is_held


def _told(case: Case) -> str:
    share = grounding(case.value, case.message)
    return f"{case.id} {case.kind:<12} {share:<5}{case.value!r} of {case.message!r}"


if __name__ == "__main__":
    sys.exit(main())
