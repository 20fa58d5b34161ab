"""The commands that keep a memory in order: scopes, rebuild, verify, digest, stats, rekey."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from tensemem import RebuildReport

from .._keys import KEY, NEW_KEY
from . import options
from .acts import recorded
from .cutting import cursor_of, tell_more
from .exits import NO
from .options import command
from .retaining import retention_lines
from .session import Session, pass_session
from .text import Cell, counted, is_terminal, safe, short, table, write


@command("scopes")
@click.argument("prefix", required=False)
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, help="At most so many.")
@click.option("--after", metavar="USER", help="Go on behind this user.")
@click.option("--after-agent", metavar="AGENT", default="", help="With --after: behind this agent's memory.")
@pass_session
def scopes(session: Session, /, prefix: str | None, limit: int, after: str | None, after_agent: str) -> None:
    """List whose memories there are. Those whose user begins with PREFIX, with their sizes."""
    with session.reading() as mem:
        found = mem.scopes(prefix, limit=limit, after=None if after is None else f"{after}\0{after_agent}")
    look = session.look
    rows = [
        (
            Cell(short(one.user_id, look), "bold"), short(one.agent_id, look), str(one.latest_seq), str(one.rev),
            Cell(str(one.pending or ""), "yellow"), Cell(str(one.failed or ""), "red"),
        )
        for one in found
    ]  # fmt: skip
    lines = table(("user", "agent", "episodes", "revision", "pending", "failed"), rows, look)
    session.show({"scopes": found, "next": cursor_of("scopes", found, limit)}, lines or ["no memories"])
    tell_more(session, "scopes", found, limit)


@command("rebuild")
@click.argument("user", required=False)
@pass_session
def rebuild(session: Session, /, user: str | None) -> None:
    """Fold the log again and replace what differs. Of one user or of all; no extractor is asked."""
    with (
        recorded(session, "rebuild", user_id=user), session.writing() as mem,
        session.progress(mem, "rebuilt", "rebuilt"),
    ):  # fmt: skip
        report = mem.rebuild(user)
    session.show(report, _report_lines(report, "was replaced"))


@command("verify")
@click.argument("user", required=False)
@click.pass_context
def verify(context: click.Context, /, user: str | None) -> None:
    """Fold the log again and compare. Writes nothing; exits with 1 where anything differs."""
    session = context.ensure_object(Session)
    with session.reading() as mem, session.progress(mem, "verified", "verified"):
        report = mem.verify(user)
    session.show(report, _report_lines(report, "differs; 'tensemem rebuild' replaces it"))
    if not report.identical:
        context.exit(NO)


def _report_lines(report: RebuildReport, otherwise: str) -> Iterator[str]:
    size = f"{counted(report.scopes, 'scope')}, {counted(report.entries, 'entry')}, {report.seconds:.3f} s"
    yield f"{'identical' if report.identical else 'not identical'}: {size}"
    yield f"digest {report.digest}"
    for user in report.different:
        yield f"  {safe(user)}: {otherwise}"


@command("digest")
@options.user
@options.agent
@pass_session
def digest(session: Session, /, user: str, agent_id: str) -> None:
    """Print the hash of a user's facts. Equal wherever the same was said, in whatever order it was extracted."""
    with session.reading() as mem:
        fresh = session.freshness(mem, user, agent_id)
        found = mem.digest(user, agent_id=agent_id)
    session.show({"user_id": user, "digest": found, "freshness": fresh}, [found])
    session.tell_freshness(fresh)


@command("stats")
@click.option("--prometheus", is_flag=True, help="As Prometheus reads it.")
@pass_session
def stats(session: Session, /, prometheus: bool) -> None:
    """Show how large the memory is. And where it lies, and what waits."""
    if prometheus:
        _show_metrics(session)
        return
    with session.reading() as mem:
        found = mem.stats()
    longest = max(len(name) for name in found)
    plain = {name: value for name, value in found.items() if name not in ("usage", "retention")}
    lines = [f"{name.ljust(longest)}  {safe(value)}" for name, value in plain.items()]
    lines += [f"{'usage'.ljust(longest)}  {_usage_line(used)}" for used in found["usage"]]
    lines += [f"{'retention'.ljust(longest)}  {line}" for line in retention_lines(found["retention"], session.zone)]
    session.show(found, lines)


def _show_metrics(session: Session) -> None:
    from tensemem.observe.prometheus import render  # here, since no other command needs it

    session.must_be_here("stats --prometheus")
    if session.as_json:
        raise click.UsageError("--prometheus is a form of its own; it goes without --json")
    with session.reading() as mem:
        write(render(mem, sizes=True))


def _usage_line(used: Mapping[str, Any]) -> str:
    tokens = f"{counted(used['input_tokens'], 'token')} in, {used['output_tokens']:,} out"
    name = " ".join(filter(None, (safe(used["extractor"]), safe(used["model"]))))
    return f"{name}: {counted(used['calls'], 'call')}, {tokens}, {used['seconds']:.1f} s"


@command("rekey")
@click.option("--plain", is_flag=True, help="Take the encryption away.")
@pass_session
def rekey(session: Session, /, plain: bool) -> None:
    """Encrypt the memory with another key. A plain one with its first.

    The key it has stands in $TENSEMEM_KEY, the new one in $TENSEMEM_NEW_KEY; where that is not set, it is asked for.
    """
    session.must_be_here("rekey")
    with session.writing() as mem:
        key = None if plain else os.environ.get(NEW_KEY) or _asked_for()
        with recorded(session, "rekey"):
            mem.rekey(key)
    said = "is not encrypted any more" if key is None else f"has the new key; from now on ${KEY} must hold it"
    session.show({"db": session.db, "encrypted": key is not None}, [f"{session.db} {said}"])


def _asked_for() -> str:
    if not is_terminal(sys.stdin):
        raise click.UsageError(f"there is no new key: set ${NEW_KEY}, or run this in a terminal to be asked for one")
    answer: str = click.prompt("New key", hide_input=True, confirmation_prompt=True, err=True)
    return answer
