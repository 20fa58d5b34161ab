"""The commands that ask and settle: questions, answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from tensemem import Question
from tensemem.wire import document

from . import options
from .cutting import tell_more
from .options import command
from .session import Session, pass_session
from .text import short
from .views import write_lines

LONGEST_TEXT = 300
"""Columns a question may take."""


@command("questions")
@options.user
@options.limit
@options.agent
@pass_session
def questions(session: Session, /, user: str, **given: Any) -> None:
    """Show what is worth asking. What waits, is in doubt, fell due or has grown old; answer it with 'answer'."""
    with session.reading() as mem:
        found = mem.questions(user, **given)
    session.show({"questions": found, "freshness": found.freshness}, _lines(found, session))
    tell_more(session, "questions", found, given["limit"])
    session.tell_freshness(found.freshness)


def _lines(found: Sequence[Question], session: Session) -> Iterator[str]:
    look = session.look
    for question in found:
        kind = look.painted(question.kind.replace("_", " "), "yellow")
        yield f"{look.painted(short(question.text, look, LONGEST_TEXT), 'bold')}  {kind}"
        values = ", ".join(short(document(option), look) for option in question.options)
        yield f"  {look.painted(question.id, 'dim')}  yes or no{f', or one of: {values}' if values else ''}"
    if not found:
        yield "nothing to ask"


@command("answer", epilog="Put -- before an answer that begins with -.")
@click.argument("question_id", metavar="ID")
@click.argument("answer", metavar="ANSWER")
@options.type_json
@options.of_one
@options.receipt_options
@pass_session
def answer(session: Session, /, question_id: str, answer: str, type_json: bool, **given: Any) -> None:
    """Settle a question. ANSWER is yes, no, or the value that holds; ID is printed by 'questions'."""
    with session.writing() as mem:
        result = mem.answer(question_id, options.value_in(answer, type_json), **given)
        session.show(result, write_lines(result, session.look, session.zone))
