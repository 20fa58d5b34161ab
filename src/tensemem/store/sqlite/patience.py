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


class Place:
    """One who wants the turn: a gate it sleeps behind, and whether it need not wait any more."""

    __slots__ = ("gate", "is_dismissed", "thread")

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.gate: threading.Lock | None = None
        self.is_dismissed = False

    def close_gate(self) -> None:
        """Make that waiting for this place means sleeping."""
        self.gate = threading.Lock()
        self.gate.acquire()

    def open_gate(self) -> None:
        """Wake who sleeps there; may be called again."""
        if self.gate is not None and self.gate.locked():
            self.gate.release()


class Turn:
    """A lock that is granted in the order it was asked for, and that a holder may lend to others and have back.

    Who lent it (``hand_on``) sleeps until it is dismissed, or until the lock comes back because nobody else wants it.
    Each step may be cut off by an interrupt anywhere and called again: a lock is never lost on the way.
    """

    def __init__(self) -> None:
        self.holder: Place | None = None
        self._guard = threading.Lock()
        self._waiting: deque[Place] = deque()
        self._lenders: deque[Place] = deque()

    def acquire(self, place: Place, seconds: float) -> bool:
        """Wait for the lock; tells whether it was granted in time. Where it raises, ``withdraw`` tells."""
        with self._guard:
            if self.holder is None:
                self.holder = place
                return True
            place.close_gate()
            self._waiting.append(place)
        return self._sleep(place, seconds)

    def release(self, place: Place) -> None:
        """Grant the lock to who has waited longest, else to who lent it first, or to nobody."""
        with self._guard:
            if self.holder is place:
                self._grant()

    def pass_on(self, place: Place) -> bool:
        """Do so unless it would be nobody's; tells whether somebody else has it now."""
        with self._guard:
            if self.holder is place and (self._waiting or self._lenders):
                self._grant()
            return self.holder is not place

    def hand_on(self, place: Place) -> None:
        """Lend the lock to who has waited longest; returns when this place is dismissed, or has the lock again."""
        with self._guard:
            place.close_gate()
            self._lenders.append(place)
            self._grant()
        self._sleep(place, -1)

    def withdraw(self, place: Place) -> bool:
        """Leave the lines; tells whether the lock is this place's."""
        with self._guard:
            for line in (self._waiting, self._lenders):
                if place in line:
                    line.remove(place)
            return self.holder is place

    def dismiss(self) -> None:
        """Wake all who lent the lock; they need not have it back."""
        with self._guard:
            for place in self._lenders:
                place.is_dismissed = True
                place.open_gate()
            self._lenders.clear()

    def is_wanted(self) -> bool:
        """Whether somebody waits."""
        return bool(self._waiting)

    def _grant(self) -> None:
        line = self._waiting or self._lenders
        heir = line[0] if line else None  # it leaves the line itself, once it is awake
        if heir is not None:
            heir.open_gate()
        self.holder = heir

    def _sleep(self, place: Place, seconds: float) -> bool:
        """Sleep until the lock is granted, or this place dismissed; tells whether the lock is this place's."""
        give_up = time.monotonic() + seconds
        assert place.gate is not None
        while place.gate.acquire(timeout=seconds):
            with self._guard:
                is_over = self.holder is place or place.is_dismissed
            if is_over:  # else a grant was cut off half-way, and will be made again
                break
            seconds = -1 if seconds < 0 else max(0.0, give_up - time.monotonic())
        return self.withdraw(place)
