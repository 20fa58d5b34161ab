"""A trial reads chats into a memory of its own and tells what came of it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tensemem import FakeExtractor, Memory, OfflineExtractor, Operation
from tensemem.errors import ExtractorOutputError, ExtractorUnavailable, InvalidScopeError, InvalidValueError, StoreError
from tensemem.extract.cassette import RecordingExtractor, ReplayExtractor
from tensemem.trial import Findings, Options, run
from tensemem.trial.findings import Slot
from tests.trial.made import MOVES, SMALL, WRITTEN, clock, json_lines, put, user


def small(folder: Path, **options: Any) -> Options:
    """Options with a small schema, since the ready ones take a while to read."""
    return Options(**{"clock": clock, "schemas": (str(put(folder, "small.toml", SMALL)),), **options})


def attempt(folder: Path, content: str, extractor: Any = None, *, dump: Any = None, **options: Any) -> Findings:
    path = put(folder, "chats.jsonl", content)
    old = None if dump is None else str(put(folder, "dump.json", json.dumps(dump)))
    return run([str(path)], extractor or OfflineExtractor(), small(folder, **options), old=old)


def slot(found: Findings, predicate: str, subject: str = "user") -> Slot:
    return next(one for one in found.slots if (one.predicate, one.subject) == (predicate, subject))


def values(found: Findings) -> dict[tuple[str, str], list[tuple[str, str]]]:
    return {(one.user, one.predicate): [(fact.text, fact.status) for fact in one.facts] for one in found.slots}


def test_the_relocation_story_shows_bangalore_now_and_delhi_before(tmp_path: Path) -> None:
    found = attempt(tmp_path, json_lines(MOVES))
    home = slot(found, "lives_in")
    assert [fact.text for fact in home.now] == ["Bangalore"]
    assert [(fact.text, fact.status, f"{fact.since:%m-%d}") for fact in home.facts] == [
        ("Delhi", "superseded", "01-05"), ("Bangalore", "active", "03-01"),
    ]  # fmt: skip
    assert [(quote.text, quote.where) for quote in home.facts[1].quotes] == [("I moved to Bangalore", "chats.jsonl:3")]
    assert (found.superseded, found.admitted, found.users, found.stopped) == (1, 2, ("you",), "")
    assert (found.cost.messages, found.cost.asked, found.cost.is_estimated) == (3, 2, True)
    assert found.cost.input_tokens > 0


def test_a_late_part_in_another_file_finds_its_place(tmp_path: Path) -> None:
    first = put(tmp_path, "b.jsonl", json_lines(MOVES[2:]))
    second = put(tmp_path, "a.jsonl", json_lines(MOVES[:2]))
    found = run([str(first), str(second)], OfflineExtractor(), small(tmp_path))
    assert values(found) == {("you", "lives_in"): [("Delhi", "superseded"), ("Bangalore", "active")]}


def test_the_same_file_twice_counts_once(tmp_path: Path) -> None:
    path = str(put(tmp_path, "a.jsonl", json_lines(MOVES)))
    copy = tmp_path / "copy"
    copy.mkdir()
    other = str(put(copy, "a.jsonl", json_lines([{**one, "session_id": "s"} for one in MOVES])))
    found = run([path, other], OfflineExtractor(), small(tmp_path))
    assert [fact.text for fact in slot(found, "lives_in").facts] == ["Delhi", "Bangalore"]
    assert [one.name for one in found.inputs] == [path, other]


def test_undated_messages_keep_their_order_and_say_so(tmp_path: Path) -> None:
    found = attempt(tmp_path, json_lines([user("I live in Delhi"), user("I moved to Bangalore")]))
    assert values(found) == {("you", "lives_in"): [("Delhi", "superseded"), ("Bangalore", "active")]}
    assert slot(found, "lives_in").now[0].since == WRITTEN
    assert found.inputs[0].dated == "no times: a minute apart, the last at 2026-05-20 08:30 UTC"


def test_each_user_has_a_memory_of_their_own(tmp_path: Path) -> None:
    content = json_lines([user("I live in Oslo", user="ana"), user("I live in Rome", user="eva")])
    assert values(attempt(tmp_path, content)) == {
        ("ana", "lives_in"): [("Oslo", "active")], ("eva", "lives_in"): [("Rome", "active")],
    }  # fmt: skip
    one = attempt(tmp_path, content, user="eva")
    assert (list(values(one)), one.inputs[0].others) == ([("eva", "lives_in")], 1)


def test_an_answer_without_a_user_belongs_to_the_one_before(tmp_path: Path) -> None:
    content = json_lines([user("I live in Oslo", user="ana"), {"role": "assistant", "content": "Fine"}])
    assert attempt(tmp_path, content).users == ("ana",)


def test_other_speakers_of_a_transcript_do_not_teach_about_the_user(tmp_path: Path) -> None:
    text = "[2026-01-05 10:00] Ana: I live in Delhi\n[2026-01-05 10:01] Bob: I live in Oslo\n"
    found = attempt(tmp_path, text)
    assert found.inputs[0].user_name == "Ana"
    assert [fact.text for fact in slot(found, "lives_in").now] == ["Delhi"]
    assert slot(found, "lives_in").user == "Ana"
    assert [fact.text for fact in slot(found, "lives_in", "Bob").now] == ["Oslo"]
    other = attempt(tmp_path, text, user="bob")
    assert [fact.text for fact in slot(other, "lives_in").now] == ["Oslo"]


class Scripted:
    """Proposes what a table says of a text; anything else is its error."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers

    def extract(self, request: Any) -> Sequence[Operation]:
        answer = self.answers[request.text]
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_what_does_not_count_is_grouped_by_its_reason(tmp_path: Path) -> None:
    says = {
        "I live in Oslo": [Operation("set", "lives_in", "Oslo", quote="I live in Rome")],
        "I live in Linz": [Operation("set", "lives_in", "Linz", quote="made up"),
                           Operation("set", "shoe_size", "43", quote="I live in Linz")],
        "I may live in Graz": [Operation("set", "lives_in", "Graz", quote="I may live", modality="hypothetical")],
    }  # fmt: skip
    found = attempt(tmp_path, json_lines([user(text) for text in says]), Scripted(says))
    groups = {one.reason: one for one in found.refusals}
    assert {reason: (one.outcome, one.count) for reason, one in groups.items()} == {
        "no_quote": ("refused", 2), "unknown_predicate": ("refused", 1), "hypothetical": ("refused", 1),
    }  # fmt: skip
    assert "not in the message" in groups["no_quote"].meaning
    assert [(one.operation, one.quote, one.where) for one in groups["no_quote"].examples] == [
        ("set lives_in = Oslo", "I live in Rome", "chats.jsonl:1"), ("set lives_in = Linz", "made up", "chats.jsonl:2"),
    ]  # fmt: skip
    assert [(one.predicate, one.count, one.examples) for one in found.unknown] == [("shoe_size", 1, ("43",))]
    assert (found.slots, found.admitted) == ((), 0)


def test_a_bad_answer_is_counted_and_the_rest_read(tmp_path: Path) -> None:
    says = {
        "I live in Oslo": ExtractorOutputError("no JSON in it"),
        "I live in Linz": [Operation("set", "lives_in", "Linz", quote="I live in Linz")],
    }
    found = attempt(tmp_path, json_lines([user(text) for text in says]), Scripted(says))
    assert values(found) == {("you", "lives_in"): [("Linz", "active")]}
    assert (found.cost.unanswered, found.cost.unread, found.stopped) == (1, 0, "")
    assert "no JSON in it" in found.cost.errors[0]


def test_a_provider_that_goes_away_leaves_what_was_read(tmp_path: Path) -> None:
    says = {
        "I live in Oslo": [Operation("set", "lives_in", "Oslo", quote="I live in Oslo")],
        "I live in Linz": ExtractorUnavailable("the day's calls are used up"),
        "I live in Graz": [],
    }
    dump = {"results": [{"memory": "I live in Graz"}]}
    found = attempt(tmp_path, json_lines([user(text) for text in says]), Scripted(says), dump=dump)
    assert values(found) == {("you", "lives_in"): [("Oslo", "active")]}
    assert "used up" in found.stopped
    assert (found.cost.unanswered, found.cost.unread) == (0, 3)  # a note of the dump too
    assert found.old is not None
    assert found.old.read == 0


def test_ctrl_c_leaves_what_was_read(tmp_path: Path) -> None:
    def extract(request: Any) -> Sequence[Operation]:
        if "Linz" in request.text:
            raise KeyboardInterrupt
        return [Operation("set", "lives_in", "Oslo", quote=request.text)]

    found = attempt(tmp_path, json_lines([user("I live in Oslo"), user("I live in Linz")]), extract)
    assert (values(found), found.stopped) == ({("you", "lives_in"): [("Oslo", "active")]}, "interrupted")


def test_what_an_extractor_says_it_used_is_told(tmp_path: Path) -> None:
    class Paid(Scripted):
        usage: ClassVar = {"calls": 1, "input_tokens": 100, "output_tokens": 7}

    says: dict[str, Any] = {"I live in Oslo": [], "I live in Linz": []}
    cost = attempt(tmp_path, json_lines([user(text) for text in says]), Paid(says)).cost
    assert (cost.requests, cost.input_tokens, cost.output_tokens, cost.is_estimated) == (2, 200, 14, False)


def test_a_limit_holds_over_all_files(tmp_path: Path) -> None:
    paths = [str(put(tmp_path, name, json_lines([user("a b"), user("c d")]))) for name in ("a", "b")]
    found = run(paths, OfflineExtractor(), small(tmp_path, limit=3))
    assert [one.messages for one in found.inputs] == [2, 1]


DUMP = {"results": [
    {"id": "m1", "memory": "Lives in Delhi", "created_at": "2026-01-06T09:00:00-08:00", "user_id": "ana"},
    {"id": "m2", "memory": "User moved to Bangalore", "created_at": "2026-03-02T09:00:00-08:00", "user_id": "ana"},
    {"id": "m3", "memory": "Likes chess", "created_at": "2026-03-02T09:00:00-08:00", "user_id": "ana"},
    {"id": "m4", "memory": "Asked about the weather", "created_at": "2026-03-02T09:00:00-08:00", "user_id": "ana"},
    {"id": "m5", "text": 5},
]}  # fmt: skip


def test_contradictions_of_the_old_store_are_found_and_settled_by_the_chats(tmp_path: Path) -> None:
    old = attempt(tmp_path, json_lines(MOVES), dump=DUMP).old
    assert old is not None
    (one,) = old.contradictions
    assert (one.user, one.predicate, one.holds) == ("you", "lives_in", "Bangalore")
    assert one.because == "“I moved to Bangalore” (chats.jsonl:3)"
    assert [(side.value, [memory.id for memory in side.memories]) for side in one.sides] == [
        ("Delhi", ["m1"]), ("Bangalore", ["m2"]),
    ]  # fmt: skip
    assert {memory.id: (memory.verdict, memory.ours) for memory in old.beside} == {
        "m1": ("outdated", "Bangalore"), "m2": ("agrees", "Bangalore"), "m3": ("alone", ""), "m4": ("unread", ""),
    }  # fmt: skip
    assert (old.memories, old.read, old.verdicts["agrees"]) == (4, 3, 1)
    assert [fault.why for fault in old.faults] == ['memory 5: it has no text under "memory"']


@pytest.mark.parametrize("wrap", [lambda items: items, lambda items: {"memories": items}])
def test_a_dump_alone_is_settled_by_its_own_times(wrap: Any, tmp_path: Path) -> None:
    path = put(tmp_path, "dump.json", json.dumps(wrap(DUMP["results"][:2])))
    found = run([], OfflineExtractor(), small(tmp_path), old=str(path))
    assert found.old is not None
    (one,) = found.old.contradictions
    assert (one.user, one.holds, one.because) == ("ana", "Bangalore", "the newest of these memories, of 2026-03-02")
    assert [memory.verdict for memory in found.old.beside] == ["outdated", "agrees"]


def test_several_people_of_an_old_store_stay_apart(tmp_path: Path) -> None:
    items = [{"memory": f"Lives in {city}", "user_id": who} for city, who in (("Oslo", "ana"), ("Rome", "eva"))]
    path = str(put(tmp_path, "dump.json", json.dumps(items)))
    old = run([], OfflineExtractor(), small(tmp_path), old=path).old
    assert old is not None
    assert (old.contradictions, [one.user for one in old.beside]) == ((), ["ana", "eva"])
    only = run([], OfflineExtractor(), small(tmp_path, user="eva"), old=path).old
    assert only is not None
    assert [(one.user, one.value) for one in only.beside] == [("eva", "Rome")]


def test_many_valued_attributes_do_not_contradict(tmp_path: Path) -> None:
    dump = [{"memory": "Likes chess"}, {"memory": "Likes jazz"}]
    old = attempt(tmp_path, json_lines(MOVES), dump=dump).old
    assert old is not None
    assert (old.contradictions, old.read) == ((), 2)


@pytest.mark.parametrize("content", ["{", '{"results": 5}', "17", '"x"'])
def test_what_is_no_dump_is_refused(content: str, tmp_path: Path) -> None:
    path = str(put(tmp_path, "dump.json", content))
    with pytest.raises(InvalidValueError, match=r"^dump.json: .*Memory.get_all\(\)"):
        run([], OfflineExtractor(), small(tmp_path), old=path)


def told(found: Findings) -> Findings:
    """What a run found, without what it cost."""
    return dataclasses.replace(found, cost=dataclasses.replace(found.cost, requests=0))


@pytest.mark.parametrize("extractor", [OfflineExtractor, FakeExtractor])
def test_a_replay_finds_what_the_recorded_run_found(extractor: Any, tmp_path: Path) -> None:
    content, cassette = json_lines([*MOVES, user("I'm moving to Rome next month"), user("  ")]), tmp_path / "c.jsonl"
    recorded = attempt(tmp_path, content, RecordingExtractor(extractor(), cassette), dump=DUMP)
    assert recorded.slots
    replayed = attempt(tmp_path, content, ReplayExtractor(cassette), dump=DUMP)
    assert told(replayed) == told(recorded)
    assert replayed.cost.unanswered == 0


def test_the_memory_can_be_kept_in_a_new_file_only(tmp_path: Path) -> None:
    kept = tmp_path / "kept.db"
    found = attempt(tmp_path, json_lines(MOVES), keep=str(kept))
    assert found.kept == str(kept)
    with Memory(kept, read_only=True) as mem:
        assert mem.get("you", "lives_in") == "Bangalore"
    before = kept.read_bytes()
    with pytest.raises(StoreError, match="exists"):
        attempt(tmp_path, json_lines(MOVES), keep=str(kept))
    assert kept.read_bytes() == before


def test_nothing_is_written_beside_the_files(tmp_path: Path) -> None:
    attempt(tmp_path, json_lines(MOVES), dump=DUMP)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chats.jsonl", "dump.json", "small.toml"]


def test_a_schema_of_ones_own_takes_the_place_of_the_ready_ones(tmp_path: Path) -> None:
    schema = put(tmp_path, "mine.toml", '[predicates.drink]\nexamples = ["I drink {value}"]\n')
    found = attempt(tmp_path, json_lines([user("I drink tea"), user("I live in Oslo")]), schemas=(str(schema),))
    assert values(found) == {("you", "drink"): [("tea", "active")]}


def test_secrets_are_replaced_and_counted(tmp_path: Path) -> None:
    found = attempt(tmp_path, json_lines([user("my key is AKIAIOSFODNN7EXAMPLE, thanks")]))
    assert sum(found.redactions.values()) == 1


def test_a_user_who_cannot_be_one_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidScopeError):
        attempt(tmp_path, json_lines(MOVES), user="x" * 10_000)


def test_names_in_files_that_are_no_names_are_left_out(tmp_path: Path) -> None:
    content = json_lines([user("I live in Oslo", user=" "), user("I live in Rome", user="e\0va")])
    assert attempt(tmp_path, content).users == ("you",)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match=r"nothing.txt can't be read: No such file"):
        run([str(tmp_path / "nothing.txt")], OfflineExtractor(), small(tmp_path))


def test_a_file_in_which_nothing_can_be_read_names_its_first_fault(tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match=r"no message could be read: chats.jsonl:1: it has no role"):
        attempt(tmp_path, '{"a": 1}\n{"a": 2}\n')


def test_every_reading_reports_how_far_it_is(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    path = str(put(tmp_path, "c", json_lines(MOVES)))
    run([path], OfflineExtractor(), small(tmp_path), progress=lambda *step: seen.append(step))
    assert seen == [("read", 1, 2), ("read", 2, 2)]


def test_a_long_file_is_read_in_parts_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = [user(f"I live in {('Oslo', 'Rome')[day % 2]}", f"2026-01-01T10:{day:02}:00Z") for day in range(9)]
    whole = attempt(tmp_path, json_lines(messages))
    monkeypatch.setattr("tensemem.trial.playing._CHUNK", 2)
    assert told(attempt(tmp_path, json_lines(messages))) == told(whole)
    assert len(slot(whole, "lives_in").facts) == 9


def test_what_was_not_reached_is_counted_behind_the_part_that_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensemem.trial.playing._CHUNK", 2)
    says = {"I live in Oslo": [], "I live in Linz": ExtractorUnavailable("away")}
    messages = [user(text) for text in says] + [user(f"number {number}") for number in range(5)]
    found = attempt(tmp_path, json_lines(messages), Scripted(says))
    assert (found.cost.asked, found.cost.unread, found.inputs[0].messages) == (1, 6, 7)
