"""Overwriting what is left of removed rows inside the file, while others read and write.

Pages are looked at a stretch at a time, at moments when the write-ahead log is all in the file and the lock of writers
is held: then each page in the file is the newest there is, and nobody is about to write it. Bytes of rows that are gone
never move from page to page, so stretches may be done at different times. What others keep of a cleaned page in their
caches must not come back with their next write: a commit of ours, made before the lock is given up, tells them to read
the file anew.

Several walks may go on at once, here and in other processes. That something is to be overwritten stands in the database
until a walk has ended that began after it was removed: each removal leaves a mark of its own, and a walk takes away
only the one that it found when it began.
"""

from __future__ import annotations

from enum import Enum

from .drivers import Cursor
from .gaps import open_file
from .patience import execute_patiently
from .standing import Standing

STRETCH = 16 * 2**20
"""Bytes looked at while nobody else can write."""

_TELL_OTHERS = """
INSERT INTO meta (name, value) VALUES ('scrub', ?1)
ON CONFLICT (name) DO UPDATE SET value = rtrim(value, '.') || CASE WHEN value LIKE '%.' THEN '' ELSE '.' END
"""
"""A change that leaves whose mark it is: SQLite writes nothing, and tells nobody, where a value is what it was."""

NOT_KNOWN = "the file is too large, or laid out in another way, for its pages to be overwritten one by one; VACUUM does"


class Progress(Enum):
    """What a step did: nothing for now, a look at a part, a change of a part, or all that was left."""

    NONE = "none"
    LOOKED = "looked"
    CHANGED = "changed"
    DONE = "done"


class Scrubbing:
    """One walk over the pages of a file, and the cutting of its log. ``left`` says what could not be done.

    ``standing`` knows which file the connection has open, where another may be put in its place.
    """

    def __init__(self, path: str, budget: float, *, is_encrypted: bool, standing: Standing | None = None) -> None:
        self._path = path
        self._standing = standing
        self._is_encrypted = is_encrypted
        self._budget = budget
        self._next = 0
        self._are_pages_done = False
        self._mark = "due"
        self._has_begun = False
        self.is_done = False
        self.left: str | None = None

    def step(self, cursor: Cursor) -> Progress:
        """Do the next part, outside any transaction, while nobody else here writes.

        Where others are in the way, nothing is done for now. Raises what the driver does, OSError, and StoreError where
        the file is not the one that the connection has open.
        """
        if not self._has_begun:
            found = cursor.execute("SELECT rtrim(value, '.') FROM meta WHERE name = 'scrub'").fetchone()
            self._mark, self._has_begun = found[0] if found else self._mark, True
        if not self._are_pages_done:
            made = self._clean(cursor)
            if made is not Progress.DONE:
                return made
            self._are_pages_done = True
        return self._cut(cursor)

    def _clean(self, cursor: Cursor) -> Progress:
        if self._is_encrypted:
            cursor.execute("VACUUM")  # its pages can't be changed where they lie
            return Progress.DONE
        opened = open_file(self._path)
        if self._standing is not None:
            self._standing.check_opened(opened.identity)  # of another one nobody here holds the lock
        before = _version(cursor)
        if not self._is_log_in_file(cursor):
            return Progress.NONE
        layout = opened.layout()
        if layout is None:
            self.left = NOT_KNOWN
            return Progress.DONE
        if self._next >= layout.pages:
            return Progress.DONE
        execute_patiently(cursor, "BEGIN IMMEDIATE", self._budget)
        try:
            if _version(cursor) != before:  # others came between, and the log is not empty any more
                return Progress.NONE
            last = min(self._next + max(1, STRETCH // layout.page_size), layout.pages)
            is_changed = opened.clean(layout, self._next, last) > 0
            if is_changed:
                cursor.execute(_TELL_OTHERS, (self._mark,))
                cursor.execute("COMMIT")
            self._next = last
            return Progress.CHANGED if is_changed else Progress.LOOKED
        finally:
            if cursor.connection.in_transaction:
                cursor.execute("ROLLBACK")

    def _is_log_in_file(self, cursor: Cursor) -> bool:
        is_busy, logged, moved = cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return not is_busy and logged == moved

    def _cut(self, cursor: Cursor) -> Progress:
        """Move the log into the file and leave nothing of it, which keeps old pages."""
        is_busy: int = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if is_busy:
            return Progress.NONE
        cursor.execute("DELETE FROM meta WHERE name = 'scrub' AND rtrim(value, '.') = ?1", (self._mark,))
        self.is_done = True
        return Progress.DONE


def _version(cursor: Cursor) -> int:
    """Give what changes whenever somebody else has committed."""
    found: int = cursor.execute("PRAGMA data_version").fetchone()[0]
    return found
