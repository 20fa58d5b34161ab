"""The command that measures: is this memory safe to act on?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import click

from tensemem.bench import (
    EVERY_MANNER,
    FIGURES,
    Manner,
    Report,
    SystemReport,
    packaged_set,
    read_set,
    run,
    same_figures,
)
from tensemem.bench.extracting import SCRIPTED, extractor_named
from tensemem.bench.report import HARM, Figures

from .exits import NO
from .llms import KEEP_ONLY, Llm
from .options import ParamType, command
from .session import Session
from .text import Cell, Look, counted, is_terminal, safe, short, table, write

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
"""How many wrong answers are told to people; ``--json`` gives all."""


class Extractor(ParamType):
    """Who proposes: ``scripted``, ``offline``, or whatever ``--llm`` takes and a provider's text."""

    name = "NAME"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Give an extractor, or the word for the script."""
        if not isinstance(value, str) or value == SCRIPTED:
            return value
        try:
            found = Llm().convert(value, parameter, context)
        except click.BadParameter:
            return extractor_named(value)  # its error says what is missing
        if found is KEEP_ONLY:
            self.fail("there is nothing to measure where nobody extracts", parameter, context)
        return found


@command("bench")
@click.option("--extractor", type=Extractor(), default=SCRIPTED, show_default=True, metavar="NAME",
              help="Who proposes: scripted (the set's own), offline, fake, provider:model.")  # fmt: skip
@click.option("--path", type=click.Path(path_type=Path), metavar="FILE", help="Your own conversations, JSON Lines.")
@click.option("--category", "categories", multiple=True, metavar="NAME", help="Only this category; may be repeated.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many conversations.")
@click.option("--order", type=click.Choice(["written", "shuffled"]), default="written", show_default=True,
              help="How messages arrive; each keeps its own time.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Which shuffling.")
@click.option("--burst", is_flag=True, help="Messages arrive in bursts, not one by one.")
@click.option("--wait/--no-wait", default=True, show_default=True, help="Extract each at once, or later.")
@click.option("--every-manner", is_flag=True, help="Play all eight manners, and tell whether the figures are the same.")
@click.option("--by-category", is_flag=True, help="Show every category.")
@click.option("--show-failures", is_flag=True, help="Show the memory's wrong answers.")
@click.option("--require", is_flag=True, help="Exit with 1 unless the memory answered everything rightly.")
@click.pass_context
def bench(
    context: click.Context, /, *, extractor: Any, path: Path | None, categories: Sequence[str], limit: int | None,
    order: Literal["written", "shuffled"], seed: int, burst: bool, wait: bool, every_manner: bool, by_category: bool,
    show_failures: bool, require: bool,
) -> None:  # fmt: skip
    """Measure whether a memory is safe to act on. Plays conversations to this one and to simpler ones."""
    session = context.ensure_object(Session)
    conversations = packaged_set() if path is None else read_set(path)
    chosen = Manner(order, "burst" if burst else "single", wait, seed)
    manners = [replace(one, seed=seed) for one in EVERY_MANNER] if every_manner else [chosen]
    reports = [
        run(
            conversations, extractor=None if extractor == SCRIPTED else extractor, manner=manner,
            categories=categories, limit=limit, progress=_progress(f"{place}/{len(manners)} " if every_manner else ""),
        )
        for place, manner in enumerate(manners, start=1)
    ]  # fmt: skip
    report, is_same = reports[0], same_figures(reports)
    more = {"same_in_every_manner": is_same, "manners": [one.manner for one in reports]} if every_manner else {}
    lines = _lines(report, session.look, by_category=by_category, show_failures=show_failures)
    session.show({**report.document(), **more}, [*lines, *(_manner_lines(reports, is_same) if every_manner else ())])
    if require and not (is_same and all(one.is_right for one in reports)):
        context.exit(NO)


def _progress(prefix: str) -> Callable[[int, int], None] | None:
    """Count conversations on standard error where a person looks at it."""
    if not is_terminal(sys.stderr):
        return None

    def count(done: int, total: int) -> None:
        write(f"\rplayed {prefix}{done} of {total} ", err=True)
        if done + 1 == total:
            write("\r" + " " * 40 + "\r", err=True)

    return count


def _lines(report: Report, look: Look, *, by_category: bool, show_failures: bool) -> Iterator[str]:
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


def _cell(figure: str, figures: Figures, notes: object = ()) -> Cell:
    value = figures[figure]
    mark = "*" if isinstance(notes, dict) and figure in notes else ""
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


def _manner_lines(reports: Sequence[Report], is_same: bool) -> Iterator[str]:
    name = reports[0].systems[0].name
    said = "has the same figures" if is_same else "does not have the same figures"
    yield f"{name} {said} in {counted(len(reports), 'manner')}:"
    for report in reports:
        wrong = len(report.own_failures)
        yield f"  {report.manner}: {counted(wrong, 'wrong answer') if wrong else 'no wrong answer'}"
