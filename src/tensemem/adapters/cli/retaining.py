"""The command about how long what is kept: retain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, tzinfo
from typing import Any

import click

from tensemem import Memory, Retention
from tensemem.core.periods import parse_duration

from .acts import recorded
from .moments import Moments
from .options import command
from .session import Session, pass_session
from .text import counted, duration_words, safe

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
        with recorded(session, "retain"), session.writing(makes_file=True) as mem:
            found, told = _kept(mem, asked)
    session.show(found, retention_lines(told, session.zone))


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


def retention_lines(told: Mapping[str, Any], zone: tzinfo) -> Iterator[str]:
    """Give what ``stats()`` tells of retention, a line for each thing; times as they are in a zone."""
    last = told["last_run"]
    ended = None if last is None else _moment(last["ended_at"])
    coming = _moment(told["next_run_at"])
    times = Moments(zone, (ended, coming))
    quotes = ", facts keep their quotes" if told["keep_quotes"] else ""
    yield f"texts: {_kept_for(told['texts'])}{quotes}"
    for name, duration in told["facts"].items():
        yield f"{safe(name)}: {_kept_for(duration)} after a value ended"
    for name, own in told["predicates"].items():
        parts = [f"holds {_words(own['ttl'])} unrenewed" if own["ttl"] else "", _reviewed(own["review_after"])]
        yield f"{safe(name)}: {', '.join(filter(None, parts))}"
    if last is not None:
        end = "goes on" if ended is None else f"ended {times.text(ended)}"
        failed = f", {counted(last['failed'], 'scope')} failed" if last["failed"] else ""
        gone = f"{counted(last['texts'], 'text')} and {counted(last['facts'], 'value')} removed"
        yield f"last run: {end}, {counted(last['scopes'], 'scope')}, {gone}{failed}"
    if coming is not None:
        yield f"next run: {times.text(coming)}"


def _reviewed(duration: str | None) -> str:
    return f"due for review after {_words(duration)}" if duration else ""


def _kept_for(duration: str | None) -> str:
    return "kept for ever" if duration is None else f"kept for {_words(duration)}"


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _words(duration: str) -> str:
    return duration_words(parse_duration(duration, name="duration"))
