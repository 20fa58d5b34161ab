"""What an access store keeps: rows, the contract of who keeps them, and the SQL they share."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Protocol

from ..errors import StoreCorruptError, StoreError
from .act import Act
from .key import ROLES, Key

VERSION = 1
"""The version of the tables; a store of a newer one is refused."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class NoAccessStoreError(StoreError):
    """There is no access store here; 'tensemem keys mint' makes one."""


class KeyRow(NamedTuple):
    """A key as it is stored."""

    id: str
    label: str
    role: str
    namespaces: str | None
    users: str | None
    salt: bytes
    hash: bytes
    created_at: int
    expires_at: int | None
    revoked_at: int | None


class ActRow(NamedTuple):
    """A line of the log as it is stored, without its number."""

    at: int
    key_id: str
    label: str
    act: str
    outcome: str
    namespace: str | None
    person: str | None
    about: str | None


class Transaction(Protocol):
    """One transaction; what it writes is on the disk when it has ended."""

    def meta(self, name: str) -> bytes | None:
        """Give what stands under a name."""

    def add_meta(self, name: str, value: bytes) -> None:
        """Put something under a name, unless there is something."""

    def find(self, key_id: str) -> KeyRow | None:
        """Give a key."""

    def all(self) -> list[KeyRow]:
        """Give every key there ever was, the oldest first."""

    def count(self) -> int:
        """Tell how many keys there ever were."""

    def add(self, row: KeyRow) -> None:
        """Keep a new key."""

    def revoke(self, key_id: str, at: int) -> bool:
        """Mark a key as revoked; tells whether it was not before."""

    def limited(self) -> list[KeyRow]:
        """Give the keys that are limited to users."""

    def set_users(self, key_id: str, users: str) -> None:
        """Limit a key to other users."""

    def write_act(self, row: ActRow) -> None:
        """Write a line into the log."""

    def acts(self, after: int, limit: int) -> list[tuple[int, ActRow]]:
        """Give lines of the log behind a number, the oldest first."""

    def last_acts(self, limit: int) -> list[tuple[int, ActRow]]:
        """Give the newest lines of the log, the newest first."""

    def prune(self, before: int) -> int:
        """Remove lines of the log from before a moment; tells how many."""


class Rows(Protocol):
    """Where the rows are. ``is_near``: reading a row takes so little that an event loop may do it itself."""

    location: str
    is_near: bool

    def look(self, key_id: str) -> KeyRow | None:
        """Give a key, as fast as it goes; raises StoreBusyError at once where others keep the store."""

    def begin(self, *, write: bool) -> AbstractContextManager[Transaction]:
        """Open a transaction."""

    def scrub(self) -> None:
        """Have nothing left of what was removed, as far as the store can."""

    def close(self) -> None:
        """Let go of the store."""


def sql() -> dict[str, str]:
    """Give the statements by name."""
    text = pkgutil.get_data(__package__, "access.sql")
    if text is None:
        raise StoreError("access.sql is missing from the installed package")
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.decode().splitlines():
        if line.startswith("-- name: "):
            lines = found[line.removeprefix("-- name: ").strip()] = []
        elif line.strip() and not line.startswith("--"):
            lines.append(line)
    return {name: "\n".join(lines).rstrip(";") for name, lines in found.items()}


def key_of(row: KeyRow) -> Key:
    """Give a key as it may be shown; raises StoreCorruptError for a row that no version of ours has written."""
    if row.role not in ROLES:
        raise StoreCorruptError(f"the access store holds a key of the unknown role {row.role[:20]!r}")
    return Key(
        row.id, row.label, row.role, names_in(row.namespaces), names_in(row.users), to_time(row.created_at),
        None if row.expires_at is None else to_time(row.expires_at),
        None if row.revoked_at is None else to_time(row.revoked_at),
    )  # fmt: skip


def act_of(seq: int, row: ActRow) -> Act:
    """Give a line of the log as it may be shown."""
    return Act(seq, to_time(row.at), *row[1:])


def names_in(text: str | None) -> tuple[str, ...] | None:
    """Read a list of names; raises StoreCorruptError, since a limit that can't be read must not become none."""
    if text is None:
        return None
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise StoreCorruptError("the access store holds a key whose limits can't be read")
    return tuple(found)


def names_text(names: Sequence[str] | None) -> str | None:
    """Write a list of names."""
    return None if names is None else json.dumps(list(names))


def to_time(microseconds: int) -> datetime:
    """Give a moment of the store as an aware time."""
    return _EPOCH + timedelta(microseconds=microseconds)


def to_moment(time: datetime) -> int:
    """Give an aware time as the store keeps it."""
    return (time - _EPOCH) // _MICROSECOND
