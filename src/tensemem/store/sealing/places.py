"""Where keys are kept: what is asked of a key store, whatever it is."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol


class Door(NamedTuple):
    """What a key store's secret is locked in: whose it is, of which generation, and what the lock was salted with."""

    store: str
    epoch: int
    salt: bytes
    locked: bytes


class KeyRows(Protocol):
    """One transaction over a key store; names and wrapped keys are bytes that mean nothing to it."""

    def doors(self) -> list[Door]:
        """Give the doors, the newest generation first; they stay as they are until a writing transaction ends."""

    def put_doors(self, doors: Sequence[Door]) -> None:
        """Have these doors, and no others."""

    def find(self, name: bytes) -> bytes | None:
        """Give the wrapped key of a name."""

    def add(self, name: bytes, wrapped: bytes) -> bytes:
        """Keep a wrapped key unless there is one; gives the one that is there."""

    def drop(self, name: bytes) -> bool:
        """Remove a key; tells whether it was there."""

    def page(self, after: bytes, limit: int) -> list[tuple[bytes, bytes]]:
        """Give names and wrapped keys behind a name, in order."""

    def replace(self, keys: Sequence[tuple[bytes, bytes]]) -> None:
        """Put other wrapped keys in the place of those of some names; each as (wrapped, name)."""

    def count(self) -> int:
        """Give how many keys there are."""


class KeyPlace(Protocol):
    """A key store. Driver errors become the library's own here."""

    location: str
    read_only: bool

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """What copies out of reach may still hold of keys that were destroyed, a sentence each."""

    @property
    def is_inherited(self) -> bool:
        """Whether it is the parent's of a process that was forked off: nothing of it may be touched here."""

    def begin(self, *, write: bool) -> AbstractContextManager[KeyRows]:
        """Open a transaction; what it wrote is on the disk when it ends without an error."""

    def scrub(self) -> None:
        """Overwrite what was removed, as far as this kind of place can."""

    def close(self) -> None:
        """Let go of it."""
