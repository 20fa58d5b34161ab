"""Many at once: a burst in one request, several scopes side by side, and what a bad answer about several costs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Message, Operation
from tensemem.engine.settle import MAX_ATTEMPTS, MOST_TEXT
from tensemem.errors import ExtractorError, ExtractorUnavailable
from tensemem.extract.calling import as_extractor
from tests.engine.bench import Told, beside, day, lives, opened, speaks
from tests.engine.test_settle import worked

TOWNS = ("Delhi", "Pune", "Oslo", "Rome", "Bern")


class Batched:
    """Reads several messages at once: the town that ends each; fails where told to."""

    name = "batched"
    max_messages = 4
    debounce = 0

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.states: list[Any] = []
        self.fails: Any = None
        self.names_messages = True

    def extract(self, request: Any) -> list[Operation]:
        texts = [message.content for message in request.messages]
        self.asked.append(texts)
        self.states.append(request.state)
        if self.fails is not None and self.fails(texts):
            raise ExtractorError("gibberish")
        return [
            lives(text.rpartition(" ")[2], quote=text, message=number if self.names_messages else None)
            for number, text in enumerate(texts)
        ]


@pytest.fixture
def batched() -> Batched:
    return Batched()


@pytest.fixture
def mem(batched: Batched) -> Iterator[Memory]:
    with opened(llm=batched) as mem:
        yield mem


def say_all(mem: Memory, user: str = "ann") -> list[int]:
    return [mem.add(user, f"I live in {town}", said_at=day(-9 + n)).seq for n, town in enumerate(TOWNS)]


def timeline(mem: Memory, user: str = "ann") -> list[Any]:
    return [(fact.id, fact.value, fact.valid_from, fact.evidence) for fact in mem.history(user, "lives_in").facts]


# --- a burst ------------------------------------------------------------------------------------------------------


def test_a_burst_costs_one_request_for_as_many_messages_as_the_extractor_takes(mem: Memory, batched: Batched) -> None:
    seqs = say_all(mem)
    mem.flush()
    texts = [f"I live in {town}" for town in TOWNS]
    assert batched.asked == [texts[:4], texts[4:]]
    assert batched.states == [{}, {"user": {"lives_in": "Rome"}}]
    assert mem.get("ann", "lives_in") == "Bern"
    assert all(len(mem.decisions("ann", seq)) == 1 for seq in seqs)


def test_one_by_one_or_in_a_burst_gives_the_same(mem: Memory) -> None:
    say_all(mem)
    mem.flush()
    single = Batched()
    single.max_messages = 1
    with opened(llm=single) as other:
        for number, town in enumerate(TOWNS):
            other.add("ann", f"I live in {town}", said_at=day(-9 + number))
            other.flush()
        assert len(single.asked) == len(TOWNS)
        assert timeline(other) == timeline(mem)
        assert other.digest("ann") == mem.digest("ann")
    assert mem.verify().identical


def test_an_operation_that_names_no_message_belongs_to_the_one_with_its_quote(mem: Memory, batched: Batched) -> None:
    batched.names_messages = False
    seqs = say_all(mem)
    mem.flush()
    assert [fact.evidence[0].seq for fact in mem.history("ann", "lives_in").facts] == seqs


def test_a_worker_takes_a_burst_along_too(mem: Memory, batched: Batched) -> None:
    say_all(mem)
    say_all(mem, "bob")
    assert worked(mem) == 2 * len(TOWNS)
    assert len(batched.asked) == 4


def test_who_does_not_say_so_is_asked_about_one_message_at_a_time() -> None:
    told = Told()
    with opened(llm=told) as mem:
        say_all(mem)
        mem.flush()
        assert [len(request.messages) for request in told.requests] == [1] * len(TOWNS)


def test_long_messages_are_not_all_asked_about_at_once(mem: Memory, batched: Batched) -> None:
    long = "x" * (MOST_TEXT // 2)
    for number in range(4):
        mem.add("ann", f"{long} {number}")
    mem.add("ann", f"{long}{long}{long}")
    mem.flush()
    assert [len(texts) for texts in batched.asked] == [1, 1, 1, 1, 1]


def test_the_usage_of_a_request_is_kept_once(mem: Memory, batched: Batched) -> None:
    batched.usage = {"calls": 1, "input_tokens": 90}  # type: ignore[attr-defined]
    say_all(mem)
    mem.flush()
    scope = mem._engine.scope("ann")
    with mem._engine.store.read() as reader:
        head = reader.head(scope)
        assert head is not None
        used = [entry.body.get("usage") for entry in reader.entries(head.id) if entry.kind == "extraction"]
    assert [one is not None for one in used] == [True, False, False, False, True]


# --- bad answers about several ------------------------------------------------------------------------------------


def test_one_message_that_fails_takes_none_of_its_neighbours_with_it(mem: Memory, batched: Batched) -> None:
    batched.fails = lambda texts: any("Pune" in text for text in texts)
    say_all(mem)
    mem.flush()
    assert [(job.seq, job.attempts) for job in mem.jobs()] == [(2, 1)]
    assert [fact.value for fact in mem.history("ann", "lives_in").facts] == ["Delhi", "Oslo", "Rome", "Bern"]


def test_a_message_that_failed_is_asked_about_alone_and_given_up_alone(mem: Memory, batched: Batched) -> None:
    batched.fails = lambda texts: any("Pune" in text for text in texts)
    say_all(mem)
    for _ in range(MAX_ATTEMPTS):
        mem.flush()
    mem.add("ann", "I live in Riga")
    mem.flush()
    assert mem.state("ann").freshness.failed_seqs == (2,)
    assert batched.asked[-1] == ["I live in Riga"]
    assert mem.get("ann", "lives_in") == "Riga"


def test_an_unavailable_provider_puts_all_of_them_off_without_an_attempt(mem: Memory, batched: Batched) -> None:
    def away(_: list[str]) -> bool:
        raise ExtractorUnavailable("away")

    batched.fails = away
    say_all(mem)
    with pytest.raises(ExtractorUnavailable, match="away"):
        mem.flush()
    assert len(batched.asked) == 1
    jobs = mem.jobs()
    assert [(job.attempts, job.error) for job in jobs[:4]] == [(0, "away")] * 4
    assert jobs[4].error == ""


# --- several scopes -----------------------------------------------------------------------------------------------


class AtOnce:
    """Answers nobody before ``wanted`` are being asked."""

    name = "at-once"

    def __init__(self, wanted: int) -> None:
        self.barrier = threading.Barrier(wanted, timeout=30)
        self.max_concurrency = wanted

    def extract(self, request: Any) -> list[Operation]:
        self.barrier.wait()
        text = request.messages[0].content
        return [lives(text.rpartition(" ")[2], quote=text)]


class AwaitedAtOnce:
    """The same, awaited; counts who is being asked, and in which thread."""

    name = "awaited-at-once"

    def __init__(self, wanted: int, *, most: int | None = None) -> None:
        self.wanted, self.now, self.highest = wanted, 0, 0
        self.threads: set[int] = set()
        self.all_here: asyncio.Event | None = None
        self.max_concurrency = most or wanted

    async def extract(self, request: Any) -> list[Operation]:
        if self.all_here is None:
            self.all_here = asyncio.Event()
        self.threads.add(threading.get_ident())
        self.now += 1
        self.highest = max(self.highest, self.now)
        if self.now >= self.wanted:
            self.all_here.set()
        async with asyncio.timeout(30):
            await self.all_here.wait()
        self.now -= 1
        text = request.messages[0].content
        return [lives(text.rpartition(" ")[2], quote=text)]


USERS = ("ann", "bob", "cid", "dan")


@pytest.mark.parametrize("kind", [AtOnce, AwaitedAtOnce])
def test_a_worker_asks_about_several_users_at_once(tmp_path: Path, kind: Any) -> None:
    with opened(tmp_path / "m.db", llm=kind(len(USERS)), worker=True) as mem:
        for user in USERS:
            mem.add(user, "I live in Oslo")
        for user in USERS:
            assert mem.state(user, wait=60).values == {"lives_in": "Oslo"}


def test_no_thread_is_held_while_a_model_is_awaited(tmp_path: Path) -> None:
    asked = AwaitedAtOnce(8)
    with opened(tmp_path / "m.db", llm=asked) as mem:
        for number in range(8):
            mem.add(f"user {number}", "I live in Oslo")
        assert worked(mem) == 8
        assert asked.highest == 8
        assert len(asked.threads) == 1
        assert mem.stats()["pending"] == 0


def test_no_more_are_asked_at_once_than_the_extractor_takes(tmp_path: Path) -> None:
    asked = AwaitedAtOnce(2, most=2)
    with opened(tmp_path / "m.db", llm=asked) as mem:
        for number in range(6):
            mem.add(f"user {number}", "I live in Oslo")
        assert worked(mem) == 6
        assert asked.highest == 2


def test_messages_of_one_user_are_asked_about_in_order_however_many_may_be_asked_at_once(tmp_path: Path) -> None:
    class InOrder:
        name, max_concurrency = "in-order", 8

        def __init__(self) -> None:
            self.seen: list[str] = []
            self.busy = False

        async def extract(self, request: Any) -> list[Operation]:
            assert not self.busy
            self.busy = True
            await asyncio.sleep(0)
            self.seen.append(request.messages[0].content)
            self.busy = False
            return []

    asked = InOrder()
    with opened(tmp_path / "m.db", llm=asked) as mem:
        texts = [f"message {number}" for number in range(9)]
        for text in texts:
            mem.add("ann", text)
        assert worked(mem) == 9
        assert asked.seen == texts


@pytest.mark.parametrize("awaited", [False, True])
def test_a_user_whose_messages_fail_holds_up_nobody(tmp_path: Path, awaited: bool) -> None:
    def answer(request: Any) -> list[Operation]:
        text = request.messages[0].content
        if "poison" in text:
            raise ExtractorError("gibberish")
        return [speaks(text.rpartition(" ")[2], quote=text)]

    async def answer_awaited(request: Any) -> list[Operation]:
        return answer(request)

    with opened(tmp_path / "m.db", llm=answer_awaited if awaited else answer) as mem:
        for user in USERS:
            mem.add(user, "poison")
            mem.add(user, "I speak Hindi")
        assert worked(mem) == 8
        assert [mem.get(user, "languages") for user in USERS] == [("Hindi",)] * 4
        assert len(mem.jobs()) == 4


def test_closing_while_models_are_awaited_leaves_what_waits_to_the_next(tmp_path: Path) -> None:
    asked = threading.Event()

    async def never(request: Any) -> list[Operation]:
        asked.set()
        await asyncio.Event().wait()
        return []

    mem = opened(tmp_path / "m.db", llm=never, worker=True)
    mem.add("ann", "I live in Oslo")
    assert asked.wait(30)
    beside(lambda: mem.close(timeout=0)).result(30)
    told = Told()
    told.answers["I live in Oslo"] = [lives("Oslo")]
    with opened(tmp_path / "m.db", llm=told) as mem:
        assert worked(mem) == 1
        assert mem.get("ann", "lives_in") == "Oslo"


def test_a_year_of_many_users_is_settled_as_it_was_said(tmp_path: Path) -> None:
    async def answer(request: Any) -> list[Operation]:
        await asyncio.sleep(0)
        text = request.messages[0].content
        return [lives(text.rpartition(" ")[2], quote=text)]

    said = [Message(u, f"I live in {t}", said_at=day(n)) for n, t in enumerate(TOWNS, -9) for u in USERS]
    with opened(tmp_path / "m.db", llm=answer) as mem, opened(llm=answer) as other:
        list(mem.add_many(said))
        list(other.add_many(said))
        worked(mem)
        other.flush()
        assert [mem.digest(user) for user in USERS] == [other.digest(user) for user in USERS]


# --- what an extractor says of itself -----------------------------------------------------------------------------


@pytest.mark.parametrize("given", [None, 0, -1, True, "3", 2.5])
def test_what_is_no_number_counts_as_not_said(given: Any) -> None:
    class Odd:
        max_messages = max_concurrency = debounce = given

        def extract(self, request: Any) -> list[Operation]:
            return []

    asked = as_extractor(Odd())
    assert (asked.max_messages, asked.max_concurrency, asked.debounce) == (1, 1, 0.0)


def test_who_takes_several_messages_is_asked_a_moment_later() -> None:
    class Several:
        max_messages = 3

        async def extract(self, request: Any) -> list[Operation]:
            return []

    asked = as_extractor(Several())
    assert asked.debounce == pytest.approx(0.2)
    assert asked.max_concurrency == 8
    asked._source.debounce = 0.05  # type: ignore[attr-defined]
    assert asked.debounce == pytest.approx(0.05)


# --- time that is given ---------------------------------------------------------------------------------------------


def test_a_flush_gives_up_what_is_awaited_when_its_time_is_over(tmp_path: Path) -> None:
    async def never(request: Any) -> list[Operation]:
        await asyncio.Event().wait()
        return []

    with opened(tmp_path / "m.db", llm=never) as mem:
        mem.add("ann", "I live in Oslo")
        fresh = mem.flush("ann", timeout=0.01)
        assert (fresh.pending, fresh.failed) == (1, 0)
        (job,) = mem.jobs()
        assert (job.attempts, job.error, job.state) == (0, "", "waiting")


@pytest.mark.parametrize("is_async", [False, True])
def test_a_time_out_of_the_extractors_own_is_a_failure_of_it(tmp_path: Path, is_async: bool) -> None:
    def late(request: Any) -> list[Operation]:
        raise TimeoutError("the extractor's own")

    async def awaited_late(request: Any) -> list[Operation]:
        return late(request)

    with opened(tmp_path / "m.db", llm=awaited_late if is_async else late) as mem:
        mem.add("ann", "I live in Oslo")
        mem.flush("ann")
        assert [(job.attempts, job.state) for job in mem.jobs()] == [(1, "retrying")]


def test_an_extractor_that_makes_an_error_of_its_cancellation_uses_no_attempt_when_the_time_is_over(
    tmp_path: Path,
) -> None:
    async def stubborn(request: Any) -> list[Operation]:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise RuntimeError("of its own") from None
        return []

    with opened(tmp_path / "m.db", llm=stubborn) as mem:
        mem.add("ann", "I live in Oslo")
        mem.flush("ann", timeout=0.2)
        assert [(job.attempts, job.state) for job in mem.jobs()] == [(0, "waiting")]


class Clockwork:
    """A monotonic clock that stands where it was put."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_nobody_is_asked_again_one_by_one_when_the_time_is_over(
    mem: Memory, batched: Batched, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clockwork()
    monkeypatch.setattr("tensemem.engine.settle.time", clock)
    monkeypatch.setattr("tensemem.engine.upkeep.time", clock)

    def slow(texts: list[str]) -> bool:
        clock.now += 10
        return True

    batched.fails = slow
    say_all(mem)
    mem.flush(timeout=5)
    assert [len(texts) for texts in batched.asked] == [4]
    assert [job.attempts for job in mem.jobs()] == [0] * len(TOWNS)
    batched.asked.clear()
    mem.flush(timeout=15)
    assert [len(texts) for texts in batched.asked] == [4, 1]
    assert [job.attempts for job in mem.jobs()] == [1, 0, 0, 0, 0]


# --- extractors that end more than themselves -----------------------------------------------------------------------


class EndsTasks:
    """Cancels its own task for bob, or every task it finds; answers for the others."""

    name, max_concurrency = "ends tasks", 4

    def __init__(self, *, every: bool) -> None:
        self.every, self.ended = every, 0

    async def extract(self, request: Any) -> list[Operation]:
        text = request.messages[0].content
        if "Bern" in text and self.ended < 2:
            self.ended += 1
            own = asyncio.current_task()
            assert own is not None
            for task in asyncio.all_tasks() if self.every else (own,):
                task.cancel()
            await asyncio.sleep(0)
        return [lives(text.rpartition(" ")[2], quote=text)]


@pytest.mark.parametrize("every", [False, True])
def test_an_extractor_that_cancels_tasks_stops_no_other_scope(
    tmp_path: Path, every: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensemem.engine.crew.IDLE_SECONDS", 0.01)
    ends = EndsTasks(every=every)
    with opened(tmp_path / "m.db", llm=ends, worker=True) as mem:
        mem.add("bob", "I live in Bern")
        for number in range(5):
            mem.add(f"user {number}", "I live in Oslo")
            assert mem.state(f"user {number}", wait=60).values == {"lives_in": "Oslo"}
        assert ends.ended
        threads = {thread.name for thread in threading.enumerate()}
        assert "tensemem-worker" in threads


def test_an_extractor_that_cancels_itself_uses_an_attempt(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", llm=EndsTasks(every=False)) as mem:
        mem.add("bob", "I live in Bern")
        mem.add("ann", "I live in Oslo")
        assert worked(mem) == 2
        assert [(job.user_id, job.attempts) for job in mem.jobs()] == [("bob", 1)]
        assert mem.get("ann", "lives_in") == "Oslo"
