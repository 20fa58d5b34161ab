"""What goes wrong with real disks and files: full, gone, replaced, not allowed; and that work goes on afterwards."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.errors import OutcomeUnknownError, ReadOnlyError, StoreError
from tensemem.store.sqlite import batches
from tensemem.store.sqlite.driver_errors import our_error
from tests.disks import Balloon, small_disk
from tests.store.children import run_child

pytestmark = [pytest.mark.of_files, pytest.mark.skipif(os.name != "posix", reason="how POSIX treats files")]
is_root = hasattr(os, "geteuid") and os.geteuid() == 0
needs_root = pytest.mark.skipif(not is_root, reason="only root may do that to a file")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", "4m") as disk:
        yield disk


def opened(path: Path, **options: Any) -> Memory:
    mem = Memory(path, llm=FakeExtractor(), **options)
    mem.register_predicate("lives_in")
    return mem


def said(mem: Memory) -> list[str]:
    return [message.content for message in mem.messages("ann")]


# A disk that is full


def fill_by_writing(mem: Memory, acknowledged: list[str], name: str = "") -> StoreError:
    """Write until that is refused; gives the error."""
    for number in range(10_000):
        text = f"{name} {number} " + "and so on " * 200
        try:
            mem.add("ann", text, extract=False)
        except StoreError as error:
            return error
        acknowledged.append(text)
    raise AssertionError("the disk never was full")


def test_a_full_disk_is_told_and_everything_acknowledged_is_there(disk: Path) -> None:
    with opened(disk / "memory.db", worker=False) as mem:
        kept: list[str] = []
        balloon = Balloon(disk)
        balloon.blow_up(leave=300_000)
        error = fill_by_writing(mem, kept)
        assert "No room to write to" in str(error)
        assert "Make room on its disk; this memory then goes on" in str(error)
        for _ in range(2):
            with pytest.raises(StoreError, match="No room"):
                mem.add("ann", "more " * 20_000, extract=False)
            assert said(mem) == kept, "it is still read"
        balloon.let_go()
        mem.add("ann", "I live in Delhi")
        mem.flush("ann")
        assert mem.get("ann", "lives_in") == "Delhi"
        assert mem.verify().identical
    with Memory(disk / "memory.db", worker=False) as mem:
        assert said(mem) == [*kept, "I live in Delhi"]
        assert mem.verify().identical


def test_threads_that_share_commits_on_a_full_disk_are_told_the_truth(disk: Path) -> None:
    with opened(disk / "memory.db", worker=False) as mem:
        balloon = Balloon(disk)
        balloon.blow_up(leave=400_000)
        kept: list[list[str]] = [[] for _ in range(6)]
        threads = [
            threading.Thread(target=fill_by_writing, args=(mem, mine, f"t{number}")) for number, mine in enumerate(kept)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(said(mem)) == sorted(text for texts in kept for text in texts)
        balloon.let_go()
        mem.set("ann", "lives_in", "Pune")
        assert mem.verify().identical


def test_the_worker_goes_on_when_there_is_room_again(disk: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(disk / "memory.db") as mem:
        kept: list[str] = []
        mem.add("ann", "I live in Delhi", wait=True)
        balloon = Balloon(disk)
        balloon.blow_up(leave=100_000)
        fill_by_writing(mem, kept)
        with suppress(StoreError):
            mem.add("ann", "I live in Pune")
        balloon.let_go()
        mem.add("ann", "I live in Goa", wait=10)
        assert mem.get("ann", "lives_in") == "Goa"
        assert mem.jobs() == ()
    assert "Traceback" not in caplog.text


def test_closing_on_a_full_disk_loses_nothing(disk: Path) -> None:
    path = disk / "memory.db"
    kept: list[str] = []
    mem = opened(path, worker=False)
    balloon = Balloon(disk)
    balloon.blow_up(leave=300_000)
    fill_by_writing(mem, kept)
    balloon.blow_up()
    mem.close()
    with suppress(StoreError), Memory(path, worker=False, read_only=True) as mem:
        assert said(mem) == kept
    balloon.let_go()
    with Memory(path, worker=False) as mem:
        assert said(mem) == kept
        assert mem.verify().identical


def test_a_memory_that_finds_no_room_to_begin_in_leaves_nothing_half(disk: Path) -> None:
    path = disk / "memory.db"
    balloon = Balloon(disk)
    balloon.blow_up()
    for _ in range(2):
        with pytest.raises(StoreError, match=r"memory\.db"):
            opened(path, worker=False)
    balloon.let_go()
    with opened(path, worker=False) as mem:
        assert mem.verify().identical


LIMITED = """
    import json, resource, sys
    from tensemem import FakeExtractor, Memory
    from tensemem.errors import StoreError
    with Memory(sys.argv[1], llm=FakeExtractor(), worker=False) as mem:
        mem.register_predicate("lives_in")
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
        kept, told = 0, ""
        try:
            while True:
                mem.add("ann", "and so on " * 300, extract=False)
                kept += 1
        except StoreError as error:
            told = str(error)
        assert len(mem.messages("ann")) == kept
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        mem.set("ann", "lives_in", "Pune")
        print(json.dumps([kept, told, len(mem.messages("ann")), mem.verify().identical]))
"""


def test_a_limit_on_the_size_of_files_is_told(tmp_path: Path) -> None:
    kept, told, found, is_identical = json.loads(run_child(LIMITED, tmp_path / "memory.db"))
    assert kept == found > 0
    assert is_identical
    assert "its disk failed while it was written" in told
    assert "ulimit -f" in told


# Too many open files


NO_FILES = """
    import json, os, resource, sys
    from tensemem import FakeExtractor, Memory
    from tensemem.errors import StoreError
    with Memory(sys.argv[1], llm=FakeExtractor(), worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Pune")
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        taken = []
        try:
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        except OSError:
            pass
        with mem._engine.store.read() as one:  # the connection that is there
            one.meta("fence")
            try:
                mem.history("ann")
                told = "nothing"
            except StoreError as error:
                told = str(error)
        try:
            Memory(sys.argv[1] + "2", worker=False)
            other = "nothing"
        except StoreError as error:
            other = str(error)
        mem.set("ann", "lives_in", "Goa")
        for one in taken:
            os.close(one)
        print(json.dumps([told, other, mem.get("ann", "lives_in"), mem.verify().identical]))
"""


def test_too_many_open_files_are_told(tmp_path: Path) -> None:
    told, other, value, is_identical = json.loads(run_child(NO_FILES, tmp_path / "memory.db"))
    assert "This process can open nothing more" in told
    assert "Too many open files" in other
    assert (value, is_identical) == ("Goa", True)


# Files that are moved, deleted, replaced


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder" / "memory.db"


def refuses(mem: Memory, match: str) -> None:
    for step in (lambda: mem.set("ann", "lives_in", "Rome"), lambda: mem.get("ann", "lives_in"), mem.stats):
        with pytest.raises(StoreError, match=match):
            step()


def test_a_file_that_is_moved_away_is_missed_and_goes_on_where_it_is_put_back(path: Path, tmp_path: Path) -> None:
    with opened(path, worker=False) as mem:
        mem.set("ann", "lives_in", "Pune")
        path.rename(tmp_path / "elsewhere.db")
        refuses(mem, r"moved or deleted while it was open: put it back")
        assert not path.exists(), "no other one is made in its place"
        (tmp_path / "elsewhere.db").rename(path)
        assert mem.get("ann", "lives_in") == "Pune"
        mem.set("ann", "lives_in", "Goa")
        assert mem.verify().identical
    with Memory(path, worker=False) as mem:
        assert mem.get("ann", "lives_in") == "Goa"


def test_a_folder_that_is_moved_away_is_missed_too(path: Path, tmp_path: Path) -> None:
    with opened(path, worker=False) as mem:
        mem.set("ann", "lives_in", "Pune")
        path.parent.rename(tmp_path / "elsewhere")
        refuses(mem, r"moved or deleted")
        (tmp_path / "elsewhere").rename(path.parent)
        mem.set("ann", "lives_in", "Goa")
        assert mem.get("ann", "lives_in") == "Goa"


def test_a_file_that_is_deleted_is_told_and_closing_makes_no_other(path: Path) -> None:
    mem = opened(path, worker=False)
    mem.set("ann", "lives_in", "Pune")
    path.unlink()
    refuses(mem, r"moved or deleted while it was open")
    mem.close()
    assert not path.exists()


def test_a_file_that_another_was_put_in_the_place_of_is_told(path: Path, tmp_path: Path) -> None:
    with opened(tmp_path / "other.db", worker=False) as other:
        other.set("ann", "lives_in", "Oslo")
    mem = opened(path, worker=False)
    mem.set("ann", "lives_in", "Pune")
    os.replace(tmp_path / "other.db", path)
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    refuses(mem, r"Another file was put in the place of")
    with Memory(path, worker=False) as new:
        new.set("ann", "lives_in", "Bergen")
        mem.close()
        new.set("ann", "lives_in", "Narvik")
        assert new.get("ann", "lives_in") == "Narvik"
        assert new.verify().identical
    with Memory(path, worker=False) as new:
        assert new.get("ann", "lives_in") == "Narvik"


def test_a_write_that_went_into_a_file_that_is_gone_is_not_acknowledged(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(path, worker=False) as mem:
        commit = batches.Batch.commit

        def and_gone(batch: Any, cursor: Any) -> None:
            commit(batch, cursor)
            path.rename(tmp_path / "elsewhere.db")

        with monkeypatch.context() as patch:
            patch.setattr(batches.Batch, "commit", and_gone)
            with pytest.raises(OutcomeUnknownError, match="What was written last is in the file that was there"):
                mem.set("ann", "lives_in", "Pune", idempotency_key="1")
        (tmp_path / "elsewhere.db").rename(path)
        assert mem.set("ann", "lives_in", "Pune", idempotency_key="1").shown is not None
        assert [fact.value for fact in mem.history("ann").facts] == ["Pune"]


# Not allowed any more


@needs_root
def test_a_file_made_immutable_is_told_and_goes_on_when_it_may_be_written(path: Path) -> None:
    with opened(path, worker=False) as mem:
        mem.set("ann", "lives_in", "Pune")
        files = [str(path), f"{path}-wal"]
        command = ["chattr", "+i", *files]
        if not shutil.which("chattr") or subprocess.run(command, check=False, capture_output=True).returncode:
            pytest.skip("this file system has no immutable files")
        try:
            with pytest.raises(StoreError, match=r"memory\.db"):
                mem.set("ann", "lives_in", "Goa")
            assert mem.get("ann", "lives_in") == "Pune"
        finally:
            subprocess.run(["chattr", "-i", *files], check=True)
        mem.set("ann", "lives_in", "Rome")
        assert mem.verify().identical
    with Memory(path, worker=False) as mem:
        assert [fact.value for fact in mem.history("ann").facts] == ["Pune", "Rome"]


NOT_ALLOWED = """
    import json, os, sys
    path = sys.argv[1]
    from tensemem import FakeExtractor, Memory
    from tensemem.errors import StoreError
    def told(step):
        try:
            step()
        except StoreError as error:
            return f"{type(error).__name__}: {error}"
        return "nothing"
    def write_as_another():
        with Memory(path, worker=False) as other:
            other.set("ann", "lives_in", "Oslo")
    with Memory(path, llm=FakeExtractor(), worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Pune")
        os.chmod(path, 0)
        with mem._engine.store.read() as one:  # the connection that is there
            one.meta("fence")
            reading = told(lambda: mem.history("ann"))
        mem.set("ann", "lives_in", "Goa")  # with what is open already
        opening = told(lambda: Memory(path, worker=False))
        os.chmod(path, 0o400)
        writing = told(write_as_another)
        os.chmod(path, 0o600)
        found = mem.get("ann", "lives_in")
        mem.set("ann", "lives_in", "Rome")
    with Memory(path, worker=False) as mem:
        print(json.dumps([reading, opening, writing, found, mem.get("ann", "lives_in"), mem.verify().identical]))
"""


def without_privileges() -> list[str]:
    """Give what starts a process that the modes of files hold for, also where it is root's."""
    if not is_root:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may do anything here; setpriv would help that")
    powers = "-dac_override,-dac_read_search"
    return ["setpriv", "--inh-caps", powers, "--bounding-set", powers]


READ_WHILE_READ_ONLY = """if 1:
    import json, os, stat, sys
    from tensemem import Memory
    path = sys.argv[1]
    def beside():
        there = [end for end in ("-shm", "-wal") if os.path.exists(path + end)]
        return [end for end in there if stat.S_IMODE(os.stat(path + end).st_mode) == 0o400]
    with Memory(path, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Pune")
    os.chmod(path, 0o400)
    with Memory(path, read_only=True) as mem:
        mem.get("ann", "lives_in")
    left = beside()
    os.chmod(path, 0o600)
    with Memory(path, read_only=True) as mem:
        warned = [one.found for one in mem.doctor(quick=True).findings if one.name == "file"]
    with Memory(path, worker=False) as mem:
        mem.set("ann", "lives_in", "Rome")
    print(json.dumps([left, warned, beside()]))
"""


def test_what_was_left_beside_a_file_while_it_was_read_only_does_no_harm(path: Path) -> None:
    left, warned, after = json.loads(run_child(READ_WHILE_READ_ONLY, path, prefix=without_privileges()))
    assert left == ["-shm", "-wal"]
    assert "may not write to" in warned[0]
    assert after == []


def test_a_permission_that_is_lost_is_told_and_work_goes_on_when_it_is_back(path: Path) -> None:
    told = json.loads(run_child(NOT_ALLOWED, path, prefix=without_privileges()))
    reading, opening, writing, found, last, is_identical = told
    assert "This user may not read and write it" in reading
    assert opening.startswith("StoreError")
    assert writing.startswith(("StoreError", "ReadOnlyError"))
    assert (found, last, is_identical) == ("Goa", "Rome", True)


NO_TEMPORARY = """
    import os, sys
    os.environ["SQLITE_TMPDIR"] = os.environ["TMPDIR"] = "/nowhere/at/all"
    from tensemem import FakeExtractor, Memory
    with Memory(sys.argv[1], llm=FakeExtractor(), worker=False) as mem:
        mem.register_predicate("lives_in")
        for number in range(20):
            mem.add("ann", f"I live in Town{number} " + "and so on " * 300)
        mem.flush("ann", timeout=60)
        mem.rebuild()
        hits = mem.search("ann", "town and so on", limit=99)
        print(mem.verify().identical, len(hits) > 0, mem.context("ann").text != "")
"""


def test_no_temporary_folder_is_needed(path: Path) -> None:
    assert run_child(NO_TEMPORARY, path).split() == ["True"] * 3


# What is said


def sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("what the driver says")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "kind", "help_"),
    [
        (sqlite3.SQLITE_FULL, StoreError, "Make room on its disk"),
        (sqlite3.SQLITE_READONLY, ReadOnlyError, "Let its file, those beside it, its folder and disk be written"),
        (sqlite3.SQLITE_IOERR_WRITE, StoreError, "while it was written.*a quota"),
        (sqlite3.SQLITE_IOERR_FSYNC, StoreError, "while it was flushed.*Look after the disk"),
        (sqlite3.SQLITE_IOERR_SHMSIZE, StoreError, "for want of room"),
        (sqlite3.SQLITE_NOMEM, StoreError, "no memory left"),
        (sqlite3.SQLITE_CORRUPT, StoreError, "Restore a backup"),
    ],
)  # fmt: skip
def test_an_error_says_what_to_do(code: int, kind: type[StoreError], help_: str) -> None:
    with pytest.raises(kind, match=help_):
        raise our_error(sqlite_error(code), "memory.db")


def test_what_can_t_be_opened_says_why(tmp_path: Path) -> None:
    error = sqlite_error(sqlite3.SQLITE_CANTOPEN)
    assert "folder" in str(our_error(error, str(tmp_path / "none" / "memory.db")))
    assert "It is gone" in str(our_error(error, str(tmp_path / "memory.db")))
    (tmp_path / "memory.db").touch()
    assert "this memory goes on once" in str(our_error(error, str(tmp_path / "memory.db")))
