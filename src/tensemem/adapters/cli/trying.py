"""The command that shows people what a memory makes of chats they already have: try."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from tensemem import errors

from . import tracing
from .exits import EXTRACTOR_FAILED
from .llms import KEEP_ONLY, Llm
from .options import command
from .session import BETWEEN, Session
from .text import is_terminal, write

PAGE = "tensemem-try.html"
"""Where the page goes if nobody says so."""


@command("try")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--llm", type=Llm(), default="offline", show_default=True,
              help="Who extracts: offline, provider:model, cassette:FILE, or module:attribute.")  # fmt: skip
@click.option("--from-mem0", "old", metavar="FILE", help="What another store believes: JSON of mem0's get_all().")
@click.option("--user", metavar="USER", help="Whose chats these are; of several users or speakers, this one.")
@click.option("--schema", "schemas", multiple=True, metavar="NAME|FILE",
              help="What may be remembered: personal, project (by default both), a TOML file; repeatable.")  # fmt: skip
@click.option("--cassette", type=click.Path(dir_okay=False), metavar="FILE",
              help="Record the extractor's answers, for --llm cassette:FILE.")  # fmt: skip
@click.option("--html", "html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help=f"Where the page goes; {PAGE} by default, with --json only where named.")  # fmt: skip
@click.option("--no-html", is_flag=True, help="Write no page.")
@click.option("--keep", type=click.Path(dir_okay=False), metavar="FILE", help="Keep the memory in this new file.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many messages.")
@click.pass_context
def attempt(context: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """See what a memory makes of chats you already have. Your memory is not opened, your files are only read.

    FILE is a chat log as JSON or JSON Lines, an export, a transcript or plain text; - is standard input. What is found
    is told here, and drawn in one HTML page that stands alone.
    """
    session = context.ensure_object(Session)
    extractor = given["llm"]
    if extractor is KEEP_ONLY:
        raise click.UsageError("--llm false learns nothing, so there would be nothing to see")
    if not files and given["old"] is None:
        raise click.UsageError("name a file with chats, - for standard input, or a dump with --from-mem0")
    if given["html"] is not None and given["no_html"]:
        raise click.UsageError("give either --html or --no-html")
    target = _target(session, given)
    if given["cassette"] is not None:
        from tensemem.extract.cassette import RecordingExtractor

        extractor = RecordingExtractor(extractor, given["cassette"])
    from tensemem import trial  # with its parts: of all commands only this one needs them

    from .findings import findings_lines

    options = trial.Options(
        schemas=given["schemas"] or tuple(trial.VOCABULARIES), user=given["user"], limit=given["limit"],
        keep=given["keep"], zone=session.tz, clock=tracing.now,
    )  # fmt: skip
    with _progress() as progress:
        found = trial.run(files, extractor, options, old=given["old"], progress=progress)
    if target is not None:
        target.write_text(trial.page(found), encoding="utf-8", newline="\n")
    page = {} if target is None else {"page": str(target)}
    session.show(found, findings_lines(found, session.look, session.zone, target), **page)
    if found.stopped:
        session.note(f"reading ended early: {found.stopped}")
        context.exit(EXTRACTOR_FAILED)


def _target(session: Session, given: dict[str, Any]) -> Path | None:
    """Give where the page goes, and refuse before any work what would destroy something else."""
    named: Path | None = given["html"]
    if given["no_html"] or (named is None and session.as_json):
        return None
    target = named or Path(PAGE)
    if target.exists() and not _is_page(target):
        raise errors.StoreError(f"{target} exists and is no page of this command; --html names another file")
    return target


def _is_page(path: Path) -> bool:
    with path.open("rb") as file:
        begin = file.read(2000)
    return not begin.strip() or b"What tensemem makes of your chats" in begin


def _uncounted(_word: str, _done: int, _total: int) -> None:
    """Nobody looks."""


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """Count on standard error where a person looks at it."""
    if not is_terminal(sys.stderr):
        yield _uncounted
        return
    shown_at, longest = float("-inf"), 0

    def count(word: str, done: int, total: int) -> None:
        nonlocal shown_at, longest
        if time.monotonic() - shown_at >= BETWEEN:
            shown_at = time.monotonic()
            text = f"{word} {done}" + (f" of {total}" if total else "")
            write("\r" + text.ljust(longest), err=True)
            longest = max(longest, len(text))

    try:
        yield count
    finally:
        write("\r" + " " * longest + "\r", err=True)


