"""How an extractor is called, whatever it is and does."""

from __future__ import annotations

import asyncio
import errno
import functools
import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from tensemem.errors import ExtractorError, ExtractorOutputError, ExtractorUnavailable
from tensemem.extract import named
from tensemem.extract.calling import Answer, CallableExtractor, Malformed, OutOfTimeError, as_extractor
from tensemem.extract.fake import FakeExtractor
from tensemem.model.operation import Operation
from tensemem.ports import ExtractionRequest, RequestMessage

REQUEST = ExtractionRequest((RequestMessage("I live in Delhi", "user", datetime(2026, 3, 5, tzinfo=UTC)),))
DELHI = Operation("set", "lives_in", "Delhi", quote="I live in Delhi", message=0)
WANTED = Answer((DELHI,))


def plain(request: ExtractionRequest) -> list[Operation]:
    return [DELHI]


async def awaited(request: ExtractionRequest) -> list[Operation]:
    await asyncio.sleep(0)
    return [DELHI]


def returns_awaitable(request: ExtractionRequest) -> Any:
    return awaited(request)


def generator(request: ExtractionRequest) -> Iterator[Operation]:
    yield DELHI


class Sync:
    def extract(self, request: ExtractionRequest) -> list[Operation]:
        return [DELHI]


class Async:
    async def extract(self, request: ExtractionRequest) -> list[Operation]:
        return await awaited(request)


class AsyncCallable:
    async def __call__(self, request: ExtractionRequest) -> list[Operation]:
        return await awaited(request)


EXTRACTORS: dict[str, object] = {
    "function": plain,
    "async function": awaited,
    "function that returns an awaitable": returns_awaitable,
    "generator": generator,
    "lambda": lambda request: (DELHI,),
    "partial": functools.partial(plain),
    "async partial": functools.partial(awaited),
    "object": Sync(),
    "async object": Async(),
    "async callable object": AsyncCallable(),
    "bound method": Sync().extract,
    "fake": FakeExtractor({"I live in Delhi": [Operation("set", "lives_in", "Delhi")]}),
    "namespace": SimpleNamespace(extract=plain),
}
each_extractor = pytest.mark.parametrize("llm", EXTRACTORS.values(), ids=EXTRACTORS)


def raising(error: BaseException) -> dict[str, Callable[..., Any]]:
    """Extractors that raise an error, each at another place."""

    def at_once(request: ExtractionRequest) -> list[Operation]:
        raise error

    async def later(request: ExtractionRequest) -> list[Operation]:
        await asyncio.sleep(0)
        raise error

    def while_read(request: ExtractionRequest) -> Iterator[Operation]:
        yield DELHI
        raise error

    async def awaited_while_read(request: ExtractionRequest) -> Iterator[Operation]:
        return while_read(request)

    return {"sync": at_once, "async": later, "generator": while_read, "awaited generator": awaited_while_read}


def in_thread(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result(30)


# Wiring


@each_extractor
def test_it_is_called_blocking(llm: object) -> None:
    assert as_extractor(llm).call(REQUEST) == WANTED


@each_extractor
def test_it_is_called_from_a_worker_thread(llm: object) -> None:
    assert in_thread(lambda: as_extractor(llm).call(REQUEST)) == WANTED


@each_extractor
def test_it_is_called_blocking_where_a_loop_runs_already(llm: object) -> None:
    async def main() -> Answer:
        return as_extractor(llm).call(REQUEST)

    assert asyncio.run(main()) == WANTED


@each_extractor
def test_it_is_awaited(llm: object) -> None:
    assert asyncio.run(as_extractor(llm).acall(REQUEST)) == WANTED


def test_what_is_wired_already_is_left_as_it_is() -> None:
    extractor = as_extractor(plain)
    assert as_extractor(extractor) is extractor


@pytest.mark.parametrize("text", ["opnai", "opnai:gpt", " opnai :x"])
def test_an_unknown_name_says_what_to_give_instead(text: str) -> None:
    message = "^no provider is named 'opnai'; there are .*openai.*; or give an extractor object or a callable$"
    with pytest.raises(ExtractorError, match=message):
        as_extractor(text)


def test_a_name_stands_for_what_its_factory_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def factory(text: str) -> object:
        given.append(text)
        return FakeExtractor()

    monkeypatch.setattr(named, "FACTORIES", {"mine": factory})
    assert [as_extractor(text).name for text in ("mine", "mine: a:b ", "MINE:")] == ["fake"] * 3
    assert given == ["", "a:b", ""]


@pytest.mark.parametrize("llm", [None, True, False, 3, {}, [plain], b"openai", object(), SimpleNamespace(extract=3)])
def test_what_can_t_be_asked_is_refused(llm: object) -> None:
    with pytest.raises(ExtractorError, match="is no extractor"):
        as_extractor(llm)


def test_a_class_in_place_of_an_instance_is_refused() -> None:
    with pytest.raises(ExtractorError, match="FakeExtractor is a class; give an instance"):
        as_extractor(FakeExtractor)


def test_it_tells_what_the_extractor_says_of_itself() -> None:
    llm = SimpleNamespace(extract=plain, name="mine", model="m-1", prompt_digest="abc", usage={"tokens": 3})
    extractor = as_extractor(llm)
    assert (extractor.name, extractor.model, extractor.prompt_digest) == ("mine", "m-1", "abc")
    assert extractor.usage == {"tokens": 3}
    assert extractor.call(REQUEST).usage == {"tokens": 3}


def test_an_extractor_that_says_nothing_of_itself_goes_by_its_function_or_class() -> None:
    assert as_extractor(plain).name == "plain"
    assert as_extractor(Sync()).name == "Sync"
    extractor = as_extractor(Sync())
    assert (extractor.model, extractor.prompt_digest, extractor.usage) == (None, None, None)


def test_attributes_that_can_t_stand_in_the_log_are_left_out() -> None:
    class Odd(Sync):
        name = "\ud800" + "n" * 300
        model = object()
        usage = {"tokens": object()}  # noqa: RUF012 - what a provider might do

        @property
        def prompt_digest(self) -> str:
            raise ValueError("no digest")

    extractor = as_extractor(Odd())
    assert (extractor.model, extractor.prompt_digest, extractor.usage) == (None, None, None)
    assert len(extractor.name) == 200
    extractor.name.encode()


def test_what_an_answer_says_it_used_goes_before_what_the_extractor_does() -> None:
    class Answered(list[Operation]):
        usage = {"tokens": 5, "cost": Decimal("0.1")}  # noqa: RUF012 - what a provider might do

    llm = SimpleNamespace(extract=lambda request: Answered([DELHI]), usage={"tokens": 500})
    usage = as_extractor(llm).call(REQUEST).usage
    assert json.dumps(usage) == '{"tokens": 5, "cost": "0.1"}'


# Loops


def test_a_sync_extractor_never_holds_up_the_loop() -> None:
    goes_on = threading.Event()

    def slow(request: ExtractionRequest) -> list[Operation]:
        assert goes_on.wait(30)
        return [DELHI]

    async def main() -> Answer:
        asked = asyncio.create_task(as_extractor(slow).acall(REQUEST))
        await asyncio.sleep(0)
        goes_on.set()  # only reached while the extractor waits for it
        return await asked

    assert asyncio.run(main()) == WANTED


def test_an_async_extractor_is_awaited_in_the_caller_s_loop() -> None:
    seen = []

    async def extract(request: ExtractionRequest) -> list[Operation]:
        seen.append(asyncio.get_running_loop())
        return [DELHI]

    async def main() -> bool:
        await as_extractor(extract).acall(REQUEST)
        return seen == [asyncio.get_running_loop()]

    assert asyncio.run(main())


def test_blocking_calls_share_one_loop_so_that_a_client_stays_usable() -> None:
    loops = []

    async def extract(request: ExtractionRequest) -> list[Operation]:
        loops.append(asyncio.get_running_loop())
        return [DELHI]

    extractor = as_extractor(extract)
    extractor.call(REQUEST)
    in_thread(lambda: extractor.call(REQUEST))
    assert len(loops) == 2
    assert loops[0] is loops[1]
    assert not loops[0].is_closed()
    extractor.close()
    assert loops[0].is_closed()


def test_a_closed_extractor_can_be_called_again() -> None:
    extractor = as_extractor(awaited)
    extractor.close()
    assert extractor.call(REQUEST) == WANTED
    extractor.close()
    extractor.close()
    assert extractor.call(REQUEST) == WANTED


def test_closing_lets_go_of_who_still_waits() -> None:
    begun = threading.Event()

    async def endless(request: ExtractionRequest) -> list[Operation]:
        begun.set()
        await asyncio.Event().wait()
        return []

    extractor = as_extractor(endless)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(extractor.call, REQUEST)
        assert begun.wait(30)
        extractor.close()
        with pytest.raises(ExtractorUnavailable, match="closed"):
            answer.result(30)


def test_the_thread_of_a_forgotten_extractor_ends() -> None:
    threads = []

    async def extract(request: ExtractionRequest) -> list[Operation]:
        threads.append(threading.current_thread())
        return [DELHI]

    as_extractor(extract).call(REQUEST)
    threads[0].join(30)
    assert not threads[0].is_alive()


def test_several_threads_are_answered_each_its_own() -> None:
    async def echo(request: ExtractionRequest) -> list[Operation]:
        await asyncio.sleep(0)
        return [Operation("set", "n", request.text)]

    extractor = as_extractor(echo)
    requests = [
        ExtractionRequest((RequestMessage(str(n), "user", datetime(2026, 1, 1, tzinfo=UTC)),)) for n in range(99)
    ]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(extractor.call, requests))
    assert [answer.operations for answer in answers] == [(Operation("set", "n", str(n)),) for n in range(99)]


def test_an_extractor_that_waits_for_itself_is_told_so() -> None:
    extractor: CallableExtractor

    async def recursive(request: ExtractionRequest) -> Any:
        return extractor.call(request)

    extractor = as_extractor(recursive)
    with pytest.raises(ExtractorError, match="can't wait for itself"):
        extractor.call(REQUEST)


# Failures


FAILURES = {
    "unavailable": (ExtractorUnavailable("down"), ExtractorUnavailable),
    "output": (ExtractorOutputError("bad"), ExtractorOutputError),
    "refused": (ConnectionRefusedError("no"), ExtractorUnavailable),
    "reset": (ConnectionResetError(), ExtractorUnavailable),
    "timeout": (TimeoutError("late"), ExtractorError),
    "no connection in time": (TimeoutError(errno.ETIMEDOUT, "no way"), ExtractorUnavailable),
    "no name": (socket.gaierror(socket.EAI_AGAIN, "no such name"), ExtractorUnavailable),
    "no network": (OSError(errno.ENETUNREACH, "no way"), ExtractorUnavailable),
    "no file": (FileNotFoundError(errno.ENOENT, "no rules"), ExtractorError),
    "other": (ValueError("what"), ExtractorError),
    "stop": (StopIteration(3), ExtractorError),
    "async stop": (StopAsyncIteration(), ExtractorError),
    "exit": (SystemExit(3), ExtractorError),
    "memory": (MemoryError(), ExtractorError),
    "cancelled": (asyncio.CancelledError(), ExtractorError),
    "generator exit": (GeneratorExit(), ExtractorError),
}
PLACES = ("sync", "async", "generator", "awaited generator")


CALLERS = ("main", "worker", "await")


@pytest.mark.parametrize(("name", "place", "caller"), sorted(product(FAILURES, PLACES, CALLERS)))
def test_what_an_extractor_raises_becomes_an_error_of_the_library(name: str, place: str, caller: str) -> None:
    error, kind = FAILURES[name]
    extractor = as_extractor(raising(error)[place])
    calls: dict[str, Callable[[], Any]] = {
        "main": lambda: extractor.call(REQUEST),
        "worker": lambda: in_thread(lambda: extractor.call(REQUEST)),
        "await": lambda: asyncio.run(extractor.acall(REQUEST)),
    }
    with pytest.raises(ExtractorError) as raised:
        calls[caller]()
    assert type(raised.value) is kind
    causes = [raised.value, raised.value.__cause__, getattr(raised.value.__cause__, "__cause__", None)]
    # A StopIteration can't leave a coroutine or generator as it is: Python puts a RuntimeError around it. And out of
    # what is awaited a GeneratorExit comes as another one.
    assert any(cause is error or (name == "generator exit" and type(cause) is type(error)) for cause in causes)


def test_the_error_names_the_extractor_and_the_cause() -> None:
    with pytest.raises(ExtractorError, match=r"^at_once failed: ValueError: what$"):
        as_extractor(raising(ValueError("what"))["sync"]).call(REQUEST)
    with pytest.raises(ExtractorUnavailable, match=r"^at_once can't be reached: ConnectionError$"):
        as_extractor(raising(ConnectionError())["sync"]).call(REQUEST)


def test_an_error_s_text_is_cut_and_can_be_written() -> None:
    class Loud(Exception):
        def __str__(self) -> str:
            return "\ud800" + "x" * 10_000

    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError

    with pytest.raises(ExtractorError) as raised:
        as_extractor(raising(Loud())["sync"]).call(REQUEST)
    assert len(str(raised.value).encode()) < 600
    with pytest.raises(ExtractorError, match="Mute"):
        as_extractor(raising(Mute())["sync"]).call(REQUEST)


@pytest.mark.parametrize("place", PLACES)
def test_an_interrupt_raised_in_a_worker_does_not_end_it(place: str) -> None:
    extractor = as_extractor(raising(KeyboardInterrupt())[place])
    with pytest.raises(ExtractorError, match="KeyboardInterrupt"):
        in_thread(lambda: extractor.call(REQUEST))


def test_an_interrupt_in_the_main_thread_passes() -> None:
    extractor = as_extractor(raising(KeyboardInterrupt())["sync"])
    with pytest.raises(KeyboardInterrupt):
        extractor.call(REQUEST)


def test_an_interrupt_while_the_main_thread_waits_passes_and_cancels_the_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, cancelled = threading.Event(), threading.Event()

    async def endless(request: ExtractionRequest) -> list[Operation]:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return []

    def interrupted(future: Any, timeout: float | None = None) -> Any:
        assert begun.wait(30)
        raise KeyboardInterrupt

    extractor = as_extractor(endless)
    submit = asyncio.run_coroutine_threadsafe

    def submit_interrupted(coroutine: Any, loop: Any) -> Any:
        future = submit(coroutine, loop)
        monkeypatch.setattr(future, "result", functools.partial(interrupted, future))
        return future

    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", submit_interrupted)
    with pytest.raises(KeyboardInterrupt):
        extractor.call(REQUEST)
    assert cancelled.wait(30)


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
def test_an_exit_in_a_task_of_the_extractor_s_own_leaves_nobody_waiting(error: type[BaseException]) -> None:
    async def leave() -> None:
        if error is SystemExit:
            sys.exit(3)
        raise error

    async def with_task(request: ExtractionRequest) -> list[Operation]:
        await asyncio.create_task(leave())
        return [DELHI]

    extractor = as_extractor(with_task)
    for _ in range(2):
        with pytest.raises(ExtractorError, match=error.__name__):
            in_thread(lambda: extractor.call(REQUEST))


def test_cancelling_who_awaits_passes() -> None:
    async def main(llm: object) -> None:
        asked = asyncio.create_task(as_extractor(llm).acall(REQUEST))
        await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    async def endless(request: ExtractionRequest) -> list[Operation]:
        await asyncio.Event().wait()
        return []

    asyncio.run(main(endless))
    asyncio.run(main(plain))


async def cancels_itself(request: ExtractionRequest) -> list[Operation]:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(0)
    return [DELHI]


@pytest.mark.parametrize("seconds", [None, 60])
def test_an_extractor_that_cancels_its_own_task_has_failed_and_ends_nobody_else(seconds: float | None) -> None:
    extractor = as_extractor(cancels_itself)

    async def main() -> None:
        with pytest.raises(ExtractorError, match="CancelledError") as raised:
            await extractor.acall(REQUEST, seconds)
        assert type(raised.value) is ExtractorError
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0

    asyncio.run(main())
    with pytest.raises(ExtractorError, match="CancelledError") as raised:
        extractor.call(REQUEST, seconds)
    assert type(raised.value) is ExtractorError


def test_an_extractor_that_was_cancelled_before_and_went_on_can_still_fail_by_itself() -> None:
    async def main() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.sleep(0)
        with pytest.raises(ExtractorError, match="CancelledError"):  # the caller went on after it was cancelled
            await as_extractor(cancels_itself).acall(REQUEST)

    asyncio.run(main())


class Stubborn:
    """Never answers; makes of its cancellation what it was told to."""

    def __init__(self, outcome: BaseException | list[Operation]) -> None:
        self.outcome = outcome

    async def extract(self, request: ExtractionRequest) -> list[Operation]:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if isinstance(self.outcome, BaseException):
                raise self.outcome from None
        return self.outcome if isinstance(self.outcome, list) else []


OF_ITS_OWN = (RuntimeError("of its own"), TimeoutError("of its own"), ExtractorOutputError("bad"), GeneratorExit())


@pytest.mark.parametrize("error", OF_ITS_OWN)
def test_time_that_is_over_is_told_as_that_whatever_the_extractor_makes_of_it(error: BaseException) -> None:
    extractor = as_extractor(Stubborn(error))
    with pytest.raises(OutOfTimeError):
        extractor.call(REQUEST, 0.001)
    with pytest.raises(OutOfTimeError):
        asyncio.run(extractor.acall(REQUEST, 0.001))


@pytest.mark.parametrize("outcome", [*OF_ITS_OWN, [DELHI]])
@pytest.mark.parametrize("seconds", [None, 60])
def test_a_caller_that_is_cancelled_is_cancelled_whatever_the_extractor_makes_of_it(
    outcome: Any, seconds: float | None
) -> None:
    async def main() -> None:
        asked = asyncio.create_task(as_extractor(Stubborn(outcome)).acall(REQUEST, seconds))
        for _ in range(5):
            await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(main())


def test_what_comes_in_the_end_though_the_time_is_over_is_an_answer() -> None:
    assert as_extractor(Stubborn([DELHI])).call(REQUEST, 0.001) == WANTED


def test_an_extractor_that_asks_for_its_own_end_of_time_has_failed() -> None:
    async def late(request: ExtractionRequest) -> list[Operation]:
        async with asyncio.timeout(0):
            await asyncio.Event().wait()
        return []

    for seconds in (None, 60):
        with pytest.raises(ExtractorError) as raised:
            as_extractor(late).call(REQUEST, seconds)
        assert type(raised.value) is ExtractorError


def test_a_bad_answer_is_an_output_error_either_way() -> None:
    extractor = as_extractor(lambda request: {"op": "set"})
    with pytest.raises(ExtractorOutputError, match="dict"):
        extractor.call(REQUEST)
    with pytest.raises(ExtractorOutputError, match="dict"):
        asyncio.run(extractor.acall(REQUEST))


def test_an_endless_generator_is_cut() -> None:
    def endless(request: ExtractionRequest) -> Iterator[Operation]:
        while True:
            yield DELHI

    async def awaited_endless(request: ExtractionRequest) -> Iterator[Operation]:
        return endless(request)

    for llm in (endless, awaited_endless):
        operations = as_extractor(llm).call(REQUEST).operations
        assert len(operations) == 1001
        assert isinstance(operations[-1], Malformed)
        assert "at least 9000" in operations[-1].why
