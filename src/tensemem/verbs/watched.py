"""The verbs of a memory that is watched: those of its class, each with the watchers around it.

While somebody watches, a memory is of a class made here, which differs from its own in nothing else; so the verbs of
one that nobody watches are as they are written, and cost nothing more.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sized
from functools import cache, wraps
from typing import Any

from ..engine.core import Engine
from ..engine.watching import Call, is_inside, name_told, watched
from ..model.scope import Scope
from .scoped import Verb, public_verbs

IDS = ("session_id", "fact_id", "seq", "from_seq", "after_rev", "limit", "dry_run")
"""Arguments that watchers see: none says anything of what is remembered."""

_COUNTED = ("facts", "facts_used", "fact_ids", "seqs", "decisions", "steps", "changes")
RESULT_IDS = ("fact_id", "seq", "rev", "duplicate", "changed", "scopes", "entries")


def watched_kind(kind: type) -> type:
    """Give the class of a watched memory of this class."""
    return kind if vars(kind).get("_is_watched") else _watched_kind(kind)


def plain_kind(kind: type) -> type:
    """Give the class of a memory that nobody watches any more."""
    plain: type = kind.__mro__[1] if vars(kind).get("_is_watched") else kind
    return plain


@cache
def _watched_kind(kind: type) -> type:
    verbs = {name: _watched(name, getattr(kind, name)) for name in public_verbs() if name != "on"}
    own = {"__slots__": (), "__module__": kind.__module__, "__qualname__": kind.__qualname__, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind,), {**verbs, **own, "_is_watched": True})


def _watched(name: str, verb: Verb) -> Verb:
    if inspect.isgeneratorfunction(verb):

        @wraps(verb)
        def stream(self: Any, /, *args: Any, **keywords: Any) -> Iterator[Any]:
            call = call_of(self._engine, name, verb, (self, *args), keywords)
            call.streams = True
            count = 0
            with watched(self._engine, call):
                for each in verb(self, *args, **keywords):
                    call.fields["count"] = count = count + 1
                    yield each

        return stream

    @wraps(verb)
    def whole(self: Any, /, *args: Any, **keywords: Any) -> Any:
        engine: Engine = self._engine
        if is_inside(engine):
            return verb(self, *args, **keywords)
        with watched(engine, call_of(engine, name, verb, (self, *args), keywords)) as call:
            return done(call, verb(self, *args, **keywords))

    return whole


_signature = cache(inspect.signature)


def call_of(engine: Engine, name: str, verb: Verb, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Call:
    """Give the call of a verb; arguments that it does not take are left for it to refuse."""
    try:
        given = dict(_signature(verb).bind_partial(*args, **keywords).arguments)
    except TypeError:
        given = {}
    given.pop("self", None)
    names = (given.get("namespace") or engine.namespace, given.get("user_id"), given.get("agent_id", ""))
    is_scope = all(isinstance(part, str) for part in names)
    fields = {name: given[name] for name in IDS if isinstance(given.get(name), (str, int, bool))}
    where = names[0] if isinstance(names[0], str) else engine.namespace
    return Call("verb", name_told(name), where, Scope(*map(str, names)) if is_scope else None, fields, arguments=given)


def done(call: Call, result: Any) -> Any:
    """Note what a verb gave, by its ids and counts; gives the result."""
    call.result = result
    for name in RESULT_IDS:
        value = getattr(result, name, None)
        if isinstance(value, (str, int, bool)):
            call.fields[name] = value
    found = next((value for name in _COUNTED if isinstance(value := getattr(result, name, None), Sized)), None)
    if isinstance(result, (tuple, list)):
        found = result
    if found is not None:
        call.fields["count"] = len(found)
    return result
