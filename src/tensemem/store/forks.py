"""A forked child must not use, nor close, the connections of its parent: SQLite's locks belong to a process.

In the child every open store refuses before it touches a lock or a connection. The connections are kept alive to the
end of the process, since closing one would reach into the log of the parent. What the library of a store believes that
the process holds, because its parent did, the store has it hold (``inherit``).
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from ..errors import StoreError, TensememError

REFUSAL: tuple[type[TensememError], str] = (
    StoreError,
    "This memory was opened before fork; open another Memory in the child.",
)

_open: WeakSet[Any] = WeakSet()
_inheritances: list[Callable[[], None]] = []
_inherited: list[Callable[[], None]] = []
_opening = threading.Lock()


def opening() -> threading.Lock:
    """Give the lock under which this process opens files, one at a time."""
    return _opening


def guard(links: Any) -> None:
    """Have these connections refuse to work in children of this process."""
    _open.add(links)


def _before() -> None:
    """Note what a child will have to hold: its parent may let go of it before the child comes to look."""
    open_here = [links for links in list(_open) if links.refusal is None and hasattr(links, "inherit")]
    _inheritances[:] = [*_inherited, *(links.inherit() for links in open_here)]


def _in_child() -> None:
    global _opening  # noqa: PLW0603 -- the parent's may be held by a thread that doesn't exist here
    _opening = threading.Lock()
    kept: list[Any] = [links for links in _open if links.refusal is None]
    _inherited[:] = _inheritances  # a child of this one gets all of it too
    for inherit in _inherited:
        inherit()
    if not kept:
        return
    for links in kept:
        links.refusal = REFUSAL
    _open.clear()
    # A list that holds itself, and that the collector never looks at again: not even the end of the interpreter
    # closes what is in it.
    kept.append(kept)
    gc.freeze()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_inheritances.clear, after_in_child=_in_child)
