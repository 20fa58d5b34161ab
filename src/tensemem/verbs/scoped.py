"""The verbs of a memory bound to one scope: the same names without user_id, agent_id and namespace.

Made from the plain verbs, so that they can't differ; the types a checker sees stand in scoped.pyi.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from ..engine.core import described
from ..errors import InvalidScopeError
from .keeping import Keeping
from .moving import Moving
from .reading import Reading
from .tools import PlainTools
from .turns import Turning
from .writing import Writing

SCOPE = ("user_id", "agent_id", "namespace")

Verb = Callable[..., Any]


def public_verbs() -> dict[str, Verb]:
    """Give all public verbs by name, in the order in which they are written down."""
    kinds = (Writing, Reading, Keeping, Moving)
    return {name: verb for kind in kinds for name, verb in vars(kind).items() if not name.startswith("_")}


class ScopedHandle:
    """A memory and the scope that its verbs are bound to."""

    def __init__(self, memory: Any, user_id: str, agent_id: str, namespace: str) -> None:
        self._memory = memory
        self._scope = {"user_id": user_id, "agent_id": agent_id, "namespace": namespace}

    @property
    def user_id(self) -> str:
        """Whose memory this is."""
        return self._scope["user_id"]

    @property
    def agent_id(self) -> str:
        """Which agent's memory of the user this is; empty for the one shared by all."""
        return self._scope["agent_id"]

    @property
    def namespace(self) -> str:
        """The namespace the scope is in."""
        return self._scope["namespace"]

    def _check_layers(self, layers: Any) -> None:
        """Refuse to read through the memories of other agents than its own, and the one shared by all of them."""
        names = [layers] if isinstance(layers, str) else layers if isinstance(layers, (list, tuple)) else ()
        if any(isinstance(name, str) and name not in (self.agent_id, "") for name in names):
            raise InvalidScopeError(
                f"a memory bound to one scope reads through its own layer ({described(self.agent_id)}) and the shared "
                "one (''), and no other agent's"
            )

    def __repr__(self) -> str:
        names = f"{self.user_id!r}, agent_id={self.agent_id!r}, namespace={self.namespace!r}"
        return f"{type(self).__name__}({names})"


class ScopedMemory(PlainTools, ScopedHandle):
    """The verbs of a memory bound to one scope; ids of other scopes are unknown to it."""


def bind_verbs(kind: type[ScopedHandle], *, awaits: bool = False) -> None:
    """Give a class the verbs that concern one scope, bound to the scope it holds; as coroutines, if asked for."""
    for name, verb in public_verbs().items():
        signature = inspect.signature(verb)
        if {"user_id", "agent_id"} <= signature.parameters.keys():
            setattr(kind, name, named_in(kind, name, _bound(verb, signature, awaits=awaits)))
    turn: Verb = Turning.turn
    setattr(kind, "turn", named_in(kind, "turn", _bound(turn, inspect.signature(turn), awaits=False)))  # noqa: B010


def named_in(kind: type, name: str, verb: Verb) -> Verb:
    """Give a function the name that one written in the body of a class has."""
    verb.__module__, verb.__qualname__ = kind.__module__, f"{kind.__qualname__}.{name}"
    return verb


def _bound(verb: Verb, signature: inspect.Signature, *, awaits: bool) -> Verb:
    name = verb.__name__
    is_first = list(signature.parameters)[1] == "user_id"

    def call(self: ScopedHandle, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        scope = self._scope.copy()
        if not scope.keys().isdisjoint(keywords):
            unknown = next(word for word in keywords if word in scope)
            raise TypeError(f"{type(self).__name__}.{name}() takes no {unknown}: it is bound to a scope")
        self._check_layers(keywords.get("layers"))
        given = (scope.pop("user_id"), *args) if is_first else args
        return getattr(self._memory, name)(*given, **scope, **keywords)

    @wraps(verb)
    def plain(self: ScopedHandle, /, *args: Any, **keywords: Any) -> Any:
        return call(self, args, keywords)

    @wraps(verb)
    async def awaited(self: ScopedHandle, /, *args: Any, **keywords: Any) -> Any:
        return await call(self, args, keywords)

    made: Any = awaited if awaits else plain
    kept = [parameter for parameter in signature.parameters.values() if parameter.name not in SCOPE]
    made.__signature__ = signature.replace(parameters=kept)
    made.__annotations__ = {word: kind for word, kind in verb.__annotations__.items() if word not in SCOPE}
    bound: Verb = made
    return bound


bind_verbs(ScopedMemory)
