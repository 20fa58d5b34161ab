"""The worker: takes scopes with due messages one by one, under a lease that a killed process does not keep.

A lease belongs to a worker; a worker is a process of a machine, known by its number and when it was started. Where
that process is gone its leases count for nothing, so nobody waits for them to run out.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable

from ..errors import ClosedError, StoreError, TensememError
from ..extract.calling import CallableExtractor
from ..model.scope import Scope
from ..ports import WorkerRow
from .core import Engine, log
from .flow import run
from .freshness import BEAT_SECONDS, host_name, is_alive, process_started
from .settle import settle_next

LEASE_SECONDS = 60
"""How long a lease holds without being renewed; it is renewed while a model is being asked."""

IDLE_SECONDS = 0.5
"""How long an idle worker sleeps at most before it looks for messages of other processes."""


class Worker:
    """Extracts in a thread of its own, or until nothing is due when called."""

    def __init__(self, engine: Engine, extractor: CallableExtractor) -> None:
        self._engine, self._extractor = engine, extractor
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._threads: list[threading.Thread] = []
        self._lease: int | None = None
        pid = os.getpid()
        self._row = WorkerRow(
            uuid.uuid4().hex, host_name(), pid, process_started(pid) or "running", engine.operational_clock()
        )

    def start(self) -> None:
        """Start the worker's threads: one that extracts, one that says so and renews the lease."""
        self._say_alive()
        for name, target in (("tensemem-worker", self._loop), ("tensemem-beat", self._beat)):
            thread = threading.Thread(target=target, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def wake(self) -> None:
        """Look for messages now."""
        self._wake.set()

    def stop(self, timeout: float) -> None:
        """Stop after the message being extracted, waiting some seconds for it; its lease is given back."""
        self._stop.set()
        self._wake.set()
        deadline = time.monotonic() + timeout
        for thread in self._threads:
            if thread is not threading.current_thread():  # an extractor or a hook may close the memory it works for
                thread.join(max(0.0, deadline - time.monotonic()))
        try:
            with self._engine.store.write() as tx:
                tx.drop_worker(self._row.id)
        except TensememError:
            log.warning("the worker could not sign off; its lease runs out by itself")

    def run_until_idle(self, should_stop: Callable[[], bool]) -> int:
        """Settle everything that is due, in this thread; gives how many messages were settled."""
        self._say_alive()
        done = 0
        try:
            while not should_stop() and (scope := self._take([])) is not None:
                done += self._settle(scope, should_stop)
        finally:
            self.stop(0)
        return done

    def _loop(self) -> None:
        while not self._stop.is_set():
            try:
                scope = self._take([])
                if scope is not None:
                    self._settle(scope, self._stop.is_set)
                    continue
            except ClosedError:
                return
            except Exception:
                log.exception("the worker failed; it goes on")
                self._stop.wait(IDLE_SECONDS)
            self._idle()

    def _idle(self) -> None:
        self._wake.wait(IDLE_SECONDS)
        self._wake.clear()

    def _settle(self, scope: Scope, should_stop: Callable[[], bool]) -> int:
        """Settle a scope's due messages, then give its lease back."""
        done = 0
        try:
            while not should_stop() and (tried := run(settle_next(self._engine, self._extractor, scope))) is not None:
                done += tried.unavailable is None
        finally:
            self._give_back()
        return done

    def _take(self, skip: list[int]) -> Scope | None:
        engine = self._engine
        now = engine.operational_clock()
        with engine.store.read() as reader:
            if not reader.is_work_due(now):
                return None
            dead = dead_workers(engine, reader.workers(), reader.owners())
        with engine.store.write() as tx:
            head = tx.lease(self._row.id, now, now + LEASE_SECONDS * 1_000_000, dead, skip)
            self._lease = None if head is None else head.id
            return None if head is None else head.scope

    def _give_back(self) -> None:
        lease, self._lease = self._lease, None
        if lease is not None:
            with self._engine.store.write() as tx:
                tx.release(lease, self._row.id)

    def _beat(self) -> None:
        while not self._stop.wait(BEAT_SECONDS):
            try:
                self._say_alive()
            except ClosedError:
                return
            except StoreError:
                log.warning("the worker could not say that it lives; it tries again")

    def _say_alive(self) -> None:
        engine, row = self._engine, self._row
        now = engine.operational_clock()
        with engine.store.write() as tx:
            tx.beat(WorkerRow(row.id, row.host, row.pid, row.started, now))
            lease = self._lease
            if lease is not None:
                tx.renew(lease, row.id, now + LEASE_SECONDS * 1_000_000)


def dead_workers(engine: Engine, workers: list[WorkerRow], owners: list[str]) -> list[str]:
    """Give the owners of leases that are known to be gone: their process ended, or they are silent for long."""
    now = engine.operational_clock()
    alive = {worker.id for worker in workers if is_alive(worker, now)}
    return [owner for owner in owners if owner not in alive]
