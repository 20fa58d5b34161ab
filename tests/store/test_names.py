"""Every text is kept as it is in every store: of any script, however long, with NUL in it; and sorts alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tensemem import Memory, Operation
from tensemem.errors import InvalidScopeError, InvalidValueError
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.moment import FOREVER
from tensemem.model.scope import Scope
from tensemem.ports import ClaimRow, FactRow, PendingRow, SlotRow, Store, UsageRow, WorkerRow
from tests.settings import every_store_settings
from tests.store.every_kind import KINDS
from tests.store.shelves import Shelf, opening_in

ALICE = Scope("default", "alice")

awkward = st.sampled_from(
    ["", "\0", "\1", "\0\1", "a\0b", "\1\1", "\1\2", "e\u0301", "\u00e9", "\U0010ffff", "\ue000", "%", "'"]
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | awkward
long_texts = st.builds(
    lambda one, times: one * times, st.sampled_from(["x", "\U0001f600", "\0"]), st.integers(500, 3000)
)
any_texts = texts | long_texts


@pytest.fixture
def store(shelf: Shelf) -> Iterator[Store]:
    with closing(shelf.store()) as opened:
        yield opened


@every_store_settings
@given(names=st.lists(texts.filter(bool), max_size=8, unique=True), prefix=texts)
def test_users_are_listed_in_the_order_of_code_points(shelf: Shelf, names: list[str], prefix: str) -> None:
    shelf.clear()
    with closing(shelf.store()) as store:
        for name in names:
            with store.write() as tx:
                tx.open_scope(Scope("default", name))
        with store.read() as reader:
            assert [head.scope.user_id for head in reader.scopes("default", "", None, 99)] == sorted(names)
            begun = [name for name in sorted(names) if name.startswith(prefix)]
            assert [head.scope.user_id for head in reader.scopes("default", prefix, None, 99)] == begun
            for name in names:
                behind = [other for other in sorted(names) if other > name]
                listed = reader.scopes("default", "", (name, ""), 99)
                assert [head.scope.user_id for head in listed] == behind


@every_store_settings
@given(keys=st.lists(any_texts, min_size=2, max_size=6, unique=True))
@example(keys=["\1", "\0", "", "\1\1", "\U0001f600" * 700, "\U0001f600" * 701])
def test_keys_of_any_length_lead_to_what_is_theirs(shelf: Shelf, keys: list[str]) -> None:
    shelf.clear()
    with closing(shelf.store()) as store, store.write() as tx:
        id = tx.open_scope(ALICE).id
        slots = [tx.add_slot(id, SlotRow(0, key, key, key, key)) for key in keys]
        facts = [FactRow(slots[0].id, 0, key, number, FOREVER, "{}") for number, key in enumerate(keys)]
        claims = [
            ClaimRow(slot.id, number, 0, 0, "value", "admitted", key, "[]")
            for number, (slot, key) in enumerate(zip(slots, keys, strict=True))
        ]
        tx.put_facts(id, facts)
        tx.put_claims(id, claims)
        for number, key in enumerate(keys):
            tx.remember_key(id, key, number, f"digest {number}")
        assert tx.slots(id) == slots
        assert tx.facts(id, slots[0].id) == sorted(facts, key=lambda fact: fact.key)
        for number, (slot, key) in enumerate(zip(slots, keys, strict=True)):
            assert tx.slot(id, key, key) == slot
            assert tx.find_key(id, key) == (number, f"digest {number}")
            assert tx.claims(id, slot.id) == [claims[number]]
            if "\0" not in key:  # no value has NUL in it, and SQLite's lists end there
                assert tx.slots_with_values(id, [key]) == ([slot.id] if key else [])


@every_store_settings
@given(text=any_texts)
@example(text="\0\1\2 and \1\1\0")
def test_text_comes_back_as_it_was_from_wherever_it_is_kept(shelf: Shelf, text: str) -> None:
    shelf.clear()
    with closing(shelf.store()) as store:
        body = {"content": text, text: [text]}
        with store.write() as tx:
            id = tx.open_scope(ALICE).id
            tx.set_meta("a", text)
            tx.append(id, Entry(EntryKind.MESSAGE, 1, 1, 1, 1, body=body))
            tx.add_pending(id, 1)
            tx.save_pending(PendingRow(id, 1, "failed", 1, 1, text))
            tx.add_usage(id, UsageRow(text, text, 1, 2, 3, 4))
        with store.write() as tx:
            assert tx.lease_scope(id, text, 1, 5, [])
        with store.write() as tx:
            tx.beat(WorkerRow(text, text, 1, text, 1))
        with store.read() as reader:
            assert reader.meta("a") == text
            assert [entry.body for entry in reader.entries(id)] == [body]
            assert reader.failed(id) == [PendingRow(id, 1, "failed", 1, 1, text)]
            assert reader.usage("default") == [UsageRow(text, text, 1, 2, 3, 4)]
            assert reader.workers() == [WorkerRow(text, text, 1, text, 1)]
            assert reader.owners() == [text]


# Letters of four bytes are the longest there are, for every kind; the others say how letters are counted.
@pytest.mark.parametrize(
    ("shelf", "letter"),
    [
        pytest.param(kind, letter, id=f"{kind}-{letter!a}")
        for kind in KINDS
        for letter in ("\U0001f600", "x", "\u0915")
        if letter == "\U0001f600" or kind.name in ("plain", "file", "postgres18")
    ],
    indirect=["shelf"],
)
def test_long_names_and_values_are_remembered_and_found(shelf: Shelf, letter: str) -> None:
    user, agent, value = letter * 512, letter * 512, letter * 250_000  # 1 MB, with four bytes a letter
    with opening_in(shelf), Memory("long", worker=False) as mem:
        mem.register_predicate("note", "many")
        mem.register_predicate("motto")
        receipt = mem.add_value(user, "note", value, agent_id=agent, idempotency_key=letter * 200)
        assert mem.add_value(user, "note", value, agent_id=agent, idempotency_key=letter * 200).seq == receipt.seq
        mem.set(user, "motto", value, agent_id=agent)
        mem.add(user, value, agent_id=agent, extract=False)
        state = mem.state(user, agent_id=agent)
        assert state.values["motto"] == value
        assert mem.get(user, "note", agent_id=agent) == (value,)
        assert [one.content for one in mem.messages(user, agent_id=agent)] == [value]
        assert [one.user_id for one in mem.scopes()] == [user]
        fact = state.fact("motto")
        assert fact is not None
        assert mem.explain(fact.id).fact == fact
        assert mem.verify().identical


LONE = "\ud800"
REFUSED: dict[str, Callable[[Memory], Any]] = {
    "a user": lambda mem: mem.set(f"ann{LONE}", "note", "x"),
    "an agent": lambda mem: mem.set("ann", "note", "x", agent_id=LONE),
    "a value": lambda mem: mem.set("ann", "note", f"x{LONE}"),
    "a subject": lambda mem: mem.set("ann", "note", "x", subject=LONE),
    "a key": lambda mem: mem.set("ann", "note", "x", idempotency_key=LONE),
    "a message": lambda mem: mem.add("ann", f"hello {LONE}"),
    "one of two operations": lambda mem: mem.write(
        "ann", [Operation("set", "note", "x"), Operation("set", "note", LONE)]
    ),
    "a predicate": lambda mem: mem.register_predicate(f"p{LONE}"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_half_a_character_is_refused_everywhere(shelf: Shelf, what: str) -> None:
    with opening_in(shelf), Memory("memory", worker=False) as mem:
        mem.register_predicate("note")
        mem.set("ann", "note", "before")
        revs = [scope.rev for scope in mem.scopes()]
        with pytest.raises((InvalidValueError, InvalidScopeError)):
            REFUSED[what](mem)
        assert [scope.rev for scope in mem.scopes()] == revs
        assert mem.get("ann", "note") == "before"
