"""Many threads and processes on one file: nothing lost, nothing surfacing, nothing half done."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tensemem.errors import ClosedError, StoreBusyError, StoreError
from tensemem.model.scope import Scope
from tensemem.store.sqlite import SqliteStore, holders, inherited, replacing
from tests.store.children import finish, run_child, start_child

needs_fork = pytest.mark.skipif(
    not hasattr(os, "fork") or sys.platform == "darwin", reason="there is no fork that is safe here"
)
# From Python 3.12 on fork warns where threads run; that they may is what these tests are about.
warns_of_fork = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")

COUNT = """
    import sys
    from tensemem.store.sqlite import SqliteStore
    store = SqliteStore(sys.argv[1], durability="process")
    print("open", flush=True)
    sys.stdin.readline()
    for _ in range(int(sys.argv[2])):
        with store.write() as tx:
            tx.set_meta("n", str(int(tx.meta("n") or 0) + 1))
    store.close()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path, durability="process")) as opened:
        yield opened


def meta(store: SqliteStore, name: str = "n") -> str | None:
    with store.read() as reader:
        return reader.meta(name)


def is_whole(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_no_update_of_any_process_is_lost(path: Path) -> None:
    children = [start_child(COUNT, path, 150) for _ in range(3)]  # the file is made by all of them at once
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "open\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    with closing(SqliteStore(path, durability="process")) as store:
        for _ in range(150):
            with store.write() as tx:
                tx.set_meta("n", str(int(tx.meta("n") or 0) + 1))
        for child in children:
            finish(child)
        assert meta(store) == "600"
    assert is_whole(path)


def test_threads_read_whole_transactions_while_others_write(store: SqliteStore, path: Path) -> None:
    errors: list[BaseException] = []
    is_over = threading.Event()

    def read() -> None:
        try:
            while not is_over.is_set():
                with store.read() as reader:
                    assert reader.meta("a") == reader.meta("b")
        except BaseException as error:
            errors.append(error)

    def write() -> None:
        try:
            for _ in range(60):
                with store.write() as tx:
                    number = str(int(tx.meta("a") or 0) + 1)
                    tx.set_meta("a", number)
                    tx.set_meta("b", number)
        except BaseException as error:
            errors.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    writers = [threading.Thread(target=write) for _ in range(3)]
    for thread in readers + writers:
        thread.start()
    for thread in writers:
        thread.join()
    is_over.set()
    for thread in readers:
        thread.join()
    assert errors == []
    assert meta(store, "a") == "180"


HOLD = """
    import sys
    from tensemem.store.sqlite import SqliteStore
    store = SqliteStore(sys.argv[1], durability="process")
    with store.write() as tx:
        tx.set_meta("n", "theirs")
        print("held", flush=True)
        sys.stdin.readline()
"""


def test_a_writer_waits_for_another_process_and_readers_do_not(store: SqliteStore, path: Path) -> None:
    child = start_child(HOLD, path)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    written = threading.Event()

    def write() -> None:
        with store.write() as tx:
            tx.set_meta("n", f"{tx.meta('n')}, then ours")
        written.set()

    writer = threading.Thread(target=write)
    writer.start()
    assert meta(store) is None
    assert not written.wait(0.1)
    assert child.stdin is not None
    child.stdin.write("go\n")
    child.stdin.flush()
    writer.join(60)
    assert meta(store) == "theirs, then ours"
    finish(child)


def test_whoever_waits_too_long_for_a_process_is_told_so(path: Path) -> None:
    with closing(SqliteStore(path, durability="process", busy_timeout=0.05)) as store:
        child = start_child(HOLD, path)
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        with pytest.raises(StoreBusyError) as caught, store.write():
            pass
        assert isinstance(caught.value.__cause__, sqlite3.OperationalError)
        assert meta(store) is None
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
        finish(child)
        with store.write() as tx:
            assert tx.meta("n") == "theirs"


def test_whoever_waits_too_long_for_a_thread_is_told_so(path: Path) -> None:
    with closing(SqliteStore(path, durability="process", busy_timeout=0.05)) as store:
        told: list[BaseException] = []

        def write() -> None:
            try:
                with store.write():
                    pass
            except StoreError as error:
                told.append(error)

        with store.write():
            other = threading.Thread(target=write)
            other.start()
            other.join()
        assert [type(error) for error in told] == [StoreBusyError]
        with store.write() as tx:
            tx.set_meta("n", "1")


def test_threads_write_in_the_order_in_which_they_asked(store: SqliteStore) -> None:
    order: list[int] = []
    queued = store._links._turn._waiting

    def write(number: int) -> None:
        with store.write():
            order.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(5)]
    with store.write():
        for number, thread in enumerate(threads):
            thread.start()
            while len(queued) <= number:
                os.sched_yield() if hasattr(os, "sched_yield") else None
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]


def test_a_commit_of_another_process_ends_a_wait(store: SqliteStore, path: Path) -> None:
    child = start_child(COUNT, path, 1)
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    store.wait_for_commit(0)
    assert child.stdin is not None
    child.stdin.write("go\n")
    child.stdin.flush()
    store.wait_for_commit(3600)
    assert meta(store) == "1"
    finish(child)


def test_closing_ends_a_wait(store: SqliteStore) -> None:
    store.wait_for_commit(0)
    threading.Thread(target=store.close).start()
    with suppress(ClosedError):  # where it was closed before the wait began
        store.wait_for_commit(3600)


# A process that is killed


KILLED = """
    import sys
    from tensemem.model.scope import Scope
    from tensemem.store.sqlite import SqliteStore
    store = SqliteStore(sys.argv[1])
    for number in range(5):
        with store.write() as tx:
            tx.set_meta("a", str(number))
            tx.set_meta("b", str(number))
        print(number, flush=True)
    with store.write() as tx:
        tx.set_meta("a", "half")
        for number in range(3000):  # more than fits into memory, so that some of it is in the log
            tx.open_scope(Scope("default", f"user{number}" * 20))
        print("inside", flush=True)
        sys.stdin.readline()
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no kill -9 here")
def test_a_killed_writer_leaves_what_it_committed_and_nothing_else(path: Path) -> None:
    child = start_child(KILLED, path)
    assert child.stdout is not None
    said = [child.stdout.readline() for _ in range(6)]
    assert said[-1] == "inside\n"
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    assert path.with_name(path.name + "-wal").stat().st_size > 0
    with closing(SqliteStore(path)) as store:
        with store.read() as reader:
            assert (reader.meta("a"), reader.meta("b")) == ("4", "4")
            assert reader.counts("default")["scopes"] == 0
        with store.write() as tx:
            tx.set_meta("a", "5")
    assert is_whole(path)


# Forks


def in_child(work: object) -> str:
    """Fork, do some work in the child, and give what it wrote into a pipe."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read_end)
            os.write(write_end, work().encode())  # type: ignore[operator]
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def tried(use: object) -> str:
    try:
        use()  # type: ignore[operator]
    except StoreError as error:
        return str(error)
    return "no error"


@needs_fork
@warns_of_fork
@pytest.mark.parametrize("kind", ["file", "memory"])
def test_a_store_from_before_a_fork_is_refused_in_the_child(path: Path, kind: str) -> None:
    with closing(SqliteStore(path if kind == "file" else ":memory:")) as store:
        with store.write() as tx:
            tx.set_meta("n", "1")
        uses = [
            lambda: store.read().__enter__(), lambda: store.write().__enter__(), lambda: store.wait_for_commit(1),
        ]  # fmt: skip
        for use in uses:
            assert "open another Memory in the child" in in_child(lambda use=use: tried(use))
        assert in_child(lambda: tried(store.close)) == "no error"
        assert meta(store) == "1"
        with store.write() as tx:
            tx.set_meta("n", "2")


@needs_fork
@warns_of_fork
def test_a_fork_while_others_hold_every_lock_is_no_deadlock(store: SqliteStore) -> None:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with store.write() as tx, store.read() as reader:
            tx.set_meta("n", "1")
            reader.meta("n")
            held.set()
            done.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(60)
    assert "before fork" in in_child(lambda: tried(lambda: store.write().__enter__()))
    assert in_child(lambda: tried(store.close)) == "no error"
    done.set()
    holder.join()
    assert meta(store) == "1"


@needs_fork
@warns_of_fork
def test_a_child_may_open_the_file_for_itself(store: SqliteStore, path: Path) -> None:
    def write() -> str:
        with closing(SqliteStore(path, durability="process")) as own, own.write() as tx:
            tx.set_meta("n", "child")
        return "written"

    assert in_child(write) == "written"
    assert meta(store) == "child"


OUTLIVES = """
    import os, sqlite3, subprocess, sys
    from tensemem.store.sqlite import SqliteStore

    path, generations = sys.argv[1], int(sys.argv[2])
    before = SqliteStore(path, durability="process")
    told, tell = os.pipe()
    goes, go = os.pipe()
    for _ in range(generations):
        child = os.fork()
        if child:
            break
    if child == 0:
        own = SqliteStore(path, durability="process")
        os.write(tell, b"x")
        os.read(goes, 1)
        with own.write() as tx:
            tx.set_meta("n", "acknowledged")
        os._exit(0)
    if os.getppid() == int(sys.argv[3]):
        os.read(told, 1)
        before.close()
        ends = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT 1 FROM meta').connection.close()"
        subprocess.run([sys.executable, "-c", ends, path], check=True)
        os.write(go, b"x")
    os.waitpid(child, 0)
"""


@needs_fork
@pytest.mark.parametrize("generations", [1, 2])
def test_what_a_child_has_written_stays_though_its_parent_closed(path: Path, generations: int) -> None:
    """Nobody who closes the file last, as far as he sees, may take the log away that the child goes on writing to."""
    run_child(OUTLIVES, path, generations, os.getpid())
    with closing(SqliteStore(path)) as store:
        assert meta(store) == "acknowledged"


@needs_fork
@warns_of_fork
def test_a_child_does_not_open_what_its_parent_closed_before_it_could_look(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = inherited.Inheritance.take

    def late(inheritance: inherited.Inheritance) -> None:
        Path(f"{path}-shm").rename(f"{path}-gone")
        taken(inheritance)

    monkeypatch.setattr(inherited.Inheritance, "take", late)
    said = in_child(lambda: tried(lambda: SqliteStore(path, durability="process").close()))
    Path(f"{path}-gone").rename(f"{path}-shm")
    assert "close the memory before forking" in said


@needs_fork
@warns_of_fork
def test_a_child_does_not_let_go_of_what_it_holds_by_looking_at_the_file(store: SqliteStore, path: Path) -> None:
    def looks() -> str:
        held = holders.are_there(str(path))
        return f"{held} {tried(lambda: replacing.refuse_open(str(path)))}"

    said = in_child(looks)
    assert said.startswith("True ")
    assert "is open, here or in another process" in said
    store.close()
    assert not holders.are_there(str(path))


FORKS = """
    import os, sys
    from tensemem.model.scope import Scope
    from tensemem.store.sqlite import SqliteStore
    store = SqliteStore(sys.argv[1], durability="process")
    with store.write() as tx:
        tx._run("PRAGMA cache_size = 10")  # so that most of the transaction is in the log already
        for number in range(3000):
            tx.open_scope(Scope("default", f"user{number}" * 20))
        child = os.fork()
        if child == 0:
            try:
                sys.exit(0)  # the interpreter ends as usual, and takes down what it holds
            finally:
                pass
        assert os.waitpid(child, 0)[1] in (0, 256), "the child ended in another way"
        tx.set_meta("n", "parent")
    with store.read() as reader:
        assert reader.counts("default")["scopes"] == 3000
    store.close()
    print("fine")
"""


@needs_fork
def test_the_end_of_a_child_does_not_touch_the_parent_s_transaction(path: Path) -> None:
    assert run_child(FORKS, path) == "fine\n"
    assert is_whole(path)
    with closing(SqliteStore(path)) as store, store.read() as reader:
        assert reader.meta("n") == "parent"
        assert reader.head(Scope("default", "user2999" * 20)) is not None
