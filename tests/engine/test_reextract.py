"""Reextracting: the difference before anything is written, and what of the old stays."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tensemem import Memory, Operation
from tensemem.errors import (
    ConflictError,
    ExtractorError,
    ExtractorUnavailable,
    InvalidTimeError,
    InvalidValueError,
)
from tests.engine.bench import Clock, Told, day, lives, opened, refused, revs, speaks

DELHI, PUNE, HINDI = "I live in Delhi", "moved to Pune", "I speak Hindi"


class Model(Told):
    """An extractor that names its model, as those of providers do."""

    name = "model"

    def __init__(self, model: str, answers: dict[str, Any]) -> None:
        super().__init__()
        self.model = model
        self.answers = answers


@pytest.fixture
def old() -> Model:
    return Model("old", {DELHI: [lives("Delhi")], HINDI: [speaks("Hindi")]})


@pytest.fixture
def new() -> Model:
    return Model("new", {DELHI: [lives("Delhi")], PUNE: [lives("Pune")], HINDI: [speaks("Hindi")]})


@pytest.fixture
def mem(old: Model) -> Iterator[Memory]:
    with opened(llm=old) as mem:
        for number, text in enumerate((DELHI, PUNE, HINDI)):
            mem.add("ann", text, said_at=day(-9 + number))
        mem.flush()
        yield mem


def test_a_dry_run_tells_the_difference_and_writes_nothing(mem: Memory, new: Model) -> None:
    with refused_nothing(mem):
        diff = mem.reextract("ann", new)
    assert [(before.value, after.value) for before, after in diff.changed] == [("Delhi", "Pune")]
    assert (diff.added, diff.removed, diff.applied) == ((), (), False)
    assert diff.seqs == (1, 2, 3)
    assert [decision.outcome for decision in diff.decisions] == ["admitted"] * 3
    assert [body["predicate"] for body in diff.proposals] == ["lives_in", "lives_in", "languages"]
    assert mem.get("ann", "lives_in") == "Delhi"


def shown_id(mem: Memory) -> str:
    fact = mem.state("ann").fact("lives_in")
    assert fact is not None
    return fact.id


class refused_nothing:  # noqa: N801 (reads as a word)
    """What is done inside leaves the logs as they were."""

    def __init__(self, mem: Memory) -> None:
        self._mem = mem

    def __enter__(self) -> None:
        self._before = revs(self._mem)

    def __exit__(self, *_: object) -> None:
        assert revs(self._mem) == self._before


def test_what_a_dry_run_found_is_written_as_it_is_without_asking_again(mem: Memory, new: Model) -> None:
    diff = mem.reextract("ann", new)
    asked = len(new.asked)
    done = mem.reextract("ann", diff, dry_run=False)
    assert done.applied
    assert len(new.asked) == asked
    assert mem.state("ann").values == {"lives_in": "Pune", "languages": ("Hindi",)}
    assert mem.verify().identical


def test_applied_at_once_it_gives_the_same_difference(mem: Memory, new: Model) -> None:
    before = mem.reextract("ann", new)
    applied = mem.reextract("ann", new, dry_run=False)
    assert applied == replace(before, applied=True)
    assert mem.get("ann", "lives_in") == "Pune"


def test_the_old_extractions_stay_and_the_past_does_not_move(mem: Memory, new: Model) -> None:
    rev = mem.state("ann").rev
    mem.reextract("ann", new, dry_run=False)
    assert mem.get("ann", "lives_in", known_at=rev) == "Delhi"
    assert len(mem.decisions("ann", 2)) == 1
    assert mem.explain(shown_id(mem)).steps[-1].extractor in ("model", "")
    old_id = mem.history("ann", "lives_in", known_at=rev).facts[0].id
    assert mem.explain(old_id).fact.value == "Delhi"


def test_a_correction_stays_whatever_another_model_reads(mem: Memory, new: Model) -> None:
    new.answers[HINDI] = [lives("Delhi", quote="speak")]
    mem.correct(shown_id(mem))
    assert mem.get("ann", "lives_in") is None
    mem.reextract("ann", new, dry_run=False)
    assert mem.get("ann", "lives_in") == "Pune"
    assert mem.verify().identical


def test_a_model_that_reads_less_takes_its_own_away_and_nothing_else(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Oslo", said_at=day(-5))
    silent = Model("silent", {})
    diff = mem.reextract("ann", silent, dry_run=False)
    assert [fact.value for fact in diff.removed] == ["Hindi"]
    assert mem.state("ann").values == {"lives_in": "Oslo"}
    assert mem.verify().identical


def test_what_the_same_model_and_prompt_read_last_is_not_asked_again(mem: Memory, new: Model, old: Model) -> None:
    assert mem.reextract("ann", old).seqs == ()
    mem.reextract("ann", new, dry_run=False, limit=2)
    assert new.asked == [DELHI, PUNE]
    assert mem.reextract("ann", new, dry_run=False).seqs == (3,)
    assert mem.reextract("ann", new, dry_run=False).seqs == ()
    assert mem.reextract("ann", old).seqs == (1, 2, 3)


def test_who_names_neither_model_nor_prompt_is_asked_about_all(mem: Memory) -> None:
    told = Told()
    mem.reextract("ann", told, dry_run=False)
    assert mem.reextract("ann", told).seqs == (1, 2, 3)


def test_a_seq_a_moment_and_a_number_bound_it(mem: Memory, new: Model) -> None:
    assert mem.reextract("ann", new, from_seq=2).seqs == (2, 3)
    assert mem.reextract("ann", new, since=day(-7)).seqs == (3,)
    assert mem.reextract("ann", new, limit=1).seqs == (1,)
    assert mem.reextract("ann", new, from_seq=9).seqs == ()
    assert mem.reextract("nobody", new).seqs == ()


def test_what_waits_was_dismissed_or_written_is_not_asked_about(mem: Memory, new: Model) -> None:
    mem.add("ann", "one more")
    mem.dismiss("ann", mem.add("ann", "and another").seq)
    mem.set("ann", "lives_in", "Oslo")
    assert mem.reextract("ann", new).seqs == (1, 2, 3)


def test_a_bad_answer_leaves_the_message_as_it_is(mem: Memory, new: Model) -> None:
    new.answers[DELHI] = ExtractorError("gibberish")
    diff = mem.reextract("ann", new, dry_run=False)
    assert (diff.seqs, diff.failed_seqs) == ((2, 3), (1,))
    assert [fact.value for fact in mem.history("ann", "lives_in").facts] == ["Delhi", "Pune"]


def test_where_the_provider_goes_away_what_was_written_stays_and_the_rest_is_taken_up(mem: Memory, new: Model) -> None:
    new.answers[HINDI] = ExtractorUnavailable("away")
    with pytest.raises(ExtractorUnavailable, match="away; 2 of 3 messages were done"):
        mem.reextract("ann", new, dry_run=False)
    assert mem.get("ann", "lives_in") == "Pune"
    new.answers[HINDI] = [speaks("Hindi")]
    assert mem.reextract("ann", new, dry_run=False).seqs == (3,)


def test_several_messages_are_asked_about_together(mem: Memory, new: Model) -> None:
    class Several:
        name, model, max_messages = "several", "wide", 2

        def __init__(self) -> None:
            self.asked: list[int] = []

        def extract(self, request: Any) -> list[Operation]:
            self.asked.append(len(request.messages))
            if len(request.messages) > 1 and any("Hindi" in message.content for message in request.messages):
                raise ExtractorError("gibberish")
            places: dict[str, Callable[..., Operation]] = {"Delhi": lives, "Pune": lives, "Hindi": speaks}
            words = [(n, m.content, m.content.rpartition(" ")[2]) for n, m in enumerate(request.messages)]
            return [places[word](word, quote=text, message=n) for n, text, word in words]

    several = Several()
    assert mem.plan_reextract("ann", several).requests == 2
    diff = mem.reextract("ann", several, from_seq=2)
    assert several.asked == [2, 1, 1]
    assert diff.seqs == (2, 3)
    assert [(before.value, after.value) for before, after in diff.changed] == [("Delhi", "Pune")]


def test_a_plan_tells_the_cost_and_asks_nobody(mem: Memory, new: Model) -> None:
    plan = mem.plan_reextract("ann", new, limit=2)
    assert (plan.messages, plan.requests) == (2, 2)
    assert 0 < plan.tokens < 30
    assert new.asked == []


def test_progress_is_told_as_it_goes(mem: Memory, new: Model) -> None:
    heard: list[tuple[int, int]] = []
    mem.on(lambda event, told: heard.append((told["done"], told["messages"])) if event == "reextracted" else None)
    mem.reextract("ann", new)
    assert heard == [(1, 3), (2, 3), (3, 3)]


def test_a_difference_that_is_no_longer_true_is_refused_whole(mem: Memory, new: Model) -> None:
    diff = mem.reextract("ann", new)
    mem.reextract("ann", Model("other", {}), dry_run=False, from_seq=3)
    with refused(mem, ConflictError, match="message 3"):
        mem.reextract("ann", diff, dry_run=False)
    assert mem.get("ann", "lives_in") == "Delhi"


def test_a_difference_belongs_to_its_scope_and_is_written_on_purpose(mem: Memory, new: Model) -> None:
    diff = mem.reextract("ann", new)
    mem.add("bob", "hello there")
    with refused(mem, InvalidValueError, match="another scope"):
        mem.reextract("bob", diff, dry_run=False)
    with refused(mem, InvalidValueError, match="dry_run=False"):
        mem.reextract("ann", diff)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"from_seq": "1"}, InvalidValueError),
        ({"from_seq": -1}, InvalidValueError),
        ({"limit": 0}, InvalidValueError),
        ({"since": "some day"}, InvalidTimeError),
        ({"dry_run": None}, InvalidValueError),
    ],
)
def test_what_cannot_bound_it_is_refused(mem: Memory, new: Model, arguments: dict[str, Any], error: Any) -> None:
    with refused(mem, error):
        mem.reextract("ann", new, **arguments)
    assert new.asked == []


def test_what_is_no_extractor_is_refused(mem: Memory) -> None:
    with refused(mem, ExtractorError):
        mem.reextract("ann", 7)
    with refused(mem, ExtractorError):
        mem.plan_reextract("ann", None)


def test_what_was_used_is_told_kept_and_summed_up(mem: Memory, new: Model) -> None:
    new.usage = {"calls": 1, "input_tokens": 100, "output_tokens": 7, "seconds": 0.25}  # type: ignore[attr-defined]
    assert mem.reextract("ann", new).usage == {"calls": 3, "input_tokens": 300, "output_tokens": 21, "seconds": 0.75}
    assert mem.stats()["usage"] == []
    mem.reextract("ann", new, dry_run=False)
    (used,) = mem.stats()["usage"]
    assert used == {
        "extractor": "model", "model": "new", "calls": 3, "input_tokens": 300, "output_tokens": 21, "seconds": 0.75,
    }  # fmt: skip


def test_a_user_may_talk_on_while_another_model_reads(mem: Memory, clock: Clock) -> None:
    class Slow(Model):
        def extract(self, request: Any) -> Any:
            if len(self.requests) == 1:
                mem.set("ann", "lives_in", "Oslo")
            return super().extract(request)

    slow = Slow("slow", {PUNE: [lives("Pune")]})
    diff = mem.reextract("ann", slow, dry_run=False)
    assert [(before.value, after.value) for before, after in diff.changed] == [("Delhi", "Pune")]
    assert mem.get("ann", "lives_in") == "Oslo"
    assert mem.verify().identical


def test_two_at_once_leave_one_of_them_and_a_sound_log(mem: Memory) -> None:
    meet = threading.Barrier(2, timeout=30)

    class Meeting(Model):
        def extract(self, request: Any) -> Any:
            if not self.requests:
                meet.wait()
            return super().extract(request)

    ends: list[Any] = []

    def ask(model: str) -> None:
        try:
            ends.append(mem.reextract("ann", Meeting(model, {DELHI: [lives(model)]}), dry_run=False))
        except ConflictError as error:
            ends.append(error)

    threads = [threading.Thread(target=ask, args=(model,)) for model in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sum(isinstance(end, ConflictError) for end in ends) <= 1
    assert len(ends) == 2
    assert mem.verify().identical


def test_what_a_bad_answer_cost_is_summed_up_too() -> None:
    error = ExtractorError("gibberish")
    error.usage = {"calls": 2, "input_tokens": 240}
    away = ExtractorUnavailable("away")
    away.usage = {"calls": 0}
    with opened(llm=Model("costly", {DELHI: error, PUNE: away})) as mem:
        mem.add("ann", DELHI)
        mem.add("bob", PUNE)
        with pytest.raises(ExtractorUnavailable):
            mem.flush()
        (used,) = mem.stats()["usage"]
        assert (used["model"], used["calls"], used["input_tokens"]) == ("costly", 2, 240)


def test_a_conditional_write_sees_what_another_model_took_away(mem: Memory) -> None:
    seen = mem.state("ann").rev
    mem.reextract("ann", Model("silent", {HINDI: [speaks("Hindi")]}), dry_run=False)
    assert mem.get("ann", "lives_in") is None
    with refused(mem, ConflictError, match="read it again"):
        mem.set("ann", "lives_in", "Oslo", expected_rev=seen)
    mem.set("ann", "lives_in", "Oslo", expected_rev=mem.state("ann").rev)
    mem.reextract("ann", Model("third", {HINDI: [speaks("Hindi")]}), dry_run=False)
    with refused(mem, ConflictError):  # said again, by another extraction
        mem.add_value("ann", "languages", "Go", expected_rev=seen)


def test_a_conditional_write_to_another_slot_is_not_disturbed(mem: Memory) -> None:
    seen = mem.state("ann").rev
    mem.reextract("ann", Model("silent", {HINDI: [speaks("Hindi")]}), dry_run=False, limit=1)
    mem.add_value("ann", "languages", "Go", expected_rev=seen)


def test_a_conditional_write_is_not_disturbed_by_what_an_older_extraction_said(mem: Memory) -> None:
    mem.reextract("ann", Model("silent", {}), dry_run=False)
    seen = mem.state("ann").rev
    mem.reextract("ann", Model("other", {DELHI: [speaks("Hindi", quote="Delhi")]}), dry_run=False, limit=1)
    mem.set("ann", "lives_in", "Oslo", expected_rev=seen)
    with refused(mem, ConflictError):
        mem.add_value("ann", "languages", "Go", expected_rev=seen)


def test_changes_tell_what_each_model_changed_whatever_part_is_asked_for(mem: Memory, new: Model) -> None:
    start = mem.state("ann").rev
    mem.reextract("ann", new, dry_run=False)
    mem.reextract("ann", Model("silent", {}), dry_run=False)
    every = mem.changes("ann")
    told = [(change.kind, change.value) for change in every]
    assert told[:2] == [("began", "Delhi"), ("began", "Hindi")]
    assert ("began", "Pune") in told
    assert told[-1] == ("ended", "Hindi")
    for limit in range(1, len(every) + 1):
        found = mem.changes("ann", limit=limit)
        assert found == every[: len(found)]
        assert len(found) >= limit
    assert mem.changes("ann", start) == tuple(change for change in every if change.rev > start)


def test_changes_tell_of_what_was_refused_or_replaced_and_then_read_again(mem: Memory) -> None:
    unknown = Operation("set", "no such predicate", "x", quote="live")
    refused_one = lives("Rome", quote="not there")
    readings = [[lives("Delhi"), unknown, refused_one], [], [unknown, refused_one], [refused_one], [lives("Delhi")]]
    for number, reading in enumerate(readings):
        start = mem.state("ann").rev
        mem.reextract("ann", Model(f"m{number}", {DELHI: reading, PUNE: [lives("Pune")]}), dry_run=False, limit=2)
        if number == 0:
            mem.correct(shown_id(mem), "Oslo")  # Pune, said later, was wrong
        assert mem.changes("ann", start) == tuple(change for change in mem.changes("ann") if change.rev > start)
        assert mem.get("ann", "lives_in") == "Oslo"
        assert mem.verify().identical
    assert ("began", "Oslo") in [(change.kind, change.value) for change in mem.changes("ann")]
