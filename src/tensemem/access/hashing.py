"""How a secret is kept: hashed slowly with a salt of its own, one at a time, and only for who seems to have it.

A secret has 256 bits, so no hash can be searched through; it is slow for the case that a weaker one ever gets in. What
is slow can be asked for to keep a machine busy, and who has the right secret must not wait for those who have not. So a
few bits of a fast digest stand behind the salt: a secret that these do not fit is refused at once, without a hash, and
whoever guesses delays nobody. They leave more than 200 bits to guess. Of the others one hash is made at a time, few
wait for their turn, and where a row has no such bits each address has so many failures only.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import threading
from collections.abc import Callable

from ..errors import RateLimitedError
from .rates import Buckets, Rate

SALT_BYTES, HASH_BYTES = 16, 32
MARK_BYTES = 4
"""Bytes of a fast digest that stand behind a salt."""
_COST, _BLOCK, _LANES = 2**14, 8, 1
_MEMORY = 64 * 2**20
FAILURES = Rate(per_second=0.2, burst=10)
"""What an address may fail with a key whose secret has to be hashed: ten times, and once every five seconds."""
MOST_WAITING = 8
"""How many may wait for their hash to be made."""

Hash = Callable[[bytes, bytes], bytes]


def slow_hash(secret: bytes, salt: bytes) -> bytes:
    """Give the hash that is stored of a secret; takes some tens of milliseconds and 16 MiB."""
    return hashlib.scrypt(secret, salt=salt, n=_COST, r=_BLOCK, p=_LANES, maxmem=_MEMORY, dklen=HASH_BYTES)


class Hasher:
    """Makes hashes and compares them, within limits."""

    def __init__(self, make: Hash, clock: Callable[[], float]) -> None:
        self._make = make
        self._turn, self._guard, self._waiting = threading.Lock(), threading.Lock(), 0
        self._failures = Buckets(FAILURES, clock)

    def new(self, secret: bytes) -> tuple[bytes, bytes]:
        """Give a new salt with its mark of a secret, and the hash of the secret with it."""
        salt = os.urandom(SALT_BYTES)
        salt += _mark(secret, salt)
        with self._turn:
            return salt, self._make(secret, salt)

    def fits(self, secret: bytes, kept: tuple[bytes, bytes] | None, who: tuple[str, ...]) -> bool:
        """Tell whether a secret is the one a salt and a hash were kept of; None is of nobody, and never fits.

        Raises RateLimitedError for one of those who fail too often, and where too many wait.
        """
        if kept is None or not _may_fit(secret, kept[0]):
            return False
        self._admit(who)
        salt, wanted = kept
        if not hmac.compare_digest(self._in_turn(secret, salt), wanted):
            return False
        for one in who:
            self._failures.give_back(one)
        return True

    def _admit(self, who: tuple[str, ...]) -> None:
        """Count a failure of each before it is known, so that many at once are no way around the limit."""
        for number, one in enumerate(who):
            pause = self._failures.take(one)
            if pause:
                for before in who[:number]:
                    self._failures.give_back(before)
                raise RateLimitedError("too many tokens that do not open; wait before the next one", retry_after=pause)

    def _in_turn(self, secret: bytes, salt: bytes) -> bytes:
        with self._guard:
            if self._waiting >= MOST_WAITING:
                raise RateLimitedError("too many tokens are being looked at; ask again", retry_after=1.0)
            self._waiting += 1
        try:
            with self._turn:
                return self._make(secret, salt)
        finally:
            with self._guard:
                self._waiting -= 1


def _mark(secret: bytes, salt: bytes) -> bytes:
    return hashlib.blake2b(secret, key=salt, digest_size=MARK_BYTES).digest()


def _may_fit(secret: bytes, salt: bytes) -> bool:
    """Tell whether the mark behind a salt is that of a secret; where there is none, only the hash can tell."""
    own, mark = salt[:SALT_BYTES], salt[SALT_BYTES:]
    return not mark or hmac.compare_digest(mark, _mark(secret, own))
