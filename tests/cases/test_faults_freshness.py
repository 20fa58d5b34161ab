"""What a read says of how current it is; and what waiting means.

Left out: what the command line prints of a stale memory is tested with the command line.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Operation
from tensemem.errors import ExtractorError, ExtractorUnavailable, InvalidValueError, StaleMemoryError

from .bench import Desk, assert_rebuilt_alike, day, desk_in, lives, speaks


class Gate:
    """An extractor that answers only when it is let through."""

    name = "gate"

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.open = threading.Event()

    def extract(self, request: Any) -> list[Operation]:
        self.asked.set()
        assert self.open.wait(30)
        [message] = request.messages
        return [lives(message.content.split()[-1], quote=message.content)]


def read_while(mem: Memory, write: Callable[[], None], read: Callable[[Memory], None]) -> int:
    """Read again and again in one thread while another one writes; gives how often."""
    done = threading.Event()
    problems: list[BaseException] = []

    def work() -> None:
        try:
            write()
        except BaseException as error:
            problems.append(error)
        finally:
            done.set()

    writer = threading.Thread(target=work)
    writer.start()
    reads = 0
    try:
        while not done.is_set():
            read(mem)
            reads += 1
        read(mem)
    finally:
        writer.join()
    assert not problems
    return reads


def assert_current_means_newest(mem: Memory) -> None:
    """The value number *n* was said in the episode number *n*."""
    state = mem.state("ann")
    fresh = state.freshness
    assert fresh.is_current == (fresh.pending == 0 and fresh.failed == 0)
    if fresh.is_current:
        assert fresh.as_of_seq == fresh.latest_seq
        assert state.values == ({} if fresh.latest_seq == 0 else {"lives_in": f"place{fresh.latest_seq}"})
    else:
        assert fresh.as_of_seq < fresh.latest_seq


def test_current_means_newest_beside_a_writer(desk: Desk) -> None:
    with desk.open() as other:

        def write() -> None:
            for number in range(1, 151):
                desk.mem.set("ann", "lives_in", f"place{number}")

        assert read_while(other, write, assert_current_means_newest)
    assert desk.mem.get("ann", "lives_in") == "place150"


def test_current_means_newest_beside_a_worker(busy_desk: Desk) -> None:
    def write() -> None:
        for number in range(1, 61):
            busy_desk.say(f"I live in place{number}", lives(f"place{number}"), flush=False)

    read_while(busy_desk.mem, write, assert_current_means_newest)
    state = busy_desk.mem.state("ann", wait=30, on_stale="raise")
    assert (state.values, state.freshness.latest_seq) == ({"lives_in": "place60"}, 60)


def test_a_context_says_which_state_it_was_made_from(desk: Desk) -> None:
    with desk.open() as other:

        def write() -> None:
            for number in range(1, 101):
                desk.mem.set("ann", "lives_in", f"place{number}")

        texts: dict[str, str] = {}

        def read(mem: Memory) -> None:
            found = mem.context("ann")
            assert texts.setdefault(found.version, found.text) == found.text
            if found.freshness.latest_seq:
                assert f"place{found.freshness.latest_seq} " in found.text

        read_while(other, write, read)


@pytest.mark.parametrize("read", ["state", "context"])
def test_a_seq_that_is_not_in_the_log_is_not_reached(desk: Desk, read: str) -> None:
    desk.mem.set("ann", "lives_in", "Delhi")
    found = getattr(desk.mem, read)("ann", min_seq=10**9, wait=0.01)
    assert (found.freshness.is_current, found.freshness.latest_seq) == (False, 1)
    with pytest.raises(StaleMemoryError) as stale:
        getattr(desk.mem, read)("ann", min_seq=2, wait=0.01, on_stale="raise")
    assert stale.value.freshness.latest_seq == 1


def test_an_unknown_person_is_told_from_one_of_whom_nothing_is_held(desk: Desk) -> None:
    desk.mem.set("ann", "lives_in", "Delhi")
    desk.mem.retract("ann", "lives_in")
    known, unknown = desk.mem.state("ann"), desk.mem.state("nobody")
    assert known.values == unknown.values == {}
    assert (known.rev, known.freshness.latest_seq) == (2, 2)
    assert (unknown.rev, unknown.freshness.latest_seq, unknown.freshness.as_of_seq) == (0, 0, 0)
    desk.mem.history("nobody")
    desk.mem.context("nobody")
    desk.mem.search("nobody", "Delhi")
    assert [info.user_id for info in desk.mem.scopes()] == ["ann"]


def give_up_on(desk: Desk, text: str) -> int:
    desk.script.says(text, ExtractorError("it can't be read"))
    seq = desk.mem.add("ann", text).seq
    for _ in range(8):
        desk.mem.flush()
    return seq


def test_a_message_given_up_makes_no_later_read_wait_or_fail(desk: Desk) -> None:
    dead = give_up_on(desk, "poison")
    written = desk.mem.set("ann", "lives_in", "Delhi")
    found = desk.mem.context("ann", min_seq=written.seq, wait=True, on_stale="raise")
    assert "Delhi" in found.text
    fresh = found.freshness
    assert (fresh.pending, fresh.failed, fresh.failed_seqs, fresh.reason) == (0, 1, (dead,), "failed")
    assert (fresh.is_current, fresh.as_of_seq) == (False, written.seq)
    assert desk.mem.state("ann", min_seq=dead - 1).freshness.is_current
    desk.mem.dismiss("ann", dead)
    assert desk.mem.state("ann").freshness.is_current


def test_a_message_given_up_can_be_tried_again(desk: Desk) -> None:
    dead = give_up_on(desk, "I live in Delhi")
    desk.script.says("I live in Delhi", [lives("Delhi")])
    desk.mem.flush()
    assert desk.mem.get("ann", "lives_in") is None
    assert desk.mem.retry("ann", dead) == 1
    assert desk.mem.state("ann").freshness.pending == 1
    assert desk.mem.flush().is_current
    assert desk.mem.get("ann", "lives_in") == "Delhi"
    assert_rebuilt_alike(desk.mem)


def test_what_is_pending_and_what_failed_are_counted_apart(desk: Desk) -> None:
    dead = give_up_on(desk, "poison")
    waiting = desk.say("I live in Delhi", lives("Delhi"), flush=False)
    desk.mem.set("ann", "languages", "Go")
    fresh = desk.mem.state("ann").freshness
    assert (fresh.pending, fresh.failed, fresh.failed_seqs) == (1, 1, (dead,))
    assert (fresh.as_of_seq, fresh.latest_seq) == (waiting - 1, waiting + 1)
    assert desk.mem.state("ann", min_seq=waiting).freshness.reason == "no_extractor"


def test_an_unreachable_provider_is_an_error_and_uses_up_no_attempts(desk: Desk) -> None:
    desk.script.says("I live in Delhi", *[ConnectionError("refused")] * 12, [lives("Delhi")])
    desk.mem.add("ann", "I live in Delhi")
    for _ in range(12):
        with pytest.raises(ExtractorUnavailable, match="refused"):
            desk.mem.flush()
    [job] = desk.mem.jobs()
    assert (job.attempts, job.state) == (0, "waiting")
    assert desk.mem.rebuild().identical
    assert desk.mem.state("ann").freshness.pending == 1
    assert desk.mem.flush().is_current
    assert desk.mem.get("ann", "lives_in") == "Delhi"


def test_a_wait_that_runs_out_gives_the_seq_of_what_was_stored(tmp_path: Path) -> None:
    gate = Gate()
    with desk_in(tmp_path, worker=True, llm=gate) as desk:
        receipt = desk.mem.add("ann", "I live in Delhi", wait=0.02, idempotency_key="once")
        assert (receipt.seq, receipt.settled, receipt.duplicate) == (1, False, False)
        again = desk.mem.add("ann", "I live in Delhi", wait=0.02, idempotency_key="once")
        assert (again.seq, again.settled, again.duplicate) == (1, False, True)
        assert desk.mem.state("ann", wait=0.02).freshness.reason == "extracting"
        with pytest.raises(StaleMemoryError):
            desk.mem.state("ann", wait=0.02, on_stale="raise")
        gate.open.set()
        assert desk.mem.state("ann", min_seq=receipt.seq, wait=True, on_stale="raise").values == {"lives_in": "Delhi"}
        assert desk.mem.add("ann", "I live in Delhi", wait=True, idempotency_key="once").settled


def test_a_wait_ends_as_soon_as_nothing_is_pending(tmp_path: Path) -> None:
    gate = Gate()
    with desk_in(tmp_path, worker=True, llm=gate) as desk:
        seq = desk.mem.add("ann", "I live in Delhi").seq
        assert gate.asked.wait(30)
        found: list[Any] = []
        waiters = [
            threading.Thread(target=lambda: found.append(desk.mem.state("ann", min_seq=seq, wait=60)))
            for _ in range(3)
        ]  # fmt: skip
        for waiter in waiters:
            waiter.start()
        gate.open.set()
        for waiter in waiters:
            waiter.join(30)
            assert not waiter.is_alive()
        assert [(state.values, state.freshness.is_current) for state in found] == [({"lives_in": "Delhi"}, True)] * 3


def test_an_explicit_write_waits_for_no_message(tmp_path: Path) -> None:
    gate = Gate()
    with desk_in(tmp_path, worker=True, llm=gate) as desk:
        desk.mem.add("ann", "I live in Delhi")
        assert gate.asked.wait(30)
        desk.mem.add_value("ann", "languages", "Go")
        state = desk.mem.state("ann")
        assert (state.values, state.freshness.pending) == ({"languages": ("Go",)}, 1)
        gate.open.set()
        assert desk.mem.state("ann", wait=True).values == {"lives_in": "Delhi", "languages": ("Go",)}


@pytest.mark.parametrize("wait", [True, 60])
def test_nobody_waits_where_nobody_extracts(desk: Desk, wait: Any) -> None:
    with desk.open(llm=None) as mem:
        receipt = mem.add("ann", "I live in Delhi", wait=wait)
        assert not receipt.settled
        fresh = mem.state("ann", wait=wait).freshness
        assert (fresh.pending, fresh.reason, fresh.is_current) == (1, "no_extractor", False)
        with pytest.raises(StaleMemoryError):
            mem.context("ann", wait=wait, on_stale="raise")
        with pytest.raises(ExtractorError):
            mem.flush()


@pytest.mark.parametrize("wait", [-1, "5", float("nan"), float("inf")], ids=repr)
def test_a_wait_that_is_none_is_refused(desk: Desk, wait: Any) -> None:
    with pytest.raises(InvalidValueError):
        desk.mem.state("ann", wait=wait)
    with pytest.raises(InvalidValueError):
        desk.mem.add("ann", "I live in Delhi", wait=wait)
    assert desk.mem.state("ann").rev == 0


def test_a_version_changes_whenever_the_state_may_have(desk: Desk) -> None:
    versions: list[str] = []

    def note() -> None:
        versions.append(desk.mem.state("ann").version)
        assert desk.mem.context("ann").version == versions[-1]

    note()
    desk.hands.set(day(10))
    desk.mem.set("ann", "lives_in", "Delhi", until=day(20))
    note()
    desk.mem.register_predicate("lives_in", description="where somebody lives", update=True)
    note()
    desk.hands.set(day(20))
    note()
    desk.mem.record("ann", "lives_in", "Goa", valid_from=day(30))
    note()
    desk.hands.set(day(30))
    note()
    desk.say("I know Go", speaks("Go"))
    note()
    assert len(set(versions)) == len(versions)
    desk.hands.advance(days=100)
    note()
    assert versions[-1] == versions[-2]
