"""Keeping the write-ahead log short.

SQLite moves the log into the file by itself, every thousand pages, and begins the log anew where a commit finds no
reader that still needs it. Where readers overlap all the time it may never find that. So the writer looks now and then;
a log that is too long it moves as a whole, and waits some milliseconds, before it lets anyone write, until those who
read what was there before are through. Whoever begins to read meanwhile reads the file, and is not held up.

A snapshot that stays open for long keeps the log from being begun anew, by its nature. It is then left alone until it
has grown by half, so that a reader who never ends costs a writer next to nothing; the log is cut when it has gone.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from .driver_errors import DRIVER
from .drivers import Cursor

LONGEST_LOG = 16 * 2**20
"""Bytes of the log that are no reason to do anything; to this it is cut when it begins anew."""

COMMITS_BETWEEN = 32
"""Commits between two looks."""

_PATIENCE, _PAUSE = 0.05, 0.0005


class LogSize:
    """Looks after the log of one file; asked by whoever may write, outside any transaction."""

    def __init__(self, path: str) -> None:
        self._path = path + "-wal"
        self._commits = 0
        self._tolerated = LONGEST_LOG

    def look(self, cursor: Cursor) -> None:
        """Begin the log anew where it has become too long; called after each commit."""
        self._commits += 1
        if self._commits % COMMITS_BETWEEN == 0:
            size = self._size()
            if size <= LONGEST_LOG:
                self._tolerated = LONGEST_LOG
            elif size > self._tolerated:
                self._tolerated = LONGEST_LOG if self._begin_anew(cursor) else size + size // 2

    def _size(self) -> int:
        try:
            return os.path.getsize(self._path)
        except OSError:
            return 0

    def _begin_anew(self, cursor: Cursor) -> bool:
        give_up = time.monotonic() + _PATIENCE
        with suppress(*DRIVER.kinds):  # what was committed is safe; a disk that fails tells the next who writes
            while True:
                is_busy = cursor.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()[0]
                if not is_busy or time.monotonic() >= give_up:
                    return not is_busy
                time.sleep(_PAUSE)
        return False
