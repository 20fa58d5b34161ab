"""What to do next, by what was found."""

from __future__ import annotations

from collections.abc import Iterator

from .asking import OFFLINE
from .findings import Findings


def next_steps(findings: Findings) -> list[str]:
    """Give a few sentences, the most useful first."""
    return list(_steps(findings))


def _steps(found: Findings) -> Iterator[str]:
    if found.stopped:
        yield "The extractor stopped early. With --cassette FILE the answers it gave are kept; try again later."
    if not found.slots:
        yield (
            "Nothing was found. The ready vocabulary is about people and software projects: "
            "--schema file.toml names the attributes you care about."
        )
    if found.unknown:
        names = ", ".join(one.predicate for one in found.unknown[:3])
        yield f"Proposed and not registered: {names}. Put what you want into a TOML file and name it with --schema."
    if any(one.outcome in ("held", "planned") for one in found.refusals):
        yield "What waits is for you to decide: with --keep FILE you can, by 'tensemem --db FILE review ID'."
    if found.extractor == OFFLINE:
        yield (
            "The offline extractor knows sentences, not meanings. A model reads more: --llm provider:model; "
            "add --limit 50 first to see what it costs."
        )
    if found.old is not None and found.old.contradictions:
        yield "Your old store returns every side of a contradiction that resembles the question; here one holds."
    if found.kept:
        yield f"The memory is kept in {found.kept}: 'tensemem --db {found.kept} history USER' shows what it knows."
    else:
        yield "The memory of this trial is gone; --keep FILE keeps one."
