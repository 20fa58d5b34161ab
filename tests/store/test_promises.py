"""What every store promises, one test for each promise and every store."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from tensemem.errors import ClosedError, StoreError
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.moment import FOREVER
from tensemem.model.scope import Scope, registry_scope
from tensemem.ports import ClaimRow, FactRow, Head, PendingRow, SlotRow, Store, UsageRow, WorkerRow
from tests.store.dump import everything
from tests.store.every_kind import LOCAL_KINDS
from tests.store.shelves import Shelf

ALICE, BOB = Scope("default", "alice"), Scope("default", "bob")


@pytest.fixture
def store(shelf: Shelf) -> Iterator[Store]:
    opened = shelf.store()
    yield opened
    opened.close()


def scope_id(store: Store, scope: Scope = ALICE) -> int:
    with store.write() as tx:
        return tx.open_scope(scope).id


def message(rev: int, seq: int = 0, at: int = 0, **body: Any) -> Entry:
    return Entry(EntryKind.MESSAGE, rev, seq or rev, at or rev, at or rev, body=body)


def fact(slot: int, key: str, start: int, end: int = FOREVER, kind: int = 0, body: str = "{}") -> FactRow:
    return FactRow(slot, kind, key, start, end, body)


def claim(slot: int, seq: int, number: int = 0, key: str = "", kind: str = "value", extraction: int = 0) -> ClaimRow:
    return ClaimRow(slot, seq, extraction, number, kind, "admitted", key, f"[{seq}]")


def new_slot(store: Store, scope: int, predicate: str = "lives_in", subject: str = "user") -> int:
    with store.write() as tx:
        return tx.add_slot(scope, SlotRow(0, subject, predicate, subject.title(), predicate.title())).id


def fill(store: Store, scope: Scope) -> int:
    """Put one row of everything into a scope."""
    with store.write() as tx:
        head = tx.open_scope(scope)
        head.rev, head.seq, head.pending = 1, 1, 1
        tx.append(head.id, message(1, content="Delhi"))
        tx.remember_key(head.id, "k", 1, "digest")
        slot = tx.add_slot(head.id, SlotRow(0, "user", "lives_in", "user", "lives_in"))
        tx.put_claims(head.id, [claim(slot.id, 1, key="delhi")])
        tx.put_facts(head.id, [fact(slot.id, "delhi", 1)])
        tx.add_pending(head.id, 1)
        tx.index(head.id, [("e1", "delhi")], 1)
        tx.save_head(head)
    return head.id


class Trouble(Exception):
    pass


# Transactions


def test_what_was_committed_is_in_the_next_snapshot(store: Store) -> None:
    fill(store, ALICE)
    with store.read() as reader:
        head = reader.head(ALICE)
        assert head is not None
        assert (head.rev, head.seq, head.pending) == (1, 1, 1)
        assert [entry.body for entry in reader.entries(head.id)] == [{"content": "Delhi"}]


def test_a_transaction_sees_what_it_wrote(store: Store) -> None:
    with store.write() as tx:
        head = tx.open_scope(ALICE)
        tx.append(head.id, message(1))
        assert [entry.rev for entry in tx.entries(head.id)] == [1]


@pytest.mark.parametrize("trouble", [Trouble, KeyboardInterrupt, SystemExit])
def test_an_error_undoes_all_of_a_transaction(store: Store, trouble: type[BaseException]) -> None:
    fill(store, ALICE)
    with store.write() as tx:
        tx.set_meta("name", "old")
        tx.beat(WorkerRow("w", "host", 1, "start", 1))
    before = everything(store)

    def write_and_fail() -> None:
        with store.write() as tx:
            head = tx.open_scope(ALICE)
            tx.set_meta("name", "new")
            tx.append_many(head.id, [message(2), message(3)])
            tx.remember_key(head.id, "k2", 2, "")
            slot = tx.add_slot(head.id, SlotRow(0, "user", "name", "user", "name"))
            tx.put_claims(head.id, [claim(slot.id, 2)])
            tx.put_facts(head.id, [fact(slot.id, "x", 2)])
            tx.clear_slots(head.id, [1])
            tx.add_pending(head.id, 2)
            tx.save_pending(PendingRow(head.id, 1, "failed", 3, 5, "no"))
            assert tx.lease("w", 0, 10, [], []) is not None
            tx.drop_worker("w")
            tx.index(head.id, [("e1", "paris"), ("e2", "rome")], 2)
            head.rev = 3
            tx.save_head(head)
            raise trouble

    def open_and_fail() -> None:
        with store.write() as tx:
            tx.append(tx.open_scope(BOB).id, message(1))
            raise trouble

    for failing in (write_and_fail, open_and_fail):
        with pytest.raises(trouble):
            failing()
        assert everything(store) == before


def test_after_an_error_the_store_can_be_written(store: Store) -> None:
    def write_and_fail() -> None:
        with store.write() as tx:
            tx.open_scope(ALICE)
            raise Trouble

    with pytest.raises(Trouble):
        write_and_fail()
    scope_id(store, BOB)
    with store.read() as reader:
        assert reader.head(ALICE) is None


def test_a_refused_row_undoes_its_transaction(store: Store) -> None:
    id = fill(store, ALICE)
    before = everything(store)

    def write_twice() -> None:
        with store.write() as tx:
            tx.set_meta("name", "value")
            tx.append(id, message(1, content="again"))

    with pytest.raises(StoreError):
        write_twice()
    assert everything(store) == before


def test_a_snapshot_does_not_move(store: Store) -> None:
    id = fill(store, ALICE)
    writer = threading.Thread(target=fill_more, args=(store, id))
    with store.read() as reader:
        assert len(list(reader.entries(id))) == 1
        writer.start()
        if store.location != ":memory:":  # there a writer waits for the readers
            writer.join()
        assert len(list(reader.entries(id))) == 1
        assert reader.meta("more") is None
    writer.join()
    with store.read() as reader:
        assert len(list(reader.entries(id))) == 2
        assert reader.meta("more") == "yes"


def fill_more(store: Store, id: int) -> None:
    with store.write() as tx:
        tx.append(id, message(2))
        tx.set_meta("more", "yes")


def test_what_a_snapshot_gave_is_the_caller_s_own(store: Store) -> None:
    id = fill(store, ALICE)
    with store.read() as reader:
        head = reader.head(ALICE)
        assert head is not None
        head.rev = 99
        reader.slots(id)[0].horizon = 99
        reader.pending(id)[0].attempts = 99
    with store.read() as reader:
        assert reader.head(ALICE) != head
        assert reader.slots(id)[0].horizon < 99
        assert reader.pending(id)[0].attempts == 0


def test_snapshots_of_one_thread_may_overlap(store: Store) -> None:
    id = fill(store, ALICE)
    with store.read() as outer:
        with store.read() as inner:
            assert inner.head(ALICE) == outer.head(ALICE)
        assert len(outer.pending(id)) == 1


def test_a_second_transaction_in_one_thread_is_an_error_and_no_deadlock(store: Store) -> None:
    with store.write() as tx:
        tx.set_meta("a", "1")
        with pytest.raises(StoreError, match="open already"), store.write():
            pass
    with store.read() as reader:
        assert reader.meta("a") == "1"


def test_no_update_of_any_thread_is_lost(store: Store) -> None:
    scope_id(store)

    def count() -> None:
        for _ in range(25):
            with store.write() as tx:
                head = tx.open_scope(ALICE)
                head.rev += 1
                tx.save_head(head)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as reader:
        head = reader.head(ALICE)
        assert head is not None
        assert head.rev == 100


def test_closing_twice_is_fine_and_use_after_it_is_not(store: Store) -> None:
    store.close()
    store.close()
    with pytest.raises(ClosedError), store.read():
        pass
    with pytest.raises(ClosedError), store.write():
        pass
    with pytest.raises(ClosedError):
        store.wait_for_commit(0)


# Waiting


def test_waiting_ends_with_the_time_given(store: Store) -> None:
    store.wait_for_commit(0)
    store.wait_for_commit(0.01)


def test_a_commit_ends_the_wait_of_another_thread(store: Store) -> None:
    store.wait_for_commit(0)
    threading.Thread(target=scope_id, args=(store,)).start()
    is_there = False
    while not is_there:  # a store that can't be sure to be told ends a wait now and then, to look by itself
        store.wait_for_commit(60)
        with store.read() as reader:
            is_there = reader.head(ALICE) is not None


def test_a_commit_between_looking_and_waiting_ends_the_wait(store: Store) -> None:
    store.wait_for_commit(0)
    scope_id(store)
    store.wait_for_commit(3600)


@pytest.mark.parametrize("shelf", LOCAL_KINDS, indirect=True, ids=str)
def test_a_transaction_that_wrote_nothing_wakes_nobody(store: Store) -> None:
    woken = threading.Event()
    store.wait_for_commit(0)

    def wait() -> None:
        store.wait_for_commit(0)
        store.wait_for_commit(3600)
        woken.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    with store.write() as tx:
        assert tx.lease("w", 0, 10, [], []) is None
    assert not woken.wait(0.05)
    scope_id(store)
    waiting.join(60)
    assert woken.is_set()


# Scopes


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


# The log


def test_entries_come_back_as_they_were(store: Store) -> None:
    id = scope_id(store)
    bodies: list[dict[str, Any]] = [
        {}, {"content": "caf\u00e9 \U0001f600 \u0915\u093f \0 \u202e"}, {"a": {"b": [1, 2.5, None, True, "x"]}},
        {"n": 2**70, "deep": [[[[]]]]},
    ]  # fmt: skip
    entries = [
        Entry(kind, number, 2, -5, 2**60, number, bodies[number % len(bodies)])
        for number, kind in enumerate(EntryKind, start=1)
    ]
    with store.write() as tx:
        tx.append_many(id, iter(entries))
    with store.read() as reader:
        assert list(reader.entries(id)) == entries


def test_entries_come_in_order_of_rev(store: Store) -> None:
    id = scope_id(store)
    with store.write() as tx:
        tx.append_many(id, [message(rev) for rev in range(1, 301)])
    with store.read() as reader:
        assert [entry.rev for entry in reader.entries(id)] == list(range(1, 301))
        assert [entry.rev for entry in reader.entries(id, 297)] == [298, 299, 300]
        assert [entry.rev for entry in reader.entries(id, 1, 4)] == [2, 3, 4]
        assert list(reader.entries(id, 300)) == []
        assert list(reader.entries(id, 0, 0)) == []
        assert list(reader.entries(id + 1)) == []


def test_a_seq_leads_to_its_episode_and_its_settlements(store: Store) -> None:
    id = scope_id(store)
    log = [
        message(1, 1), message(2, 2), Entry(EntryKind.EXTRACTION, 3, 1, 3, 1, 1), Entry(EntryKind.WRITE, 4, 3, 4, 4),
        Entry(EntryKind.EXTRACTION, 5, 1, 5, 1, 2), Entry(EntryKind.SKIP, 6, 2, 6, 2),
        Entry(EntryKind.CORRECTION, 7, 4, 7, 7), Entry(EntryKind.REINSTATEMENT, 8, 5, 8, 8),
        Entry(EntryKind.REVIEW, 9, 6, 9, 9), Entry(EntryKind.PREDICATE, 10, 0, 10, 10),
    ]  # fmt: skip
    with store.write() as tx:
        tx.append_many(id, log)
    with store.read() as reader:
        episodes = [reader.episode(id, seq) for seq in range(8)]
        assert [None if entry is None else entry.rev for entry in episodes] == [None, 1, 2, 4, 7, 8, 9, None]
        assert [[entry.rev for entry in reader.settlements(id, seq)] for seq in (1, 2, 3)] == [[3, 5], [6], []]


def test_the_messages_before_a_seq_are_the_nearest_ones_oldest_first(store: Store) -> None:
    id = scope_id(store)
    with store.write() as tx:
        tx.append_many(id, [message(1), message(2), Entry(EntryKind.WRITE, 3, 3, 3, 3), message(4), message(5)])
    with store.read() as reader:
        assert [entry.seq for entry in reader.messages_before(id, 5, 2)] == [2, 4]
        assert [entry.seq for entry in reader.messages_before(id, 99, 9)] == [1, 2, 4, 5]
        assert reader.messages_before(id, 1, 9) == []
        assert reader.messages_before(id, 5, 0) == []


def test_a_moment_leads_to_the_last_rev_recorded_by_then(store: Store) -> None:
    id = scope_id(store)
    times = {2: 10, 3: 10, 5: 20, 6: 20, 7: 20, 20: 30, 21: 40}  # erasing may leave gaps
    with store.write() as tx:
        tx.append_many(id, [message(rev, at=at) for rev, at in times.items()])
    with store.read() as reader:
        found = [reader.rev_at(id, moment) for moment in (-1, 9, 10, 11, 20, 29, 30, 39, 40, 2**60)]
        assert found == [0, 0, 3, 3, 7, 7, 20, 20, 21, 21]
        assert reader.rev_at(id + 1, 10) == 0


def test_a_key_leads_to_its_episode(store: Store) -> None:
    alice, bob = scope_id(store), scope_id(store, BOB)
    with store.write() as tx:
        tx.remember_key(alice, "k", 4, "d")
        tx.remember_key(alice, "K", 5, "e")
    with store.read() as reader:
        assert reader.find_key(alice, "k") == (4, "d")
        assert reader.find_key(alice, "K") == (5, "e")
        assert reader.find_key(bob, "k") is None


# The projection


def test_a_cursor_pages_through_keys(store: Store) -> None:
    alice, bob = scope_id(store), scope_id(store, BOB)
    with store.write() as tx:
        for number, key in enumerate(["b", "a", "é", "c"], start=1):
            tx.remember_key(alice, key, number, f"d{number}")
    with store.write() as tx:
        tx.remember_key(bob, "other", 9, "")
    with store.read() as reader:
        first = reader.keys(alice, "", 3)
        assert len(first) == 3
        rest = reader.keys(alice, first[-1][0], 3)
        assert sorted(first + rest) == [("a", 2, "d2"), ("b", 1, "d1"), ("c", 4, "d4"), ("é", 3, "d3")]
        assert reader.keys(alice, rest[-1][0], 3) == []


def test_a_cursor_passes_no_key_by_however_long_they_are(store: Store) -> None:
    id = scope_id(store)
    given = sorted(beginning + "k" * length for beginning in "abz" for length in (0, 40, 63, 64, 65, 300))
    with store.write() as tx:
        for number, key in enumerate(given, start=1):
            tx.remember_key(id, key, number, "")
    found: list[str] = []
    with store.read() as reader:
        while page := reader.keys(id, found[-1] if found else "", 4):
            found += [key for key, *_ in page]
    assert sorted(found) == given


def test_usage_is_told_of_one_scope_and_of_all(store: Store) -> None:
    alice, bob = scope_id(store), scope_id(store, BOB)
    with store.write() as tx:
        tx.add_usage(alice, UsageRow("b", "m", 1, 2, 3, 4))
        tx.add_usage(alice, UsageRow("a", "m", 1, 0, 0, 0))
        tx.add_usage(alice, UsageRow("b", "m", 1, 2, 3, 4))
    with store.write() as tx:
        tx.add_usage(bob, UsageRow("b", "m", 5, 5, 5, 5))
    with store.read() as reader:
        assert reader.usage_of(alice) == [UsageRow("a", "m", 1, 0, 0, 0), UsageRow("b", "m", 2, 4, 6, 8)]
        assert reader.usage_of(bob) == [UsageRow("b", "m", 5, 5, 5, 5)]
        assert reader.usage("default") == [UsageRow("a", "m", 1, 0, 0, 0), UsageRow("b", "m", 7, 9, 11, 13)]


def test_slots_are_found_by_keys_and_by_number(store: Store) -> None:
    id = scope_id(store)
    first, second = new_slot(store, id), new_slot(store, id, "name")
    assert first != second
    expected = SlotRow(second, "user", "name", "User", "Name")
    with store.read() as reader:
        assert reader.slot(id, "user", "name") == expected
        assert reader.slot_by_id(id, second) == expected
        assert reader.slot(id, "User", "name") is None
        assert reader.slot_by_id(id, 99) is None
        assert [slot.id for slot in reader.slots(id)] == [first, second]


def test_slots_of_a_subject_and_those_that_are_not_whole_are_found_alone(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    first, other, second = new_slot(store, id), new_slot(store, id, subject="wife"), new_slot(store, id, "name")
    new_slot(store, bob)
    with store.write() as tx:
        whole = tx.slot_by_id(id, second)
        assert whole is not None
        whole.whole = True
        tx.save_slot(id, whole)
    with store.read() as reader:
        assert [slot.id for slot in reader.slots_of(id, "user")] == [first, second]
        assert reader.slots_of(id, "User") == reader.slots_of(99, "user") == []
        assert [slot.id for slot in reader.loose_slots(id)] == [first, other]
        assert reader.loose_slots(99) == []


def test_what_takes_away_is_found_among_claims(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    with store.write() as tx:
        tx.put_claims(id, [claim(slot, seq, key="x", kind=kind) for seq, kind in enumerate(KINDS_OF_CLAIMS, 1)])
        tx.put_claims(id, [claim(other, 9, kind="retract")])
    with store.read() as reader:
        assert [one.kind for one in reader.statements(id, slot)] == ["retract", "deny", "replace"]
        places = [(slot, 2), (slot, 3), (slot, 5), (other, 9)]
        assert [(one.slot, one.seq) for one in reader.statements(id, None)] == places
        assert reader.statements(99, None) == reader.statements(id, 99) == []


KINDS_OF_CLAIMS = ("value", "retract", "deny", "confirm", "replace", "correction")


def test_runs_are_found_by_where_they_begin_and_end(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    long = "long " * 40
    with store.write() as tx:
        tx.put_facts(id, [fact(slot, "a", 1, 4), fact(slot, "b", 4, 7), fact(slot, long, 4, 9), fact(slot, "a", 9)])
        tx.put_facts(id, [fact(slot, "a", 0, kind=1), fact(other, "b", 4), fact(other, "c", 2, 3)])

    def places(found: list[FactRow]) -> list[tuple[int, str, int]]:
        return sorted((row.slot, row.key, row.start) for row in found)

    with store.read() as reader:
        assert places(reader.touching(id, slot, 4, [])) == [(slot, "a", 1)]
        assert places(reader.touching(id, slot, 4, ["a", "b"])) == [(slot, "a", 1), (slot, "b", 4)]
        assert places(reader.touching(id, slot, 4, [long])) == sorted([(slot, "a", 1), (slot, long, 4)])
        assert [row.start for row in reader.runs_from(id, slot, 2, 9)] == [4, 4, 9]
        assert [row.start for row in reader.runs_from(id, slot, -(2**63), 2)] == [1, 4]
        assert [row.start for row in reader.runs_from(id, None, 2, 9)] == [2, 4, 4, 4, 9]
        assert reader.runs_from(id, slot, 10, 9) == reader.runs_from(99, None, 0, 9) == []
        assert reader.run_at(id, slot, "a", 8) == fact(slot, "a", 1, 4)
        assert reader.run_at(id, slot, long, 4) == fact(slot, long, 4, 9)
        assert reader.run_at(id, slot, "a", 0) is reader.run_at(id, slot, "z", 9) is None
        assert reader.run_at(99, 1, "a", 9) is None


def test_sizes_hold_whatever_is_put_and_dropped(store: Store) -> None:
    id = fill(store, ALICE)
    with store.write() as tx:
        slot = tx.add_slot(id, SlotRow(0, "user", "name", "user", "name")).id
        tx.put_claims(id, [claim(slot, 2), claim(slot, 2, 1), claim(slot, 2)])
        tx.put_facts(id, [fact(slot, "x", 1), fact(slot, "x", 1, 4), fact(slot, "y", 2)])
        assert (tx.counts("default")["claims"], tx.counts("default")["facts"]) == (3, 3)
        tx.drop_facts(id, [fact(slot, "y", 2), fact(slot, "z", 2)])
        tx.drop_claims(id, 2, kinds=["deny"])
    with store.read() as reader:
        assert reader.sizes_hold()
        assert (reader.counts("default")["claims"], reader.counts("default")["facts"]) == (3, 2)
    with suppress(Trouble), store.write() as tx:
        tx.put_facts(id, [fact(slot, "w", 7)])
        raise Trouble
    with store.write() as tx:
        tx.drop_claims(id, 2)
        tx.clear_slots(id, [slot])
        tx.recount()
    with store.read() as reader:
        assert reader.sizes_hold()
        assert (reader.counts("default")["claims"], reader.counts("default")["facts"]) == (1, 1)


def test_a_slot_keeps_its_columns_and_may_get_other_keys(store: Store) -> None:
    id = scope_id(store)
    number = new_slot(store, id)
    saved = SlotRow(number, "user", "lives_in", "me", "home", 5, 6, 7, plain=False, ordered_from=3, whole=True)
    renamed = SlotRow(number, "wife", "home", "Wife", "Home", 8, 9, 10, plain=True)
    for slot in (saved, renamed):
        with store.write() as tx:
            tx.save_slot(id, slot)
        with store.read() as reader:
            assert reader.slots(id) == [slot]
            assert reader.slot(id, slot.subject_key, slot.predicate_key) == slot
    with store.read() as reader:
        assert reader.slot(id, "user", "lives_in") is None


def test_two_slots_never_share_their_keys(store: Store) -> None:
    id = scope_id(store)
    new_slot(store, id)
    with pytest.raises(StoreError):
        new_slot(store, id)


def test_claims_come_in_order_and_are_replaced_by_number(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    shuffled = [claim(slot, 2, 1, extraction=1), claim(slot, 1), claim(slot, 2, 0, extraction=2), claim(slot, 2, 0)]
    with store.write() as tx:
        tx.put_claims(id, shuffled)
        tx.put_claims(id, [claim(other, 3), ClaimRow(slot, 1, 0, 0, "deny", "held", "x", "[7]")])
    with store.read() as reader:
        found = reader.claims(id, slot)
        assert [(c.seq, c.extraction, c.number) for c in found] == [(1, 0, 0), (2, 0, 0), (2, 1, 1), (2, 2, 0)]
        assert found[0] == ClaimRow(slot, 1, 0, 0, "deny", "held", "x", "[7]")
        assert [c.seq for c in reader.claims(id, other)] == [3]
        assert [(c.extraction, c.number) for c in reader.claims_of(id, 2)] == [(0, 0), (1, 1), (2, 0)]


def test_a_claim_put_into_another_slot_moves(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    with store.write() as tx:
        tx.put_claims(id, [claim(slot, 1)])
        tx.put_claims(id, [claim(other, 1)])
    with store.read() as reader:
        assert reader.claims(id, slot) == []
        assert reader.claims(id, other) == [claim(other, 1)]


def test_claims_of_an_episode_are_dropped_by_kind_or_all(store: Store) -> None:
    id = scope_id(store)
    slot = new_slot(store, id)
    with store.write() as tx:
        tx.put_claims(id, [claim(slot, 1), claim(slot, 1, 1, kind="deny"), claim(slot, 1, 2, kind="x"), claim(slot, 2)])
        tx.drop_claims(id, 1, kinds=["deny", "y"])
        assert [c.number for c in tx.claims_of(id, 1)] == [0, 2]
        tx.drop_claims(id, 1, kinds=[])
        assert [c.number for c in tx.claims_of(id, 1)] == [0, 2]
        tx.drop_claims(id, 1)
        assert tx.claims(id, slot) == [claim(slot, 2)]


def test_values_lead_to_their_slots(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    slots = [new_slot(store, id, name) for name in "abc"]
    with store.write() as tx:
        tx.put_claims(id, [claim(slots[0], 1, key="pg"), claim(slots[0], 2, key="pg"), claim(slots[1], 3, key="x")])
        tx.put_claims(id, [claim(slots[2], 4, key="postgres"), claim(slots[2], 5)])
    with store.read() as reader:
        assert reader.slots_with_values(id, ["postgres", "pg"]) == [slots[0], slots[2]]
        assert reader.slots_with_values(id, ["PG", ""]) == []
        assert reader.slots_with_values(id, []) == []
        assert reader.slots_with_values(bob, ["pg"]) == []


def test_facts_come_in_order_and_are_replaced_in_their_place(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    rows = [
        fact(slot, "b", 5, 9),
        fact(slot, "a", 5),
        fact(slot, "a", 1, 5),
        fact(slot, "z", 0, kind=2),
        fact(other, "b", 5),
    ]
    with store.write() as tx:
        tx.put_facts(id, rows)
        tx.put_facts(id, [fact(slot, "b", 5, 7, body='"\u0915"')])
    with store.read() as reader:
        assert reader.facts(id, slot) == [rows[2], rows[1], fact(slot, "b", 5, 7, body='"\u0915"'), rows[3]]
        assert reader.facts(id, other) == [rows[4]]


def test_facts_are_dropped_by_their_place(store: Store) -> None:
    id = scope_id(store)
    slot = new_slot(store, id)
    with store.write() as tx:
        tx.put_facts(id, [fact(slot, "a", 1), fact(slot, "a", 2), fact(slot, "a", 1, kind=1)])
        tx.drop_facts(id, [fact(slot, "a", 1, end=77, body="other"), fact(slot, "unknown", 1)])
        assert tx.facts(id, slot) == [fact(slot, "a", 2), fact(slot, "a", 1, kind=1)]


def test_the_tail_of_a_slot_is_its_runs_that_end_later(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    with store.write() as tx:
        tx.put_facts(id, [fact(slot, "a", 1, 5), fact(slot, "b", 5, 9), fact(slot, "a", 9), fact(slot, "w", 0, kind=1)])
        tx.put_facts(id, [fact(other, "a", 9)])
    with store.read() as reader:
        assert [row.start for row in reader.tail(id, slot, 4)] == [1, 9, 5]
        assert [row.start for row in reader.tail(id, slot, 5)] == [9, 5]
        assert [row.start for row in reader.tail(id, slot, 9)] == [9]


def test_what_is_live_in_a_slot_is_what_ends_later_and_what_waits(store: Store) -> None:
    id = scope_id(store)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    with store.write() as tx:
        tx.put_facts(id, [fact(slot, "a", 1, 5), fact(slot, "b", 5, 9), fact(slot, "w", 0, kind=1)])
        tx.put_facts(id, [fact(other, "a", 1)])
    with store.read() as reader:
        assert [(row.kind, row.key) for row in reader.live_in(id, slot, 4)] == [(0, "a"), (0, "b"), (1, "w")]
        assert [(row.kind, row.key) for row in reader.live_in(id, slot, 5)] == [(0, "b"), (1, "w")]
        assert [(row.kind, row.key) for row in reader.live_in(id, slot, 9)] == [(1, "w")]


def test_several_slots_are_read_at_once(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    slots = [new_slot(store, id, name) for name in "abc"]
    foreign = new_slot(store, bob, "a")
    with store.write() as tx:
        for number, slot in enumerate(reversed(slots)):
            tx.put_claims(id, [claim(slot, 2, number), claim(slot, 1, number)])
            tx.put_facts(id, [fact(slot, "b", 1), fact(slot, "a", 5), fact(slot, "a", 1)])
    with store.write() as tx:
        tx.put_facts(bob, [fact(foreign, "x", 1)])
    with store.read() as reader:
        wanted = slots[1:]
        assert reader.claims_between(id, *wanted) == [row for slot in wanted for row in reader.claims(id, slot)]
        assert reader.facts_between(id, *wanted) == [row for slot in wanted for row in reader.facts(id, slot)]
        assert not reader.claims_between(id, 90, 99)
        assert not reader.facts_between(id, 90, 99)


def test_what_is_live_is_every_row_that_ends_later_with_its_slot(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    slot, other = new_slot(store, id), new_slot(store, id, "name")
    with store.write() as tx:
        tx.put_facts(id, [fact(other, "x", 3), fact(slot, "b", 5), fact(slot, "a", 1, 5), fact(slot, "w", 0, kind=1)])
    with store.read() as reader:
        found = reader.live(id, 5)
        assert [(row.slot, row.kind, row.key) for row, _ in found] == [(slot, 0, "b"), (slot, 1, "w"), (other, 0, "x")]
        assert [where.predicate_key for _, where in found] == ["lives_in", "lives_in", "name"]
        assert found[0][1] == reader.slot_by_id(id, slot)
        assert [row.key for row, _ in reader.live(id, 4)] == ["a", "b", "w", "x"]
        assert reader.live(bob, 4) == []


def test_clearing_slots_leaves_the_others(store: Store) -> None:
    id = scope_id(store)
    slots = [new_slot(store, id, name) for name in "abc"]
    with store.write() as tx:
        tx.put_claims(id, [claim(slot, slot) for slot in slots])
        tx.put_facts(id, [fact(slot, "x", 1) for slot in slots])
        tx.clear_slots(id, slots[:2])
        assert [slot.id for slot in tx.slots(id)] == slots[2:]
        assert [len(tx.claims(id, slot)) for slot in slots] == [0, 0, 1]
        assert [len(tx.facts(id, slot)) for slot in slots] == [0, 0, 1]
        assert tx.slot(id, "user", "a") is None


def test_clearing_the_projection_leaves_the_log(store: Store) -> None:
    id = fill(store, ALICE)
    with store.write() as tx:
        tx.clear_projection(id)
        assert (tx.slots(id), tx.claims_of(id, 1), tx.live(id, 0)) == ([], [], [])
        assert len(list(tx.entries(id))) == 1
        assert tx.find_key(id, "k") is not None
        assert len(tx.pending(id)) == 1


# The queue


def test_pending_messages_come_in_order_of_seq(store: Store) -> None:
    alice, bob = scope_id(store), scope_id(store, BOB)
    for id, seq in ((alice, 3), (alice, 1), (bob, 2)):
        with store.write() as tx:
            tx.add_pending(id, seq)
    with store.write() as tx:
        tx.save_pending(PendingRow(alice, 3, "failed", 5, 77, "no answer"))
    with store.read() as reader:
        assert reader.pending(alice) == [PendingRow(alice, 1), PendingRow(alice, 3, "failed", 5, 77, "no answer")]
        found = [(scope, row.seq) for scope, row in reader.all_pending("default", 9)]
        assert sorted(found, key=repr) == [(ALICE, 1), (ALICE, 3), (BOB, 2)]
        assert [seq for scope, seq in found if scope == ALICE] == [1, 3]
        assert len(reader.all_pending("default", 2)) == 2
        assert reader.all_pending("other", 9) == []


def test_unsettled_messages_are_found_one_by_one(store: Store) -> None:
    id, bob = scope_id(store), scope_id(store, BOB)
    with store.write() as tx:
        for seq in (5, 2, 3, 4):
            tx.add_pending(id, seq)
        tx.save_pending(PendingRow(id, 2, "failed", 9, 0, "no"))
        tx.save_pending(PendingRow(id, 3, "waiting", 1, 70))
    with store.read() as reader:
        assert reader.first_waiting(id) == PendingRow(id, 3, "waiting", 1, 70)
        assert reader.next_waiting(id, 3, None) == PendingRow(id, 4)
        assert reader.next_waiting(id, 0, 69) == PendingRow(id, 4)
        assert reader.next_waiting(id, 0, 70) == PendingRow(id, 3, "waiting", 1, 70)
        assert reader.next_waiting(id, 5, None) is None
        assert reader.pending_row(id, 2) == PendingRow(id, 2, "failed", 9, 0, "no")
        assert reader.pending_row(id, 1) is None
        assert reader.failed(id) == [PendingRow(id, 2, "failed", 9, 0, "no")]
        assert (reader.first_waiting(bob), reader.failed(bob), reader.pending_row(bob, 4)) == (None, [], None)


def test_work_is_due_once_a_waiting_message_is(store: Store) -> None:
    id = scope_id(store)
    with store.write() as tx:
        assert not tx.is_work_due(10**9)
        tx.add_pending(id, 1)
        assert tx.is_work_due(0)
        tx.save_pending(PendingRow(id, 1, "waiting", 1, 50))
        assert not tx.is_work_due(49)
        assert tx.is_work_due(50)
        tx.save_pending(PendingRow(id, 1, "failed", 2, 50))
        assert not tx.is_work_due(10**9)


def test_slots_that_hold_refused_operations_are_listed(store: Store) -> None:
    id = scope_id(store)
    slots = [new_slot(store, id, name) for name in "abc"]
    with store.write() as tx:
        tx.put_claims(id, [claim(slots[0], 1), ClaimRow(slots[1], 2, 0, 0, "value", "refused", "x", "[]")])
    with store.read() as reader:
        assert reader.unprojected("default") == [(id, slots[1], "b", "B")]
        assert reader.unprojected("other") == []


def test_dropping_a_pending_message_tells_whether_it_was_there(store: Store) -> None:
    id = scope_id(store)
    with store.write() as tx:
        tx.add_pending(id, 1)
        assert tx.drop_pending(id, 1) is True
        assert tx.drop_pending(id, 1) is False
        tx.save_pending(PendingRow(id, 1, "failed"))
        assert tx.pending(id) == []


def leased(
    store: Store,
    owner: str = "w",
    now: int = 100,
    until: int = 200,
    dead: tuple[str, ...] = (),
    skip: tuple[int, ...] = (),
) -> str | None:
    with store.write() as tx:
        head = tx.lease(owner, now, until, dead, skip)
        return None if head is None else head.scope.user_id


def wait_in_queue(store: Store, *names: str) -> list[int]:
    """Put a message of each user into the queue; gives the scopes' ids."""
    ids = []
    for name in names:
        with store.write() as tx:
            ids.append(tx.open_scope(Scope("default", name)).id)
            tx.add_pending(ids[-1], 1)
    return ids


def test_only_a_scope_with_a_waiting_message_that_is_due_is_leased(store: Store) -> None:
    assert leased(store) is None
    for name, state, not_before in (("a", "failed", 0), ("b", "waiting", 101)):
        with store.write() as tx:
            id = tx.open_scope(Scope("default", name)).id
            tx.add_pending(id, 1)
            tx.save_pending(PendingRow(id, 1, state, 1, not_before))
    assert leased(store, now=100) is None
    assert leased(store, now=101) == "b"


def test_a_leased_scope_is_not_leased_to_another(store: Store) -> None:
    wait_in_queue(store, "a", "b")
    assert [leased(store, owner) for owner in ("w1", "w2", "w3")] == ["a", "b", None]
    with store.write() as tx:
        assert tx.owners() == ["w1", "w2"]


def test_a_lease_ends_when_it_expires(store: Store) -> None:
    (id,) = wait_in_queue(store, "a")
    assert leased(store, "w1", now=100, until=200) == "a"
    assert leased(store, "w2", now=199) is None
    assert leased(store, "w2", now=200, until=300) == "a"
    with store.write() as tx:
        assert tx.renew(id, "w1", 400) is False
        assert tx.renew(id, "w2", 400) is True
    assert leased(store, "w3", now=399) is None


def test_the_lease_of_a_dead_owner_does_not_count(store: Store) -> None:
    wait_in_queue(store, "a")
    assert leased(store, "w1") == "a"
    assert leased(store, "w2", dead=("w0",)) is None
    assert leased(store, "w2", dead=("w0", "w1")) == "a"
    with store.write() as tx:
        assert tx.owners() == ["w2"]


def test_an_owner_may_lease_again_what_it_holds_unless_it_skips_it(store: Store) -> None:
    (id,) = wait_in_queue(store, "a")
    assert leased(store) == "a"
    assert leased(store, skip=(id,)) is None
    assert leased(store) == "a"


def test_a_lease_given_back_is_free_and_only_its_owner_gives_it_back(store: Store) -> None:
    (id,) = wait_in_queue(store, "a")
    assert leased(store, "w1") == "a"
    with store.write() as tx:
        tx.release(id, "w2")
    assert leased(store, "w2") is None
    with store.write() as tx:
        tx.release(id, "w1")
    assert leased(store, "w2") == "a"


def test_one_scope_can_be_leased_whether_or_not_it_is_due(store: Store) -> None:
    id = scope_id(store)

    def take(owner: str, now: int, dead: tuple[str, ...] = ()) -> bool:
        with store.write() as tx:
            return tx.lease_scope(id, owner, now, now + 10, dead)

    assert take("w1", 100)
    assert take("w1", 105)
    assert not take("w2", 114)
    assert take("w2", 115)
    assert not take("w3", 116, ("w1",))
    assert take("w3", 116, ("w2",))


def test_the_leases_of_a_worker_that_left_are_free(store: Store) -> None:
    first, _ = wait_in_queue(store, "a", "b")
    assert (leased(store, "w1"), leased(store, "w1", skip=(first,))) == ("a", "b")
    with store.write() as tx:
        tx.beat(WorkerRow("w1", "host", 1, "start", 1))
        tx.drop_worker("w1")
        assert (tx.workers(), tx.owners()) == ([], [])
    assert leased(store, "w2") == "a"


def test_every_scope_gets_its_turn_though_one_is_always_due(store: Store) -> None:
    ids = wait_in_queue(store, "a", "b", "c")
    turns = []
    for _ in range(4):
        turns.append(leased(store))
        for id in ids:
            with store.write() as tx:
                tx.release(id, "w")
    assert turns == ["a", "b", "c", "a"]


def test_a_retry_that_is_due_comes_first_and_the_oldest_before_others(store: Store) -> None:
    _, *retried = wait_in_queue(store, "fresh", "late", "early")
    for id, due in zip(retried, (60, 50), strict=True):
        with store.write() as tx:
            tx.save_pending(PendingRow(id, 1, "waiting", 1, due))
    assert [leased(store, owner) for owner in ("w1", "w2", "w3", "w4")] == ["early", "late", "fresh", None]


def test_a_scope_is_due_when_the_first_of_its_messages_is(store: Store) -> None:
    id = scope_id(store)
    with store.write() as tx:
        tx.add_pending(id, 1)
        tx.add_pending(id, 2)
        tx.save_pending(PendingRow(id, 1, "waiting", 1, 900))
        tx.save_pending(PendingRow(id, 2, "waiting", 1, 500))
    assert leased(store, now=499) is None
    assert leased(store, now=500) == "alice"
    with store.write() as tx:
        tx.release(id, "w")
        tx.drop_pending(id, 2)
    assert leased(store, now=899) is None
    with store.write() as tx:
        tx.save_pending(PendingRow(id, 1, "failed", 2, 0))
    assert leased(store, now=10**9) is None


def test_workers_are_listed_with_their_last_beat(store: Store) -> None:
    with store.write() as tx:
        tx.beat(WorkerRow("w2", "host", 2, "start", 5))
        tx.beat(WorkerRow("w1", "host", 1, "start", 5))
        tx.beat(WorkerRow("w2", "host", 2, "start", 9))
    with store.read() as reader:
        assert [(worker.id, worker.beat) for worker in reader.workers()] == [("w1", 5), ("w2", 9)]


# Search, sizes, settings


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


def test_counts_are_of_one_namespace_without_its_registry(store: Store) -> None:
    alice = fill(store, ALICE)
    fill(store, BOB)
    fill(store, Scope("other", "alice"))
    fill(store, registry_scope("default"))
    with store.write() as tx:
        head = tx.head(ALICE)
        assert head is not None
        tx.append(alice, Entry(EntryKind.EXTRACTION, 2, 1, 2, 1, 1))
        tx.save_pending(PendingRow(alice, 1, "failed"))
        head.rev, head.pending, head.failed = 2, 0, 1
        tx.save_head(head)
    with store.read() as reader:
        assert reader.counts("default") == {
            "scopes": 2, "entries": 3, "episodes": 2, "facts": 2, "claims": 2, "pending": 1, "failed": 1,
        }  # fmt: skip
        assert set(reader.counts("nobody").values()) == {0}


def test_settings_are_kept_by_name(store: Store) -> None:
    with store.write() as tx:
        assert tx.meta("a") is None
        tx.set_meta("a", "1")
        tx.set_meta("A", "2")
        tx.set_meta("a", "\u0915\n3")
    with store.read() as reader:
        assert (reader.meta("a"), reader.meta("A")) == ("\u0915\n3", "2")
