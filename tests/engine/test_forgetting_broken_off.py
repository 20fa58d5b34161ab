"""Forgetting that is cut off at any step: the next opening ends it, or it never began."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.core.marks import fingerprint
from tensemem.engine import forgetting, ledger, ledgerfile
from tensemem.errors import StoreError
from tensemem.model.jsontext import decode
from tensemem.ports import ForgottenRow
from tensemem.store.sqlite.store import SqliteStore
from tensemem.store.sqlite.writing import SqliteWriter
from tests.engine.bench import opened
from tests.store.children import start_child

pytestmark = pytest.mark.of_files

WORD = "zanzibarxq"
EPISODES = 300


class Cut(BaseException):
    """The process ended here, as far as the test goes."""


def fill(path: Path) -> None:
    with opened(path, llm=False) as mem:
        for user in ("ann", "bob"):
            for number in range(EPISODES):
                mem.set(user, "lives_in", f"{WORD}{user}{number}" if number % 2 else "Rome")
        mem.search("ann", WORD)


def words_in(path: Path, word: str = f"{WORD}ann") -> dict[str, int]:
    """Count a word in every file beside a database."""
    found = {file.name: file.read_bytes().lower().count(word.encode()) for file in path.parent.glob(f"{path.name}*")}
    return {name: count for name, count in found.items() if count}


def is_gone(path: Path) -> bool:
    """Open, and tell whether all of the person has gone, of whom something was there."""
    with opened(path, llm=False) as mem:
        assert mem.verify().identical
        assert len(mem.history("bob").facts) == EPISODES
        users = [one.user_id for one in mem.scopes()]
        if users == ["ann", "bob"]:
            assert len(mem.history("ann").facts) == EPISODES
            return False
        assert users == ["bob"]
        store = mem._engine.store
        with store.read() as reader:
            assert reader.removals() == []
            assert reader.meta("scrub") is None
        assert [line.rev for line in ledger.lines_of(store)] == [EPISODES]
        assert [line.rev for line in ledgerfile.lines_in(f"{path}-forgotten", fingerprint_of(mem))] == [EPISODES]
        assert words_in(path) == {}
        assert words_in(path, f"{WORD}bob") != {}
    return True


def fingerprint_of(mem: Memory) -> str:
    with mem._engine.store.read() as reader:
        return fingerprint(ledger.key_of(reader))


def cut_in(patch: pytest.MonkeyPatch, owner: Any, name: str, *, after: bool, call: int = 1) -> None:
    """Have a function be the last one that is called, or not even be."""
    usual, calls = getattr(owner, name), iter(range(1, 10_000))

    def last(*arguments: Any, **options: Any) -> Any:
        is_last = next(calls) == call
        if is_last and not after:
            raise Cut
        found = usual(*arguments, **options)
        if is_last:
            raise Cut
        return found

    patch.setattr(owner, name, last)


STEPS: list[tuple[Any, str, int, bool, bool]] = [
    (ledgerfile, "append_to", 1, False, False),
    (ledgerfile, "append_to", 1, True, True),
    (SqliteWriter, "keep_forgotten", 1, True, True),
    (SqliteWriter, "remove_scope", 1, True, True),
    (forgetting, "_take", 1, True, True),
    (SqliteWriter, "remove_rows", 1, False, True),
    (SqliteWriter, "remove_rows", 1, True, True),
    (SqliteWriter, "remove_rows", 3, True, True),
    (SqliteStore, "scrub", 1, False, True),
    (SqliteStore, "scrub", 1, True, True),
]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step[1]}-{step[2]}-{step[3]}")
def test_what_is_cut_off_is_ended_or_has_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: tuple[Any, str, int, bool, bool]
) -> None:
    owner, name, call, after, is_begun = step
    path = tmp_path / "m.db"
    fill(path)
    mem = opened(path, llm=False)
    with monkeypatch.context() as patch:
        cut_in(patch, owner, name, after=after, call=call)
        with pytest.raises(Cut):
            mem.forget("ann")
    left = tmp_path / "left"
    left.mkdir()
    for file in path.parent.glob("m.db*"):  # as a process that is killed leaves them, its log beside the file
        (left / file.name).write_bytes(file.read_bytes())
    mem.close()
    assert is_gone(left / "m.db") is is_begun
    assert is_gone(left / "m.db") is is_begun
    assert is_gone(path) is is_begun, "an error where the process goes on leaves the same"


def test_the_next_call_ends_what_another_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.db"
    fill(path)
    with opened(path, llm=False) as mem:
        with monkeypatch.context() as patch:
            cut_in(patch, SqliteWriter, "remove_rows", after=True)
            with pytest.raises(Cut):
                mem.forget("ann")
        assert mem.forget("nobody").entries > 0
        assert words_in(path) == {}


def test_an_error_of_the_disk_while_the_line_is_written_forgets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.db"
    fill(path)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with opened(path, llm=False) as mem:
        with monkeypatch.context() as patch:
            patch.setattr("tensemem.engine.ledgerfile.os.fsync", full)
            with pytest.raises(StoreError, match=r"keeps what was forgotten.*No space"):
                mem.forget("ann")
        assert len(mem.history("ann").facts) == EPISODES
        assert mem.forget("ann").scopes == 1


@pytest.mark.parametrize("owner", [SqliteWriter, os], ids=["database", "ledger"])
def test_what_is_said_after_forgetting_has_failed_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: Any
) -> None:
    """The caller was told that it failed; the next opening must not take away what was acknowledged since."""
    path = tmp_path / "m.db"
    fill(path)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with opened(path, llm=False) as mem:
        with monkeypatch.context() as patch:
            patch.setattr(owner, "remove_scope" if owner is SqliteWriter else "fsync", full)
            with pytest.raises((StoreError, OSError)):
                mem.forget("ann")
        mem.set("ann", "lives_in", "Oslo")
        facts = mem.history("ann").facts
    with opened(path, llm=False) as mem:
        assert mem.history("ann").facts == facts
        assert mem.state("ann").values == {"lives_in": "Oslo"}
        assert mem.forget("ann").scopes == 1
    with opened(path, llm=False) as mem:
        assert mem.history("ann").facts == ()
        assert words_in(path) == {}


def test_what_others_say_after_a_forgetting_was_killed_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody was told that the person is forgotten, and they were told that what they said is kept."""
    path = tmp_path / "m.db"
    fill(path)
    with opened(path, llm=False) as other:
        with opened(path, llm=False) as mem, monkeypatch.context() as patch:
            cut_in(patch, ledgerfile, "append_to", after=True)
            patch.setattr(ledger, "withdraw", lambda *_: None)  # who is killed does nothing any more
            with pytest.raises(Cut):
                mem.forget("ann")
        other.set("ann", "lives_in", "Oslo")
        facts = other.history("ann").facts
    for _ in range(2):
        with opened(path, llm=False) as mem:
            assert mem.history("ann").facts == facts
            assert mem.verify().identical
    with opened(path, llm=False) as mem:
        assert mem.forget("ann").scopes == 1
    with opened(path, llm=False) as mem:
        assert mem.history("ann").facts == ()
        assert words_in(path) == {}


def test_what_was_done_counts_though_the_one_who_did_it_could_not_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed behind the commit; then an older copy is put in place which has gone on for longer."""
    path, copy = tmp_path / "m.db", tmp_path / "copy.db"
    fill(path)
    with opened(path, llm=False) as mem:
        mem.backup(copy)
        with monkeypatch.context() as patch:
            cut_in(patch, ledger, "confirm", after=False)
            with pytest.raises(Cut):
                mem.forget("ann")
    with opened(copy, llm=False) as mem:
        for number in range(EPISODES):
            mem.set("ann", "lives_in", f"{WORD} {number}")
    opened(path, llm=False).close()
    for file in tmp_path.glob("m.db-*"):
        if not file.name.endswith("-forgotten"):
            file.unlink()
    path.write_bytes(copy.read_bytes())
    with opened(path, llm=False) as mem:
        assert mem.history("ann").facts == ()


def test_a_line_that_is_written_again_after_it_was_withdrawn_counts(tmp_path: Path) -> None:
    path = str(tmp_path / "kept")
    row, other = (ForgottenRow("scope", name, name, 3, 2, 100) for name in ("aa", "bb"))
    ledgerfile.append_to(path, "key", [row, other])
    ledgerfile.append_to(path, "key", [row], withdrawn=True)
    assert ledgerfile.lines_in(path, "key") == [other]
    ledgerfile.append_to(path, "key", [row])
    assert ledgerfile.lines_in(path, "key") == [other, row]


def test_a_line_that_was_cut_off_is_passed_over(tmp_path: Path) -> None:
    path = str(tmp_path / "kept")
    row = ForgottenRow("scope", "aa", "aa", 3, 2, 100)
    ledgerfile.append_to(path, "key", [row])
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"kind":"scope","scope":"bb","ma')
    assert ledgerfile.lines_in(path, "key") == [row]
    ledgerfile.append_to(path, "key", [row._replace(rev=4)])
    assert ledgerfile.lines_in(path, "key") == [row, row._replace(rev=4)]


@pytest.mark.parametrize(
    "line",
    [
        '{"kind":"scope","scope":"a","mark":"a","rev":99999999999999999999,"seq":1,"at":1,"data":""}',
        '{"kind":"scope","scope":"\\ud800","mark":"a","rev":1,"seq":1,"at":1,"data":""}',
        '{"kind":"slot","scope":"a","mark":"a","rev":1,"seq":1,"at":1,"data":"{"}',
        '{"kind":"slot","scope":"a","mark":"a","rev":1,"seq":1,"at":1,"data":"{}"}',
        '{"kind":"slot","scope":"a","mark":"a","rev":1,"seq":1,"at":1,"data":"null"}',
        '{"kind":"slot","scope":"a","mark":"a","rev":1,"seq":1,"at":1,"data":"{\\"said_at\\":1,\\"key\\":\\"x\\"}"}',
        '{"kind":"entry","scope":"a","mark":"a","rev":1,"seq":1,"at":1,"data":"{\\"seq\\":99999999999999999999}"}',
        '{"kind":"purge","scope":"a","mark":"a","rev":1,"seq":1,"at":1,"data":"{\\"before\\":[]}"}',
        '{"kind":"weird","scope":"a","mark":"a","rev":1,"seq":1,"at":1,"data":"{}"}',
        "[" * 100_000, "\0", "[1]",
    ],
)  # fmt: skip
def test_a_line_that_nobody_can_act_on_is_passed_over(tmp_path: Path, line: str) -> None:
    path = str(tmp_path / "kept")
    row = ForgottenRow("scope", "aa", "aa", 3, 2, 100)
    ledgerfile.append_to(path, "key", [row])
    with open(path, "a", encoding="utf-8") as file:
        file.write(line + "\n")
    assert ledgerfile.lines_in(path, "key") == [row]


def test_an_older_copy_is_not_opened_to_read_before_the_forgotten_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "_PAUSE", 0)
    path = tmp_path / "m.db"
    fill(path)
    older = path.read_bytes()
    with opened(path, llm=False) as mem:
        assert mem.forget("ann").scopes == 1
    with opened(path, llm=False, read_only=True) as mem:
        assert mem.state("bob").values
    path.write_bytes(older)
    with pytest.raises(StoreError, match="open it for writing once"):
        opened(path, llm=False, read_only=True)
    assert is_gone(path)
    with opened(path, llm=False, read_only=True) as mem:
        assert mem.state("ann").values == {}


def test_lines_of_another_database_that_was_here_are_left_alone(tmp_path: Path) -> None:
    path = str(tmp_path / "kept")
    row = ForgottenRow("scope", "aa", "aa", 3, 2, 100)
    for key in ("one", "other", "one"):
        ledgerfile.append_to(path, key, [row._replace(mark=key)])
    assert [line.mark for line in ledgerfile.lines_in(path, "one")] == ["one"]
    assert [line.mark for line in ledgerfile.lines_in(path, "other")] == ["other"]


def test_a_line_costs_the_same_however_many_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, read = str(tmp_path / "kept"), list[str]()
    rows = [ForgottenRow("scope", f"{number:032x}", "aa", 3, 2, number) for number in range(3_000)]
    ledgerfile.append_to(path, "key", rows[:-1])

    def decoded(text: str) -> Any:
        read.append(text)
        return decode(text)

    monkeypatch.setattr(ledgerfile, "decode", decoded)
    ledgerfile.append_to(path, "key", rows[-1:])
    assert len(read) <= 1
    assert ledgerfile.lines_in(path, "key") == rows  # below two headers, since the first is far away
    ledgerfile.append_to(path, "other", rows[:1])
    assert (ledgerfile.lines_in(path, "key"), ledgerfile.lines_in(path, "other")) == (rows, rows[:1])


def test_opening_compares_the_ledger_only_where_its_file_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, compared = tmp_path / "m.db", list[str]()
    beside = Path(f"{path}-forgotten")
    missing = ledger.missing

    def compare(store: Any) -> Any:
        compared.append(store.location)
        return missing(store)

    monkeypatch.setattr(ledger, "missing", compare)

    def open_again() -> int:
        compared.clear()
        opened(path, llm=False).close()
        return len(compared)

    fill(path)
    assert open_again() == 0  # nobody was forgotten
    with opened(path, llm=False) as mem:
        mem.forget("ann")
    assert [open_again(), open_again()] == [1, 0]
    lines = beside.read_text()
    beside.unlink()  # it comes back, with all that the table has
    assert [open_again(), open_again(), open_again()] == [1, 1, 0]
    assert beside.read_text() == lines


def test_a_ledger_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text('{"ledger":"tensemem","version":2,"key":"key"}\n')
    with pytest.raises(StoreError, match="newer tensemem"):
        ledgerfile.lines_in(str(path), "key")


KILLED = """
    import os, signal, sys
    from tensemem import Memory

    number, seen = int(sys.argv[2]), 0

    def hook(event, fields):
        global seen
        seen += event in ("forgetting", "forgotten")
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)

    mem = Memory(sys.argv[1], llm=False, worker=False, durability="process")
    mem.on(hook)
    print(mem.forget("ann").entries)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_process_that_is_killed_has_the_next_one_end_it(tmp_path: Path) -> None:
    killed = 0
    for number in (1, 2, 4, 1_000):
        path = tmp_path / f"{number}.db"
        fill(path)
        child = start_child(KILLED, path, number)
        out, err = child.communicate(timeout=60)
        assert child.returncode in (0, -signal.SIGKILL), err
        killed += child.returncode != 0
        assert out.strip() == ("" if child.returncode else str(EPISODES))
        assert is_gone(path)
    assert killed == 3


BESIDE = """
    import sys
    from tensemem import FakeExtractor, Memory

    path, user, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with Memory(path, llm=FakeExtractor(), durability="process") as mem:
        print("ready", flush=True)
        sys.stdin.readline()
        for number in range(rounds):
            mem.add(user, f"I live in Delhi{number}")
            mem.set("cid", "lives_in", f"Rome{number}")
            mem.state(user)
            mem.search(user, "delhi")
        mem.flush()
        assert mem.state("cid").values == {"lives_in": f"Rome{rounds - 1}"}
        print("done", flush=True)
"""


def test_another_process_adds_reads_and_extracts_while_a_person_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    fill(path)
    with opened(path, llm=False) as mem:
        before = mem.digest("bob")
        child = start_child(BESIDE, path, "ann", 40)
        assert child.stdout is not None
        assert child.stdin is not None
        assert child.stdout.readline() == "ready\n"
        child.stdin.write("go\n")
        child.stdin.flush()
        removed = [mem.forget("ann") for _ in range(12)]
        out, err = child.communicate(timeout=60)
        assert (child.returncode, out) == (0, "done\n"), err
        removed.append(mem.forget("ann"))
        assert sum(one.episodes for one in removed) == EPISODES + 40
        assert mem.digest("bob") == before
        assert mem.verify().identical
        with mem._engine.store.read() as reader:
            lines = reader.forgotten(None, 100)
        assert max(line.seq for line in lines) == EPISODES + 40, "seqs counted on through every life"
        assert mem.forget("ann").scrubbed
        assert words_in(path) == {}
        assert words_in(path, "delhi") == {}
