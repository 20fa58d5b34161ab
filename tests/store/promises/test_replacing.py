"""What every store promises of erasing: another entry at the same place, and keys and texts that can be taken away."""

from __future__ import annotations

import pytest

from tensemem.errors import StoreError
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.scope import Scope
from tensemem.ports import Store

ANN = Scope("default", "ann")


def entry(kind: EntryKind, rev: int, seq: int, extraction: int = 0, text: str = "") -> Entry:
    return Entry(kind, rev, seq, 10 + rev, 10, extraction, {"content": text})


LOG = (
    entry(EntryKind.MESSAGE, 1, 1, text="hello"),
    entry(EntryKind.WRITE, 2, 2, text="a write"),
    entry(EntryKind.MESSAGE, 3, 3, text="bye"),
    entry(EntryKind.EXTRACTION, 4, 1, 1, text="of hello"),
    entry(EntryKind.WRITE, 5, 4, text="another"),
)


def filled(store: Store) -> int:
    with store.write() as tx:
        head = tx.open_scope(ANN)
        tx.append_many(head.id, LOG)
        head.rev, head.seq = 5, 4
        tx.save_head(head)
    return head.id


def gone(was: Entry) -> Entry:
    return Entry(EntryKind.ERASURE, was.rev, was.seq, was.recorded_at, was.said_at, was.extraction, {"was": was.kind})


def test_another_entry_stands_at_the_same_place(store: Store) -> None:
    number = filled(store)
    with store.write() as tx:
        tx.replace_entries(number, [gone(LOG[3]), gone(LOG[0]), gone(LOG[4])])
        assert tx.episode(number, 1) == gone(LOG[0])
    with store.read() as reader:
        assert list(reader.entries(number)) == [gone(LOG[0]), LOG[1], LOG[2], gone(LOG[3]), gone(LOG[4])]
        assert reader.entries_of(number, 1, 1) == [gone(LOG[0]), gone(LOG[3])]
        assert [reader.episode(number, seq) for seq in (1, 2, 3, 4)] == [
            gone(LOG[0]), LOG[1], LOG[2], gone(LOG[4]),
        ]  # fmt: skip
        assert reader.settlements(number, 1) == []
        assert reader.messages_before(number, 9, 9) == [LOG[2]]


def test_a_message_without_content_is_a_message(store: Store) -> None:
    number = filled(store)
    empty = Entry(EntryKind.MESSAGE, 1, 1, 11, 10, 0, {"gone": "purged"})
    with store.write() as tx:
        tx.replace_entries(number, [empty])
    with store.read() as reader:
        assert reader.episode(number, 1) == empty
        assert reader.settlements(number, 1) == [LOG[3]]
        assert reader.messages_before(number, 9, 9) == [empty, LOG[2]]


def test_only_what_is_there_is_replaced(store: Store) -> None:
    number = filled(store)
    with pytest.raises(StoreError), store.write() as tx:
        tx.replace_entries(number, [gone(LOG[0]), entry(EntryKind.WRITE, 6, 5)])
    with store.read() as reader:
        assert tuple(reader.entries(number)) == LOG
    with store.write() as tx:
        tx.replace_entries(number, [])


def test_keys_are_dropped_however_long_they_are(store: Store) -> None:
    number = filled(store)
    keys = ["short", "long " * 40, "kept"]
    with store.write() as tx:
        for seq, key in enumerate(keys):
            tx.remember_key(number, key, seq, "d")
    with store.write() as tx:
        tx.drop_keys(number, [*keys[:2], "unknown"])
    with store.read() as reader:
        assert reader.keys(number, "", 9) == [("kept", 2, "d")]
        assert reader.find_key(number, keys[1]) is None


def test_texts_are_taken_out_of_the_index(store: Store) -> None:
    number = filled(store)
    with store.write() as tx:
        tx.index(number, [("e:1", "tea cup"), ("e:3", "tea pot"), ("c:2-0-0", "milk jug")], 4)
    with store.write() as tx:
        assert tx.drop_texts(number, ["e:1", "e:1000", "c:2-0-0"]) == 2
        assert tx.drop_texts(number, []) == 0
    with store.read() as reader:
        assert [reference for reference, _ in reader.search(number, ["tea"], 9)] == ["e:3"]
        assert reader.search(number, ["cup"], 9) == reader.search(number, ["milk"], 9) == []
        assert reader.indexed_rev(number) == 4
    with store.write() as tx:
        tx.index(number, [("e:1", "tea cup")], 5)
    with store.read() as reader:
        assert len(reader.search(number, ["tea"], 9)) == 2
