"""The commands about where a memory lies: copy, migrate, schema."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Any

import click

from tensemem import CopyReport, Memory
from tensemem.engine.definitions import ENGINES, grants_of, tables_of
from tensemem.engine.upgrading import upgrade
from tensemem.engine.wiring import is_postgres, resolve_path

from .._keys import NEW_KEY, NEW_SHRED, keys_of
from .acts import recorded
from .options import command
from .session import BETWEEN, Session, pass_session
from .text import counted, is_terminal, safe, write

EVERY = 10.0
"""Seconds between two lines of progress where no person looks on."""


@command("copy")
@click.argument("source")
@click.argument("destination")
@click.option("--only", "namespaces", multiple=True, metavar="NAMESPACE", help="This namespace; again for more.")
@click.option("--users", "prefix", metavar="PREFIX", help="Users whose id starts so.")
@pass_session
def copy(session: Session, /, source: str, destination: str, namespaces: tuple[str, ...], prefix: str | None) -> None:
    """Copy whole memories from one place to another. Each is a file or a URL; --db is not asked.

    $TENSEMEM_KEY holds the key of a source that is encrypted, $TENSEMEM_NEW_KEY that of such a destination. Where
    each person has a key, $TENSEMEM_SHRED says so of the source, $TENSEMEM_NEW_SHRED of the destination. Ids,
    revisions, times, what waits and what was retried under a key are the same there. Run it again to fetch what
    was written since, or to go on where it was broken off. A memory that differs at the destination is left as it is,
    and the command exits with 3.
    """
    options: dict[str, Any] = {"namespace": session.tenant, "tz": session.tz, **keys_of(source)}
    with (
        recorded(session, "copy", db=source), Memory(source, read_only=True, **options) as mem,
        _opened(destination) as target,
    ):  # fmt: skip
        mem.on(Progress(session))
        report = mem.copy_to(target, namespaces=list(namespaces) or None, prefix=prefix)
    if is_terminal(sys.stderr):
        write("\r\x1b[K", err=True)
    session.show(report, _lines(report))


@contextmanager
def _opened(destination: str) -> Iterator[str | Memory]:
    """Give a destination that has a key open, and any other by its name."""
    keys = keys_of(destination, NEW_KEY, NEW_SHRED)
    if not any(keys.values()):
        yield destination
    else:
        with Memory(destination, llm=False, worker=False, **keys) as memory:
            yield memory


class Progress:
    """Tells on standard error how far such work is: a counter for a person, else a line now and then.

    ``done`` is the event that says that a scope is done, and ``part`` the one that a part of a large one is.
    """

    def __init__(self, session: Session, done: str = "copied", part: str = "copying") -> None:
        self._session, self._done, self._part = session, done, part
        self._is_person = is_terminal(sys.stderr)
        self._shown_at = monotonic()
        self._scopes = self._entries = 0

    def __call__(self, event: str, fields: Mapping[str, Any]) -> None:
        """Count what the memory says it did."""
        part = ""
        if event == self._done:
            self._scopes += 1
            self._entries += fields["entries"]
        elif event == self._part:
            part = f", {safe(fields['scope'].user_id)} up to revision {fields['rev']} of {fields['of']}"
        now = monotonic()
        if now - self._shown_at >= (BETWEEN if self._is_person else EVERY):
            self._shown_at = now
            self._tell(f"{self._done} {counted(self._scopes, 'scope')}, {counted(self._entries, 'entry')}{part}")

    def _tell(self, text: str) -> None:
        if self._is_person:
            write(f"\r{text}\x1b[K", err=True)
        else:
            self._session.note(text)


def _lines(report: CopyReport) -> Iterator[str]:
    yield (
        f"copied {counted(report.entries, 'entry')} of {counted(report.copied, 'scope')} "
        f"to {safe(report.destination)} in {report.seconds:.3f} s"
    )
    if report.unchanged:
        yield f"  {counted(report.unchanged, 'scope')} had all of it already"
    if report.ahead:
        yield f"  {counted(report.ahead, 'scope')} had it, and more that was written there since"


_DUMP = "before a database on a server is migrated, make a dump of your own, as with pg_dump"


@command("migrate")
@click.option("--dry-run", is_flag=True, help="Tell what would be done, and change nothing.")
@click.option("--no-backup", is_flag=True, help="Keep no copy of the file as it was before.")
@pass_session
def migrate(session: Session, /, dry_run: bool, no_backup: bool) -> None:
    """Bring a database up to this version's tables.

    A newer one is refused, with exit code 3. Opening a file for writing does this by itself, and like this keeps a copy
    of it beside it first. A PostgreSQL database is migrated by whoever owns its tables, who makes a dump of it before.
    """
    session.must_be_here("migrate")
    session.must_exist()
    is_server = is_postgres(resolve_path(session.db))
    if is_server and no_backup:
        raise click.UsageError("--no-backup is about files; of a database on a server no copy is made anyway")
    found = upgrade(session.db, dry_run=dry_run, key=keys_of(session.db).get("key"), backup=not no_backup)
    if is_server and found.steps and found.found:
        session.note(_DUMP if dry_run else f"no copy was made. {_DUMP}")
    lines = [f"{safe(found.location)}: schema version {found.found} of {found.known}"]
    if found.backup is not None:
        lines.append(f"  kept as it was in {safe(found.backup)}")
    lines += [f"  {'step' if dry_run else 'ran step'} {version}: {title}" for version, title in found.steps]
    session.show(found, lines if found.steps else [f"{lines[0]}, nothing to do"])


@command("schema")
@click.option("--grants", "role", metavar="ROLE", help="What lets a role at one namespace: --namespace, and no other.")
@click.option("--service", is_flag=True, help="With --grants: at every namespace.")
@click.option("--server", is_flag=True, help="With --grants: at the keys to a served memory too.")
@click.option("--distributed", "engine", type=click.Choice(ENGINES), help="For a database of several machines.")
@pass_session
def schema(session: Session, /, role: str | None, service: bool, server: bool, engine: str | None) -> None:
    """Print the SQL of a PostgreSQL database.

    Its tables, or what a role needs to use them. No server is asked and nothing is changed. --db with a URL names the
    SQL schema, where it is another one.
    """
    session.must_be_here("schema")
    if role is not None and engine is not None:
        raise click.UsageError("--grants and --distributed are two things; ask for one at a time")
    if (service or server) and role is None:
        raise click.UsageError(f"--{'service' if service else 'server'} says what --grants is to give")
    namespace = None if service else session.namespace
    text = tables_of(session.db, engine) if role is None else grants_of(session.db, role, namespace, keys=server)
    session.show({"sql": text}, text.splitlines())
