"""Files of other systems: what of them is taken, as what, and what is said of the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, ImportReport, Memory, NotUnderstood
from tensemem.engine import adopting
from tensemem.errors import InvalidValueError, StoreError
from tests.copying.filled import NOON


@pytest.fixture
def mem() -> Iterator[Memory]:
    """An empty memory that knows two attributes."""
    with Memory(":memory:", llm=FakeExtractor(), worker=False, clock=lambda: NOON) as opened:
        opened.register_predicate("lives_in")
        opened.register_predicate("languages", "many")
        yield opened


def lines(*records: Any) -> list[str]:
    return [one if isinstance(one, str) else json.dumps(one) for one in records]


def whys(report: ImportReport) -> list[tuple[int, str]]:
    return [(one.line, one.why) for one in report.not_understood]


PEER = lines(
    {"kind": "header", "version": 3},
    {"kind": "episode", "id": "e1", "user_id": "ann", "role": "user", "content": "I live in Delhi",
     "occurred_at": "2024-01-05T10:00:00Z", "session_id": "s1"},
    {"type": "message", "user_id": "ann", "role": "ai", "text": "Noted.", "timestamp": 1704448900},
    {"kind": "fact", "id": "f1", "user_id": "ann", "subject": "user", "predicate": "lives_in", "object": "Delhi",
     "valid_from": "2024-01-05", "valid_to": "2024-03-01T00:00:00Z", "recorded_at": "2024-01-05T10:00:01Z"},
    {"type": "claim", "scope": {"user_id": "ann"}, "data": {"subject": "ann", "predicate": "lives_in", "value": "Pune",
     "valid_from": "2024-03-01"}, "created_at": "2024-03-01T09:00:00Z"},
    {"user_id": "bob", "predicate": "languages", "object": "Go", "created_at": "2024-02"},
    {"user_id": "bob", "role": "user", "content": "hello", "created_at": "2024-02-02"},
)  # fmt: skip


def test_messages_are_kept_and_facts_filed_with_their_dates(mem: Memory) -> None:
    report = mem.import_(PEER, format="jsonl")
    assert (report.scopes, report.imported, report.entries, report.not_understood) == (2, 2, 6, ())
    facts = {fact.object: fact for fact in mem.history("ann", "lives_in").facts}
    assert facts["Delhi"].valid_from == datetime(2024, 1, 5, tzinfo=UTC)
    assert facts["Delhi"].valid_to == datetime(2024, 3, 1, tzinfo=UTC)
    assert facts["Delhi"].source == "jsonl"
    assert mem.get("ann", "lives_in") == "Pune"
    assert mem.get("bob", "languages") == ("Go",)
    said = mem.messages("ann")
    assert [(one.role, one.content, one.session_id) for one in said] == [
        ("user", "I live in Delhi", "s1"), ("assistant", "Noted.", None)
    ]  # fmt: skip
    assert said[0].said_at == datetime(2024, 1, 5, 10, tzinfo=UTC)
    assert said[0].metadata == {"imported_from": "jsonl", "id": "e1"}
    assert mem.jobs() == ()


def test_messages_may_be_learned_from_instead(mem: Memory) -> None:
    report = mem.import_(PEER, format="jsonl", take="messages", label="the old engine")
    assert (report.entries, report.duplicates) == (3, 0)
    mem.flush()
    fact = mem.state("ann").fact("lives_in")
    assert fact is not None
    assert (fact.object, fact.source, fact.valid_from) == (
        "Delhi", "the old engine", datetime(2024, 1, 5, 10, tzinfo=UTC)
    )  # fmt: skip


def test_or_the_facts_alone(mem: Memory) -> None:
    assert mem.import_(PEER, format="jsonl", take="rows").entries == 3
    assert mem.messages("ann") == ()


@pytest.mark.parametrize("take", ["messages", "rows", "both"])
def test_importing_twice_is_importing_once(mem: Memory, take: Any) -> None:
    first = mem.import_(PEER, format="jsonl", take=take)
    before = [mem.digest("ann"), mem.state("ann").rev, mem.state("bob").rev]
    again = mem.import_(PEER, format="jsonl", take=take)
    assert (again.entries, again.duplicates, again.imported) == (0, first.entries, 0)
    assert [mem.digest("ann"), mem.state("ann").rev, mem.state("bob").rev] == before


def test_a_part_and_then_all_of_it_is_all_of_it(mem: Memory, tmp_path: Path) -> None:
    with Memory(tmp_path / "other.db", llm=FakeExtractor(), worker=False, clock=lambda: NOON) as other:
        other.register_predicate("lives_in")
        other.register_predicate("languages", "many")
        for number in range(len(PEER)):
            other.import_(PEER[:number], format="jsonl")
        other.import_(PEER, format="jsonl")
        mem.import_(PEER, format="jsonl")
        assert other.digest("ann") == mem.digest("ann")
        assert other.state("ann").rev == mem.state("ann").rev


def test_what_is_not_understood_is_told_line_by_line(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adopting, "BATCH", 3)
    fact = {"user_id": "ann", "predicate": "lives_in", "object": "Delhi", "valid_from": "2024"}
    report = mem.import_(
        lines(
            {**fact, "predicate": "diet"},
            "{not json",
            "",
            [1],
            {"kind": "correction", "user_id": "ann"},
            {"hello": 1},
            {"kind": "message", "user_id": "ann", "content": "  ", "role": "user"},
            {"kind": "message", "user_id": "ann", "content": "x", "role": "king"},
            {**fact, "object": None},
            {**fact, "valid_from": "the other day"},
            {**fact, "valid_from": None},
            {**fact, "status": "retracted"},
            {**fact, "user_id": None},
            {**fact, "user_id": "   "},
            {**fact, "valid_from": "2025", "valid_to": "2024"},
            {"kind": "message", "user_id": "ann", "content": "x", "role": "user", "created_at": "2099-01-01"},
            {"kind": "message", "user_id": "ann", "content": "it stands", "role": "user", "created_at": "2024"},
            {"kind": "fact", "user_id": "ann"},
            '{"kind":"message","content":"\\ud800"}',
            fact,
        ),
        format="jsonl",
    )
    found = dict(whys(report))
    assert len(found) == len(report.not_understood)
    said = {
        1: "'diet' is not registered", 2: "no JSON", 4: "no JSON object", 5: "kind 'correction' are not read",
        6: "no kind, no role and no predicate", 7: "no text", 8: "nobody is known by the role 'king'", 9: "no value",
        10: "the other day", 11: "no date", 12: "does not hold there (retracted)", 13: "name the user_id",
        14: "must not be blank", 15: "valid_to", 16: "five minutes ahead", 18: "no predicate", 19: "lone surrogate",
    }  # fmt: skip
    assert sorted(found) == sorted(said)
    for line, words in said.items():
        assert words in found[line], (line, found[line])
    assert report.entries == 2
    assert mem.get("ann", "lives_in") == "Delhi"


def test_of_very_many_that_are_not_understood_the_rest_is_counted(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adopting, "MOST_TOLD", 2)
    report = mem.import_(["x"] * 5, format="jsonl")
    assert report.not_understood[2:] == (NotUnderstood(0, "and 3 more"),)


def test_records_of_others_are_left_out_where_a_user_is_named(mem: Memory) -> None:
    own = lines({"predicate": "lives_in", "object": "Goa", "valid_from": "2024"})
    report = mem.for_user("bob").import_([*PEER, *own], format="jsonl", take="rows")
    assert (report.entries, report.left_out) == (2, 2)
    assert mem.get("bob", "lives_in") == "Goa"
    assert mem.state("ann").rev == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"format": "song"}, "format must be one of tensemem, jsonl, mem0"),
        ({"format": "mem0", "take": "song"}, "take must be one of messages, rows, both"),
        ({"format": "mem0", "role": "king"}, "role must be one of"),
        ({"format": "mem0", "label": ""}, "label must not be blank"),
        ({"format": "mem0", "predicate": 5}, "predicate must be text"),
        ({"format": "jsonl", "sign_key": "a long secret"}, "are of exports of tensemem"),
        ({"format": "jsonl", "every_namespace": True}, "are of exports of tensemem"),
    ],
)
def test_what_can_not_be_asked_for_is_refused(mem: Memory, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidValueError, match=says):
        mem.import_([], **options)


# mem0

ALL = {
    "results": [
        {"id": "m1", "memory": "I live in Delhi", "hash": "x", "metadata": None, "user_id": "ann",
         "created_at": "2024-01-05T10:00:00-08:00", "updated_at": None},
        {"id": "m2", "memory": "I moved to Pune", "user_id": "ann", "created_at": "2024-03-01T10:00:00Z",
         "metadata": {"predicate": "lives_in", "value": "Pune", "valid_from": "2024-03-01"}},
        {"id": "m3", "memory": "", "user_id": "ann", "created_at": "2024-03-01T10:00:00Z"},
        {"id": "m4", "memory": "I live in Rome", "created_at": "2024-03-01T10:00:00Z"},
        "nothing",
    ]
}  # fmt: skip

HISTORY = [
    {"id": "h1", "memory_id": "m1", "old_memory": None, "new_memory": "I live in Delhi", "event": "ADD",
     "created_at": "2024-01-05T10:00:00Z", "updated_at": None, "is_deleted": 0},
    {"id": "h2", "memory_id": "m1", "old_memory": "I live in Delhi", "new_memory": "I live in Pune", "event": "UPDATE",
     "created_at": "2024-01-05T10:00:00Z", "updated_at": "2024-03-01T10:00:00Z", "is_deleted": 0},
    {"id": "h3", "memory_id": "m1", "old_memory": "I live in Pune", "new_memory": None, "event": "DELETE",
     "created_at": "2024-01-05T10:00:00Z", "updated_at": "2024-05-01T10:00:00Z", "is_deleted": 1},
]  # fmt: skip


@pytest.mark.parametrize("given", ["object", "list", "file", "lines"])
def test_a_dump_is_read_as_messages(mem: Memory, tmp_path: Path, given: str) -> None:
    (tmp_path / "dump.json").write_text(json.dumps(ALL, indent=2), encoding="utf-8")
    source: Any = {
        "object": ALL, "list": ALL["results"][:4], "file": tmp_path / "dump.json",
        "lines": lines(*ALL["results"]),
    }[given]  # fmt: skip
    report = mem.import_(source, format="mem0")
    assert whys(report)[:2] == [
        (3, 'it has no text under "memory"'), (4, "it does not say whose memory it is; name the user_id")
    ]  # fmt: skip
    assert report.entries == 2
    said = mem.messages("ann")
    assert [(one.content, one.role, one.source) for one in said] == [
        ("I live in Delhi", "user", "mem0"), ("I moved to Pune", "user", "mem0")
    ]  # fmt: skip
    assert said[0].said_at == datetime(2024, 1, 5, 18, tzinfo=UTC)
    mem.flush()
    assert mem.get("ann", "lives_in") == "Pune"
    again = mem.import_(source, format="mem0")
    assert (again.entries, again.duplicates) == (0, 2)


def test_a_dump_is_read_as_rows_of_an_attribute_of_their_own(mem: Memory) -> None:
    mem.register_predicate("note", "many")
    report = mem.import_(ALL, format="mem0", take="rows", user_id="ann", role="assistant")
    assert (report.entries, whys(report)[0][0]) == (3, 3)
    assert mem.get("ann", "note") == ("I live in Delhi", "I live in Rome")
    assert mem.get("ann", "lives_in") == "Pune"
    assert mem.import_(ALL, format="mem0", take="rows", user_id="ann", role="assistant").entries == 0


def test_a_history_says_when_each_memory_ended(mem: Memory) -> None:
    mem.register_predicate("told", "one")
    report = mem.import_(HISTORY, format="mem0", take="rows", predicate="told", user_id="ann")
    assert (report.entries, report.not_understood) == (2, ())
    facts = mem.history("ann", "told").facts
    assert [(fact.object, fact.valid_from, fact.valid_to) for fact in facts] == [
        ("I live in Delhi", datetime(2024, 1, 5, 10, tzinfo=UTC), datetime(2024, 3, 1, 10, tzinfo=UTC)),
        ("I live in Pune", datetime(2024, 3, 1, 10, tzinfo=UTC), datetime(2024, 5, 1, 10, tzinfo=UTC)),
    ]
    assert mem.get("ann", "told") is None


def test_a_history_as_messages_can_not_say_what_was_deleted(mem: Memory) -> None:
    report = mem.import_({"history": HISTORY}, format="mem0", user_id="ann")
    assert report.entries == 2
    assert whys(report) == [(3, "that a memory was deleted is no message; take rows, and it ends there")]


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (["{"], "is no JSON"), ({"hello": 1}, "expected what mem0 gives"), (["5"], "expected what mem0 gives"),
        (["[" * 100_000], "is no JSON"), (['"memory"', "x"], "is no JSON"),
    ],
)  # fmt: skip
def test_what_is_no_dump_is_refused(mem: Memory, source: Any, says: str) -> None:
    with pytest.raises(InvalidValueError, match=says):
        mem.import_(source, format="mem0")


def test_a_dump_that_is_too_long_is_refused(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    from tensemem.engine import foreign

    monkeypatch.setattr(foreign, "LARGEST", 100)
    with pytest.raises(InvalidValueError, match="give a part of it"):
        mem.import_([json.dumps(ALL)], format="mem0")


def test_a_store_that_fails_ends_the_import(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(adopting, "write", fail)
    with pytest.raises(StoreError, match="the disk is gone"):
        mem.import_(PEER, format="jsonl")
