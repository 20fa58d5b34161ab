"""The keys that are at hand: those used last, and none that was destroyed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import NamedTuple

from ...model.scope import Scope
from ...ports import Head
from .ciphers import ScopeKey, Unshown

KEYS_AT_HAND = 4096
"""How many scopes' keys an open memory keeps at hand."""


class Life(NamedTuple):
    """A scope from its first entry until it is forgotten; who comes back begins another one, with another key."""

    scope: Scope
    number: int
    base_rev: int

    @classmethod
    def of(cls, head: Head) -> Life:
        """Give the life that a head stands for."""
        return cls(head.scope, head.id, head.base_rev)


class AtHand(Unshown):
    """Keys by the lives they are of. Safe to use from many threads; nobody waits here for a disk."""

    __slots__ = ("_guard", "_keys", "dropped")

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._keys: OrderedDict[Life, ScopeKey] = OrderedDict()
        self.dropped = 0
        """How often keys were let go of, since they were destroyed."""

    def get(self, life: Life) -> ScopeKey | None:
        """Give a key, if it is at hand."""
        with self._guard:
            found = self._keys.get(life)
            if found is not None:
                self._keys.move_to_end(life)
            return found

    def put(self, life: Life, key: ScopeKey, since: int) -> ScopeKey:
        """Keep a key at hand, unless one was destroyed ``since``: it may have been this one."""
        with self._guard:
            if since == self.dropped:
                self._keys[life] = key
                self._keys.move_to_end(life)
                if len(self._keys) > KEYS_AT_HAND:
                    self._keys.popitem(last=False)
        return key

    def drop(self, scope: Scope) -> None:
        """Let go of the keys of all lives of a scope."""
        with self._guard:
            self.dropped += 1
            for life in [life for life in self._keys if life.scope == scope]:
                del self._keys[life]

    def clear(self) -> None:
        """Let go of all of them."""
        with self._guard:
            self.dropped += 1
            self._keys.clear()

    def __len__(self) -> int:
        return len(self._keys)
