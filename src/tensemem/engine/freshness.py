"""How far a read lags: worked out from the same snapshot as the facts; and waiting until nothing is pending."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ..errors import InvalidValueError, StaleMemoryError
from ..model.freshness import Freshness
from ..model.scope import Scope, works_for
from ..ports import Head, Reader, WorkerRow
from .core import Engine
from .flow import Flow, Pause, Work
from .news import HasNews, looked
from .processes import RUNNING, host_name, process_started
from .whole import refuse_unfinished

T = TypeVar("T")

DEFAULT_WAIT = 10.0
"""Seconds that ``wait=True`` stands for."""

LONGEST_PAUSE = 1.0
"""Seconds between looks while waiting; a commit wakes whoever waits, so this is for workers that die."""

BEAT_SECONDS = 5
"""How often a worker says that it lives."""

DEAD_AFTER = 6 * BEAT_SECONDS * 1_000_000
"""Microseconds of silence after which a worker of another machine counts as gone."""


def freshness_of(engine: Engine, reader: Reader, head: Head | None, min_seq: int | None = None) -> Freshness:
    """Give a scope's freshness, up to ``min_seq`` if one is named."""
    if head is None:
        return Freshness(0, 0, 0, 0, (), min_seq in (None, 0))
    refuse_unfinished(head)
    reached = min_seq is None or min_seq <= head.seq
    if head.pending == 0 and head.failed == 0:
        return Freshness(head.seq, head.seq, 0, 0, (), reached)
    upto = head.seq if min_seq is None else min_seq
    first = reader.first_waiting(head.id) if head.pending else None
    failed = tuple(row.seq for row in reader.failed(head.id)) if head.failed else ()
    waits = first is not None and first.seq <= upto
    gave_up = any(seq <= upto for seq in failed)
    reason = None
    if waits and first is not None:
        reason = _reason(engine, reader, head.scope.namespace, first.attempts)
    elif gave_up:
        reason = "failed"
    as_of = head.seq if first is None else first.seq - 1
    return Freshness(as_of, head.seq, head.pending, head.failed, failed, reached and not waits and not gave_up, reason)


def _reason(engine: Engine, reader: Reader, namespace: str, attempts: int) -> str:
    if not is_anyone_extracting(engine, reader, namespace):
        return "no_extractor"
    return "retrying" if attempts else "extracting"


def is_anyone_extracting(engine: Engine, reader: Reader, namespace: str) -> bool:
    """Tell whether a worker for a namespace is alive: in this process, or in another one that said so."""
    now = engine.operational_clock()
    return any(works_for(worker.id, namespace) and is_alive(worker, now) for worker in reader.workers())


def is_alive(worker: WorkerRow, now: int) -> bool:
    """Tell whether a worker lives: on this machine by its process, elsewhere by its last beat.

    Where the system does not tell when a process was started, another may have taken its number: then both count.
    """
    has_beaten = now - worker.beat < DEAD_AFTER
    if worker.host != host_name():
        return has_beaten
    started = process_started(worker.pid)
    if RUNNING in (started, worker.started):
        return started is not None and has_beaten
    return started == worker.started


def wait_seconds(wait: object) -> float | None:
    """Read a ``wait`` argument: seconds, True for the default, None or False for not waiting."""
    if wait is None or wait is False:
        return None
    if wait is True:
        return DEFAULT_WAIT
    if isinstance(wait, (int, float)) and 0 <= wait < 10**9:
        return float(wait)
    raise InvalidValueError("wait must be seconds of 0 or more, or True for the default time-out")


def check_min_seq(min_seq: object) -> int | None:
    """Read a ``min_seq`` argument."""
    if min_seq is None:
        return None
    if isinstance(min_seq, int) and not isinstance(min_seq, bool) and min_seq >= 0:
        return min_seq
    raise InvalidValueError("min_seq must be a seq: an integer of 0 or more")


def await_settled(engine: Engine, scopes: list[Scope], min_seq: int | None, seconds: float | None) -> Flow[None]:
    """Wait until nothing up to ``min_seq`` is pending, nobody extracts, or time is up."""
    if seconds is None:
        return

    def must_wait() -> bool:
        engine.check_open()
        with engine.store.read() as reader:
            return any(_is_worth_waiting(engine, reader, reader.head(scope), min_seq) for scope in scopes)

    yield from _until(engine, scopes, must_wait, seconds)


def _until(engine: Engine, scopes: list[Scope], must_wait: Callable[[], bool], seconds: float) -> Flow[None]:
    """Pause, as long as one must wait for something in these scopes, until time is up."""
    deadline = time.monotonic() + seconds
    pause = 0.001

    def look() -> tuple[HasNews | None, bool]:
        if len(scopes) == 1:
            return looked(engine, scopes[0], must_wait)
        return None, must_wait()  # of many, any may have news

    while True:
        has_news, waits = yield Work(look)
        left = deadline - time.monotonic()
        if not waits or left <= 0:
            return
        yield Pause(min(pause, left), engine.store.wait_for_commit, has_news)
        pause = min(pause * 2, LONGEST_PAUSE)


def await_messages(engine: Engine, scope: Scope, seqs: tuple[int, ...], seconds: float) -> Flow[None]:
    """Wait until these messages are settled or given up, nobody extracts, or time is up; others don't matter."""

    def must_wait() -> bool:
        engine.check_open()
        with engine.store.read() as reader:
            head = reader.head(scope)
            rows = () if head is None else (reader.pending_row(head.id, seq) for seq in seqs)
            waits = any(row is not None and row.state == "waiting" for row in rows)
            return waits and is_anyone_extracting(engine, reader, scope.namespace)

    yield from _until(engine, [scope], must_wait, seconds)


def _is_worth_waiting(engine: Engine, reader: Reader, head: Head | None, min_seq: int | None) -> bool:
    fresh = freshness_of(engine, reader, head, min_seq)
    return fresh.reason in ("extracting", "retrying")


@dataclass(frozen=True, slots=True)
class Patience:
    """How fresh a read must be: up to which seq, how long it may wait, and what it does when that is not enough."""

    min_seq: object = None
    wait: object = None
    on_stale: str = "flag"


def fresh_read(
    engine: Engine, scopes: list[Scope], read: Callable[[], T], freshness: Callable[[T], Freshness], ask: Patience
) -> Flow[T]:
    """Wait as asked, read once, and say truthfully what holds; raises StaleMemoryError if asked to."""
    engine.check_open()
    if ask.on_stale not in ("flag", "raise"):
        raise InvalidValueError("on_stale must be 'flag' or 'raise'")
    upto = check_min_seq(ask.min_seq)
    yield from await_settled(engine, scopes, upto, wait_seconds(ask.wait))
    result: T = yield Work(read)
    fresh = freshness(result)
    if ask.on_stale == "raise" and _is_stale(fresh, upto):
        raise StaleMemoryError(_stale_message(fresh, upto), freshness=fresh)
    return result


def _is_stale(fresh: Freshness, min_seq: int | None) -> bool:
    """Stale means that something is still pending, or that what was asked for is not in the log yet."""
    if min_seq is not None and min_seq > fresh.latest_seq:
        return True
    return fresh.reason in ("extracting", "retrying", "no_extractor")


def _stale_message(fresh: Freshness, min_seq: int | None) -> str:
    if min_seq is not None and min_seq > fresh.latest_seq:
        return f"seq {min_seq} is not in the log yet; the newest is {fresh.latest_seq}"
    nobody = fresh.reason == "no_extractor"
    hint = "attach an extractor or run a worker" if nobody else "wait longer, or use on_stale='flag'"
    return f"{counted(fresh.pending)} pending ({fresh.reason}); {hint}"


def counted(messages: int) -> str:
    """Say how many messages are, in words."""
    return "1 message is" if messages == 1 else f"{messages} messages are"
