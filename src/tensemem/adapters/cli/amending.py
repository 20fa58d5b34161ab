"""The commands that take back: correct, reinstate, review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from tensemem import WriteResult

from . import options
from .options import MOMENT, command
from .session import Session, pass_session
from .views import write_lines

dry_run = click.option("--dry-run", is_flag=True, help="Tell what would change, and write nothing.")


@command("correct", epilog="Put -- before a value that begins with -.")
@options.fact_id
@click.argument("value", required=False)
@options.type_json
@click.option("--valid-from", metavar=MOMENT, help="When the fact, or the value given, really began to hold.")
@click.option("--valid-to", metavar=MOMENT, help="When it really ended.")
@click.option("--reason", metavar="TEXT", help="Why, for explain and changes.")
@options.of_one
@options.expected_rev
@options.receipt_options
@dry_run
@pass_session
def correct(session: Session, /, fact_id: str, value: str | None, type_json: bool, **given: Any) -> None:
    """Say that a fact was never true.

    With VALUE, say what was true instead. What the fact had displaced shows again, and nothing brings it back. ID is
    any id printed by state, history or explain; retractions and other statements have ids too.
    """
    with session.writing() as mem:
        _show(session, mem.correct(fact_id, options.value_in(value, type_json), **given), given)


@command("reinstate")
@options.fact_id
@options.of_one
@options.expected_rev
@options.receipt_options
@dry_run
@pass_session
def reinstate(session: Session, /, fact_id: str, **given: Any) -> None:
    """Take a correction back. The value that was stated instead goes with it."""
    with session.writing() as mem:
        _show(session, mem.reinstate(fact_id, **given), given)


@command("review")
@options.fact_id
@click.option("--accept/--reject", default=True, show_default=True, help="What to do with what waits.")
@options.of_one
@options.expected_rev
@options.receipt_options
@dry_run
@pass_session
def review(session: Session, /, fact_id: str, accept: bool, **given: Any) -> None:
    """Accept or reject a candidate or a plan."""
    with session.writing() as mem:
        _show(session, mem.review(fact_id, accept, **given), given)


def _show(session: Session, result: WriteResult, given: Mapping[str, Any]) -> None:
    is_dry = given["dry_run"]
    lines = write_lines(result, session.look, session.zone, is_dry=is_dry)
    session.show(result, lines, dry_run=is_dry)
