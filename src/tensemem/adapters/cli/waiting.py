"""The commands about messages that wait: worker, flush, jobs, retry, dismiss."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

import click

from tensemem import Freshness, errors

from . import options
from .cutting import cursor_of, tell_more
from .exits import EXTRACTOR_FAILED
from .llms import KEEP_ONLY, Gated, llm
from .moments import Moments
from .options import command
from .session import Session, freshness_line, pass_session
from .text import Cell, counted, safe, short, table
from .wording import worded

A_DAY = 86_400.0
"""Seconds that ``worker --once`` may take: as long as it needs."""


@command("worker")
@llm
@click.option("--once", is_flag=True, help="Settle what waits now in one namespace, and end.")
@click.pass_context
def worker(context: click.Context, /, llm: Any, once: bool) -> None:
    """Extract messages as they come, until Ctrl-C.

    It takes those of all users and namespaces, or with --namespace of that one alone; it tells on standard error what
    it does, and ends on SIGTERM too. Any number of workers, in any processes, may work on one file or server. With
    --once each message that waits in the namespace is tried once.
    """
    session = context.ensure_object(Session)
    session.must_be_here("worker")
    if llm is None or llm is KEEP_ONLY:
        names = "--llm offline, --llm provider:model or --llm module:attribute"
        raise click.UsageError(f"a worker needs an extractor: give {names}")
    watch = Watch(session)
    with nullcontext() if session.logs else _errors_shown():
        if once:
            _settle_once(session, llm, watch)
        else:
            _work(session, llm, watch)
    session.show({"extracted": watch.extracted, "failed": watch.failed}, [watch.line()])
    if once and watch.failed:
        context.exit(EXTRACTOR_FAILED)


def _settle_once(session: Session, extractor: Any, watch: Watch) -> None:
    with session.writing(llm=extractor) as mem:
        mem.on(watch)
        mem.flush(timeout=A_DAY)


def _work(session: Session, extractor: Any, watch: Watch) -> None:
    gated = Gated(extractor)
    with _stopped_by_signals() as stop, session.writing(llm=gated, makes_file=True, background=True) as mem:
        mem.on(watch)
        gated.begin()
        session.note(f"{gated.name} extracts what waits in {mem.stats()['location']}; Ctrl-C stops it")
        while not stop.wait(0.5):  # a wait without end can't be interrupted on every system
            pass
        session.note("stopping after the message being extracted")


class Watch:
    """Counts what is extracted and what fails, and says so."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.extracted = 0
        self.failed = 0

    def __call__(self, event: str, fields: Mapping[str, Any]) -> None:
        if event not in ("extracted", "failed"):
            return
        scope = fields["scope"]
        agent = f"/{safe(scope.agent_id)}" if scope.agent_id else ""
        where = f"{safe(scope.user_id)}{agent} seq {fields['seq']}"
        if event == "extracted":
            self.extracted += 1
            self._session.note(f"extracted {where}: {counted(fields['operations'], 'operation')}")
        else:
            self.failed += 1
            told = "given up" if fields["state"] == "failed" else "tried again later"
            self._session.note(f"failed {where}: {counted(fields['attempts'], 'attempt')} used, {told}")

    def line(self) -> str:
        """Sum up."""
        failed = f", {counted(self.failed, 'attempt')} failed" if self.failed else ""
        return f"{counted(self.extracted, 'message')} extracted{failed}"


@contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """Give an event that Ctrl-C and SIGTERM set; a second Ctrl-C does not wait."""
    stop = threading.Event()

    def end(number: int, _frame: Any) -> None:
        if stop.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _errors_shown() -> Iterator[None]:
    """Show the library's own errors while a worker runs, for nobody else would."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.ERROR)
    logger = logging.getLogger("tensemem")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


@command("flush")
@click.argument("user", required=False)
@llm
@options.timeout
@options.agent
@click.pass_context
def flush(context: click.Context, /, user: str | None, llm: Any, timeout: float, agent_id: str) -> None:
    """Settle what waits now. Of one user or of all; without --llm, wait for a worker to do it."""
    session = context.ensure_object(Session)
    watch = Watch(session)
    try:
        with session.writing(llm=llm) as mem:
            mem.on(watch)
            fresh = mem.flush(user, timeout=timeout, agent_id=agent_id)
    except errors.ExtractorError as error:
        if llm is None or llm is KEEP_ONLY:
            raise errors.ExtractorError(f"{error} On the command line that is --llm.") from error
        raise
    session.show({"extracted": watch.extracted, "failed": watch.failed, "freshness": fresh}, [_settled(fresh, watch)])
    if watch.failed:
        context.exit(EXTRACTOR_FAILED)


def _settled(fresh: Freshness, watch: Watch) -> str:
    return f"{watch.line()}; {'current' if fresh.is_current else freshness_line(fresh)}"


@command("jobs")
@click.argument("user", required=False)
@click.option("--limit", type=click.IntRange(min=1), default=10_000, show_default=True, help="At most so many.")
@click.option("--after", metavar="CURSOR", help="Go on behind this one: 'next' of the JSON document.")
@pass_session
def jobs(session: Session, /, user: str | None, limit: int, after: str | None) -> None:
    """List the messages that wait or failed. With attempts and the last error."""
    with session.reading() as mem:
        found = mem.jobs(user, limit=limit, after=after)
    look = session.look
    moments = Moments(session.zone, (job.next_try_at for job in found))
    rows = [
        (
            Cell(short(job.user_id, look), "bold"), short(job.agent_id, look), str(job.seq),
            Cell(job.state, "red" if job.state == "failed" else "yellow"), str(job.attempts),
            moments.text(job.next_try_at), short(worded(job.error or ""), look, 100),
        )
        for job in found
    ]  # fmt: skip
    lines = table(("user", "agent", "seq", "state", "attempts", "next try", "error"), rows, look)
    session.show({"jobs": found, "next": cursor_of("jobs", found, limit)}, lines or ["nothing waits"])
    tell_more(session, "jobs", found, limit)


@command("retry")
@click.argument("user", required=False)
@click.argument("seq", required=False, type=click.IntRange(min=1))
@options.agent
@pass_session
def retry(session: Session, /, user: str | None, seq: int | None, agent_id: str) -> None:
    """Put failed messages back in the queue. One, those of a user, or all; pausing ones too."""
    with session.writing() as mem:
        count = mem.retry(user, seq, agent_id=agent_id)
        more = {} if user is None else {"freshness": session.freshness(mem, user, agent_id)}
    session.show({"queued": count, **more}, [f"{counted(count, 'message')} put back in the queue"])


@command("dismiss")
@options.user
@click.argument("seq", type=click.IntRange(min=1))
@options.agent
@pass_session
def dismiss(session: Session, /, user: str, seq: int, agent_id: str) -> None:
    """Settle a message without learning from it."""
    with session.writing() as mem:
        mem.dismiss(user, seq, agent_id=agent_id)
        fresh = session.freshness(mem, user, agent_id)
    session.show({"dismissed": seq, "freshness": fresh}, [f"seq {seq} is settled; nothing was learnt from it"])
    session.tell_freshness(fresh)
