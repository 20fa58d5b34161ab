"""What the store has beyond LangGraph's interface, and where it says no."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("langgraph")

from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp

from tensemem import FakeExtractor, Memory, Operation, errors
from tensemem.adapters.langgraph import TensememStore

PROJECT = Path(__file__).resolve().parents[3]
EXAMPLES = PROJECT / "examples" / "integrations"
PREFS = ("memories", "ada")


@pytest.fixture
def store(memory: Memory) -> TensememStore:
    return TensememStore(memory, facts=("facts",))


def test_an_item_has_a_history(store) -> None:
    store.put(PREFS, "prefs", {"theme": "dark"})
    store.put(PREFS, "prefs", {"theme": "light"})
    store.delete(PREFS, "prefs")
    found = store.history(PREFS, "prefs")
    assert [(fact.value["theme"], fact.status.value, fact.source) for fact in found.facts] == [
        ("dark", "superseded", "store.put"),
        ("light", "retracted", "store.put"),
    ]
    assert [(each.kind, each.source) for each in found.retractions] == [("retract", "store.delete")]


def test_a_corrected_item_does_not_come_back(store, memory) -> None:
    store.put(PREFS, "prefs", {"theme": "dark"})
    store.put(PREFS, "prefs", {"theme": "light"})
    store.correct(PREFS, "prefs", reason="a slip")
    assert store.get(PREFS, "prefs").value == {"theme": "dark"}
    assert [item.value for item in store.search(PREFS, query="light")] == [{"theme": "dark"}]
    store.correct(PREFS, "prefs", {"theme": "blue"})
    assert store.get(PREFS, "prefs").value == {"theme": "blue"}
    assert memory.verify().identical
    store.put(PREFS, "prefs", {"theme": "light"})  # said again, it counts
    assert store.get(PREFS, "prefs").value == {"theme": "light"}


def test_correcting_nothing_or_several_things_is_refused(store) -> None:
    with pytest.raises(errors.UnknownFactError, match="holds nothing"):
        store.correct(PREFS, "prefs")
    store.put(("facts", "ada"), "languages", {"value": ["Go", "Rust"]})
    with pytest.raises(errors.InvalidValueError, match="2 values"):
        store.correct(("facts", "ada"), "languages")


def test_why_an_item_is_what_it_is(store) -> None:
    assert store.explain(PREFS, "prefs") == ()
    store.put(PREFS, "prefs", {"theme": "dark"})
    (why,) = store.explain(PREFS, "prefs")
    assert "stated by store.put" in str(why)


def test_an_item_is_read_as_of_a_moment_and_as_known_at_one(store) -> None:
    store.put(PREFS, "prefs", {"theme": "dark"})
    then = store.get(PREFS, "prefs").updated_at
    store.put(PREFS, "prefs", {"theme": "light"})
    assert store.as_of(PREFS, "prefs", at=then).value == {"theme": "dark"}
    assert store.as_of(PREFS, "prefs", known_at=1).value == {"theme": "dark"}
    assert store.as_of(PREFS, "prefs", at=then - timedelta(days=1)) is None
    store.correct(PREFS, "prefs", {"theme": "blue"})
    assert store.as_of(PREFS, "prefs", known_at=2).value == {"theme": "light"}


def test_times_tell_since_when_and_when_last_put(store) -> None:
    store.put(PREFS, "prefs", {"theme": "dark"})
    first = store.get(PREFS, "prefs")
    store.put(PREFS, "prefs", {"theme": "dark"})
    again = store.get(PREFS, "prefs")
    assert first.created_at == first.updated_at == again.created_at < again.updated_at
    store.put(PREFS, "prefs", {"theme": "light"})
    assert store.get(PREFS, "prefs").created_at > again.updated_at


def test_a_batch_is_one_entry_for_each_namespace(store, memory) -> None:
    store.batch([PutOp(PREFS, key, {"n": 1}) for key in "abc"] + [PutOp(("other",), "k", {})])
    assert [info.rev for info in memory.scopes(namespace="langgraph")] == [1, 1]


def test_a_bad_put_writes_nothing_of_its_batch(store) -> None:
    with pytest.raises(errors.InvalidValueError, match="type set"):
        store.batch([PutOp(PREFS, "good", {}), PutOp(PREFS, "bad", {"tags": {1}})])
    assert store.search(()) == []


@pytest.mark.parametrize(
    ("op", "why"),
    [
        (PutOp(PREFS, "k", {"n": float("nan")}), "nan"),
        (PutOp(PREFS, "é" * 126, {}), "252 bytes"),
        (SearchOp(PREFS, {"n": {"$in": [1]}}), r"no operator '\$in'"),
        (ListNamespacesOp((MatchCondition("middle", ("a",)),)), "'middle'"),
        (("get", PREFS), "type tuple"),
    ],
)
def test_what_it_can_not_do_it_says(store, op, why) -> None:
    store.put(PREFS, "k", {"n": 1})
    with pytest.raises(errors.InvalidValueError, match=why):
        store.batch([op])


def test_what_is_no_number_has_no_order(store) -> None:
    for key, value in {"number": 5, "text": "five", "nothing": None}.items():
        store.put(PREFS, key, {"n": value})
    assert [item.key for item in store.search(PREFS, filter={"n": {"$gt": 1}})] == ["number"]


def test_a_query_puts_those_with_its_words_first(store) -> None:
    for key, text in {"one": "likes green tea", "two": "likes coffee", "three": "喜欢喝茶"}.items():
        store.put(PREFS, key, {"text": text})
    best, *rest = store.search(PREFS, query="who likes tea?", limit=3)
    assert best.key == "one"
    assert best.score > max(item.score or 0 for item in rest)
    assert store.search(PREFS, query="喝茶", limit=1)[0].key == "three"
    assert {item.score for item in store.search(PREFS)} == {None}


def test_secrets_are_kept_out(store) -> None:
    store.put(PREFS, "login", {"password": "hunter2-hunter2"})
    assert "hunter2" not in str(store.get(PREFS, "login").value)


def test_items_are_apart_from_what_is_known_of_people(store, memory) -> None:
    store.put(("ada",), "lives_in", {"city": "Rome"})
    assert memory.state("ada").values == {}
    assert [each.name for each in memory.predicates()] == ["languages", "lives_in"]


def test_facts_are_shown_and_written_as_typed_facts(store, memory) -> None:
    memory.set("ada", "lives_in", "Delhi")
    assert store.get(("facts", "ada"), "lives_in").value == {"value": "Delhi"}
    store.put(("facts", "ada"), "lives_in", {"value": "Bangalore"})
    store.put(("facts", "ada"), "languages", {"value": ["Rust", "Go"]})
    store.put(("facts", "ada"), "languages", {"value": "C"})
    assert memory.state("ada").values == {"languages": ("C", "Go", "Rust"), "lives_in": "Bangalore"}
    assert {item.key: item.value["value"] for item in store.search(("facts", "ada"))} == {
        "languages": ["C", "Go", "Rust"],
        "lives_in": "Bangalore",
    }
    assert store.search(("facts",), query="Bangalore", limit=1)[0].key == "lives_in"
    assert [fact.status.value for fact in store.history(("facts", "ada"), "lives_in").facts] == ["superseded", "active"]
    store.put(("facts", "ada"), "languages", {"value": []})
    store.delete(("facts", "ada"), "lives_in")
    assert memory.state("ada").values == {}


def test_facts_go_by_their_aliases(store, memory) -> None:
    memory.register_predicate("works_at", aliases=["employer"])
    store.put(("facts", "ada"), "employer", {"value": "Acme"})
    assert store.get(("facts", "ada"), "Employer").value == store.get(("facts", "ada"), "works_at").value
    store.correct(("facts", "ada"), "employer")
    assert store.get(("facts", "ada"), "works_at") is None


def test_facts_pass_the_registry(store) -> None:
    assert store.get(("facts", "ada"), "shoe_size") is None
    with pytest.raises(errors.UnknownPredicateError):
        store.put(("facts", "ada"), "shoe_size", {"value": 39})
    with pytest.raises(errors.InvalidValueError, match="is put as"):
        store.put(("facts", "ada"), "lives_in", {"city": "Delhi"})
    with pytest.raises(errors.InvalidValueError, match="USER"):
        store.put(("facts",), "lives_in", {"value": "Delhi"})


def test_typed_values_are_given_as_json_has_them(store, memory) -> None:
    memory.register_predicate("born_on", type="date")
    store.put(("facts", "ada"), "born_on", {"value": "1990-05-17"})
    assert store.get(("facts", "ada"), "born_on").value == {"value": "1990-05-17"}


def test_facts_are_namespaces_among_the_others(store, memory) -> None:
    memory.set("ada", "lives_in", "Delhi")
    memory.set("ada@example.com", "lives_in", "Pune")  # which has a dot, so no label can name it
    memory.set("ada", "lives_in", "Rome", agent_id="planner")
    store.put(PREFS, "prefs", {})
    assert store.list_namespaces() == [("facts", "ada"), PREFS]
    assert [item.value for item in store.search(("facts",))] == [{"value": "Delhi"}]


def test_facts_must_have_a_place(memory) -> None:
    for bad in ((), "facts", ("a.b",)):
        with pytest.raises((errors.InvalidValueError, ValueError)):
            TensememStore(memory, facts=bad)  # type: ignore[arg-type]


def test_freshness_and_doubt_are_told_if_asked_for(memory) -> None:
    store = TensememStore(memory, facts=("facts",), expose_meta=True)
    memory.set("ada", "lives_in", "Delhi", said_at=datetime(2026, 2, 1, tzinfo=UTC))
    memory.add("ada", "I moved to Bangalore")
    told = store.get(("facts", "ada"), "lives_in").value["_tensemem"]
    assert (told["is_current"], told["pending"], told["contested"]) == (False, 1, False)
    assert told["since"] == "2026-02-01T00:00:00+00:00"
    memory.flush()
    newer = store.get(("facts", "ada"), "lives_in").value
    assert newer["value"] == "Bangalore"
    assert (newer["_tensemem"]["is_current"], newer["_tensemem"]["source"]) == (True, "user")
    assert newer["_tensemem"]["version"] != told["version"]
    assert memory.explain(newer["_tensemem"]["fact_ids"][0]).fact.value == "Bangalore"


def test_what_is_told_is_not_put_back(memory) -> None:
    store = TensememStore(memory, expose_meta=True)
    store.put(PREFS, "prefs", {"theme": "dark"})
    store.put(PREFS, "prefs", store.get(PREFS, "prefs").value | {"size": 2})
    assert TensememStore(memory).get(PREFS, "prefs").value == {"theme": "dark", "size": 2}


def test_a_closed_memory_and_one_that_is_only_read(tmp_path) -> None:
    with Memory(tmp_path / "m.db", llm=False) as memory:
        TensememStore(memory).put(PREFS, "prefs", {"theme": "dark"})
    with Memory(tmp_path / "m.db", llm=False, read_only=True) as memory:
        store = TensememStore(memory)
        assert store.get(PREFS, "prefs").value == {"theme": "dark"}
        with pytest.raises(errors.ReadOnlyError):
            store.put(PREFS, "prefs", {})
    with pytest.raises(errors.ClosedError):
        store.batch([GetOp(PREFS, "prefs")])


def test_many_tasks_lose_nothing(store) -> None:
    async def run() -> None:
        await asyncio.gather(*(store.aput(PREFS, f"k{number}", {"n": number}) for number in range(20)))

    asyncio.run(run())
    assert sorted(item.value["n"] for item in store.search(PREFS, limit=100)) == list(range(20))


@pytest.mark.filterwarnings("ignore:.*langgraph.utils.config:DeprecationWarning")
def test_the_tools_of_langmem_run_over_it(store) -> None:
    langmem = pytest.importorskip("langmem")
    manage = langmem.create_manage_memory_tool(namespace=PREFS, store=store)
    look = langmem.create_search_memory_tool(namespace=PREFS, store=store)
    told = manage.invoke({"content": "likes green tea", "action": "create"})
    key = told.rsplit(" ", 1)[-1]
    manage.invoke({"content": "likes black tea", "action": "update", "id": key})
    assert "black tea" in look.invoke({"query": "tea"})
    assert [fact.value["content"] for fact in store.history(PREFS, key).facts] == ["likes green tea", "likes black tea"]
    manage.invoke({"action": "delete", "id": key})
    assert look.invoke({"query": "tea"}) == "[]"


@pytest.mark.parametrize("name", ["langgraph_store.py", "langchain_middleware.py"])
def test_the_examples_print_what_their_pages_show(name, tmp_path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(PROJECT / "src"), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, EXAMPLES / name], capture_output=True, encoding="utf-8", cwd=tmp_path, env=environment,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    page = (PROJECT / "docs" / "how-to" / f"use-with-{name[:-3].replace('_', '-')}.md").read_text(encoding="utf-8")
    assert f"```\n{done.stdout}```" in page


def test_a_fact_in_doubt_says_so_to_whoever_reads_it() -> None:
    doubt = Operation("set", "lives_in", "Rome", quote="Rome", modality="reported")
    with Memory(":memory:", llm=FakeExtractor({"Bob says Rome": [doubt]}), worker=False) as memory:
        memory.register_predicate("lives_in")
        memory.set("ada", "lives_in", "Delhi")
        store = TensememStore(memory, facts=("facts",))
        assert store.get(("facts", "ada"), "lives_in").value == {"value": "Delhi"}
        memory.add("ada", "Bob says Rome")
        memory.flush("ada")
        held = store.get(("facts", "ada"), "lives_in").value
        assert held["value"] == "Delhi"
        assert held["_tensemem"]["contested"] is True
        store.put(("facts", "ada"), "lives_in", held)
        assert memory.get("ada", "lives_in") == "Delhi"
