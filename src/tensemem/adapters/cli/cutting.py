"""Lists that a limit cut: that they may go on, and with what. One that is as long as its limit may be all there is."""

from __future__ import annotations

import shlex
from typing import Any

from tensemem.model.results import ScopeInfo
from tensemem.wire import SERVED, next_of

from .session import Session


def cursor_of(verb: str, found: Any, limit: int | None) -> Any:
    """Give what a list goes on with, as its options take it; None where no limit cut it."""
    cursor = None if limit is None else next_of(SERVED[verb], {"limit": limit}, found)
    if cursor is None or verb != "scopes":
        return cursor
    last: ScopeInfo = found[-1]
    return {"after": last.user_id, "after_agent": last.agent_id}


def tell_more(session: Session, verb: str, found: Any, limit: int | None) -> None:
    """Say on standard error that a list may go on, and how to see more, where its limit cut it."""
    cursor = cursor_of(verb, found, limit)
    if cursor is not None:
        say_more(session, limit, f"{_WAYS[verb].format(_words(cursor))} goes on")
    elif verb not in _WAYS and limit is not None and len(found) >= limit:
        say_more(session, limit, None)


def say_more(session: Session, limit: int | None, way: str | None) -> None:
    """Say that there may be more than a limit let through; ``way`` tells how it goes on."""
    goes_on = "" if way is None else f"{way}, "
    session.note(f"there may be more than {limit}: {goes_on}a larger --limit shows more at once")


def _words(cursor: Any) -> str:
    """Give a cursor as it is typed."""
    if not isinstance(cursor, dict):
        return shlex.quote(str(cursor))
    agent = f" --after-agent {shlex.quote(cursor['after_agent'])}" if cursor["after_agent"] else ""
    return shlex.quote(cursor["after"]) + agent


_WAYS = {
    "history": "--after {}", "search": "--after {}", "jobs": "--after {}", "scopes": "--after {}",
    "messages": "--before {}", "changes": "'tensemem changes USER {}'",
}  # fmt: skip
"""How each list goes on."""
