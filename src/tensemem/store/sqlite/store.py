"""The store that keeps everything in one SQLite file, for many threads and many processes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from ...errors import InvalidValueError, ReadOnlyError
from .. import forks
from . import drivers
from .links import FileLinks, Links, MemoryLinks
from .opening import DatabaseFile, look_to_read, own_errors
from .reading import SqliteReader
from .writing import SqliteWriter

MEMORY = ":memory:"
_SYNCHRONOUS = {"power": "FULL", "process": "NORMAL"}


class SqliteStore:
    """A store in a file, or in memory where the path is ":memory:".

    ``durability="power"``: what a transaction wrote survives power loss once it ended; ``"process"``: a killed
    process. ``busy_timeout`` is how many seconds a writer waits for others; readers never wait. ``read_only`` opens a
    file that exists, and writes nothing. ``driver``: the library whose SQLite is used, "sqlite3" or "apsw"; left out,
    the standard library's, or apsw where that one is too old.

    Raises StoreCorruptError for a file that is not ours or is damaged, SchemaTooNewError for a newer one (both are left
    as they are), StoreUnsupportedError where SQLite is too old, else StoreError.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        durability: Literal["power", "process"] = "power",
        read_only: bool = False,
        busy_timeout: float = 60.0,
        driver: str | None = None,
    ) -> None:
        if durability not in _SYNCHRONOUS:
            raise InvalidValueError(f"durability is 'power' or 'process', not {durability!r}")
        self.durability: str = durability
        self.read_only = read_only
        self._links = self._open(os.fspath(path), busy_timeout, drivers.choose(driver))

    @property
    def location(self) -> str:
        """Where the data is: an absolute path, or ":memory:"."""
        return self._links.location

    def read(self) -> SqliteReader:
        """Open one snapshot."""
        return SqliteReader(self._links)

    @property
    def rollbacks(self) -> int:
        """How often something that was written was taken back."""
        return self._links.rollbacks

    def write(self, *, alone: bool = False) -> SqliteWriter:
        """Open one transaction. Raises ReadOnlyError; on entry StoreBusyError when others keep the file too long.

        Writers that come together share a commit, so that one waits for the other; ``alone`` is for long work.
        """
        if self.read_only:
            raise ReadOnlyError
        return SqliteWriter(self._links, alone=alone)

    @property
    def clock_ahead(self) -> int:
        """Nothing: whoever uses it is on this machine."""
        return 0

    def wait_for_commit(self, seconds: float) -> None:
        """Return when something may have been committed, by this process or another, at latest after some seconds.

        Whoever looks, waits and looks again in one thread misses nothing; the first wait may return at once.
        """
        self._links.check()
        with own_errors(self.location):
            self._links.commits.wait(seconds)

    def close(self) -> None:
        """Let go of every connection. A forked child lets its parent's be."""
        self._links.close()

    def _open(self, path: str, budget: float, driver: drivers.Driver) -> Links:
        if path == MEMORY:
            self.durability = "none"  # what a receipt says must be true: nothing outlives this process
            return MemoryLinks(driver, budget)
        file = DatabaseFile(os.path.abspath(path), driver)
        with forks.opening():
            if self.read_only:
                look_to_read(file)
            return FileLinks(file, budget, _SYNCHRONOUS[self.durability], read_only=self.read_only)
