"""The key of an encrypted file: what a person or a program gives, and what the cipher is given.

A text is a passphrase. The cipher's own key is derived from it and the file's salt, as SQLite3 Multiple Ciphers does it
for chacha20, so that its other tools open the file with the passphrase too; derived once for a salt, since every
connection needs it and it is slow on purpose. Bytes are the cipher's key itself.
"""

from __future__ import annotations

import hashlib
import unicodedata
from typing import NoReturn

from ...errors import InvalidValueError

KEY_BYTES, SALT_BYTES = 32, 16
_ITERATIONS = 64007  # of chacha20 in SQLite3 Multiple Ciphers
_RAW = "raw:"


class Key:
    """A key that is never shown: not by ``repr``, not in an error, not in a pickle.

    Raises InvalidValueError for what can't be one. Texts that look alike are alike: they are taken in NFC.
    """

    __slots__ = ("_derived", "_passphrase", "_raw")

    def __init__(self, given: str | bytes) -> None:
        self._raw, self._passphrase = _read(given)
        self._derived: dict[bytes, bytes] = {}

    def for_salt(self, salt: bytes) -> bytes:
        """Give the cipher's key for a file with that salt."""
        if self._raw:
            return self._raw
        if salt not in self._derived:
            self._derived = {
                salt: hashlib.pbkdf2_hmac("sha256", self._passphrase, salt, _ITERATIONS, dklen=KEY_BYTES)
            }
        return self._derived[salt]

    def for_cipher(self, salt: bytes) -> str:
        """Give key and salt as the cipher takes them. Not to be kept, told or logged."""
        return f"{_RAW}{self.for_salt(salt).hex()}{salt.hex()}"

    def __repr__(self) -> str:
        return "Key(...)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled")


def _read(given: object) -> tuple[bytes, bytes]:
    """Give the cipher's key or the passphrase, whichever was given; the other is empty."""
    if isinstance(given, (bytes, bytearray)):
        if len(given) != KEY_BYTES:
            raise InvalidValueError(f"a key of bytes has {KEY_BYTES}; a passphrase is given as text")
        return bytes(given), b""
    if not isinstance(given, str):
        raise InvalidValueError(f"key must be a passphrase, or {KEY_BYTES} bytes, not {type(given).__name__}")
    if given.startswith(_RAW):
        return _hexadecimal(given.removeprefix(_RAW)), b""
    try:
        passphrase = unicodedata.normalize("NFC", given).encode()
    except UnicodeEncodeError:
        raise InvalidValueError("key must be text without lone surrogates") from None
    if not given.strip() or "\0" in given:
        raise InvalidValueError("key must be text that is not blank, without null characters")
    return b"", passphrase


def _hexadecimal(text: str) -> bytes:
    """Read the digits behind "raw:", the way to write a key of bytes where only text goes, as in the environment."""
    digits = text.lower()
    if len(digits) != 2 * KEY_BYTES or not set(digits) <= set("0123456789abcdef"):
        raise InvalidValueError(f"a key that begins with '{_RAW}' goes on with {2 * KEY_BYTES} hexadecimal digits")
    return bytes.fromhex(digits)
