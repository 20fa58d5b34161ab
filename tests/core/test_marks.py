"""Marks stand for one thing each, for whoever has the key."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tensemem.core.forgotten import SlotNames, slot_marks, subject_marks, value_marks
from tensemem.core.marks import fingerprint, mark, scope_mark
from tensemem.model.scope import Scope

KEY, OTHER = bytes(32), bytes(31) + b"\1"
ALICE = Scope("default", "alice", "")


def test_a_mark_is_half_a_digest_and_stays_the_same() -> None:
    assert scope_mark(KEY, ALICE) == mark(KEY, "scope", "default", "alice", "") == "d790613e32d0d852f83fed296506a79c"


def test_kinds_people_and_keys_never_share_a_mark() -> None:
    diet = SlotNames(frozenset({"user"}), frozenset({"diet"}))
    found = [
        one
        for key in (KEY, OTHER)
        for one in (
            scope_mark(key, ALICE), scope_mark(key, Scope("default", "bob", "")), fingerprint(key),
            *subject_marks(key, diet.subjects), *slot_marks(key, diet), *value_marks(key, diet, ["vegan"]),
        )
    ]  # fmt: skip
    assert len(found) == 12
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
