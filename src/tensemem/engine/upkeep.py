"""Keeping: settling what waits now, jobs, retries, dismissals, sizes and scopes."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator
from typing import Any

from ..core.text import is_valid_text
from ..errors import (
    ConflictError,
    ExtractorError,
    ExtractorUnavailable,
    InvalidValueError,
    StoreKeyError,
    UnknownFactError,
)
from ..extract.calling import CallableExtractor
from ..logs import Log
from ..model.entry import EntryKind
from ..model.freshness import Freshness
from ..model.moment import SECOND
from ..model.results import ScopeInfo
from ..model.scope import Scope, worker_id
from ..ports import Head, PendingRow, UsageRow, WorkerRow
from . import retention
from .core import Engine, check_limit, check_seq, next_entry
from .flow import Flow, Pause, Work
from .freshness import await_settled, counted, freshness_of, is_anyone_extracting
from .processes import RUNNING, host_name, process_started
from .settle import Tried, settle_next
from .whole import is_whole
from .worker import dead_workers

log = Log("extract")

PAGE = 500

LONGEST_SILENCE = 600
"""Seconds a flush counts as alive on other machines without having said so again."""

FLUSH_LEASE = 3600
"""Seconds a flush may hold a scope; a process that ends lets go of it at once."""


def flush(engine: Engine, scope: Scope | None, timeout: float, namespace: str) -> Flow[Freshness]:
    """Settle what is waiting now, in this call, each message tried once; gives the freshness then.

    A scope that a worker is busy with is waited for. Raises ExtractorUnavailable where the provider can't be reached,
    and ExtractorError where nobody extracts.
    """
    is_number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if not is_number or not 0 <= timeout < 10**9:
        raise InvalidValueError("timeout must be seconds of 0 or more")
    deadline = time.monotonic() + timeout
    scopes: list[Scope] = yield Work(lambda: [scope] if scope is not None else _scopes_with_jobs(engine, namespace))
    if engine.extractor is None:
        return (yield from _flush_elsewhere(engine, scopes, deadline, namespace))
    unavailable: list[str] = []
    for one in scopes:
        try:
            unavailable += yield from _flush_one(engine, engine.extractor, one, deadline)
        except StoreKeyError:
            if scope is not None:
                raise
            log.caution("sealed", "messages wait in a scope whose key is gone; they can't be extracted")
    if unavailable:
        raise ExtractorUnavailable(f"{unavailable[0]}; the messages stay pending and are tried again")
    fresh: Freshness = yield Work(lambda: joined_freshness(engine, scopes, namespace))
    return fresh


def _flush_one(engine: Engine, extractor: CallableExtractor, scope: Scope, deadline: float) -> Flow[list[str]]:
    """Try each waiting message of a scope once, under a lease; gives why the provider was not reached, if so."""
    owner = worker_id(f"flush-{uuid.uuid4().hex}", scope.namespace)
    while (state := (yield Work(lambda: _lease(engine, scope, owner, deadline)))) == "busy":
        left = deadline - time.monotonic()
        if left <= 0:
            return []
        yield Pause(min(0.02, left), engine.store.wait_for_commit)
    if state == "idle":
        return []
    after, said = 0, time.monotonic()
    try:
        last: int = yield Work(lambda: _latest(engine, scope))
        while time.monotonic() < deadline and after < last:
            if time.monotonic() - said > LONGEST_SILENCE / 10:
                said = time.monotonic()
                yield Work(lambda: _lease(engine, scope, owner, deadline))
            tried: Tried | None = yield from settle_next(
                engine, extractor, scope, after=after, until=deadline, owner=owner
            )
            if tried is None or tried.is_lost:
                return []
            if tried.unavailable is not None:
                return [tried.unavailable]
            after = tried.seq
        return []
    finally:
        yield Work(lambda: _release(engine, scope, owner))


def _latest(engine: Engine, scope: Scope) -> int:
    with engine.store.read() as reader:
        head = reader.head(scope)
        return 0 if head is None else head.seq


def _lease(engine: Engine, scope: Scope, owner: str, deadline: float) -> str:
    with engine.store.write() as tx:
        head = tx.head(scope)
        if head is None or not head.pending:
            return "idle"
        now = engine.operational_clock()
        gone = tuple(engine.unreleased)
        for other in gone:
            tx.drop_worker(other)
        owners = tx.owners()  # before the workers: one that begins between the two must not look like a dead one
        dead = dead_workers(engine, tx.workers(), owners)
        if not tx.lease_scope(head.id, owner, now, now + FLUSH_LEASE * SECOND, dead):
            return "busy"
        # Known as a worker meanwhile: nobody takes the scope while this process lives, and anybody once it is gone. On
        # other machines only the beat tells, which is not said again while a model thinks: so it counts ahead.
        left = min(max(0.0, deadline - time.monotonic()), LONGEST_SILENCE)
        pid, until = os.getpid(), now + int(left * SECOND)
        tx.beat(WorkerRow(owner, host_name(), pid, process_started(pid) or RUNNING, until))
    engine.unreleased.difference_update(gone)
    return "ours"


def _release(engine: Engine, scope: Scope, owner: str) -> None:
    engine.unreleased.add(owner)
    with engine.store.write() as tx:
        head = tx.head(scope)
        if head is not None:
            tx.release(head.id, owner)
        tx.drop_worker(owner)
    engine.unreleased.discard(owner)


def _flush_elsewhere(engine: Engine, scopes: list[Scope], deadline: float, namespace: str) -> Flow[Freshness]:
    """Without an extractor here, wait for a worker elsewhere; say so where there is none."""
    fresh: Freshness = yield Work(lambda: joined_freshness(engine, scopes, namespace))
    if fresh.pending == 0:
        return fresh
    if not (yield Work(lambda: _is_extracting(engine, namespace))):
        raise ExtractorError(f"{counted(fresh.pending)} pending and nobody extracts; open the memory with llm=...")
    yield from await_settled(engine, scopes, None, max(0.0, deadline - time.monotonic()))
    fresh = yield Work(lambda: joined_freshness(engine, scopes, namespace))
    return fresh


def _is_extracting(engine: Engine, namespace: str) -> bool:
    with engine.store.read() as reader:
        return is_anyone_extracting(engine, reader, namespace)




def joined_freshness(engine: Engine, scopes: list[Scope], namespace: str) -> Freshness:
    """Give the freshness of a scope, or the sum over several; where nothing waits anywhere, of the first scopes."""
    with engine.store.read() as reader:
        scopes = scopes or [head.scope for head in reader.scopes(namespace, "", None, PAGE) if is_whole(head)]
        found = [freshness_of(engine, reader, reader.head(scope)) for scope in scopes]
    if len(found) == 1:
        return found[0]
    failed = tuple(seq for one in found for seq in one.failed_seqs)
    reasons = [one.reason for one in found if one.reason]
    return Freshness(
        max((one.as_of_seq for one in found), default=0), max((one.latest_seq for one in found), default=0),
        sum(one.pending for one in found), len(failed), failed, all(one.is_current for one in found),
        reasons[0] if reasons else None,
    )  # fmt: skip


def retry(engine: Engine, scope: Scope | None, seq: int | None, namespace: str) -> int:
    """Put failed or pausing messages back in the queue, due now; gives how many."""
    if seq is not None:
        check_seq(seq)
    scopes = [scope] if scope is not None else _scopes_with_jobs(engine, namespace)
    done = 0
    for one in scopes:
        with engine.store.write() as tx:
            head = tx.head(one)
            for row in [] if head is None else tx.pending(head.id):
                if head is None or seq not in (None, row.seq):
                    continue
                done += 1
                if row.state == "failed":
                    head.failed -= 1
                    head.pending += 1
                tx.save_pending(PendingRow(head.id, row.seq))
            if head is not None:
                tx.save_head(head)
    engine.wake()
    return done


def _scopes_with_jobs(engine: Engine, namespace: str) -> list[Scope]:
    with engine.store.read() as reader:
        return list(dict.fromkeys(scope for scope, _ in reader.all_pending(namespace, 100_000)))


def dismiss(engine: Engine, scope: Scope, seq: int) -> None:
    """Settle a message without learning from it: a skip entry says so. Raises where it is not waiting or failed."""
    check_seq(seq)
    with engine.store.write() as tx:
        head = tx.head(scope)
        row = None if head is None else tx.pending_row(head.id, seq)
        if head is None or row is None:
            message = None if head is None else tx.episode(head.id, seq)
            if message is None:
                raise UnknownFactError(f"no message {seq} in this scope")
            raise ConflictError(f"message {seq} is settled already; there is nothing to dismiss")
        message = tx.episode(head.id, seq)
        tx.drop_pending(head.id, seq)
        if row.state == "failed":
            head.failed -= 1
        else:
            head.pending -= 1
        said_at = head.last_said if message is None else message.said_at
        entry = next_entry(
            head, EntryKind.SKIP, now=engine.now(), said_at=said_at, body={"reason": "dismissed"}, seq=seq
        )
        tx.append(head.id, entry)
        tx.save_head(head)


def stats(engine: Engine) -> dict[str, Any]:
    """Give the sizes of the handle's namespace, and where the memory is."""
    engine.check_open()
    with engine.store.read() as reader:
        counts = reader.counts(engine.namespace)
        usage = [_usage(row) for row in reader.usage(engine.namespace)]
        retained = retention.told(engine, reader, engine.namespace)
    where = {"location": engine.store.location, "durability": engine.store.durability}
    return {"namespace": engine.namespace, **where, **counts, "usage": usage, "retention": retained}


def recount(engine: Engine) -> None:
    """Count the sizes of every namespace anew where what is kept of them does not hold."""
    engine.check_open()
    with engine.store.read() as reader:
        if reader.sizes_hold():
            return
    with engine.store.write(alone=True) as tx:
        tx.recount()


def _usage(row: UsageRow) -> dict[str, Any]:
    found = {**row._asdict(), "seconds": row.milliseconds / 1000}
    del found["milliseconds"]
    return found


def scopes(
    engine: Engine, namespace: str, prefix: str | None, limit: int, after: str | None
) -> tuple[ScopeInfo, ...]:
    """Give a namespace's scopes in order, whose user id starts with a prefix, after a cursor."""
    engine.check_open()
    check_limit(limit)
    for name, value in (("prefix", prefix), ("after", after)):
        if value is not None and (not isinstance(value, str) or is_valid_text(value.replace("\0", ""))):
            raise InvalidValueError(f"{name} must be text without lone surrogates")
    cursor = None
    if after is not None:
        user, _, agent = after.partition("\0")
        cursor = (user, agent)
    with engine.store.read() as reader:
        heads = reader.scopes(namespace, prefix or "", cursor, limit)
    return tuple(_info(head) for head in heads)


def _info(head: Head) -> ScopeInfo:
    scope = head.scope
    return ScopeInfo(scope.namespace, scope.user_id, scope.agent_id, head.rev, head.seq, head.pending, head.failed)


def all_scopes(engine: Engine, user_id: str | None = None, namespace: str | None = None) -> Iterator[Scope]:
    """Give every scope of a namespace (the handle's, if none is named) that is whole, or all agents of one user."""
    engine.check_open()
    if user_id is not None:
        engine.scope(user_id)
    where = engine.namespace if namespace is None else namespace
    cursor: tuple[str, str] | None = None
    while True:
        with engine.store.read() as reader:
            heads = reader.scopes(where, user_id or "", cursor, PAGE)
        for head in heads:
            if user_id == head.scope.user_id or (user_id is None and is_whole(head)):
                yield head.scope
        if len(heads) < PAGE:
            return
        cursor = (heads[-1].scope.user_id, heads[-1].scope.agent_id)
