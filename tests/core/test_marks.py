"""Marks stand for one thing each, for whoever has the key."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tensemem.core.marks import (
    fingerprint,
    mark,
    namespace_mark,
    scope_mark,
    slot_mark,
    subject_mark,
    value_mark,
)
from tensemem.model.scope import Scope

KEY, OTHER = bytes(32), bytes(31) + b"\1"
ALICE = Scope("default", "alice", "")


def test_a_mark_is_half_a_digest_and_stays_the_same() -> None:
    assert scope_mark(KEY, ALICE) == mark(KEY, "scope", "default", "alice", "") == "d790613e32d0d852f83fed296506a79c"


def test_kinds_people_and_keys_never_share_a_mark() -> None:
    bob = Scope("default", "bob", "")
    found = [
        make
        for key in (KEY, OTHER)
        for scope in (ALICE, bob)
        for make in (
            scope_mark(key, scope), subject_mark(key, scope, "user"), slot_mark(key, scope, "user", "diet"),
            value_mark(key, scope, "user", "diet", "vegan"),
        )
    ]  # fmt: skip
    found += [fingerprint(KEY), fingerprint(OTHER), namespace_mark(KEY, "default"), namespace_mark(OTHER, "default")]
    assert len(set(found)) == len(found)


def test_parts_are_kept_apart() -> None:
    """No way of cutting the same characters into parts gives the same mark."""
    ways = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("", "abc"), ('a","b', "c")]
    assert len({mark(KEY, "slot", *parts) for parts in ways}) == len(ways)


@given(st.lists(st.tuples(st.text(), st.text(), st.text()), unique=True, min_size=2, max_size=6))
def test_different_names_have_different_marks(names: list[tuple[str, str, str]]) -> None:
    for one, other in combinations(names, 2):
        assert scope_mark(KEY, Scope(*one)) != scope_mark(KEY, Scope(*other))


def test_text_that_utf8_does_not_know_has_a_mark_too() -> None:
    assert mark(KEY, "value", "\ud800") != mark(KEY, "value", "\ud801")
