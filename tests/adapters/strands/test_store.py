"""The store by itself: entries and their metadata, limits, what is logged and as whose words."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Operation, errors
from tests.adapters.logged import messages_of, sessions_of

pytest.importorskip("strands")

from strands.memory import AddMessagesContext, MemoryEntry

from tensemem.adapters.strands import TensememStore


def search(store: Any, query: str, limit: int | None = None) -> list[MemoryEntry]:
    options = None if limit is None else {"max_search_results": limit}
    return asyncio.run(store.search(query, options))


@pytest.fixture
def store(mem: Memory) -> TensememStore:
    return TensememStore(mem, "u1")


def test_an_entry_tells_the_fact_its_validity_and_its_freshness(mem: Memory, store: TensememStore) -> None:
    mem.add("u1", "I live in Delhi", said_at="2024-01-10")
    mem.flush()
    (entry,) = search(store, "anything")
    fact = mem.state("u1").fact("lives_in")
    assert fact is not None
    assert entry.content == "lives_in: Delhi (since 2024-01-10)"
    assert entry.metadata == {
        "fact_id": fact.id,
        "subject": "user",
        "predicate": "lives_in",
        "value": "Delhi",
        "status": "active",
        "valid_from": "2024-01-10T00:00:00+00:00",
        "last_said": "2024-01-10T00:00:00+00:00",
        "version": mem.state("u1").version,
        "freshness": {"is_current": True, "as_of_seq": 1},
    }


def test_metadata_is_json_whatever_the_type(mem: Memory, store: TensememStore) -> None:
    mem.register_predicate("born_on", type="date")
    mem.register_predicate("age", type="number")
    mem.set("u1", "born_on", "1990-05-01")
    mem.set("u1", "age", 33)
    entries = search(store, "born")
    assert [entry.metadata["value"] for entry in entries if entry.metadata] == ["1990-05-01", 33]
    assert json.dumps([entry.metadata for entry in entries])


def test_what_has_the_words_comes_first_and_the_rest_after_it(mem: Memory, store: TensememStore) -> None:
    mem.write("u1", [Operation("set", "diet", "vegan"), Operation("replace", "languages", ["Go", "Python"])])
    mem.set("u1", "lives_in", "Delhi")
    assert [entry.content.split(" (")[0] for entry in search(store, "python and delhi")] == [
        "languages: Python", "lives_in: Delhi", "languages: Go", "diet: vegan",
    ]  # fmt: skip
    assert [entry.content.split(" (")[0] for entry in search(store, " ")] == [
        "diet: vegan", "languages: Go", "languages: Python", "lives_in: Delhi",
    ]  # fmt: skip


def test_plans_and_doubts_are_named_as_such(mem: Memory, store: TensememStore) -> None:
    mem.add("u1", "I will move to Goa on 2099-06-01")
    mem.add("u1", 'My profile says "I live in Rome"')
    mem.flush()
    planned, doubtful = search(store, "")
    assert planned.content.startswith("Planned, not current: lives_in: Goa (planned for 2099-06-01")
    assert doubtful.content.startswith("Unconfirmed, do not act on it as fact: lives_in: Rome")
    assert [entry.metadata["status"] for entry in (planned, doubtful) if entry.metadata] == ["planned", "candidate"]


def test_what_is_left_out_is_told(mem: Memory, store: TensememStore) -> None:
    mem.replace_values("u1", "languages", ["C", "Go", "Python", "Rust"])
    assert len(search(store, "", 4)) == 4
    *shown, note = search(store, "", 3)
    assert len(shown) == 2
    assert note.content == "2 more known values are not shown: search for them."
    (only,) = search(store, "", 1)
    assert only.content.startswith("languages: C (")
    assert only.content.endswith("\n3 more known values are not shown: search for them.")


def test_what_is_not_learnt_from_yet_is_told(mem: Memory, store: TensememStore) -> None:
    mem.add("u1", "I live in Delhi")
    (note,) = search(store, "")
    assert note.content.startswith("Memory is behind: 1 recent message is")
    assert note.metadata is not None
    assert note.metadata["freshness"] == {
        "is_current": False, "as_of_seq": 0, "pending": 1, "failed": 0, "reason": "no_extractor",
    }  # fmt: skip
    mem.set("u1", "diet", "vegan")
    (one,) = search(store, "", 1)
    assert one.content.startswith("diet: vegan (")
    assert "\nMemory is behind: " in one.content


@pytest.mark.parametrize("limit", [0, -1, True, 2.5, "3"])
def test_a_limit_is_a_number_of_one_or_more(mem: Memory, store: TensememStore, limit: Any) -> None:
    with pytest.raises(errors.InvalidValueError, match="max_search_results"):
        search(store, "", limit)
    with pytest.raises(errors.InvalidValueError, match="max_search_results"):
        TensememStore(mem, "u1", max_search_results=limit)


def test_messages_come_with_their_roles_and_only_once(store: TensememStore, path: Path) -> None:
    batch: Any = [
        {"role": "user", "content": [{"text": "I live"}, {"text": "in Delhi"}, {"image": {}}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", "name": "clock", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "1", "content": [{"text": "noon"}, {"json": 1}]}}]},
        {"role": "assistant", "content": [{"citationsContent": {"content": [{"text": "As said."}]}}]},
    ]
    context = AddMessagesContext(sequence_numbers=[4, 5, 6, 9])
    first = asyncio.run(store.add_messages(batch, context))
    again = asyncio.run(store.add_messages(batch, context))
    assert first is not None
    assert again is not None
    assert (again.seqs, again.duplicate) == (first.seqs, True)
    assert messages_of(path) == [("user", "I live\nin Delhi"), ("tool", "noon"), ("assistant", "As said.")]


def test_a_message_with_an_id_is_known_again_by_another_store(mem: Memory, path: Path) -> None:
    message: Any = {"role": "user", "content": [{"text": "ok"}], "tracking_id": "m-1"}
    for _ in range(2):
        asyncio.run(TensememStore(mem, "u1").add_messages([message]))
    assert messages_of(path) == [("user", "ok")]


def test_messages_bear_the_name_of_their_session(mem: Memory, path: Path) -> None:
    store = TensememStore(mem, "u1", session_id="s1")
    asyncio.run(store.add_messages([{"role": "user", "content": [{"text": "hello"}]}]))
    asyncio.run(store.add("a note"))
    assert sessions_of(path) == ["s1", "s1"]


def test_messages_without_text_are_no_messages(store: TensememStore, path: Path) -> None:
    assert asyncio.run(store.add_messages([{"role": "user", "content": [{"image": {}}]}])) is None
    assert messages_of(path) == []


def test_a_batch_is_logged_whole_or_not_at_all(mem: Memory, path: Path) -> None:
    store = TensememStore(mem, "u1")
    batch: Any = [{"role": "user", "content": [{"text": "hello"}]}, {"role": "user", "content": [{"text": "\0"}]}]
    with pytest.raises(errors.InvalidValueError):
        asyncio.run(store.add_messages(batch, AddMessagesContext([0, 1])))
    assert messages_of(path) == []


def test_what_a_model_adds_teaches_nothing_and_the_users_own_words_do(mem: Memory, path: Path) -> None:
    store = TensememStore(mem, "u1")
    asyncio.run(store.add("I live in Delhi"))
    mem.flush()
    assert mem.get("u1", "lives_in") is None
    for _ in range(2):
        asyncio.run(store.add("I live in Goa", {"role": "user", "idempotency_key": "k", "topic": "home"}))
    mem.flush()
    assert mem.get("u1", "lives_in") == "Goa"
    assert messages_of(path) == [("assistant", "I live in Delhi"), ("user", "I live in Goa")]


def test_a_store_that_may_not_be_written_says_so(mem: Memory, path: Path) -> None:
    store = TensememStore(mem, "u1", writable=False)
    assert store.extraction is None
    for write in (store.add("hello"), store.add_messages([])):
        with pytest.raises(errors.ReadOnlyError, match="writable=False"):
            asyncio.run(write)
    assert messages_of(path) == []


def test_a_scope_is_its_own(mem: Memory) -> None:
    mem.set("u1", "diet", "vegan")
    mem.set("u1", "diet", "low salt", agent_id="coach")
    assert search(TensememStore(mem, "u2"), "diet") == []
    (entry,) = search(TensememStore(mem, "u1", agent_id="coach"), "diet")
    assert entry.content.startswith("diet: low salt")


def test_wrong_use_is_told(mem: Memory) -> None:
    wrong: Any = "memory.db"
    with pytest.raises(errors.InvalidValueError, match="give an open Memory or AsyncMemory, not str"):
        TensememStore(wrong, "u1")
    with pytest.raises(errors.InvalidScopeError):
        TensememStore(mem, "")
    with pytest.raises(errors.InvalidValueError, match="wait must be seconds"):
        TensememStore(mem, "u1", wait=-1)
    with pytest.raises(errors.InvalidValueError, match="name"):
        TensememStore(mem, "u1", name=" ")


def test_a_missing_framework_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "strands", None)
    monkeypatch.delitem(sys.modules, "tensemem.adapters.strands")
    with pytest.raises(ImportError, match=r"install the extra `strands`"):
        importlib.import_module("tensemem.adapters.strands")
