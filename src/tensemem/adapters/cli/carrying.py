"""The commands that take a memory elsewhere and bring it back: export, import, backup, restore."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import click

from tensemem import BackupReport, ExportReport, ImportReport, Memory, RestoreReport

from .._keys import backup_key, keys_of
from .acts import recorded
from .exits import NO
from .moving import Progress
from .options import command
from .session import Session, pass_session
from .text import counted, is_terminal, safe, write

STANDARD = "-"
SIGN_KEY = "TENSEMEM_SIGN_KEY"
"""The variable with the key that exports are signed with."""
SHOWN = 20
"""Lines that were not understood and are shown; all of them are in the JSON document."""

_every = click.option("--all-namespaces", "every", is_flag=True, help="Of all namespaces, not of one.")
_user = click.option("--user", "user_id", metavar="USER", help="Of this user only.")
_agent = click.option("--agent", "agent_id", metavar="AGENT", help="With --user: this agent's memory only.")
_overwrite = click.option("--overwrite", is_flag=True, help="Replace a file that is there.")


@command("export")
@click.argument("destination")
@_user
@_agent
@_every
@_overwrite
@click.pass_context
def export(
    context: click.Context, /, destination: str, user_id: str | None, agent_id: str | None, every: bool, overwrite: bool
) -> None:  # fmt: skip
    """Write memories as lines of JSON. To a file, packed where its name ends in .gz, or to standard output (-).

    Logs with ids, revisions and times, what waits, and idempotency keys, with a checksum for each memory. A key in
    $TENSEMEM_SIGN_KEY makes checksums that only who has it can make. Where nothing is known of USER, the file is empty
    and the exit code is 1.
    """
    session = context.ensure_object(Session)
    with recorded(session, "export", user_id=user_id), session.reading() as mem:
        mem.on(Progress(session, "exported", "exporting"))
        report = mem.export(
            destination, user_id=user_id, agent_id=agent_id, every_namespace=every, overwrite=overwrite,
            sign_key=os.environ.get(SIGN_KEY) or None,
        )  # fmt: skip
    _end_of_progress()
    if destination == STANDARD:  # which has the lines
        session.note(next(_exported(report)))
    else:
        session.show(report, _exported(report))
    if user_id is not None and not report.scopes:
        session.note(f"nothing is known of {safe(user_id)}")
        context.exit(NO)


def _exported(report: ExportReport) -> Iterator[str]:
    yield (
        f"exported {counted(report.entries, 'entry')} of {counted(report.scopes, 'scope')} to "
        f"{safe(report.destination)} in {report.seconds:.3f} s"
    )
    yield f"  checksum {report.checksum}{' (signed)' if report.signed else ''}"


@command("import")
@click.argument("source")
@click.option("--format", "form", type=click.Choice(("tensemem", "jsonl", "mem0")), default="tensemem",
              show_default=True, help="What wrote the file.")  # fmt: skip
@click.option("--take", type=click.Choice(("messages", "rows", "both")), help="Of another system's file.")
@click.option("--role", default="user", show_default=True, help="Who speaks, where such a file does not say.")
@click.option("--label", metavar="SOURCE", help="The source of what is taken; the format, if left out.")
@click.option("--predicate", default="note", show_default=True, help="What a text becomes a value of, taken as a row.")
@_user
@_agent
@_every
@click.pass_context
def import_(
    context: click.Context, /, *, source: str, form: Any, take: Any, role: str, label: str | None, predicate: str,
    user_id: str | None, agent_id: str | None, every: bool,
) -> None:  # fmt: skip
    """Read an export, or another system's file. From a file, or from standard input (-).

    Imported again, it changes nothing; broken off, it goes on. A memory that is damaged in the file, or another one
    here, is left out, and the command exits with 3 when the others are there. $TENSEMEM_SIGN_KEY holds the key of a
    signed export. With --format jsonl or mem0, standard error says line by line what was not understood; where that is
    all there is, the exit code is 1.
    """
    session = context.ensure_object(Session)
    with recorded(session, "import", user_id=user_id), session.writing(makes_file=True) as mem:
        mem.on(Progress(session, "imported", "importing"))
        report = mem.import_(
            source, format=form, take=take, role=role, label=label, predicate=predicate, user_id=user_id,
            agent_id=agent_id, every_namespace=every, sign_key=os.environ.get(SIGN_KEY) or None,
        )  # fmt: skip
    _end_of_progress()
    session.show(report, _imported(report))
    for one in report.not_understood[:SHOWN]:
        session.note(f"line {one.line}: {safe(one.why)}" if one.line else safe(one.why))
    if len(report.not_understood) > SHOWN:
        session.note(f"and {len(report.not_understood) - SHOWN} more; --json tells all")
    if report.not_understood and not report.entries + report.duplicates:
        context.exit(NO)


def _imported(report: ImportReport) -> Iterator[str]:
    yield (
        f"imported {counted(report.entries, 'entry')} of {counted(report.imported, 'scope')} to "
        f"{safe(report.destination)} in {report.seconds:.3f} s"
    )
    if report.duplicates:
        yield f"  {counted(report.duplicates, 'record')} had come before"
    if report.left_out:
        yield f"  {report.left_out} that were not asked for were left out"
    yield from _not_new(report)


def _not_new(report: ImportReport | RestoreReport) -> Iterator[str]:
    """Say of how many scopes nothing was added, and why."""
    if report.unchanged:
        yield f"  {counted(report.unchanged, 'scope')} had all of it already"
    if report.ahead:
        yield f"  {counted(report.ahead, 'scope')} had it, and more that was written here since"
    if report.forgotten:
        yield f"  {counted(report.forgotten, 'scope')} stayed forgotten"


@command("backup")
@click.argument("destination")
@_overwrite
@click.option("--no-verify", is_flag=True, help="Look through the file, but do not fold every log again.")
@pass_session
def backup(session: Session, /, destination: str, overwrite: bool, no_verify: bool) -> None:
    """Write the whole memory to one file, while others write. It has its name once it is whole and was looked through.

    The file has the key of the memory ($TENSEMEM_KEY), also where that is on a server.
    """
    with recorded(session, "backup"), session.reading() as mem:
        mem.on(Progress(session, "verified", "copying"))
        report = mem.backup(destination, key=backup_key(session.db), overwrite=overwrite, verify=not no_verify)
    _end_of_progress()
    session.show(report, _backed_up(report))


def _backed_up(report: BackupReport) -> Iterator[str]:
    yield (
        f"backed up {counted(report.entries, 'entry')} of {counted(report.scopes, 'scope')} to "
        f"{safe(report.destination)} ({counted(report.size, 'byte')}) in {report.seconds:.3f} s"
    )
    for user in report.different:
        yield f"  {safe(user)}: the facts differ from the log; 'tensemem rebuild' puts them right"


@command("restore")
@click.argument("backup_file", metavar="BACKUP")
@click.argument("destination")
@click.option("--force", is_flag=True, help="Replace the memory that is there.")
@pass_session
def restore(session: Session, /, backup_file: str, destination: str, force: bool) -> None:
    """Put a backup where a memory is to be. A file, or the URL of an empty database; --db is not asked.

    $TENSEMEM_KEY holds the key of a backup that is encrypted. The backup is looked through before anything is
    replaced, and nobody may have the memory open.
    """
    on = Progress(session, "rebuilt", "copying")
    with recorded(session, "restore", db=destination):
        report = Memory.restore(backup_file, destination, force=force, on=on, **keys_of(backup_file))
    _end_of_progress()
    session.show(report, _restored(report))


def _restored(report: RestoreReport) -> Iterator[str]:
    yield (
        f"restored {counted(report.entries, 'entry')} of {counted(report.scopes, 'scope')} to "
        f"{safe(report.destination)} in {report.seconds:.3f} s"
    )
    for user in report.rebuilt:
        yield f"  {safe(user)}: the facts differed from the log, and were folded again"
    yield from _not_new(report)


def _end_of_progress() -> None:
    if is_terminal(sys.stderr):
        write("\r\x1b[K", err=True)
