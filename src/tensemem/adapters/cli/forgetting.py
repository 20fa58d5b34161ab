"""The commands that remove what is remembered: forget, erase, purge."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from tensemem.model.results import Removal

from . import options
from .acts import recorded
from .exits import NO, REFUSED
from .options import MOMENT, command
from .retaining import retention_lines
from .session import Session
from .text import counted, is_terminal, safe

yes = click.option("--yes", is_flag=True, help="Do not ask.")


@command("forget")
@options.user
@click.option("--predicate", metavar="NAME", help="Only this attribute.")
@click.option("--subject", metavar="SUBJECT", help="Only what is known of this one; with --predicate: its attribute.")
@click.option("--fact", "fact_id", metavar="ID", help="Only the value that this fact shows, in its slot.")
@click.option("--agent", "agent_id", metavar="AGENT", help="This agent's memory only; '' is the shared one.")
@yes
@click.pass_context
def forget(context: click.Context, /, user: str, agent_id: str | None, yes: bool, **part: Any) -> None:
    """Forget a person: remove all that is kept of USER. Or a part of it; every agent's memory, or one's.

    It can't be undone. In a terminal you are asked to type the user's name; elsewhere say --yes. What went is counted,
    and of a part it is told where the words still stand. Where there was nothing, the exit code is 1. Other namespaces
    are left alone.
    """
    session = context.ensure_object(Session)
    if not yes:
        _confirm(user, _what(user, agent_id, part))
    with recorded(session, "forget", user_id=user), session.writing() as mem:
        removed = mem.forget(user, agent_id=agent_id, **part)
        fresh = session.freshness(mem, user, agent_id or "")
    lines = _part_lines(user, removed) if any(part.values()) else _lines(user, removed)
    session.show(removed, lines, freshness=fresh)
    if not removed.scopes:
        context.exit(NO)


@command("erase")
@options.user
@click.argument("seq", type=click.IntRange(min=1))
@options.agent
@yes
@click.pass_context
def erase(context: click.Context, /, user: str, seq: int, agent_id: str, yes: bool) -> None:
    """Erase one episode: its text, and what was extracted from it. SEQ is its number, as messages and explain show it.

    It can't be undone. Delivered again, the same message is a duplicate and does not come back.
    """
    session = context.ensure_object(Session)
    if not yes:
        _confirm(user, f"episode {seq} of {safe(user)}")
    with recorded(session, "erase", user_id=user), session.writing() as mem:
        removed = mem.erase(user, seq, agent_id=agent_id)
        fresh = session.freshness(mem, user, agent_id)
    session.show(removed, _part_lines(user, removed), freshness=fresh)
    if not removed.scopes:
        context.exit(NO)


@command("purge")
@click.argument("before", metavar=MOMENT, required=False)
@click.option("--due", is_flag=True, help="Instead of a moment: what 'tensemem retain' says is kept no longer.")
@click.option("--user", "user_id", metavar="USER", help="Only of this user; else of the whole namespace.")
@click.option("--keep-quotes", is_flag=True, help="Facts keep the words they rest on.")
@yes
@click.pass_context
def purge(
    context: click.Context, /, before: str | None, due: bool, user_id: str | None, keep_quotes: bool, yes: bool
) -> None:
    """Remove the texts of messages said before a moment. What was learned from them stays as it is.

    Messages that wait or failed keep their texts. It can't be undone: in a terminal you are asked to type the moment.
    With --due, do now what a worker does by itself: texts and values go that 'tensemem retain' says are kept no longer;
    exits with 3 where a memory could not be done.
    """
    session = context.ensure_object(Session)
    if due:
        _check_due(before, user_id, keep_quotes)
        _purge_due(context, session)
        return
    if before is None:
        raise click.UsageError("say before which moment, or --due")
    if not yes:
        _confirm(before, f"the texts of all messages said before {safe(before)}", "moment")
    with (
        recorded(session, "purge", user_id=user_id), session.writing() as mem,
        session.progress(mem, "purging", "purging"),
    ):  # fmt: skip
        removed = mem.purge(before, keep_quotes=keep_quotes, user_id=user_id)
    messages, scopes = counted(removed.episodes, "message"), counted(removed.scopes, "scope")
    lines = [f"purged the texts of {messages} in {scopes}, {removed.seconds:.3f} s", *_told(removed)]
    session.show(removed, lines if removed.scopes else ["there is no text to purge"])


def _check_due(before: str | None, user_id: str | None, keep_quotes: bool) -> None:
    if before is not None or user_id is not None or keep_quotes:
        raise click.UsageError("--due does what 'tensemem retain' says; leave the moment and the other options out")


def _purge_due(context: click.Context, session: Session) -> None:
    with (
        recorded(session, "apply_retention"), session.writing() as mem,
        session.progress(mem, "purging", "purging", "removed"),
    ):  # fmt: skip
        found = mem.apply_retention()
        told = mem.stats()["retention"]
    session.show(found, retention_lines(told, session.zone))
    if found.last_run is not None and found.last_run.failed:
        context.exit(REFUSED)


def _what(user: str, agent_id: str | None, part: dict[str, Any]) -> str:
    whose = "every agent's memory" if agent_id is None else f"the memory that agent {safe(agent_id)!r} has"
    named = [f"{name.removesuffix('_id')} {safe(value)}" for name, value in part.items() if value]
    return f"{', '.join(named)} from {whose} of {safe(user)}" if named else f"{whose} of {safe(user)}"


def _confirm(wanted: str, what: str, word: str = "name") -> None:
    """Have a person type what is meant; where nobody can be asked, --yes has to say so."""
    if not is_terminal(sys.stdin):
        raise click.UsageError("forgetting can't be undone: say --yes, or run this in a terminal to be asked")
    answer = click.prompt(f"This removes {what}, for good. Type the {word} to go on", err=True)
    if answer != wanted:
        raise click.UsageError(f"that is another {word}; nothing was removed")


def _lines(user: str, removed: Removal) -> Iterator[str]:
    if not removed.scopes:
        yield f"nothing is known of {safe(user)}"
        yield from _told(removed)
        return
    yield (
        f"forgot {safe(user)}: {counted(removed.scopes, 'scope')}, {counted(removed.episodes, 'episode')}, "
        f"{counted(removed.facts, 'fact')}, {removed.seconds:.3f} s"
    )
    yield from _told(removed)


def _part_lines(user: str, removed: Removal) -> Iterator[str]:
    if not removed.scopes:
        yield f"there is nothing of that in the memory of {safe(user)}"
        return
    yield (
        f"removed from {counted(removed.episodes, 'episode')}: {counted(removed.claims, 'claim')}, "
        f"{counted(removed.facts, 'fact')}, {removed.seconds:.3f} s"
    )
    if removed.mentions:
        seqs = ", ".join(map(str, removed.mentions[:20])) + (", …" if len(removed.mentions) > 20 else "")
        yield f"  the words still stand in {seqs}; 'tensemem erase {safe(user)} SEQ' removes one"
    yield from _told(removed)


def _told(removed: Removal) -> Iterator[str]:
    if not removed.scrubbed:
        yield f"  not overwritten yet: {removed.unscrubbed}"
    if removed.limits:
        yield f"  {counted(removed.limits, 'key')} named this person, and no longer"
    for sentence in removed.elsewhere:
        if sentence != removed.unscrubbed:
            yield f"  {sentence}"
