"""A database of one connection for everybody, since it ends with it: in memory, or scratch."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import ClosedError
from .. import forks
from .commits import Commits
from .drivers import Connection, Cursor, Driver
from .links import Links
from .opening import open_in_memory, own_errors
from .patience import Place


class MemoryLinks(Links):
    """One connection for everybody, one at a time; a thread that reads may read again meanwhile.

    Nothing is flushed, so there is nothing to share; and a reader must not see what is not committed.
    """

    _shares = False

    def __init__(self, driver: Driver, budget: float, name: str = ":memory:") -> None:
        super().__init__(name or "a scratch database", budget)
        self._depth = 0
        self._reading: Place | None = None
        self._cursor = open_in_memory(driver, name).cursor()
        self.commits = Commits(None)
        forks.guard(self)

    def begin_read(self) -> Cursor:
        self.check()
        if self._reading is None or self._reading.thread != threading.get_ident():
            self._check_thread()
            place = Place()
            try:
                self._take_turn(place)
                self._writer().execute("BEGIN")
                self._reading = place
            except BaseException:
                self.leave(place)
                raise
        self._depth += 1
        return self._writer().connection.cursor()

    def end_read(self, cursor: Cursor, *, is_fine: bool = True) -> None:  # noqa: ARG002 -- nothing else to go on with
        self._check_process()
        cursor.close()
        self._depth -= 1
        if self._depth == 0 and self._reading is not None:
            place, self._reading = self._reading, None
            self.leave(place)

    @contextmanager
    def apart(self) -> Iterator[Connection]:
        self.check()
        self._check_thread()
        place = Place()
        try:
            self._take_turn(place)
            with own_errors(self.location):
                yield self._writer().connection
        finally:
            self.leave(place)

    def _writer(self) -> Cursor:
        if self._cursor is None:
            raise ClosedError
        return self._cursor
