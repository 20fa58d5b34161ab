"""Administrative acts at the machine: they leave lines in the log of acts, where a memory has keys beside it."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tensemem import errors

from .session import Session

if TYPE_CHECKING:
    from tensemem.access import Access, Key

DRY_RUN = "dry run"


@contextmanager
def recorded(
    session: Session, act: str, *, user_id: str | None = None, about: str | None = None, db: str | None = None
) -> Iterator[None]:
    """Write down that an act begins, and what came of it, as one of whoever works at this machine.

    ``db`` is the memory that is meant, where it is not the session's. A server writes down itself what it is asked.
    Where the log can't be written it is said, and the act is done: whoever works here could do it without this program.
    """
    with ExitStack() as stack:
        try:
            access = _opened(stack, session.db if db is None else db)
            if access is not None:
                namespace = session.namespace
                stack.enter_context(access.recording(act, _who(), namespace=namespace, user_id=user_id, about=about))
        except errors.StoreError as error:
            session.note(f"this is not written into the log of acts: {error}")
        yield


def _opened(stack: ExitStack, db: str) -> Access | None:
    if db.startswith(("http://", "https://")):
        return None
    from tensemem.access import Access
    from tensemem.access.places import beside
    from tensemem.access.rows import NoAccessStoreError

    try:
        return stack.enter_context(Access.open(beside(db), make=False))
    except (NoAccessStoreError, errors.InvalidValueError):  # nobody was ever given a key
        return None


def _who() -> Key:
    """Give who works here, by the name that the system has for them."""


    from tensemem.access.journal import LOCAL

    try:
        return replace(LOCAL, label=getpass.getuser())
    except (OSError, KeyError):  # a container may have no name for its user
        return LOCAL
