"""The doctor: each fault made on purpose is found, told with what to do, and never a traceback; nothing is changed."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Diagnosis, FakeExtractor, Finding, Memory, errors
from tensemem.engine import condition, diagnosing
from tensemem.engine.diagnosing import diagnose_at
from tensemem.engine.processes import RUNNING, host_name, process_started
from tensemem.model.diagnosis import LEVELS
from tensemem.model.scope import Scope
from tensemem.ports import FILLING, WorkerRow
from tensemem.store.sizes import size_text
from tensemem.store.sqlite import file_checkup, filesystems
from tests.engine.bench import Clock, day
from tests.store.engines import KEY, needs_ciphers

pytestmark = pytest.mark.of_files
posix = pytest.mark.skipif(os.name != "posix", reason="elsewhere the bits of a file say nothing of who may read it")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file in order: three people, nothing waits."""
    folder = tmp_path / "private"
    folder.mkdir(mode=0o700)
    place = folder / "memory.db"
    with Memory(place, worker=False) as mem:
        mem.register_predicate("lives_in")
        for user in ("ann", "bob", "secret-user"):
            mem.set(user, "lives_in", "Xanadu")
    return place


def finding(found: Diagnosis, name: str) -> Finding:
    one = found.named(name)
    assert one is not None, f"{name} was not looked at: {found}"
    return one


def levels(found: Diagnosis) -> dict[str, str]:
    return {one.name: one.level for one in found.findings if one.level in ("warning", "error")}


def test_a_memory_in_order_is_fine_and_every_question_was_asked(path: Path) -> None:
    found = diagnose_at(path)
    assert levels(found) == {}
    assert found.is_fine
    assert found.location == str(path)
    assert {one.name for one in found.findings} >= {
        "versions", "file", "permissions", "disk room", "write-ahead log", "sqlite", "schema", "free pages",
        "integrity", "durability", "waiting", "failed", "workers", "clock", "digests",
    }  # fmt: skip
    assert "Xanadu" not in str(found)
    assert "secret-user" not in str(found)


def test_every_finding_that_is_to_be_seen_to_says_what_to_do(tmp_path: Path, path: Path) -> None:
    bad = tmp_path / "bad.db"
    bad.write_bytes(os.urandom(4096))
    for place in (bad, tmp_path, tmp_path / "none.db", tmp_path / "none" / "x.db", path):
        for one in diagnose_at(place).findings:
            assert one.level == "ok" or one.todo, one


def test_nothing_is_written_and_nothing_made(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    diagnose_at(path, thorough=True)
    assert path.read_bytes() == before
    diagnose_at(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def _missing(path: Path) -> None:
    path.unlink()


def _folder_missing(path: Path) -> None:
    path.unlink()
    path.parent.rmdir()


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _garbage(path: Path) -> None:
    path.write_bytes(b"\xa5" * 8192)


def _foreign(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (x)")
    connection.close()


def _newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def _cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:9000])


@pytest.mark.parametrize(
    ("spoil", "name", "says"),
    [
        (_missing, "file", "there is no file"),
        (_folder_missing, "file", "does not exist"),
        (_a_folder, "file", "is a folder"),
        (_empty, "file", "is empty"),
        (_garbage, "opening", "damaged or not a database"),
        (_foreign, "opening", "not a tensemem database"),
        (_newer, "opening", "schema version 99"),
        (_cut_short, "opening", "damaged"),
    ],
)
def test_what_can_not_be_opened_is_told_with_the_cause(
    path: Path, spoil: Callable[[Path], None], name: str, says: str
) -> None:
    spoil(path)
    found = diagnose_at(path)
    assert finding(found, name).level == "error"
    assert says in finding(found, name).found
    assert finding(found, "versions").level == "ok"
    assert found.level == "error"


@needs_ciphers
def test_an_encrypted_file_without_its_key_is_told_and_with_it_is_fine(tmp_path: Path) -> None:
    path = tmp_path / "sealed.db"
    with Memory(path, key=KEY, worker=False) as mem:
        mem.register_predicate("lives_in")
    for key in (None, "another", "raw:1"):
        refused = finding(diagnose_at(path, key=key), "opening")
        assert refused.level == "error"
        assert "key" in refused.found
    found = diagnose_at(path, key=KEY)
    assert found.is_fine
    assert "encrypted" in finding(found, "sqlite").found
    assert KEY not in str(found)


@pytest.mark.parametrize("place", ["mysql://host/name", "postgresql:host", "\0", ":memory:"])
def test_what_names_no_memory_is_told(place: str) -> None:
    found = diagnose_at(place)
    assert found.level == "error"
    assert "Traceback" not in str(found)


def test_a_server_that_is_away_is_told_without_its_password() -> None:
    found = diagnose_at("postgresql://ann:hidden@127.0.0.1:1/memory?password=hidden&connect_timeout=2")
    assert finding(found, "opening").level == "error"
    assert "hidden" not in str(found)
    assert found.location == "postgresql://127.0.0.1:1/memory"


def test_pages_that_are_damaged_are_told_and_what_can_be_looked_at_is(path: Path) -> None:
    content = bytearray(path.read_bytes())
    pages = len(content) // 4096
    for page in range(pages // 2, pages):
        content[page * 4096 : page * 4096 + 8] = b"\xff" * 8
    path.write_bytes(bytes(content))
    found = diagnose_at(path)
    assert found.level == "error"
    assert finding(found, "disk room").level == "ok"
    assert any((one.level == "error" and "damaged" in one.found) or "integrity" in one.name for one in found.findings)


@posix
@pytest.mark.parametrize("ending", ["-forgotten", "-access"])
def test_files_that_others_may_read_are_told(path: Path, ending: str) -> None:
    path.chmod(0o644)
    beside = path.with_name(path.name + ending)
    beside.write_text("{}")
    beside.chmod(0o640)
    found = finding(diagnose_at(path), "permissions")
    assert found.level == "warning"
    assert "memory.db (0644)" in found.found
    assert f"memory.db{ending} (0640)" in found.found
    assert "chmod 600" in found.todo


@posix
@pytest.mark.parametrize(("mode", "level"), [(0o777, "warning"), (0o1777, "note")])
def test_a_folder_that_everybody_may_write_to_is_told(path: Path, mode: int, level: str) -> None:
    path.parent.chmod(mode)
    assert finding(diagnose_at(path), "folder").level == level
    path.parent.chmod(0o700)


@posix
def test_a_second_name_is_told(path: Path, tmp_path: Path) -> None:
    (tmp_path / "second.db").hardlink_to(path)
    assert finding(diagnose_at(path), "second name").level == "warning"


def test_a_file_that_may_not_be_read_or_written_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.access
    for denied, level, says in (
        (os.R_OK, "error", "may not be read"),
        (os.W_OK, "note", "may only read"),
    ):
        monkeypatch.setattr(os, "access", lambda file, mode, denied=denied: mode != denied and real(file, mode))
        found = finding(diagnose_at(path), "file")
        assert (found.level, says in found.found) == (level, True)
    monkeypatch.setattr(os, "access", lambda file, mode: not (mode == os.W_OK and os.path.isdir(file)))
    assert finding(diagnose_at(path), "file").level == "warning"


def test_a_disk_that_is_full_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for room, level in ((2**20, "error"), (2**26, "warning"), (2**40, "ok")):
        usage = type("Usage", (), {"free": room})
        monkeypatch.setattr(shutil, "disk_usage", lambda _, usage=usage: usage)
        assert finding(diagnose_at(path), "disk room").level == level
    os.truncate(path, 2**31)
    usage = type("Usage", (), {"free": 2**30})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert finding(diagnose_at(path), "disk room").level == "note"


@pytest.mark.parametrize(("kind", "level"), [("nfs4", "warning"), ("fuse.sshfs", "warning"), ("tmpfs", "note")])
def test_a_file_system_that_can_not_be_relied_on_is_told(
    path: Path, kind: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_checkup, "kind_of", lambda _: kind)
    assert finding(diagnose_at(path), "file system").level == level


MOUNTS = """\
21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 21 0:26 / /srv rw shared:5 - nfs4 server:/srv rw
31 30 0:27 / /srv/a\\040b rw - cifs //server/x rw
40 21 0:30 / /data rw - ext4 /dev/sdb1 rw
41 40 0:31 / /data rw - fuse.sshfs server:/ rw
a line that is none
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/etc/x", "ext4"), ("/srv/ann/m.db", "nfs4"), ("/srv/a b/m.db", "cifs"), ("/srvs/m.db", "ext4"),
        ("/data/m.db", "fuse.sshfs"), ("relative", "ext4"),
    ],
)  # fmt: skip
def test_the_kind_is_that_of_the_longest_place_and_the_latest(path: str, kind: str) -> None:
    assert filesystems.kind_in(MOUNTS, path) == kind


def test_where_the_kind_can_not_be_told_nothing_is_said(tmp_path: Path) -> None:
    assert filesystems.kind_of(str(tmp_path), str(tmp_path / "none")) is None
    assert filesystems.kind_in("", "/x") is None


def test_a_log_that_has_grown_long_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_checkup, "LONGEST_LOG", 0)
    with Memory(path, worker=False) as mem:
        mem.set("ann", "lives_in", "Goa")
        assert finding(mem.doctor(), "write-ahead log").level == "warning"


def test_free_pages_are_told(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE filled (x)")
    connection.execute("INSERT INTO filled VALUES (zeroblob(4000000))")
    connection.commit()
    connection.execute("DROP TABLE filled")
    connection.commit()
    connection.close()
    found = finding(diagnose_at(path), "free pages")
    assert found.level == "note"
    assert found.found.startswith("3.8 MiB")


def test_what_a_change_of_the_key_left_is_told(path: Path) -> None:
    path.with_name(path.name + "-rekey").write_bytes(b"half")
    assert finding(diagnose_at(path), "other key").level == "note"
    assert path.with_name(path.name + "-rekey").exists()


def test_messages_that_wait_are_told_with_who_extracts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(day(0))
    with Memory(path, worker=False, clock=clock) as mem:
        mem.add("zoe", "hello")
        clock.advance(hours=3)
        found = finding(mem.doctor(quick=True), "waiting")
        assert found.level == "warning"
        assert found.found == "1 message waiting, the oldest for 3 hours, and nobody extracts"
        now, pid = mem._engine.operational_clock(), os.getpid()
        with mem._engine.store.write() as tx:
            tx.beat(WorkerRow("w", host_name(), pid, process_started(pid) or RUNNING, now))
        found = finding(mem.doctor(quick=True), "waiting")
        assert (found.level, "though somebody extracts" in found.found) == ("warning", True)
        monkeypatch.setattr(diagnosing, "LONG_WAIT", 10**6)
        assert finding(mem.doctor(quick=True), "waiting").level == "ok"


def test_messages_that_were_given_up_are_told(path: Path) -> None:
    def fails(request: Any) -> Any:
        raise ValueError("Xanadu")

    clock = Clock(day(0))
    with Memory(path, worker=False, clock=clock, llm=fails) as mem:
        mem.add("ann", "hello")
        for _ in range(5):
            mem.flush()
        found = mem.doctor(quick=True)
        assert (finding(found, "failed").level, finding(found, "failed").found) == ("warning", "1 message given up")
        assert finding(found, "waiting").level == "ok"
        assert "Xanadu" not in str(found)


def test_workers_that_are_gone_are_told(path: Path) -> None:
    with Memory(path, worker=False, llm=FakeExtractor()) as mem:
        mem.add("ann", "hello")
        now = mem._engine.operational_clock()
        with mem._engine.store.write() as tx:
            tx.beat(WorkerRow("gone", "elsewhere", 1, "then", now - 10**9))
            tx.lease("gone", now, now + 10**9, [], [])
        found = finding(mem.doctor(quick=True), "workers")
        assert (found.level, found.found) == ("note", "0 workers alive; 1 gone without signing off, with 1 lease")


def test_a_clock_that_was_put_back_is_told(path: Path) -> None:
    clock = Clock(day(400))
    with Memory(path, worker=False, clock=clock) as mem:
        mem.set("ann", "lives_in", "Goa")
        assert finding(mem.doctor(quick=True), "clock").level == "ok"
        clock.now -= timedelta(days=3)
        found = finding(mem.doctor(quick=True), "clock")
        assert found.level == "warning"
        assert "3 days ahead" in found.found


def test_two_clocks_that_differ_are_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(path, worker=False) as mem:
        monkeypatch.setattr(type(mem._engine.store), "clock_ahead", -60_000_000)
        found = finding(mem.doctor(quick=True), "clock")
        assert (found.level, found.found) == ("warning", "the server's clock is 60 seconds behind this machine's")


def test_a_copy_that_was_broken_off_is_told(path: Path) -> None:
    with Memory(path, worker=False) as mem:
        with mem._engine.store.write() as tx:
            head = tx.open_scope(Scope("default", "half"))
            head.registry_rev = FILLING
            tx.save_head(head)
        assert finding(mem.doctor(quick=True), "unfinished copies").level == "warning"


def test_memories_that_are_not_removed_yet_are_told(path: Path) -> None:
    with Memory(path, worker=False) as mem:
        assert finding(mem.doctor(quick=True), "removals").level == "ok"
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO removals (scope) VALUES (77)")
    connection.commit()
    connection.close()
    assert finding(diagnose_at(path, quick=True), "removals").level == "warning"


def test_a_file_of_an_older_version_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    released = Path(__file__).parents[1] / "released" / "schema1.db.gz"
    path.write_bytes(gzip.decompress(released.read_bytes()))
    path.chmod(0o600)
    before = path.read_bytes()
    found = diagnose_at(path)
    assert finding(found, "schema").level == "warning"
    assert "tensemem migrate" in finding(found, "schema").todo
    assert found.named("opening") is None
    assert path.read_bytes() == before


def test_a_ledger_that_lacks_what_was_forgotten_is_told(path: Path) -> None:
    older = path.read_bytes()
    with Memory(path, worker=False) as mem:
        mem.forget("secret-user")
        assert finding(mem.doctor(quick=True), "ledger").level == "ok"
    ledger = path.with_name(path.name + "-forgotten")
    kept = ledger.read_bytes()
    ledger.unlink()
    lost = finding(diagnose_at(path, quick=True), "ledger")
    assert (lost.level, lost.found) == ("warning", "1 line missing in memory.db-forgotten")
    ledger.write_bytes(kept)
    path.write_bytes(older)
    revived = finding(diagnose_at(path, quick=True), "ledger")
    assert (revived.level, "is it an older copy?" in revived.found) == ("warning", True)


def test_a_policy_that_nobody_follows_is_told(path: Path) -> None:
    clock = Clock(day(1000))
    with Memory(path, worker=False, clock=clock) as mem:
        assert finding(mem.doctor(quick=True), "retention").level == "ok"
        mem.retain(texts="90d")
        found = finding(mem.doctor(quick=True), "retention")
        assert (found.level, "purge --due" in found.todo) == ("warning", True)
        assert found.found.startswith("1 namespace with a policy")


def test_what_is_removed_and_not_overwritten_yet_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(path, worker=False) as mem:
        monkeypatch.setattr(type(mem._engine.store), "is_scrub_due", True)
        found = finding(mem.doctor(quick=True), "removals")
    assert (found.level, "write-ahead log" in found.found) == ("warning", True)


@needs_ciphers
def test_where_the_keys_of_persons_are_is_told(tmp_path: Path) -> None:
    path = tmp_path / "sealed.db"
    with Memory(path, key=KEY, shred=True, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("secret-user", "lives_in", "Xanadu")
    found = diagnose_at(path, key=KEY, shred=True)
    assert finding(found, "keys").level == "note"
    assert "sealed.db-keys" in finding(found, "keys").found
    assert finding(found, "digests").found.startswith("1 of 1 memories")
    for secret in (KEY, "secret-user", "Xanadu"):
        assert secret not in str(found)


def test_what_an_upgrade_kept_is_told(path: Path) -> None:
    kept = path.with_name(path.name + "-before-2")
    kept.write_bytes(b"old")
    kept.chmod(0o600)
    found = finding(diagnose_at(path, quick=True), "kept copies")
    assert (found.level, found.found.startswith("memory.db-before-2")) == ("note", True)


def test_facts_that_are_not_what_the_log_says_are_told(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE facts SET body = CAST(replace(CAST(body AS TEXT), 'Xanadu', 'Atlantis') AS BLOB)")
    connection.commit()
    connection.close()
    assert finding(diagnose_at(path, quick=True), "waiting").level == "ok"
    assert diagnose_at(path, quick=True).named("digests") is None
    found = finding(diagnose_at(path), "digests")
    assert found.level == "error"
    assert "3 do not show what their log says" in found.found


def test_a_sample_is_spread_over_all_and_a_thorough_look_takes_every_one(tmp_path: Path) -> None:
    with Memory(tmp_path / "many.db", worker=False, durability="process") as mem:
        for number in range(65):
            mem.add(f"user {number:02}", "hello", extract=False)
        assert finding(mem.doctor(), "digests").found.startswith("20 of 65 memories")
        found = finding(mem.doctor(thorough=True), "digests")
        assert (found.found.startswith("65 of 65 memories"), found.todo) == (True, "")
        with pytest.raises(errors.InvalidValueError, match="not both"):
            mem.doctor(quick=True, thorough=True)


def test_a_pinned_memory_looks_at_its_own_namespace_and_others_at_all(path: Path) -> None:
    with Memory(path, worker=False, namespace="other") as mem:
        mem.add("zoe", "hello")
    with Memory(path, worker=False, namespace="third") as mem:
        assert finding(mem.doctor(), "waiting").level == "ok"
        assert finding(mem.doctor(), "digests").found.startswith("0 of 0")
    with Memory(path, worker=False) as mem:
        assert finding(mem.doctor(), "waiting").found.startswith("1 message")
    assert finding(diagnose_at(path), "waiting").found.startswith("1 message")


def test_a_memory_that_keeps_nothing_is_looked_at_too() -> None:
    with Memory(":memory:", worker=False) as mem:
        found = mem.doctor()
        assert finding(found, "durability").level == "note"
        assert found.is_fine
    with pytest.raises(errors.ClosedError):
        mem.doctor()


def test_a_look_that_breaks_is_a_finding_and_the_others_go_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: Any) -> Any:
        raise ZeroDivisionError("Xanadu")

    monkeypatch.setattr(diagnosing, "condition_of", breaks)
    found = diagnose_at(path)
    assert finding(found, "log").level == "error"
    assert "ZeroDivisionError" in finding(found, "log").found
    assert finding(found, "digests").level == "ok"
    assert "Xanadu" not in str(found)


def test_conditions_are_read_within_bounds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(condition, "MOST_HEADS", 2)
    monkeypatch.setattr(condition, "_PAGE", 1)
    with Memory(path, worker=False) as mem, mem._engine.store.read() as reader:
        assert len(condition._heads(reader, "default")) == 2


def test_of_very_many_namespaces_some_are_looked_at_and_that_is_told(path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(condition, "MOST_NAMESPACES", 1)
    with Memory(path, worker=False, namespace="another") as mem:
        mem.add("zoe", "hello")
    found = diagnose_at(path, quick=True)
    assert finding(found, "namespaces").found == "1 of 2 were looked at for what follows"
    assert finding(found, "waiting").found.startswith("1 message")


def test_an_awaited_doctor_says_the_same(path: Path) -> None:
    import asyncio

    async def ask() -> Diagnosis:
        async with AsyncMemory(path, worker=False) as mem:
            return await mem.doctor(quick=True)

    assert asyncio.run(ask()).is_fine


def test_a_diagnosis_is_as_bad_as_its_worst_finding() -> None:
    findings = tuple(Finding(level, level, "found") for level in LEVELS)
    for number, level in enumerate(LEVELS, start=1):
        found = Diagnosis("here", findings[:number])
        assert (found.level, found.is_fine) == (level, level in ("ok", "note"))
    assert Diagnosis("here", ()).level == "ok"
    assert str(Finding("file", "error", "gone", "look")) == "error: file: gone (look)"


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 bytes"), (1023, "1023 bytes"), (1536, "1.5 KiB"), (2**30 * 200, "200 GiB")]
)
def test_sizes_are_told_as_people_read_them(size: int, text: str) -> None:
    assert size_text(size) == text
