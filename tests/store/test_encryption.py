"""Encrypted files: what a key may be, who is refused, that nothing is lost by it, and that nothing can be read."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import shutil
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.errors import InvalidValueError, StoreCorruptError, StoreError, StoreKeyError
from tensemem.model.scope import Scope
from tensemem.store.sqlite import SqliteStore, drivers
from tensemem.store.sqlite.keys import Key
from tests.store import test_sqlite_files as files
from tests.store.children import finish, run_child, start_child
from tests.store.engines import KEY, needs_ciphers

BYTES = bytes(range(32))


# What a key may be


@pytest.mark.parametrize(
    "given",
    ["", "  ", "a\0b", "\ud800", b"", b"x" * 31, b"x" * 33, 7, ["k"], "raw:", "raw:12", "raw:" + "g" * 64],
)  # fmt: skip
def test_what_can_t_be_a_key_is_refused_and_not_repeated(given: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Key(given)
    assert "x" * 31 not in str(caught.value)
    assert "g" * 64 not in str(caught.value)


def test_a_key_is_not_shown_nor_pickled() -> None:
    key = Key("very secret")
    assert repr(key) == str(key) == "Key(...)"
    with pytest.raises(TypeError):
        pickle.dumps(key)


def test_a_passphrase_is_the_same_however_its_letters_are_composed() -> None:
    composed, decomposed = (unicodedata.normalize(form, "pässwörd") for form in ("NFC", "NFD"))
    assert composed != decomposed
    salt = b"s" * 16
    assert Key(composed).for_salt(salt) == Key(decomposed).for_salt(salt)
    assert Key("Pässwörd").for_salt(salt) != Key(composed).for_salt(salt)


def test_bytes_are_the_cipher_s_own_key_and_can_be_written_as_text() -> None:
    for salt in (b"s" * 16, b"t" * 16):
        assert Key(BYTES).for_salt(salt) == Key(f"raw:{BYTES.hex()}").for_salt(salt) == BYTES
        assert Key(f"raw:{BYTES.hex().upper()}").for_salt(salt) == BYTES


def test_a_passphrase_gives_another_key_for_another_salt() -> None:
    key = Key(KEY)
    assert key.for_salt(b"s" * 16) != key.for_salt(b"t" * 16)


def test_nothing_on_the_disk_needs_no_key() -> None:
    with pytest.raises(InvalidValueError, match=":memory:"):
        SqliteStore(":memory:", key=KEY)


# Opening


def make(path: Path, key: Any = KEY) -> None:
    with closing(SqliteStore(path, durability="process", key=key)) as store:
        files.write_something(store)


@needs_ciphers
@pytest.mark.parametrize("key", [KEY, "пароль ' \" % ; --", BYTES, f"raw:{BYTES.hex()}", "x" * 1000])
@pytest.mark.parametrize("name", ["memory.db", "a'b%20?c#d.db"])
def test_a_file_opens_with_its_key(tmp_path: Path, key: Any, name: str) -> None:
    path = tmp_path / name
    make(path, key)
    assert os.listdir(tmp_path) == [name]
    for read_only in (False, True):
        with closing(SqliteStore(path, key=key, read_only=read_only)) as store, store.read() as reader:
            assert reader.head(files.ALICE) is not None


@needs_ciphers
def test_other_tools_open_it_with_the_passphrase(tmp_path: Path) -> None:
    import apsw

    make(tmp_path / "memory.db")
    with closing(apsw.Connection(str(tmp_path / "memory.db"))) as connection:
        connection.execute(f"PRAGMA key = '{KEY}'")
        assert connection.execute("SELECT content FROM view_log").fetchall() == [("Delhi",)]


def as_it_was(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.iterdir()}


@needs_ciphers
@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    ("made_with", "opened_with", "says"),
    [
        (KEY, KEY + "!", "another, or is damaged"), (KEY, BYTES, "another, or is damaged"),
        (BYTES, KEY, "another, or is damaged"), (KEY, None, "open it with its key"),
        (None, KEY, "not encrypted: open it without a key"),
    ],
)  # fmt: skip
def test_a_key_that_is_not_the_file_s_is_refused_and_loses_nothing(
    tmp_path: Path, made_with: Any, opened_with: Any, says: str, read_only: bool
) -> None:
    path = tmp_path / "memory.db"
    make(path, made_with)
    before = as_it_was(tmp_path)
    with pytest.raises(StoreKeyError, match=says) as caught:
        SqliteStore(path, key=opened_with, read_only=read_only)
    assert str(path) in str(caught.value)
    assert as_it_was(tmp_path) == before
    with closing(SqliteStore(path, key=made_with)) as store, store.read() as reader:
        assert reader.head(files.ALICE) is not None


@needs_ciphers
@pytest.mark.parametrize("other", [None, "wrong"])
def test_a_log_left_by_a_killed_writer_survives_a_wrong_key(tmp_path: Path, other: Any) -> None:
    path, copied = tmp_path / "a" / "memory.db", tmp_path / "b"
    path.parent.mkdir()
    with closing(SqliteStore(path, key=KEY)) as store:
        files.write_something(store)
        shutil.copytree(path.parent, copied)  # as a kill leaves it: what was written stands in the log only
    left = copied / "memory.db"
    assert left.with_name("memory.db-wal").stat().st_size > 0
    before = as_it_was(copied)
    with pytest.raises(StoreKeyError):
        SqliteStore(left, key=other)
    assert as_it_was(copied) == before
    with closing(SqliteStore(left, key=KEY)) as store, store.read() as reader:
        assert reader.head(files.ALICE) is not None


@needs_ciphers
@pytest.mark.parametrize(
    "damage",
    [
        files.foreign_table, files.foreign_mark, files.foreign_with_log, files.no_database, files.short_text,
        files.zeros,
    ],
)  # fmt: skip
@pytest.mark.parametrize("read_only", [False, True])
def test_what_is_not_ours_is_refused_with_a_key_too(tmp_path: Path, damage: Any, read_only: bool) -> None:
    path = tmp_path / "memory.db"
    damage(path)
    before = as_it_was(tmp_path)
    with pytest.raises(StoreCorruptError, match="database"):
        SqliteStore(path, key=KEY, read_only=read_only)
    assert as_it_was(tmp_path) == before


@needs_ciphers
def test_an_encrypted_database_of_somebody_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    driver = drivers.choose("apsw")
    with closing(driver.connect(str(path), 0.0)) as connection:
        drivers.unlock(driver, connection, Key(KEY))
        connection.execute("CREATE TABLE note (text)")
    before = as_it_was(tmp_path)
    with pytest.raises(StoreCorruptError, match="not a tensemem database"):
        SqliteStore(path, key=KEY)
    assert as_it_was(tmp_path) == before


@needs_ciphers
@pytest.mark.parametrize("size", [10, 50, 100, 5000])
@pytest.mark.parametrize("key", [KEY, None])
def test_an_encrypted_file_cut_short_is_damaged(tmp_path: Path, size: int, key: Any) -> None:
    path = tmp_path / "memory.db"
    make(path)
    path.write_bytes(path.read_bytes()[:size])
    before = as_it_was(tmp_path)
    with pytest.raises(StoreError, match="damaged"):
        SqliteStore(path, key=key)
    assert as_it_was(tmp_path) == before


@needs_ciphers
def test_a_changed_bit_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    with open(path, "r+b") as file:
        for page in range(1, path.stat().st_size // 4096):
            file.seek(page * 4096 + 2000)
            byte = file.read(1)[0]
            file.seek(page * 4096 + 2000)
            file.write(bytes([byte ^ 1]))
    with pytest.raises(StoreError), closing(SqliteStore(path, key=KEY)) as store, store.read() as reader:
        reader.head(files.ALICE)


@needs_ciphers
def test_many_threads_that_make_one_file_all_succeed(tmp_path: Path) -> None:
    start, errors = threading.Barrier(6), []

    def open_and_write(number: int) -> None:
        start.wait()
        try:
            with closing(SqliteStore(tmp_path / "memory.db", key=KEY)) as store, store.write() as tx:
                tx.open_scope(Scope("default", f"user{number}"))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=open_and_write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with closing(SqliteStore(tmp_path / "memory.db", key=KEY)) as store, store.read() as reader:
        assert len(reader.scopes("default", "", None, 9)) == 6


MAKES = """
    import sys
    from tensemem.model.scope import Scope
    from tensemem.store.sqlite import SqliteStore
    if len(sys.argv) > 3:
        sys.stdin.readline()
    store = SqliteStore(sys.argv[1], key="one for all")
    with store.write() as tx:
        tx.open_scope(Scope("default", sys.argv[2]))
    store.close()
"""


@needs_ciphers
def test_many_processes_that_make_one_file_all_succeed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    children = [start_child(MAKES, path, number, "wait") for number in range(4)]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        finish(child)
    with closing(SqliteStore(path, key="one for all")) as store, store.read() as reader:
        assert len(reader.scopes("default", "", None, 9)) == 4


@needs_ciphers
def test_who_chose_a_salt_for_a_file_that_another_makes_first_looks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, unlock, calls = tmp_path / "memory.db", drivers.unlock, []

    def unlock_late(driver: Any, connection: Any, key: Any) -> None:
        unlock(driver, connection, key)
        calls.append(1)
        if len(calls) == 1:
            run_child(MAKES, path, 0)

    monkeypatch.setattr("tensemem.store.sqlite.files.unlock", unlock_late)
    with closing(SqliteStore(path, key="one for all")) as store, store.read() as reader:
        assert len(reader.scopes("default", "", None, 9)) == 1


# Nothing can be read

SECRET = "Żółw ünder the sea"
FORMS = {
    "UTF-8": SECRET.encode(), "UTF-16 LE": SECRET.encode("utf-16-le"), "UTF-16 BE": SECRET.encode("utf-16-be"),
    "JSON": json.dumps(SECRET)[1:-1].encode(), "plain part": b"nder the sea", "casefolded": SECRET.casefold().encode(),
}  # fmt: skip


def forms_in(folder: Path) -> set[str]:
    """Look for the secret in every file of a folder, in every form it may have; gives form and file."""
    found = set()
    for file in (place for place in folder.rglob("*") if place.is_file()):
        data = file.read_bytes()
        found |= {f"{form} in {file.name}" for form, text in FORMS.items() if text in data}
    return found


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    for name in ("SQLITE_TMPDIR", "TMPDIR", "TMP", "TEMP"):
        monkeypatch.setenv(name, str(folder))
    return folder


def open_files() -> list[str]:
    """Name what this process has open, deleted files too, where the system tells."""
    folder = Path("/proc/self/fd")
    links = (entry for entry in os.listdir(folder)) if folder.is_dir() else iter(())
    names = []
    for entry in links:
        try:
            names.append(os.readlink(folder / entry))
        except OSError:  # the one that the listing itself had open
            continue
    return names


def talk(mem: Memory) -> Iterator[str]:
    """Say the secret in every way there is, many times over, and look on between."""
    mem.register_predicate("motto")
    mem.register_predicate("likes", "many")
    yield "registered"
    for number in range(30):
        mem.set(f"u{number}", "motto", SECRET)
        mem.add_value("u1", "likes", f"{SECRET} {number}")
    yield "set"
    mem.add("u1", f"My motto is {SECRET}", extract=False, metadata={"why": SECRET})
    mem.add("u1", [{"role": "user", "content": SECRET * 500}], source=SECRET)
    yield "added"
    mem.search("u1", "sea")
    yield "searched"
    mem.correct(mem.history("u1", "motto").facts[0].id, f"{SECRET}!")
    mem.context("u1", "sea")
    yield "corrected"


@needs_ciphers
@pytest.mark.parametrize("key", [KEY, None])
def test_no_word_can_be_read_in_any_file_at_any_time(tmp_path: Path, temporary: Path, key: str | None) -> None:
    seen: set[str] = set()
    with Memory(tmp_path / "memory.db", llm=False, key=key) as mem:
        for _stage in talk(mem):
            seen |= forms_in(tmp_path)
        mem.on(lambda event, fields: seen.update(forms_in(tmp_path)))
        assert mem.rebuild().scopes == 30
        with mem._engine.store.write() as tx:
            spill(tx)
            seen |= forms_in(tmp_path)
            rows = tx._run(SORTED)  # type: ignore[attr-defined]
            assert rows.fetchone() is not None
            assert [name for name in open_files() if "etilqs" in name or str(temporary) in name] == []
            rows.fetchall()
        assert (tmp_path / "memory.db-wal").stat().st_size > 100_000
    seen |= forms_in(tmp_path)
    if key is None:  # so what is looked for would be found
        assert {"UTF-8 in memory.db", "UTF-8 in memory.db-wal", "plain part in memory.db"} <= seen
    else:
        assert seen == set()
        with Memory(tmp_path / "memory.db", key=key, read_only=True) as mem:
            assert mem.get("u1", "motto") == f"{SECRET}!"


SORTED = """
    SELECT value || i FROM meta, (SELECT value AS i FROM json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]'))
    ORDER BY random()
"""
"""More than is sorted in memory, where nothing says so."""


def spill(tx: Any) -> None:
    """Write more than the cache holds, in a transaction that is open."""
    tx._run("PRAGMA cache_size = 10")
    for number in range(500):
        tx.set_meta(f"{SECRET} {number}", SECRET * 20)


@needs_ciphers
def test_an_async_memory_takes_a_key_too(tmp_path: Path) -> None:
    async def work() -> tuple[Any, Any]:
        async with AsyncMemory(tmp_path / "memory.db", key=KEY) as mem:
            await mem.register_predicate("lives_in")
            await mem.set("u1", "lives_in", "Delhi")
            await mem.rekey(BYTES)
            before = await mem.get("u1", "lives_in")
        async with AsyncMemory(tmp_path / "memory.db", key=BYTES) as mem:
            return before, await mem.get("u1", "lives_in")

    assert asyncio.run(work()) == ("Delhi", "Delhi")
    assert forms_in(tmp_path) == set()


@needs_ciphers
def test_a_server_s_memory_takes_no_key_but_with_a_key_per_person() -> None:
    with pytest.raises(InvalidValueError, match="shred="):
        Memory("postgresql://localhost/none", key=KEY)


@needs_ciphers
def test_no_error_log_or_repr_tells_the_key(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    key, wrong = "my very secret key", "my very wrong key"
    caplog.set_level(logging.DEBUG)
    told = []
    with Memory(tmp_path / "memory.db", key=key) as mem:
        told += [repr(mem), str(mem.stats()), repr(mem._engine.store._links.file)]  # type: ignore[attr-defined]
    for attempt in (lambda: Memory(tmp_path / "memory.db", key=wrong), lambda: Memory(tmp_path, key=wrong)):
        with pytest.raises(StoreError) as caught:
            attempt()
        told += chain_of(caught.value)
    hidden = {form for secret in (key, wrong) for form in (secret, secret.encode().hex(), hex_of(tmp_path, secret))}
    assert len(told) > 4
    assert [text for text in [*told, caplog.text] for secret in hidden if secret in text] == []


def chain_of(error: BaseException | None) -> list[str]:
    found = []
    while error is not None:
        found.append(f"{error!r} {error}")
        error = error.__cause__ or error.__context__
    return found


def hex_of(folder: Path, secret: str) -> str:
    return Key(secret).for_salt((folder / "memory.db").read_bytes()[:16]).hex()


@needs_ciphers
def test_a_key_that_sqlite_does_not_take_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "memory.db")
    monkeypatch.setattr(Key, "for_cipher", lambda self, salt: "' wrong statement with the key")
    with pytest.raises(StoreError, match="did not take the key") as caught:
        SqliteStore(tmp_path / "memory.db", key=KEY)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@needs_ciphers
def test_a_key_is_derived_once_for_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import hashlib

    derive, calls = hashlib.pbkdf2_hmac, []

    def counted(*arguments: Any, **named: Any) -> bytes:
        calls.append(1)
        return derive(*arguments, **named)

    make(tmp_path / "memory.db")
    monkeypatch.setattr(hashlib, "pbkdf2_hmac", counted)
    with closing(SqliteStore(tmp_path / "memory.db", key=KEY)) as store:
        opened: list[Callable[..., Any]] = []
        for _ in range(5):
            reader = store.read()
            reader.__enter__()
            opened.append(reader.__exit__)
        for close in opened:
            close(None, None, None)
    assert len(calls) == 1
