"""What every store promises of words that are looked for."""

from __future__ import annotations

import pytest

from tensemem.model.scope import Scope
from tensemem.ports import Store
from tests.store.promises.rows import BOB, scope_id


def found(store: Store, id: int, *terms: str, limit: int = 9) -> list[str]:
    with store.read() as reader:
        return [reference for reference, _ in reader.search(id, terms, limit)]


@pytest.mark.parametrize(
    "words",
    [
        ("delhi", "goa"), ("caf\u00e9", "cafe"), ("\u043c\u043e\u0441\u043a\u0432\u0430", "\u043c\u0438\u0440"),
        ("\u0926\u093f\u0932\u094d\u0932\u0940", "\u0926\u0932\u0932"), ("\u6771\u4eac", "\u4eac\u90fd"),
        ("\u0645\u062f\u064a\u0646\u0629", "\u0628\u064a\u062a"), ("c", "c2"), ("and", "or"), ("near", "not"),
        ("1", "12"),
    ],
)  # fmt: skip
def test_words_of_every_script_are_found_whole(store: Store, words: tuple[str, str]) -> None:
    id = scope_id(store)
    with store.write() as tx:
        tx.index(id, [("e1", f"x {words[0]}"), ("e2", f"{words[1]} y")], 2)
    assert found(store, id, words[0]) == ["e1"]
    assert found(store, id, words[1]) == ["e2"]
    assert found(store, id, words[0][:-1] + "q") == []
    assert sorted(found(store, id, *words)) == ["e1", "e2"]


def test_a_text_with_more_of_the_terms_comes_first_and_equals_by_reference(store: Store) -> None:
    id = scope_id(store)
    with store.write() as tx:
        tx.index(id, [("e3", "tea milk"), ("e2", "tea sugar"), ("e1", "salt pepper"), ("e4", "tea lemon")], 4)
    assert found(store, id, "tea", "lemon", "tea") == ["e4", "e2", "e3"]
    assert found(store, id, "tea", "lemon", limit=1) == ["e4"]
    with store.read() as reader:
        scores = [score for _, score in reader.search(id, ["tea", "lemon"], 9)]
        assert scores == sorted(scores, reverse=True)
        assert scores[-1] > 0


def test_a_search_stays_in_its_scope(store: Store) -> None:
    ids = [scope_id(store, Scope("default", f"user{number}")) for number in range(1, 13)]
    for id in ids:
        with store.write() as tx:
            tx.index(id, [(f"e{id}", "secret"), (f"x{id}", f"{id}secret")], 1)
    for id in ids:
        assert found(store, id, "secret") == [f"e{id}"]
        assert found(store, id, f"{id}secret") == [f"x{id}"]


def test_what_others_write_does_not_change_a_score(store: Store) -> None:
    alice, bob = scope_id(store), scope_id(store, BOB)
    with store.write() as tx:
        tx.index(alice, [("e1", "tea with milk"), ("e2", "tea")], 2)
        before = tx.search(alice, ["tea", "milk"], 9)
    with store.write() as tx:
        tx.index(bob, [(f"e{number}", "milk " * number) for number in range(50)], 50)
    with store.read() as reader:
        assert reader.search(alice, ["tea", "milk"], 9) == before


def test_a_text_indexed_again_is_found_by_its_new_words_only(store: Store) -> None:
    id = scope_id(store)
    with store.write() as tx:
        tx.index(id, [("e1", "old words old"), ("e2", "old")], 2)
        tx.index(id, [("e1", "new words")], 3)
    assert found(store, id, "old") == ["e2"]
    assert found(store, id, "new", "words") == ["e1"]
    with store.read() as reader:
        assert reader.indexed_rev(id) == 3


def test_an_index_that_was_cleared_is_empty_and_can_be_filled_again(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    with store.write() as tx:
        tx.index(bob, [("e1", "tea")], 5)
    with store.write() as tx:
        tx.index(id, [("e1", "tea")], 1)
        tx.clear_index(id)
        assert tx.indexed_rev(id) == 0
    assert found(store, id, "tea") == []
    assert found(store, bob, "tea") == ["e1"]
    with store.write() as tx:
        tx.index(id, [("e1", "tea tea")], 2)
    assert found(store, id, "tea") == ["e1"]
    with store.read() as reader:
        assert (reader.indexed_rev(id), reader.indexed_rev(bob), reader.indexed_rev(99)) == (2, 5, 0)


def test_a_search_for_nothing_finds_nothing(store: Store) -> None:
    id = scope_id(store)
    assert found(store, id, "tea") == []
    with store.write() as tx:
        tx.index(id, [("e1", "tea"), ("e2", "")], 1)
    assert found(store, id) == []
    assert found(store, id, "") == []
    assert found(store, 99, "tea") == []
