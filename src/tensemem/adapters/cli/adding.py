"""The commands that say things: add, and preview, which tells what would come of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from tensemem import Change, Decision, Freshness, Memory, Message, Operation, StateDiff, errors

from . import options
from .feeding import Feed, Tally, standard_input
from .llms import KEEP_ONLY, llm
from .options import Json, command, json_in
from .session import Session, pass_session
from .text import counted
from .views import change_lines, decision_lines, difference_lines, receipt_line, redaction_lines

ROLES = ("user", "assistant", "system", "tool")
BATCH = 200
"""Lines written in one transaction."""

text = click.argument("text", nargs=-1)
role = click.option("--role", type=click.Choice(ROLES), default="user", show_default=True, help="Who says it.")
speaker = click.option("--speaker", metavar="NAME", help="Who speaks, where it is not the user.")
session_id = click.option("--session", "session_id", metavar="NAME", help="The conversation it belongs to.")


@command("add")
@options.user
@text
@click.option("--lines", "form", flag_value="lines", help="Take each line of standard input as a message.")
@click.option("--jsonl", "form", flag_value="jsonl", help="Take JSON Lines: content, role, said_at, session_id, ...")
@role
@speaker
@session_id
@llm
@options.timeout
@click.option("--wait", type=click.FloatRange(min=0), metavar="SECONDS", help="Wait for a worker elsewhere.")
@options.agent
@options.receipt_options
@pass_session
def add(session: Session, /, user: str, text: tuple[str, ...], form: str | None, **given: Any) -> None:
    """Log a message and learn from it.

    The words of TEXT are joined by blanks; - reads standard input. Without --llm the messages wait for a worker.
    """
    extractor, timeout, wait, agent_id = given.pop("llm"), given.pop("timeout"), given.pop("wait"), given["agent_id"]
    if form is not None and text not in ((), ("-",)):
        raise click.UsageError(f"--{form} reads standard input: tensemem add {user} --{form} - < FILE")
    if form is not None and given["idempotency_key"] is not None:
        raise click.UsageError("one --idempotency-key is not for several messages; JSON Lines may have one each")
    if extractor is not None and wait is not None:
        raise click.UsageError("--wait is for a worker elsewhere; with --llm there is --timeout")
    words = None if form is not None else _words(text)
    with session.writing(llm=extractor) as mem:
        if words is not None:
            receipt = mem.add(user, words, wait=wait, **given)
            seqs, rev = set(receipt.seqs), receipt.rev
            document: Any = receipt
            lines = [receipt_line(receipt), *redaction_lines(receipt.redactions)]
        else:
            tally = _feed(session, mem, user, str(form), given)
            mem.state(user, agent_id=agent_id, predicates=[], subject="user", wait=wait)
            seqs, rev, document, lines = None, tally.first_rev, tally.document(), tally.lines()
        failure = _learn(mem, extractor, user, agent_id, timeout)
        came = Came.of(mem, user, agent_id, seqs, rev, extractor not in (None, KEEP_ONLY))
    if extractor is KEEP_ONLY:
        lines.append("kept; nothing is learnt from it")
    session.show(document, [*lines, *came.lines(session)], **came.fields())
    session.tell_freshness(came.freshness)
    if failure is not None:
        raise failure


def _words(text: tuple[str, ...]) -> str:
    if not text:
        raise click.UsageError("give the text, or - for standard input")
    return standard_input().decoded() if text == ("-",) else " ".join(text)


def _feed(session: Session, mem: Memory, user: str, form: str, given: Mapping[str, Any]) -> Tally:
    """Log the lines of standard input, batch by batch, counting them where a person waits."""
    feed = Feed(user, form, {name: value for name, value in given.items() if name != "idempotency_key"})
    tally = Tally()
    with session.progress(mem, "added", "added"):
        try:
            for receipt in mem.add_many(feed.messages(), batch=BATCH):
                tally.count(receipt)
        except errors.TensememError as error:
            session.note(f"{counted(tally.messages, 'message')} kept, up to line {feed.line_of(tally.messages)}")
            raise error
    if feed.fault is not None:
        session.note(f"{counted(tally.messages, 'message')} kept")
        raise click.UsageError(feed.fault)
    return tally


def _learn(mem: Memory, extractor: Any, user: str, agent_id: str, timeout: float) -> errors.ExtractorError | None:
    """Settle what waits, in this process; gives what went wrong, for what was logged stays logged."""
    if extractor is None or extractor is KEEP_ONLY:
        return None
    failed: list[int] = []
    mem.on(lambda event, fields: failed.append(fields["seq"]) if event == "failed" else None)
    try:
        mem.flush(user, timeout=timeout, agent_id=agent_id)
    except errors.ExtractorError as error:
        return error
    if failed:
        told = [job.error for job in mem.jobs(user) if job.seq in failed and job.agent_id == agent_id]
        return errors.ExtractorError(f"seq {failed[0]} was not extracted: {told[0] if told else 'see tensemem jobs'}")
    return None


class Came:
    """What came of the messages: values that changed, and decisions that a person may want to see."""

    def __init__(self, changes: tuple[Change, ...], decisions: tuple[Decision, ...], freshness: Freshness) -> None:
        self.changes, self.decisions, self.freshness = changes, decisions, freshness

    @classmethod
    def of(cls, mem: Memory, user: str, agent_id: str, seqs: set[int] | None, rev: int, learns: bool) -> Came:
        """Look at what changed after a revision: because of some messages, or of any if they were learnt from here."""
        freshness = mem.state(user, agent_id=agent_id, predicates=[], subject="user").freshness
        if seqs is None:
            return cls(mem.changes(user, rev, agent_id=agent_id) if learns else (), (), freshness)
        mine = tuple(change for change in mem.changes(user, rev, agent_id=agent_id) if change.seq in seqs)
        decisions = tuple(one for seq in sorted(seqs) for one in mem.decisions(user, seq, agent_id=agent_id))
        return cls(mine, decisions, freshness)

    def fields(self) -> dict[str, object]:
        """Give what a document holds of it."""
        return {"changes": self.changes, "decisions": self.decisions, "freshness": self.freshness}

    def lines(self, session: Session) -> Iterator[str]:
        """Show what changed, and every operation that was not simply admitted."""
        yield from change_lines(self.changes, session.look, session.zone)
        yield from decision_lines([one for one in self.decisions if one.outcome != "admitted"], session.look)


@command("preview")
@options.user
@text
@click.option("--op", "operations", multiple=True, metavar="JSON", help="An operation, in place of text; repeatable.")
@role
@speaker
@llm
@options.agent
@pass_session
def preview(session: Session, /, user: str, text: tuple[str, ...], operations: tuple[str, ...], **given: Any) -> None:
    """Tell what would change; nothing is written.

    Either TEXT is what would be said now, or --op what would be written.

    An operation is a JSON object such as {"op": "set", "predicate": "lives_in", "value": "Delhi"}.
    """
    if bool(text) == bool(operations):
        raise click.UsageError("give either the text (- for standard input) or --op")
    extractor, agent_id = given["llm"], given["agent_id"]
    if text:
        extractor = session.extractor(extractor, "what would be learnt from text depends on who extracts")
    planned: Any = [_operation(one) for one in operations]
    if text:
        planned = [Message(user, _words(text), role=given["role"], speaker=given["speaker"])]
    with session.reading() as mem:
        fresh = session.freshness(mem, user, agent_id)
        diff: StateDiff = mem.preview(user, planned, None if extractor is KEEP_ONLY else extractor, agent_id=agent_id)
    session.show(diff, difference_lines(diff, session.look, session.zone), freshness=fresh)
    session.tell_freshness(fresh)


def _operation(given: str) -> Operation:
    body = json_in(given, Json())
    if not isinstance(body, dict):
        raise click.UsageError("--op: give a JSON object with op, predicate and value")
    try:
        return Operation(**body)
    except TypeError:
        known = ", ".join(Operation.__dataclass_fields__)
        raise click.UsageError(f"--op: it needs op and predicate, and may have {known}") from None
