"""The verbs as a server serves them, and those that none does, as far as a decision looks at them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tensemem.access.deciding import Served
from tensemem.verbs.scoped import public_verbs
from tensemem.wire import SERVED


@dataclass(frozen=True)
class OneNamed:
    name: str


@dataclass(frozen=True)
class OneServed:
    name: str
    role: str
    parameters: tuple[OneNamed, ...]


def unserved(name: str, verb: Callable[..., Any]) -> OneServed:
    names = [one for one in inspect.signature(verb).parameters if one != "self"]
    return OneServed(name, "admin", tuple(OneNamed(one) for one in names))


VERBS: dict[str, Served] = {
    **SERVED, **{name: unserved(name, verb) for name, verb in public_verbs().items() if name not in SERVED}
}  # fmt: skip
