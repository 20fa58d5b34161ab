"""What is done with keys: sealing texts, making names of texts, wrapping keys in other keys.

A text is sealed with AES-256-GCM under a random nonce of 96 bits, bound to the place it stands in, so that it is read
there and nowhere else. A name is an HMAC-SHA256 of a text, cut to 120 bits: equal texts have equal names, and nobody
finds the text without the key. A key of a scope is 32 random bytes, from which one key for each of the two is derived.

Random nonces bound how often one key may seal: 2^32 times, for a chance of one in 2^32 that two nonces are ever equal.
A simple fact seals six texts; so a scope is good for some hundred million writes, and a copy into a new sealed memory
gives it a new key.
"""

from __future__ import annotations

import hmac
import os
from binascii import Error as BadBase64
from binascii import a2b_base64, b2a_base64
from typing import NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ...errors import StoreCorruptError, StoreKeyError

KEY_BYTES = 32
NONCE_BYTES = 12
_FORMAT = b"\x01"
_HINT_BYTES = 3
_NAME_BYTES = 15  # of which base64 makes 20 letters, without padding
_HEADER = len(_FORMAT) + _HINT_BYTES
_NONCE_ENDS = _HEADER + NONCE_BYTES


def derived(secret: bytes, purpose: bytes, length: int = KEY_BYTES, salt: bytes | None = None) -> bytes:
    """Give key material of its own for a purpose, from which neither the secret nor any other is found."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=b"tensemem " + purpose).derive(secret)


class Unshown:
    """What holds keys: shown by nobody's ``repr``, and not pickled."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled")


class ScopeKey(Unshown):
    """One scope's key, ready for use by many threads; ``names`` are the scope's, as bytes."""

    __slots__ = ("_aead", "_header", "_names", "_naming")

    def __init__(self, secret: bytes, names: bytes) -> None:
        both = derived(secret, b"scope", 2 * KEY_BYTES)
        self._aead, self._naming = AESGCM(both[:KEY_BYTES]), both[KEY_BYTES:]
        self._names = names + b"\0"
        self._header = _FORMAT + hmac.digest(self._naming, b"hint", "sha256")[:_HINT_BYTES]

    def seal(self, place: str, text: str) -> str:
        """Seal a text for a place, which begins with the name of a table."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._aead.encrypt(nonce, text.encode(), self._names + place.encode())
        return b2a_base64(self._header + nonce + sealed, newline=False).decode()

    def open(self, place: str, sealed: str) -> str:
        """Give a text back.

        Raises StoreCorruptError where it was changed, or stands in another place than it was sealed for, and
        StoreKeyError where it was sealed under another key of the scope: one that was destroyed.
        """
        try:
            found = a2b_base64(sealed, strict_mode=True)
        except (BadBase64, ValueError):
            found = b""
        header = found[:_HEADER]
        if header != self._header:
            self._refuse(place, header)
        try:
            text = self._aead.decrypt(found[_HEADER:_NONCE_ENDS], found[_NONCE_ENDS:], self._names + place.encode())
        except (InvalidTag, ValueError):
            pass
        else:
            return text.decode()
        raise StoreCorruptError(_changed(place))

    def name(self, kind: bytes, text: str) -> str:
        """Give what a text is found by; names of one text for two kinds have nothing in common."""
        digest = hmac.digest(self._naming, kind + b"\0" + text.encode(), "sha256")
        return b2a_base64(digest[:_NAME_BYTES], newline=False).decode()

    def _refuse(self, place: str, header: bytes) -> NoReturn:
        if len(header) < _HEADER:
            raise StoreCorruptError(_changed(place))
        if header[:1] != _FORMAT:
            raise StoreCorruptError(f"{_table(place)} has a row sealed in a way this version doesn't know")
        raise StoreKeyError(
            f"{_table(place)} has a row that was sealed under another key than the one the key store has for this "
            "scope: that key was destroyed when the scope was forgotten, or the key store is of another day."
        )


def _table(place: str) -> str:
    return place.partition("|")[0]


def _changed(place: str) -> str:
    return f"a sealed row of {_table(place)} was changed, or put where another one stood; restore a backup"


class Wrapping(Unshown):
    """A key that other keys are wrapped in."""

    __slots__ = ("_aead",)

    def __init__(self, secret: bytes) -> None:
        self._aead = AESGCM(secret)

    def wrap(self, secret: bytes, bound_to: bytes) -> bytes:
        """Wrap a key; what it is bound to must be told again to have it back."""
        nonce = os.urandom(NONCE_BYTES)
        return _FORMAT + nonce + self._aead.encrypt(nonce, secret, bound_to)

    def unwrap(self, wrapped: bytes, bound_to: bytes) -> bytes | None:
        """Give the key back; None where it was wrapped in another one, or changed since."""
        nonce, sealed = wrapped[1 : 1 + NONCE_BYTES], wrapped[1 + NONCE_BYTES :]
        if wrapped[:1] != _FORMAT:
            return None
        try:
            return self._aead.decrypt(nonce, sealed, bound_to)
        except (InvalidTag, ValueError):
            return None
