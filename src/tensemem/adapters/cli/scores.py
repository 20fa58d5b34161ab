"""What the bench found, for people: a table that tells at a glance who is safe to act on, and what was wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tensemem.bench import FIGURES, Figures, Report, SystemReport
from tensemem.bench.report import HARM

from .text import Cell, Look, counted, safe, short, table

_HEADINGS = {
    "current_state_accuracy": "right now",
    "stale_fact_leak_rate": "stale leaked",
    "freshness_honesty": "freshness",
    "contamination_rate": "made up",
    "correction_durability": "corrections",
    "history_accuracy": "history",
    "as_of_accuracy": "as of",
    "tokens_per_answer": "tokens",
}
"""What a figure is called in the table."""

_LISTED = 20
"""How many wrong answers are told; ``--json`` gives all."""


def report_lines(report: Report, look: Look, *, by_category: bool, show_failures: bool) -> Iterator[str]:
    """Show a run: every system with its figures, and how often the memory was wrong."""
    categories = len(report.systems[0].by_category)
    size = f"{counted(report.cases, 'conversation')} in {counted(categories, 'category')}"
    yield look.painted(f"{size}; proposals: {safe(report.extractor)}; {report.manner}", "bold")
    yield from _systems_table(report.systems, look)
    yield from _note_lines(report.systems)
    if by_category:
        yield from _category_lines(report.systems, look)
    wrong = len(report.own_failures)
    hint = "" if show_failures or not wrong else "; --show-failures lists them"
    yield f"{report.systems[0].name}: " + (f"{counted(wrong, 'wrong answer')}{hint}" if wrong else "no wrong answer")
    if report.rebuilds != report.identical_rebuilds:
        yield f"{report.rebuilds - report.identical_rebuilds} of {report.rebuilds} rebuilds gave something else"
    if report.missed:
        yield f"{counted(report.missed, 'correction')} or reviews found nothing of the kind"
    if show_failures:
        yield from _failure_lines(report, look)


def _systems_table(systems: Sequence[SystemReport], look: Look) -> list[str]:
    asked = _asked(systems)
    rows = [
        (
            Cell(system.name, "bold"),
            Cell("yes", "green") if system.is_safe else Cell("no", "red"),
            *(_cell(figure, system.total, system.notes) if figure in asked else Cell("") for figure in FIGURES),
        )
        for system in systems
    ]
    return table(("system", "safe to act on", *_HEADINGS.values()), rows, look)


def _asked(systems: Sequence[SystemReport]) -> set[str]:
    """Give the figures that anything was asked for; the others need no column."""
    return {figure for figure in FIGURES if any(system.total.asked[figure] for system in systems)}


def _cell(figure: str, figures: Figures, notes: Mapping[str, str] | None = None) -> Cell:
    value = figures[figure]
    mark = "*" if notes and figure in notes else ""
    if value is None:
        return Cell(f"-{mark}")
    if figure == "tokens_per_answer":
        return Cell(f"{value:.0f}{mark}")
    best = 0.0 if figure in HARM else 1.0
    return Cell(f"{percent(value)}{mark}", "green" if value == best else "red")


def percent(share: float) -> str:
    """Give a share in per cent; only what is whole is told as 0 % or 100 %."""
    shown = round(100 * share)
    if (shown == 100 and share < 1) or (shown == 0 and share > 0):
        return f"{min(99.9, max(0.1, 100 * share)):.1f}%"
    return f"{shown}%"


def _note_lines(systems: Sequence[SystemReport]) -> Iterator[str]:
    """Say once what each note says, and of which systems and figures."""
    told: dict[str, tuple[list[str], list[str]]] = {}
    asked = _asked(systems)
    for system in systems:
        for figure, note in ((figure, note) for figure, note in system.notes.items() if figure in asked):
            names, figures = told.setdefault(note, ([], []))
            names += [system.name] if system.name not in names else []
            figures += [_HEADINGS[figure]] if _HEADINGS[figure] not in figures else []
    for note, (names, figures) in told.items():
        yield f"  * {', '.join(figures)} of {', '.join(names)}: {note}"


def _category_lines(systems: Sequence[SystemReport], look: Look) -> Iterator[str]:
    for name in systems[0].by_category:
        yield look.painted(f"{safe(name)} ({systems[0].by_category[name].cases})", "bold")
        rows: list[Sequence[str | Cell]] = [
            (system.name, *(_cell(figure, system.by_category[name]) for figure in FIGURES)) for system in systems
        ]
        yield from table(("system", *_HEADINGS.values()), rows, look)


def _failure_lines(report: Report, look: Look) -> Iterator[str]:
    failures = report.own_failures
    for one in failures[:_LISTED]:
        yield f"{safe(one.conversation)} ({safe(one.place)}): {safe(one.question)}"
        yield f"  expected {short(one.expected, look, 110)}"
        yield f"  given    {short(one.given, look, 110)}"
    if len(failures) > _LISTED:
        yield f"and {len(failures) - _LISTED} more; --json gives all"


def manner_lines(reports: Sequence[Report], is_same: bool) -> Iterator[str]:
    """Tell whether the memory has the same figures in every manner."""
    name = reports[0].systems[0].name
    said = "has the same figures" if is_same else "does not have the same figures"
    yield f"{name} {said} in {counted(len(reports), 'manner')}:"
    for report in reports:
        wrong = len(report.own_failures)
        yield f"  {report.manner}: {counted(wrong, 'wrong answer') if wrong else 'no wrong answer'}"
