"""Verbs as flows: a verb yields requests and is given their answers, whoever sends them, blocking or awaiting."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from ..core.registry import Registry, predicate_name_key
from ..engine.freshness import wait_seconds
from ..errors import AccessError, InvalidScopeError, StaleMemoryError
from ..model.predicate import Predicate
from ..model.results import AddResult, State, WriteResult
from ..verbs.base import Standing
from ..verbs.scoped import Verb, public_verbs
from ..wire import NOT_SERVED, SERVED, unwrap
from .address import Address
from .arguments import bound, is_conversation, prepared
from .requests import KEY, Answer, Request, check, document_in, request_of, result_of

Flow = Generator[Request, Answer, Any]

CHUNK_SECONDS = 25.0
"""How long one request waits; a longer wait is several, since servers and what stands before them end long ones."""

SHORTCUTS = (
    "set", "record", "add_value", "remove_value", "replace_values", "retract", "deny", "confirm",
)  # fmt: skip
"""Verbs that are ``write`` with one operation, in which a value keeps its type on the way."""

_WITHOUT_NAMESPACE = frozenset({"rebuild", "verify"})
"""Verbs that speak of the server's own namespace, and say nothing of which one that is."""


@dataclass(slots=True)
class Setting:
    """What the calls of a client share."""

    address: Address
    namespace: str | None
    timeout: float
    clock: Callable[[], float] = time.monotonic
    new_key: Callable[[], str] = lambda: uuid4().hex
    home: str | None = field(default=None, init=False)
    """The server's own namespace, once it was asked for."""


def flow_of(setting: Setting, name: str, verb: Verb, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Flow:
    """Give the flow of a call. Raises TypeError for arguments that the verb doesn't take, and errors of the library."""
    arguments = bound(verb, args, keywords)
    if name == "get":
        return _get(setting, arguments)
    given = prepared(name, arguments, setting.namespace)
    if name in ("add", "write", "correct", "reinstate", "review", "answer"):
        return _written(setting, name, given)
    if name in _WITHOUT_NAMESPACE and setting.namespace is not None:
        return _at_home(setting, name, given)
    if "wait" in given or name == "flush":
        return _waited(setting, name, given)
    return _asked(setting, name, given)


def _asked(setting: Setting, name: str, given: dict[str, Any]) -> Flow:
    request = request_of(SERVED[name], given, setting.timeout)
    return result_of(request, (yield request))


def _get(setting: Setting, arguments: dict[str, Any]) -> Flow:
    default = arguments.pop("default")
    request = request_of(SERVED["get"], prepared("get", arguments, setting.namespace), setting.timeout)
    answer = yield request
    check(answer)
    body = document_in(answer)
    found = unwrap(request.served, body)
    return found if isinstance(body, Mapping) and body.get("found") else default


def _at_home(setting: Setting, name: str, given: dict[str, Any]) -> Flow:
    """Ask what speaks of the server's own namespace only where that is the client's."""
    if setting.home is None:
        setting.home = (yield from _asked(setting, "stats", {})).get("namespace")
    _check_home(setting, name)
    return (yield from _asked(setting, name, given))


def _check_home(setting: Setting, name: str) -> None:
    if setting.namespace is not None and setting.namespace != setting.home:
        raise InvalidScopeError(
            f"this client is pinned to a namespace, and {name} tells of another one, the server's own; ask a client "
            "without namespace=... for that"
        )


def _written(setting: Setting, name: str, given: dict[str, Any]) -> Flow:
    """Write under an idempotency key, the caller's or a new one, so that it may be sent again and counts once."""
    is_ours = given[KEY] is None and not given.get("dry_run")
    if is_ours:
        given = {**given, KEY: setting.new_key()}
    wait = wait_seconds(given["wait"]) if name == "add" else None
    end = None if wait is None else setting.clock() + wait
    if name == "add":
        given = {**given, "wait": None if wait is None else min(wait, CHUNK_SECONDS)}
    request = request_of(SERVED[name], given, setting.timeout)
    if given.get("dry_run"):
        request = replace(request, is_repeatable=True)
    answer = yield request
    result = result_of(request, answer)
    if is_ours and answer.was_repeated and result.duplicate and not _has_times(given):
        result = yield from _first(setting, given, result)
    if name == "add" and end is not None and wait is not None and wait > CHUNK_SECONDS and not result.settled:
        result = yield from _settled(setting, given, result, end)
    return result


def _has_times(given: Mapping[str, Any]) -> bool:
    """Tell whether messages are known by their times too, so that they may have been there before."""
    content = given.get("content")
    items: Any = content if is_conversation(content) else ()
    return given.get("said_at") is not None or any(item.get("said_at") or item.get(KEY) for item in items)


def _first(setting: Setting, given: Mapping[str, Any], result: Any) -> Flow:
    """Give the receipt of what this very call had written before its connection broke: no duplicate of another's.

    What it changed is not told a second time, so it is asked for; where nobody says whose memory it is, it can't be,
    and the receipt stays that of a duplicate.
    """
    if isinstance(result, AddResult):
        return replace(result, duplicate=False)
    if given.get("user_id") is None:
        return result
    whose = {name: given[name] for name in ("user_id", "agent_id", "namespace") if given[name] is not None}
    found = yield from _asked(setting, "changes", {**whose, "after_rev": result.rev - 1, "limit": 1})
    changes = tuple(change for change in found if change.rev == result.rev)
    outcome = replace(result.outcome, changes=changes)
    return WriteResult(
        result.seq, result.rev, lambda: outcome, redactions=result.redactions, durability=result.durability
    )


def _settled(setting: Setting, given: Mapping[str, Any], result: AddResult, end: float) -> Flow:
    """Wait on for messages that were added, as long as is left."""
    whose = {name: given[name] for name in ("user_id", "agent_id", "namespace")}
    left = max(end - setting.clock(), 0.0)
    asked = {**whose, "predicates": [], "subject": "user", "min_seq": result.seq, "wait": left, "on_stale": "flag"}
    state: State = yield from _waited(setting, "state", asked)
    fresh = state.freshness
    is_settled = fresh.as_of_seq >= result.seq and not set(fresh.failed_seqs) & set(result.seqs)
    return replace(result, settled=is_settled)


def _waited(setting: Setting, name: str, given: dict[str, Any]) -> Flow:
    """Ask, and ask again while time is left and the server ended the wait before it came to anything."""
    word = "timeout" if name == "flush" else "wait"
    wait = wait_seconds(given[word])
    if wait is None or wait <= CHUNK_SECONDS:
        return (yield from _asked(setting, name, {**given, word: wait}))
    end = setting.clock() + wait
    while True:
        began = setting.clock()
        left = max(end - began, 0.0)
        chunk = min(left, CHUNK_SECONDS)
        try:
            result = yield from _asked(setting, name, {**given, word: chunk})
        except StaleMemoryError:
            if chunk >= left or setting.clock() - began < chunk:
                raise
            continue
        if chunk >= left or _is_there(result) or setting.clock() - began < chunk:
            return result


def _is_there(result: Any) -> bool:
    """Tell whether what was waited for is there: changes, or a state that lags behind nothing."""
    if isinstance(result, tuple):
        return bool(result)
    fresh = getattr(result, "freshness", result)
    return bool(getattr(fresh, "is_current", True))


def refusal_of(name: str) -> AccessError:
    """Give the error of a verb that no server offers, which says why."""
    why = NOT_SERVED.get(name, "it works on files; the operator does it, at the machine")
    return AccessError(f"{name} is not served: {why}. Memory has it, where the memory itself is")


def standing_of(predicates: Sequence[Predicate]) -> Standing:
    """Give what the tools of a client go by: of the registry the predicates, which is what a server tells.

    Other names of things, and its zone, are the server's to know.
    """
    registry = Registry(predicates={predicate_name_key(one.name): one for one in predicates})
    return Standing(registry, "UTC", False)


def served_verbs() -> dict[str, Verb]:
    """Give the verbs that are served and sent as one request, by name."""
    apart = {"add_many", "export", "import_", "backup", *SHORTCUTS}
    return {name: verb for name, verb in public_verbs().items() if name in SERVED and name not in apart}


def refused_verbs() -> dict[str, Verb]:
    """Give the verbs that no server offers, by name."""
    return {name: verb for name, verb in public_verbs().items() if name not in SERVED}
