"""What the environment says about a memory's keys: there are no options for it, since everybody on the machine can see
a command line.
"""

from __future__ import annotations

import os
from typing import Any

KEY, NEW_KEY = "TENSEMEM_KEY", "TENSEMEM_NEW_KEY"
"""The variables with a memory's key, and with the one it gets, or that the memory it is copied to has."""
SHRED, NEW_SHRED = "TENSEMEM_SHRED", "TENSEMEM_NEW_SHRED"
"""Those that say that it has a key per person: 1, or where these are kept."""

KEEPS_NOTHING = ":memory:"
_YES, _NO = frozenset({"1", "true", "yes", "on"}), frozenset({"", "0", "false", "no", "off"})


def is_file(db: str) -> bool:
    """Tell whether a memory's name is that of a file."""
    return db != KEEPS_NOTHING and "://" not in db


def keys_of(db: str, key: str = KEY, shred: str = SHRED) -> dict[str, Any]:
    """Give what ``Memory`` is told of the keys of a memory: a database has one only where each person has one too."""
    if db == KEEPS_NOTHING:
        return {}
    given = os.environ.get(shred, "").strip()
    wanted: str | bool = given.lower() not in _NO and (given.lower() in _YES or given)
    return {"key": os.environ.get(key) or None if is_file(db) or wanted else None, "shred": wanted}


def backup_key(db: str) -> str | None:
    """Give the key for the backup of a memory that has none itself: the one on a server whose persons have none."""
    own = keys_of(db)
    return None if is_file(db) or own.get("key") else os.environ.get(KEY) or None
