"""Noticing commits: this process's own at once, those of others by asking SQLite now and then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from .drivers import Connection

_FIRST_PAUSE, _GROWTH, _LONGEST_PAUSE = 0.001, 1.6, 0.05


class Commits:
    """Counts the commits that were noticed, and lets threads wait for the next.

    ``others`` opens the connection that tells of other processes; None where there can be none.
    """

    def __init__(self, others: Callable[[], Connection] | None) -> None:
        self._changed = threading.Condition()
        self._number = 0
        self._others = others
        self._connection: Connection | None = None
        self._version = 0
        self._seen = threading.local()
        self._is_closed = False

    def announce(self) -> None:
        """Say that this process has committed something."""
        with self._changed:
            self._number += 1
            self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        """Return when something was committed since this thread last returned from here, else after some seconds.

        So whoever looks, waits and looks again misses nothing: what came between a look and the wait ends the wait.
        """
        give_up = time.monotonic() + seconds
        pause = _FIRST_PAUSE
        with self._changed:
            seen = getattr(self._seen, "number", None)
            while not self._is_closed and self._noticed() == seen:
                left = give_up - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left if self._others is None else min(left, pause))
                pause = min(pause * _GROWTH, _LONGEST_PAUSE)
            self._seen.number = self._number

    def close(self) -> None:
        """Wake who waits, and let go of the connection."""
        with self._changed:
            self._is_closed = True
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            self._changed.notify_all()

    def _noticed(self) -> int:
        if self._others is not None:
            if self._connection is None:
                self._connection = self._others()
            version = self._connection.execute("PRAGMA data_version").fetchone()[0]
            if version != self._version:
                self._version = version
                self._number += 1
        return self._number
