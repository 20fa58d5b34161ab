"""The command that measures: is this memory safe to act on?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import click

from .exits import NO
from .llms import KEEP_ONLY, Llm
from .options import ParamType, command
from .session import Session
from .text import is_terminal, write

SCRIPTED = "scripted"


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
            from tensemem.bench.extracting import extractor_named

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
    from tensemem import bench as benches  # with its parts: of all commands only this one needs them

    from .scores import manner_lines, report_lines

    session = context.ensure_object(Session)
    conversations = benches.packaged_set() if path is None else benches.read_set(path)
    chosen = benches.Manner(order, "burst" if burst else "single", wait, seed)
    manners = [replace(one, seed=seed) for one in benches.EVERY_MANNER] if every_manner else [chosen]
    reports = []
    for place, manner in enumerate(manners, start=1):
        with _progress(f"{place}/{len(manners)} " if every_manner else "") as progress:
            found = benches.run(
                conversations, extractor=None if extractor == SCRIPTED else extractor, manner=manner,
                categories=categories, limit=limit, progress=progress,
            )  # fmt: skip
        reports.append(found)
    report, is_same = reports[0], benches.same_figures(reports)
    more = {"same_in_every_manner": is_same, "manners": [one.manner for one in reports]} if every_manner else {}
    lines = report_lines(report, session.look, by_category=by_category, show_failures=show_failures)
    session.show({**report.document(), **more}, [*lines, *(manner_lines(reports, is_same) if every_manner else ())])
    if require and not (is_same and all(one.is_right for one in reports)):
        context.exit(NO)


@contextmanager
def _progress(prefix: str) -> Iterator[Callable[[int, int], None] | None]:
    """Count conversations on standard error where a person looks at it."""
    if not is_terminal(sys.stderr):
        yield None
        return

    def count(done: int, total: int) -> None:
        write(f"\rplayed {prefix}{done} of {total} ", err=True)

    try:
        yield count
    finally:
        write("\r" + " " * (len(prefix) + _WIDEST) + "\r", err=True)


_WIDEST = len("played 999999 of 999999 ")
