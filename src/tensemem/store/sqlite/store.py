"""The store that keeps everything in one SQLite file, for many threads and many processes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ...errors import ClosedError, InvalidValueError, ReadOnlyError, StoreBusyError, StoreError, StoreRetryError
from ...model.diagnosis import Finding
from ...model.scope import Scope
from ...model.stored import Head
from .. import forks
from . import checkup, drivers, holders
from .copies import write_copy
from .file_links import FileLinks
from .files import DatabaseFile
from .inherited import refuse_lost
from .keys import Key
from .links import Links
from .memory_links import MemoryLinks
from .opening import look_to_read, own_errors
from .reading import HEAD_AND_REGISTRY, SqliteReader, head_and_registry_of
from .rekeying import rekey
from .saving import copies_of
from .writing import SqliteWriter

MEMORY = ":memory:"
_PAUSE = 0.005
_SYNCHRONOUS = {"power": "FULL", "process": "NORMAL"}


_COPIES = (
    "Copies of the file that were made before, and snapshots of its disk, still hold it; the ledger beside the "
    "database keeps a restored copy from bringing it back."
)
_KEPT = "Kept from before an upgrade, with all that was in the file then: {}. Remove it once all is well."


class SqliteStore:
    """A store in a file, or in memory where the path is ":memory:".

    ``durability="power"``: what a transaction wrote survives power loss once it ended; ``"process"``: a killed
    process. ``busy_timeout`` is how many seconds a writer waits for others; readers never wait. ``read_only`` opens a
    file that exists, and writes nothing. ``driver``: the library whose SQLite is used, "sqlite3" or "apsw"; left out,
    the standard library's, or apsw where that one is too old. ``key``: a passphrase, or 32 bytes, with which the file
    is encrypted. ``backup_before_upgrade`` keeps a copy of a file of an older version before its tables are changed.

    Raises StoreCorruptError for a file that is not ours or is damaged, SchemaTooNewError for a newer one (both are left
    as they are), StoreKeyError for a key that is not the file's, StoreUnsupportedError where SQLite is too old or can't
    encrypt, else StoreError.
    """

    clock_ahead = 0  # whoever uses it is on this machine

    def __init__(
        self,
        path: str | Path,
        *,
        durability: Literal["power", "process"] = "power",
        read_only: bool = False,
        busy_timeout: float = 60.0,
        driver: drivers.DriverName | None = None,
        key: str | bytes | Key | None = None,
        backup_before_upgrade: bool = True,
    ) -> None:
        if durability not in _SYNCHRONOUS:
            raise InvalidValueError(f"durability is 'power' or 'process', not {durability!r}")
        self.durability: str = durability
        self.read_only = read_only
        self._budget = busy_timeout
        self._saves = backup_before_upgrade
        self._links = self._open(os.fspath(path), driver, key if key is None or isinstance(key, Key) else Key(key))

    @property
    def location(self) -> str:
        """Where the data is: an absolute path, or ":memory:"."""
        return self._links.location

    @property
    def key(self) -> Key | None:
        """The key that the file is encrypted with."""
        return self._links.file.key if isinstance(self._links, FileLinks) else None

    @property
    def ledger(self) -> str | None:
        """The file beside the database that keeps what was forgotten; none for ":memory:"."""
        return None if self.location == MEMORY else self.location + "-forgotten"

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """What copies out of reach may still hold of what is removed; those that upgrades have kept are named."""
        if self.location == MEMORY:
            return (_COPIES,)
        with suppress(OSError):
            if kept := [copy.path for copy in copies_of(self.location)]:
                return _COPIES, _KEPT.format(", ".join(kept))
        return (_COPIES,)

    @property
    def is_scrub_due(self) -> bool:
        """Whether rows were removed that the write-ahead log may still hold."""
        with self.read() as reader:
            return reader.meta("scrub") is not None

    def scrub(self) -> str | None:
        """Leave nothing of removed rows in the files; tells why that could not be done yet."""
        return self._links.scrub()

    def read(self) -> SqliteReader:
        """Open one snapshot."""
        return SqliteReader(self._links)

    def glance(self, scope: Scope) -> tuple[Head | None, int] | None:
        """Give a scope's head and its registry's revision without waiting; None where others keep the file just now."""
        row = self._links.glance(HEAD_AND_REGISTRY, (scope.namespace, scope.user_id, scope.agent_id))
        return None if row is None else head_and_registry_of(scope, row)

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

    def wait_for_commit(self, seconds: float) -> None:
        """Return when something may have been committed, by this process or another, at latest after some seconds.

        Whoever looks, waits and looks again in one thread misses nothing; the first wait may return at once.
        """
        links = self._links
        try:
            links.check()
        except StoreRetryError:
            time.sleep(min(seconds, _PAUSE))
            return
        with own_errors(self.location):
            links.commits.wait(seconds)

    def examine(self, *, thorough: bool = False, quick: bool = False) -> Iterator[Finding]:
        """Look at the file, what lies beside it, and its pages; nothing of one that is in memory."""
        self._links.check()
        if isinstance(self._links, FileLinks):
            yield from checkup.examine(self._links.file, thorough=thorough, quick=quick)

    def sizes(self) -> dict[str, int]:
        """Give the bytes of the file, its log and its free pages; nothing of one that is in memory."""
        self._links.check()
        return checkup.sizes(self._links.file) if isinstance(self._links, FileLinks) else {}

    def close(self) -> None:
        """Let go of every connection. A forked child lets its parent's be."""
        self._links.close()

    def copy_into(self, path: str) -> DatabaseFile:
        """Write a compact copy, as of one moment, to a file that is not there yet, with the same key; gives it.

        Others read and write meanwhile. Raises StoreError; then no copy is left.
        """
        links = self._links
        links.check()
        file = links.file if isinstance(links, FileLinks) else DatabaseFile(path, drivers.choose(None))
        with links.apart() as connection:
            return write_copy(replace(file, path=path), connection, self.location)

    def rekey(self, key: str | bytes | None, *, timeout: float) -> None:
        """Encrypt the file with another key, or with none; who comes meanwhile gets StoreRetryError.

        Raises StoreBusyError where others have it open after so many seconds, ReadOnlyError, StoreUnsupportedError or
        StoreError; then it has the key it had.
        """
        new, links = None if key is None else Key(key), self._links
        links.check()
        if not isinstance(links, FileLinks):
            raise StoreError("':memory:' keeps nothing on the disk that a key could encrypt")
        if self.read_only:
            raise ReadOnlyError
        if new is None and links.file.key is None:
            return
        with forks.opening():
            if holders.others(self.location, than=links):
                raise StoreBusyError(f"{self.location} is open a second time in this process; close the other memory.")
            links.close((StoreRetryError, f"{self.location} is being given another key; try again in a moment."))
            file = links.file
            try:
                _wait_for_readers(links, timeout)
                file = rekey(file, new, timeout)
            finally:
                self._reopen(file, links)

    def _reopen(self, file: DatabaseFile, before: FileLinks) -> None:
        try:
            links = self._open_file(file)
            links.rollbacks = before.rollbacks + 1  # it only grows
            self._links = links
        except BaseException:
            before.refusal = (ClosedError, None)
            raise

    def _open(self, path: str, name: drivers.DriverName | None, key: Key | None) -> Links:
        if path == MEMORY:
            if key is not None:
                raise InvalidValueError("':memory:' keeps nothing on the disk that a key could encrypt")
            self.durability = "none"  # what a receipt says must be true: nothing outlives this process
            return MemoryLinks(drivers.choose(name), self._budget)
        location = os.path.abspath(path)
        refuse_lost(location)
        with forks.opening():
            driver = drivers.choose(holders.library(location, name), encrypts=key is not None)
            return self._open_file(DatabaseFile(location, driver, key, self._saves))

    def _open_file(self, file: DatabaseFile) -> FileLinks:
        """Open a file of ours, or make it; under the lock of ``forks.opening``."""
        if self.read_only:
            look_to_read(file, self._budget)
        links = FileLinks(file, self._budget, _SYNCHRONOUS[self.durability], read_only=self.read_only)
        holders.add(links)
        return links


def _wait_for_readers(links: FileLinks, seconds: float) -> None:
    """Wait until the last snapshot of this process has ended; raises StoreBusyError."""
    give_up = time.monotonic() + seconds
    while links.is_in_use:
        if time.monotonic() >= give_up:
            raise StoreBusyError(f"{links.location} is still being read in this process; its key is as it was.")
        time.sleep(_PAUSE)
