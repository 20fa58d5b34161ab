"""Connections: who reads and who writes on which, when transactions begin, and how they end."""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod

from ...errors import ClosedError, StoreBusyError, StoreError, TensememError
from . import forks
from .commits import Commits
from .driver_errors import DRIVER, our_error
from .drivers import Cursor, Driver
from .opening import DatabaseFile, open_in_memory, open_to_read, open_to_write
from .patience import Turn, execute_patiently

Refusal = tuple[type[TensememError], str | None]
"""The error class and message for whoever comes."""

_IDLE_READERS = 16


class Links(ABC):
    """What both kinds share: one writer at a time, in the order of asking; the way a transaction ends.

    ``refusal`` is the error class and message for whoever comes now: None while the store is open.
    """

    refusal: Refusal | None = None

    def __init__(self, location: str, budget: float) -> None:
        self.location = location
        self.commits: Commits
        self._budget = budget
        self._turn = Turn()
        self._holder: int | None = None
        self._cursor: Cursor | None = None
        self._changes = 0

    @abstractmethod
    def begin_read(self) -> Cursor:
        """Give a cursor inside a transaction; its first statement fixes the state that all of them see."""

    @abstractmethod
    def end_read(self, cursor: Cursor) -> None:
        """End that transaction."""

    @abstractmethod
    def _writer(self) -> Cursor:
        """Give the cursor that writes, opened if need be."""

    def begin_write(self) -> Cursor:
        """Give the cursor inside the transaction that may write.

        Raises StoreBusyError when others keep the lock for longer than the budget.
        """
        self.check()
        self._take_turn()
        try:
            self.check()
            cursor = self._writer()
            try:
                cursor.execute("BEGIN IMMEDIATE")
            except DRIVER.kinds:
                execute_patiently(cursor, "BEGIN IMMEDIATE", self._budget)
            self._changes = cursor.connection.total_changes
        except BaseException as error:
            self._undo()
            self._give_turn()
            if isinstance(error, DRIVER.kinds):
                raise our_error(error, self.location) from error
            raise
        return cursor

    def commit(self, cursor: Cursor) -> None:
        """Keep the transaction and tell whoever waits for commits; where that fails, nothing of it is kept."""
        self._check_process()
        try:
            try:
                cursor.execute("COMMIT")
            except DRIVER.kinds:
                if not cursor.connection.in_transaction:
                    raise
                execute_patiently(cursor, "COMMIT", self._budget)
            has_changed = cursor.connection.total_changes != self._changes
        except BaseException as error:
            self._undo()
            if isinstance(error, DRIVER.kinds):
                raise our_error(error, self.location) from error
            raise
        finally:
            self._give_turn()
        if has_changed:
            self.commits.announce()

    def roll_back(self) -> None:
        """Drop the transaction."""
        self._check_process()
        try:
            self._undo()
        finally:
            self._give_turn()

    def close(self, refusal: Refusal = (ClosedError, None)) -> None:
        """Refuse whoever comes from now on, wait for the writer, let go of what is idle.

        A snapshot that is being read stays whole; its connection is closed when it ends.
        """
        if self.refusal is not None:
            return
        if self._holder == threading.get_ident():
            raise StoreError("This thread has a transaction open; end it before closing.")
        self.refusal = refusal
        self.commits.close()
        if self._turn.acquire(self._budget):
            self._give_turn()

    def check(self) -> None:
        """Raise what whoever comes now is told."""
        if self.refusal is not None:
            kind, message = self.refusal
            raise kind(message)

    def _check_process(self) -> None:
        if self.refusal == forks.REFUSAL:
            self.check()

    def _take_turn(self) -> None:
        me = threading.get_ident()
        if self._holder == me:
            raise StoreError("This thread has a transaction open already; end it first.")
        if not self._turn.acquire(self._budget):
            raise StoreBusyError(f"{self.location} was kept busy for {self._budget:g} s; nothing was written.")
        self._holder = me

    def _give_turn(self) -> None:
        if self.refusal is not None:
            self._let_go()
        self._holder = None
        self._turn.release()

    def _undo(self) -> None:
        cursor = self._cursor
        try:
            if cursor is not None and cursor.connection.in_transaction:
                cursor.execute("ROLLBACK")
        except DRIVER.kinds:  # a connection that can't even roll back is of no use any more
            self._let_go()

    def _let_go(self) -> None:
        cursor, self._cursor = self._cursor, None
        if cursor is not None:
            with contextlib.suppress(*DRIVER.kinds):
                cursor.connection.close()


class FileLinks(Links):
    """One connection that writes, and as many that read as there are readers at a time."""

    def __init__(self, file: DatabaseFile, budget: float, synchronous: str, *, read_only: bool) -> None:
        super().__init__(file.path, budget)
        self.file = file
        self._synchronous = synchronous
        self._mode = "ro" if read_only else "rw"
        self._idle: list[Cursor] = []
        self._readers: set[object] = set()
        self.commits = Commits(lambda: open_to_read(file, budget, mode=self._mode))
        if read_only:
            self._idle.append(self._reader())
        else:
            self._cursor = self._writer()
        forks.guard(self)

    @property
    def is_in_use(self) -> bool:
        """Whether connections of this process are open on the file; a fork's parent has its own."""
        if self.refusal is None:
            return True
        return self.refusal != forks.REFUSAL and (bool(self._readers) or self._cursor is not None)

    def begin_read(self) -> Cursor:
        if self.refusal is not None:
            self.check()
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

    def end_read(self, cursor: Cursor) -> None:
        self._check_process()
        is_fine = False
        try:
            cursor.execute("COMMIT")
            is_fine = self.refusal is None and len(self._idle) < _IDLE_READERS
        except DRIVER.kinds as error:
            raise our_error(error, self.location) from error
        finally:
            if is_fine:
                self._idle.append(cursor)
            else:
                self._discard(cursor)

    def close(self, refusal: Refusal = (ClosedError, None)) -> None:
        super().close(refusal)
        if self.refusal != forks.REFUSAL:
            while self._idle:
                self._discard(self._idle.pop())

    def _writer(self) -> Cursor:
        if self._cursor is None:
            self._cursor = open_to_write(self.file, self._budget, self._synchronous).cursor()
        return self._cursor

    def _reader(self) -> Cursor:
        place = object()  # counts as a connection from before it opens, for whoever closes meanwhile
        self._readers.add(place)
        try:
            self.check()
            connection = open_to_read(self.file, self._budget, mode=self._mode)
            self._readers.add(connection)
        finally:
            self._readers.discard(place)
        return connection.cursor()

    def _discard(self, cursor: Cursor) -> None:
        connection = cursor.connection
        self._readers.discard(connection)
        with contextlib.suppress(*DRIVER.kinds):
            connection.close()


class MemoryLinks(Links):
    """One connection for everybody, one at a time; a thread that reads may read again meanwhile."""

    def __init__(self, driver: Driver, budget: float) -> None:
        super().__init__(":memory:", budget)
        self._depth = 0
        self._cursor = open_in_memory(driver).cursor()
        self.commits = Commits(None)
        forks.guard(self)

    def begin_read(self) -> Cursor:
        self.check()
        if self._depth == 0 or self._holder != threading.get_ident():
            self._take_turn()
            try:
                self.check()
                self._writer().execute("BEGIN")
            except BaseException:
                self._undo()
                self._give_turn()
                raise
        self._depth += 1
        return self._writer().connection.cursor()

    def end_read(self, cursor: Cursor) -> None:
        self._check_process()
        cursor.close()
        self._depth -= 1
        if self._depth == 0:
            try:
                self._undo()
            finally:
                self._give_turn()

    def _writer(self) -> Cursor:
        if self._cursor is None:
            raise ClosedError
        return self._cursor
