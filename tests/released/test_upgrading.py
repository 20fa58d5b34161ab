"""Upgrades that fail, are killed, meet each other, or find no room: the old file stays usable, and is kept beside."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import stat
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tensemem import Memory
from tensemem.engine.upgrading import upgrade
from tensemem.errors import SchemaTooNewError, StoreCorruptError, StoreError
from tensemem.store.sqlite import SqliteStore, drivers, migrations
from tensemem.store.sqlite.files import DatabaseFile
from tensemem.store.sqlite.keys import Key
from tensemem.store.sqlite.migrations import MIGRATIONS
from tensemem.store.sqlite.rekeying import rekey
from tensemem.store.sqlite.saving import copies_of
from tests.disks import Balloon, small_disk
from tests.released.shelf import MADE_UP, OLDER, OLDEST, TODAY, know_steps, recorded, statements_from, unpacked
from tests.released.telling import LOOKED_AT, missing, told
from tests.store.children import finish, start_child
from tests.store.engines import KEY, are_ciphers_there

pytestmark = pytest.mark.of_files
versions = pytest.mark.parametrize("version", OLDER)
ways = pytest.mark.parametrize("killed", [False, True], ids=["closed", "killed"])
NEW = MADE_UP[-1].version
ROOT = Path(__file__).parents[2]
needs_modes = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
needs_ciphers = pytest.mark.skipif(not are_ciphers_there(), reason="needs apsw-sqlite3mc")


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version of the library, that knows two steps more."""
    know_steps(monkeypatch, *MIGRATIONS, *MADE_UP)


def content(path: Path) -> Any:
    """Give version, tables and rows, as a plain reader finds them."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute("PRAGMA user_version").fetchone(), sorted(connection.iterdump())


def tells_all(path: Path, version: int, **options: Any) -> None:
    with Memory(path, worker=False, clock=lambda: LOOKED_AT, **options) as mem:
        assert missing(recorded(version), told(mem)) == []
        assert mem.verify().identical


class Failing:
    """A cursor whose nth statement goes wrong; ``left`` is how many more go well."""

    def __init__(self, cursor: Any, after: int, how: Any) -> None:
        self._cursor, self.left, self._how = cursor, after, how

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Any:
        if self.left == 0:
            self._how()
        self.left -= 1
        return self._cursor.execute(statement, values)


class Room(NamedTuple):
    """What `shutil.disk_usage` gives."""

    total: int
    used: int
    free: int


def full() -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


def failing_at(number: int, cursor: Any, location: str) -> None:
    migrations.migrate(Failing(cursor, number, full), location)  # type: ignore[arg-type]


# A copy is kept


@pytest.mark.usefixtures("newer")
@versions
@ways
def test_a_copy_of_the_file_as_it_was_is_kept_beside_it(
    tmp_path: Path, version: int, killed: bool, caplog: pytest.LogCaptureFixture
) -> None:
    path = unpacked(version, tmp_path, killed=killed)
    (tmp_path / "other").mkdir()
    before = content(unpacked(version, tmp_path / "other", killed=killed))
    with caplog.at_level(logging.INFO, logger="tensemem"):
        tells_all(path, version)
    [copy] = copies_of(str(path))
    assert (copy.path, copy.version, copy.is_whole) == (f"{path}-before-{NEW}", NEW, True)
    assert copy.size == os.path.getsize(copy.path)
    lines = [record.getMessage() for record in caplog.records if "upgraded" in record.getMessage()]
    assert lines == [f"tensemem upgraded {path} from schema version {version} to {NEW}; as it was before it is kept in "
                     f"{copy.path}"]  # fmt: skip
    assert content(Path(copy.path)) == before
    tells_all(Path(copy.path), version, backup_before_upgrade=False)


@pytest.mark.usefixtures("newer")
@versions
def test_the_upgrade_tells_of_the_copy(tmp_path: Path, version: int) -> None:
    path = unpacked(version, tmp_path)
    assert upgrade(path, dry_run=True).backup is None
    assert copies_of(str(path)) == ()
    done = upgrade(path)
    assert (done.backup, done.found, done.known) == (f"{path}-before-{NEW}", version, NEW)
    assert upgrade(path).backup is None
    assert len(copies_of(str(path))) == 1


@pytest.mark.usefixtures("newer")
def test_no_copy_is_kept_where_none_is_wanted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = unpacked(OLDEST, tmp_path)
    with caplog.at_level(logging.INFO, logger="tensemem"):
        tells_all(path, OLDEST, backup_before_upgrade=False)
    assert "no copy of it was kept" in caplog.text
    (tmp_path / "other").mkdir()
    other = unpacked(OLDEST, tmp_path / "other")
    assert upgrade(other, backup=False).backup is None
    assert copies_of(str(path)) == copies_of(str(other)) == ()


@pytest.mark.usefixtures("newer")
def test_a_new_file_and_one_of_today_need_no_copy(tmp_path: Path) -> None:
    for _ in range(2):
        Memory(tmp_path / "memory.db", worker=False).close()
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]


@pytest.mark.usefixtures("newer")
@needs_modes
def test_a_copy_is_its_owner_s_alone_whatever_the_umask(tmp_path: Path) -> None:
    path = unpacked(OLDEST, tmp_path)
    path.chmod(0o644)
    for mask in (0o000, 0o277):
        before = os.umask(mask)
        try:
            upgraded = upgrade(path)
        finally:
            os.umask(before)
        assert stat.S_IMODE(os.stat(str(upgraded.backup)).st_mode) == 0o600
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
        shutil.copy(str(upgraded.backup), path)
        path.chmod(0o644)


@pytest.mark.usefixtures("newer")
def test_a_copy_never_takes_the_place_of_another_file(tmp_path: Path) -> None:
    path = unpacked(OLDEST, tmp_path)
    taken = Path(f"{path}-before-{NEW}")
    taken.write_text("of somebody else")
    old = path.read_bytes()
    for number in (1, 2):
        path.write_bytes(old)
        assert upgrade(path).backup == f"{taken}-{number}"
    assert taken.read_text() == "of somebody else"
    assert len(copies_of(str(path))) == 3


@pytest.mark.usefixtures("newer")
@needs_modes
def test_a_copy_lies_beside_the_file_itself_and_not_its_second_name(tmp_path: Path) -> None:
    path = unpacked(OLDEST, tmp_path)
    (tmp_path / "names").mkdir()
    link = tmp_path / "names" / "link.db"
    link.symlink_to(path)
    assert upgrade(link).backup == f"{path}-before-{NEW}"
    assert link.is_symlink()
    assert copies_of(str(link)) == copies_of(str(path)) != ()


@pytest.mark.usefixtures("newer")
@needs_ciphers
def test_the_copy_of_an_encrypted_file_is_encrypted_with_its_key(tmp_path: Path) -> None:
    path = unpacked(OLDEST, tmp_path)
    rekey(DatabaseFile(str(path), drivers.with_apsw()), Key(KEY), 5.0)
    tells_all(path, OLDEST, key=KEY)
    [copy] = copies_of(str(path))
    found = Path(copy.path).read_bytes()
    assert b"Delhi" not in found
    assert not found.startswith(b"SQLite format 3")
    with closing(DatabaseFile(copy.path, drivers.with_apsw(), Key(KEY)).connect("ro")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (OLDEST,)
    tells_all(Path(copy.path), OLDEST, key=KEY, backup_before_upgrade=False)


def test_only_such_copies_are_found(tmp_path: Path) -> None:
    for name in ("m.db", "m.db-before-2", "m.db-before-10-1", "m.db-before-3-part", "m.db-before-x", "m.db-wal",
                 "m.db-before-2.old", "other.db-before-2"):  # fmt: skip
        (tmp_path / name).touch()
    (tmp_path / "m.db-before-4").mkdir()
    found = {(Path(copy.path).name, copy.version, copy.is_whole) for copy in copies_of(str(tmp_path / "m.db"))}
    assert found == {
        ("m.db-before-2", 2, True), ("m.db-before-10-1", 10, True), ("m.db-before-3-part", 3, False),
    }  # fmt: skip


def test_whoever_forgets_is_told_of_the_copies(tmp_path: Path) -> None:
    path = unpacked(OLDEST, tmp_path)
    with Memory(path, worker=False) as mem:
        [copy] = copies_of(str(path))
        told = mem.forget("ann").elsewhere
        assert any(copy.path in sentence and "before an upgrade" in sentence for sentence in told)
        Path(copy.path).unlink()
        assert all("before an upgrade" not in sentence for sentence in mem.forget("bob").elsewhere)


# No room, no copy, no upgrade


@pytest.mark.usefixtures("newer")
def test_where_there_is_no_room_for_a_copy_nothing_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = unpacked(OLDEST, tmp_path)
    before = content(path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Room(1, 1, 4096))
    with pytest.raises(StoreError, match=r"no room to keep a copy.*4096 are free.*backup_before_upgrade=False"):
        Memory(path, worker=False)
    assert content(path) == before
    assert copies_of(str(path)) == ()
    tells_all(path, OLDEST, backup_before_upgrade=False)


@pytest.mark.usefixtures("newer")
def test_a_disk_that_fills_up_on_the_way_leaves_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_disk(tmp_path / "disk", "2m") as disk:
        path = unpacked(OLDEST, disk)
        before = content(path)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Room(2**40, 0, 2**40))
        balloon = Balloon(disk)
        balloon.blow_up(leave=60_000)
        with pytest.raises(StoreError, match=r"left as it was: no copy could be made beside it.*room"):
            Memory(path, worker=False)
        balloon.let_go()
        assert copies_of(str(path)) == ()
        assert content(path) == before
        tells_all(path, OLDEST)


@pytest.mark.usefixtures("newer")
def test_a_damaged_file_is_not_upgraded(tmp_path: Path) -> None:
    path = unpacked(OLDEST, tmp_path)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * (size // 4))
    before = path.read_bytes()
    with pytest.raises(StoreCorruptError, match="damaged"):
        Memory(path, worker=False)
    assert path.read_bytes() == before
    assert copies_of(str(path)) == ()


# Failures and kills on the way


@pytest.mark.usefixtures("newer")
@versions
@ways
def test_a_step_that_fails_anywhere_leaves_the_file_as_it_was(
    tmp_path: Path, version: int, killed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = unpacked(version, tmp_path, killed=killed)
    with closing(sqlite3.connect(path)) as connection:  # so that the log is in the file
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    before = content(path)
    for number in range(statements_from(version)):
        with monkeypatch.context() as within:
            within.setattr("tensemem.store.sqlite.opening.migrate", partial(failing_at, number + 1))
            with pytest.raises(StoreError, match="No room"):
                Memory(path, worker=False)
        assert content(path) == before
        assert copies_of(str(path)) == ()
    tells_all(path, version)


KILLED = """
    import os, shutil, signal, sys
    sys.path.insert(0, sys.argv[1])
    import pytest
    from tensemem.store.sqlite import SqliteStore, migrations, opening, saving
    from tests.released.shelf import MADE_UP, know_steps
    from tests.released.test_upgrading import Failing
    know_steps(pytest.MonkeyPatch(), *migrations.MIGRATIONS, *MADE_UP)
    run, copy = migrations.migrate, saving.flush_file

    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    def at(number):
        def migrate(cursor, *given):
            run(Failing(cursor, number, die), *given)
            die()  # before the commit
        return migrate

    for number in range(-1, int(sys.argv[3])):
        path = os.path.join(sys.argv[2], str(number), "memory.db")
        child = os.fork()
        if child == 0:
            opening.migrate = at(number)
            if number < 0:
                saving.flush_file = lambda _: die()  # while the copy is made
            SqliteStore(path)
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL
    print("all killed")
"""


@pytest.mark.usefixtures("newer")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.slow
@versions
def test_a_process_that_is_killed_anywhere_leaves_a_usable_file(tmp_path: Path, version: int) -> None:
    count = statements_from(version) + 2
    for number in range(-1, count):
        (tmp_path / str(number)).mkdir()
        path = unpacked(version, tmp_path / str(number))
    before = content(path)
    assert finish(start_child(KILLED, ROOT, tmp_path, count)).strip() == "all killed"
    for number in range(-1, count):
        path = tmp_path / str(number) / "memory.db"
        assert [copy.is_whole for copy in copies_of(str(path))] == [number >= 0]
        assert content(path) == before
        tells_all(path, version)
        assert [copy.is_whole for copy in copies_of(str(path))] == [True] * (2 if number >= 0 else 1)


TWO = """
    import sys
    sys.path.insert(0, sys.argv[1])
    import pytest
    from tensemem import Memory
    from tensemem.store.sqlite import migrations
    from tests.released.shelf import MADE_UP, know_steps
    know_steps(pytest.MonkeyPatch(), *migrations.MIGRATIONS, *MADE_UP)
    print("ready", flush=True)
    sys.stdin.readline()
    with Memory(sys.argv[2], worker=False) as mem:
        print(mem.set("ann", "lives_in", sys.argv[3]).rev)
"""


@pytest.mark.usefixtures("newer")
@versions
def test_processes_that_open_an_old_file_at_once_upgrade_it_once(tmp_path: Path, version: int) -> None:
    path = unpacked(version, tmp_path)
    children = [start_child(TWO, ROOT, path, name) for name in ("Oslo", "Bergen", "Narvik")]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    revs = _released(children)
    assert len(set(revs)) == len(children)
    assert [copy.version for copy in copies_of(str(path))] == [NEW]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (NEW,)
        assert connection.execute("SELECT count(*) FROM made_up").fetchone() != (0,)
    with Memory(path, worker=False) as mem:
        assert mem.verify().identical


def _released(children: list[Any]) -> list[str]:
    for child in children:
        child.stdin.write("\n")
        child.stdin.flush()
    return [finish(child).strip() for child in children]


# Versions side by side


def test_a_newer_file_is_refused_and_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = unpacked(OLDEST, tmp_path)
    with monkeypatch.context() as within:
        know_steps(within, *MIGRATIONS, *MADE_UP)
        Memory(path, worker=False).close()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for read_only in (False, True):
        with pytest.raises(SchemaTooNewError, match=f"version {NEW}.*up to {TODAY}. Upgrade the library"):
            Memory(path, worker=False, read_only=read_only)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_who_has_a_file_open_that_a_newer_version_upgrades_writes_to_it_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = unpacked(OLDEST, tmp_path)
    with Memory(path, worker=False) as mem:
        mem.set("ann", "lives_in", "Oslo")
        with monkeypatch.context() as within:
            know_steps(within, *MIGRATIONS, *MADE_UP)
            upgrade(path)
        with pytest.raises(SchemaTooNewError, match=f"version {NEW}"):
            mem.set("ann", "lives_in", "Bergen")
        assert mem.get("ann", "lives_in") == "Oslo"


def test_who_reads_beside_an_upgrade_reads_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = unpacked(OLDEST, tmp_path)
    upgrade(path)
    with closing(SqliteStore(path, read_only=True)) as store, store.read() as reader:
        before = reader.namespaces()
        know_steps(monkeypatch, *MIGRATIONS, *MADE_UP)
        upgrade(path)
        assert reader.namespaces() == before
