"""What a memory tells of everything in it, as JSON: written down when a file is made, and compared ever after."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import partial
from typing import Any

from tensemem import Memory, State
from tensemem.errors import UnknownFactError
from tests.released.conversation import LATER, scopes

MOMENTS = ("2016-06", "2026-01-20", "2026-02-20", "2026-05-15", "2027-06", "2031")


def told(mem: Memory) -> dict[str, Any]:
    """Ask for ids, digests, states at several moments and revisions, histories, reasons, the registry and the queue."""
    found: dict[str, Any] = {}
    for namespace, user, agent in scopes():
        where: dict[str, Any] = {"agent_id": agent, "namespace": namespace}
        now = mem.state(user, **where)
        history, latest = mem.history(user, **where), now.freshness.latest_seq
        found[f"{namespace}/{user}/{agent}"] = {
            "digest": mem.digest(user, **where),
            "now": _state(now),
            "at": {at: _state(mem.state(user, at=at, **where)) for at in MOMENTS},
            "known at": [_asked(partial(_known_at, mem, user, where), rev) for rev in range(1, now.rev + 1)],
            "history": history,
            "explained": [mem.explain(fact.id, user_id=user, **where) for fact in history.facts],
            "decisions": [_asked(partial(mem.decisions, user, **where), seq) for seq in range(1, latest + 1)],
            "changes": mem.changes(user, **where),
            "messages": mem.messages(user, **where),
            "found": sorted({hit.text for hit in mem.search(user, "Delhi Pune vegan Rome दिल्ली", limit=99, **where)}),
        }
    for namespace in sorted({namespace for namespace, *_ in scopes()}):
        found[namespace] = {
            "predicates": mem.predicates(namespace=namespace), "proposals": mem.proposals(namespace=namespace),
        }  # fmt: skip
    found["jobs"] = mem.jobs()
    as_json: dict[str, Any] = json.loads(json.dumps(_plain(found), ensure_ascii=False))
    return as_json


def missing(recorded: Any, found: Any, where: str = "") -> list[str]:
    """Tell what was recorded and is not found so now; what was not recorded, since nothing told it then, is fine."""
    if isinstance(recorded, dict) and isinstance(found, dict):
        return [line for key in recorded for line in missing(recorded[key], found.get(key), f"{where}/{key}")]
    if isinstance(recorded, list) and isinstance(found, list) and len(recorded) == len(found):
        pairs = enumerate(zip(recorded, found, strict=True))
        return [line for number, (one, other) in pairs for line in missing(one, other, f"{where}[{number}]")]
    return [] if recorded == found else [f"{where}: was {recorded!r}, is {found!r}"]


def _asked(question: Callable[[int], Any], number: int) -> Any:
    """Ask about a number; what was removed has no answer, and that is one too."""
    try:
        return question(number)
    except UnknownFactError as error:
        return type(error).__name__


def _known_at(mem: Memory, user: str, where: dict[str, Any], rev: int) -> dict[str, Any]:
    return _state(mem.state(user, known_at=rev, **where))


def _state(state: State) -> dict[str, Any]:
    return {
        "values": state.by_subject, "rev": state.rev, "freshness": state.freshness,
        "ids": [[fact.id for fact in facts] for facts in (state.facts, state.planned, state.candidates)],
        "next": state.next_change_at,
    }  # fmt: skip


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (frozenset, set)):
        return sorted(_plain(one) for one in value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (str, int, float, type(None))):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    try:
        return [_plain(one) for one in value]
    except TypeError:
        return str(value)


LOOKED_AT = LATER
"""The moment at which it is asked."""
