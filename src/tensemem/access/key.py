"""A key: who it is, what it may do and with whose memories; and how a token is written.

A token is ``tsm_``, the key's id and its secret, 256 bits of chance. The id is public: it says which row to look at.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from ..errors import InvalidValueError

READ, WRITE, ADMIN = "read", "write", "admin"
ROLES = (READ, WRITE, ADMIN)
"""From the least to the most; each may do what those before it may."""

SERVER = "server"
"""The id of the key that stands for the token a server was started with."""

LONGEST_LABEL = 200
LONGEST_NAME = 512
SHORTEST_TOKEN = 20
"""Characters that a server's own token has at least: nobody chooses shorter ones by chance."""

PREFIX = "tsm_"
ID_BYTES, SECRET_BYTES = 8, 32
_TOKEN = re.compile(r"tsm_([0-9a-f]{16})_([0-9a-f]{64})", re.ASCII)
_TOKEN_LENGTH = len(PREFIX) + 2 * ID_BYTES + 1 + 2 * SECRET_BYTES
_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
_SENDABLE = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it may be shown: everything but its secret.

    ``namespaces`` and ``users`` are exact strings it is limited to, None for no limit. Times are aware, in UTC.
    """

    id: str
    label: str
    role: str
    namespaces: tuple[str, ...] | None = None
    users: tuple[str, ...] | None = None
    created_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    @property
    def is_limited(self) -> bool:
        """Whether it is limited to namespaces or users."""
        return self.namespaces is not None or self.users is not None

    def may(self, role: str) -> bool:
        """Tell whether the key's role allows what takes this one."""
        return ROLES.index(self.role) >= ROLES.index(role)

    def is_open_at(self, moment: datetime) -> bool:
        """Tell whether the key opens at a moment: neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or moment < self.expires_at)

    def status_at(self, moment: datetime) -> str:
        """Give "open", "revoked" or "expired"."""
        if self.revoked_at is not None:
            return "revoked"
        return "open" if self.is_open_at(moment) else "expired"


def parse_token(token: str) -> tuple[str, bytes] | None:
    """Give the id and the secret in a token; None for what has not the shape of one."""
    if len(token) != _TOKEN_LENGTH:
        return None
    found = _TOKEN.fullmatch(token)
    return None if found is None else (found[1], bytes.fromhex(found[2]))


def format_token(key_id: str, secret: bytes) -> str:
    """Write a token."""
    return f"{PREFIX}{key_id}_{secret.hex()}"


def is_key_id(text: object) -> bool:
    """Tell whether something has the shape of a key's id."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def check_server_token(token: str) -> str:
    """Give the token a server is started with as it is; raises InvalidValueError for one that is easy to guess."""
    if len(token) < SHORTEST_TOKEN:
        raise InvalidValueError(
            f"TENSEMEM_TOKEN must have at least {SHORTEST_TOKEN} characters; "
            "python -c 'import secrets; print(secrets.token_urlsafe(32))' makes a good one"
        )
    if _SENDABLE.fullmatch(token) is None:
        raise InvalidValueError("TENSEMEM_TOKEN must be ASCII without blanks: a header takes nothing else")
    if len(set(token)) < 8:
        raise InvalidValueError("TENSEMEM_TOKEN repeats a few characters; choose one by chance")
    return token


def server_key() -> Key:
    """Give the key that the token of a server stands for: it may do everything, and no store knows it."""
    return Key(SERVER, "TENSEMEM_TOKEN", ADMIN)


class TokenMark:
    """What is kept of a token to know it again: equal tokens have equal marks, and the time says nothing of it."""

    __slots__ = ("_mark", "_secret")

    def __init__(self, token: str, secret: bytes) -> None:
        self._secret = secret
        self._mark = mark_of(token, secret)

    def fits(self, token: str) -> bool:
        """Tell whether a token is that one."""
        return hmac.compare_digest(self._mark, mark_of(token, self._secret))


def mark_of(token: str, secret: bytes) -> bytes:
    """Give a digest of a token that only who has the secret can make."""
    return blake2b(token.encode("utf-8", "surrogatepass"), key=secret, digest_size=32).digest()


def check_label(label: object) -> str:
    """Check and give a key's label; raises InvalidValueError."""
    if not isinstance(label, str) or len(label) > LONGEST_LABEL or _UNFIT.search(label):
        raise InvalidValueError(f"a label is one line of text of at most {LONGEST_LABEL} characters")
    return label


def check_role(role: object) -> str:
    """Check and give a role; raises InvalidValueError."""
    if not isinstance(role, str) or role not in ROLES:
        raise InvalidValueError(f"a role is one of {', '.join(ROLES)}")
    return role


def check_limit(what: str, names: Iterable[str] | None) -> tuple[str, ...] | None:
    """Check and give what a key is limited to, each name once; raises InvalidValueError.

    No name at all is refused: it would be no limit to some, and no access to others.
    """
    if names is None:
        return None
    if isinstance(names, (str, bytes)):
        raise InvalidValueError(f"{what} is a list of names, not one text")
    found = tuple(dict.fromkeys(_checked(what, name) for name in names))
    if not found:
        raise InvalidValueError(f"{what} names none; leave it out for a key without that limit")
    return found


def _checked(what: str, name: object) -> str:
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or _UNSTORABLE.search(name):
        raise InvalidValueError(f"{what} holds a name that no memory can have: text of 1 to {LONGEST_NAME} characters")
    return name
