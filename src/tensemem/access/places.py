"""Where an access store is: a path, or a database."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from ..errors import InvalidValueError, StoreUnsupportedError
from ..extras import install
from .file import ENDING, FileRows
from .rows import Rows

SCHEMES = ("postgresql://", "postgres://")


def rows_at(
    location: str | os.PathLike[str], *, make: bool, monotonic: Callable[[], float] = time.monotonic
) -> Rows:
    """Open the rows at a path or a URL; raises InvalidValueError, StoreUnsupportedError and StoreError."""
    place = os.fspath(location)
    if not isinstance(place, str) or not place.strip() or "\0" in place:
        raise InvalidValueError("say where the access store is: a path, or the URL of a PostgreSQL database")
    if place.startswith(SCHEMES):
        try:
            from .postgres.rows import TableRows
        except ImportError as error:
            raise StoreUnsupportedError(
                f"a PostgreSQL database needs psycopg: {install('postgres')} ({error})"
            ) from error
        return TableRows(place, make=make)
    if "://" in place:
        raise InvalidValueError("the URL of a PostgreSQL database begins with postgresql://")
    if place == ":memory:":
        raise InvalidValueError("an access store in working storage could be read by no other process; name a path")
    return FileRows(os.path.expanduser(place), make=make, monotonic=monotonic)


def beside(db: str) -> str:
    """Give where the access store of a memory is, unless somebody says otherwise: beside its file, or in its database.

    Raises InvalidValueError for a memory that is kept nowhere.
    """
    if db.startswith(SCHEMES):
        return db
    if not db.strip() or db == ":memory:" or "://" in db:
        raise InvalidValueError("this memory is kept nowhere: say where its access store is with --access")
    return os.path.abspath(os.path.expanduser(db)) + ENDING
