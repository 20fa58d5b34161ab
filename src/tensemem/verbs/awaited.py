"""The verbs of an AsyncMemory bound to one scope; the types a checker sees stand in awaited.pyi."""

from __future__ import annotations

from .scoped import ScopedHandle, bind_verbs
from .tools import AwaitedTools


class AsyncScopedMemory(AwaitedTools, ScopedHandle):
    """The verbs of an AsyncMemory bound to one scope, to be awaited; ids of other scopes are unknown to it."""


bind_verbs(AsyncScopedMemory, awaits=True)
