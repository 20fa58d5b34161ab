"""Writing a history as a page: into a new file, over an old one only where told to, or to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from tensemem import History, errors
from tensemem.engine.outlets import new_file

from .options import together
from .session import Session
from .text import counted

STANDARD_OUTPUT = "-"

page_options: Callable[[Any], Any] = together(
    click.option(
        "--html", "html", type=click.Path(dir_okay=False, allow_dash=True), metavar="FILE",
        help="Write it as a page that stands alone, with every subject's unless one is named; - for standard output.",
    ),
    click.option("--force", is_flag=True, help="With --html: replace the file that is there."),
)  # fmt: skip


def check_page(session: Session, html: str | None, *, force: bool) -> None:
    """Refuse before any work what does not go together, and what would destroy a file."""
    if html is None:
        if force:
            raise click.UsageError("--force goes with --html")
        return
    if html == STANDARD_OUTPUT and session.as_json:
        raise click.UsageError("--html - and --json both want standard output; give --html a file")
    if html != STANDARD_OUTPUT and not force and Path(html).exists():
        raise errors.StoreError(f"{html} exists; --force replaces it")


def show_page(
    session: Session, found: History, html: str, *, asked: Mapping[str, Any], now: datetime, force: bool
) -> None:
    """Write a history's page, and say where it is; ``asked`` is what the history was asked for with."""
    from tensemem.drawing import page  # of all commands only this one draws

    text = page(found, now=now, zone=session.zone, predicate=asked.get("predicate"), note=_note(asked)).encode("utf-8")
    if html == STANDARD_OUTPUT:
        sys.stdout.buffer.write(text)  # a page is UTF-8, whatever a terminal takes
        sys.stdout.buffer.flush()
        return
    path = os.path.abspath(html)
    if not force and os.path.lexists(path):
        raise errors.StoreError(f"{html} exists; --force replaces it")
    with new_file(path, overwrite=force, beside="" if session.is_served else session.db) as file:
        file.write(text)
    session.show(found, [f"{html}: {counted(len(found.facts), 'fact')}"], page=html)


def _note(asked: Mapping[str, Any]) -> str:
    """Say what a history leaves out, since its page is read by somebody who did not ask."""
    parts = []
    if asked.get("subject") not in (None, "user"):
        parts.append(f"of {asked['subject']} only")
    if asked.get("agent_id"):
        parts.append(f"in the memory of agent {asked['agent_id']}")
    if asked.get("between"):
        parts.append("what held between {} and {}".format(*asked["between"]))
    known_at = asked.get("known_at")
    if known_at is not None:
        parts.append(f"as known at {'revision ' if isinstance(known_at, int) else ''}{known_at}")
    if asked.get("after"):
        parts.append(f"only what follows {asked['after']}")
    return "; ".join(parts)
