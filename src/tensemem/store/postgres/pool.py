"""Connections that are used again, made in the thread that needs one.

Whoever finds none idle makes one, up to so many, and tries again while no server takes writes: after a switch to
another server the first one to ask gets there, without a pause that has grown meanwhile.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from weakref import WeakSet

import psycopg

from ...errors import StoreBusyError
from .driver_errors import is_at_rest, is_final
from .link import Link

_IDLE_FOR = 300.0
"""Seconds after which an idle connection is closed when it is come across: a firewall may have forgotten it."""
_LOOK_AGAIN = 0.1
"""Seconds after which who waits looks again: a place that nobody holds any more tells nobody."""
_PAUSES = (0.02, 0.25)
"""Seconds between attempts to connect: the first, and the longest."""


class Place:
    """A place in the pool. It is taken while anybody holds it: a connection, or whoever is making one.

    So none is lost where somebody is interrupted, wherever that is: what nobody holds is free again.
    """

    __slots__ = ("__weakref__",)


class Pool:
    """At most ``size`` connections; ``connect`` makes one, ``check`` raises where nobody may have one any more."""

    def __init__(self, connect: Callable[[], Link], size: int, check: Callable[[], None]) -> None:
        self._connect, self._size, self._check = connect, size, check
        self._taken: WeakSet[Place] = WeakSet()
        self._idle: list[tuple[Link, float]] = []
        self._changed = threading.Condition()
        self._is_closed = False

    def take(self, deadline: float) -> Link:
        """Give a connection until a moment of the monotonic clock.

        Raises StoreBusyError where all are in use until then, and the driver's error where none could be made.
        """
        place = self._place(deadline)
        connection = self._newest() or self._made(deadline)
        connection.place = place
        return connection

    def give_back(self, connection: Link) -> None:
        """Give it back; one that is broken is dropped, and so is one that has lain idle below it for long."""
        drop: list[Link] = []
        connection.place = None
        with self._changed:
            if self._idle and time.monotonic() - self._idle[0][1] > _IDLE_FOR:
                drop.append(self._idle.pop(0)[0])
            if self._is_closed or not is_at_rest(connection):
                drop.append(connection)
            else:
                self._idle.append((connection, time.monotonic()))
            self._changed.notify()
        for one in drop:
            one.close()

    def close(self) -> None:
        """Close what is idle, and let whoever waits for a connection hear of it."""
        with self._changed:
            self._is_closed = True
            idle, self._idle = self._idle, []
            self._changed.notify_all()
        for connection, _ in idle:
            connection.close()

    def _place(self, deadline: float) -> Place:
        place = Place()
        with self._changed:
            while True:
                self._check()
                if len(self._taken) < self._size:
                    self._taken.add(place)
                    return place
                left = deadline - time.monotonic()
                if left <= 0:
                    raise StoreBusyError(
                        f"all {self._size} connections are in use; tensemem_pool in the URL allows more"
                    )
                self._changed.wait(min(left, _LOOK_AGAIN))

    def _newest(self) -> Link | None:
        """Give the one used last; those that lay idle for long are closed with the first of them."""
        with self._changed:
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
