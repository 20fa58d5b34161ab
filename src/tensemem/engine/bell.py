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

from .flow import Pause, is_told

_LISTEN_SECONDS = 0.5
"""How long the thread listens before it looks whether anybody still sleeps."""

_REST_SECONDS = 0.0002
"""How long the bell rests for each sleeper it asked for or woke: those who look leave time to those who write."""

_AFTER_FAILURE = 0.05


class Bell:
    """Rings when something may have been committed. ``rings`` counts how often it did.

    Whoever notes ``rings``, looks, and then sleeps with what was noted misses nothing that comes after the look. A ring
    wakes those to whom it is anything: who says nothing of that is woken each time.
    """

    def __init__(self) -> None:
        self.rings = 0
        self._lock = threading.Lock()
        self._sleepers: dict[asyncio.Future[None], tuple[asyncio.AbstractEventLoop, Pause]] = {}
        self._is_listening = False
        # Always the same thread: a store knows by the thread what it has told it already.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tensemem-bell")

    async def sleep(self, pause: Pause, noted: int) -> bool:
        """Return when the bell has rung for who sleeps, at latest after the seconds of the pause.

        False at once where it has rung since its rings were noted; whether that was anything is for the sleeper to see.
        """
        loop = asyncio.get_running_loop()
        woken: asyncio.Future[None] = loop.create_future()
        with self._lock:
            if self.rings != noted:
                return False
            self._sleepers[woken] = loop, pause
            self._start(pause.wait)
        alarm = loop.call_later(pause.seconds, _wake, woken)
        try:
            await woken
        finally:
            alarm.cancel()
            with self._lock:
                self._sleepers.pop(woken, None)
        return True

    def ring(self, *, for_all: bool = True) -> int:
        """Wake all who sleep, or those to whom it is anything; gives how many sleepers there were."""
        with self._lock:
            self.rings += 1
            sleepers = list(self._sleepers.items())
        for woken, (loop, pause) in sleepers:
            if for_all or is_told(pause):
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
            failed = False
            try:
                listen(_LISTEN_SECONDS)
            except Exception:  # the store is closed, or worse: those who wake look, and are told what it is
                failed = True
            rest = self.ring(for_all=failed) * _REST_SECONDS
            time.sleep(max(rest, _AFTER_FAILURE if failed else 0.0))

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
