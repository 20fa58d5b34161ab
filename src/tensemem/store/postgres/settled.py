"""What became of a COMMIT that got no answer: the connection broke between asking and hearing.

It is asked again on a new connection, which takes the lock of the scope first: whoever still works for the old one
is waited for. Then the transaction's own number stands on the head; or, where another one has written since, the last
entry of ours stands in the log; or nothing of it happened.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from ...errors import OutcomeUnknownError, StoreRetryError, TensememError
from ..rows import entry_of
from .driver_errors import our_error
from .links import WRITE, Links, Session

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5


@dataclass(frozen=True, slots=True)
class Sent:
    """What a transaction left where: its number on a scope's head, and the row of its last entry in the log."""

    scope: int | None
    token: int
    entry: Sequence[Any] | None
    is_removal: bool = False


def was_committed(links: Links, sent: Sent) -> bool:
    """Tell whether a transaction was kept; raises OutcomeUnknownError where that can't be found out.

    One that wrote to no scope said only that a worker lives or lets go of something: to say so twice does no harm.
    """
    if sent.scope is None:
        return False
    deadline, pause = time.monotonic() + links.budget, _FIRST_PAUSE
    while True:
        try:
            return _look(links, sent)
        except (psycopg.Error, TensememError) as error:
            may_try_again = isinstance(error, psycopg.Error) and isinstance(
                our_error(error, links.location), StoreRetryError
            )
            if not may_try_again or time.monotonic() + pause >= deadline:
                raise OutcomeUnknownError(
                    f"the connection to {links.location} was lost while it was to keep a write, and it is not known "
                    "whether it did: ask for the same again with the same idempotency_key."
                ) from error
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _look(links: Links, sent: Sent) -> bool:
    session = Session(links, WRITE)
    try:
        is_there = _is_there(links, session, sent)
        if is_there:
            # Seen is not yet safe: a COMMIT of our own ends only once standbys have all that came before it.
            session.keep(links.sql["sign_again"], (sent.scope,))
            session.commit()
        return is_there
    except psycopg.Error as error:
        if session.is_lost:
            raise LostAgain(*error.args) from error
        raise
    finally:
        session.end()


class LostAgain(psycopg.InterfaceError):
    """The connection that asked was lost too."""


def _is_there(links: Links, session: Session, sent: Sent) -> bool:
    sql = links.sql
    head = session.run(sql["token"], (sent.scope,)).fetchone()
    if head is None:
        return sent.is_removal  # what it was to do; whoever else did it, it is done
    if head[0] == sent.token:
        return True
    if sent.entry is None:
        return False
    scope, rev, kind, seq, extraction, recorded_at, said_at, body = sent.entry
    found = session.run(sql["entry"], (scope, rev)).fetchone()
    ours = entry_of((kind, rev, seq, recorded_at, said_at, extraction, body))
    return found is not None and entry_of(found) == ours
