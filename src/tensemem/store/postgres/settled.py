"""What became of a COMMIT that got no answer: the connection broke between asking and hearing.

It is asked again on a new connection, which takes the lock of the scope first: whoever still works for the old one
is waited for. Then the transaction's own number stands on the head; or, where another one has written since, the last
entry of ours stands in the log; or nothing of it happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from ...errors import StoreError, TensememError
from ..rows import entry_of
from .links import WRITE, Links, Session
from .statements import statements


@dataclass(frozen=True, slots=True)
class Sent:
    """What a transaction left where: its number on a scope's head, and the row of its last entry in the log."""

    scope: int | None
    token: int
    entry: Sequence[Any] | None


def was_committed(links: Links, sent: Sent) -> bool:
    """Tell whether a transaction was kept; raises StoreError where that can't be found out.

    One that wrote to no scope said only that a worker lives or lets go of something: to say so twice does no harm.
    """
    if sent.scope is None:
        return False
    session = Session(links, WRITE)
    try:
        return _is_there(links, session, sent)
    except (psycopg.Error, TensememError) as error:
        raise StoreError(
            f"the connection to {links.location} was lost while it was to keep a write, and it is not known whether it "
            "did: ask for the same again with the same idempotency_key."
        ) from error
    finally:
        session.end()


def _is_there(links: Links, session: Session, sent: Sent) -> bool:
    sql = statements(links.address.schema)
    head = session.run(sql["token"], (sent.scope,)).fetchone()
    if head is None:
        return False
    if head[0] == sent.token:
        return True
    if sent.entry is None:
        return False
    scope, rev, kind, seq, extraction, recorded_at, said_at, body = sent.entry
    found = session.run(sql["entry"], (scope, rev)).fetchone()
    ours = entry_of((kind, rev, seq, recorded_at, said_at, extraction, body))
    return found is not None and entry_of(found) == ours
