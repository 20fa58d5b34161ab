"""The name of a forgotten person goes from the keys that are kept beside a memory, whoever it is that forgets."""

from __future__ import annotations

from ..errors import InvalidValueError
from .places import beside
from .rows import NoAccessStoreError
from .store import Access


def strike_beside(db: str, namespace: str, user_id: str) -> int:
    """Take a person's name out of the limits of the keys beside a memory; gives how many named it.

    ``db`` is the memory's path or URL. Where no keys are kept there it is 0. Raises StoreError where there are some
    that can't be read.
    """
    try:
        with Access.open(beside(db), make=False) as access:
            return access.forget_person(namespace, user_id)
    except (NoAccessStoreError, InvalidValueError):  # which a memory in working storage has none of
        return 0
