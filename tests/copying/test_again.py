"""Copying again: what is new comes along, and what is another memory is left alone."""

from __future__ import annotations

import pytest

from tensemem import Memory
from tensemem.errors import ConflictError
from tests.copying.filled import fill
from tests.copying.looking import kept


def test_copying_again_does_nothing(source: Memory, dest: Memory) -> None:
    fill(source)
    first = source.copy_to(dest)
    before = kept(dest)
    again = source.copy_to(dest)
    assert (first.entries > 0, again.entries, again.copied, again.unchanged) == (True, 0, 0, 3)
    assert kept(dest) == before


def test_copying_again_fetches_what_was_written_since(source: Memory, dest: Memory) -> None:
    fill(source)
    source.copy_to(dest)
    source.register_predicate("diet", aliases=["food"])
    source.set("ann", "food", "vegan")
    source.flush("bob")
    source.set("new", "lives_in", "Oslo")
    report = source.copy_to(dest)
    assert (report.copied, report.unchanged) == (3, 1)
    assert kept(dest) == kept(source)


def test_a_memory_that_went_on_there_is_left_alone(one: Memory, other: Memory) -> None:
    one.copy_to(other)
    other.set("ann", "lives_in", "Goa")
    other.register_predicate("diet")
    before = kept(other)
    report = one.copy_to(other)
    assert (report.copied, report.unchanged, report.ahead) == (0, 2, 1)
    assert kept(other) == before


def test_a_key_that_a_repeated_message_left_is_fetched(one: Memory, other: Memory) -> None:
    one.copy_to(other)
    one.add("ann", "I live in Delhi", said_at="2026-01-05", idempotency_key="another name for it")
    assert one.copy_to(other).copied == 1
    assert kept(other) == kept(one)
    assert one.copy_to(other).copied == 0


def test_another_memory_of_the_same_user_is_refused_and_left_as_it_is(one: Memory, other: Memory) -> None:
    one.copy_to(other)
    one.set("ann", "lives_in", "Goa")
    other.set("ann", "lives_in", "Rome")
    before = kept(other)
    with pytest.raises(ConflictError, match=r"the memory of 'ann' in namespace 'default' is another one .* differ"):
        one.copy_to(other)
    assert kept(other) == before


def test_how_long_a_namespace_keeps_what_is_copied_and_holds_nothing_up(one: Memory, other: Memory) -> None:
    one.retain(texts="90d")
    one.copy_to(other)
    assert other.retention() == one.retention()
    other.retain(texts="10d")
    before = other.retention()
    assert one.copy_to(other).unchanged == 3
    assert other.retention() == before != one.retention()


def test_another_registry_is_refused(one: Memory, other: Memory) -> None:
    other.register_predicate("diet")
    with pytest.raises(ConflictError, match="the registry in namespace 'default' is another one"):
        one.copy_to(other)
    assert other.scopes() == ()
