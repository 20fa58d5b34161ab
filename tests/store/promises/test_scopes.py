"""What every store promises of scopes: exact names, in order, and none touches another."""

from __future__ import annotations

import pytest

from tensemem.model.scope import Scope, registry_scope
from tensemem.ports import Head, Store
from tests.store.dump import everything
from tests.store.promises.rows import ALICE, BOB, fill, scope_id


def test_a_scope_is_opened_once(store: Store) -> None:
    first, again = scope_id(store), scope_id(store)
    assert first == again
    assert scope_id(store, BOB) != first


@pytest.mark.parametrize(
    "names",
    [
        ("default", "Alice", ""), ("default", " alice", ""), ("default", "alice ", ""), ("Default", "alice", ""),
        ("default", "alice", "a"), ("default", "al%", ""), ("default", "caf\u00e9", ""), ("default", "cafe\u0301", ""),
        ("default", "a\0b", ""), ("default", "\U0001f600", ""), ("default", "a'; DROP TABLE scopes; --", ""),
    ],
)  # fmt: skip
def test_a_scope_is_its_exact_names(store: Store, names: tuple[str, str, str]) -> None:
    scope = Scope(*names)
    scope_id(store)
    with store.read() as reader:
        assert reader.head(scope) is None
    fill(store, scope)
    with store.read() as reader:
        head = reader.head(scope)
        alice = reader.head(ALICE)
        assert head is not None
        assert alice is not None
        assert head.scope == scope
        assert head.id != alice.id
        assert alice.rev == 0
        assert reader.scope_of_tag(scope.tag) == scope
        assert scope in [h.scope for h in reader.scopes(scope.namespace, scope.user_id, None, 9)]


def test_an_unknown_scope_is_none(store: Store) -> None:
    with store.read() as reader:
        assert reader.head(ALICE) is None
        assert reader.head_and_registry(ALICE) == (None, 0)
        assert reader.scope_of_tag("x") is None


def test_a_head_keeps_its_counters(store: Store) -> None:
    with store.write() as tx:
        id = tx.open_scope(ALICE).id
        head = Head(id, ALICE, 1, 2, -(2**62), 2**62, 5, 6, 7)
        tx.save_head(head)
    with store.read() as reader:
        assert reader.head(ALICE) == head
        assert reader.head_and_registry(ALICE) == (head, 0)


def test_the_registry_s_revision_comes_with_the_head(store: Store) -> None:
    scope_id(store)
    with store.write() as tx:
        registry = tx.open_scope(registry_scope("default"))
        registry.rev = 7
        tx.save_head(registry)
    with store.read() as reader:
        assert reader.registry_rev("default") == 7
        assert reader.registry_rev("other") == 0
        head, rev = reader.head_and_registry(ALICE)
        assert head is not None
        assert rev == 7
        assert reader.head_and_registry(BOB) == (None, 7)
        assert reader.head_and_registry(Scope("other", "alice")) == (None, 0)


def listed(store: Store, prefix: str = "", after: tuple[str, str] | None = None, limit: int = 99) -> list[str]:
    with store.read() as reader:
        return [f"{h.scope.user_id}/{h.scope.agent_id}" for h in reader.scopes("default", prefix, after, limit)]


def test_scopes_are_listed_in_order_without_the_registry(store: Store) -> None:
    for name in ("b", "a", "\U0001f600", "\uffff", "B", "aa"):
        scope_id(store, Scope("default", name))
    scope_id(store, Scope("default", "a", "z"))
    scope_id(store, Scope("default", "a", "b"))
    scope_id(store, Scope("other", "c"))
    scope_id(store, registry_scope("default"))
    assert listed(store) == ["B/", "a/", "a/b", "a/z", "aa/", "b/", "\uffff/", "\U0001f600/"]


def test_a_cursor_pages_through_scopes(store: Store) -> None:
    for name in "abcde":
        scope_id(store, Scope("default", name))
        scope_id(store, Scope("default", name, "x"))
    seen: list[str] = []
    after: tuple[str, str] | None = None
    while page := listed(store, after=after, limit=3):
        seen += page
        user_id, agent_id = page[-1].split("/")
        after = (user_id, agent_id)
    assert seen == [f"{name}/{agent}" for name in "abcde" for agent in ("", "x")]


@pytest.mark.parametrize(
    ("prefix", "found"),
    [
        ("a", ["a/", "a%b/", "a_b/", "ab/"]), ("a%", ["a%b/"]), ("a_", ["a_b/"]), ("%", []), ("_", []), ("A", []),
        ("*", []), ("a[", []), ("\ud7ff", ["\ud7ff\ud7ff/"]), ("\U0010ffff", ["\U0010ffff/", "\U0010ffffz/"]),
        ("z\U0010ffff", ["z\U0010ffff/"]),
    ],
)  # fmt: skip
def test_a_prefix_is_no_pattern(store: Store, prefix: str, found: list[str]) -> None:
    names = ["ab", "a%b", "a_b", "a", "b", "\ud7ff\ud7ff", "\ue000", "\U0010ffff", "\U0010ffffz", "z\U0010ffff", "zz"]
    for name in names:
        scope_id(store, Scope("default", name))
    assert listed(store, prefix) == found


def test_namespaces_are_listed_once_each_in_order(store: Store) -> None:
    with store.read() as reader:
        assert reader.namespaces() == []
    for scope in (Scope("b", "x"), Scope("a", "x"), Scope("a", "y"), registry_scope("c"), Scope("é", "x")):
        scope_id(store, scope)
    with store.read() as reader:
        assert reader.namespaces() == ["a", "b", "c", "é"]


def test_scopes_do_not_touch_each_other(store: Store) -> None:
    alice, bob = fill(store, ALICE), fill(store, BOB)
    with store.read() as reader:
        before = everything(store)[repr(BOB)]
        assert reader.find_key(bob, "k") == (1, "digest")
    with store.write() as tx:
        tx.clear_projection(alice)
        tx.clear_index(alice)
        tx.drop_pending(alice, 1)
        tx.drop_claims(alice, 1)
    assert everything(store)[repr(BOB)] == before
