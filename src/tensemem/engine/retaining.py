"""Runs of retention: what a namespace's policy lets go of, scope by scope, by one process at a time.

The lease is that of the namespace's registry, which is leased for nothing else. How far a run is stands in the store
after each few scopes, so another process takes it up where it broke off; doing a scope twice does no harm.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from ..core.forgotten import slot_names, value_names
from ..core.registry import Registry
from ..core.retention import Policy, ended_values, microseconds
from ..errors import ClosedError, TensememError
from ..logs import Log
from ..model.claim import Held
from ..model.moment import SECOND
from ..model.retention import Retention
from ..model.scope import Scope, registry_scope
from ..ports import Head, Reader, SlotRow, WorkerRow, Writer
from .core import Engine
from .cutting import Aim
from .flow import persistently
from .processes import RUNNING, host_name, process_started
from .project import read_fold
from .purging import purge_scope
from .removing import forget_where
from .retention import Kept, Progress, kept, retention, save_runs
from .state import Snapshot, with_snapshot
from .whole import is_whole
from .worker import dead_workers

SCOPES_AT_ONCE = 50
"""Scopes done between two savings of how far a run is."""

LEASE_SECONDS = 3600
"""How long a run may take for so many scopes; a process that ends lets go of its lease at once."""

SILENCE = 600 * SECOND
"""How long a run that no worker does counts as alive on other machines without having said so again."""

log = Log("retention")

Stop = Callable[[], bool]


def apply(engine: Engine, namespace: str) -> Retention:
    """Do now what a namespace's policy asks for, whenever it was done last; a run that goes on elsewhere is left be."""
    engine.check_open()
    with _as_nobodys_worker(engine) as owner:
        run_due(engine, namespace, owner, lambda: False, is_forced=True)
    return retention(engine, namespace)


@contextmanager
def _as_nobodys_worker(engine: Engine) -> Iterator[str]:
    """Be known as alive while a run goes on, by a name that no namespace takes for its extractor."""
    owner = f"keep-{uuid.uuid4().hex}@-"
    pid = os.getpid()
    row = WorkerRow(
        owner, host_name(), pid, process_started(pid) or RUNNING, engine.operational_clock() + SILENCE
    )
    with engine.store.write() as tx:
        tx.beat(row)
    try:
        yield owner
    finally:
        with engine.store.write() as tx:
            tx.drop_worker(owner)


def look(engine: Engine, owner: str, should_stop: Stop) -> None:
    """Do what is due in the namespaces this memory works for; a failure is logged and told, and tried again later."""
    engine.check_open()
    if engine.worked_namespace is not None:
        names = [engine.worked_namespace]
    else:
        with engine.store.read() as reader:
            names = reader.namespaces()
    for name in names:
        if should_stop():
            return
        try:
            run_due(engine, name, owner, should_stop)
        except ClosedError:
            raise
        except TensememError as error:
            log.failure("retention failed", "retention failed; it is tried again", error=error)
            engine.emit("retention_failed", namespace=name, error=type(error).__name__)


def run_due(
    engine: Engine, namespace: str, owner: str, should_stop: Stop, *, is_forced: bool = False
) -> Progress | None:
    """Do a run that is due, or go on with one that broke off, until it is done or told to stop.

    Gives how far it is; None where none is due or another process is at it.
    """
    with engine.store.read() as reader:
        if not _is_wanted(kept(reader, namespace), engine.now(), is_forced):
            return None
    going_on = persistently(lambda: _begun(engine, namespace, owner, is_forced))
    if going_on is None:
        return None
    try:
        while going_on is not None and going_on.ended is None and not should_stop():
            done = _some(engine, namespace, going_on, should_stop)
            going_on = persistently(lambda done=done: _saved(engine, namespace, owner, done))  # type: ignore[misc]
    finally:
        persistently(lambda: _release(engine, namespace, owner))
    if going_on is not None and going_on.ended is not None:
        _tell(engine, namespace, going_on)
    return going_on


def _is_wanted(known: Kept, now: int, is_forced: bool) -> bool:
    return known.due_at() is not None if is_forced else known.is_due(now)


def _begun(engine: Engine, namespace: str, owner: str, is_forced: bool) -> Progress | None:
    """Take the lease, and give the run that goes on, or a new one; None where it is another's, or done by now."""
    with engine.store.write() as tx:
        head = tx.head(registry_scope(namespace))
        known, now = kept(tx, namespace), engine.now()
        if head is None or not _is_wanted(known, now, is_forced):
            return None
        owners = tx.owners()  # before the workers: one that begins between the two must not look like a dead one
        dead, moment = dead_workers(engine, tx.workers(), owners), engine.operational_clock()
        if not tx.lease_scope(head.id, owner, moment, moment + LEASE_SECONDS * SECOND, dead):
            return None
        going_on = known.going_on
        if going_on is None or going_on.policy != known.policy:
            going_on = Progress(known.policy, now)
        save_runs(tx, head, going_on, known.done)
        return going_on


def _saved(engine: Engine, namespace: str, owner: str, run: Progress) -> Progress | None:
    """Keep how far a run is; None where somebody else goes on with it, the lease being lost, or the policy changed."""
    with engine.store.write() as tx:
        head = tx.head(registry_scope(namespace))
        known = kept(tx, namespace)
        if head is None or not tx.holds(head.id, owner) or known.policy != run.policy:
            return None
        if run.ended is not None:
            save_runs(tx, head, None, run)
            return run
        tx.renew(head.id, owner, engine.operational_clock() + LEASE_SECONDS * SECOND)
        save_runs(tx, head, run, known.done)
        return run


def _release(engine: Engine, namespace: str, owner: str) -> None:
    with engine.store.write() as tx:
        head = tx.head(registry_scope(namespace))
        if head is not None:
            tx.release(head.id, owner)


def _tell(engine: Engine, namespace: str, run: Progress) -> None:
    message = "retention removed %d texts and %d values of %d scopes"
    log.tell(
        "retained", message, run.texts, run.facts, run.scopes, texts=run.texts, facts=run.facts, scopes=run.scopes,
        failed=run.failed,
    )  # fmt: skip
    engine.emit(
        "retained", namespace=namespace, scopes=run.scopes, texts=run.texts, facts=run.facts, failed=run.failed
    )


def _some(engine: Engine, namespace: str, run: Progress, should_stop: Stop) -> Progress:
    """Do the next few scopes; gives how far the run is then."""
    with engine.store.read() as reader:
        heads = reader.scopes(namespace, "", run.cursor, SCOPES_AT_ONCE)
    policy = Kept(run.policy).asked
    before = run
    for head in heads:
        if should_stop():
            break
        run = replace(_one(engine, head, policy, run), cursor=(head.scope.user_id, head.scope.agent_id))
    else:
        if len(heads) < SCOPES_AT_ONCE:
            run = replace(run, ended=max(engine.now(), run.began), cursor=None)
    if (run.texts, run.facts) != (before.texts, before.facts):
        _scrub(engine)
    return run


def _scrub(engine: Engine) -> None:
    """Have the bytes of what went written over; where that has to wait, the store sees to it later."""
    unscrubbed = engine.store.scrub()
    if unscrubbed is not None:
        log.caution("not overwritten", "what retention removed is not overwritten yet: %s", unscrubbed)


def _one(engine: Engine, head: Head, policy: Policy, run: Progress) -> Progress:
    if not head.rev or not is_whole(head):
        return run
    scope, texts, facts, failed = head.scope, 0, 0, 0
    try:
        if policy.texts is not None:
            before = run.began - microseconds(policy.texts)
            texts = purge_scope(engine, scope, before, policy.keep_quotes).episodes
        facts = sum(_forgotten(engine, scope, *slot) for slot in _slots_with_ended(engine, scope, policy, run.began))
    except ClosedError:
        raise
    except TensememError as error:
        failed = 1
        log.failure("retention failed", "retention of a scope failed; the next run tries it again", error=error)
        engine.emit("retention_failed", namespace=scope.namespace, scope=scope, error=type(error).__name__)
    return replace(
        run, scopes=run.scopes + 1, texts=run.texts + texts, facts=run.facts + facts, failed=run.failed + failed
    )


def _slots_with_ended(engine: Engine, scope: Scope, policy: Policy, now: int) -> list[tuple[str, str, int]]:
    """Give the keys of the slots that have values to forget, and the moment these ended by."""

    def read(snapshot: Snapshot) -> list[tuple[str, str, int]]:
        head, reader, registry = snapshot.head, snapshot.reader, snapshot.registry
        by_key = policy.by_key(registry)
        if head is None or not by_key:
            return []
        return [
            (slot.subject_key, slot.predicate_key, ended_by)
            for slot in reader.slots(head.id)
            if slot.predicate_key in by_key
            and _ended(reader, head, registry, slot, ended_by := now - microseconds(by_key[slot.predicate_key]), now)
        ]

    found: list[tuple[str, str, int]] = with_snapshot(engine, scope, read)
    return found


def _forgotten(engine: Engine, scope: Scope, subject_key: str, predicate_key: str, ended_by: int) -> int:
    """Forget the values of a slot that ended by a moment, and still are; gives how many."""
    count = 0

    def aim_of(tx: Writer, head: Head, registry: Registry) -> Aim | None:
        nonlocal count
        slot = tx.slot(head.id, subject_key, predicate_key)
        ended = [] if slot is None else _ended(tx, head, registry, slot, ended_by, engine.now())
        count = len(ended)
        if slot is None or not ended:
            return None
        predicate = registry.predicate(slot.predicate)
        keys = {key for held in ended for key in value_names(held.stored, predicate, registry, engine.zone)}
        names = slot_names(slot.subject_key, slot.predicate, registry)
        return Aim("value", names, frozenset(keys | {held.key for held in ended}))

    forget_where(engine, scope, aim_of)
    return count


def _ended(reader: Reader, head: Head, registry: Registry, slot: SlotRow, ended_by: int, now: int) -> list[Held]:
    fold, log_ = read_fold(reader, head.id, slot, registry)
    return ended_values(log_, fold, ended_by, now)


class Keeper:
    """Looks after retention in a thread of its own, beside a worker, so that extraction is never held up."""

    def __init__(self, engine: Engine, owner: str, should_stop: Stop, wait: Callable[[float], object]) -> None:
        self._engine, self._owner, self._should_stop, self._wait = engine, owner, should_stop, wait

    def work(self) -> None:
        """Look, and look again after a while, until told to stop. Blocks."""
        while not self._should_stop():
            began = time.monotonic()
            try:
                look(self._engine, self._owner, self._should_stop)
            except ClosedError:
                return
            except Exception as error:
                log.failure("retention failed", "the worker could not see what is due; it tries again", error=error)
            # Where there are very many namespaces, looking takes long: at most a hundredth of the time goes to that.
            self._wait(max(LOOK_SECONDS, 100 * (time.monotonic() - began)))


LOOK_SECONDS = 60
"""Seconds between two looks at what is due."""
