"""The worker: takes scopes with due messages, each under a lease that a killed process does not keep.

A lease belongs to a worker; a worker is a process of a machine, known by its number and when it was started. Where
that process is gone its leases count for nothing, so nobody waits for them to run out.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable
from functools import partial
from logging import WARNING
from typing import TYPE_CHECKING

from ..errors import ClosedError, StoreError, TensememError
from ..extract.calling import CallableExtractor
from ..logs import Log
from ..model.moment import SECOND
from ..model.scope import Scope, worker_id
from ..ports import WorkerRow
from .core import Engine
from .flow import persistently, run
from .freshness import BEAT_SECONDS, is_alive
from .processes import RUNNING, host_name, process_started
from .settle import settle_scope

if TYPE_CHECKING:
    from .crew import Crew

log = Log("worker")

LEASE_SECONDS = 60
"""How long a lease holds without being renewed; it is renewed while a model is being asked."""


IDLE_SECONDS = 0.5
"""How long an idle worker sleeps at most before it looks for messages of other processes."""


class Worker:
    """Extracts in threads of its own, or until nothing is due when called.

    An extractor that is awaited settles many scopes at once in its own event loop; any other one has a thread for
    each request it takes at once.
    """

    def __init__(self, engine: Engine, extractor: CallableExtractor) -> None:
        self._engine, self._extractor = engine, extractor
        self._stop = threading.Event()
        self._bells: list[threading.Event] = []
        self._threads: list[threading.Thread] = []
        self._held: dict[Scope, int] = {}
        self._holding = threading.Lock()  # over what is held and the leases in the file, which change together
        pid = os.getpid()
        self._row = WorkerRow(
            worker_id(uuid.uuid4().hex, engine.worked_namespace), host_name(), pid, process_started(pid) or RUNNING,
            engine.operational_clock(),
        )
        self._crew = self._make_crew() if extractor.is_async else None

    def _make_crew(self) -> Crew:
        from .crew import Crew  # brings asyncio, which who is not awaited does not need

        return Crew(self._engine, self._extractor, self._row.id, self._take, self._give_back)

    def start(self) -> None:
        """Start the worker's threads: those that extract, one that says so and renews the leases, one for retention."""
        self._say_alive()
        targets: list[tuple[str, Callable[[], None]]] = [
            ("tensemem-beat", self._beat), ("tensemem-keeper", self._keep),
        ]  # fmt: skip
        if self._crew is not None:
            targets.append(("tensemem-worker", partial(self._crew.work, self._stop.is_set)))
        else:
            for number in range(self._extractor.max_concurrency):
                bell = threading.Event()
                self._bells.append(bell)
                targets.append((f"tensemem-worker-{number}", partial(self._loop, bell)))
        for name, target in targets:
            thread = threading.Thread(target=target, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def wake(self) -> None:
        """Look for messages now."""
        if self._crew is not None:
            self._crew.wake()
        for bell in self._bells:
            bell.set()

    def stop(self, timeout: float) -> None:
        """Stop after the messages being extracted, waiting some seconds for them; the leases are given back."""
        self._stop.set()
        self.wake()
        deadline = time.monotonic() + timeout
        for thread in self._threads:
            if thread is not threading.current_thread():  # an extractor or a hook may close the memory it works for
                thread.join(max(0.0, deadline - time.monotonic()))
        try:
            with self._engine.store.write() as tx:
                tx.drop_worker(self._row.id)
        except TensememError:
            log.caution("not signed off", "the worker could not sign off; its lease runs out by itself")

    def run_until_idle(self, should_stop: Callable[[], bool]) -> int:
        """Settle everything that is due, in this thread; gives how many messages were settled."""
        self._say_alive()
        try:
            if self._crew is not None:
                return self._crew.work_until_idle(should_stop)
            done = 0
            while not should_stop() and (scope := self._take()) is not None:
                done += self._settle(scope, should_stop)
            return done
        finally:
            self.stop(0)

    def _loop(self, bell: threading.Event) -> None:
        while not self._stop.is_set():
            try:
                scope = persistently(self._take)
                if scope is not None:
                    self._settle(scope, self._stop.is_set)
                    continue
            except ClosedError:
                return
            except StoreError as error:  # a disk that is full or fails, a server that is gone: no fault of ours
                log.failure("worker waits", "the worker waits for the store", error=error, level=WARNING)
                self._stop.wait(IDLE_SECONDS)
            except Exception as error:
                log.failure("worker failed", "the worker failed; it goes on", error=error)
                self._stop.wait(IDLE_SECONDS)
            bell.wait(IDLE_SECONDS)
            bell.clear()

    def _settle(self, scope: Scope, should_stop: Callable[[], bool]) -> int:
        """Settle a scope's due messages, then give its lease back."""
        try:
            return run(settle_scope(self._engine, self._extractor, scope, self._row.id, should_stop))
        finally:
            self._give_back(scope)

    def _take(self) -> Scope | None:
        """Lease a scope that has a message due, and that no other thread of this worker is busy with."""
        engine = self._engine
        now = engine.operational_clock()
        with engine.store.read() as reader:
            if not reader.is_work_due(now, engine.worked_namespace):
                return None
            dead = dead_workers(engine, reader.workers(), reader.owners())
        with self._holding:
            with engine.store.write() as tx:
                head = tx.lease(
                    self._row.id, now, now + LEASE_SECONDS * SECOND, dead, list(self._held.values()),
                    engine.worked_namespace,
                )  # fmt: skip
            if head is None:
                return None
            self._held[head.scope] = head.id
            return head.scope

    def _give_back(self, scope: Scope) -> None:
        with self._holding:
            lease = self._held.pop(scope, None)
            if lease is not None:
                persistently(lambda: self._release(lease))

    def _release(self, lease: int) -> None:
        with self._engine.store.write() as tx:
            tx.release(lease, self._row.id)

    def _beat(self) -> None:
        while not self._stop.wait(BEAT_SECONDS):
            try:
                self._say_alive()
            except ClosedError:
                return
            except StoreError:
                log.caution("no beat", "the worker could not say that it lives; it tries again")

    def _keep(self) -> None:
        from .retaining import Keeper  # brings what removes, which few need

        Keeper(self._engine, self._row.id, self._stop.is_set, self._stop.wait).work()

    def _say_alive(self) -> None:
        engine, row = self._engine, self._row
        now = engine.operational_clock()
        with self._holding:
            with engine.store.write() as tx:
                tx.beat(WorkerRow(row.id, row.host, row.pid, row.started, now))
                for owner in (left := tuple(engine.unreleased)):
                    tx.drop_worker(owner)
            engine.unreleased.difference_update(left)
            for lease in self._held.values():  # a transaction is about one scope
                with engine.store.write() as tx:
                    tx.renew(lease, row.id, now + LEASE_SECONDS * SECOND)


def dead_workers(engine: Engine, workers: list[WorkerRow], owners: list[str]) -> list[str]:
    """Give the owners of leases that are known to be gone: their process ended, or they are silent for long."""
    now = engine.operational_clock()
    alive = {worker.id for worker in workers if is_alive(worker, now)}
    return [owner for owner in owners if owner not in alive]
