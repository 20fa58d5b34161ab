"""The program: its general options, its commands, and what each kind of failure says and exits with."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import click
from click.core import ParameterSource

from tensemem import __version__, errors, logs

from .._keys import KEY, SHRED
from . import (
    adding,
    amending,
    asking,
    carrying,
    completion,
    demo,
    doctoring,
    exits,
    forgetting,
    keys,
    looking,
    mcp_serving,
    measuring,
    moving,
    reading,
    registry,
    rereading,
    retaining,
    serving,
    tracing,
    trying,
    upkeep,
    waiting,
    writing,
)
from .options import general_options
from .session import Session
from .stating import stating_commands
from .text import safe, say
from .wording import RUNNING, worded

SECTIONS: dict[str, Sequence[click.Command]] = {
    "First steps": (demo.demo, trying.attempt),
    "Say": (adding.add, adding.preview, *stating_commands(), writing.write),
    "Take back": (amending.correct, amending.reinstate, amending.review),
    "Read": (reading.state, reading.get, tracing.history, reading.context, reading.search),
    "Ask the user": (asking.questions, asking.answer),
    "Ask why": (tracing.explain, tracing.changes, tracing.decisions, tracing.messages),
    "Registry": (registry.predicates, registry.proposals, registry.register),
    "Extract": (waiting.worker, waiting.flush, waiting.jobs, waiting.retry, waiting.dismiss, rereading.reextract),
    "Keep": (upkeep.scopes, upkeep.stats, upkeep.rebuild, upkeep.verify, upkeep.digest, upkeep.rekey, doctoring.doctor),
    "Remove": (forgetting.forget, forgetting.erase, forgetting.purge, retaining.retain),
    "Move": (
        carrying.export, carrying.import_, carrying.backup, carrying.restore, moving.copy, moving.migrate,
        moving.schema,
    ),
    "Serve": (serving.serve, looking.studio, mcp_serving.mcp, keys.keys),
    "Measure": (measuring.bench,),
    "Shell": (completion.completion,),
}
"""The commands as help lists them."""


class Program(click.Group):
    """The command line as a whole: commands in sections, and failures as one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Give the commands in the order of their sections."""
        return [str(command.name) for commands in SECTIONS.values() for command in commands]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under the names of their sections."""
        longest = max(len(name) for name in self.list_commands(ctx))
        for title, commands in SECTIONS.items():
            limit = formatter.width - 6 - longest
            rows = [(str(one.name).ljust(longest), one.get_short_help_str(limit)) for one in commands]
            with formatter.section(title):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that has gone away, as in ``tensemem history ... | head``, is no failure."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _write_nowhere()
            ctx.exit(exits.DONE)
        except KeyboardInterrupt:
            ctx.exit(exits.INTERRUPTED)

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, *, standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:  # fmt: skip
        """Run the program; ends it with an exit code unless ``standalone_mode`` is off."""
        if not standalone_mode:
            return super().main(args, prog_name, standalone_mode=False, **extra)
        sys.exit(self._run(args, prog_name, extra))

    def _run(self, args: Sequence[str] | None, prog_name: str | None, extra: dict[str, Any]) -> int:
        RUNNING.set(None)
        try:
            code = super().main(args, prog_name, standalone_mode=False, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            say(error.format_message(), err=True)
            return exits.USAGE
        except click.ClickException as error:
            return _complain(_usage_line(error), exits.USAGE)
        except click.Abort:
            return exits.INTERRUPTED
        except errors.StaleMemoryError as error:
            return _complain(_worded(error), exits.NO)
        except errors.ExtractorError as error:
            return _complain(_worded(error), exits.EXTRACTOR_FAILED)
        except errors.TensememError as error:
            return _complain(_refusal(error), exits.REFUSED)
        except OSError as error:
            return _complain(f"the system refused: {error}", exits.REFUSED)
        return code if isinstance(code, int) else exits.DONE


def _complain(text: str, code: int) -> int:
    with suppress(OSError):
        say(f"tensemem: {safe(text)}", err=True)
    return code


def _usage_line(error: click.ClickException) -> str:
    """Give what is wrong with the arguments in one line, with where to look."""
    text = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    option = error.option_name if isinstance(error, click.NoSuchOption) else ""
    if option.lstrip("-")[:1].isdigit():
        text += "; put -- before a value that begins with -"
    return text if context is None else f"{text} (see {context.command_path} --help)"


def _refusal(error: errors.TensememError) -> str:
    """Give an error's message in the words of the command line, with the command that helps where there is one."""
    command, text = _HELP.get(type(error)), _worded(error)
    if command is None or command.partition(" NAME")[0] in text:
        return text
    return f"{text.rstrip('.')}; {command}"


def _worded(error: Exception) -> str:
    return worded(str(error), RUNNING.get())


_HELP = {
    errors.UnknownPredicateError: "'tensemem predicates' lists those that are, 'tensemem register NAME' adds one",
    errors.PredicateConflictError: "--update replaces the definition",
    errors.UnauthenticatedError: "here $TENSEMEM_TOKEN holds the token",
    errors.StoreKeyError: f"its key is what ${KEY} holds, and ${SHRED} says whether each person has one",
}


def _write_nowhere() -> None:
    """Let what is still buffered go nowhere, so that the interpreter has nothing to complain about at its end."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@click.group(
    cls=Program, params=general_options(), invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="The general options, but those of logging, may also stand behind the command. Exit codes: 0 done, 1 the "
    "answer is no or stale with --require-current, 2 usage, 3 refused, 4 the extractor failed.",
)  # fmt: skip
@click.version_option(__version__, prog_name="tensemem")
@click.pass_context
def program(
    context: click.Context, /, *, db: str, namespace: str, tz: str, ca: str | None, as_json: bool,
    log_level: str | None, log_json: bool,
) -> None:  # fmt: skip
    """A memory for AI agents that knows what is true now, in one file.

    Messages are logged; extractors propose; the engine decides. 'tensemem demo' shows the idea in one screen.
    """
    if context.invoked_subcommand is None:
        say(context.get_help(), err=True)
        context.exit(exits.USAGE)
    is_named, is_pinned = (
        context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in ("db", "namespace")
    )
    context.obj = Session(db, namespace, tz, as_json, is_named, is_pinned, ca)
    # Without a level commands tell what went wrong in their own words alone.
    context.obj.logs = log_level is not None or log_json
    if context.obj.logs:
        logs.configure(level=log_level, json=log_json)


for _commands in SECTIONS.values():
    for _command in _commands:
        program.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code."""
    program.main(args=arguments, prog_name="tensemem")
    raise SystemExit(exits.DONE)
