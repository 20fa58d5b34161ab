"""The command about how long what is kept: retain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from tensemem import Memory, Retention

from .acts import recorded
from .options import command
from .session import Session, pass_session
from .text import counted, safe

FOR_EVER = "forever"


@command("retain")
@click.option("--texts", metavar="DURATION", help="Remove message texts that were said longer ago, such as 90d.")
@click.option("--keep-quotes", is_flag=True, help="With --texts: facts keep their quotes.")
@click.option(
    "--facts", multiple=True, metavar="PREDICATE=DURATION",
    help="Forget values that ended longer ago; * for all that are not named, forever as DURATION; may be repeated.",
)  # fmt: skip
@click.option("--off", is_flag=True, help="Keep everything.")
@pass_session
def retain(session: Session, /, texts: str | None, keep_quotes: bool, facts: tuple[str, ...], off: bool) -> None:
    """Say how long a namespace keeps what. Without options, show what was said, and what the last run removed.

    What is said takes the place of all that was said before. A worker sees to it, once an hour at most.
    """
    asked = _asked(texts, keep_quotes, facts)
    if off and asked:
        raise click.UsageError("--off keeps everything; leave the other options out")
    if not (off or asked):
        with session.reading() as mem:
            found = mem.retention()
            told = mem.stats()["retention"]
    else:
        with recorded(session, "retain"), session.writing() as mem:
            found, told = _kept(mem, asked)
    session.show(found, retention_lines(told))


def _kept(mem: Memory, asked: dict[str, Any]) -> tuple[Retention, Mapping[str, Any]]:
    return mem.retain(**asked), mem.stats()["retention"]


def _asked(texts: str | None, keep_quotes: bool, facts: tuple[str, ...]) -> dict[str, Any]:
    asked: dict[str, Any] = {}
    if texts is not None:
        asked["texts"] = texts
    if keep_quotes:
        asked["keep_quotes"] = True
    if facts:
        asked["facts"] = dict(_named(one) for one in facts)
    return asked


def _named(text: str) -> tuple[str, str | None]:
    name, is_pair, duration = text.rpartition("=")
    if not is_pair or not name.strip():
        raise click.UsageError(f"--facts takes PREDICATE=DURATION, such as lives_in=1y, not {text!r}")
    return name, None if duration.strip().lower() == FOR_EVER else duration


def retention_lines(told: Mapping[str, Any]) -> Iterator[str]:
    """Give what ``stats()`` tells of retention, a line for each thing."""
    quotes = ", facts keep their quotes" if told["keep_quotes"] else ""
    yield f"texts: {_kept_for(told['texts'])}{quotes}"
    for name, duration in told["facts"].items():
        yield f"{safe(name)}: {_kept_for(duration)} after a value ended"
    for name, own in told["predicates"].items():
        parts = [f"holds {own['ttl']} unrenewed" if own["ttl"] else "", _reviewed(own["review_after"])]
        yield f"{safe(name)}: {', '.join(filter(None, parts))}"
    last = told["last_run"]
    if last is not None:
        ended = "goes on" if last["ended_at"] is None else f"ended {last['ended_at']}"
        failed = f", {counted(last['failed'], 'scope')} failed" if last["failed"] else ""
        gone = f"{counted(last['texts'], 'text')} and {counted(last['facts'], 'value')} removed"
        yield f"last run: {ended}, {counted(last['scopes'], 'scope')}, {gone}{failed}"
    if told["next_run_at"] is not None:
        yield f"next run: {told['next_run_at']}"


def _reviewed(duration: str | None) -> str:
    return f"due for review after {duration}" if duration else ""


def _kept_for(duration: str | None) -> str:
    return "kept for ever" if duration is None else f"kept for {duration}"
