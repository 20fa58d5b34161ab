"""The store does what LangGraph's own InMemoryStore does, operation by operation.

Two things are compared in one form, since InMemoryStore leaves them to its dicts: items of a search come newest first
(as LangGraph's SQL stores give them), and a namespace without items is none.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("langgraph")

from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from tensemem import Memory
from tensemem.adapters.langgraph import TensememStore
from tests.adapters.langgraph.conftest import Ticking

ALL = 10**6
LONG = "é" * 125


class Judge:
    """InMemoryStore, with what its dicts decide brought into one form."""

    def __init__(self) -> None:
        self.store = InMemoryStore()
        self.batches = 0
        self.stamps: dict[tuple[tuple[str, ...], str], int] = {}

    def batch(self, ops: Sequence[Any]) -> list[Any]:
        held = {namespace for namespace, items in self.store._data.items() if items}
        raw = self.store.batch([_unlimited(op) for op in ops])
        results = [self._formed(op, result, held) for op, result in zip(ops, raw, strict=True)]
        self.batches += 1
        self.stamps |= {(op.namespace, op.key): self.batches for op in ops if isinstance(op, PutOp)}
        return results

    def _formed(self, op: Any, result: Any, held: set[tuple[str, ...]]) -> Any:
        if isinstance(op, SearchOp):
            ordered = sorted(result, key=lambda item: item.key)
            ordered.sort(key=lambda item: (self.stamps[item.namespace, item.key], item.namespace), reverse=True)
            return ordered[op.offset : op.offset + op.limit]
        if isinstance(op, ListNamespacesOp):
            names = sorted({namespace[: op.max_depth] for namespace in result if namespace in held})
            return names[op.offset : op.offset + op.limit]
        return result


def _unlimited(op: Any) -> Any:
    if isinstance(op, SearchOp):
        return op._replace(limit=ALL, offset=0)
    return op._replace(limit=ALL, offset=0, max_depth=None) if isinstance(op, ListNamespacesOp) else op


def plain(results: Sequence[Any]) -> list[Any]:
    return [[_plain(each) for each in result] if isinstance(result, list) else _plain(result) for result in results]


def _plain(item: Any) -> Any:
    if item is None or isinstance(item, tuple):
        return item
    return item.namespace, item.key, json.dumps(item.value, sort_keys=True)


LABELS = st.sampled_from(["a", "A", "b", "ü", "u\u0308", " ", "user", "用户"])
NAMESPACES = st.lists(LABELS, min_size=1, max_size=3).map(tuple)
KEYS = st.sampled_from(["", "k", "K", " k", "user", "wife", "my wife", "a.b", "ﬁ", "fi", "ß", "ss", "\ud800", LONG])
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4)
SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-2, 2) | TEXTS
JSON = st.recursive(SCALARS, lambda part: st.lists(part, max_size=2) | st.dictionaries(TEXTS, part, max_size=2))
FIELDS = st.sampled_from(["n", "text", "deep"])
VALUES = st.dictionaries(FIELDS | TEXTS, JSON, max_size=3)
EQUALITIES = st.dictionaries(st.sampled_from(["$eq", "$ne"]), SCALARS, min_size=1)
FILTERS = st.dictionaries(FIELDS, SCALARS | EQUALITIES | st.lists(SCALARS, max_size=1), max_size=2)
PATHS = st.lists(LABELS | st.just("*"), max_size=2).map(tuple)
CONDITIONS = st.lists(st.builds(MatchCondition, st.sampled_from(["prefix", "suffix"]), PATHS), max_size=2).map(tuple)
LIMITS, OFFSETS = st.integers(0, 5), st.integers(0, 3)
OPERATIONS = st.one_of(
    st.builds(PutOp, NAMESPACES, KEYS, VALUES),
    st.builds(PutOp, NAMESPACES, KEYS, st.none()),
    st.builds(GetOp, NAMESPACES, KEYS),
    st.builds(SearchOp, st.lists(LABELS, max_size=2).map(tuple), st.none() | FILTERS, LIMITS, OFFSETS, st.none()),
    st.builds(ListNamespacesOp, CONDITIONS, st.none() | st.integers(1, 3), LIMITS, OFFSETS),
)
BATCHES = st.lists(st.lists(OPERATIONS, max_size=6), max_size=6)


@given(BATCHES)
def test_any_operations_give_what_the_in_memory_store_gives(batches: list[list[Any]]) -> None:
    judge = Judge()
    with Memory(":memory:", llm=False, redact=False, clock=Ticking()) as memory:
        store = TensememStore(memory)
        for ops in batches:
            assert plain(store.batch(ops)) == plain(judge.batch(ops))
        everything = [SearchOp((), limit=ALL), ListNamespacesOp(limit=ALL)]
        assert plain(store.batch(everything)) == plain(judge.batch(everything))


@given(BATCHES)
def test_awaited_operations_give_the_same(batches: list[list[Any]]) -> None:
    judge = Judge()
    with Memory(":memory:", llm=False, redact=False, clock=Ticking()) as memory:
        store = TensememStore(memory)

        async def run() -> None:
            for ops in batches:
                assert plain(await store.abatch(iter(ops))) == plain(judge.batch(ops))

        asyncio.run(run())


@given(st.lists(st.tuples(NAMESPACES, st.text(max_size=60)), unique=True, max_size=12))
def test_no_two_items_share_a_place(places: list[tuple[tuple[str, ...], str]]) -> None:
    with Memory(":memory:", llm=False) as memory:  # which replaces what looks like a secret
        store = TensememStore(memory)
        for number, (namespace, key) in enumerate(places):
            store.put(namespace, key, {"number": number})
        held = {(item.namespace, item.key): item.value["number"] for item in store.search((), limit=ALL)}
        assert held == {place: number for number, place in enumerate(places)}


@pytest.fixture(params=[InMemoryStore, TensememStore], ids=["theirs", "ours"])
def store(request, memory):
    """Each kind of store in turn: what these tests say holds for both."""
    return request.param() if request.param is InMemoryStore else TensememStore(memory)


def test_reads_see_what_held_before_the_batch(store) -> None:
    put, get = PutOp(("a",), "k", {"n": 1}), GetOp(("a",), "k")
    assert plain(store.batch([put, ListNamespacesOp(), SearchOp(("a",)), get])) == [None, [], [], None]
    first, _, second = plain(store.batch([get, PutOp(("a",), "k", {"n": 2}), get]))
    assert first == second == (("a",), "k", '{"n": 1}')
    assert store.get(("a",), "k").value == {"n": 2}


@pytest.mark.parametrize(
    ("values", "left"),
    [([{"n": 1}, {"n": 2}], {"n": 2}), ([{"n": 1}, None], None), ([None, {"n": 1}], {"n": 1})],
)
def test_the_last_put_of_a_batch_counts(store, values, left) -> None:
    store.batch([PutOp(("a",), "k", value) for value in values])
    found = store.get(("a",), "k")
    assert (found and found.value) == left


PEOPLE = {"ann": {"age": 31, "city": "Delhi", "tags": ["x", "y"], "job": {"at": "Acme", "since": 2020}},
          "bob": {"age": 40.5, "city": "Pune", "tags": ["x"]}, "eve": {"age": -1, "city": None}}  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, "ann bob eve"),
        ({"city": "Delhi"}, "ann"),
        ({"city": None}, "eve"),
        ({"absent": None}, "ann bob eve"),
        ({"city": {"$eq": "Pune"}}, "bob"),
        ({"city": {"$ne": "Pune"}}, "ann eve"),
        ({"age": {"$gt": 31}}, "bob"),
        ({"age": {"$gte": 31}}, "ann bob"),
        ({"age": {"$lt": "31"}}, "eve"),
        ({"age": {"$lte": 31, "$gt": 0}}, "ann"),
        ({"tags": ["x", "y"]}, "ann"),
        ({"tags": ["x"]}, "bob"),
        ({"job": {"at": "Acme"}}, "ann"),
        ({"job": {"since": {"$gt": 2019}, "at": "Acme"}}, "ann"),
        ({"job": {}}, "ann"),
        ({"age": 31, "city": "Pune"}, ""),
    ],
)
def test_filters(store, wanted, found) -> None:
    for name, value in PEOPLE.items():
        store.put(("people",), name, value)
    assert sorted(item.key for item in store.search(("people",), filter=wanted)) == found.split()


def test_pages_are_the_whole(store) -> None:
    for number in range(7):
        store.put(("a", str(number % 2)), f"k{number}", {"n": number})
    pages = [store.search(("a",), limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert len({item.key for page in pages for item in page}) == 7
    assert len(store.search(("a",))) == 7  # the limit is ten unless told



PLACES = [("docs", "u1", "v1"), ("docs", "u1", "v2"), ("docs", "u2"), ("mail", "u1", "v1"), ("mail",)]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, [("docs", "u1", "v1"), ("docs", "u1", "v2"), ("docs", "u2"), ("mail",), ("mail", "u1", "v1")]),
        ({"prefix": ("docs",)}, [("docs", "u1", "v1"), ("docs", "u1", "v2"), ("docs", "u2")]),
        ({"prefix": ("do",)}, []),
        ({"suffix": ("v1",)}, [("docs", "u1", "v1"), ("mail", "u1", "v1")]),
        ({"prefix": ("*", "u1")}, [("docs", "u1", "v1"), ("docs", "u1", "v2"), ("mail", "u1", "v1")]),
        ({"suffix": ("u1", "*")}, [("docs", "u1", "v1"), ("docs", "u1", "v2"), ("mail", "u1", "v1")]),
        ({"prefix": ("docs",), "suffix": ("v2",)}, [("docs", "u1", "v2")]),
        ({"max_depth": 1}, [("docs",), ("mail",)]),
        ({"max_depth": 2}, [("docs", "u1"), ("docs", "u2"), ("mail",), ("mail", "u1")]),
        ({"max_depth": 2, "limit": 2, "offset": 1}, [("docs", "u2"), ("mail",)]),
    ],
)
def test_namespaces_are_listed(store, asked, found) -> None:
    for place in PLACES:
        store.put(place, "k", {})
    assert store.list_namespaces(**asked) == found


@pytest.mark.parametrize("namespace", [(), ("a.b",), ("",), ("a", "\0"), ("langgraph",), (7,)])
def test_bad_namespaces_are_refused(store, namespace) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "k", {})
    assert store.search(()) == []


def test_a_time_to_live_is_refused_and_refreshing_one_does_nothing(store) -> None:
    with pytest.raises(NotImplementedError, match="TTL is not supported"):
        store.put(("a",), "k", {}, ttl=5)
    store.put(("a",), "k", {}, ttl=None)
    store.batch([PutOp(("a",), "k", {"n": 1}, ttl=5)])
    before = store.get(("a",), "k", refresh_ttl=False)
    assert store.get(("a",), "k", refresh_ttl=True) == before
    assert before.value == {"n": 1}


def test_index_hints_change_nothing(store) -> None:
    store.put(("a",), "k", {"text": "tea"}, index=["text"])
    store.put(("a",), "other", {"text": "tea"}, index=False)
    assert {item.key for item in store.search(("a",), query="tea")} == {"k", "other"}


def test_deleting_what_is_not_there(store) -> None:
    store.delete(("a",), "k")
    store.put(("a",), "k", {})
    store.delete(("a",), "k")
    store.delete(("a",), "k")
    assert (store.get(("a",), "k"), store.search(("a",))) == (None, [])


def test_every_method_has_its_awaited_twin(store) -> None:
    async def run():
        await store.aput(("a", "b"), "k", {"n": 1})
        found, items = await store.aget(("a", "b"), "k"), await store.asearch(("a",))
        namespaces = await store.alist_namespaces(max_depth=1)
        await store.adelete(("a", "b"), "k")
        return found, items, namespaces, await store.aget(("a", "b"), "k")

    item, items, namespaces, gone = asyncio.run(run())
    assert (item.value, [each.key for each in items], namespaces, gone) == ({"n": 1}, ["k"], [("a",)], None)
