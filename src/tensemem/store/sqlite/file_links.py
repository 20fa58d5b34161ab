"""A file: one connection that writes, and as many that read as there are readers at a time."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...errors import ClosedError, StoreError, TensememError
from .. import forks
from .commits import Commits
from .driver_errors import DRIVER, is_busy, our_error
from .drivers import Connection, Cursor
from .files import DatabaseFile
from .glancing import Glancing
from .inherited import Inheritance
from .links import Links, Refusal
from .logsize import LogSize
from .opening import open_to_read, open_to_write, own_errors
from .patience import Place
from .scrubbing import Progress, Scrubbing
from .standing import Standing

_IDLE_READERS = 16

_PATIENCE_TO_SCRUB, _PAUSE_TO_SCRUB = 1.0, 0.005

STILL_READ = (
    "a snapshot that was open before is still being read, or another process writes: until then the write-ahead log "
    "beside the database keeps pages with what was removed; this goes on with the next writes, or at the next opening"
)


class FileLinks(Links):
    """One connection that writes, and as many that read as there are readers at a time."""

    def __init__(self, file: DatabaseFile, budget: float, synchronous: str, *, read_only: bool) -> None:
        super().__init__(file.path, budget)
        self.file = file
        self._synchronous = synchronous
        self._mode = "ro" if read_only else "rw"
        self._idle: list[Cursor] = []
        self._glancing: list[Glancing] = []
        self._readers: set[object] = set()
        self._standing = Standing(file.path)
        self._log = LogSize(file.path)
        self._scrubbing: Scrubbing | None = None
        self.commits = Commits(lambda: open_to_read(file, budget, mode=self._mode))
        if read_only:
            self._idle.append(self._reader())
        else:
            self._cursor = self._writer()
        with own_errors(file.path):
            self._standing.note()
        forks.guard(self)

    @property
    def is_in_use(self) -> bool:
        """Whether connections of this process are open on the file; a fork's parent has its own."""
        if self.refusal is None:
            return True
        return self.refusal != forks.REFUSAL and (bool(self._readers) or self._cursor is not None)

    def inherit(self) -> Callable[[], None]:
        """Give what a child does that is forked now, so that it holds the file as it believes it does."""
        return Inheritance(self.file.path).take

    def begin_read(self) -> Cursor:
        if self.refusal is not None:
            self.check()
        self._standing.check()
        try:
            cursor = self._idle.pop()
        except IndexError:
            cursor = self._reader()
        try:
            cursor.execute("BEGIN")
        except BaseException as error:
            self._discard(cursor)
            if isinstance(error, DRIVER.kinds):
                raise our_error(error, self.location) from error
            raise
        return cursor

    def end_read(self, cursor: Cursor, *, is_fine: bool = True) -> None:
        self._check_process()
        was_fine, is_fine = is_fine, False
        try:
            if was_fine:
                cursor.execute("COMMIT")
                is_fine = self.refusal is None and len(self._idle) < _IDLE_READERS
        except DRIVER.kinds as error:
            raise our_error(error, self.location) from error
        finally:
            if is_fine:
                self._idle.append(cursor)
            else:
                self._discard(cursor)

    def glance(self, statement: str, values: tuple[Any, ...]) -> Sequence[Any] | None:
        """Give the one row of a statement on a connection that waits for nobody; what goes wrong is told elsewhere."""
        if self.refusal is not None:
            return None
        try:
            glancing = self._glancing.pop()
        except IndexError:
            glancing = None
        row, is_fine = None, False
        try:
            self._standing.check()
            glancing = Glancing(self._reader(0.0)) if glancing is None else glancing
            row = glancing.row(statement, values)
            is_fine = self.refusal is None
        except DRIVER.kinds:
            return None
        except TensememError:
            return None
        finally:
            if is_fine and glancing is not None:
                self._glancing.append(glancing)
            elif glancing is not None:
                self._discard(glancing.cursor)
        return row

    def close(self, refusal: Refusal = (ClosedError, None)) -> None:
        super().close(refusal)
        if self.refusal != forks.REFUSAL:
            while self._idle:
                self._discard(self._idle.pop())
            while self._glancing:
                self._discard(self._glancing.pop().cursor)

    def scrub(self) -> str | None:
        """Overwrite stale bytes in the file, some pages at a time, then cut the write-ahead log, which keeps old pages.

        Who reads for long keeps it from that; then it goes on after each commit.
        """
        scrubbing = self._scrubbing = Scrubbing(
            self.file.path, self._budget, is_encrypted=self.file.key is not None, standing=self._standing
        )
        give_up = time.monotonic() + _PATIENCE_TO_SCRUB
        while not scrubbing.is_done:
            if self._scrub_in_turn(scrubbing) is not Progress.NONE:
                give_up = time.monotonic() + _PATIENCE_TO_SCRUB
            elif time.monotonic() >= give_up:
                return STILL_READ
            time.sleep(_PAUSE_TO_SCRUB)
        return scrubbing.left

    def _scrub_in_turn(self, scrubbing: Scrubbing) -> Progress:
        self.check()
        self._check_thread()
        place = Place()
        try:
            self._take_turn(place)
            if self._batch is not None:
                self._end(self._batch)
            return self._scrub_some(scrubbing)
        except DRIVER.kinds as error:
            if is_busy(error):
                return Progress.NONE
            raise our_error(error, self.location) from error
        except OSError as error:
            raise StoreError(f"{self.location} could not be overwritten where rows were removed: {error}") from error
        finally:
            self.leave(place)

    def _scrub_some(self, scrubbing: Scrubbing) -> Progress:
        """Do a part of what is left to be overwritten; whoever may write calls it, outside any transaction."""
        if scrubbing.is_done:
            return Progress.DONE
        made = scrubbing.step(self._writer())
        if made is Progress.CHANGED:
            self._let_go()  # what it keeps of the pages is what they were before
        elif made is Progress.DONE and self._scrubbing is scrubbing:
            self._scrubbing = None
        return made

    @contextlib.contextmanager
    def apart(self) -> Iterator[Connection]:
        with own_errors(self.location):
            cursor = self._reader()
            try:
                cursor.execute("PRAGMA query_only = OFF")  # which would also forbid to write elsewhere
                yield cursor.connection
            finally:
                self._discard(cursor)

    def _writer(self) -> Cursor:
        if self._cursor is None:
            self._cursor = open_to_write(self.file, self._budget, self._synchronous).cursor()
        return self._cursor

    def _check_file(self) -> None:
        self._standing.check()

    def _look_after_log(self) -> None:
        if self._scrubbing is not None:
            with contextlib.suppress(*DRIVER.kinds, OSError, StoreError):  # what was committed is safe; tried again
                self._scrub_some(self._scrubbing)
        if self._cursor is not None:
            self._log.look(self._cursor)

    def _reader(self, budget: float | None = None) -> Cursor:
        place = object()  # counts as a connection from before it opens, for whoever closes meanwhile
        self._readers.add(place)
        try:
            self.check()
            patience = self._budget if budget is None else budget
            connection = open_to_read(self.file, patience, mode=self._mode)
            self._readers.add(connection)
        finally:
            self._readers.discard(place)
        return connection.cursor()

    def _discard(self, cursor: Cursor) -> None:
        connection = cursor.connection
        self._readers.discard(connection)
        with contextlib.suppress(*DRIVER.kinds):
            connection.close()
