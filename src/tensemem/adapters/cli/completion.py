"""The command that prints a shell's completion script."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from .options import command
from .session import Session
from .text import say

NAME = "tensemem"
VARIABLE = "_TENSEMEM_COMPLETE"


@command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a shell's completion script.

    bash, zsh: eval "$(tensemem completion bash)" in the shell's start file. fish: tensemem completion fish | source
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"this click knows no completion for {shell}")
    # The base class's source: bash's own runs bash first to look at its version, and bash may not be here.
    script = ShellComplete.source(kind(context.find_root().command, {}, NAME, VARIABLE))
    session = context.ensure_object(Session)
    session.show({"shell": shell, "script": script}, ())
    if not session.as_json:
        say(script)
