"""A bell: wakes coroutines that sleep until something may have been committed.

One thread listens for all of them, and only while somebody sleeps; so any number may sleep, in any number of event
loops.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

_LISTEN_SECONDS = 0.5
"""How long the thread listens before it looks whether anybody still sleeps."""

_REST_SECONDS = 0.0001
"""How long the bell rests after waking one sleeper, so that those who look leave time to those who write."""

_AFTER_FAILURE = 0.05


class Bell:
    """Rings when something may have been committed. ``rings`` counts how often it did.

    Whoever notes ``rings``, looks, and then sleeps with what was noted misses nothing that comes after the look.
    """

    def __init__(self) -> None:
        self.rings = 0
        self._lock = threading.Lock()
        self._sleepers: dict[asyncio.Future[None], asyncio.AbstractEventLoop] = {}
        self._is_listening = False
        # Always the same thread: a store knows by the thread what it has told it already.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tensemem-bell")

    async def sleep(self, seconds: float, listen: Callable[[float], None], noted: int) -> None:
        """Return when the bell has rung since its rings were noted, at latest after some seconds.

        ``listen`` blocks until something may have been committed, at most the seconds it is given.
        """
        loop = asyncio.get_running_loop()
        woken: asyncio.Future[None] = loop.create_future()
        with self._lock:
            if self.rings != noted:
                return
            self._sleepers[woken] = loop
            self._start(listen)
        alarm = loop.call_later(seconds, _wake, woken)
        try:
            await woken
        finally:
            alarm.cancel()
            with self._lock:
                self._sleepers.pop(woken, None)

    def ring(self) -> int:
        """Wake all who sleep; gives how many."""
        with self._lock:
            self.rings += 1
            sleepers, self._sleepers = self._sleepers, {}
        for woken, loop in sleepers.items():
            call_in(loop, partial(_wake, woken))
        return len(sleepers)

    def close(self) -> None:
        """Wake all who sleep, and listen no more; whoever sleeps later sleeps to the end."""
        self._thread.shutdown(wait=False)
        self.ring()

    def _start(self, listen: Callable[[float], None]) -> None:
        if not self._is_listening:
            with suppress(RuntimeError):  # closed
                self._thread.submit(self._serve, listen)
                self._is_listening = True

    def _serve(self, listen: Callable[[float], None]) -> None:
        while self._is_wanted():
            rest = 0.0
            try:
                listen(_LISTEN_SECONDS)
            except Exception:  # the store is closed, or worse: those who wake look, and are told what it is
                rest = _AFTER_FAILURE
            rest = max(rest, self.ring() * _REST_SECONDS)
            time.sleep(rest)

    def _is_wanted(self) -> bool:
        with self._lock:
            self._is_listening = bool(self._sleepers)
            return self._is_listening


def call_in(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
    """Have a loop call something soon, from any thread; nothing happens where the loop is closed."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call)


def _wake(sleeper: asyncio.Future[None]) -> None:
    if not sleeper.done():
        sleeper.set_result(None)
