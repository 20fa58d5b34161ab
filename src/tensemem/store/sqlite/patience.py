"""Waiting for a lock: in this process in the order of asking, among processes by trying again."""

from __future__ import annotations

import random
import threading
import time
from collections import deque

from .driver_errors import DRIVER, is_busy
from .drivers import Cursor

_FIRST_PAUSE, _GROWTH, _LONGEST_PAUSE = 0.0002, 1.6, 0.012


def execute_patiently(cursor: Cursor, statement: str, budget: float) -> None:
    """Run a statement, again and again while others hold the lock it needs, for ``budget`` seconds at most.

    Pauses grow and are never equal, so that processes that wait don't wake in step. Raises the last busy error.
    """
    give_up = time.monotonic() + budget
    pause = _FIRST_PAUSE
    while True:
        try:
            cursor.execute(statement)
            return
        except DRIVER.kinds as error:
            left = give_up - time.monotonic()
            if left <= 0 or not is_busy(error):
                raise
        time.sleep(min(left, pause * random.uniform(0.5, 1.5)))
        pause = min(pause * _GROWTH, _LONGEST_PAUSE)


class Turn:
    """A lock that is granted in the order it was asked for; any thread may release it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_taken = False

    def acquire(self, seconds: float) -> bool:
        """Wait for the lock; tells whether it was granted in time."""
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return True
            gate = threading.Lock()
            gate.acquire()
            self._waiting.append(gate)
        try:
            if gate.acquire(timeout=seconds):
                return True
        except BaseException:  # an interrupt: leave the line, or pass on what was granted meanwhile
            if not self._withdraw(gate):
                self.release()
            raise
        return not self._withdraw(gate)

    def release(self) -> None:
        """Grant the lock to who has waited longest, or to nobody."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False

    def _withdraw(self, gate: threading.Lock) -> bool:
        with self._guard:
            if gate in self._waiting:
                self._waiting.remove(gate)
                return True
            return False
