"""What a key makes of a call: the arguments that the verb is given, or a refusal.

Nothing is looked up. A key that is limited names exact strings, and the arguments that go on to the memory say them:
the namespace always, and the user wherever the verb takes one. A verb that is told whose memory is meant takes ids of
facts, questions and plans, cursors, layers and idempotency keys of that memory only; so there is no other way in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import ForbiddenError
from .key import Key

WHOLE = frozenset({"backup", "close", "copy_to", "doctor", "on", "rekey", "restore"})
"""What concerns a whole store: of no use to a key that is limited to a part of it."""

FOR_EVERY_USER = frozenset({"predicates"})
"""What a key that is limited to users may ask of a namespace: the attributes there are, which are nobody's words."""

NAMES_USERS_ITSELF = frozenset({"import", "import_"})
"""What reads from its source whose memories it writes, whatever user it is told."""


class Named(Protocol):
    """A parameter of a verb."""

    @property
    def name(self) -> str:
        """The argument's name."""


class Served(Protocol):
    """A verb as it is served: its name, the role it takes, its parameters."""

    @property
    def name(self) -> str:
        """The verb's name."""

    @property
    def role(self) -> str:
        """The least role that may call it."""

    @property
    def parameters(self) -> Sequence[Named]:
        """What it takes."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A call that may be made: the arguments to make it with, and whose memory it concerns, for the log of acts.

    ``namespace`` is the one that is meant where none was named; ``user_id`` is None where it is not one user's.
    """

    arguments: dict[str, Any]
    namespace: str
    user_id: str | None


def require(key: Key, role: str, *, whole: bool = False) -> None:
    """Refuse a key whose role is not enough, or that is limited where something concerns all; raises ForbiddenError."""
    if not key.may(role):
        raise ForbiddenError(f"this takes a key of the role {role}, and this one's is {key.role}")
    if whole and key.is_limited:
        raise ForbiddenError("this concerns the whole memory, and this key is limited to a part of it")


def authorize(key: Key, served: Served, arguments: Mapping[str, Any], *, home: str = "default") -> Allowed:
    """Say with which arguments a key may call a verb; raises ForbiddenError where it may not.

    ``arguments`` are decoded and named as the verb names them. ``home`` is the namespace that the memory means where
    none is named: ``rebuild`` and ``verify`` know no other.
    """
    require(key, served.role, whole=served.name in WHOLE)
    made = dict(arguments)
    if key.is_limited:
        if made.get("every_namespace"):
            raise ForbiddenError("every_namespace concerns the whole memory, and this key is limited to a part of it")
        takes = {parameter.name for parameter in served.parameters}
        _limit_namespace(key, made, takes, home)
        _limit_user(key, served.name, made, takes)
    named = made.get("namespace")
    user_id = made.get("user_id")
    return Allowed(made, home if named is None else str(named), user_id if isinstance(user_id, str) else None)


def may_call(key: Key, served: Served, *, home: str = "default") -> bool:
    """Tell whether there are arguments with which a key may call a verb; ``home`` as in ``authorize``."""
    takes = {parameter.name for parameter in served.parameters}
    limits = {"namespace": key.namespaces, "user_id": key.users}
    trial = {name: names[0] for name, names in limits.items() if names is not None and name in takes}
    try:
        authorize(key, served, trial, home=home)
    except ForbiddenError:
        return False
    return True


def _limit_namespace(key: Key, made: dict[str, Any], takes: set[str], home: str) -> None:
    limits, named = key.namespaces, made.get("namespace")
    if limits is None:
        return
    if named is None:
        named = limits[0] if len(limits) == 1 and "namespace" in takes else home
    if not isinstance(named, str) or named not in limits:
        raise ForbiddenError(
            "this key is limited to other namespaces; name one of them"
            if "namespace" in takes
            else f"this concerns the namespace {home!r}, and this key is limited to others"
        )
    if "namespace" in takes:
        made["namespace"] = named


def _limit_user(key: Key, name: str, made: dict[str, Any], takes: set[str]) -> None:
    limits, named = key.users, made.get("user_id")
    if limits is None or name in FOR_EVERY_USER:
        return
    if name in NAMES_USERS_ITSELF:
        raise ForbiddenError("an import says itself whose memories it writes, and this key is limited to some users")
    if "user_id" in takes:
        if named is None and len(limits) == 1:
            named = limits[0]
        made["user_id"] = _checked(named, limits)
    elif "messages" in takes:
        made["messages"] = list(made.get("messages") or ())  # what is read once would be gone
        for message in made["messages"]:
            _checked(_user_of(message), limits)
    else:
        raise ForbiddenError("this concerns all users, and this key is limited to some")


def _checked(user_id: object, limits: tuple[str, ...]) -> str:
    if user_id is None:
        raise ForbiddenError("this key is limited to some users; name one of them with user_id")
    if not isinstance(user_id, str) or user_id not in limits:
        raise ForbiddenError("this key is limited to other users")
    return user_id


def _user_of(message: object) -> object:
    """Give whose message it is, as an object or as JSON."""
    return message.get("user_id") if isinstance(message, Mapping) else getattr(message, "user_id", None)
