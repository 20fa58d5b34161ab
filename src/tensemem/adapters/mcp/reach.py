"""Whose memory a client reaches: what the server is pinned to, narrowed by the key that it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ...errors import ForbiddenError, InvalidScopeError

DEFAULT_NAMESPACE = "default"
SHARED = ""
"""The agent id of what all agents of a user share."""


class KeyLike(Protocol):
    """What is asked of the key of a client: what it may do, and to which namespaces and users it is limited."""

    @property
    def role(self) -> str: ...
    @property
    def namespaces(self) -> Any: ...
    @property
    def users(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Pin:
    """What a server serves: a namespace (None: the one of the client's key, else "default"), one user or any."""

    user_id: str | None = None
    agent_id: str = SHARED
    namespace: str | None = None
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Reach:
    """What one client reaches. ``users`` None: those of the whole namespace, which it must name."""

    namespace: str
    users: tuple[str, ...] | None
    agent_id: str = SHARED
    may_write: bool = True

    @property
    def names_users(self) -> bool:
        """Whether it has to say whose memory it means, since it reaches several."""
        return self.users is None or len(self.users) > 1

    def user(self, given: Mapping[str, Any]) -> str:
        """Give whose memory is meant; raises InvalidScopeError for none, ForbiddenError for somebody else's."""
        named = given.get("user_id")
        if not self.names_users:
            assert self.users is not None
            if named not in (None, self.users[0]):
                raise ForbiddenError("This client is bound to one user: leave user_id out.")
            return self.users[0]
        if not isinstance(named, str) or not named.strip():
            raise InvalidScopeError("Name whose memory is meant: user_id, as text.")
        if self.users is not None and named not in self.users:
            raise ForbiddenError("The key of this client does not allow that user.")
        return named


def reach_of(pin: Pin, key: KeyLike | None) -> Reach:
    """Narrow what a server serves by a client's key; raises ForbiddenError where nothing is left.

    Without a key (on standard input and output, where the client started the server) it is all that is served.
    """
    if key is None:
        users = None if pin.user_id is None else (pin.user_id,)
        return Reach(pin.namespace or DEFAULT_NAMESPACE, users, pin.agent_id, not pin.read_only)
    may_write = not pin.read_only and key.role in ("write", "admin")
    return Reach(_namespace(pin, key), _users(pin, key), pin.agent_id, may_write)


def _namespace(pin: Pin, key: KeyLike) -> str:
    allowed = key.namespaces
    if allowed is None:
        return pin.namespace or DEFAULT_NAMESPACE
    names = sorted(allowed)
    if pin.namespace is None and len(names) == 1:
        return str(names[0])
    wanted = pin.namespace or DEFAULT_NAMESPACE
    if wanted not in names:
        raise ForbiddenError("The key of this client does not allow the namespace that is served here.")
    return wanted


def _users(pin: Pin, key: KeyLike) -> tuple[str, ...] | None:
    if key.users is None:
        return None if pin.user_id is None else (pin.user_id,)
    allowed = tuple(sorted(key.users))
    if pin.user_id is None:
        if not allowed:
            raise ForbiddenError("The key of this client allows no user.")
        return allowed
    if pin.user_id not in allowed:
        raise ForbiddenError("The key of this client does not allow the user that is served here.")
    return (pin.user_id,)
