"""The commands that remove what is remembered: forget."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from tensemem.model.results import Removal

from . import options
from .exits import NO
from .options import command
from .session import Session
from .text import counted, is_terminal, safe


@command("forget")
@options.user
@click.option("--agent", "agent_id", metavar="AGENT", help="This agent's memory only; '' is the shared one.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def forget(context: click.Context, /, user: str, agent_id: str | None, yes: bool) -> None:
    """Forget a person: remove all that is kept of USER. Every agent's memory, or one's.

    It can't be undone. In a terminal you are asked to type the user's name; elsewhere say --yes. What went is counted.
    A user nobody knows is no error, and the exit code is 1.
    """
    session = context.ensure_object(Session)
    if not yes:
        _confirm(user, agent_id)
    with session.writing(makes_file=False) as mem:
        removed = mem.forget(user, agent_id=agent_id)
    session.show(removed, _lines(user, removed))
    if not removed.scopes:
        context.exit(NO)


def _confirm(user: str, agent_id: str | None) -> None:
    if not is_terminal(sys.stdin):
        raise click.UsageError("forgetting can't be undone: say --yes, or run this in a terminal to be asked")
    whose = "every agent's memory" if agent_id is None else f"the memory that agent {safe(agent_id)!r} has"
    answer = click.prompt(f"This removes {whose} of {safe(user)}, for good. Type the name to go on", err=True)
    if answer != user:
        raise click.UsageError("that is another name; nothing was removed")


def _lines(user: str, removed: Removal) -> Iterator[str]:
    if not removed.scopes:
        yield f"nothing is known of {safe(user)}"
        return
    yield (
        f"forgot {safe(user)}: {counted(removed.scopes, 'scope')}, {counted(removed.episodes, 'episode')}, "
        f"{counted(removed.facts, 'fact')}, {removed.seconds:.3f} s"
    )
    if not removed.scrubbed:
        yield f"  not overwritten yet: {removed.unscrubbed}"
    for sentence in removed.elsewhere:
        yield f"  {sentence}"
