"""States that an open memory keeps, so that a read that finds nothing changed reads nothing.

Whether one still holds is looked at each time it is asked for. What goes is what may be of somebody who was forgotten:
at once, where that is done here, whatever is being read meanwhile; and soon, where another process did it, for nobody
tells of that: what nobody has asked for in a while is dropped as soon as anything is done with the memory.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from ..model.scope import Scope

MOST = 512
UNREAD_SECONDS = 60.0
"""For how long a state is kept that nobody reads."""


class KeptStates:
    """States by scope, each with what it was made of. Any thread may use it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.drops = 0
        """How often something was dropped that may be gone: what was read before that is not kept any more."""
        self._clock, self._lock = clock, threading.Lock()
        self._kept: dict[Scope, tuple[Any, Any]] = {}
        self._read_at: dict[Scope, float] = {}
        self._swept_at = clock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, scope: Scope) -> tuple[Any, Any] | None:
        """Give what a state was made of, and the state; None where none is kept."""
        found = self._kept.get(scope)
        if found is not None:
            self._read_at[scope] = self._clock()
        return found

    def keep(self, scope: Scope, made: Any, state: Any, *, drops: int) -> None:
        """Keep a state that began to be read when there were so many drops; not where there are more by now."""
        with self._lock:
            self._sweep(UNREAD_SECONDS)
            if drops != self.drops:
                return
            if len(self._kept) >= MOST:
                self._kept.clear()
                self._read_at.clear()
            self._kept[scope] = made, state
            self._read_at[scope] = self._clock()

    def drop(self, scope: Scope) -> None:
        """Keep nothing of a scope, of which something goes; nor what is being read of it now."""
        with self._lock:
            self.drops += 1
            self._discard(scope)

    def discard(self, scope: Scope) -> None:
        """Keep nothing of a scope that was found to be gone: whoever asks for another's reads on."""
        if scope in self._kept:
            with self._lock:
                self._discard(scope)

    def sweep(self, pause: float = 0.0) -> None:
        """Drop what nobody has read in a while, if that was last done so many seconds ago."""
        if self._kept and self._clock() - self._swept_at >= pause:
            with self._lock:
                self._sweep(pause)

    def _sweep(self, pause: float) -> None:
        now = self._clock()
        if now - self._swept_at < pause:
            return
        self._swept_at = now
        for scope in [scope for scope, at in list(self._read_at.items()) if now - at >= UNREAD_SECONDS]:
            self._discard(scope)

    def _discard(self, scope: Scope) -> None:
        self._kept.pop(scope, None)
        self._read_at.pop(scope, None)
