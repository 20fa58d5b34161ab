"""The commands that say things: add, and preview, which tells what would come of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import click

from tensemem import Change, Decision, Freshness, Memory, Message, StateDiff, errors

from . import options
from .feeding import Feed, Tally, Whose, from_file, input_of
from .llms import KEEP_ONLY, llm
from .options import command
from .session import Session, pass_session
from .text import counted
from .views import change_lines, decision_lines, difference_lines, receipt_line, redaction_lines
from .writing import operation_in

ROLES = ("user", "assistant", "system", "tool")
BATCH = 200
"""Lines written in one transaction."""

text = click.argument("text", nargs=-1)
role = click.option("--role", type=click.Choice(ROLES), default="user", show_default=True, help="Who says it.")
speaker = click.option("--speaker", metavar="NAME", help="Who speaks, where it is not the user.")
session_id = click.option("--session", "session_id", metavar="NAME", help="The conversation it belongs to.")


@command("add")
@options.optional_user
@text
@click.option("--lines", "form", flag_value="lines", help="Take each line of standard input as a message.")
@click.option("--jsonl", "form", flag_value="jsonl", help="Take JSON Lines: content, role, said_at, session_id, ...")
@from_file
@role
@speaker
@session_id
@llm
@options.timeout
@click.option("--wait", type=click.FloatRange(min=0), metavar="SECONDS", help="Wait for a worker elsewhere.")
@options.agent
@options.receipt_options
@pass_session
def add(
    session: Session, /, user: str | None, text: tuple[str, ...], form: str | None, file: BinaryIO | None, **given: Any
) -> None:
    """Log a message and learn from it.

    The words of TEXT are joined by blanks; - reads standard input. With --jsonl the lines may be of several users, each
    with its user_id: leave USER out. Without --llm the messages wait for a worker.
    """
    _check_usage(user, text, form, file, given)
    run = _Run(given.pop("llm"), given.pop("timeout"), given.pop("wait"))
    if form is None:
        words = _words(text, file)
        assert user is not None
        with session.writing(llm=run.extractor, makes_file=True) as mem:
            _add_one(session, mem, run, user, words, given)
        return
    source = input_of(file)
    with session.writing(llm=run.extractor, makes_file=True) as mem:
        feed = Feed(source, user, form, {name: value for name, value in given.items() if name != "idempotency_key"})
        tally = _feed(session, mem, feed)
        if user is None:
            _tell_of_many(session, mem, run, tally)
        else:
            _tell_of_one(session, mem, run, tally, (user, given["agent_id"]))


def _check_usage(
    user: str | None, text: tuple[str, ...], form: str | None, file: BinaryIO | None, given: Mapping[str, Any]
) -> None:
    if form is not None and (text not in ((), ("-",)) or (user == "-" and not text)):
        named = "" if user in (None, "-") else f"{user} "
        raise click.UsageError(f"--{form} reads standard input, or --file: tensemem add {named}--{form} - < FILE")
    if form is not None and file is None and user is not None and Path(user).is_file():
        raise click.UsageError(f"{user} is a file, and stands where the user is named: say --file {user}")
    if user is None and form != "jsonl":
        raise click.UsageError("name the user; only with --jsonl the lines may say whose they are")
    if form is not None and given["idempotency_key"] is not None:
        raise click.UsageError("one --idempotency-key is not for several messages; JSON Lines may have one each")
    if file is not None and text:
        raise click.UsageError("give the text, or --file, not both")
    if given["llm"] is not None and given["wait"] is not None:
        raise click.UsageError("--wait is for a worker elsewhere; with --llm there is --timeout")


@dataclass(frozen=True, slots=True)
class _Run:
    """Who extracts, for how long, and how long somebody elsewhere is waited for."""

    extractor: Any
    timeout: float
    wait: float | None

    @property
    def learns(self) -> bool:
        return self.extractor is not None and self.extractor is not KEEP_ONLY

    def kept(self) -> list[str]:
        """Say that nothing is learnt, where that was asked for."""
        return ["kept; nothing is learnt from it"] if self.extractor is KEEP_ONLY else []


def _add_one(session: Session, mem: Memory, run: _Run, user: str, words: str, given: Mapping[str, Any]) -> None:
    receipt = mem.add(user, words, wait=run.wait, **given)
    failure = _learn(mem, run, user, given["agent_id"])
    came = Came.of(mem, user, given["agent_id"], set(receipt.seqs), receipt.rev, run.learns)
    lines = [receipt_line(receipt), *redaction_lines(receipt.redactions), *run.kept(), *came.lines(session)]
    session.show(receipt, lines, **came.fields())
    session.tell_freshness(came.freshness)
    if failure is not None:
        raise failure


def _tell_of_one(session: Session, mem: Memory, run: _Run, tally: Tally, whose: Whose) -> None:
    """Learn from the lines of one user, and tell what came of them."""
    user, agent_id = whose
    mem.state(user, agent_id=agent_id, predicates=[], subject="user", wait=run.wait)
    logged = tally.only()
    failure = _learn(mem, run, user, agent_id)
    came = Came.of(mem, user, agent_id, None, 0 if logged is None else logged.first_rev, run.learns)
    lines = [*tally.lines(is_of_one=True), *run.kept(), *came.lines(session)]
    session.show(tally.document(is_of_one=True), lines, **came.fields())
    session.tell_freshness(came.freshness)
    if failure is not None:
        raise failure


def _tell_of_many(session: Session, mem: Memory, run: _Run, tally: Tally) -> None:
    """Learn from the lines of several users, one after the other, and tell how many changed and how many wait."""
    failure = None
    changes, pending, failed = 0, 0, 0
    for (user, agent_id), logged in tally.scopes.items():
        fresh = mem.state(user, agent_id=agent_id, predicates=[], subject="user", wait=run.wait).freshness
        if failure is None:
            failure = _learn(mem, run, user, agent_id)
        if run.learns:
            fresh = session.freshness(mem, user, agent_id)
            changes += len(mem.changes(user, logged.first_rev, agent_id=agent_id))
        pending, failed = pending + fresh.pending, failed + fresh.failed
    told = [f"{counted(changes, 'change')} came of it; 'tensemem changes USER' shows each"] if run.learns else []
    sums = {"changes": changes, "pending": pending, "failed": failed}
    session.show(tally.document(is_of_one=False), [*tally.lines(is_of_one=False), *run.kept(), *told], **sums)
    if pending or failed:
        helps = "'tensemem worker' or 'tensemem flush' with --llm extracts, 'tensemem jobs' lists them"
        session.note(f"not current: {counted(pending, 'message')} pending, {failed} failed; {helps}")
    if failure is not None:
        raise failure


def _words(text: tuple[str, ...], file: BinaryIO | None) -> str:
    if not text and file is None:
        raise click.UsageError("give the text, or - for standard input")
    return input_of(file).decoded() if text in ((), ("-",)) else " ".join(text)


def _feed(session: Session, mem: Memory, feed: Feed) -> Tally:
    """Log the lines, batch by batch, counting them where a person waits."""
    tally = Tally()
    with session.progress(mem, "added", "added"):
        try:
            for receipt in mem.add_many(feed.messages(), batch=BATCH):
                tally.count(feed.whose(tally.messages + 1), receipt)
        except errors.TensememError as error:
            session.note(f"{counted(tally.messages, 'message')} kept, up to line {feed.line_of(tally.messages)}")
            raise error
    if feed.fault is not None:
        kept = f"{counted(tally.messages, 'message')} kept"
        session.note(f"{kept}; give the lines from the faulty one on" if tally.messages else kept)
        raise click.UsageError(feed.fault)
    return tally


def _learn(mem: Memory, run: _Run, user: str, agent_id: str) -> errors.ExtractorError | None:
    """Settle what waits, in this process; gives what went wrong, for what was logged stays logged."""
    if not run.learns:
        return None
    failed: list[int] = []
    off = mem.on(lambda event, fields: failed.append(fields["seq"]) if event == "failed" else None)
    try:
        mem.flush(user, timeout=run.timeout, agent_id=agent_id)
    except errors.ExtractorError as error:
        return error
    finally:
        off()
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
    planned: Any = [operation_in(one) for one in operations]
    if text:
        planned = [Message(user, _words(text, None), role=given["role"], speaker=given["speaker"])]
    with session.reading() as mem:
        fresh = session.freshness(mem, user, agent_id)
        diff: StateDiff = mem.preview(user, planned, None if extractor is KEEP_ONLY else extractor, agent_id=agent_id)
    session.show(diff, difference_lines(diff, session.look, session.zone), freshness=fresh)
    session.tell_freshness(fresh)
