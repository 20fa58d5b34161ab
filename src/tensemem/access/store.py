"""The access store: keys are minted, looked at and revoked; administrative acts are written down.

Who shows a token for the first time has its secret hashed, which is slow on purpose. Then this process knows the
token by a fast digest with a key of its own, which is nowhere but in its memory; the key's row is looked at all the
same, each time in a file, and after a second at most in a database.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Self, TypeVar

from ..errors import InvalidValueError, StoreBusyError, UnknownFactError
from .hashing import Hash, Hasher, slow_hash
from .journal import LOCAL, Journal, moment_of
from .key import (
    ADMIN,
    ID_BYTES,
    SECRET_BYTES,
    Key,
    TokenMark,
    check_label,
    check_limit,
    check_role,
    format_token,
    is_key_id,
    mark_of,
    parse_token,
)
from .rows import KeyRow, Rows, Transaction, key_of, names_in, names_text, to_moment, to_time

T = TypeVar("T")

FAR_SECONDS = 1.0
"""For how long a row that was read from a database counts."""
MOST_KNOWN, MOST_REFUSED, REFUSED_SECONDS = 65_536, 1024, 60.0
"""How many tokens are known to open, how many to be of no use, and for how long these are."""

MOST_SHOWN = 4096
"""How many rows are kept as keys."""


def system_clock() -> datetime:
    """Give the machine's time, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Glance:
    """What is known of a token without waiting: ``key`` where it opens, and whether that is certain."""

    is_sure: bool
    key: Key | None = None


_UNSURE, _NO = Glance(is_sure=False), Glance(is_sure=True)


class Access(Journal):
    """Keys and the log of administrative acts, in a file or in a PostgreSQL database.

    Safe to use from many threads and processes. ``clock`` gives aware datetimes, ``monotonic`` seconds.
    """

    def __init__(
        self, rows: Rows, *, clock: Callable[[], datetime] | None = None,
        monotonic: Callable[[], float] = time.monotonic, make_hash: Hash = slow_hash,
    ) -> None:  # fmt: skip
        super().__init__(rows, clock or system_clock)
        self._monotonic = monotonic
        self._hasher = Hasher(make_hash, monotonic)
        self._own = os.urandom(32)
        self._guard = threading.Lock()
        self._known: OrderedDict[str, TokenMark] = OrderedDict()
        self._refused: OrderedDict[bytes, float] = OrderedDict()
        self._seen: OrderedDict[str, tuple[float, KeyRow]] = OrderedDict()
        self._shown: dict[str, tuple[KeyRow, Key]] = {}

    @classmethod
    def open(cls, location: str | os.PathLike[str], *, make: bool = True, **how: Any) -> Self:
        """Open the store at a path or a ``postgresql://`` URL, made unless ``make`` says otherwise.

        Raises StoreCorruptError for what is no access store, SchemaTooNewError for a newer one, and StoreError.
        """
        from .places import rows_at

        rows = rows_at(location, make=make, monotonic=how.get("monotonic", time.monotonic))
        try:
            return cls(rows, **how)
        except BaseException:
            rows.close()
            raise

    @property
    def location(self) -> str:
        """Where the store is: an absolute path, or a URL without user and password."""
        return self._rows.location

    def now(self) -> datetime:
        """Give the time by which keys expire."""
        return self._clock()

    def mint(
        self, label: str = "", role: str = "read", *, namespaces: Iterable[str] | None = None,
        users: Iterable[str] | None = None, expires: datetime | timedelta | None = None, by: Key = LOCAL,
    ) -> tuple[Key, str]:  # fmt: skip
        """Make a key; gives it and its token, which nobody can ever show again.

        ``expires`` is a moment to come, or how long from now. Raises InvalidValueError and StoreError.
        """
        row, token = self._new(label, role, namespaces, users, expires)

        def keep(tx: Transaction) -> None:
            tx.add(row)
            self._write(tx, "mint", by, about=row.id)

        self._writing(keep)
        return key_of(row), token

    def first_key(self) -> tuple[Key, str] | None:
        """Make an admin key where there has never been one; gives None where there has, were all of them revoked."""
        if self._reading(lambda tx: tx.count()):
            return None
        row, token = self._new("first key", ADMIN, None, None, None)

        def keep(tx: Transaction) -> bool:
            if tx.count():
                return False
            tx.add(row)
            self._write(tx, "mint", LOCAL, about=row.id)
            return True

        return (key_of(row), token) if self._writing(keep) else None

    def revoke(self, key_id: str, *, by: Key = LOCAL) -> Key:
        """Close a key for good, in all processes; gives it. Raises UnknownFactError where there is no such key.

        Doing so again changes nothing.
        """
        if not is_key_id(key_id):
            raise UnknownFactError(f"{str(key_id)[:40]!r} is no key's id; 'tensemem keys list' shows them")
        moment = to_moment(self._clock())

        def close(tx: Transaction) -> KeyRow | None:
            if tx.revoke(key_id, moment):
                self._write(tx, "revoke", by, about=key_id)
            return tx.find(key_id)

        row = self._writing(close)
        with self._guard:
            self._seen.pop(key_id, None)
        if row is None:
            raise UnknownFactError(f"there is no key {key_id}; 'tensemem keys list' shows those there are")
        return key_of(row)

    def keys(self) -> tuple[Key, ...]:
        """Give every key there ever was, the oldest first."""
        return tuple(key_of(row) for row in self._reading(lambda tx: tx.all()))

    def forget_person(self, namespace: str, user_id: str) -> int:
        """Take a forgotten person's name out of the limits of keys; gives how many keys named it.

        A key that was for nobody else is revoked: a limit never becomes none. Keys for other namespaces keep the name.
        """
        moment = to_moment(self._clock())

        def strike(tx: Transaction) -> list[str]:
            struck = [row for row in tx.limited() if _names(row, namespace, user_id)]
            for row in struck:
                left = [name for name in names_in(row.users) or () if name != user_id]
                tx.set_users(row.id, names_text(left) or "[]")
                if not left and tx.revoke(row.id, moment):
                    self._write(tx, "revoke", LOCAL, about=row.id)
            return [row.id for row in struck]

        struck = self._writing(strike)
        if struck:
            self._rows.scrub()
        with self._guard:
            for key_id in struck:
                self._seen.pop(key_id, None)
        return len(struck)

    def knows(self, token: str) -> bool:
        """Tell whether a token has opened before, in this process; whether it still does is another question."""
        parsed = parse_token(token)
        known = None if parsed is None else self._known.get(parsed[0])
        return known is not None and known.fits(token)

    def glance(self, token: str) -> Glance:
        """Tell what is known of a token without waiting for anything; an event loop may ask. Raises StoreError."""
        parsed = parse_token(token)
        if parsed is None:
            return _NO
        known = self._known.get(parsed[0])
        if known is None or not known.fits(token):
            return _NO if self._is_refused(token) else _UNSURE
        try:
            row = self._rows.look(parsed[0]) if self._rows.is_near else self._row_seen(parsed[0])
        except StoreBusyError:
            return _UNSURE
        if row is None:  # gone from a file, as where an older copy was put in its place; not known of a database
            return _NO if self._rows.is_near else _UNSURE
        return Glance(is_sure=True, key=self._open_key(row))

    def check(self, token: str, *, client: str = "") -> Key | None:
        """Give the key that a token opens, None where it opens none; may take its time.

        Raises RateLimitedError where too many are looked at, or ``client`` failed too often, and StoreError.
        """
        found = self.glance(token)
        parsed = parse_token(token)
        if found.is_sure or parsed is None:
            return found.key
        key_id, secret = parsed
        asked = self._monotonic()
        row = self._reading(lambda tx: tx.find(key_id))
        self._see(row, asked)
        known = self._known.get(key_id)
        if row is not None and known is not None and known.fits(token):
            return self._open_key(row)
        key = None if row is None else self._open_key(row)
        kept = None if row is None or key is None else (row.salt, row.hash)
        if not self._hasher.fits(secret, kept, (f"client {client}",)):
            self._refuse(token)
            return None
        with self._guard:
            self._known[key_id] = TokenMark(token, self._own)
            _bound(self._known, MOST_KNOWN)
        return key

    def _row_seen(self, key_id: str) -> KeyRow | None:
        """Give a key's row where it was read from a database just now."""
        seen = self._seen.get(key_id)
        return None if seen is None or self._monotonic() - seen[0] >= FAR_SECONDS else seen[1]

    def _see(self, row: KeyRow | None, asked: float) -> None:
        if row is not None and not self._rows.is_near:
            with self._guard:
                self._seen[row.id] = asked, row
                _bound(self._seen, MOST_KNOWN)

    def _open_key(self, row: KeyRow) -> Key | None:
        shown = self._shown.get(row.id)
        if shown is None or (shown[0] is not row and shown[0] != row):
            if len(self._shown) >= MOST_SHOWN:
                self._shown.clear()
            shown = self._shown[row.id] = row, key_of(row)
        key = shown[1]
        if key.revoked_at is None and key.expires_at is None:
            return key
        return key if key.is_open_at(self._clock()) else None

    def _is_refused(self, token: str) -> bool:
        since = self._refused.get(mark_of(token, self._own))
        return since is not None and self._monotonic() - since < REFUSED_SECONDS

    def _refuse(self, token: str) -> None:
        with self._guard:
            self._refused[mark_of(token, self._own)] = self._monotonic()
            _bound(self._refused, MOST_REFUSED)

    def close(self) -> None:
        """Close the store; closing twice is fine."""
        self._rows.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _new(
        self, label: str, role: str, namespaces: Iterable[str] | None, users: Iterable[str] | None,
        expires: datetime | timedelta | None,
    ) -> tuple[KeyRow, str]:  # fmt: skip
        now = self._clock()
        limits = [names_text(check_limit(*limit)) for limit in (("namespaces", namespaces), ("users", users))]
        checked = check_label(label), check_role(role), limits[0], limits[1]
        until = _expiry(expires, now)
        key_id, secret = secrets.token_hex(ID_BYTES), secrets.token_bytes(SECRET_BYTES)
        salt, made = self._hasher.new(secret)
        return KeyRow(key_id, *checked, salt, made, to_moment(now), until, None), format_token(key_id, secret)


def _names(row: KeyRow, namespace: str, user_id: str) -> bool:
    where = names_in(row.namespaces)
    return user_id in (names_in(row.users) or ()) and (where is None or namespace in where)


def _expiry(expires: datetime | timedelta | None, now: datetime) -> int | None:
    if expires is None:
        return None
    try:
        moment = moment_of("expires", now + expires if isinstance(expires, timedelta) else expires)
        to_time(moment)
    except OverflowError:
        raise InvalidValueError("expires lies too far ahead; leave it out for a key that does not expire") from None
    if moment <= to_moment(now):
        raise InvalidValueError("expires must lie in the future")
    return moment


def _bound(found: OrderedDict[Any, Any], most: int) -> None:
    while len(found) > most:
        found.popitem(last=False)
