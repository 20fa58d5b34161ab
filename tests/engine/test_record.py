"""What comes in: times, duplicates, batches, and what is not extracted at all."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Message
from tensemem.errors import (
    ContentTooLargeError,
    FutureTimestampError,
    IdempotencyConflictError,
    InvalidTimeError,
    InvalidValueError,
)
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.moment import to_datetime
from tests.engine.bench import ANN, Clock, Told, day, lives, opened, refused, revs


def entries(mem: Memory) -> list[Entry]:
    with mem._engine.store.read() as reader:
        head = reader.head(ANN)
        return [] if head is None else list(reader.entries(head.id))


def said(mem: Memory) -> list[datetime]:
    return [to_datetime(entry.said_at) for entry in entries(mem) if entry.kind is not EntryKind.SKIP]


TICK = timedelta(microseconds=1)


def test_what_is_said_at_one_moment_of_the_clock_is_said_one_after_the_other(mem: Memory) -> None:
    mem.add("ann", "one")
    mem.set("ann", "lives_in", "Delhi")
    mem.add("ann", "two")
    assert said(mem) == [day(0), day(0) + TICK, day(0) + 2 * TICK]


def test_a_clock_that_steps_back_reorders_nothing(mem: Memory, clock: Clock) -> None:
    clock.now = day(5)
    mem.set("ann", "lives_in", "Delhi")
    clock.now = day(3)
    mem.set("ann", "lives_in", "Pune")
    assert said(mem) == [day(5), day(5) + TICK]
    assert [entry.recorded_at for entry in entries(mem)] == sorted(entry.recorded_at for entry in entries(mem))
    assert mem.get("ann", "lives_in") == "Pune"


def test_now_is_the_later_of_the_clock_and_the_last_assigned_time(mem: Memory, clock: Clock) -> None:
    clock.now = day(5)
    mem.set("ann", "lives_in", "Delhi")
    clock.now = day(3)
    assert mem.state("ann").at == day(5)
    clock.now = day(7)
    assert mem.state("ann").at == day(7)


def test_a_time_given_in_the_past_moves_no_assigned_time(mem: Memory) -> None:
    mem.add("ann", "old", said_at=day(-30))
    mem.add("ann", "new")
    assert said(mem) == [day(-30), day(0)]


def test_a_time_given_may_lie_five_minutes_ahead_and_what_follows_comes_after_it(mem: Memory) -> None:
    ahead = day(0) + timedelta(minutes=5)
    mem.add("ann", "soon", said_at=ahead)
    mem.add("ann", "next")
    assert said(mem) == [ahead, ahead + TICK]


@pytest.mark.parametrize("verb", ["add", "set", "write", "correct", "review", "reinstate", "confirm"])
def test_a_time_further_ahead_is_refused(mem: Memory, verb: str) -> None:
    fact_id = mem.set("ann", "lives_in", "Delhi").fact_id or ""
    ahead = day(0) + timedelta(minutes=5, microseconds=1)
    calls: dict[str, Any] = {
        "add": lambda: mem.add("ann", "soon", said_at=ahead),
        "set": lambda: mem.set("ann", "lives_in", "Pune", said_at=ahead),
        "write": lambda: mem.write("ann", [lives("Pune")], said_at=ahead),
        "confirm": lambda: mem.confirm("ann", "lives_in", said_at=ahead),
        "correct": lambda: mem.correct(fact_id, said_at=ahead),
        "review": lambda: mem.review(candidate(mem), said_at=ahead),
        "reinstate": lambda: mem.reinstate(corrected(mem), said_at=ahead),
    }
    if verb == "review":
        candidate(mem)
    if verb == "reinstate":
        corrected(mem)
    with refused(mem, FutureTimestampError):
        calls[verb]()


def candidate(mem: Memory) -> str:
    """The id of something that waits for review."""
    if not mem.state("ann").candidates:
        mem.write("ann", [lives("Oslo", modality="reported")])
    return mem.state("ann").candidates[0].id


def corrected(mem: Memory) -> str:
    found = [fact for fact in mem.history("ann") if str(fact.status) == "corrected"]
    if found:
        return found[0].id
    fact_id = mem.state("ann").facts[0].id
    mem.correct(fact_id)
    return fact_id


def test_a_time_without_a_zone_is_read_in_the_memorys_zone() -> None:
    with opened(tz="Asia/Kolkata", clock=Clock(day(2))) as mem:
        mem.add("ann", "noon", said_at="2026-01-02T12:00")
        assert said(mem) == [datetime.fromisoformat("2026-01-02T06:30+00:00")]


# --- duplicates ---------------------------------------------------------------------------------------------------


def test_the_same_message_at_the_same_given_time_is_one(mem: Memory) -> None:
    first = mem.add("ann", "I live in Delhi", said_at=day(-1), session_id="s", speaker=None)
    before = revs(mem)
    again = mem.add("ann", "I live in Delhi", said_at=day(-1), session_id="s")
    assert (first.duplicate, again.duplicate) == (False, True)
    assert (again.seq, again.seqs) == (first.seq, (first.seq,))
    assert revs(mem) == before


@pytest.mark.parametrize(
    "other",
    [
        {"role": "assistant"}, {"session_id": "t"}, {"speaker": "guest"}, {"said_at": day(-2)},
        {"content": "I live here"},
    ],
    ids=["role", "conversation", "speaker", "time", "text"],
)
def test_another_role_speaker_conversation_time_or_text_is_new(mem: Memory, other: dict[str, Any]) -> None:
    same: dict[str, Any] = {"content": "I live in Delhi", "said_at": day(-1), "session_id": "s"}
    mem.add("ann", **same)
    assert not mem.add("ann", **{**same, **other}).duplicate


def test_the_same_words_at_no_given_time_are_new_evidence(mem: Memory) -> None:
    assert mem.add("ann", "I live in Delhi").seq == 1
    again = mem.add("ann", "I live in Delhi")
    assert (again.seq, again.duplicate) == (2, False)


def test_a_duplicate_tells_whether_the_message_is_settled(mem: Memory) -> None:
    mem.add("ann", "hello there", said_at=day(-1))
    assert not mem.add("ann", "hello there", said_at=day(-1)).settled
    mem.flush()
    assert mem.add("ann", "hello there", said_at=day(-1)).settled


def test_another_users_same_message_is_theirs(mem: Memory) -> None:
    mem.add("ann", "hello there", said_at=day(-1))
    assert not mem.add("bob", "hello there", said_at=day(-1)).duplicate


def test_a_key_used_for_another_message_is_refused(mem: Memory) -> None:
    mem.add("ann", "hello there", idempotency_key="k")
    assert mem.add("ann", "hello there", idempotency_key="k").duplicate
    with refused(mem, IdempotencyConflictError):
        mem.add("ann", "good bye", idempotency_key="k")


# --- lists and batches --------------------------------------------------------------------------------------------


def test_a_conversation_is_added_as_a_whole(mem: Memory) -> None:
    receipt = mem.add("ann", [
        {"role": "user", "content": "I live in Delhi"},
        {"role": "assistant", "content": "Nice!"},
        {"role": "user", "content": [{"type": "text", "text": "since May"}, {"type": "image_url", "image_url": "x"}]},
    ])  # fmt: skip
    assert (receipt.seq, receipt.seqs) == (3, (1, 2, 3))
    assert [entry.body["content"] for entry in entries(mem) if entry.kind is EntryKind.MESSAGE] == [
        "I live in Delhi", "Nice!", "since May"
    ]  # fmt: skip
    assert mem.state("ann").freshness.pending == 2


@pytest.mark.parametrize(
    "bad",
    [{"role": "boss", "content": "x"}, {"role": "user", "content": 7}, {"role": "user", "content": "a\0b"},
     {"role": "user", "content": "x", "said_at": "2026-13-45"}, {"role": "user", "content": "x", "metadata": [1]}],
    ids=["role", "content", "NUL", "time", "metadata"],
)  # fmt: skip
def test_a_bad_message_keeps_the_others_of_its_list_out(mem: Memory, bad: dict[str, Any]) -> None:
    with refused(mem, InvalidValueError, InvalidTimeError):
        mem.add("ann", [{"role": "user", "content": "good"}, bad])


def test_a_batch_gives_a_receipt_for_each_message_in_the_order_given(mem: Memory) -> None:
    messages = [Message("ann", "1"), Message("bob", "2"), Message("ann", "3", agent_id="a"), Message("ann", "4")]
    receipts = list(mem.add_many(messages, batch=3))
    assert [receipt.seq for receipt in receipts] == [1, 1, 1, 2]
    assert [info.user_id + info.agent_id for info in mem.scopes()] == ["ann", "anna", "bob"]


def test_batches_before_the_bad_message_are_kept_and_its_own_is_not(mem: Memory) -> None:
    messages = [Message("ann", "one"), Message("ann", "two"), Message("ann", "three"), Message("ann", "\ud800")]
    stream = mem.add_many(messages, batch=2)
    assert [next(stream).seq, next(stream).seq] == [1, 2]
    with pytest.raises(InvalidValueError):
        next(stream)
    assert revs(mem)[:2] == (2, 2)


def test_a_batch_is_read_as_it_comes(mem: Memory) -> None:
    taken: list[int] = []

    def endless() -> Any:
        for number in range(10**9):
            taken.append(number)
            yield Message("ann", f"message {number}")

    stream = mem.add_many(endless(), batch=5)
    assert next(stream).seq == 1
    assert len(taken) == 5


# --- what is not extracted ----------------------------------------------------------------------------------------

SKIPS = [
    pytest.param({"content": "I live in Delhi", "extract": False}, "not_learned", id="told not to learn"),
    pytest.param({"content": "I live in Delhi", "role": "assistant"}, "no_user_text", id="the assistant's words"),
    pytest.param({"content": "I live in Delhi", "role": "tool"}, "no_user_text", id="a tool's words"),
    pytest.param({"content": "I live in Delhi", "role": "system"}, "no_user_text", id="the system's words"),
    pytest.param({"content": "  ?! "}, "no_user_text", id="no words"),
    pytest.param({"content": None}, "no_user_text", id="nothing"),
]


@pytest.mark.parametrize(("message", "reason"), SKIPS)
def test_a_message_without_the_users_words_is_settled_at_once(
    mem: Memory, told: Told, message: dict[str, Any], reason: str
) -> None:
    receipt = mem.add("ann", **message)
    assert receipt.settled
    mem.flush()
    assert told.asked == []
    (decision,) = mem.decisions("ann", receipt.seq)
    assert (decision.outcome, decision.reason) == ("skipped", reason)
    assert mem.state("ann").freshness.is_current


def test_a_memory_that_does_not_learn_keeps_messages() -> None:
    with opened(llm=False) as mem:
        assert mem.add("ann", "I live in Delhi").settled
        assert mem.decisions("ann", 1)[0].reason == "not_learned"


def test_a_writer_named_by_a_predicate_is_extracted(mem: Memory, told: Told) -> None:
    mem.register_predicate("lives_in", writers=["tool"], update=True)
    told.answers["the address is Delhi"] = [lives("Delhi")]
    mem.add("ann", "the address is Delhi", role="tool")
    mem.flush()
    assert mem.get("ann", "lives_in") == "Delhi"


def test_what_only_repeats_recalled_text_is_not_extracted(mem: Memory, told: Told) -> None:
    mem.set("ann", "lives_in", "Delhi")
    receipt = mem.add("ann", mem.context("ann").text)
    assert receipt.settled
    assert mem.decisions("ann", receipt.seq)[0].reason == "echo_only"


def test_content_over_the_size_is_refused_whatever_its_bytes() -> None:
    with opened(max_content=10) as mem:
        mem.add("ann", "x" * 10)
        with refused(mem, ContentTooLargeError):
            mem.add("ann", "x" * 11)
        with refused(mem, ContentTooLargeError):
            mem.add("ann", "ü" * 6)


def test_secrets_are_replaced_and_counted(mem: Memory) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    receipt = mem.add("ann", f"my token is {token}", metadata={"note": token})
    assert sum(receipt.redactions.values()) == 2
    assert token not in repr(entries(mem))


@pytest.mark.of_files
def test_a_receipt_names_the_durability(mem: Memory, tmp_path: Path) -> None:
    assert mem.add("ann", "hello").durability == "none"
    names: tuple[Any, ...] = ("process", "power")
    for named in names:
        with Memory(tmp_path / f"{named}.db", durability=named) as kept:
            assert kept.add("ann", "hello").durability == named
