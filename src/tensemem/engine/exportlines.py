"""The lines of an export: one JSON object each, in sections that end with a checksum.

A header, then a section for each log, then a line that says that this was all. What a section's last line calls its
``checksum`` is a hash over every byte of the section before the words ``,"checksum":``: SHA-256, or HMAC-SHA256 where
the export is signed. The last line of all is hashed together with the checksums of all sections, so that none of them
can be missing.
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..errors import InvalidValueError
from ..model.entry import Entry
from ..model.jsontext import encode
from ..ports import PendingRow, UsageRow

FORMAT = 1
HEADER, REGISTRY, POLICY, SCOPE, ENTRY, KEY, PENDING, USAGE, END, VOID, WHOLE = (
    "export", "registry", "policy", "scope", "entry", "key", "pending", "usage", "end", "void", "whole",
)  # fmt: skip

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of one line: an entry may hold a long text, and nothing holds more than one entry."""

_CHECKSUM = ',"checksum":"'
_TAIL = len(_CHECKSUM) + 64 + len('"}')


class Hash(Protocol):
    """What is fed bytes and gives a checksum."""

    def update(self, data: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


def signing_key(given: object) -> bytes | None:
    """Read a key to sign with: bytes, or text that is taken in NFC. Raises InvalidValueError."""
    if given is None:
        return None
    if isinstance(given, str):
        try:
            given = unicodedata.normalize("NFC", given).encode()
        except UnicodeEncodeError:
            raise InvalidValueError("sign_key must be text without lone surrogates") from None
    if not isinstance(given, (bytes, bytearray)) or len(given) < 8:
        raise InvalidValueError("sign_key must be text or bytes of eight bytes or more")
    return bytes(given)


def new_hash(key: bytes | None) -> Hash:
    """Begin a checksum."""
    return hashlib.sha256() if key is None else hmac.new(key, digestmod=hashlib.sha256)


def split_checksum(raw: bytes) -> tuple[bytes, str] | None:
    """Cut a section's last line in what is hashed of it and the checksum; None where it has none."""
    line = raw.rstrip(b"\r\n")
    hashed, tail = line[:-_TAIL], line[-_TAIL:]
    if not tail.startswith(_CHECKSUM.encode()) or not tail.endswith(b'"}'):
        return None
    found = tail[len(_CHECKSUM) : -2]
    return (hashed, found.decode()) if all(digit in b"0123456789abcdef" for digit in found) else None


class LineWriter:
    """Writes lines, and hashes them section by section."""

    def __init__(self, write: Callable[[bytes], Any], key: bytes | None) -> None:
        self._write, self._key = write, key
        self._hash = new_hash(key)
        self._checksums = new_hash(key)
        self._is_open = False
        self.lines = self.size = 0

    def begin(self, **first: Any) -> None:
        """Begin a section; one that was broken off in the middle is said to be void."""
        if self._is_open:
            self._send(encode({"line": VOID}).encode() + b"\n")
        self._hash, self._is_open = new_hash(self._key), True
        self.put(**first)

    def begin_header(self, **only: Any) -> None:
        """Write the header: a section of one line."""
        self._hash = new_hash(self._key)
        self.end(**only)

    def put(self, **line: Any) -> None:
        """Write a line of a section."""
        raw = encode(line).encode() + b"\n"
        if len(raw) > LONGEST_LINE:
            raise InvalidValueError(f"an entry takes {len(raw)} bytes as a line; the format allows {LONGEST_LINE}")
        self._hash.update(raw)
        self._send(raw)

    def end(self, **last: Any) -> None:
        """Write the last line of a section, with the checksum."""
        self._close(self._hash, last)
        self._is_open = False

    def end_all(self, **last: Any) -> str:
        """Write the last line of all; gives its checksum."""
        return self._close(self._checksums, last)

    def _close(self, hash_: Hash, last: Mapping[str, Any]) -> str:
        text = encode(last)[:-1]
        hash_.update(text.encode())
        checksum = hash_.hexdigest()
        self._checksums.update(checksum.encode())
        self._send(f'{text}{_CHECKSUM}{checksum}"}}\n'.encode())
        return checksum

    def _send(self, raw: bytes) -> None:
        self._write(raw)
        self.lines += 1
        self.size += len(raw)


def entry_line(entry: Entry) -> dict[str, Any]:
    """Give an entry as a line has it."""
    return {
        "line": ENTRY, "rev": entry.rev, "seq": entry.seq, "kind": entry.kind.value, "extraction": entry.extraction,
        "said_at": entry.said_at, "recorded_at": entry.recorded_at, "body": entry.body,
    }  # fmt: skip


def key_line(key: str, seq: int, digest: str) -> dict[str, Any]:
    """Give an idempotency or duplicate key as a line has it."""
    return {"line": KEY, "key": key, "seq": seq, "digest": digest}


def pending_line(row: PendingRow) -> dict[str, Any]:
    """Give a message that waits or failed as a line has it."""
    return {
        "line": PENDING, "seq": row.seq, "state": row.state, "attempts": row.attempts, "not_before": row.not_before,
        "error": row.error,
    }  # fmt: skip


def usage_line(used: UsageRow) -> dict[str, Any]:
    """Give what an extractor used as a line has it."""
    return {"line": USAGE, **used._asdict()}
