"""Jobs: the messages of a namespace, or of a user, that wait for extraction or failed; a page at a time."""

from __future__ import annotations

import re

from ..core.text import is_valid_text
from ..errors import UnknownFactError
from ..model.moment import to_datetime
from ..model.results import Job
from ..model.scope import Scope
from ..ports import FIRST_PLACE, Head, PendingRow, Reader
from .core import Engine, check_limit, described

PAGE = 500

_CURSOR = re.compile(r"([0-9]{1,18})\.([0-9]{1,4})\.(.*)", re.ASCII | re.DOTALL)


def jobs(engine: Engine, namespace: str, user_id: str | None, limit: int, after: str | None) -> tuple[Job, ...]:
    """Give the messages that wait or failed, with how often they were tried and the last error; behind a cursor."""
    engine.check_open()
    check_limit(limit)
    if user_id is not None:
        engine.scope(user_id, namespace=namespace)
    with engine.store.read() as reader:
        place = FIRST_PLACE if after is None else _place_of(reader, namespace, user_id, after)
        if user_id is None:
            pairs = reader.all_pending(namespace, limit, place)
        else:
            pairs = _pending_of(reader, namespace, user_id, place)[:limit]
    return tuple(_job(scope, row) for scope, row in pairs)


def _place_of(reader: Reader, namespace: str, user_id: str | None, after: object) -> tuple[int, int]:
    """Give where the job of a cursor stands; who is bound to a user learns of no other's."""
    found = _CURSOR.fullmatch(after) if isinstance(after, str) and not is_valid_text(after) else None
    if found is not None:
        length = int(found[2])
        agent, user = found[3][:length], found[3][length:]
        head = reader.head(Scope(namespace, user, agent)) if user and user_id in (None, user) else None
        if head is not None:
            return head.id, int(found[1])
    raise UnknownFactError(f"after={described(after)} is no cursor of a job here; begin anew without it")


def _pending_of(reader: Reader, namespace: str, user_id: str, place: tuple[int, int]) -> list[tuple[Scope, PendingRow]]:
    heads: list[Head] = []
    cursor: tuple[str, str] | None = None
    while page := reader.scopes(namespace, user_id, cursor, PAGE):
        heads += [head for head in page if head.scope.user_id == user_id]
        if len(page) < PAGE or page[-1].scope.user_id != user_id:
            break
        cursor = (page[-1].scope.user_id, page[-1].scope.agent_id)
    found = [(head.scope, row) for head in heads for row in reader.pending(head.id) if (head.id, row.seq) > place]
    return sorted(found, key=lambda pair: (pair[1].scope_id, pair[1].seq))


def _job(scope: Scope, row: PendingRow) -> Job:
    state = "failed" if row.state == "failed" else "retrying" if row.attempts else "waiting"
    later = to_datetime(row.not_before) if row.not_before and row.state != "failed" else None
    return Job(scope.user_id, scope.agent_id, row.seq, state, row.attempts, later, row.error)
