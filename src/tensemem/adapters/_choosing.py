"""What an adapter is told by name: whose memory a run is about, and which tools are meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import Any

from ..errors import InvalidValueError

Name = str | Callable[[Any], Any]
"""A name, or a function, plain or async, that gives it for the context of a run."""


async def chosen(name: Any, run: Any) -> Any:
    """Give a name as it is, or as its function says."""
    if not callable(name):
        return name
    found = name(run)
    return await found if inspect.isawaitable(found) else found


def check_names(option: str, names: Collection[str], known: Collection[str]) -> None:
    """Raise InvalidValueError where an option names a tool that is not there: nobody would be asked about it."""
    wanted = {names} if isinstance(names, str) else set(names)
    strangers = sorted(wanted - set(known))
    if strangers:
        raise InvalidValueError(f"{option}: there is no tool {strangers[0]!r}. There are: {', '.join(known)}")
