"""Connections that are used again, made in the thread that needs one.

Whoever finds none idle makes one, up to so many, and tries again while no server takes writes: after a switch to
another server the first one to ask gets there, without a pause that has grown meanwhile.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

import psycopg

from ...errors import StoreBusyError
from .driver_errors import is_final, is_lost
from .link import Link

_IDLE_FOR = 300.0
"""Seconds after which an idle connection is closed when it is come across: a firewall may have forgotten it."""
_PAUSES = (0.02, 0.25)
"""Seconds between attempts to connect: the first, and the longest."""


class Pool:
    """At most ``size`` connections; ``connect`` makes one, ``check`` raises where nobody may have one any more."""

    def __init__(self, connect: Callable[[], Link], size: int, check: Callable[[], None]) -> None:
        self._connect, self._size, self._check = connect, size, check
        self._room = threading.Semaphore(size)
        self._idle: list[tuple[Link, float]] = []
        self._lock = threading.Lock()
        self._is_closed = False

    def take(self, deadline: float) -> Link:
        """Give a connection until a moment of the monotonic clock.

        Raises StoreBusyError where all are in use until then, and the driver's error where none could be made.
        """
        self._check()
        if not self._room.acquire(timeout=max(0.001, deadline - time.monotonic())):
            raise StoreBusyError(f"all {self._size} connections are in use; tensemem_pool in the URL allows more")
        try:
            self._check()  # it may have been closed while we waited
            return self._newest() or self._made(deadline)
        except BaseException:
            self._room.release()
            raise

    def give_back(self, connection: Link) -> None:
        """Give it back; one that is broken is dropped, and so is one that has lain idle below it for long."""
        drop: list[Link] = []
        with self._lock:
            if self._idle and time.monotonic() - self._idle[0][1] > _IDLE_FOR:
                drop.append(self._idle.pop(0)[0])
            if is_lost(connection) or self._is_closed:
                drop.append(connection)
            else:
                self._idle.append((connection, time.monotonic()))
        self._room.release()
        for one in drop:
            one.close()

    def close(self) -> None:
        """Close what is idle, and let whoever waits for a connection hear of it."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()
        self._room.release(self._size)

    def _newest(self) -> Link | None:
        """Give the one used last; those that lay idle for long are closed with the first of them."""
        with self._lock:
            if not self._idle:
                return None
            connection, since = self._idle.pop()
            if time.monotonic() - since < _IDLE_FOR:
                return connection
            stale, self._idle = [connection, *(one for one, _ in self._idle)], []
        for one in stale:
            one.close()
        return None

    def _made(self, deadline: float) -> Link:
        pause, longest = _PAUSES
        while True:
            try:
                return self._connect()
            except psycopg.OperationalError as error:
                if is_final(error) or time.monotonic() + pause >= deadline:
                    raise
            time.sleep(pause * random.uniform(0.5, 1.5))  # never all at once on a server that has just come up
            pause = min(pause * 2, longest)
            self._check()
