"""The file beside a database that keeps what was forgotten, so that an older copy put in its place revives nobody.

JSON lines: a header with the version and the fingerprint of the key, then one line for each thing forgotten. A line is
written whole and flushed to the disk before what it speaks of is removed. Lines under another key belong to another
database that once was here; they are left alone. A line that a crash cut off was never told to anybody. A line that
has ``withdrawn`` besides takes back the one it repeats: what that speaks of failed, and was answered by an error. One
that has ``kept`` says that the database keeps it too, so that what it speaks of was done, and not only begun.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from ..errors import StoreError
from ..model.jsontext import decode, encode
from ..ports import ForgottenRow

VERSION = 1

TAIL = 1 << 16
"""Bytes at the end of the file in which its newest header is looked for: where there is none, another one is written.
So a line costs the same however many there are."""

_NAMES = ("kind", "scope", "mark", "rev", "seq", "at", "data")
_TYPES = (str, str, str, int, int, int, str)
_TOLD = {
    "scope": (), "slot": ("said_at",), "subject": ("said_at",), "value": ("said_at",), "entry": ("seq",),
    "purge": ("before", "keep_quotes"),
}  # fmt: skip
"""What the data of a line of each kind says."""
_TOO_MANY = 2**63

Place: TypeAlias = tuple[str, str, str, int, int]
"""What a line is told from others by."""


def lines_in(path: str, fingerprint: str) -> list[ForgottenRow]:
    """Give the lines under a key's fingerprint, each once; none where there is no file. Raises StoreError."""
    return [row for row, _ in _told_in(path, fingerprint)]


def begun_in(path: str, fingerprint: str) -> list[ForgottenRow]:
    """Give those lines of which nothing says that the database keeps them."""
    return [row for row, is_kept in _told_in(path, fingerprint) if not is_kept]


def _told_in(path: str, fingerprint: str) -> Iterable[tuple[ForgottenRow, bool]]:
    found, is_ours = dict[Place, tuple[ForgottenRow, bool]](), False
    for line in _parsed(path):
        if line.get("ledger") == "tensemem":
            is_ours = line.get("key") == fingerprint
            if is_ours and line.get("version") != VERSION:
                raise StoreError(f"{path} was written by a newer tensemem; upgrade the library. It was left as it is.")
        elif is_ours and (row := _row(line)) is not None:
            if line.get("withdrawn") is True:
                found.pop(row.place, None)
            else:
                was_kept = found.get(row.place, (row, False))[1]
                found[row.place] = row, was_kept or line.get("kept") is True
    return found.values()


def append_to(
    path: str, fingerprint: str, rows: Sequence[ForgottenRow], *, withdrawn: bool = False, kept: bool = False
) -> None:
    """Append lines, or that they are withdrawn, or kept; returns once they are on the disk. Raises StoreError."""
    if not rows:
        return
    try:
        is_new = not os.path.exists(path)
        lines = [] if _last_key(path) == fingerprint else [_header(fingerprint)]
        more = {name: True for name, is_so in (("withdrawn", withdrawn), ("kept", kept)) if is_so}
        lines += [encode(dict(zip(_NAMES, row, strict=True)) | more) for row in rows]
        opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            text = "\n".join(lines) + "\n"
            _write(opened, (text if _ends_whole(opened) else "\n" + text).encode())
            os.fsync(opened)
        finally:
            os.close(opened)
        if is_new:
            _flush_folder(path)
    except OSError as error:
        raise StoreError(f"{path}, which keeps what was forgotten, can't be written: {error}") from error


def stamp_of(path: str) -> str:
    """Give a file's length and a hash of its end: together they tell whether lines were added. Empty for no file."""
    try:
        size, end = _end(path)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise _unreadable(path, error) from error
    return f"{size}:{hashlib.blake2b(end, digest_size=16).hexdigest()}"


def _end(path: str) -> tuple[int, bytes]:
    with open(path, "rb") as opened:
        size = opened.seek(0, os.SEEK_END)
        opened.seek(max(0, size - TAIL))
        return size, opened.read()


def _header(fingerprint: str) -> str:
    return encode({"ledger": "tensemem", "version": VERSION, "key": fingerprint})


def _last_key(path: str) -> str | None:
    """Give the key that a line appended now would stand under, as far as the end of the file tells."""
    try:
        lines = [line for line in _end(path)[1].split(b"\n") if b'"ledger"' in line]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(path, error) from error
    found = (line for line in map(_object, reversed(lines)) if line is not None)
    return next((line.get("key") for line in found if line.get("ledger") == "tensemem"), None)


def _parsed(path: str) -> Iterator[dict[str, Any]]:
    try:
        with open(path, "rb") as opened:
            for line in opened:
                if (found := _object(line)) is not None:
                    yield found
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unreadable(path, error) from error


def _object(line: bytes) -> dict[str, Any] | None:
    """Read a line; None for one that a crash cut off."""
    try:
        found = decode(line.decode())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _unreadable(path: str, error: OSError) -> StoreError:
    return StoreError(f"{path}, which keeps what was forgotten, can't be read: {error}")


def _row(line: dict[str, Any]) -> ForgottenRow | None:
    """Read a line; None for what nobody has written here, and nobody could act on."""
    values: list[Any] = [line.get(name) for name in _NAMES]
    if any(type(value) is not kind for value, kind in zip(values, _TYPES, strict=True)):
        return None
    row = ForgottenRow(*values)
    return row if _is_sound(row) else None


def _is_sound(row: ForgottenRow) -> bool:
    try:
        "".join((row.kind, row.scope, row.mark)).encode()
        told = decode(row.data or "{}")
        bytes.fromhex(told.get("key", ""))
        numbers = [row.rev, row.seq, row.at, *(int(told[name]) for name in _TOLD[row.kind])]
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
        return False
    return all(type(number) is int and abs(number) < _TOO_MANY for number in numbers)


def _ends_whole(opened: int) -> bool:
    size = os.lseek(opened, 0, os.SEEK_END)
    if size == 0:
        return True
    os.lseek(opened, size - 1, os.SEEK_SET)
    return os.read(opened, 1) == b"\n"


def _write(opened: int, data: bytes) -> None:
    while data:
        data = data[os.write(opened, data) :]


def _flush_folder(path: str) -> None:
    if os.name == "nt":
        return
    folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
