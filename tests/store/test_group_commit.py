"""Group commit: writers that come together share one COMMIT, and stay each on their own in all else."""

from __future__ import annotations

import contextlib
import linecache
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tensemem.errors import ClosedError, ConflictError, OutcomeUnknownError, StoreBusyError, StoreError
from tensemem.store.sqlite import SqliteStore, batches
from tests.store.children import finish, start_child
from tests.store.sharing import Watched, Work, Writer, ended, is_in_line, line_up, together
from tests.store.test_sqlite_processes import COUNT, in_child, needs_fork, tried, warns_of_fork

IO_ERROR = "disk I/O error"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteStore]:
    monkeypatch.setattr(batches, "LONGEST", 3600.0)  # however slow the machine, a batch takes in who waits
    with closing(SqliteStore(path, durability="process")) as opened:
        yield opened


def writes(store: SqliteStore, name: str, value: str = "1") -> Work:
    def write() -> None:
        with store.write() as tx:
            tx.set_meta(name, value)

    return write


def fails(store: SqliteStore, name: str) -> Work:
    def write() -> None:
        with store.write() as tx:
            tx.set_meta(name, "1")
            raise LookupError(name)

    return write


def first(store: SqliteStore, name: str) -> Work:
    """What the writer that opened the transaction writes."""

    def write() -> None:
        store._links._cursor.execute("INSERT INTO meta VALUES (?1, '1')", (name,))  # type: ignore[union-attr]

    return write


def names(store: SqliteStore) -> set[str]:
    """The names that are kept, as a connection of its own sees them."""
    with closing(sqlite3.connect(store.location, isolation_level=None, timeout=0)) as connection:
        connection.execute("BEGIN IMMEDIATE")  # nobody has left a transaction open
        return {name for (name,) in connection.execute("SELECT name FROM meta WHERE name <> 'forget_key'")}


# What is shared


def test_a_lone_writer_opens_no_savepoint(store: SqliteStore) -> None:
    watched = Watched(store)
    writes(store, "a")()
    writes(store, "b")()
    assert watched.ran == ["BEGIN", "INSERT", "COMMIT"] * 2


def test_writers_that_come_together_share_one_commit(store: SqliteStore) -> None:
    watched = Watched(store)
    writers = together(store, first(store, "first"), *(writes(store, f"n{number}") for number in range(32)))
    assert [writer.error for writer in writers] == [None] * 33
    assert (watched.count("BEGIN"), watched.count("COMMIT"), watched.count("SAVEPOINT")) == (1, 1, 32)
    assert names(store) == {"first", *(f"n{number}" for number in range(32))}


def test_they_write_in_the_order_in_which_they_asked(store: SqliteStore) -> None:
    order: list[int] = []

    def count(number: int) -> Work:
        def write() -> None:
            with store.write() as tx:
                order.append(number)
                tx.set_meta("n", f"{tx.meta('n') or ''}{number}")

        return write

    together(store, lambda: None, *map(count, range(8)))
    assert order == list(range(8))
    with store.read() as reader:
        assert reader.meta("n") == "01234567"


def test_nobody_returns_before_the_commit_that_holds_its_write(store: SqliteStore) -> None:
    returned: list[str] = []
    at_commit: list[list[str]] = []
    watched = Watched(store)
    watched.before["COMMIT"] = lambda: at_commit.append(list(returned))

    def noted(name: str) -> Work:
        def write() -> None:
            writes(store, name)()
            returned.append(name)

        return write

    together(store, lambda: None, *map(noted, "abcd"))
    assert at_commit == [[]]
    assert sorted(returned) == list("abcd")


def test_nobody_sees_what_is_not_committed_yet(store: SqliteStore) -> None:
    seen: list[Any] = []

    def look() -> None:
        with store.write() as tx, store.read() as reader:
            seen.append((tx.meta("first"), tx.meta("a"), reader.meta("first"), reader.meta("a")))

    together(store, first(store, "first"), writes(store, "a"), look)
    assert seen == [("1", "1", None, None)]


def test_a_batch_takes_in_so_many_and_no_more(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MOST_WRITES", 4)
    watched = Watched(store)
    writers = together(store, lambda: None, *(writes(store, f"n{number}") for number in range(9)))
    assert [writer.error for writer in writers] == [None] * 10
    assert watched.count("COMMIT") == 3


def test_an_old_batch_takes_in_nobody(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "LONGEST", -1.0)
    watched = Watched(store)
    together(store, lambda: None, *map(writes, [store] * 4, "abcd"))
    assert (watched.count("COMMIT"), watched.count("SAVEPOINT")) == (5, 0)


def test_long_work_shares_with_nobody(store: SqliteStore) -> None:
    def alone() -> None:
        with store.write(alone=True) as tx:
            tx.set_meta("long", "1")

    watched = Watched(store)
    writers = together(store, first(store, "first"), alone, writes(store, "a"))
    assert [writer.error for writer in writers] == [None] * 3
    assert (watched.count("COMMIT"), watched.count("SAVEPOINT")) == (3, 0)
    assert names(store) == {"first", "long", "a"}


def test_in_memory_every_write_is_committed_before_anybody_reads() -> None:
    with closing(SqliteStore(":memory:")) as store:
        watched = Watched(store)
        seen: list[Any] = []

        def look() -> None:
            with store.read() as reader:
                seen.append(reader.meta("a"))

        together(store, first(store, "first"), fails(store, "a"), look, writes(store, "b"))
        assert seen == [None]
        assert watched.count("COMMIT") == 2


# What fails


@pytest.mark.parametrize("place", range(3))
def test_one_that_fails_takes_back_its_own_write_and_no_other(store: SqliteStore, place: int) -> None:
    works = [writes(store, name) for name in "abc"]
    works[place] = fails(store, "abc"[place])
    watched = Watched(store)
    writers = together(store, first(store, "first"), *works)
    assert [writer.error for writer in writers[1:]] == [LookupError if n == place else None for n in range(3)]
    assert writers[0].error is None
    assert names(store) == {"first", *"abc"} - {"abc"[place]}
    assert watched.count("COMMIT") == 1


def refused(store: SqliteStore) -> Work:
    """What is answered by an error, because of what another has written."""

    def refuse() -> None:
        with store.write() as tx:
            if tx.meta("a"):
                raise ConflictError("a is there")

    return refuse


def test_a_refusal_is_told_once_what_it_rests_on_is_committed(store: SqliteStore) -> None:
    told: list[str] = []

    def tell() -> None:
        with contextlib.suppress(ConflictError):
            refused(store)()
        told.append("refused")

    watched = Watched(store)
    watched.before["COMMIT"] = lambda: told.append("committed")
    together(store, first(store, "first"), writes(store, "a"), tell, writes(store, "b"))
    assert told == ["committed", "refused"]
    assert names(store) == {"first", "a", "b"}


@pytest.mark.parametrize("others", [0, 1], ids=["last", "not last"])
def test_a_refusal_for_what_was_never_committed_is_none(store: SqliteStore, others: int) -> None:
    watched = Watched(store)

    def fail() -> None:
        raise sqlite3.OperationalError(IO_ERROR)

    watched.before["COMMIT"] = fail
    works = [writes(store, "a"), refused(store), *[writes(store, "b")] * others]
    writers = together(store, first(store, "first"), *works)
    assert [writer.error for writer in writers] == [StoreError] * (3 + others)
    assert names(store) == set()
    del watched.before["COMMIT"]
    refused(store)()
    writes(store, "after")()
    assert names(store) == {"after"}


def test_where_the_first_fails_the_others_begin_anew(store: SqliteStore) -> None:
    def fail() -> None:
        first(store, "first")()
        raise LookupError

    writers = together(store, fail, writes(store, "a"), writes(store, "b"))
    assert [writer.error for writer in writers] == [LookupError, None, None]
    assert names(store) == {"a", "b"}


@pytest.mark.parametrize("is_gone", [False, True], ids=["still open", "rolled back by SQLite"])
def test_where_the_commit_fails_everybody_is_told_and_nothing_is_kept(store: SqliteStore, is_gone: bool) -> None:
    watched = Watched(store)

    def fail() -> None:
        if is_gone and watched.connection.in_transaction:
            watched.roll_back()
        raise sqlite3.OperationalError(IO_ERROR)

    watched.before["COMMIT"] = fail
    rollbacks = store.rollbacks
    writers = together(store, first(store, "first"), *(writes(store, name) for name in "abc"))
    assert [writer.error for writer in writers] == [StoreError] * 4
    assert all(IO_ERROR in writer.message for writer in writers)
    assert names(store) == set()
    assert store.rollbacks > rollbacks
    del watched.before["COMMIT"]
    writes(store, "after")()
    assert names(store) == {"after"}


def test_a_commit_that_failed_is_not_tried_again_and_one_that_was_busy_is(store: SqliteStore) -> None:
    # After a flush that failed, the next one may say that all is well, with nothing on the disk.
    watched = Watched(store)
    busy = sqlite3.OperationalError("database is locked")
    busy.sqlite_errorcode = sqlite3.SQLITE_BUSY

    def fail_once(error: Exception) -> None:
        def fail() -> None:
            del watched.before["COMMIT"]
            raise error

        watched.before["COMMIT"] = fail

    fail_once(sqlite3.OperationalError(IO_ERROR))
    with pytest.raises(StoreError, match=IO_ERROR):
        writes(store, "lost")()
    fail_once(busy)
    writes(store, "kept")()
    assert names(store) == {"kept"}


def test_where_sqlite_takes_back_the_transaction_itself_everybody_is_told(store: SqliteStore) -> None:
    watched = Watched(store)

    def full() -> None:
        with store.write() as tx:
            tx.set_meta("full", "1")
            watched.roll_back()
            raise sqlite3.OperationalError("database or disk is full")

    writers = together(store, first(store, "first"), writes(store, "a"), full, writes(store, "b"))
    assert [writer.error for writer in writers] == [StoreError, StoreError, StoreError, None]
    assert names(store) == {"b"}


def test_a_write_that_goes_on_after_sqlite_took_it_back_is_not_acknowledged(store: SqliteStore) -> None:
    watched = Watched(store)

    def careless() -> None:
        with store.write():
            watched.roll_back()

    writers = together(store, first(store, "first"), careless)
    assert [writer.error for writer in writers] == [StoreError, StoreError]
    assert names(store) == set()


def test_a_connection_that_cannot_even_roll_back_is_replaced(store: SqliteStore) -> None:
    watched = Watched(store)

    def fail() -> None:
        raise sqlite3.OperationalError(IO_ERROR)

    watched.before.update(COMMIT=fail, ROLLBACK=fail)
    writers = together(store, first(store, "first"), writes(store, "a"))
    # With it goes what could be written over in the log, where a COMMIT that failed may stand all the same.
    assert [writer.error for writer in writers] == [OutcomeUnknownError, OutcomeUnknownError]
    writes(store, "after")()
    assert names(store) == {"after"}


# Who waits too long, who closes, who forks


def test_who_waits_too_long_leaves_the_line_and_harms_nobody(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "LONGEST", 3600.0)
    with closing(SqliteStore(path, durability="process")) as store:
        impatient = Writer(writes(store, "impatient"))

        links: Any = store._links

        def holds() -> None:
            with store.write() as tx:
                tx.set_meta("holds", "1")
                links._budget = 0.05  # from now on: this one has waited for its turn as long as it took
                impatient.start()
                impatient.join(60)

        writers = together(store, first(store, "first"), holds)
        assert impatient.error is StoreBusyError
        assert [writer.error for writer in writers] == [None, None]
        assert names(store) == {"first", "holds"}


def test_closing_commits_what_is_open_and_refuses_the_rest(store: SqliteStore) -> None:
    closer = Writer(store.close)

    def holds() -> None:
        with store.write() as tx:
            tx.set_meta("holds", "1")
            line_up(store, [closer])

    writers = together(store, first(store, "first"), holds)
    ended([closer])
    assert [writer.error for writer in (*writers, closer)] == [None] * 3
    assert names(store) == {"first", "holds"}
    with pytest.raises(ClosedError):
        writes(store, "late")()


def test_who_waits_behind_one_that_closes_is_refused(store: SqliteStore) -> None:
    late = Writer(writes(store, "late"))
    closer = Writer(store.close)

    def holds() -> None:
        with store.write() as tx:
            tx.set_meta("holds", "1")
            line_up(store, [late, closer])

    writers = together(store, first(store, "first"), holds)
    ended([late, closer])
    assert [writer.error for writer in writers] == [None, None]
    assert late.error is ClosedError
    assert names(store) == {"first", "holds"}


@needs_fork
@warns_of_fork
def test_a_fork_while_a_batch_is_open_harms_nobody(store: SqliteStore) -> None:
    said: list[str] = []

    def forks() -> None:
        with store.write() as tx:
            tx.set_meta("forks", "1")
            said.append(in_child(lambda: tried(lambda: store.write().__enter__())))

    writers = together(store, first(store, "first"), forks, writes(store, "a"))
    assert [writer.error for writer in writers] == [None] * 3
    assert "before fork" in said[0]
    assert names(store) == {"first", "forks", "a"}


# Interrupts, at every line


WATCHED_FILES = ("links.py", "patience.py", "batches.py", "writing.py")


class Interrupting:
    """Raises KeyboardInterrupt at the nth line that a thread runs in the modules that share commits.

    Not at the lines that take a lock in C: Python looks for signals before it has it, or after it gave it back; only a
    trace function could raise while the lock is being given back.
    """

    def __init__(self, at: int) -> None:
        self.left, self.where = at, ""

    def __call__(self, frame: FrameType, event: str, _argument: object) -> Any:
        if os.path.basename(frame.f_code.co_filename) not in WATCHED_FILES or "sqlite" not in frame.f_code.co_filename:
            return self
        if frame.f_code.co_name == "__del__":  # Python reports what is raised there, and goes on
            return None
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        if event in ("call", "line") and line != "with self._guard:":
            if self.left == 0:
                self.where = f"{frame.f_code.co_qualname}:{frame.f_lineno}"
                self.left = -1
                raise KeyboardInterrupt
            self.left -= 1
        return self

    def around(self, work: Work) -> Work:
        def traced() -> None:
            sys.settrace(self)
            try:
                work()
            finally:
                sys.settrace(None)

        return traced


def interrupted(store: SqliteStore, victim: int, at: int) -> Interrupting:
    """Let three writers share a transaction and interrupt one of them; gives where that was."""
    trouble = Interrupting(at)
    rest = [Writer(writes(store, f"{at}:{number}")) for number in (1, 2)]

    def open_first() -> None:
        with store.write() as tx:
            sys.settrace(None)  # what the block does is no matter; its end is
            line_up(store, rest)
            tx.set_meta(f"{at}:0", "1")
            if victim == 0:
                sys.settrace(trouble)

    writers = [Writer(open_first), *rest]
    writers[victim].work = trouble.around(writers[victim].work)
    writers[0].start()
    ended(writers[:1])
    for writer in rest:
        if writer.ident is None:  # the first never came to start them
            writer.start()
    ended(rest)
    found = names(store)
    for number, writer in enumerate(writers):
        assert writer.error in ((None, KeyboardInterrupt) if number == victim else (None,)), (trouble.where, number)
        assert writer.error is not None or f"{at}:{number}" in found, (trouble.where, "acknowledged, and lost")
    writes(store, "again", str(at))()  # and nobody is in the way
    return trouble


@pytest.mark.skipif(sys.gettrace() is not None, reason="something else traces")
@pytest.mark.parametrize("victim", range(3), ids=["first", "second", "last"])
def test_an_interrupt_at_any_line_strands_nobody_and_takes_nobody_s_write(store: SqliteStore, victim: int) -> None:
    seen: set[str] = set()
    for at in range(10_000):
        where = interrupted(store, victim, at).where
        if not where:
            break
        seen.add(where.partition(":")[0])
    assert {"Links.begin_write", "SqliteWriter.__enter__", "SqliteWriter.__exit__", "Links.commit"} <= seen
    assert {"Turn.acquire", "Batch.join", "Batch.commit" if victim == 2 else "Turn.hand_on"} <= seen


def test_a_block_left_by_an_interrupt_before_it_could_end_its_transaction_is_ended(store: SqliteStore) -> None:
    writer = store.write()
    writer.__enter__().set_meta("lost", "1")
    with pytest.raises(StoreError, match="open already"):
        writes(store, "a")()
    del writer
    writes(store, "b")()
    assert names(store) == {"b"}


def test_where_a_thread_stands_in_line_can_be_seen(store: SqliteStore) -> None:
    writer = Writer(writes(store, "a"))
    with store.write():
        line_up(store, [writer])
        assert is_in_line(store, writer)
        assert not is_in_line(store, threading.current_thread())
    ended([writer])


# Other processes


def test_threads_that_write_without_end_let_other_processes_write(path: Path) -> None:
    child = start_child(COUNT, path, 25)
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    is_over = threading.Event()
    counted = [0] * 8

    def count(shared: SqliteStore, number: int) -> Work:
        def write() -> None:
            while not is_over.is_set():
                with shared.write() as tx:
                    tx.set_meta(f"t{number}", str(int(tx.meta(f"t{number}") or 0) + 1))
                counted[number] += 1

        return write

    with closing(SqliteStore(path, durability="process")) as store:
        writers = [Writer(count(store, number)) for number in range(8)]
        for writer in writers:
            writer.start()
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
        try:
            finish(child)  # the busy time-out of either would surface as an error
        finally:
            is_over.set()
            ended(writers)
        assert [writer.error for writer in writers] == [None] * 8
        with store.read() as reader:
            assert reader.meta("n") == "25"
            assert [int(reader.meta(f"t{number}") or 0) for number in range(8)] == counted
    assert min(counted) > 0
