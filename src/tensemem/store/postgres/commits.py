"""Noticing commits: this process's own at once, those of others as the server tells of them, else by looking again.

A commit is told after it happened, by a thread of its own that sends one notification for many: to notify inside the
transaction would have all commits of a database queue for one lock. What is lost that way (a process killed between
the two) is found by looking again; so is everything where a proxy between lets no notification through.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

import psycopg

from ...errors import StoreError

LOOK_AGAIN_ALONE = 0.1
"""Seconds after which a waiting thread looks again where nothing is heard of other processes."""
LOOK_AGAIN = 1.0
"""The same where notifications are heard."""
_BETWEEN_TELLINGS = 0.005
_BEFORE_LISTENING_AGAIN = 1.0
_LISTENING = 0.2
_BETWEEN_HEARINGS = 0.02
"""Seconds between two notifications that are heeded: else whoever waits would look again at each commit of a fleet."""


class Commits:
    """Counts the commits that were noticed, and lets threads wait for the next.

    ``connect`` opens a connection of its own, in autocommit; ``channel`` is what commits are told under.
    """

    def __init__(self, connect: Callable[[], psycopg.Connection], channel: str) -> None:
        self._connect, self._channel = connect, channel
        self._changed = threading.Condition()
        self._number = 0
        self._seen = threading.local()
        self._ended = threading.Event()
        self._to_tell = threading.Event()
        self._threads: dict[str, threading.Thread] = {}
        self._hears = False

    def announce(self) -> None:
        """Say that this process has committed something."""
        self._count()
        if not self._to_tell.is_set():
            self._to_tell.set()
            self._start("tensemem-tell", self._tell)

    def wait(self, seconds: float) -> None:
        """Return when something may have been committed since this thread last returned, else after some seconds."""
        self._start("tensemem-listen", self._listen)
        give_up = time.monotonic() + min(seconds, LOOK_AGAIN if self._hears else LOOK_AGAIN_ALONE)
        with self._changed:
            seen = getattr(self._seen, "number", None)
            while not self._ended.is_set() and self._number == seen:
                left = give_up - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            self._seen.number = self._number

    def close(self) -> None:
        """Wake who waits, and let the threads end."""
        self._ended.set()
        self._to_tell.set()
        self._count()
        for thread in list(self._threads.values()):
            if thread is not threading.current_thread():
                thread.join(5.0)

    def _count(self) -> None:
        with self._changed:
            self._number += 1
            self._changed.notify_all()

    def _start(self, name: str, target: Callable[[], None]) -> None:
        if name in self._threads or self._ended.is_set():
            return
        with self._changed:
            if name not in self._threads:
                thread = self._threads[name] = threading.Thread(target=target, name=name, daemon=True)
                thread.start()

    def _tell(self) -> None:
        connection: psycopg.Connection | None = None
        while True:
            self._to_tell.wait()
            if self._ended.is_set():
                break
            self._to_tell.clear()
            try:
                if connection is None or connection.closed:
                    connection = self._connect()
                    # All who notify queue for one lock: it must not be held until a disk, or a standby, has answered.
                    connection.execute("SET synchronous_commit = off")
                connection.execute(f"NOTIFY {self._channel}")
            except (psycopg.Error, StoreError):  # others look again by themselves
                _close(connection)
                connection = None
            self._ended.wait(_BETWEEN_TELLINGS)
        _close(connection)

    def _listen(self) -> None:
        while not self._ended.is_set():
            connection: psycopg.Connection | None = None
            try:
                connection = self._connect()
                connection.execute(f"LISTEN {self._channel}")
                connection.execute(f"NOTIFY {self._channel}")  # heard again only where no proxy stands between
                while not self._ended.is_set():
                    if [*connection.notifies(timeout=_LISTENING, stop_after=1)]:
                        self._hears = True
                        self._count()
                    self._ended.wait(_BETWEEN_HEARINGS)
            except (psycopg.Error, StoreError):
                self._hears = False
                self._ended.wait(_BEFORE_LISTENING_AGAIN)
            finally:
                _close(connection)


def _close(connection: psycopg.Connection | None) -> None:
    if connection is not None:
        with contextlib.suppress(psycopg.Error):
            connection.close()
