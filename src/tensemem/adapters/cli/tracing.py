"""The commands that tell how things came about: history, explain, changes, decisions, messages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import click
from click.core import ParameterSource

from tensemem import Explanation

from . import options
from .cutting import cursor_of, tell_more
from .exits import NO
from .options import MOMENT, command
from .pages import check_page, page_options, show_page
from .session import Session, pass_session
from .text import Cell, short, table
from .timeline import history_lines
from .views import change_lines, decision_lines, fact_line


def now() -> datetime:
    """The present, which is as far as the bars of open facts reach."""
    return datetime.now(UTC)


@command("history")
@options.user
@options.optional_predicate
@options.subject
@click.option("--between", nargs=2, metavar=f"{MOMENT} {MOMENT}", help="What held between these, the earlier first.")
@options.known_at
@options.limit
@click.option("--after", metavar="ID", help="Go on behind this fact.")
@options.agent
@options.require_current
@page_options
@click.pass_context
def history(
    context: click.Context, /, user: str, predicate: str | None, require_current: bool, html: str | None, force: bool,
    **given: Any,
) -> None:  # fmt: skip
    """Show every fact on a timeline. What held from when until when, what was corrected, what is to come."""
    session = context.ensure_object(Session)
    check_page(session, html, force=force)
    if html is not None and context.get_parameter_source("subject") is ParameterSource.DEFAULT:
        given["subject"] = None
    with session.reading() as mem:
        found = mem.history(user, predicate, **given)
    if session.is_withheld(found.freshness, require_current):
        context.exit(NO)
    if html is None:
        session.show(found, history_lines(found, session.look, session.zone, now()))
    else:
        show_page(session, found, html, asked={**given, "predicate": predicate}, now=now(), force=force)
    tell_more(session, "history", found, given["limit"])
    session.tell_freshness(found.freshness)


@command("explain")
@options.fact_id
@options.of_one
@pass_session
def explain(session: Session, /, fact_id: str, **given: Any) -> None:
    """Answer why a fact is shown, or not. The words, who said them, what was decided, displaced, corrected."""
    with session.reading() as mem:
        found = mem.explain(fact_id, **given)
    session.show(found, _explanation_lines(found, session))
    if found.freshness is not None:
        session.tell_freshness(found.freshness)


def _explanation_lines(found: Explanation, session: Session) -> Iterator[str]:
    look, zone = session.look, session.zone
    yield look.painted(fact_line(found.fact, look, zone), "bold")
    rows = []
    for step in found.steps:
        said = f"{step.said_at.astimezone(zone):%Y-%m-%d %H:%M}"
        text = short(step.text, look, 100)
        quote = "" if step.quote in ("", step.text) else short(step.quote, look)
        reason = short(step.reason, look, 100)
        kind = Cell(short(step.kind, look), "green")
        rows.append((str(step.rev), said, kind, short(step.role, look), text, quote, reason))
    yield from table(("rev", "said", "step", "by", "what", "quote", "reason"), rows, look)
    for title, facts in (("displaced", found.displaced), ("displaced by", found.displaced_by)):
        for fact in facts:
            yield f"{title}: {fact_line(fact, look, zone)}"
    if found.decisions:
        yield "decisions"
        yield from decision_lines(found.decisions, look)


@command("changes")
@options.user
@click.argument("after_rev", metavar="[AFTER_REV]", type=click.IntRange(min=0), default=0)
@options.limit
@options.wait
@options.agent
@pass_session
def changes(session: Session, /, user: str, after_rev: int, **given: Any) -> None:
    """Show what changed after a revision. In order, with the entry that did it, and why."""
    with session.reading() as mem:
        found = mem.changes(user, after_rev, **given)
    lines = change_lines(found, session.look, session.zone, with_rev=True)
    document = {"changes": found, "next": cursor_of("changes", found, given["limit"]), "freshness": found.freshness}
    session.show(document, lines or [f"nothing changed after revision {after_rev}"])
    tell_more(session, "changes", found, given["limit"])
    session.tell_freshness(found.freshness)


@command("decisions")
@options.user
@click.argument("seq", type=click.IntRange(min=1))
@options.agent
@pass_session
def decisions(session: Session, /, user: str, seq: int, agent_id: str) -> None:
    """Show what became of an episode's operations. Each with its reason."""
    with session.reading() as mem:
        found = mem.decisions(user, seq, agent_id=agent_id)
    lines = decision_lines(found, session.look) or [f"nothing was decided about seq {seq}"]
    session.show({"decisions": found, "freshness": found.freshness}, lines)
    session.tell_freshness(found.freshness)


@command("messages")
@options.user
@click.option("--session", "session_id", metavar="ID", help="Of one conversation only.")
@click.option("--after", type=click.IntRange(min=0), default=0, metavar="SEQ", help="Go on behind this message.")
@click.option("--before", type=click.IntRange(min=1), metavar="SEQ", help="Those before this message.")
@options.limit
@options.agent
@pass_session
def messages(session: Session, /, user: str, **given: Any) -> None:
    """Show what was said. In order, with who said it; with --limit the newest of it."""
    with session.reading() as mem:
        found = mem.messages(user, **given)
    look, zone = session.look, session.zone
    rows = [
        (str(one.seq), f"{one.said_at.astimezone(zone):%Y-%m-%d %H:%M}", short(one.speaker or one.role, look),
         Cell(short(one.content, look, 100), "dim" if one.corrected else ""),
         one.gone or ("corrected" if one.corrected else ""))
        for one in found
    ]  # fmt: skip
    lines = list(table(("seq", "said", "by", "what", ""), rows, look)) if rows else ["nothing was said here"]
    document = {"messages": found, "next": cursor_of("messages", found, given["limit"]), "freshness": found.freshness}
    session.show(document, lines)
    tell_more(session, "messages", found, given["limit"])
    session.tell_freshness(found.freshness)
