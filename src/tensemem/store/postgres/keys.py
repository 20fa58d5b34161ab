"""Keys of any length in an index that takes only short ones.

A key of up to 64 bytes is kept as it is. A longer one is kept as its first 33 bytes and a digest of all of it, which
is 65 bytes, so that it never equals a short one; the whole stands in a column beside it.
"""

from __future__ import annotations

import hashlib

_LONGEST = 64
_BEGINNING = 33


def short(key: str) -> bytes:
    """Give the bytes a key is found by."""
    whole = key.encode()
    if len(whole) <= _LONGEST:
        return whole
    return whole[:_BEGINNING] + hashlib.blake2b(whole, digest_size=32).digest()


def both(key: str) -> tuple[bytes, str | None]:
    """Give the bytes a key is found by, and the key itself where those don't hold all of it."""
    found = short(key)
    return found, key if len(found) > _LONGEST else None


def whole(found: bytes, kept: str | None) -> str:
    """Give the key back."""
    return found.decode() if kept is None else kept
