"""The verbs of a memory bound to one scope: the same names without user_id, agent_id and namespace.

Made from the plain verbs, so that they can't differ; the types a checker sees stand in scoped.pyi.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from .keeping import Keeping
from .reading import Reading
from .writing import Writing

SCOPE = ("user_id", "agent_id", "namespace")
OF_THE_WHOLE = frozenset({"add_many", "register_predicate", "register_entity", "register", "predicates", "proposals",
                          "stats", "scopes", "on", "rebuild", "verify", "jobs"})  # fmt: skip
"""Verbs that concern more than one scope; a scoped handle has none of them."""


def verb_names() -> list[str]:
    """Give the names of all public verbs, in order."""
    return [name for kind in (Writing, Reading, Keeping) for name in vars(kind) if not name.startswith("_")]


class ScopedMemory:
    """The verbs of a memory bound to one scope; ids of other scopes are unknown to it."""

    def __init__(self, memory: Any, user_id: str, agent_id: str, namespace: str) -> None:
        self._memory = memory
        self._names = {"user_id": user_id, "agent_id": agent_id, "namespace": namespace}

    @property
    def user_id(self) -> str:
        """Whose memory this is."""
        return self._names["user_id"]

    @property
    def agent_id(self) -> str:
        """Which agent's memory of the user this is; empty for the one shared by all."""
        return self._names["agent_id"]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.user_id!r}, agent_id={self.agent_id!r})"


def bind_verbs(kind: type[ScopedMemory], source: type) -> None:
    """Give a class the verbs of a memory class, bound to the scope it holds."""
    for name in verb_names():
        if name not in OF_THE_WHOLE:
            setattr(kind, name, _bound(getattr(source, name)))


def _bound(verb: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(verb)
    taken = [name for name in SCOPE if name in signature.parameters]

    @functools.wraps(verb)
    def call(self: ScopedMemory, /, *args: Any, **keywords: Any) -> Any:
        unknown = [name for name in taken if name in keywords]
        if unknown:
            raise TypeError(f"{verb.__name__}() of a scoped memory takes no {unknown[0]}")
        names = {name: self._names[name] for name in taken}
        if next(iter(signature.parameters.values())).name == "self" and "user_id" in _positional(signature):
            return getattr(self._memory, verb.__name__)(names.pop("user_id"), *args, **names, **keywords)
        return getattr(self._memory, verb.__name__)(*args, **names, **keywords)

    kept = [parameter for name, parameter in signature.parameters.items() if name not in SCOPE]
    call.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return call


def _positional(signature: inspect.Signature) -> list[str]:
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, parameter in signature.parameters.items() if parameter.kind in positional][:2]


bind_verbs(ScopedMemory, type("Plain", (Writing, Reading, Keeping), {}))
