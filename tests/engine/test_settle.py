"""The queue: retries, failures, dismissals, leases, and workers that meet over one message."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.engine.freshness import DEAD_AFTER
from tensemem.engine.processes import host_name, process_started
from tensemem.engine.settle import MAX_ATTEMPTS, next_task, postpone
from tensemem.engine.worker import Worker
from tensemem.errors import (
    ConflictError,
    ExtractorError,
    ExtractorUnavailable,
    InvalidValueError,
    StaleMemoryError,
    UnknownFactError,
)
from tensemem.model.moment import SECOND
from tensemem.model.scope import Scope
from tensemem.ports import WorkerRow
from tests.engine.bench import ANN, Clock, Gate, Told, beside, day, lives, opened, refused, revs, row, speaks

MESSAGE = "I live in Delhi"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def at_operational(mem: Memory, moment: int) -> None:
    """Set the clock of leases and pauses."""
    mem._engine.operational_clock = lambda: moment


def worked(mem: Memory) -> int:
    """Let a worker settle all that is due, in this thread; how many it settled."""
    extractor = mem._engine.extractor
    assert extractor is not None
    return Worker(mem._engine, extractor).run_until_idle(lambda: False)


# --- failing ------------------------------------------------------------------------------------------------------


def test_bad_answers_are_retried_and_then_given_up(mem: Memory, told: Told) -> None:
    told.answers[MESSAGE] = ExtractorError("gibberish")
    seq = mem.add("ann", MESSAGE).seq
    for attempt in range(1, MAX_ATTEMPTS):
        fresh = mem.flush()
        assert (fresh.pending, fresh.failed) == (1, 0)
        (job,) = mem.jobs()
        assert (job.seq, job.state, job.attempts, job.error) == (seq, "retrying", attempt, "gibberish")
    fresh = mem.flush()
    assert (fresh.pending, fresh.failed, fresh.failed_seqs, fresh.is_current) == (0, 1, (seq,), False)
    assert fresh.reason == "failed"
    assert mem.jobs()[0].state == "failed"
    assert mem.jobs()[0].next_try_at is None
    mem.flush()
    assert len(told.asked) == MAX_ATTEMPTS


@pytest.mark.parametrize("answer", [None, {}, "set", 7, [7], [None]], ids=repr)
def test_what_is_no_answer_uses_an_attempt_or_is_refused_alone(mem: Memory, told: Told, answer: Any) -> None:
    told.answers[MESSAGE] = answer
    seq = mem.add("ann", MESSAGE).seq
    mem.flush()
    jobs = mem.jobs()
    if jobs:
        assert [(job.state, job.attempts) for job in jobs] == [("retrying", 1)]
    else:
        assert all(one.outcome == "refused" for one in mem.decisions("ann", seq))


def test_pauses_grow_and_nobody_is_asked_before_they_end(mem: Memory, told: Told) -> None:
    told.answers[MESSAGE] = ExtractorError("gibberish")
    mem.add("ann", MESSAGE)
    now = 1_000 * SECOND
    pauses: list[int] = []
    for _ in range(MAX_ATTEMPTS - 1):
        at_operational(mem, now)
        assert worked(mem) == 1
        due = mem.jobs()[0].next_try_at
        assert due is not None
        pauses.append(round(due.timestamp()) - now // SECOND)
        at_operational(mem, now + pauses[-1] * SECOND - 1)
        assert worked(mem) == 0
        now += pauses[-1] * SECOND
    assert pauses == sorted(set(pauses))


def test_one_failing_message_holds_up_nobody(mem: Memory, told: Told) -> None:
    told.answers["poison"] = ExtractorError("gibberish")
    told.answers[MESSAGE] = [lives("Delhi")]
    told.answers["I speak Go"] = [speaks("Go")]
    mem.add("ann", "poison")
    mem.add("ann", MESSAGE)
    mem.add("bob", "I speak Go")
    assert worked(mem) == 3
    assert mem.get("ann", "lives_in") == "Delhi"
    assert mem.get("bob", "languages") == ("Go",)
    assert [job.user_id for job in mem.jobs()] == ["ann"]
    assert mem.jobs("bob") == ()
    assert mem.state("ann").freshness.as_of_seq == 0


def test_an_unavailable_provider_uses_no_attempts(mem: Memory, told: Told) -> None:
    told.answers[MESSAGE] = ExtractorUnavailable("no network")
    mem.add("ann", MESSAGE)
    for _ in range(3 * MAX_ATTEMPTS):
        with pytest.raises(ExtractorUnavailable, match="no network"):
            mem.flush()
    (job,) = mem.jobs()
    assert (job.state, job.attempts, job.error) == ("waiting", 0, "no network")
    told.answers[MESSAGE] = [lives("Delhi")]
    mem.flush()
    assert mem.get("ann", "lives_in") == "Delhi"


def test_a_lost_connection_is_an_unavailable_provider(mem: Memory, told: Told) -> None:
    told.answers[MESSAGE] = ConnectionRefusedError("nobody listens")
    mem.add("ann", MESSAGE)
    with pytest.raises(ExtractorUnavailable):
        mem.flush()
    assert mem.jobs()[0].attempts == 0


def test_while_the_provider_is_away_each_scope_asks_once(mem: Memory, told: Told) -> None:
    for text in ("one", "two", "three"):
        told.answers[text] = ExtractorUnavailable("away")
        mem.add("ann", text)
    with pytest.raises(ExtractorUnavailable):
        mem.flush()
    assert told.asked == ["one"]


def failed(mem: Memory, told: Told, text: str = "poison") -> int:
    told.answers[text] = ExtractorError("gibberish")
    seq = mem.add("ann", text).seq
    for _ in range(MAX_ATTEMPTS):
        mem.flush()
    assert seq in mem.state("ann").freshness.failed_seqs
    return seq


def test_a_retry_starts_anew(mem: Memory, told: Told) -> None:
    seq = failed(mem, told)
    before = revs(mem)
    assert mem.retry("ann", seq) == 1
    assert revs(mem) == before
    (job,) = mem.jobs()
    assert (job.state, job.attempts) == ("waiting", 0)
    told.answers["poison"] = [lives("Delhi", quote="poison")]
    mem.flush()
    assert mem.state("ann").freshness.is_current
    assert [one.outcome for one in mem.decisions("ann", seq)] == ["held"]


def test_a_retry_may_be_of_one_of_a_scope_or_of_all(mem: Memory, told: Told) -> None:
    first, second = failed(mem, told, "one"), failed(mem, told, "two")
    assert mem.retry("bob") == 0
    assert mem.retry("ann", 99) == 0
    assert mem.retry("ann", second) == 1
    assert mem.state("ann").freshness.failed_seqs == (first,)
    assert mem.retry() == 2
    assert mem.state("ann").freshness.pending == 2


def test_a_dismissed_message_is_settled_without_being_learnt_from(mem: Memory, told: Told) -> None:
    seq = failed(mem, told)
    rev = revs(mem)[0]
    mem.dismiss("ann", seq)
    assert revs(mem)[0] == rev + 1
    fresh = mem.state("ann").freshness
    assert (fresh.is_current, fresh.failed, fresh.as_of_seq) == (True, 0, seq)
    assert [(one.outcome, one.reason) for one in mem.decisions("ann", seq)] == [("skipped", "dismissed")]
    assert mem.retry() == 0
    with refused(mem, ConflictError):
        mem.dismiss("ann", seq)


def test_what_is_no_waiting_message_cannot_be_dismissed(mem: Memory) -> None:
    seq = mem.set("ann", "lives_in", "Delhi").seq
    for unknown in (0, 99):
        with refused(mem, UnknownFactError):
            mem.dismiss("ann", unknown)
    with refused(mem, UnknownFactError, ConflictError):
        mem.dismiss("ann", seq)
    with refused(mem, UnknownFactError):
        mem.dismiss("bob", seq)


def test_a_waiting_message_can_be_dismissed(mem: Memory, told: Told) -> None:
    seq = mem.add("ann", MESSAGE).seq
    mem.dismiss("ann", seq)
    mem.flush()
    assert told.asked == []


def test_an_answer_to_a_dismissed_message_comes_too_late(path: Path) -> None:
    gate = Gate([lives("Delhi")])
    with opened(path, llm=gate) as mem, opened(path) as other:
        seq = mem.add("ann", MESSAGE).seq
        flushing = beside(mem.flush)
        assert gate.was_asked.wait(30)
        other.dismiss("ann", seq)
        gate.may_answer.set()
        assert flushing.result(30).is_current
        assert mem.get("ann", "lives_in") is None
        assert [one.reason for one in mem.decisions("ann", seq)] == ["dismissed"]
        assert mem.verify().identical


# --- flushing -----------------------------------------------------------------------------------------------------


def test_flushing_tries_each_waiting_message_once_in_order_and_shows_the_state_before_it(
    mem: Memory, told: Told
) -> None:
    told.answers[MESSAGE] = [lives("Delhi")]
    mem.add("ann", MESSAGE)
    mem.add("ann", "and then?")
    mem.flush()
    assert told.asked == [MESSAGE, "and then?"]
    assert told.requests[0].state == {}
    assert told.requests[1].state == {"user": {"lives_in": "Delhi"}}
    assert [message.content for message in told.requests[1].window] == [MESSAGE]


def test_flushing_one_user_leaves_the_others(mem: Memory, told: Told) -> None:
    mem.add("ann", "one")
    mem.add("bob", "two")
    assert mem.flush("ann").is_current
    assert told.asked == ["one"]
    assert mem.flush().is_current
    assert told.asked == ["one", "two"]


def test_flushing_nothing_is_current(mem: Memory) -> None:
    assert mem.flush().is_current
    assert mem.flush("nobody").is_current


def test_nobody_can_flush_without_an_extractor() -> None:
    with opened() as mem:
        assert mem.flush().is_current
        mem.add("ann", MESSAGE)
        with refused(mem, ExtractorError):
            mem.flush()
        with refused(mem, ExtractorError):
            mem.flush("ann")


@pytest.mark.parametrize("timeout", [-1, "soon", True, None, float("nan")])
def test_a_time_out_is_seconds(mem: Memory, timeout: Any) -> None:
    mem.add("ann", MESSAGE)
    with refused(mem, InvalidValueError):
        mem.flush(timeout=timeout)


# --- waiting ------------------------------------------------------------------------------------------------------


def test_nobody_waits_for_an_extractor_that_is_not_there() -> None:
    with opened() as mem:
        seq = mem.add("ann", MESSAGE, wait=10**6).seq
        state = mem.state("ann", min_seq=seq, wait=10**6)
        assert (state.freshness.is_current, state.freshness.reason) == (False, "no_extractor")
        with pytest.raises(StaleMemoryError) as caught:
            mem.state("ann", wait=10**6, on_stale="raise")
        assert caught.value.freshness == state.freshness


def test_a_read_waits_until_the_message_is_settled(path: Path) -> None:
    gate = Gate([lives("Delhi")])
    with opened(path, llm=gate, worker=True) as mem:
        seq = mem.add("ann", MESSAGE).seq
        assert gate.was_asked.wait(30)
        assert mem.state("ann").freshness.reason == "extracting"
        reading = beside(lambda: mem.state("ann", min_seq=seq, wait=60))
        gate.may_answer.set()
        state = reading.result(60)
        assert state.freshness.is_current
        assert state.values == {"lives_in": "Delhi"}


def test_adding_waits_until_the_message_is_settled(path: Path, told: Told) -> None:
    told.answers[MESSAGE] = [lives("Delhi")]
    with opened(path, llm=told, worker=True) as mem:
        assert mem.add("ann", MESSAGE, wait=60).settled
        assert mem.get("ann", "lives_in") == "Delhi"


def test_a_wait_through_another_handle_ends_when_the_message_is_settled(path: Path) -> None:
    gate = Gate([lives("Delhi")])
    with opened(path, llm=gate, worker=True) as mem, opened(path) as other:
        seq = other.add("ann", MESSAGE).seq
        assert gate.was_asked.wait(30)
        reading = beside(lambda: other.state("ann", min_seq=seq, wait=60))
        gate.may_answer.set()
        assert reading.result(60).values == {"lives_in": "Delhi"}
        assert mem.state("ann").freshness.is_current


def test_a_wait_that_runs_out_is_no_error_unless_asked(path: Path) -> None:
    gate = Gate()
    with opened(path, llm=gate, worker=True) as mem:
        receipt = mem.add("ann", MESSAGE, wait=0)
        assert not receipt.settled
        assert gate.was_asked.wait(30)
        state = mem.state("ann", wait=0)
        assert (state.freshness.pending, state.freshness.reason) == (1, "extracting")
        with pytest.raises(StaleMemoryError):
            mem.state("ann", wait=0, on_stale="raise")
        gate.may_answer.set()
        assert mem.state("ann", wait=60).freshness.is_current


def test_a_failed_message_is_not_waited_for_and_raises_nothing(mem: Memory, told: Told) -> None:
    seq = failed(mem, told)
    state = mem.state("ann", min_seq=seq, wait=10**6, on_stale="raise")
    assert (state.freshness.is_current, state.freshness.reason) == (False, "failed")
    later = mem.set("ann", "lives_in", "Delhi").seq
    assert mem.state("ann", min_seq=later, wait=10**6, on_stale="raise").values == {"lives_in": "Delhi"}
    assert mem.state("ann", min_seq=seq - 1).freshness.is_current


def test_a_seq_that_is_not_in_the_log_is_said_to_be_missing(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    assert not mem.state("ann", min_seq=10**9).freshness.is_current
    with pytest.raises(StaleMemoryError, match="not in the log"):
        mem.state("ann", min_seq=10**9, wait=10**6, on_stale="raise")
    with pytest.raises(StaleMemoryError):
        mem.context("ann", min_seq=2, on_stale="raise")


@pytest.mark.parametrize("wait", [-1, "soon", float("nan"), 10**10, [1]])
def test_a_wait_is_seconds(mem: Memory, wait: Any) -> None:
    for call in (
        lambda: mem.add("ann", MESSAGE, wait=wait), lambda: mem.state("ann", wait=wait),
        lambda: mem.context("ann", wait=wait), lambda: mem.changes("ann", wait=wait),
    ):  # fmt: skip
        with refused(mem, InvalidValueError):
            call()


def test_changes_waits_until_there_is_one(path: Path) -> None:
    with opened(path) as mem:
        waiting = beside(lambda: mem.changes("ann", wait=60))
        mem.set("ann", "lives_in", "Delhi")
        assert [change.value for change in waiting.result(60)] == ["Delhi"]


# --- workers ------------------------------------------------------------------------------------------------------


def test_of_two_workers_on_one_message_the_first_to_finish_counts(path: Path) -> None:
    """The second one leased the scope while the first was silent for so long that it counted as gone."""
    slow, quick = Gate([lives("Delhi")]), Told()
    quick.answers[MESSAGE] = [lives("Pune", quote="I live in")]
    with opened(path, llm=slow) as mem, opened(path, llm=quick) as other:
        other.register_predicate("lives_in", verbatim=False, update=True)
        seq = mem.add("ann", MESSAGE).seq
        flushing = beside(mem.flush)
        assert slow.was_asked.wait(30)
        at_operational(other, other._engine.operational_clock() + 3600 * SECOND)
        other.flush()
        assert other.get("ann", "lives_in") == "Pune"
        before = revs(other)
        slow.may_answer.set()
        assert flushing.result(30).is_current
        assert revs(mem) == before
        assert mem.get("ann", "lives_in") == "Pune"
        assert len(mem.decisions("ann", seq)) == 1
        assert mem.state("ann").freshness.pending == 0
        assert mem.verify().identical


def test_a_busy_scope_is_not_taken_and_others_are(path: Path) -> None:
    slow, told = Gate(), Told()
    with opened(path, llm=slow, worker=True) as mem, opened(path, llm=told) as other:
        mem.add("ann", MESSAGE)
        assert slow.was_asked.wait(30)
        other.add("bob", "hello there")
        assert worked(other) == 1
        assert told.asked == ["hello there"]
        slow.may_answer.set()
        assert mem.state("ann", wait=60).freshness.is_current


def lease_of(mem: Memory, worker: WorkerRow, until: int) -> None:
    """A worker of somewhere holds the scope of ann."""
    with mem._engine.store.write() as tx:
        head = tx.head(ANN)
        assert head is not None
        tx.beat(worker)
        assert tx.lease_scope(head.id, worker.id, 0, until, [])


@pytest.mark.parametrize("gone", ["other process", "other start", "unknown owner"])
def test_the_lease_of_a_process_that_is_gone_is_taken_over_at_once(mem: Memory, told: Told, gone: str) -> None:
    import os

    mem.add("ann", MESSAGE)
    now = mem._engine.operational_clock()
    pid = 2**22 + 1 if gone == "other process" else os.getpid()  # more than Linux gives to any process
    started = "a former life" if gone == "other start" else "1"
    worker = WorkerRow("gone", host_name(), pid, started, now)
    lease_of(mem, worker, now + 3600 * SECOND)
    if gone == "unknown owner":
        with mem._engine.store.write() as tx:
            head = tx.head(ANN)
            assert head is not None
            tx.drop_worker("gone")
            assert tx.lease_scope(head.id, "gone", now, now + 3600 * SECOND, [])
    assert worked(mem) == 1
    assert told.asked == [MESSAGE]


def test_the_lease_of_a_living_process_is_respected(mem: Memory, told: Told) -> None:
    import os

    mem.add("ann", MESSAGE)
    now = mem._engine.operational_clock()
    started = process_started(os.getpid())
    assert started is not None
    lease_of(mem, WorkerRow("alive", host_name(), os.getpid(), started, now), now + 3600 * SECOND)
    assert worked(mem) == 0
    mem.flush(timeout=0)
    assert told.asked == []
    at_operational(mem, now + 3601 * SECOND)
    assert worked(mem) == 1


@pytest.mark.parametrize(("silence", "is_taken"), [(DEAD_AFTER - 1, 0), (DEAD_AFTER, 1)])
def test_a_worker_of_another_machine_is_gone_when_it_is_silent_for_long(
    mem: Memory, silence: int, is_taken: int
) -> None:
    mem.add("ann", MESSAGE)
    now = mem._engine.operational_clock()
    lease_of(mem, WorkerRow("far", "another machine", 1, "1", now - silence), now + 3600 * SECOND)
    at_operational(mem, now)
    assert worked(mem) == is_taken


def test_a_worker_elsewhere_is_an_extractor_to_wait_for() -> None:
    with opened() as mem:
        mem.add("ann", MESSAGE)
        now = mem._engine.operational_clock()
        with mem._engine.store.write() as tx:
            tx.beat(WorkerRow("far", "another machine", 1, "1", now))
        assert mem.state("ann").freshness.reason == "extracting"


def test_closing_leaves_what_waits_for_the_next_one(path: Path, told: Told) -> None:
    told.answers[MESSAGE] = [lives("Delhi")]
    gate = Gate([lives("Delhi")])
    mem = opened(path, llm=gate, worker=True)
    mem.add("ann", MESSAGE)
    assert gate.was_asked.wait(30)
    mem.close(timeout=0)
    gate.may_answer.set()
    with opened(path, llm=told) as again:
        at_operational(again, again._engine.operational_clock() + 3600 * SECOND)
        again.flush()
        assert again.get("ann", "lives_in") == "Delhi"
        assert again.verify().identical


def test_messages_of_a_burst_keep_their_own_times(mem: Memory, told: Told, clock: Clock) -> None:
    for number, place in enumerate(("Delhi", "Pune", "Goa")):
        clock.now = day(number)
        told.answers[f"I live in {place}"] = [lives(place)]
        mem.add("ann", f"I live in {place}")
    clock.now += timedelta(days=30)
    mem.flush()
    assert row(mem.history("ann")) == [("Delhi", 0, 1), ("Pune", 1, 2), ("Goa", 2, None)]
    assert [fact.evidence[0].seq for fact in mem.history("ann")] == [1, 2, 3]


@pytest.mark.parametrize("said", ["half an emoji \ud83d", "nothing\0more", "\udfff"])
def test_whatever_an_extractor_complains_of_uses_an_attempt(mem: Memory, told: Told, said: str) -> None:
    told.answers[MESSAGE] = ExtractorError(said)
    mem.add("ann", MESSAGE)
    worked(mem)
    (job,) = mem.jobs()
    assert (job.attempts, job.state) == (1, "retrying")
    assert job.error


def test_a_message_that_is_put_off_already_is_not_put_off_again(mem: Memory, told: Told) -> None:
    told.answers[MESSAGE] = ExtractorError("gibberish")
    mem.add("ann", MESSAGE)
    task = next_task(mem._engine, Scope("default", "ann"))
    assert task is not None
    for _ in range(2):  # as after a COMMIT whose answer was lost
        postpone(mem._engine, task, "gibberish", 0.0, uses_attempt=True)
    assert mem.jobs()[0].attempts == 1
