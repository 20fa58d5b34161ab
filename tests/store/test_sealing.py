"""Sealed stores: what can be read without the keys, what is noticed when it is changed, and who is refused."""

from __future__ import annotations

import inspect
import pickle
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tensemem.errors import StoreCorruptError, StoreKeyError
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.moment import FOREVER
from tensemem.model.scope import Scope, registry_scope
from tensemem.ports import ClaimRow, FactRow, Head, PendingRow, Reader, SlotRow, Store, UsageRow, Writer
from tensemem.store.plain import PlainStore
from tensemem.store.sqlite import SqliteStore
from tensemem.store.sqlite.keys import Key
from tests.store.dump import everything
from tests.store.every_kind import is_there
from tests.store.shelves import KEYS, RAW_KEY, sealed

pytestmark = pytest.mark.skipif(not is_there("cryptography"), reason="cryptography is not installed")

ALICE, BOB = Scope("default", "alice"), Scope("default", "bob")
SECRETS = ("Wonderland", "lives_in_a_land", "white_rabbit", "idempotent", "the cat grins", "mad_hatter", "digest-of-it")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with closing(opened(path)) as store:
        yield store


def opened(path: Path, **options: Any) -> Store:
    return sealed(SqliteStore(path, **options), str(path))


def fill(store: Store, scope: Scope, rev: int = 1) -> Head:
    """Put one row of everything that holds words into a scope."""
    land, slot_names, rabbit, known, cat, hatter, digest = SECRETS
    with store.write() as tx:
        head = tx.open_scope(scope)
        head.rev, head.seq, head.pending = rev, rev, 1
        tx.append(head.id, Entry(EntryKind.MESSAGE, rev, rev, rev, rev, body={"content": land}))
        tx.remember_key(head.id, known, rev, digest)
        slot = tx.add_slot(head.id, SlotRow(0, rabbit, slot_names, rabbit.upper(), slot_names.upper()))
        other = tx.add_slot(head.id, SlotRow(0, hatter, slot_names, hatter, slot_names))
        for number in (slot.id, other.id):
            tx.put_claims(head.id, [ClaimRow(number, number, 0, 0, "value", "refused", land, f'["{land}"]')])
            tx.put_facts(head.id, [FactRow(number, 0, land, 5, FOREVER, f'["{land}"]')])
        tx.add_pending(head.id, rev)
        tx.save_pending(PendingRow(head.id, rev, "failed", 1, 0, cat))
        tx.index(head.id, [("e:1", f"{land} {rabbit}")], 1)
        tx.add_usage(head.id, UsageRow("extractor", "model", 1, 1, 1, 1))
        tx.save_head(head)
    return head


def files_of(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()) if file.is_file())


# What can be read without the keys


def test_no_word_of_anybody_is_in_the_files(path: Path) -> None:
    with closing(opened(path)) as store:
        for scope in (ALICE, BOB):
            fill(store, scope)
        in_log = files_of(path)
    for held in (in_log, files_of(path)):
        for secret in SECRETS:
            for text in (secret, secret.upper(), secret.lower()):
                for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
                    assert text.encode(encoding) not in held, text
    assert b"alice" in in_log  # whose they are is in clear, and so the search would have found the words


def test_the_words_of_a_store_that_is_not_sealed_are_in_its_file(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        fill(store, ALICE)
    held = files_of(path)
    assert [secret for secret in SECRETS if secret.encode() not in held] == []


def test_equal_words_of_two_people_look_different_and_so_do_those_of_two_kinds(path: Path, store: Store) -> None:
    for scope in (ALICE, BOB):
        fill(store, scope)
    with closing(sqlite3.connect(path)) as raw:
        names = [
            {name for (name,) in raw.execute(f"SELECT DISTINCT {column} FROM {table} WHERE scope = ?", (scope,))}
            for scope in (1, 2)
            for table, column in (
                ("slots", "subject_key"), ("slots", "predicate_key"), ("claims", "value_key"), ("facts", "key"),
                ("keys", "key"), ("postings", "term"),
            )
        ]  # fmt: skip
    assert all(names)
    assert len(set().union(*names)) == sum(map(len, names))


def test_the_registry_is_not_sealed(path: Path, store: Store) -> None:
    registry = registry_scope("default")
    fill(store, registry)
    assert SECRETS[0].encode() in files_of(path)
    with store.read() as reader:
        head = reader.head(registry)
        assert head is not None
        assert reader.find_key(head.id, SECRETS[3]) == (1, SECRETS[6])
        assert reader.search(head.id, [SECRETS[0]], 9) != []


def test_what_is_sealed_reads_as_in_any_other_store(store: Store) -> None:
    plain = PlainStore()
    for one in (plain, store):
        for scope in (ALICE, registry_scope("default"), BOB):
            fill(one, scope)
    found = everything(store)
    assert found == everything(plain)
    assert found[repr(ALICE)]["slots"][0].subject == SECRETS[2].upper()


def test_nothing_is_passed_on_that_nobody_has_thought_of() -> None:
    """What a store learns to do later must be asked of the keys first: is there a word in it?"""
    from tensemem.store.sealing.reading import SealedReader
    from tensemem.store.sealing.store import SealedStore
    from tensemem.store.sealing.writing import SealedWriter

    for contract, kind in ((Reader, SealedReader), (Writer, SealedWriter), (Store, SealedStore)):
        wanted = {name for name in dir(contract) if not name.startswith("_")}
        given = {name for name, _ in inspect.getmembers(kind)}
        assert wanted <= given | {"durability", "read_only"}, contract


# What was changed


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("DROP TRIGGER entries_never_change")
        for statement in statements:
            assert raw.execute(statement).rowcount, statement


SWAP = "UPDATE {table} SET {column} = (SELECT {column} FROM {table} AS o WHERE o.{where}) WHERE {also}"


def swapped(table: str, column: str, where: str, also: str) -> str:
    return SWAP.format(table=table, column=column, where=where, also=also)


@pytest.mark.parametrize(
    "statement",
    [
        swapped("entries", "body", "scope = 2", "scope = 1"),
        swapped("slots", "subject", "scope = 2 AND o.id = 1", "scope = 1 AND id = 1"),
        swapped("slots", "subject", "scope = 1 AND o.id = 2", "scope = 1 AND id = 1"),
        swapped("claims", "body", "scope = 1 AND o.slot = 2", "scope = 1 AND slot = 1"),
        swapped("facts", "body", "scope = 1 AND o.slot = 2", "scope = 1 AND slot = 1"),
        swapped("facts", "body", "scope = 2 AND o.slot = 1", "scope = 1 AND slot = 1"),
        "UPDATE entries SET said_at = 9 WHERE scope = 1",
        "UPDATE entries SET recorded_at = 9 WHERE scope = 1",
        "UPDATE entries SET kind = 'write' WHERE scope = 1",
        "UPDATE entries SET body = CAST(X'00' || '{\"content\":\"Oz\"}' AS BLOB) WHERE scope = 1",
        "UPDATE entries SET body = CAST(X'00' || '{\"sealed\":\"AQ==\"}' AS BLOB) WHERE scope = 1",
        "UPDATE slots SET predicate_key = 'x' WHERE scope = 1 AND id = 1",
        "UPDATE slots SET last_seq = 7 WHERE scope = 1 AND id = 1",
        "UPDATE slots SET subject = '' WHERE scope = 1 AND id = 1",
        "UPDATE slots SET subject = 'not sealed' WHERE scope = 1 AND id = 1",
        "UPDATE claims SET outcome = 'admitted' WHERE scope = 1 AND slot = 1",
        "UPDATE claims SET kind = 'deny' WHERE scope = 1 AND slot = 1",
        "UPDATE claims SET seq = 9 WHERE scope = 1 AND slot = 1",
        "UPDATE facts SET stop = 9 WHERE scope = 1 AND slot = 1",
        "UPDATE facts SET start = 1 WHERE scope = 1 AND slot = 1",
        "UPDATE facts SET kind = 1 WHERE scope = 1 AND slot = 1",
        "UPDATE keys SET seq = 9 WHERE scope = 1",
        "UPDATE keys SET digest = 'AQ==' WHERE scope = 1",
        "UPDATE pending SET error = 'nothing' WHERE scope = 1",
        "UPDATE pending SET attempts = 0 WHERE scope = 1",
    ],
)  # fmt: skip
def test_a_row_that_was_changed_or_moved_is_noticed(path: Path, statement: str) -> None:
    with closing(opened(path)) as store:
        for scope in (ALICE, BOB):
            fill(store, scope)
    change(path, statement)
    with closing(opened(path)) as store:
        told = []
        for scope in (ALICE, BOB):
            with store.read() as reader:
                head = reader.head(scope)
                assert head is not None
                try:
                    read_all(reader, head.id)
                except (StoreCorruptError, StoreKeyError) as error:
                    told.append((scope, str(error)))
        assert [scope for scope, _ in told] == [ALICE]
        assert not any(secret in told[0][1] for secret in SECRETS)


def read_all(reader: Reader, scope_id: int) -> None:
    list(reader.entries(scope_id))
    reader.keys(scope_id, "", 9)
    reader.pending(scope_id)
    for slot in (1, 2):
        reader.slot_by_id(scope_id, slot)
        reader.claims(scope_id, slot)
        reader.facts(scope_id, slot)


def test_any_changed_letter_of_a_sealed_text_is_noticed() -> None:
    from tensemem.store.sealing.ciphers import ScopeKey

    key = ScopeKey(bytes(32), b"alice")
    whole = key.seal("facts|1", SECRETS[0])
    assert key.open("facts|1", whole) == SECRETS[0]
    assert key.seal("facts|1", SECRETS[0]) != whole
    for place, letter in enumerate(whole):
        changed = whole[:place] + ("A" if letter != "A" else "B") + whole[place + 1 :]
        with pytest.raises((StoreCorruptError, StoreKeyError)):
            key.open("facts|1", changed)
    for elsewhere in ("facts|2", "claims|1", ""):
        with pytest.raises(StoreCorruptError):
            key.open(elsewhere, whole)
    with pytest.raises(StoreCorruptError):
        ScopeKey(bytes(32), b"bob").open("facts|1", whole)
    with pytest.raises(StoreKeyError, match="under another key"):
        ScopeKey(bytes(31) + b"1", b"alice").open("facts|1", whole)


def test_keys_are_not_shown_nor_pickled() -> None:
    from tensemem.store.sealing.ciphers import ScopeKey, Wrapping

    for key in (ScopeKey(bytes(32), b"alice"), Wrapping(bytes(32))):
        assert repr(key) == str(key) == f"{type(key).__name__}(...)"
        with pytest.raises(TypeError):
            pickle.dumps(key)


# Keys that are gone


def without_key(path: Path, scope: Scope) -> None:
    """Take a scope's key away behind everybody's back, as a key store does that was not restored."""
    with closing(opened(path)) as store:
        store.ring.destroy(scope)  # type: ignore[attr-defined]


READS: list[Callable[[Reader, int], object]] = [
    lambda reader, id: list(reader.entries(id)),
    lambda reader, id: reader.episode(id, 1),
    lambda reader, id: reader.slots(id),
    lambda reader, id: reader.slot(id, "a", "b"),
    lambda reader, id: reader.live(id, 0),
    lambda reader, id: reader.facts(id, 1),
    lambda reader, id: reader.claims(id, 1),
    lambda reader, id: reader.find_key(id, "a"),
    lambda reader, id: reader.keys(id, "", 9),
    lambda reader, id: reader.search(id, ["a"], 9),
    lambda reader, id: reader.slots_with_values(id, ["a"]),
]


def test_who_has_no_key_can_t_be_read_and_all_others_can(path: Path) -> None:
    with closing(opened(path)) as store:
        for scope in (ALICE, BOB):
            fill(store, scope)
        before = everything(store)
    without_key(path, ALICE)
    with closing(opened(path)) as store, store.read() as reader:
        alice, bob = reader.head(ALICE), reader.head(BOB)
        assert alice is not None
        assert bob is not None
        for read in READS:
            with pytest.raises(StoreKeyError, match="of 'alice' in namespace 'default' is not in the key store"):
                read(reader, alice.id)
            read(reader, bob.id)
        assert reader.counts("default") == before["counts"]
        assert [head.scope for head in reader.scopes("default", "", None, 9)] == [ALICE, BOB]
        assert [(scope, row.error) for scope, row in reader.all_pending("default", 9)] == [
            (ALICE, "what went wrong is sealed, and its key is gone"), (BOB, SECRETS[4]),
        ]  # fmt: skip
        assert {id for id, *_ in reader.unprojected("default")} == {bob.id}


def test_nothing_is_written_into_a_scope_whose_key_is_gone(path: Path) -> None:
    with closing(opened(path)) as store:
        fill(store, ALICE)
    without_key(path, ALICE)
    with closing(opened(path)) as store:
        with pytest.raises(StoreKeyError):
            fill(store, ALICE, rev=2)
        fill(store, BOB)


def test_work_on_a_scope_whose_key_is_gone_holds_up_no_other(path: Path) -> None:
    with closing(opened(path)) as store:
        for scope in (ALICE, BOB):
            with store.write() as tx:
                head = tx.open_scope(scope)
                head.rev = head.seq = head.pending = 1
                tx.append(head.id, Entry(EntryKind.MESSAGE, 1, 1, 1, 1, body={}))
                tx.add_pending(head.id, 1)
                tx.save_head(head)
    without_key(path, ALICE)
    with closing(opened(path)) as store:
        with store.write() as tx:
            leased = tx.lease("w", 0, 10, [], [])
            assert leased is not None
            assert leased.scope == BOB
        with store.write() as tx:
            assert tx.lease("other", 0, 10, [], []) is None
            assert tx.owners() == ["w"]


def test_a_scope_that_is_removed_loses_its_key_and_comes_back_with_another(path: Path) -> None:
    with closing(opened(path)) as store:
        fill(store, ALICE)
        copy = path.with_name("copy.db")
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("VACUUM INTO ?", (str(copy),))
        remove(store, ALICE)
        again = fill(store, ALICE)
        with store.read() as reader:
            assert [entry.body for entry in reader.entries(again.id)] == [{"content": SECRETS[0]}]
    from tensemem.store.sealing.opening import place_of, seal

    keys_of_today = place_of(str(copy), f"{path}{KEYS}")
    with closing(seal(SqliteStore(copy), Key(RAW_KEY), keys_of_today)) as old, old.read() as reader:
        found = reader.head(ALICE)
        assert found is not None
        with pytest.raises(StoreKeyError, match="sealed under another key"):
            list(reader.entries(found.id))


def test_the_key_goes_first_and_the_scope_can_still_be_removed(path: Path) -> None:
    class Crash(Exception):
        pass

    with closing(opened(path)) as store:
        id = fill(store, ALICE).id
        with suppress(Crash):
            remove(store, ALICE, fails=Crash)
    with closing(opened(path)) as store:
        with store.read() as reader, pytest.raises(StoreKeyError):
            list(reader.entries(id))
        remove(store, ALICE)
        fill(store, ALICE)


def remove(store: Store, scope: Scope, fails: type[Exception] | None = None) -> None:
    with store.write() as tx:
        head = tx.head(scope)
        assert head is not None
        tx.remove_scope(head)
        if fails is not None:
            raise fails


def test_a_number_that_was_never_kept_stands_for_whoever_gets_it(path: Path, store: Store) -> None:
    """What is taken back takes its scope's number with it, and the next one gets that."""

    class Undo(Exception):
        pass

    with suppress(Undo), store.write() as tx:
        undone = tx.open_scope(ALICE)
        raise Undo
    head = fill(store, BOB)
    assert head.id == undone.id
    with store.read() as reader:
        assert [entry.body for entry in reader.entries(head.id)] == [{"content": SECRETS[0]}]


def test_a_number_is_known_without_asking_for_its_scope_first(path: Path) -> None:
    with closing(opened(path)) as store:
        fill(store, registry_scope("other"))
        ids = [fill(store, scope).id for scope in (ALICE, BOB, Scope("other", "carol"))]
    with closing(opened(path)) as store:
        for id in ids:
            with store.read() as reader:
                assert [entry.body for entry in reader.entries(id)] == [{"content": SECRETS[0]}]
        with store.read() as reader:
            assert reader.slot(99, "a", "b") is None
            assert reader.find_key(99, "a") is None
