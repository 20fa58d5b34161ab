"""Memories with a key per person: whoever is forgotten can't be read any more, not in the oldest copy either."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory
from tensemem.errors import ExtractorOutputError, InvalidValueError, StoreKeyError
from tensemem.model.scope import Scope
from tensemem.store.sqlite.writing import SqliteWriter
from tests.copying.looking import shown
from tests.store.children import run_child
from tests.store.engines import KEY, are_ciphers_there, needs_ciphers
from tests.store.every_kind import KINDS, is_there, shelf_of
from tests.store.shelves import KEYS, RAW_KEY, SealedFileShelf, opening_in

pytestmark = [
    pytest.mark.skipif(not is_there("cryptography"), reason="cryptography is not installed"), pytest.mark.of_files,
]  # fmt: skip

WORDS = ("Delhi", "Bangalore", "flamingo", "Mira", "croquet", "teapot", "retry-me", "in a muddle", "Vogelsang")
numbers = itertools.count(1)
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
WHY = "it is another person"


class Muddled(FakeExtractor):
    """Fails on one text, with words of it in the error."""

    def extract(self, request: Any) -> Any:
        if "muddle" in request.text:
            raise ExtractorOutputError(f"no sense: {request.text}")
        return super().extract(request)


def fill(mem: Memory, user: str) -> None:
    for name in ("lives_in", "likes"):
        if name not in {predicate.name for predicate in mem.predicates()}:
            mem.register_predicate(name, "many" if name == "likes" else "one")
    mem.add(user, "I live in Delhi and own a flamingo", idempotency_key="retry-me")
    mem.flush(user)
    mem.set(user, "lives_in", "Bangalore", subject="Mira", source="Vogelsang")
    mem.set(user, "lives_in", "Bangalore")
    mem.add_value(user, "likes", "croquet")
    mem.correct(mem.history(user, "lives_in").facts[0].id, value="teapot", reason=WHY)
    mem.add(user, "I am in a muddle", extract=True)
    mem.flush(user)
    mem.search(user, "flamingo")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[SealedFileShelf]:
    """Memories are sealed, and their files are not encrypted besides: what is found in them is what sealing left."""
    shelf = SealedFileShelf(tmp_path)
    with opening_in(shelf):
        yield shelf


def calm(name: str, **options: Any) -> Memory:
    return Memory(name, worker=False, llm=Muddled(), clock=lambda: NOON, **options)


def files_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


def test_nothing_that_was_said_or_learnt_is_in_the_files(shelf: SealedFileShelf, tmp_path: Path) -> None:
    with calm("m") as mem:
        fill(mem, "alice")
        assert mem.search("alice", "flamingo")
        assert mem.stats()["pending"] == 1
        while_open = files_in(tmp_path)
    for held in (while_open, files_in(tmp_path)):
        for word in (*WORDS, WHY):
            for text in (word, word.lower(), word.casefold().upper()):
                for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
                    assert text.encode(encoding) not in held, text
    assert b"alice" in while_open


def test_a_copy_from_before_can_t_be_read_but_for_those_who_were_not_forgotten(
    shelf: SealedFileShelf, tmp_path: Path
) -> None:
    with calm("m") as mem:
        for user in ("alice", "bob"):
            fill(mem, user)
        mem.set("alice", "lives_in", "Goa", agent_id="guide")
        path = Path(mem._engine.store.location)
        before = mem.state("bob").facts
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("VACUUM INTO ?", (str(tmp_path / "vacuumed.db"),))
    shutil.copy(path, tmp_path / "copied.db")
    with calm("m") as mem:
        removal = mem.forget("alice")
        assert removal.scopes == 2
        assert mem.state("alice").facts == ()
        assert [info.user_id for info in mem.scopes()] == ["bob"]
        mem.set("alice", "lives_in", "Oslo")
        assert mem.get("alice", "lives_in") == "Oslo"
        assert mem.verify().identical
    for name in ("vacuumed", "copied"):
        taken_over = shelf.taken_over(name, tmp_path / f"{name}.db", f"{path}{KEYS}")
        with calm(taken_over, read_only=True) as old:
            assert {info.user_id for info in old.scopes()} == {"alice", "bob"}
            assert old.state("bob").facts == before
            assert old.stats()["scopes"] == 3
            for agent in ("", "guide"):
                for ask in (old.state, old.history, old.context, old.digest):
                    with pytest.raises(StoreKeyError):
                        ask("alice", agent_id=agent)
            for look in (old.search, old.get):
                with pytest.raises(StoreKeyError):
                    look("alice", "lives_in")
        with calm(taken_over) as old, pytest.raises(StoreKeyError):
            old.set("alice", "lives_in", "Pune")


def test_forgetting_one_agent_s_memory_leaves_the_other_s_key(shelf: SealedFileShelf) -> None:
    with calm("m") as mem:
        mem.register_predicate("lives_in")
        mem.set("alice", "lives_in", "Delhi")
        mem.set("alice", "lives_in", "Goa", agent_id="guide")
        mem.forget("alice", agent_id="guide")
        assert mem.get("alice", "lives_in") == "Delhi"
        assert mem.get("alice", "lives_in", agent_id="guide") is None


class Killed(BaseException):
    """Ends a call as a kill does."""


@pytest.mark.parametrize("where", ["key", "head", "rows"])
def test_whoever_is_cut_off_leaves_nobody_half_alive(
    shelf: SealedFileShelf, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    from tensemem.store.sealing.keyring import Keyring
    from tensemem.store.sqlite.writing import SqliteWriter

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with calm("m") as mem:
        for user in ("alice", "bob"):
            fill(mem, user)
    owner, name = {
        "key": (Keyring, "destroy"), "head": (SqliteWriter, "remove_scope"), "rows": (SqliteWriter, "remove_rows"),
    }[where]  # fmt: skip
    mem = calm("m")
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, killed)
        with pytest.raises(Killed):
            mem.forget("alice")
    mem.close()
    with calm("m") as mem:
        assert [info.user_id for info in mem.scopes()] == ["bob"]
        assert mem._engine.store.ring.count() == 1  # type: ignore[attr-defined]
        assert mem.state("alice").facts == ()
        assert mem.verify().identical


def test_what_is_there_of_a_person_whose_key_is_lost_is_told_and_can_be_forgotten(shelf: SealedFileShelf) -> None:
    with calm("m") as mem, calm("dest") as dest:
        for user in ("alice", "bob", "carol"):
            fill(mem, user)
        wanted = {user: shown(mem, user) for user in ("bob", "carol")}
        mem._engine.store.ring.destroy(Scope("default", "alice"))  # type: ignore[attr-defined]
        for ask in (mem.state, mem.history, mem.changes, mem.messages, mem.questions, mem.verify, mem.rebuild):
            with pytest.raises(StoreKeyError, match="'alice'"):
                ask("alice")
        with pytest.raises(StoreKeyError, match="'alice'"):
            mem.set("alice", "lives_in", "Oslo")
        with pytest.raises(StoreKeyError, match="'alice'"):
            mem.verify()
        with pytest.raises(StoreKeyError, match="all others were copied"):
            mem.copy_to(dest)
        assert {user: shown(mem, user) for user in ("bob", "carol")} == wanted
        assert [info.user_id for info in dest.scopes() if dest.state(info.user_id).facts] == ["bob", "carol"]
        keys = mem.doctor().named("keys")
        assert keys is not None
        assert (keys.level, "lacks the keys of 1 of 3 scopes" in keys.found) == ("error", True)
        assert mem.doctor(quick=True).named("keys") is None
        assert {job.user_id for job in mem.jobs()} == {"alice", "bob", "carol"}
        assert mem.stats()["scopes"] == 3
        mem.add("bob", "I live in Delhi")
        mem.flush()
        assert mem.state("bob").freshness.pending <= 1
        mem.register_predicate("owns")
        assert mem.forget("alice").scopes == 1
        keys = mem.doctor().named("keys")
        assert keys is not None
        assert (keys.level, "all 2 scopes" in keys.found) == ("note", True)
        assert mem.verify().identical
        fill(mem, "alice")


def test_old_texts_of_all_others_are_purged_where_a_key_is_lost(shelf: SealedFileShelf, tmp_path: Path) -> None:
    with calm("m") as mem:
        for user in ("alice", "bob"):
            mem.register_predicate("lives_in")
            mem.add(user, "I live in Delhi", said_at="2026-01-05")
            mem.flush(user)
        mem._engine.store.ring.destroy(Scope("default", "alice"))  # type: ignore[attr-defined]
        assert mem.purge("2026-02-01").scopes == 1
        assert mem.get("bob", "lives_in") == "Delhi"
        assert mem.search("bob", "live") == ()
        assert [message.content for message in mem.messages("bob")] == [""]


def test_a_value_is_forgotten_in_a_sealed_memory_as_in_any_other(shelf: SealedFileShelf) -> None:
    with calm("m") as mem:
        fill(mem, "alice")
        fact = mem.history("alice", "likes").facts[0]
        assert mem.forget("alice", fact_id=fact.id).claims
        assert mem.get("alice", "likes") is None
        assert mem.search("alice", "croquet") == ()
        mem.forget("alice", predicate="lives_in", subject="Mira")
        assert mem.get("alice", "lives_in", subject="Mira") is None
        assert mem.get("alice", "lives_in") == "Bangalore"
        assert mem.verify().identical


def test_a_sealed_memory_and_a_plain_one_copy_to_each_other(shelf: SealedFileShelf, tmp_path: Path) -> None:
    with calm("m") as mem:
        fill(mem, "alice")
        wanted = shown(mem, "alice")
        with calm("again") as again:
            mem.copy_to(again)
            assert shown(again, "alice") == wanted
            mem.forget("alice")
            assert shown(again, "alice") == wanted


# Many at once


@pytest.fixture(params=["file", "database", "database and file", "database and another"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Memory]:
    """Gives what opens one and the same sealed memory, as often as it is called."""
    path: Any = tmp_path / "memory.db"
    shred: Any = True
    if request.param == "file":
        if not are_ciphers_there():
            pytest.skip("no ciphers are installed")
    else:
        kind = next(kind for kind in KINDS if kind.name == "sealed18")
        shelf: Any = shelf_of(kind, request.getfixturevalue("tmp_path_factory"))
        path = f"{shelf.url}?tensemem_schema=shredding_{next(numbers)}"
        if request.param != "database":
            elsewhere = f"{shelf.url}?tensemem_schema=elsewhere_{next(numbers)}"
            shred = tmp_path / "keys.db" if request.param.endswith("file") else elsewhere

    usual = {"key": RAW_KEY, "shred": shred, "worker": False, "llm": Muddled(), "clock": lambda: NOON}

    def open_one(**options: Any) -> Memory:
        return Memory(path, **{**usual, **options})

    return open_one


def test_whoever_has_a_forgotten_person_s_key_at_hand_uses_it_no_more(opened: Callable[..., Memory]) -> None:
    with opened() as one, opened() as other:
        for user in ("alice", "bob"):
            fill(one, user)
            assert other.get(user, "lives_in") == "Bangalore"
        before = other.state("bob").facts
        one.forget("alice")
        assert other.state("alice").facts == ()
        other.set("alice", "lives_in", "Oslo")
        assert one.get("alice", "lives_in") == "Oslo"
        other.forget("alice")
        other.set("alice", "lives_in", "Pune")
        assert one.get("alice", "lives_in") == "Pune"
        one.set("alice", "lives_in", "Rome")
        one.forget("alice", agent_id="nobody")
        assert other.state("bob").facts == before
    with opened() as again:
        assert again.get("alice", "lives_in") == "Rome"
        assert again.state("bob").facts == before
        assert again.verify().identical
        assert again._engine.store.ring.count() == 2  # type: ignore[attr-defined]


def test_a_memory_gets_another_key_wherever_it_is(opened: Callable[..., Memory]) -> None:
    with opened() as mem:
        fill(mem, "alice")
        wanted = shown(mem, "alice")
        mem.rekey(bytes(32))
        assert shown(mem, "alice") == wanted
        mem.set("bob", "lives_in", "Rome")
        with pytest.raises(InvalidValueError, match="needs a key"):
            mem.rekey(None)
    with pytest.raises(StoreKeyError):
        opened()
    with opened(key=bytes(32), read_only=True) as mem:
        assert shown(mem, "alice") == wanted
        assert mem.get("bob", "lives_in") == "Rome"


def test_it_is_refused_without_the_keys_and_left_as_it_is(opened: Callable[..., Memory], tmp_path: Path) -> None:
    with opened() as mem:
        fill(mem, "alice")
        wanted = shown(mem, "alice")
    unkeyed = {"shred": False, "key": None}
    for options in ({"shred": tmp_path / "none"}, {"key": bytes(32)}, {"shred": False}, unkeyed):
        for read_only in (False, True):
            with pytest.raises((StoreKeyError, InvalidValueError)):
                opened(read_only=read_only, **options)
    assert not (tmp_path / "none").exists()
    with opened() as mem:
        assert shown(mem, "alice") == wanted


# As an application opens it


@needs_ciphers
def test_a_memory_is_opened_with_its_key_and_its_keys(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, key=KEY, shred=True, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("alice", "lives_in", "Delhi")
    assert {file.name for file in tmp_path.iterdir()} >= {path.name, path.name + KEYS}
    for options, says in (
        ({"key": KEY}, "sealed with a key per person"),
        ({"key": "wrong", "shred": True}, "can't be read with this key"),
        ({"key": KEY, "shred": tmp_path / "none"}, "restore it from its own backup"),
    ):
        before = path.read_bytes()
        with pytest.raises(StoreKeyError, match=says):
            Memory(path, **options)
        assert path.read_bytes() == before
    with Memory(path, key=KEY, shred=tmp_path / f"memory.db{KEYS}", read_only=True) as mem:
        assert mem.get("alice", "lives_in") == "Delhi"

    async def ask() -> Any:
        async with AsyncMemory(path, key=KEY, shred=True, worker=False) as mem:
            await mem.rekey(bytes(32))
            await mem.set("bob", "lives_in", "Rome")
            await mem.forget("alice")
            return await mem.get("bob", "lives_in"), await mem.get("alice", "lives_in")

    assert asyncio.run(ask()) == ("Rome", None)
    with Memory(path, key=bytes(32), shred=True, worker=False) as mem:
        assert mem.get("bob", "lives_in") == "Rome"


@needs_ciphers
@pytest.mark.parametrize("at", ["file", "settle"])
@pytest.mark.parametrize("key", [KEY, "another"])
def test_a_change_of_keys_that_was_cut_off_leaves_a_memory_that_one_of_them_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str, key: str
) -> None:
    from tensemem.store.sealing.keyring import Keyring
    from tensemem.store.sqlite import SqliteStore

    path = tmp_path / "memory.db"
    with Memory(path, key=KEY, shred=True, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("alice", "lives_in", "Delhi")
        with monkeypatch.context() as patch:

            def killed(*_: object, **__: object) -> None:
                raise Killed

            owner, name = (SqliteStore, "rekey") if at == "file" else (Keyring, "settle")
            patch.setattr(owner, name, killed)
            with pytest.raises(Killed):
                mem.rekey("another")
    if (key == KEY) is (at == "file"):
        with Memory(path, key=key, shred=True, worker=False) as mem:
            assert mem.get("alice", "lives_in") == "Delhi"
            mem.set("bob", "lives_in", "Rome")
        with Memory(path, key=key, shred=True, read_only=True) as mem:
            assert mem.get("bob", "lives_in") == "Rome"
    else:
        with pytest.raises(StoreKeyError):
            Memory(path, key=key, shred=True)


@needs_ciphers
def test_a_backup_from_before_brings_nobody_back_and_takes_no_key_of_a_later_life(tmp_path: Path) -> None:
    path, early, late = (tmp_path / name for name in ("memory.db", "early.db", "late.db"))
    options: dict[str, Any] = {"key": RAW_KEY, "shred": True, "worker": False}
    with Memory(path, **options) as mem:
        mem.register_predicate("lives_in")
        for user in ("alice", "bob"):
            mem.set(user, "lives_in", "Delhi")
        mem.backup(early)
        mem.forget("alice")
        mem.set("alice", "lives_in", "Oslo")
        mem.backup(late)
    Memory.restore(early, path, key=RAW_KEY, shred=True, force=True)
    with Memory(path, **options) as mem:
        assert [info.user_id for info in mem.scopes()] == ["bob"]
        assert mem.get("alice", "lives_in") is None
        assert mem.verify().identical
    Memory.restore(late, path, key=RAW_KEY, shred=True, force=True)
    with Memory(path, **options) as mem:
        assert (mem.get("alice", "lives_in"), mem.get("bob", "lives_in")) == ("Oslo", "Delhi")
        assert mem.verify().identical


@needs_ciphers
def test_a_plain_memory_does_not_begin_to_be_sealed_once_it_holds_something(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, key=KEY, worker=False) as mem:
        mem.register_predicate("lives_in")
    with pytest.raises(StoreKeyError, match="only an empty memory"):
        Memory(path, key=KEY, shred=True)
    with Memory(path, key=KEY, worker=False, read_only=True) as mem:
        assert [predicate.name for predicate in mem.predicates()] == ["lives_in"]


@pytest.mark.parametrize(
    ("path", "options", "says"),
    [
        ("m.db", {"shred": True}, "needs key="),
        ("m.db", {"key": KEY, "shred": 1}, "True, or say where"),
        ("m.db", {"key": KEY, "shred": ""}, "True, or say where"),
        ("m.db", {"key": KEY, "shred": "m.db"}, "another file"),
        (":memory:", {"key": KEY, "shred": True}, "keeps nothing"),
        ("postgresql://host/name", {"key": KEY}, "goes with shred="),
        ("postgresql://host/name", {"shred": True}, "needs key="),
    ],
)
def test_what_can_t_be_sealed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, options: dict[str, Any], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidValueError, match=says):
        Memory(path, **options)
    assert list(tmp_path.iterdir()) == []


def test_without_the_library_the_extra_is_named(tmp_path: Path) -> None:
    said = run_child(
        """
        import sys
        sys.modules["cryptography"] = None
        from tensemem import Memory, errors
        try:
            Memory(sys.argv[1], key="any", shred=True)
        except errors.StoreError as error:
            print(error)
        """,
        tmp_path / "m.db",
    )
    assert "install the extra `encrypted`" in said
    assert list(tmp_path.iterdir()) == []


@needs_ciphers
@pytest.mark.parametrize("step", ["keep_forgotten", "remove_scope"], ids=["before", "after"])
def test_a_forgetting_that_fails_is_withdrawn_unless_the_key_is_destroyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Whoever can still be read goes on talking; whoever can't is forgotten at the next opening, and may come back."""

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    def opened() -> Memory:
        return Memory(tmp_path / "m.db", worker=False, llm=False, key=KEY, shred=True)

    with opened() as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
        with monkeypatch.context() as patch:
            patch.setattr(SqliteWriter, step, full)
            with pytest.raises(OSError, match="No space"):
                mem.forget("ann")
        if step == "remove_scope":
            with pytest.raises(StoreKeyError):
                mem.set("ann", "lives_in", "Oslo")
        else:
            mem.set("ann", "lives_in", "Oslo")
    with opened() as mem:
        assert mem.state("ann").values == ({} if step == "remove_scope" else {"lives_in": "Oslo"})
        mem.set("ann", "lives_in", "Rome")
        assert mem.state("ann").values == {"lives_in": "Rome"}
        assert mem.verify().identical
