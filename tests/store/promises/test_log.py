"""What every store promises of the log, its keys and what was used for it."""

from __future__ import annotations

from typing import Any

from tensemem.model.entry import Entry, EntryKind
from tensemem.ports import Store, UsageRow
from tests.store.promises.rows import BOB, message, scope_id


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
