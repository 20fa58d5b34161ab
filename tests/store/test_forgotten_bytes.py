"""After a person was forgotten, no file of the memory holds a word of theirs, however it may be written."""

from __future__ import annotations

import base64
import json
import os
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.errors import StoreError
from tensemem.model.scope import Scope
from tensemem.store.sqlite import SqliteStore, gaps
from tensemem.store.sqlite.scrubbing import Progress, Scrubbing
from tensemem.store.sqlite.standing import Standing
from tests.store.children import start_child
from tests.store.engines import ENGINES, KEY, raw

pytestmark = pytest.mark.of_files

USERS = [f"user{number}" for number in range(6)]
NAMES = ("lives_in", "works_at", "languages", "pets")


@pytest.fixture(params=ENGINES)
def options(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What a memory takes for a file of each kind."""
    if request.param == "apsw":
        monkeypatch.setenv("TENSEMEM_SQLITE", "apsw")
    return {"key": KEY} if request.param == "encrypted" else {}


def opened(path: Path, **options: Any) -> Memory:
    mem = Memory(path, worker=False, durability="process", **options)
    for number, name in enumerate(NAMES):
        mem.register_predicate(name, "many" if number > 1 else "one")
    return mem


def secret(user: str) -> str:
    """A word of somebody's own, with a letter that encodings write in different ways."""
    return f"Žq{user}xw"


def talk(mem: Memory, seed: int, rounds: int = 240, users: Sequence[str] = USERS) -> None:
    """Have people say things of many lengths, in no order, so that pages are split and joined."""
    rnd = random.Random(seed)
    for number in range(rounds):
        user = rnd.choice(users)
        text = secret(user) + "".join(rnd.choices("abcdefgh", k=rnd.choice([3, 10, 60, 400, 1500, 3000])))
        match rnd.randrange(6):
            case 0 | 1:
                mem.add(user, f"I live in {secret(user)} {text}", idempotency_key=f"{secret(user)}{seed}-{number}")
            case 2 | 3:
                mem.set(user, rnd.choice(NAMES[:2]), text)
            case 4:
                mem.add_value(user, rnd.choice(NAMES[2:]), text, subject=f"{secret(user)}'s friend")
            case _:
                mem.search(user, secret(user))
    mem.flush()


def spellings(word: str) -> Iterator[tuple[str, bytes]]:
    """Give the bytes that a word may be written as."""
    for form in {word, word.lower(), word.upper(), word.casefold()}:
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "latin-1"):
            yield f"{form} in {encoding}", form.encode(encoding, "ignore")
        yield f"{form} in JSON", json.dumps(form)[1:-1].encode()
        yield f"{form} in hexadecimal", form.encode().hex().encode()
        for shift in range(3):  # base64 of a longer text has it in one of three ways
            coded = base64.b64encode(b"x" * shift + form.encode() + b"x" * (3 - (shift + len(form.encode())) % 3))
            yield f"{form} in base64", coded[4 if shift else 0 : -4]


def readable(mem: Memory, path: Path) -> dict[str, bytes]:
    """Give every file of a memory, and what is in an encrypted one for whoever has its key."""
    found = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    store: Any = mem._engine.store
    file = store._links.file
    if file.key is not None:
        with closing(file.connect("ro")) as connection:
            connection.execute("SELECT count(*) FROM scopes").fetchall()
            found["decrypted"] = file.driver.first_bytes(connection, path.stat().st_size)
            assert len(found["decrypted"]) == path.stat().st_size
    return found


def found_of(user: str, files: dict[str, bytes]) -> list[str]:
    return [
        f"{name}: {spelling}"
        for name, data in files.items()
        for spelling, data_of in spellings(secret(user))
        if data_of in data
    ]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_no_word_is_left_in_any_file(tmp_path: Path, options: dict[str, Any], seed: int) -> None:
    path = tmp_path / "m.db"
    with opened(path, llm=FakeExtractor(), **options) as mem:
        talk(mem, seed)
        assert all(found_of(user, readable(mem, path)) for user in USERS)
        digests = {user: mem.digest(user) for user in USERS}
        for number, user in enumerate(USERS[:4]):
            assert mem.forget(user).scrubbed
            assert found_of(user, readable(mem, path)) == []
            assert all(mem.digest(other) == digests[other] for other in USERS[number + 1 : 4])
            talk(mem, seed + number + 100, 20, USERS[4:])
        assert [found for user in USERS[:4] for found in found_of(user, readable(mem, path))] == []
        assert mem.verify().identical
    if not options:
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_who_reads_an_old_snapshot_is_not_disturbed_and_the_receipt_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensemem.store.sqlite.file_links._PATIENCE_TO_SCRUB", 0.02)
    path = tmp_path / "m.db"
    with opened(path, llm=FakeExtractor()) as mem:
        talk(mem, 1, 60)
        user = next(user for user in USERS if mem.history(user).facts)
        with mem._engine.store.read() as reader:
            (head,) = reader.scopes("default", user, None, 1)
            entries = len(list(reader.entries(head.id)))
            removed = mem.forget(user)
            assert not removed.scrubbed
            assert "still being read" in removed.unscrubbed
            assert removed.entries == entries == len(list(reader.entries(head.id)))
            assert found_of(user, readable(mem, path)) != []
            assert mem.state(user).values == {}
        for number in range(3):  # pages first, then the log
            mem.set("somebody", "lives_in", f"Rome{number}")
        assert found_of(user, readable(mem, path)) == []
        with mem._engine.store.read() as reader:
            assert reader.meta("scrub") is None


def test_what_a_reader_held_up_is_ended_at_the_next_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensemem.store.sqlite.file_links._PATIENCE_TO_SCRUB", 0.02)
    path = tmp_path / "m.db"
    with opened(path, llm=FakeExtractor()) as mem:
        talk(mem, 2, 200)
        with closing(sqlite3.connect(path)) as reading:
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM entries").fetchone()
            assert not mem.forget(USERS[0]).scrubbed
    with opened(path) as mem:
        assert found_of(USERS[0], readable(mem, path)) == []


def test_a_page_that_another_connection_keeps_is_read_anew_before_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    SqliteStore(path).close()
    with closing(raw("sqlite3", path)) as ours, closing(raw("sqlite3", path)) as theirs:
        for connection in (ours, theirs):
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA cache_size = 100000")
            connection.execute("PRAGMA synchronous = OFF")
        rnd = random.Random(1)
        ours.execute("INSERT INTO meta VALUES ('scrub', 'due')")
        ours.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
        for _ in range(4000):
            number = rnd.randrange(10**6)
            kind = "secret" if number % 3 else "public"
            ours.execute("INSERT OR IGNORE INTO t VALUES (?, ?)", (number, kind * rnd.randrange(1, 40)))
        ours.execute("DELETE FROM t WHERE b LIKE 'secret%'")
        assert theirs.execute("SELECT sum(length(b)) FROM t").fetchone()[0] > 0
        scrubbing = Scrubbing(str(path), 1.0, is_encrypted=False)
        assert scrubbing.step(ours.cursor()) is Progress.CHANGED
        assert b"secret" not in path.read_bytes()
        theirs.execute("UPDATE t SET b = upper(b)")
        theirs.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert b"secret" not in path.read_bytes()
        assert theirs.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


WRITING = """
    import sys
    from tensemem import Memory

    with Memory(sys.argv[1], llm=False, worker=False, durability="process") as mem:
        print("ready", flush=True)
        for line in sys.stdin:
            for number in range(20):
                mem.set("other", "lives_in", f"{line.strip()}{number}" * 20)
                mem.state("other")
            print("done", flush=True)
"""


def test_pages_that_others_keep_in_their_caches_do_not_bring_words_back(tmp_path: Path) -> None:
    """Another process has read the pages it shares with the forgotten, and goes on writing on them."""
    path = tmp_path / "m.db"
    with opened(path, llm=FakeExtractor()) as mem:
        talk(mem, 3)
        child = start_child(WRITING, path)
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        for user in USERS:
            for step in ("before", "after"):
                if step == "after":
                    mem.forget(user)
                child.stdin.write(f"{step}{user[-1]}\n")
                child.stdin.flush()
                assert child.stdout.readline() == "done\n"
        _, err = child.communicate(timeout=60)
        assert child.returncode == 0, err
        mem._engine.store.scrub()
        for user in USERS:
            assert found_of(user, readable(mem, path)) == []
        assert mem.verify().identical


# Pages


def page_of(cells: int, content: int, *, kind: int = 10, block: int = 0, size: int = 512) -> bytearray:
    page = bytearray(size)
    page[0] = kind
    page[1:3], page[3:5], page[5:7] = block.to_bytes(2), cells.to_bytes(2), content.to_bytes(2)
    return page


def test_only_what_lies_between_pointers_and_cells_is_stale() -> None:
    page = page_of(cells=3, content=400)
    page[8:14] = b"\1\2\3\4\5\6"  # pointers
    page[400:] = bytes([7]) * 112  # cells
    assert list(gaps.stale_in(bytes(page), 0, 512)) == []
    page[14] = page[399] = 9
    assert list(gaps.stale_in(bytes(page), 0, 512)) == [(14, 400)]
    page[0] = 2  # a page of pointers to pages has a longer header
    assert list(gaps.stale_in(bytes(page), 0, 512)) == [(18, 400)]


def test_free_blocks_keep_their_headers() -> None:
    page = page_of(cells=1, content=300, block=320)
    page[300:512] = bytes([7]) * 212
    page[320:324] = (400).to_bytes(2) + (40).to_bytes(2)
    page[400:404] = (0).to_bytes(2) + (10).to_bytes(2)
    assert list(gaps.stale_in(bytes(page), 0, 512)) == [(324, 360), (404, 410)]


@pytest.mark.parametrize(
    "page",
    [
        page_of(cells=3, content=10), page_of(cells=300, content=400), page_of(cells=3, content=400, kind=7),
        page_of(cells=3, content=400, block=100), page_of(cells=3, content=400, block=510),
        page_of(cells=3, content=513), page_of(cells=3, content=0),
    ],
)  # fmt: skip
def test_a_page_that_makes_no_sense_is_left_alone(page: bytearray) -> None:
    for place in range(14, 400):
        page[place] = 9
    assert list(gaps.stale_in(bytes(page), 0, 512)) == []


def test_a_block_that_goes_on_in_circles_is_left_alone() -> None:
    page = page_of(cells=1, content=300, block=320)
    page[320:324] = (320).to_bytes(2) + (40).to_bytes(2)
    page[100] = 9
    assert list(gaps.stale_in(bytes(page), 0, 512)) == []


@pytest.mark.parametrize("statement", ["PRAGMA page_size = 65536", "PRAGMA page_size = 512", "SELECT 1"])
def test_files_with_pages_of_any_size_are_cleaned(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "m.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
        rnd = random.Random(1)
        for number in range(3000):
            connection.execute("INSERT OR REPLACE INTO t VALUES (?, ?)", (rnd.randrange(10**6), f"mark{number}" * 7))
        connection.execute("DELETE FROM t WHERE a % 3 < 2")
        connection.commit()
        before = connection.execute("SELECT * FROM t").fetchall()
    opened = gaps.open_file(str(path))
    layout = opened.layout()
    assert layout is not None
    opened.clean(layout, 0, layout.pages)
    assert opened.clean(layout, 0, layout.pages) == 0
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT * FROM t").fetchall() == before


def test_a_file_that_moves_its_pages_or_is_none_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute("PRAGMA auto_vacuum = FULL")
        connection.execute("CREATE TABLE t (a)")
    (tmp_path / "b.db").write_bytes(b"nothing" * 100)
    for name in ("a.db", "b.db"):
        assert gaps.open_file(str(tmp_path / name)).layout() is None


def test_a_file_is_opened_once(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "m.db").close()
    assert gaps.open_file(str(tmp_path / "m.db")) is gaps.open_file(str(tmp_path / "m.db"))



# Several at once


def cleaned_by(path: Path, *, standing: Standing | None = None) -> Scrubbing:
    return Scrubbing(str(path), 1.0, is_encrypted=False, standing=standing)


def with_gaps(path: Path) -> sqlite3.Connection:
    """Give a connection to a file of ours with a table of many pages, from which a lot has gone."""
    SqliteStore(path).close()
    connection = raw("sqlite3", path)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
    rnd = random.Random(1)
    for number in range(2000):
        connection.execute("INSERT OR REPLACE INTO t VALUES (?, ?)", (rnd.randrange(10**6), f"secret{number}" * 7))
    connection.execute("DELETE FROM t WHERE a % 3 < 2")
    return connection


def ended(scrubbing: Scrubbing, connection: sqlite3.Connection) -> None:
    while scrubbing.step(connection.cursor()) is not Progress.DONE:
        assert not scrubbing.is_done


def test_a_walk_does_not_end_what_began_after_it(tmp_path: Path) -> None:
    """Another process removes rows while a walk is under way, and dies: what it left is still known to be due."""
    path = tmp_path / "m.db"
    with closing(with_gaps(path)) as ours:
        ours.execute("INSERT INTO meta VALUES ('scrub', 'due 1')")
        first = cleaned_by(path)
        assert first.step(ours.cursor()) is Progress.CHANGED
        ours.execute("UPDATE meta SET value = 'due 2' WHERE name = 'scrub'")
        ended(first, ours)
        assert ours.execute("SELECT value FROM meta WHERE name = 'scrub'").fetchall() == [("due 2",)]
        ended(cleaned_by(path), ours)
        assert ours.execute("SELECT value FROM meta WHERE name = 'scrub'").fetchall() == []


def test_removals_leave_marks_of_their_own(tmp_path: Path) -> None:
    marks = []
    with opened(tmp_path / "m.db", llm=FakeExtractor()) as mem:
        for user in USERS[:2]:
            mem.set(user, "lives_in", "Rome")
            with mem._engine.store.write() as tx:
                head = tx.head(Scope("default", user, ""))
                assert head is not None
                tx.remove_scope(head)
            with mem._engine.store.read() as reader:
                marks.append(reader.meta("scrub"))
    assert len({*marks, None}) == 3


def test_a_change_is_told_to_others_though_another_walk_has_ended_what_was_due(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with closing(with_gaps(path)) as ours, closing(raw("sqlite3", path)) as theirs:
        seen = theirs.execute("PRAGMA data_version").fetchone()
        assert cleaned_by(path).step(ours.cursor()) is Progress.CHANGED
        assert theirs.execute("PRAGMA data_version").fetchone() != seen


def test_who_forgets_while_another_does_waits_for_a_walk_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The receipt of the first must not say that all is overwritten because a second began, and can't end."""
    monkeypatch.setattr("tensemem.store.sqlite.file_links._PATIENCE_TO_SCRUB", 0.02)
    path = tmp_path / "m.db"
    with opened(path, llm=FakeExtractor()) as mem:
        talk(mem, 1, 60)
        store: Any = mem._engine.store
        step, told = Scrubbing.step, []

        def second_comes(scrubbing: Scrubbing, cursor: Any) -> Progress:
            monkeypatch.setattr(Scrubbing, "step", step)
            store._links._scrubbing = cleaned_by(path)
            told.append(1)
            return Progress.NONE

        with store.read() as reader:
            reader.meta("scrub")
            monkeypatch.setattr(Scrubbing, "step", second_comes)
            removed = mem.forget(next(user for user in USERS if mem.history(user).facts))
        assert told
        assert not removed.scrubbed


def test_another_file_put_in_the_place_is_not_touched(tmp_path: Path) -> None:
    """Nobody here holds its lock: who has opened it may be writing."""
    path, other = tmp_path / "m.db", tmp_path / "other.db"
    with_gaps(other).close()
    with closing(with_gaps(path)) as ours:
        standing = Standing(str(path))
        standing.note()
        with closing(raw("sqlite3", other)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = other.read_bytes()
        other.replace(path)
        with pytest.raises(StoreError, match="Another file was put"):
            cleaned_by(path, standing=standing).step(ours.cursor())
    assert path.read_bytes() == before


def test_a_memory_whose_file_was_replaced_leaves_the_new_one_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensemem.store.sqlite.file_links._PATIENCE_TO_SCRUB", 0.02)
    path, other = tmp_path / "m.db", tmp_path / "other.db"
    with_gaps(other).close()
    mem = opened(path, llm=FakeExtractor())
    talk(mem, 1, 60)
    before = other.read_bytes()
    replaced = mem._engine.store._links._scrub_some  # type: ignore[attr-defined]

    def replacing(scrubbing: Scrubbing) -> Progress:
        if other.exists():
            other.replace(path)
        result: Progress = replaced(scrubbing)
        return result

    monkeypatch.setattr(mem._engine.store._links, "_scrub_some", replacing)  # type: ignore[attr-defined]
    with pytest.raises(StoreError, match="Another file was put"):
        mem.forget(USERS[0])
    mem.close()
    assert path.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
def test_a_forked_child_does_not_move_the_place_at_which_its_parent_writes(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with_gaps(path).close()
    opened = gaps.open_file(str(path))
    layout = opened.layout()
    assert layout is not None
    before = os.lseek(opened._opened, 0, os.SEEK_CUR)
    opened.clean(layout, 0, layout.pages)
    assert os.lseek(opened._opened, 0, os.SEEK_CUR) == before  # which both share
