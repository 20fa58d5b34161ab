"""Bodies that are held at the same time: so many bytes of one key, and so many of all, and no more."""

from __future__ import annotations

from collections import Counter

from .calls import Call
from .limits import Limits
from .refusals import Refusal


class HeldBodies:
    """Counts the bytes of bodies from when they come until their requests are answered."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._of_one: Counter[str] = Counter()
        self.total = 0

    def take(self, call: Call, size: int) -> None:
        """Count bytes that came. Raises Refusal where that is too much, of all keys or of this one."""
        key, limits = _key_of(call), self._limits
        if self.total + size > limits.bodies or self._of_one[key] + size > limits.bodies_of_one:
            raise Refusal("unavailable", "too much is being sent at once; nothing of this was done: send it later")
        self.total += size
        self._of_one[key] += size
        call.held += size

    def give_back(self, call: Call) -> None:
        """Count what a request brought no longer."""
        key = _key_of(call)
        self.total -= call.held
        self._of_one[key] -= call.held
        call.held = 0
        if not self._of_one[key]:
            del self._of_one[key]


def _key_of(call: Call) -> str:
    return "" if call.key is None else call.key.id
