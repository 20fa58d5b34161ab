"""The keys of an open memory: found, made and destroyed in a key store, and kept at hand while they are used.

A key store holds a secret of its own, locked in a *door* by a key that is derived from the memory's; the secret wraps
every scope's key, and makes the names under which they stand, so that a key store tells nobody's name. Giving a memory
another key takes two doors for a moment: a file and its key store can't change in one step, so both keys open the key
store until the file has the new one.
"""

from __future__ import annotations

import hmac
import os
import secrets
import threading
from collections.abc import Callable, Sequence

from ...errors import StoreCorruptError, StoreError, StoreKeyError
from ...model.jsontext import encode
from ...model.scope import Scope
from ...ports import Head
from ..sqlite.keys import SALT_BYTES, Key
from .ciphers import KEY_BYTES, ScopeKey, Unshown, Wrapping, derived
from .hand import KEYS_AT_HAND, AtHand, Life
from .places import Door, KeyPlace, KeyRows

_PAGE = 1000


class Secret(Unshown):
    """What a key store's doors hold: what wraps the keys, of which generation, and what makes their names."""

    __slots__ = ("epoch", "naming", "wrapping", "wraps_with")

    def __init__(self, wraps_with: bytes, naming: bytes, epoch: int) -> None:
        self.wraps_with, self.naming, self.epoch = wraps_with, naming, epoch
        self.wrapping = Wrapping(wraps_with)

    @classmethod
    def new(cls) -> Secret:
        """Draw one."""
        return cls(os.urandom(KEY_BYTES), os.urandom(KEY_BYTES), 1)

    def renewed(self) -> Secret:
        """Give the next generation, under which the same scopes have the same names."""
        return Secret(os.urandom(KEY_BYTES), self.naming, self.epoch + 1)

    def door(self, store: str, key: Key) -> Door:
        """Lock it with a key."""
        salt = os.urandom(SALT_BYTES)
        locked = _lock(key, salt).wrap(self.wraps_with + self.naming, _bound(store, self.epoch))
        return Door(store, self.epoch, salt, locked)

    @classmethod
    def behind(cls, door: Door, key: Key) -> Secret | None:
        """Unlock a door; None where the key is not its own."""
        found = _lock(key, door.salt).unwrap(door.locked, _bound(door.store, door.epoch))
        return None if found is None else cls(found[:KEY_BYTES], found[KEY_BYTES:], door.epoch)


def _lock(key: Key, salt: bytes) -> Wrapping:
    return Wrapping(derived(key.for_salt(salt), b"door", salt=salt))


def _bound(store: str, epoch: int) -> bytes:
    return f"door|{store}|{epoch}".encode()


class Keyring(Unshown):
    """The keys of one open memory. Safe to use from many threads.

    ``make`` makes a key store that is empty. Raises StoreKeyError where the key is not the key store's, and where
    there is none to open.
    """

    def __init__(self, place: KeyPlace, key: Key, *, make: bool) -> None:
        self._place, self._key = place, key
        self._turn = threading.Lock()  # over the key store and what opens it
        self._at_hand = AtHand()
        self._lives: dict[int, Life] = {}
        try:
            doors = self._doors(make=make)
            self.store, self._secret = self._unlocked(doors)
            if len(doors) > 1 and not place.read_only:  # a change of keys was broken off
                self.settle(key)
        except BaseException:
            place.close()
            raise

    @property
    def key(self) -> Key:
        """The key that the keys of the persons are wrapped with."""
        return self._key

    @property
    def location(self) -> str:
        """Where the keys are kept."""
        return self._place.location

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """What copies out of reach may still hold of keys that were destroyed, a sentence each."""
        return self._place.elsewhere

    def note(self, head: Head) -> Life:
        """Remember whose number a head's is; only a hint, for numbers of scopes that were never kept may come again."""
        life = Life.of(head)
        if len(self._lives) >= KEYS_AT_HAND:
            self._lives.clear()
        self._lives[head.id] = life
        return life

    def hint(self, scope_id: int) -> Life | None:
        """Give whose number it was when it was last seen."""
        return self._lives.get(scope_id)

    def key_of(self, life: Life, check: Callable[[ScopeKey], None]) -> ScopeKey:
        """Give a scope's key; raises StoreKeyError where it is gone, or as ``check`` does, which is asked once."""
        known = self._at_hand.get(life)
        if known is not None:
            return known
        since = self._at_hand.dropped
        with self._turn:
            key = self._found(life)
        check(key)
        return self._at_hand.put(life, key, since)

    def make(self, life: Life) -> ScopeKey:
        """Give the key of a scope that has nothing in it yet, made if there is none; it is on the disk then."""
        name, since = self._name(life.scope), self._at_hand.dropped
        with self._turn, self._place.begin(write=True) as rows:
            self._check_epoch(rows)
            wrapped = rows.find(name)
            if wrapped is None:
                wrapped = rows.add(name, self._secret.wrapping.wrap(os.urandom(KEY_BYTES), name))
            secret = self._unwrapped(rows, name, wrapped)
        return self._at_hand.put(life, ScopeKey(secret, names_of(life.scope)), since)

    def known(self, life: Life) -> ScopeKey:
        """Give the key of a scope that was made elsewhere, for what is to be put in; StoreKeyError where it is gone."""
        since = self._at_hand.dropped
        with self._turn:
            key = self._found(life)
        return self._at_hand.put(life, key, since)

    def destroy(self, scope: Scope) -> bool:
        """Destroy a scope's key, on the disk and here; tells whether there was one."""
        with self._turn, self._place.begin(write=True) as rows:
            was_there = rows.drop(self._name(scope))
        self._at_hand.drop(scope)
        if was_there:
            self._place.scrub()
        return was_there

    def lacks(self, scopes: Sequence[Scope]) -> int:
        """Tell how many of some scopes have no key."""
        with self._turn, self._place.begin(write=False) as rows:
            return sum(rows.find(self._name(scope)) is None for scope in scopes)

    def count(self) -> int:
        """Tell how many scopes have a key."""
        with self._turn, self._place.begin(write=False) as rows:
            return rows.count()

    def admit(self, key: Key) -> None:
        """Let a second key open the key store, until one of them is settled on."""
        with self._turn, self._place.begin(write=True) as rows:
            self._check_epoch(rows)
            rows.put_doors([*rows.doors(), self._secret.door(self.store, key)])

    def settle(self, key: Key) -> None:
        """Wrap every key anew, in a secret that from now on this key opens, and no other."""
        with self._turn:
            self._secret, self._key = self._rewrapped(key), key

    def _rewrapped(self, key: Key) -> Secret:
        with self._place.begin(write=True) as rows:
            self._check_epoch(rows)
            fresh = self._secret.renewed()
            after = b""
            while found := rows.page(after, _PAGE):
                after = found[-1][0]
                rows.replace([
                    (fresh.wrapping.wrap(self._unwrapped(rows, name, wrapped), name), name) for name, wrapped in found
                ])
            rows.put_doors([fresh.door(self.store, key)])
        return fresh

    def close(self) -> None:
        """Let go of the key store, and of the keys at hand; a forked child lets its parent's be, locks and all."""
        if self._place.is_inherited:
            return
        with self._turn:
            self._at_hand.clear()
            self._place.close()

    def _doors(self, *, make: bool) -> list[Door]:
        with self._place.begin(write=make) as rows:
            doors = rows.doors()
            if make and not doors:
                doors = [Secret.new().door(secrets.token_hex(16), self._key)]
                rows.put_doors(doors)
        return doors

    def _unlocked(self, doors: list[Door]) -> tuple[str, Secret]:
        for door in doors:
            secret = Secret.behind(door, self._key)
            if secret is not None:
                return door.store, secret
        if not doors:
            raise StoreKeyError(f"the key store {self.location} is empty; restore it from its own backup")
        raise StoreKeyError(f"the key store {self.location} can't be opened with this key; it was left as it is.")

    def _found(self, life: Life) -> ScopeKey:
        name = self._name(life.scope)
        with self._place.begin(write=False) as rows:
            wrapped = rows.find(name)
            if wrapped is None:
                raise StoreKeyError(
                    f"the key of {life.scope.user_id!r} in namespace {life.scope.namespace!r} is not in the key "
                    f"store {self.location}: it was destroyed when the scope was forgotten, or the key store is "
                    "older than the memory. What is sealed with it can't be read; all other scopes can."
                )
            return ScopeKey(self._unwrapped(rows, name, wrapped), names_of(life.scope))

    def _name(self, scope: Scope) -> bytes:
        return hmac.digest(self._secret.naming, names_of(scope), "sha256")

    def _unwrapped(self, rows: KeyRows, name: bytes, wrapped: bytes) -> bytes:
        secret = self._secret.wrapping.unwrap(wrapped, name)
        if secret is None:
            self._check_epoch(rows)
            raise StoreCorruptError(f"a key in the key store {self.location} is damaged; restore a backup of it")
        return secret

    def _check_epoch(self, rows: KeyRows) -> None:
        doors = rows.doors()
        if not doors:
            raise StoreError(f"the key store {self.location} was emptied while it was in use")
        if doors[0].epoch != self._secret.epoch:
            raise StoreKeyError(
                f"the key store {self.location} was given another key while this memory was open; open it anew."
            )


def names_of(scope: Scope) -> bytes:
    """Give a scope's names as bytes that no other scope has."""
    return encode([scope.namespace, scope.user_id, scope.agent_id]).encode()
