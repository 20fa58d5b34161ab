"""Reextracting where it breaks off, where others write meanwhile, and where an answer is no good."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Message, Operation
from tensemem.engine import encoding, reextract, reproject
from tensemem.errors import ConflictError, ExtractorError, ExtractorUnavailable, StoreError
from tests.engine.bench import ANN, day, lives, opened, refused, revs

TOWNS = ("Delhi", "Pune", "Oslo")


class Reader:
    """An extractor that names its model: the last word is a town. ``before`` is called with what is asked about."""

    name = "reader"

    def __init__(self, model: str | None, *, most: int = 1) -> None:
        self.model, self.max_messages = model, most
        self.asked: list[list[str]] = []
        self.before: Any = None
        self.usage: dict[str, Any] | None = None

    def extract(self, request: Any) -> list[Operation]:
        texts = [message.content for message in request.messages]
        self.asked.append(texts)
        if self.before is not None:
            self.before(texts)
        return [lives(text.rpartition(" ")[2], quote=text, message=n) for n, text in enumerate(texts)]


def text_of(town: str) -> str:
    return f"I live in {town}"


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[Memory]:
    """Three messages, read by a model that found nothing in them."""
    with opened(tmp_path / "m.db", llm=lambda request: []) as mem:
        for number, town in enumerate(TOWNS):
            mem.add("ann", text_of(town), said_at=day(-9 + number))
        mem.flush()
        yield mem


def extractions(mem: Memory) -> list[tuple[int, int]]:
    """The seq and number of every extraction in the log."""
    with mem._engine.store.read() as reader:
        head = reader.head(ANN)
        assert head is not None
        return sorted((entry.seq, entry.extraction) for entry in reader.entries(head.id) if entry.kind == "extraction")


def used(mem: Memory, model: str) -> tuple[int, int]:
    """The calls and tokens that are kept of a model."""
    found = [row for row in mem.stats()["usage"] if row["model"] == model]
    return sum(row["calls"] for row in found), sum(row["input_tokens"] for row in found)


# --- writing what a dry run found -----------------------------------------------------------------------------------


def failing_at(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the projection fail in one of the transactions to come."""
    count = 0
    project = reproject.project_again

    def counted(*arguments: Any) -> None:
        nonlocal count
        count += 1
        if count == number:
            raise StoreError("the disk is full")
        project(*arguments)

    monkeypatch.setattr(reextract, "project_again", counted)


def test_writing_a_difference_that_broke_off_is_ended_by_the_same_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(llm=lambda request: []) as mem:
        list(mem.add_many(Message("ann", text_of(f"T{number:03}")) for number in range(150)))
        mem.flush()
        new = Reader("new")
        new.usage = {"calls": 1, "input_tokens": 10}
        diff = mem.reextract("ann", new)
        failing_at(2, monkeypatch)
        with pytest.raises(StoreError):
            mem.reextract("ann", diff, dry_run=False)
        again = {seq for seq, number in extractions(mem) if number == 2}
        assert again == set(range(1, 101))
        assert mem.verify().identical
        assert mem.reextract("ann", diff, dry_run=False).applied
        assert extractions(mem) == sorted((seq, number) for seq in range(1, 151) for number in (1, 2))
        assert mem.get("ann", "lives_in") == "T149"
        assert used(mem, "new") == (150, 1500)
        assert len(new.asked) == 150
        assert mem.verify().identical


def test_a_difference_that_is_written_already_is_not_written_twice(mem: Memory) -> None:
    diff = mem.reextract("ann", Reader("new"))
    mem.reextract("ann", diff, dry_run=False)
    before = revs(mem)
    assert mem.reextract("ann", diff, dry_run=False).applied
    assert revs(mem) == before


def test_where_another_model_was_asked_after_it_broke_off_the_rest_is_refused(
    mem: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reextract, "AT_ONCE", 1)
    diff = mem.reextract("ann", Reader("new"))
    failing_at(3, monkeypatch)
    with pytest.raises(StoreError):
        mem.reextract("ann", diff, dry_run=False)
    mem.reextract("ann", Reader("newest"), dry_run=False, limit=1)
    with refused(mem, ConflictError, match="message 1"):
        mem.reextract("ann", diff, dry_run=False)


def test_another_extraction_of_the_same_number_is_no_part_of_a_difference(mem: Memory) -> None:
    diff = mem.reextract("ann", Reader("new"))
    mem.reextract("ann", Reader("other"), dry_run=False, from_seq=2)
    with refused(mem, ConflictError, match="message 2"):
        mem.reextract("ann", diff, dry_run=False)


def test_what_is_extracted_again_between_two_transactions_is_refused_in_the_second(
    mem: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reextract, "AT_ONCE", 2)
    diff = mem.reextract("ann", Reader("new"))
    write = reextract._write

    def meanwhile(engine: Any, scope: Any, made: Any, is_wanted: Any) -> Any:
        kept = write(engine, scope, made, is_wanted)
        monkeypatch.setattr(reextract, "_write", write)
        mem.reextract("ann", Reader("other"), dry_run=False, from_seq=3)
        return kept

    monkeypatch.setattr(reextract, "_write", meanwhile)
    with pytest.raises(ConflictError, match="message 3"):
        mem.reextract("ann", diff, dry_run=False)
    assert extractions(mem) == sorted((seq, number) for seq in (1, 2, 3) for number in (1, 2))
    assert mem.verify().identical


# --- what others do meanwhile -----------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 3])
def test_a_message_extracted_again_while_it_is_asked_about_keeps_the_newest(mem: Memory, most: int) -> None:
    slow = Reader("slow", most=most)
    slow.usage = {"calls": 1, "input_tokens": 10}
    quick = Reader("quick")

    def meanwhile(texts: list[str]) -> None:
        slow.before = None
        mem.reextract("ann", quick, dry_run=False, limit=1)

    slow.before = meanwhile
    done = mem.reextract("ann", slow, dry_run=False)
    assert (done.seqs, done.failed_seqs) == ((2, 3), ())
    assert extractions(mem) == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]
    assert mem.reextract("ann", quick).seqs == (2, 3)  # the first was read by it
    calls = 3 // most
    assert used(mem, "slow") == (calls, 10 * calls)
    assert done.usage == {"calls": calls, "input_tokens": 10 * calls}
    assert mem.verify().identical


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_message_extracted_again_before_its_turn_is_not_asked_about(mem: Memory, dry_run: bool) -> None:
    slow = Reader("slow")

    def meanwhile(texts: list[str]) -> None:
        slow.before = None
        mem.reextract("ann", Reader("quick"), dry_run=False, from_seq=2, limit=1)

    heard: list[int] = []
    mem.on(lambda event, told: heard.append(told["done"]) if event == "reextracted" else None)
    slow.before = meanwhile
    done = mem.reextract("ann", slow, dry_run=dry_run)
    assert slow.asked == [[text_of("Delhi")], [text_of("Oslo")]]
    assert done.seqs == (1, 3)
    assert heard == [1, 1, 2, 3]  # the first of them is the quick one's


@pytest.mark.of_files
@pytest.mark.parametrize("most", [1, 2])
def test_what_is_erased_before_its_turn_is_sent_to_nobody(mem: Memory, tmp_path: Path, most: int) -> None:
    new = Reader("new", most=most)

    def erase(texts: list[str]) -> None:
        new.before = None
        with sqlite3.connect(tmp_path / "m.db") as file:
            file.execute("DELETE FROM entries WHERE kind = 'message' AND seq = 3")
        file.close()

    new.before = erase
    mem.reextract("ann", new, dry_run=False)
    assert not any("Oslo" in text for texts in new.asked for text in texts)
    assert (3, 2) not in extractions(mem)


@pytest.mark.of_files
def test_what_is_erased_while_it_is_asked_about_is_not_kept(mem: Memory, tmp_path: Path) -> None:
    new = Reader("new")

    def erase(texts: list[str]) -> None:
        if "Oslo" in texts[0]:
            with sqlite3.connect(tmp_path / "m.db") as file:
                file.execute("DELETE FROM entries WHERE kind = 'message' AND seq = 3")
            file.close()

    new.before = erase
    assert mem.reextract("ann", new, dry_run=False).seqs == (1, 2)
    assert (3, 2) not in extractions(mem)


# --- answers that are no good -----------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("dry_run", [False, True])
def test_an_answer_that_cannot_be_kept_is_a_bad_answer_of_its_message_alone(
    mem: Memory, most: int, dry_run: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded = encoding.encoded

    def failing(engine: Any, operations: Any) -> Any:
        if any(operation.value == "Pune" for operation in operations):
            raise RecursionError("too deep")
        return encoded(engine, operations)

    monkeypatch.setattr(reextract, "encoded", failing)
    new = Reader("new", most=most)
    new.usage = {"calls": 1, "input_tokens": 10}
    done = mem.reextract("ann", new, dry_run=dry_run)
    assert (done.seqs, done.failed_seqs) == ((1, 3), (2,))
    calls = len(new.asked)
    assert calls == (3 if most == 1 else 4)
    assert done.usage == {"calls": calls, "input_tokens": 10 * calls}
    assert used(mem, "new") == ((0, 0) if dry_run else (calls, 10 * calls))
    assert mem.verify().identical


def test_a_store_that_fails_is_no_bad_answer(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_at(2, monkeypatch)
    with pytest.raises(StoreError, match="disk"):
        mem.reextract("ann", Reader("new"), dry_run=False)
    assert mem.reextract("ann", Reader("new"), dry_run=False).seqs == (2, 3)


def costly(error: ExtractorError) -> ExtractorError:
    error.usage = {"calls": 2, "input_tokens": 240}
    return error


@pytest.mark.parametrize("dry_run", [False, True])
def test_what_a_bad_answer_cost_is_told_and_kept(mem: Memory, dry_run: bool) -> None:
    new = Reader("new")
    new.usage = {"calls": 1, "input_tokens": 10}

    def gibberish(texts: list[str]) -> None:
        if "Pune" in texts[0]:
            raise costly(ExtractorError("gibberish"))

    new.before = gibberish
    done = mem.reextract("ann", new, dry_run=dry_run)
    assert done.failed_seqs == (2,)
    assert done.usage == {"calls": 4, "input_tokens": 260}
    assert used(mem, "new") == ((0, 0) if dry_run else (4, 260))


def test_what_was_used_until_the_provider_went_away_is_kept(mem: Memory) -> None:
    new = Reader("new")
    new.usage = {"calls": 1, "input_tokens": 10}

    def away(texts: list[str]) -> None:
        if "Pune" in texts[0]:
            raise costly(ExtractorUnavailable("away"))

    new.before = away
    with pytest.raises(ExtractorUnavailable, match=r"away; 1 of 3 messages were done$") as raised:
        mem.reextract("ann", new, dry_run=False)
    assert raised.value.usage == {"calls": 2, "input_tokens": 240}
    assert used(mem, "new") == (3, 250)


def test_who_names_neither_model_nor_prompt_is_told_where_to_go_on(mem: Memory) -> None:
    nameless = Reader(None)

    def away(texts: list[str]) -> None:
        if "Pune" in texts[0]:
            raise ExtractorUnavailable("away")

    nameless.before = away
    with pytest.raises(ExtractorUnavailable, match=r"were done$"):
        mem.reextract("ann", nameless)
    with pytest.raises(ExtractorUnavailable, match=r"neither its model nor its prompt.*from_seq=2$"):
        mem.reextract("ann", nameless, dry_run=False)
    nameless.before = None
    assert mem.reextract("ann", nameless, dry_run=False, from_seq=2).seqs == (2, 3)
    assert mem.get("ann", "lives_in") == "Oslo"
