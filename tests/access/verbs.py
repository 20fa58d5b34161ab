"""The verbs as a server serves them, made of the verbs there are: a name, a role, the names of the arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tensemem.verbs.scoped import public_verbs

READING = {
    "changes", "context", "decisions", "digest", "explain", "get", "history", "jobs", "messages", "plan_reextract",
    "predicates", "preview", "proposals", "questions", "retention", "scopes", "search", "state", "stats", "verify",
}  # fmt: skip
WRITING = {
    "add", "add_many", "add_value", "answer", "confirm", "correct", "deny", "dismiss", "flush", "record", "reinstate",
    "remove_value", "replace_values", "retract", "retry", "review", "set", "write",
}  # fmt: skip


@dataclass(frozen=True)
class OneNamed:
    name: str


@dataclass(frozen=True)
class OneServed:
    name: str
    role: str
    parameters: tuple[OneNamed, ...]


def served(name: str, verb: Callable[..., Any]) -> OneServed:
    role = "read" if name in READING else "write" if name in WRITING else "admin"
    names = [one for one in inspect.signature(verb).parameters if one != "self"]
    return OneServed(name, role, tuple(OneNamed(one) for one in names))


VERBS = {name: served(name, verb) for name, verb in public_verbs().items()}
