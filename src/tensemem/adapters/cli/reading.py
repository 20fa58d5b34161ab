"""The commands that read what holds: state, get, context, search."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click

from tensemem import SearchHit
from tensemem.wire import document
from tensemem.wire.forms import form_of

from . import options
from .cutting import cursor_of, tell_more
from .exits import NO
from .options import command
from .session import Session
from .text import safe, short
from .views import fact_line, state_lines

layers = click.option("--layer", "layers", multiple=True, metavar="AGENT", help="Read through these agents' memories.")


@command("state")
@options.user
@click.option("--predicate", "predicates", multiple=True, metavar="NAME", help="This predicate only; may be repeated.")
@click.option("--subject", metavar="SUBJECT", help="This subject only.")
@options.at
@options.known_at
@layers
@options.agent
@options.min_seq
@options.wait
@options.require_current
@click.pass_context
def state(context: click.Context, /, user: str, require_current: bool, **given: Any) -> None:
    """Show what holds now. Or what held at a moment; with what is planned, and what waits for review."""
    session = context.ensure_object(Session)
    asked = given | {"predicates": list(given["predicates"]) or None, "layers": list(given["layers"]) or None}
    with session.reading() as mem:
        found = mem.state(user, **asked)
        if session.is_withheld(found.freshness, require_current):
            context.exit(NO)
        session.show(found, state_lines(found, session.look, session.zone))
    session.tell_freshness(found.freshness, known_at=given["known_at"])


@command("get")
@options.user
@options.predicate
@click.option("--default", metavar="VALUE", help="What to print where nothing is held.")
@options.subject
@options.at
@options.known_at
@options.agent
@options.require_current
@click.pass_context
def get(context: click.Context, /, user: str, predicate: str, require_current: bool, **given: Any) -> None:
    """Print one value. Several are printed a line each; exits with 1 where there is none."""
    session = context.ensure_object(Session)
    default = given.pop("default")
    with session.reading() as mem:
        # Taken first: the value then holds at least what the freshness vouches for.
        fresh = session.freshness(mem, user, given["agent_id"], known_at=given["known_at"])
        value = mem.get(user, predicate, **given)
    if session.is_withheld(fresh, require_current):
        context.exit(NO)
    is_found = value is not None
    shown = value if is_found else default
    values = shown if isinstance(shown, tuple) else () if shown is None else (shown,)
    found = {
        "user_id": user, "predicate": predicate, "found": is_found, "value": shown, "value_type": form_of(shown),
        "freshness": fresh,
    }  # fmt: skip
    session.show(found, (safe(_plain(one)) for one in values))
    session.tell_freshness(fresh, known_at=given["known_at"])
    if shown is None:
        context.exit(NO)


def _plain(value: object) -> str:
    """Give a value as it would be typed again."""
    if isinstance(value, (dict, list, bool)):
        return json.dumps(value, ensure_ascii=False)
    return str(document(value))


@command("context")
@options.user
@click.argument("query", required=False)
@click.option("--max-tokens", type=click.IntRange(min=0), help="The budget of the whole text.")
@click.option(
    "--format", type=click.Choice(["markdown", "xml", "json"]), default="markdown", show_default=True,
    help="How the text is written.",
)  # fmt: skip
@click.option("--include-history", is_flag=True, help="Tell what held earlier, too.")
@layers
@options.at
@options.known_at
@options.agent
@options.min_seq
@options.wait
@options.require_current
@click.pass_context
def context(context: click.Context, /, user: str, query: str | None, require_current: bool, **given: Any) -> None:
    """Print what is known as text for a prompt. Fenced, within a budget; what answers QUERY comes first."""
    session = context.ensure_object(Session)
    given["layers"] = list(given["layers"]) or None
    with session.reading() as mem:
        found = mem.context(user, query, **given)
    if session.is_withheld(found.freshness, require_current):
        context.exit(NO)
    session.show(found, [found.text] if found.text else [])
    if found.omitted:
        session.note(f"{found.omitted} left out for the budget of {given['max_tokens']} tokens")
    session.tell_freshness(found.freshness, known_at=given["known_at"])


@command("search")
@options.user
@click.argument("query")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="At most so many.")
@click.option("--after", metavar="ID|SEQ", help="Go on behind this hit.")
@click.option("--current-only", is_flag=True, help="Of facts, those that hold now only.")
@options.agent
@options.require_current
@click.pass_context
def search(context: click.Context, /, user: str, query: str, require_current: bool, **given: Any) -> None:
    """Find facts and messages by their words. Exits with 1 where there are none."""
    session = context.ensure_object(Session)
    include_history = not given.pop("current_only")
    with session.reading() as mem:
        hits = mem.search(user, query, include_history=include_history, **given)
    if session.is_withheld(hits.freshness, require_current):
        context.exit(NO)
    shown = {"hits": hits, "next": cursor_of("search", hits, given["limit"]), "freshness": hits.freshness}
    session.show(shown, _hit_lines(hits, session))
    tell_more(session, "search", hits, given["limit"])
    session.tell_freshness(hits.freshness)
    if not hits:
        context.exit(NO)


def _hit_lines(hits: Sequence[SearchHit], session: Session) -> Iterator[str]:
    if not hits:
        yield "nothing found"
    for hit in hits:
        yield _hit_line(hit, session)


def _hit_line(hit: SearchHit, session: Session) -> str:
    look = session.look
    if hit.fact is not None:
        return fact_line(hit.fact, look, session.zone)
    mark = " [a fact from it was corrected]" if hit.corrected else ""
    said = "" if hit.said_at is None else f"{hit.said_at.astimezone(session.zone):%Y-%m-%d} "
    return f'{said}{hit.role or "message"} said "{short(hit.text, look, 100)}"{mark}  seq {hit.seq}'
