"""Key stores: what they hold, who may open them, and that a key is there before what it seals."""

from __future__ import annotations

import itertools
import os
import pickle
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem.errors import (
    ClosedError,
    InvalidValueError,
    ReadOnlyError,
    SchemaTooNewError,
    StoreBusyError,
    StoreCorruptError,
    StoreKeyError,
)
from tensemem.model.scope import Scope
from tensemem.ports import Head
from tensemem.store.sqlite import SqliteStore
from tensemem.store.sqlite.keys import Key
from tests.store.every_kind import KINDS, is_there, shelf_of
from tests.store.shelves import KEYS, RAW_KEY, PostgresShelf
from tests.store.test_sqlite_processes import in_child, needs_fork, tried, warns_of_fork

if not is_there("cryptography"):
    pytest.skip("cryptography is not installed", allow_module_level=True)

from tensemem.store.sealing.hand import KEYS_AT_HAND, AtHand, Life
from tensemem.store.sealing.keyfile import KeyFile
from tensemem.store.sealing.keyring import Keyring
from tensemem.store.sealing.opening import Place, place_of, seal

ALICE, BOB = Scope("default", "alice"), Scope("default", "bob")
numbers = itertools.count(1)
KEY, OTHER = Key(RAW_KEY), Key(bytes(32))
FIRST = Life(ALICE, 1, 0)


def anything(_: object) -> None:
    """A check that every key passes."""


@pytest.fixture(params=["file", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A key store that is not there yet: beside a file, and beside a memory in a database."""
    if request.param == "file":
        return place_of(str(tmp_path / "memory.db"), True)
    kind = next(kind for kind in KINDS if kind.name == "sealed18")
    shelf: Any = shelf_of(kind, request.getfixturevalue("tmp_path_factory"))
    assert isinstance(shelf, PostgresShelf)
    return place_of(f"{shelf.url}?tensemem_schema=place_{next(numbers)}", True)


def ring_of(place: Place, key: Key = KEY, *, make: bool = True, **how: Any) -> Keyring:
    return Keyring(place(make=make, **how), key, make=make)


@pytest.fixture
def ring(place: Place) -> Iterator[Keyring]:
    with closing(ring_of(place)) as ring:
        yield ring


def test_a_key_is_made_once_and_found_again(place: Place, ring: Keyring) -> None:
    sealed = ring.make(FIRST).seal("x", "hello")
    assert ring.make(FIRST).open("x", sealed) == "hello"
    assert ring.key_of(FIRST, anything) is ring.key_of(FIRST, anything)
    assert ring.count() == 1
    with closing(ring_of(place, make=False)) as again:
        assert again.store == ring.store
        assert again.key_of(FIRST, anything).open("x", sealed) == "hello"
        assert again.key_of(Life(ALICE, 7, 3), anything).open("x", sealed) == "hello"
        with pytest.raises(StoreKeyError, match="'bob'"):
            again.key_of(Life(BOB, 2, 0), anything)


def test_a_destroyed_key_is_gone_for_all_and_the_next_one_is_another(place: Place, ring: Keyring) -> None:
    sealed = ring.make(FIRST).seal("x", "hello")
    assert ring.destroy(ALICE)
    assert not ring.destroy(ALICE)
    with pytest.raises(StoreKeyError):
        ring.key_of(FIRST, anything)
    with closing(ring_of(place)) as other:
        fresh = other.make(FIRST)
        with pytest.raises(StoreKeyError, match="under another key"):
            fresh.open("x", sealed)
    assert ring.make(FIRST).name(b"k", "a") == fresh.name(b"k", "a")


def test_another_key_does_not_open_it(place: Place, ring: Keyring) -> None:
    for make in (False, True):
        with pytest.raises(StoreKeyError, match="can't be opened with this key"):
            ring_of(place, OTHER, make=make)


def test_one_that_is_not_there_is_not_made_for_a_memory_that_is(place: Place) -> None:
    with pytest.raises(StoreKeyError, match="restore it"):
        ring_of(place, make=False)


def test_who_only_reads_makes_no_key(place: Place, ring: Keyring) -> None:
    sealed = ring.make(FIRST).seal("x", "hello")
    with closing(ring_of(place, make=False, read_only=True)) as reading:
        assert reading.key_of(FIRST, anything).open("x", sealed) == "hello"
        with pytest.raises(ReadOnlyError):
            reading.make(Life(BOB, 2, 0))


def test_those_who_make_a_key_at_once_get_the_same(place: Place) -> None:
    rings = [ring_of(place) for _ in range(3)]
    names: list[str] = []
    start = threading.Barrier(6)

    def make(ring: Keyring) -> None:
        start.wait()
        names.append(ring.make(FIRST).name(b"k", "a"))

    threads = [threading.Thread(target=make, args=(ring,)) for ring in rings * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for ring in rings:
        ring.close()
    assert len(names) == 6
    assert len(set(names)) == 1


def test_those_who_make_a_key_store_at_once_make_one(place: Place) -> None:
    found: list[str] = []
    start = threading.Barrier(4)

    def make() -> None:
        start.wait()
        with closing(ring_of(place)) as ring:
            found.append(ring.store)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_only_so_many_keys_are_kept_at_hand(ring: Keyring, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("keyring", "hand"):
        monkeypatch.setattr(f"tensemem.store.sealing.{module}.KEYS_AT_HAND", 2)
    lives = [Life(Scope("default", f"u{number}"), number, 0) for number in range(5)]
    sealed = [ring.make(life).seal("x", "hello") for life in lives]
    assert len(ring._at_hand) == 2
    for life, text in zip(lives, sealed, strict=True):
        assert ring.key_of(life, anything).open("x", text) == "hello"
    for number in range(5):
        ring.note(Head(number, ALICE))
    assert len(ring._lives) <= 2
    assert KEYS_AT_HAND > 1000


def test_a_key_that_was_destroyed_while_it_was_looked_for_is_not_kept_at_hand(ring: Keyring) -> None:
    ring.make(FIRST)
    ring._at_hand.clear()

    def destroy(_: object) -> None:
        ring.destroy(ALICE)

    ring.key_of(FIRST, destroy)
    assert len(ring._at_hand) == 0
    with pytest.raises(StoreKeyError):
        ring.key_of(FIRST, anything)


def test_keys_at_hand_are_not_shown() -> None:
    assert repr(AtHand()) == "AtHand(...)"


def test_a_change_of_keys_that_the_key_store_refuses_changes_nothing(
    ring: Keyring, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = ring.make(FIRST).seal("x", "hello")

    class Full(Exception):
        pass

    def refuse(*_: object) -> None:
        raise Full

    with ring._place.begin(write=False) as rows:
        kind = type(rows)
    with monkeypatch.context() as patch:
        patch.setattr(kind, "put_doors", refuse)
        with pytest.raises(Full):
            ring.settle(OTHER)
    assert ring.make(Life(BOB, 2, 0))
    with closing(ring_of(place, make=False)) as again:
        assert again.key_of(FIRST, anything).open("x", sealed) == "hello"


# Another key


def test_a_settled_key_opens_it_and_the_old_one_does_not(place: Place, ring: Keyring) -> None:
    lives = [Life(Scope("default", f"u{number}"), number, 0) for number in range(20)]
    sealed = [ring.make(life).seal("x", "hello") for life in lives]
    ring.settle(OTHER)
    assert ring.make(FIRST)
    with pytest.raises(StoreKeyError):
        ring_of(place, KEY, make=False)
    with closing(ring_of(place, OTHER, make=False)) as again:
        assert again.store == ring.store
        for life, text in zip(lives, sealed, strict=True):
            assert again.key_of(life, anything).open("x", text) == "hello"


@pytest.mark.parametrize("key", [KEY, OTHER])
def test_between_two_keys_both_open_it_and_whoever_comes_settles_on_theirs(
    place: Place, ring: Keyring, key: Key
) -> None:
    sealed = ring.make(FIRST).seal("x", "hello")
    ring.admit(OTHER)
    ring.close()
    with closing(ring_of(place, key, make=False, read_only=True)) as reading:
        assert reading.key_of(FIRST, anything).open("x", sealed) == "hello"
    with closing(ring_of(place, key, make=False)) as again:
        assert again.key_of(FIRST, anything).open("x", sealed) == "hello"
    with pytest.raises(StoreKeyError):
        ring_of(place, OTHER if key is KEY else KEY, make=False)


def test_who_had_it_open_meanwhile_is_told_and_writes_no_key_that_nobody_can_unwrap(
    place: Place, ring: Keyring
) -> None:
    ring.make(FIRST)
    with closing(ring_of(place)) as other:
        other.settle(OTHER)
    assert ring.key_of(FIRST, anything)
    asked: list[Callable[[Life], object]] = [ring.make, lambda life: ring.key_of(life, anything)]
    for ask in asked:
        with pytest.raises(StoreKeyError, match=r"another key while this memory was open|not in the key store"):
            ask(Life(BOB, 2, 0))
    with pytest.raises(StoreKeyError, match="open it anew"):
        ring.settle(KEY)


def test_what_wraps_the_keys_is_changed_with_the_key(ring: Keyring) -> None:
    ring.make(FIRST)
    before, epoch = ring._secret.wraps_with, ring._secret.epoch
    ring.settle(KEY)
    assert ring._secret.wraps_with != before
    assert ring._secret.epoch == epoch + 1


# Files


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / f"memory.db{KEYS}"


def test_a_file_is_its_owner_s_only_and_tells_no_names(path: Path) -> None:
    with closing(Keyring(KeyFile(path, make=True), KEY, make=True)) as ring:
        ring.make(FIRST)
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert b"alice" not in path.read_bytes()
    assert RAW_KEY not in path.read_bytes()


def test_nothing_of_a_destroyed_key_is_left_on_the_disk(path: Path) -> None:
    with closing(Keyring(KeyFile(path, make=True), KEY, make=True)) as ring:
        for number in range(50):
            ring.make(Life(Scope("default", f"u{number}"), number, 0))
        with closing(sqlite3.connect(path)) as raw:
            wrapped = {row[0] for row in raw.execute("SELECT wrapped FROM keys")}
        for number in range(0, 50, 2):
            ring.destroy(Scope("default", f"u{number}"))
        with closing(sqlite3.connect(path)) as raw:
            left = {row[0] for row in raw.execute("SELECT wrapped FROM keys")}
        held = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert (len(wrapped), len(left)) == (50, 25)
    assert all(one in held for one in left)
    assert not any(one[13:] in held for one in wrapped - left)


@pytest.mark.parametrize("make", [False, True])
def test_what_is_no_key_store_is_left_as_it_is(path: Path, make: bool) -> None:
    SqliteStore(path).close()
    before = path.read_bytes()
    with pytest.raises(StoreCorruptError, match="no key store"):
        KeyFile(path, make=make)
    path.write_bytes(b"something else entirely" * 100)
    with pytest.raises(StoreCorruptError):
        KeyFile(path, make=make)
    assert path.read_bytes() == b"something else entirely" * 100
    assert before.startswith(b"SQLite format 3")


def test_a_newer_key_store_is_refused(path: Path) -> None:
    KeyFile(path, make=True).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA user_version = 9")
    with pytest.raises(SchemaTooNewError, match="version 9"):
        KeyFile(path, make=False)


def test_a_damaged_key_is_told_apart_from_a_wrong_one(path: Path) -> None:
    with closing(Keyring(KeyFile(path, make=True), KEY, make=True)) as ring:
        ring.make(FIRST)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("UPDATE keys SET wrapped = zeroblob(61)")
    with closing(Keyring(KeyFile(path, make=False), KEY, make=False)) as ring, pytest.raises(StoreCorruptError):
        ring.key_of(FIRST, anything)


def test_keys_can_t_change_places(path: Path) -> None:
    with closing(Keyring(KeyFile(path, make=True), KEY, make=True)) as ring:
        ring.make(FIRST)
        ring.make(Life(BOB, 2, 0))
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("UPDATE keys SET wrapped = (SELECT wrapped FROM keys ORDER BY name LIMIT 1)")
    with closing(Keyring(KeyFile(path, make=False), KEY, make=False)) as ring:
        told = 0
        for life in (FIRST, Life(BOB, 2, 0)):
            try:
                ring.key_of(life, anything)
            except StoreCorruptError:
                told += 1
    assert told == 1


def test_a_keyring_is_not_shown_nor_pickled(path: Path) -> None:
    with closing(Keyring(KeyFile(path, make=True), KEY, make=True)) as ring:
        assert repr(ring) == "Keyring(...)"
        assert repr(ring._secret) == "Secret(...)"
        with pytest.raises(TypeError):
            pickle.dumps(ring)


def test_a_closed_key_store_refuses(path: Path) -> None:
    ring = Keyring(KeyFile(path, make=True), KEY, make=True)
    ring.close()
    ring.close()
    with pytest.raises(ClosedError):
        ring.make(FIRST)


def test_the_memory_is_no_place_for_its_keys(tmp_path: Path) -> None:
    memory = str(tmp_path / "memory.db")
    with pytest.raises(InvalidValueError, match="another file"):
        place_of(memory, memory)


@needs_fork
@warns_of_fork
def test_a_forked_child_lets_the_keys_of_its_parent_be(place: Place, ring: Keyring) -> None:
    sealed = ring.make(FIRST).seal("x", "hello")
    with ring._turn:  # as another thread may hold it just then
        assert in_child(lambda: tried(ring.close)) == "no error"
    assert "open another Memory in the child" in in_child(lambda: tried(lambda: ring.make(Life(BOB, 2, 0))))
    assert ring.make(Life(BOB, 2, 0))
    assert ring.key_of(FIRST, anything).open("x", sealed) == "hello"


# Joining


def test_a_key_is_on_the_disk_before_the_first_row_that_it_seals(tmp_path: Path) -> None:
    """Seen from the files alone, at the moment at which the row is to be committed."""
    path = tmp_path / "memory.db"
    keys: list[int] = []
    with closing(seal(SqliteStore(path), KEY, place_of(str(path), True))) as store, store.write() as tx:
        tx.open_scope(ALICE)
        with closing(sqlite3.connect(f"file:{path}{KEYS}?mode=ro&immutable=1", uri=True)) as raw:
            keys.append(raw.execute("SELECT count(*) FROM keys").fetchone()[0])
        with closing(sqlite3.connect(path)) as raw:
            assert raw.execute("SELECT count(*) FROM scopes").fetchone() == (0,)
        tx.set_meta("x", "y")
    assert keys == [1]


def test_only_an_empty_store_begins_to_be_sealed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path)) as store, store.write() as tx:
        tx.open_scope(ALICE)
    before = path.read_bytes()
    for read_only in (False, True):
        with closing(SqliteStore(path, read_only=read_only)) as store, pytest.raises(StoreKeyError, match="copy_to"):
            seal(store, KEY, place_of(str(path), True))
    assert path.read_bytes() == before
    assert not path.with_name(path.name + KEYS).exists()


def test_another_memory_s_key_store_is_refused(tmp_path: Path) -> None:
    for name in ("one.db", "other.db"):
        path = tmp_path / name
        seal(SqliteStore(path), KEY, place_of(str(path), True)).close()
    with closing(SqliteStore(tmp_path / "other.db")) as inner, pytest.raises(StoreKeyError, match="of another memory"):
        seal(inner, KEY, place_of(str(path), str(tmp_path / f"one.db{KEYS}")))


def test_a_store_sealed_in_a_newer_way_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(seal(SqliteStore(path), KEY, place_of(str(path), True))) as store, store.write() as tx:
        tx.set_meta("sealed", "2:whatever")
    with closing(SqliteStore(path)) as inner, pytest.raises(SchemaTooNewError):
        seal(inner, KEY, place_of(str(path), True))


def test_a_change_of_keys_that_the_file_refuses_leaves_both_as_they_were(tmp_path: Path) -> None:
    if not is_there("apsw-sqlite3mc"):
        pytest.skip("no ciphers are installed")
    path = tmp_path / "memory.db"
    with closing(seal(SqliteStore(path, key=RAW_KEY), KEY, place_of(str(path), True))) as store:
        with store.write() as tx:
            tx.open_scope(ALICE)
        with closing(SqliteStore(path, key=RAW_KEY)), pytest.raises(StoreBusyError):
            store.rekey(bytes(32), timeout=0)
        with pytest.raises(InvalidValueError, match="needs a key"):
            store.rekey(None, timeout=0)
    with closing(seal(SqliteStore(path, key=RAW_KEY), KEY, place_of(str(path), True))) as store:
        store.rekey(bytes(32), timeout=1)
    with closing(SqliteStore(path, key=bytes(32))) as inner:
        with pytest.raises(StoreKeyError):
            seal(inner, KEY, place_of(str(path), True))
        seal(inner, OTHER, place_of(str(path), True)).ring.close()
