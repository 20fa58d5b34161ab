"""How often somebody may do something: a bucket each, which is filled again at a steady rate."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import InvalidValueError

MOST_KNOWN = 4096
"""How many buckets are kept; those not used for longest are forgotten first, and are full again."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many per second, in the long run, and ``burst`` at once. Raises InvalidValueError for none at all."""

    per_second: float
    burst: int

    def __post_init__(self) -> None:
        if not 0 < self.per_second < float("inf") or self.burst < 1:
            raise InvalidValueError("a rate is a positive number per second, and a burst of 1 or more")


class Buckets:
    """A bucket for each name. ``clock`` gives seconds that never go back."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._rate, self._clock = rate, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._turn = threading.Lock()

    def take(self, name: str) -> float:
        """Take one; gives 0.0, or else the seconds after which there is one again, and takes none."""
        with self._turn:
            now, level = self._level(name)
            if level < 1.0:
                return (1.0 - level) / self._rate.per_second
            self._keep(name, level - 1.0, now)
            return 0.0

    def give_back(self, name: str) -> None:
        """Put back what was taken."""
        with self._turn:
            now, level = self._level(name)
            self._keep(name, min(level + 1.0, float(self._rate.burst)), now)

    def _level(self, name: str) -> tuple[float, float]:
        now = self._clock()
        level, then = self._levels.get(name, (float(self._rate.burst), now))
        return now, min(float(self._rate.burst), level + max(0.0, now - then) * self._rate.per_second)

    def _keep(self, name: str, level: float, now: float) -> None:
        self._levels[name] = level, now
        self._levels.move_to_end(name)
        if len(self._levels) > MOST_KNOWN:
            self._levels.popitem(last=False)
