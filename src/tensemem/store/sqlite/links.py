"""Connections: who reads and who writes on which, when transactions begin, and how they end."""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from ...errors import ClosedError, OutcomeUnknownError, StoreBusyError, StoreError, TensememError
from .. import forks
from .batches import Batch
from .commits import Commits
from .driver_errors import DRIVER, is_busy, is_certain, is_unsound, our_error, told_unknown
from .drivers import Connection, Cursor
from .migrations import refuse_newer, version_of
from .patience import Place, Turn, execute_patiently
from .writingover import write_over

Refusal = tuple[type[TensememError], str | None]
"""The error class and message for whoever comes."""


class Links(ABC):
    """What both kinds share: one writer at a time, in the order of asking; how a transaction is shared, and ends.

    ``refusal`` is the error class and message for whoever comes now: None while the store is open. ``rollbacks``
    counts how often something that was written was taken back.
    """

    refusal: Refusal | None = None
    _shares = True

    def __init__(self, location: str, budget: float) -> None:
        self.location = location
        self.commits: Commits
        self.rollbacks = 0
        self._budget = budget
        self._turn = Turn()
        self._batch: Batch | None = None
        self._cursor: Cursor | None = None

    @abstractmethod
    def begin_read(self) -> Cursor:
        """Give a cursor inside a transaction; its first statement fixes the state that all of them see."""

    @abstractmethod
    def end_read(self, cursor: Cursor, *, is_fine: bool = True) -> None:
        """End that transaction; where it was not fine its connection is not used again."""

    def glance(self, statement: str, values: tuple[Any, ...]) -> Sequence[Any] | None:  # noqa: ARG002 -- as in a file
        """Give the one row of a statement, a snapshot of its own, without waiting; None where that can't be."""
        return None

    @abstractmethod
    def _writer(self) -> Cursor:
        """Give the cursor that writes, opened if need be."""

    @abstractmethod
    def apart(self) -> AbstractContextManager[Connection]:
        """Give a connection for one long statement that is a transaction by itself; it reads, and writes nowhere here.

        Whoever closes the store meanwhile does not disturb it.
        """

    def _look_after_log(self) -> None:  # noqa: B027 -- where there is no log, there is nothing to do
        """Keep the write-ahead log short."""

    def _check_file(self) -> None:  # noqa: B027 -- where there is no file, none can be gone
        """Raise StoreError where the file that is open is not to be found any more under its name."""

    def scrub(self) -> str | None:
        """Leave nothing of removed rows but in what is being read; tells why something is left."""
        return None

    def begin_write(self, place: Place, *, alone: bool = False) -> Cursor:
        """Give the cursor inside a transaction that may write; ``alone`` shares it with nobody.

        Raises StoreBusyError when others keep the lock for longer than the budget.
        """
        self.check()
        self._check_thread()
        try:
            self._take_turn(place)
            return self._begin(alone=alone)
        except BaseException as error:
            if is_unsound(error) and self._batch is None and self._turn.holder is place:
                self._let_go()
            self.leave(place, error)
            if isinstance(error, DRIVER.kinds):
                raise our_error(error, self.location) from error
            raise

    def commit(self, place: Place, *, alone: bool = False) -> None:
        """Keep what was written: returns once it is committed; where that fails, nothing of it is kept."""
        self._check_process()
        self._conclude(place, self._joined, shares=not alone)

    def refuse(self, place: Place) -> None:
        """Take back what was written and is answered by an error: returns once all that the error may rest on is kept.

        It may follow from what others wrote in the same transaction. Where that is lost, so is the reason: StoreError.
        """
        self._check_process()
        batch, cursor = self._batch, self._cursor
        if batch is None or cursor is None or batch.writes == 0:
            return  # nothing of others was seen; leaving is all there is to do

        def take_back() -> Batch:
            batch.take_back(cursor)
            self.rollbacks += 1
            return batch

        self._conclude(place, take_back, shares=True)

    def _conclude(self, place: Place, step: Callable[[], Batch], *, shares: bool) -> None:
        """Do a write's last step, and return once the batch it is part of is kept; raises where it is not."""
        try:
            batch = step()
            self._see_through(place, batch, shares=shares)
        except BaseException as error:
            self.leave(place, error)
            if isinstance(error, DRIVER.kinds):
                raise our_error(error, self.location) from error
            raise
        if batch.error is not None:
            raise self._lost(batch.error) from batch.error

    def leave(self, place: Place, error: BaseException | None = None) -> None:
        """Take back what a place has written, unless others go on with it already, and let others write.

        May be called at any time, and again. ``error`` is what led here.
        """
        if self.refusal == forks.REFUSAL:
            return
        try:
            self._leave(place, error)
        except BaseException:  # an interrupt; what is left to do is done all the same
            self._leave(place, error)
            raise

    def close(self, refusal: Refusal = (ClosedError, None)) -> None:
        """Refuse whoever comes from now on, wait for the writer, let go of what is idle.

        A snapshot that is being read stays whole; its connection is closed when it ends.
        """
        if self.refusal is not None:
            return
        self._check_thread("This thread has a transaction open; end it before closing.")
        self.refusal = refusal
        self.commits.close()
        place = Place()
        try:
            self._turn.acquire(place, self._budget)
        finally:
            if self._turn.withdraw(place):
                if self._batch is not None:
                    self._end(self._batch)
                self._let_others(place)

    def check(self) -> None:
        """Raise what whoever comes now is told."""
        if self.refusal is not None:
            kind, message = self.refusal
            raise kind(message)

    def _check_process(self) -> None:
        if self.refusal == forks.REFUSAL:
            self.check()

    def _check_thread(self, why: str = "This thread has a transaction open already; end it first.") -> None:
        holder = self._turn.holder
        if holder is not None and holder.thread == threading.get_ident():
            raise StoreError(why)

    def _take_turn(self, place: Place) -> None:
        if not self._turn.acquire(place, self._budget):
            raise StoreBusyError(f"{self.location} was kept busy for {self._budget:g} s; nothing was written.")
        self.check()

    def _begin(self, *, alone: bool) -> Cursor:
        """Go on in the batch that is open, or begin one."""
        batch = self._batch
        if batch is not None and (alone or batch.is_full()):
            self._end(batch)
            batch = None
        self._check_file()
        cursor = self._writer()
        if batch is not None:
            batch.save(cursor)
            return cursor
        try:
            cursor.execute("BEGIN IMMEDIATE")
        except DRIVER.kinds:
            execute_patiently(cursor, "BEGIN IMMEDIATE", self._budget)
        refuse_newer(version_of(cursor.connection.cursor()), self.location)  # which may have been upgraded meanwhile
        self._batch = Batch(cursor.connection.total_changes)
        return cursor

    def _see_through(self, place: Place, batch: Batch, *, shares: bool) -> None:
        """Hand the open transaction on where others wait and may share it, and return when it is over."""
        if self._shares and shares and self._turn.is_wanted() and not batch.is_full():
            self._turn.hand_on(place)
        if self._turn.holder is place:
            self._end(batch)
            self._look_after_log()
            self._let_others(place)

    def _joined(self) -> Batch:
        batch, cursor = self._batch, self._cursor
        if batch is None or cursor is None:
            raise StoreError("The transaction is not open any more; nothing was written.")
        batch.join(cursor)
        return batch

    def _leave(self, place: Place, error: BaseException | None) -> None:
        if not self._turn.withdraw(place):
            return
        batch = self._batch
        try:
            if batch is None:
                self._undo()
            elif batch.is_over:
                self._end(batch)
            elif batch.writes == 0:  # all of it is this place's
                self.rollbacks += 1
                self._undo()
                self._batch = None
            elif self._cursor is not None:
                self.rollbacks += 1
                batch.take_back(self._cursor)
        except Exception as why:  # most likely SQLite itself took back all of it, of others too
            _lose(batch, error if isinstance(error, DRIVER.kinds) else why)
        self._let_others(place)

    def _let_others(self, place: Place) -> None:
        """Give up the turn; an open batch that nobody would go on with is ended first."""
        batch = self._batch
        if batch is not None and (batch.error is not None or not self._turn.pass_on(place)):
            self._end(batch)
        if self._turn.holder is place:
            if self.refusal is not None:
                self._let_go()
            self._turn.release(place)

    def _end(self, batch: Batch) -> None:
        """Commit a batch, or drop it where that fails, and tell its writers."""
        try:
            self._settle(batch)
        except BaseException:  # an interrupt; what is left to do is done all the same
            self._settle(batch)
            raise

    def _settle(self, batch: Batch) -> None:
        if not batch.is_over:
            if batch.error is None:
                self._commit(batch)
            if batch.error is not None:
                self.rollbacks += 1
                self._undo()
            batch.is_over = True
        if batch.error is None and batch.has_changed:
            self.commits.announce()
        self._turn.dismiss()
        self._batch = None

    def _commit(self, batch: Batch) -> None:
        cursor = self._writer()
        try:
            try:
                batch.commit(cursor)
            except DRIVER.kinds as error:
                if not is_busy(error) or not cursor.connection.in_transaction:
                    raise  # after a flush that failed another might succeed, with nothing on the disk
                execute_patiently(cursor, "COMMIT", self._budget)
        except Exception as error:  # whatever it is: its writers must be told
            batch.error = error
            self._undo()
            if not is_certain(error) and not write_over(self._cursor):
                batch.error = OutcomeUnknownError(told_unknown(error, self.location))
                batch.error.__cause__ = error
            return
        try:
            self._check_file()
        except StoreError as error:
            batch.error = OutcomeUnknownError(f"{error} What was written last is in the file that was there.")
            batch.error.__cause__ = error

    def _lost(self, error: BaseException) -> StoreError:
        """Give each writer of a batch an error of its own: what is raised gets a traceback, and these are threads."""
        if isinstance(error, DRIVER.kinds):
            return our_error(error, self.location)
        if isinstance(error, OutcomeUnknownError):
            return OutcomeUnknownError(str(error))
        return StoreError(f"{self.location}: nothing was written: {error}")

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


def _lose(batch: Batch | None, why: BaseException) -> None:
    if batch is not None:
        batch.error = why
