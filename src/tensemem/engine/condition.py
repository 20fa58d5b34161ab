"""What state a memory's work is in: what waits and since when, who extracts, how the log stands to the clock.

Bounded: where there are very many memories or messages, some of them stand for all.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..model.moment import SECOND
from ..model.scope import Scope
from ..ports import Head, Reader
from .core import Engine
from .freshness import is_alive
from .whole import is_whole

MOST_NAMESPACES = 1_000
MOST_HEADS = 2_000
"""Memories whose counters are looked at, in each namespace."""
MOST_JOBS = 10_000
MOST_MESSAGES = 100
"""Memories whose oldest waiting message is looked at."""
_PAGE = 500


@dataclass(frozen=True, slots=True)
class Condition:
    """Counts over some namespaces, of which the first ``looked_at`` were looked at.

    ``ahead`` is by how many microseconds the newest entry is ahead of the clock.

    ``removals`` are memories that were forgotten and whose rows are not all removed yet.
    ``beat_seconds`` is how long ago the worker that has been silent for longest, of those that live, last spoke.
    """

    namespaces: int = 0
    looked_at: int = 0
    pending: int = 0
    failed: int = 0
    oldest_seconds: float = 0.0
    live_workers: int = 0
    dead_workers: int = 0
    dead_leases: int = 0
    beat_seconds: float = 0.0
    ahead: int = 0
    unfinished: int = 0
    removals: int = 0
    is_scrub_due: bool = False


def condition_of(engine: Engine, namespaces: list[str]) -> Condition:
    """Read it, in one snapshot."""
    now, told = engine.now(), engine.operational_clock()
    is_scrub_due = engine.store.is_scrub_due
    looked_at = namespaces[:MOST_NAMESPACES]
    with engine.store.read() as reader:
        workers = reader.workers()
        living = [worker for worker in workers if is_alive(worker, told)]
        names = {worker.id for worker in living}
        dead_leases = sum(owner not in names for owner in reader.owners())
        heads = [head for name in looked_at for head in _heads(reader, name)]
        jobs = [job for name in looked_at for job in reader.all_pending(name, MOST_JOBS)]
        waiting = dict.fromkeys(scope for scope, row in jobs if row.state == "waiting")
        return Condition(
            namespaces=len(namespaces),
            looked_at=len(looked_at),
            pending=sum(row.state == "waiting" for _, row in jobs),
            failed=sum(row.state == "failed" for _, row in jobs),
            oldest_seconds=max(0, now - _oldest(reader, list(waiting)[:MOST_MESSAGES], now)) / SECOND,
            live_workers=len(living),
            dead_workers=len(workers) - len(living),
            dead_leases=dead_leases,
            beat_seconds=max((max(0, told - worker.beat) for worker in living), default=0) / SECOND,
            ahead=max((head.last_recorded - now for head in heads), default=0),
            unfinished=sum(not is_whole(head) for head in heads),
            removals=len(reader.removals()),
            is_scrub_due=is_scrub_due,
        )


def _heads(reader: Reader, namespace: str) -> list[Head]:
    found: list[Head] = []
    cursor: tuple[str, str] | None = None
    while len(found) < MOST_HEADS:
        page = reader.scopes(namespace, "", cursor, _PAGE)
        found += page
        if len(page) < _PAGE:
            break
        cursor = (page[-1].scope.user_id, page[-1].scope.agent_id)
    return found


def _oldest(reader: Reader, scopes: list[Scope], now: int) -> int:
    """Give when the oldest of the first messages that wait in some scopes was recorded."""
    oldest = now
    for scope in scopes:
        head = reader.head(scope)
        first = None if head is None else reader.first_waiting(head.id)
        message = None if head is None or first is None else reader.episode(head.id, first.seq)
        if message is not None:
            oldest = min(oldest, message.recorded_at)
    return oldest
