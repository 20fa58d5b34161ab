"""The sealing store: what is asked of it is asked of the store below, with every person's rows sealed on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...errors import InvalidValueError
from ...model.diagnosis import Finding
from ...model.scope import Scope
from ...ports import Store
from ..sqlite.keys import Key
from .keyring import Keyring
from .reading import SealedReader
from .writing import SealedWriter


class SealedStore:
    """A store whose rows are sealed with the keys of a keyring; ``inner`` is the store they are kept in.

    ``makes_keys``: whoever is new gets a key. A copy that shares the keyring of what it is a copy of makes none: who
    has none there was forgotten meanwhile, and StoreKeyError says so.
    """

    def __init__(self, inner: Store, ring: Keyring, *, makes_keys: bool = True) -> None:
        self.inner, self.ring, self._makes_keys = inner, ring, makes_keys
        self.durability, self.read_only = inner.durability, inner.read_only

    @property
    def location(self) -> str:
        """Where the data is; the keys are elsewhere."""
        return self.inner.location

    @property
    def ledger(self) -> str | None:
        """As of the store below."""
        return self.inner.ledger

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """Of the store below, and of where the keys are; what copies of the rows hold, nobody can read any more."""
        return *self.inner.elsewhere, *self.ring.elsewhere

    @property
    def is_scrub_due(self) -> bool:
        """As of the store below."""
        return self.inner.is_scrub_due

    def scrub(self) -> str | None:
        """As of the store below; the keys are gone at once."""
        return self.inner.scrub()

    @property
    def rollbacks(self) -> int:
        """As of the store below."""
        return self.inner.rollbacks

    @property
    def clock_ahead(self) -> int:
        """As of the store below."""
        return self.inner.clock_ahead

    def read(self) -> SealedReader[Any]:
        """Open one snapshot."""
        return SealedReader(self.inner.read(), self.ring)

    def glance(self, scope: Scope) -> None:
        """Whether a person's key is still there can't be told without waiting for the key store."""

    def write(self, *, alone: bool = False) -> SealedWriter:
        """Open one transaction."""
        return SealedWriter(self.inner.write(alone=alone), self.ring, makes_keys=self._makes_keys)

    def examine(self, *, thorough: bool = False, quick: bool = False) -> Iterator[Finding]:
        """As of the store below; and whether everybody whose rows are there has a key."""
        yield from self.inner.examine(thorough=thorough, quick=quick)
        if not quick:
            yield self._look_at_keys()

    def _look_at_keys(self) -> Finding:
        scopes = lacking = 0
        with self.read() as reader:
            for heads in reader.pages_of_heads():
                some = [head.scope for head in heads if head.scope.user_id and head.rev > head.base_rev]
                scopes += len(some)
                lacking += self.ring.lacks(some)
        where = f"each person's rows are sealed with a key of their own: the key store {self.ring.location}"
        if not lacking:
            todo = "back it up by itself, and not with the memory: a copy of both undoes forgetting"
            return Finding("keys", "note", f"{where} has the keys of all {scopes} scopes", todo)
        found = f"{where} lacks the keys of {lacking} of {scopes} scopes, which nobody can read"
        return Finding("keys", "error", found, "restore it from its own backup, or forget whom it lacks")

    def sizes(self) -> dict[str, int]:
        """As of the store below."""
        return self.inner.sizes()

    def wait_for_commit(self, seconds: float) -> None:
        """As of the store below."""
        self.inner.wait_for_commit(seconds)

    def close(self) -> None:
        """Let go of both stores."""
        try:
            self.inner.close()
        finally:
            self.ring.close()

    def rekey(self, key: str | bytes | None, *, timeout: float) -> None:
        """Give the memory another key: the file, where it is one, and the key store, whose keys are wrapped anew.

        A process that is killed leaves the file with the one key or the other, and a key store that this one opens.
        Raises what the store below does, and InvalidValueError for no key.
        """
        if key is None:
            raise InvalidValueError("a memory with a key per person needs a key; copy it into a plain one instead")
        if self.read_only:
            self.inner.write()  # raises what whoever writes there is told
        new = Key(key)
        rekey_file = getattr(self.inner, "rekey", None)
        if rekey_file is not None:
            self.ring.admit(new)
            rekey_file(key, timeout=timeout)
        self.ring.settle(new)


def below(store: Store) -> Store:
    """Give the store that keeps the rows, whatever is around it."""
    return store.inner if isinstance(store, SealedStore) else store
