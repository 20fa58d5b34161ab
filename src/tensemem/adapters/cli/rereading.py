"""The command that asks another extractor about the messages there are: reextract."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from tensemem import Memory, Reextraction, ReextractPlan, errors

from . import options
from .acts import DRY_RUN, recorded
from .llms import llm
from .options import command
from .session import Session, pass_session
from .text import counted, is_terminal
from .views import difference_lines


@command("reextract")
@options.user
@llm
@click.option("--from-seq", type=click.IntRange(min=1), metavar="SEQ", help="Begin with this message.")
@click.option("--since", metavar="TIME", help="Only messages said since then.")
@click.option("--limit", type=click.IntRange(min=1, max=100_000), help="At most so many messages.")
@click.option("--apply", is_flag=True, help="Write what the difference was told of.")
@click.option("--yes", is_flag=True, help="Ask the extractor, and with --apply write, without asking you.")
@options.agent
@pass_session
def reextract(session: Session, /, user: str, **given: Any) -> None:
    """Ask another extractor about the same messages. Tells the difference in state; --apply writes it.

    Before anything is asked it tells how many requests that takes at most, and a person is asked to go on. What was
    told is what is written: nobody is asked twice. The old extractions stay in the log, and corrections in force.
    """
    extractor = session.extractor(given["llm"], "another reading needs another reader")
    agent_id, yes = given["agent_id"], given["yes"]
    within = {name: given[name] for name in ("from_seq", "since", "limit")}
    with session.writing() as mem:
        plan = mem.plan_reextract(user, extractor, agent_id=agent_id, **within)
        _confirm(session, plan_line(plan), yes or not plan.messages)
        with recorded(session, "reextract", user_id=user, about=None if given["apply"] else DRY_RUN):
            with session.progress(mem, "read", "reextracted"):
                found = mem.reextract(user, extractor, agent_id=agent_id, **within)
            if given["apply"] and found.seqs:
                found = _applied(session, mem, user, agent_id, found, yes)
        fresh = session.freshness(mem, user, agent_id)
    session.show(found, _lines(session, found), freshness=fresh, planned=plan)
    session.tell_freshness(fresh)


def plan_line(plan: ReextractPlan) -> str:
    """Tell what is going to be asked."""
    messages, requests = counted(plan.messages, "message"), counted(plan.requests, "request")
    return f"{messages} in at most {requests}, about {counted(plan.tokens, 'token')} of text, and the prompt each time"


def _confirm(session: Session, text: str, yes: bool) -> None:
    """Let a person decide; where nobody can be asked, --yes has to say so."""
    if yes:
        session.note(text)
        return
    if session.as_json or not is_terminal(sys.stdin):
        raise click.UsageError(f"{text}: give --yes to go on")
    go_on: bool = click.confirm(f"{text}: go on?", err=True)
    if not go_on:
        raise click.Abort


def _applied(
    session: Session, mem: Memory, user: str, agent_id: str, found: Reextraction, yes: bool
) -> Reextraction:
    if not yes and not session.as_json:
        for line in difference_lines(found, session.look, session.zone):
            session.note(line)
        _confirm(session, "this is going to be written", yes)
    try:
        return mem.reextract(user, found, dry_run=False, agent_id=agent_id)
    except errors.ConflictError as error:
        raise errors.ConflictError(f"{error}; nothing more was written") from error


def _lines(session: Session, found: Reextraction) -> Iterator[str]:
    yield from difference_lines(found, session.look, session.zone)
    if found.failed_seqs:
        seqs = ", ".join(map(str, found.failed_seqs[:20]))
        yield f"bad answers: {counted(len(found.failed_seqs), 'message')} keep what they had ({seqs})"
    if not found.seqs and not found.failed_seqs:
        yield "no message to read again: none is settled there, or this very model and prompt read them last"
    if found.seqs:
        yield "written" if found.applied else "nothing was written; --apply writes it"
