"""What all model extractors do alike, tried with one whose provider is a script."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from tensemem.errors import ExtractorError, ExtractorOutputError, ExtractorUnavailable, InvalidValueError
from tensemem.extract.calling import as_extractor
from tensemem.extract.models import base
from tensemem.extract.models.base import ModelExtractor, Question, Reply
from tensemem.extract.models.failures import Kind, failed_with, failed_with_status, retry_after
from tensemem.ports import ExtractionRequest, RequestMessage
from tests.extract.models.wires import GOOD, REQUEST, SAID, WANTED

pytest.importorskip("tenacity", reason="the extras of the model extractors are not installed")
OPENING = '{"operations": ['
NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


class Refused(Exception):
    def __init__(self, status_code: int, said: str = "", headers: dict[str, str] | None = None) -> None:
        super().__init__(said)
        self.status_code = status_code
        self.response = type("Response", (), {"headers": headers or {}})()


class Client:
    """Made in one loop, closed in the same."""

    made: list[Client]

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.is_closed = False
        self.made.append(self)

    async def close(self) -> None:
        assert asyncio.get_running_loop() is self.loop
        self.is_closed = True


class Scripted(ModelExtractor):
    """Answers with what its script says: a reply, an error to raise, or a function of the question."""

    name = "scripted"
    extra = "openai"
    default_url = "http://nowhere"

    def __init__(self, *script: Any, **options: Any) -> None:
        super().__init__("m", **options)
        self.script = list(script)
        self.questions: list[Question] = []
        self.clients: list[Client] = []
        self.waits: list[float] = []
        self._sleep = self._rest
        self._kind = type("ItsClient", (Client,), {"made": self.clients})

    async def _rest(self, seconds: float) -> None:
        self.waits.append(seconds)

    def _load(self) -> None:
        pass

    def _make_client(self) -> Any:
        return self._kind()

    async def _close_client(self, client: Any) -> None:
        await client.close()

    async def _send(self, client: Any, question: Question) -> Reply:
        self.questions.append(question)
        said = self.script.pop(0) if self.script else GOOD
        if callable(said):
            said = await said(question)
        if isinstance(said, BaseException):
            raise said
        return said if isinstance(said, Reply) else Reply(said, 10, 5)


def ask(extractor: ModelExtractor, request: ExtractionRequest = REQUEST) -> Any:
    return asyncio.run(as_extractor(extractor).acall(request))


# Usage


def test_usage_is_told_for_each_question_and_for_all() -> None:
    extractor = Scripted(Refused(500), "no", GOOD, GOOD)
    first, second = ask(extractor), ask(extractor)
    assert {name: first.usage[name] for name in ("calls", "retries", "repaired", "input_tokens")} == {
        "calls": 3, "retries": 1, "repaired": 1, "input_tokens": 20,
    }  # fmt: skip
    assert (second.usage["calls"], second.usage["input_tokens"], second.usage["output_tokens"]) == (1, 10, 5)
    assert extractor.usage["calls"] == 4
    assert extractor.usage["output_tokens"] == 15


def test_what_a_question_in_vain_cost_is_in_the_total() -> None:
    extractor = Scripted("no", "no")
    with pytest.raises(ExtractorOutputError) as caught:
        ask(extractor)
    assert (extractor.usage["calls"], extractor.usage["input_tokens"], extractor.usage["repaired"]) == (2, 20, 0)
    assert caught.value.usage == extractor.usage


@pytest.mark.parametrize(
    ("script", "options", "kind", "calls", "tokens"),
    [(["no", Refused(401)], {}, ExtractorUnavailable, 2, 10),
     (["no", Refused(400)], {}, ExtractorError, 2, 10),
     (["no", Reply("", 10, 5)], {}, ExtractorOutputError, 2, 20),
     (["no"], {"max_calls_per_day": 1}, ExtractorUnavailable, 1, 10),
     ([], {"max_calls_per_day": 0}, ExtractorUnavailable, 0, 0)],
)  # fmt: skip
def test_every_error_tells_what_the_question_used(
    script: list[Any], options: dict[str, Any], kind: type[ExtractorError], calls: int, tokens: int
) -> None:
    with pytest.raises(ExtractorError) as caught:
        ask(Scripted(*script, clock=lambda: NOON, **options))
    assert type(caught.value) is kind
    assert caught.value.usage is not None
    assert (caught.value.usage["calls"], caught.value.usage["input_tokens"]) == (calls, tokens)


def test_only_a_repair_that_worked_counts_as_one() -> None:
    half = f'{{"operations": [{GOOD[len(OPENING):-2]}, 7]}}'
    assert [ask(Scripted(*script)).usage["repaired"] for script in (["no", GOOD], [half, GOOD])] == [1, 1]
    assert [ask(Scripted(*script)).usage["repaired"] for script in (["no", half], [half, "no"])] == [0, 0]


def test_usage_of_questions_at_once_is_not_mixed_up() -> None:
    def costing(tokens: int) -> Callable[[Question], Any]:
        async def reply(_question: Question) -> Reply:
            for _ in range(tokens % 7):
                await asyncio.sleep(0)
            return Reply(GOOD, tokens, 1)

        return reply

    extractor = Scripted(*[costing(n) for n in range(1, 21)], max_concurrency=20)

    async def main() -> list[int]:
        answers = await asyncio.gather(*[extractor.extract(REQUEST) for _ in range(20)])
        return [answer.usage["input_tokens"] for answer in answers]

    assert sorted(asyncio.run(main())) == list(range(1, 21))
    assert extractor.usage["input_tokens"] == sum(range(1, 21))


def test_tokens_that_are_not_told_are_estimated() -> None:
    usage = ask(Scripted(Reply(GOOD))).usage
    assert usage["input_tokens"] > 1500
    assert 50 < usage["output_tokens"] < 1000


# Caps and limits


def test_the_day_s_share_is_kept_and_the_message_waits_for_the_next() -> None:
    now = [NOON]
    extractor = Scripted(max_calls_per_day=2, clock=lambda: now[0])
    ask(extractor)
    ask(extractor)
    with pytest.raises(ExtractorUnavailable, match="resumes at 2026-03-06T00:00Z"):
        ask(extractor)
    assert len(extractor.questions) == 2
    now[0] += timedelta(days=1)
    assert ask(extractor).operations == WANTED


def test_a_repair_counts_and_what_a_provider_turned_away_does_not() -> None:
    extractor = Scripted(Refused(503), Refused(429), "no", GOOD, max_calls_per_day=2, clock=lambda: NOON)
    assert ask(extractor).operations == WANTED
    with pytest.raises(ExtractorUnavailable):
        ask(extractor)


def test_a_request_whose_answer_never_came_may_have_cost_and_counts() -> None:
    extractor = Scripted(TimeoutError(), max_calls_per_day=1, max_retries=0, clock=lambda: NOON)
    with pytest.raises(ExtractorUnavailable, match="time-out"):
        ask(extractor)
    with pytest.raises(ExtractorUnavailable, match="used up"):
        ask(extractor)


def test_tokens_have_a_cap_too() -> None:
    extractor = Scripted(max_tokens_per_day=15, clock=lambda: NOON)
    ask(extractor)
    with pytest.raises(ExtractorUnavailable, match="max_tokens_per_day"):
        ask(extractor)


def test_no_more_requests_are_under_way_than_allowed_for_all_extractors_of_one_address() -> None:
    under_way, most = 0, 0

    async def slowly(_question: Question) -> Reply:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        for _ in range(5):
            await asyncio.sleep(0)
        under_way -= 1
        return Reply(GOOD, 1, 1)

    extractors = [Scripted(*[slowly] * 6, max_concurrency=3) for _ in range(2)]
    elsewhere = Scripted(*[slowly] * 6, max_concurrency=3, base_url="http://elsewhere")

    async def main(*asked: Scripted) -> None:
        await asyncio.gather(*[extractor.extract(REQUEST) for extractor in asked for _ in range(3)])

    asyncio.run(main(*extractors))
    assert most == 3
    asyncio.run(main(*extractors, elsewhere))
    assert most == 6


def test_one_who_waits_to_try_again_takes_no_place() -> None:
    extractor = Scripted(Refused(500), GOOD, GOOD, max_concurrency=1)
    order: list[str] = []

    async def rest(_seconds: float) -> None:
        order.append("resting")
        await extractor.extract(REQUEST)
        order.append("another was answered meanwhile")

    extractor._sleep = rest
    assert ask(extractor).operations == WANTED
    assert order == ["resting", "another was answered meanwhile"]


# Clients and loops


def test_each_loop_has_a_client_of_its_own_that_ends_with_it() -> None:
    extractor = Scripted()

    async def main() -> None:
        await asyncio.gather(*[extractor.extract(REQUEST) for _ in range(3)])
        assert [client.is_closed for client in extractor.clients[-1:]] == [False]

    asyncio.run(main())
    asyncio.run(main())
    assert [client.is_closed for client in extractor.clients] == [True, True]


def test_the_private_loop_ends_it_too_and_another_call_opens_a_new_one() -> None:
    extractor = Scripted()
    wired = as_extractor(extractor)
    wired.call(REQUEST)
    wired.call(REQUEST)
    assert [client.is_closed for client in extractor.clients] == [False]
    wired.close()
    wired.call(REQUEST)
    assert [client.is_closed for client in extractor.clients] == [True, False]
    del wired  # nobody holds the loop any more, so it ends by itself
    gc.collect()
    for thread in threading.enumerate():
        if thread.name == "tensemem-extractor":
            thread.join(10)
    assert [client.is_closed for client in extractor.clients] == [True, True]


def test_it_can_be_closed_at_once() -> None:
    extractor = Scripted()

    async def main() -> None:
        await extractor.aclose()
        await extractor.extract(REQUEST)
        await extractor.aclose()
        assert extractor.clients[0].is_closed
        assert (await extractor.extract(REQUEST)).usage["calls"] == 1

    asyncio.run(main())
    assert [client.is_closed for client in extractor.clients] == [True, True]


def test_a_client_of_the_caller_s_is_used_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    given = object()
    extractor = Scripted(client=given)
    asked: list[Any] = []

    async def send(client: Any, _question: Question) -> Reply:
        asked.append(client)
        return Reply(GOOD, 1, 1)

    monkeypatch.setattr(extractor, "_send", send)
    assert ask(extractor).operations == WANTED
    assert asked == [given]
    assert extractor.clients == []


# Asking


def test_nothing_is_asked_where_nothing_was_said() -> None:
    extractor = Scripted()
    answer = ask(extractor, ExtractionRequest((RequestMessage("  \n", "user", SAID),)))
    assert (answer.operations, answer.usage["calls"]) == ((), 0)
    assert extractor.questions == []


def test_what_is_said_in_a_batch_names_its_message() -> None:
    assert [operation.message for operation in ask(Scripted()).operations] == [0, 1]


def test_a_temperature_of_none_is_not_sent() -> None:
    extractor = Scripted(temperature=None)
    ask(extractor)
    assert extractor.questions[0].temperature is None


def test_a_bad_answer_is_sent_back_shortened_with_the_first_things_that_are_wrong() -> None:
    extractor = Scripted("x" * 50_000, GOOD)
    ask(extractor)
    assert len(extractor.questions[1].answered) == base._MAX_REPEATED
    many = '{"operations": [' + ", ".join(["1"] * 40) + "]}"
    extractor = Scripted(many, GOOD)
    ask(extractor)
    assert extractor.questions[1].complaint.count("int is no operation") == base._MAX_FAULTS


def test_a_request_ends_with_its_time_whatever_the_sdk_waits_for() -> None:
    async def hang(_question: Question) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError

    with pytest.raises(ExtractorUnavailable, match="no answer within the time-out"):
        ask(Scripted(hang, timeout=0.01, max_retries=0))


def test_cancelling_passes_and_frees_the_place() -> None:
    async def hang(_question: Question) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError

    extractor = Scripted(hang, GOOD, max_concurrency=1)

    async def main() -> None:
        task = asyncio.create_task(extractor.extract(REQUEST))
        for _ in range(20):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert list(await extractor.extract(REQUEST))

    asyncio.run(main())


def test_what_was_good_at_first_is_kept_where_the_second_answer_is_cut_off() -> None:
    half = f'{{"operations": [{GOOD[len(OPENING):-2]}, 7]}}'
    answered = ask(Scripted(half, Reply("{", 1, 1, "cut off")))
    assert answered.operations[:2] == WANTED
    assert len(answered.operations) == 3
    with pytest.raises(ExtractorUnavailable):
        ask(Scripted(half, Refused(500), max_retries=0))


def test_an_sdk_s_error_does_not_hang_on_ours() -> None:
    with pytest.raises(ExtractorUnavailable) as caught:
        ask(Scripted(Refused(401)))
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_client_that_can_t_be_made_is_told_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "Sw0rdfish-of-mine")

    class Broken(Scripted):
        key_variables = ("A_KEY",)

        def _make_client(self) -> Any:
            raise ValueError(f"no header can hold {self._key}\n")

    with pytest.raises(ExtractorError, match=r"scripted: its client can't be made \(ValueError: .* \[key\]\)"):
        ask(Broken())


# Making one


@pytest.mark.parametrize(
    ("name", "given"),
    [("timeout", 0), ("timeout", float("inf")), ("timeout", "1"), ("timeout", True), ("max_concurrency", 0),
     ("max_messages", 0), ("debounce", -1), ("debounce", 11), ("debounce", "1"),
     ("max_retries", -1), ("max_retries", 1.5), ("max_output_tokens", 0), ("max_calls_per_day", -1),
     ("max_tokens_per_day", True), ("base_url", "nowhere"), ("base_url", "ftp://x"), ("temperature", "hot"),
     ("temperature", float("nan"))],
)  # fmt: skip
def test_an_argument_that_can_t_be_taken_is_named(name: str, given: Any) -> None:
    with pytest.raises(InvalidValueError, match=name):
        Scripted(**{name: given})


@pytest.mark.parametrize("model", ["", "  ", None, 3])
def test_a_model_has_to_be_named(model: Any) -> None:
    with pytest.raises(InvalidValueError, match="model"):
        type("Named", (Scripted,), {"__init__": ModelExtractor.__init__})(model)


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(base, "import_module", gone)
    with pytest.raises(ExtractorError, match=r"scripted: .* can't be loaded; install the extra `openai`"):
        Scripted()


def test_a_key_is_taken_from_the_environment_when_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    keyed = type("Keyed", (Scripted,), {"key_variables": ("ONE_KEY", "OTHER_KEY")})
    monkeypatch.delenv("ONE_KEY", raising=False)
    monkeypatch.setenv("OTHER_KEY", "  ")
    with pytest.raises(ExtractorError, match="scripted: there is no key; set ONE_KEY or OTHER_KEY in the environment"):
        keyed()
    assert keyed(client=object())
    monkeypatch.setenv("OTHER_KEY", " k1 ")
    assert keyed()._key == "k1"


# What failures mean


@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [(400, "", Kind.REFUSED), (401, "", Kind.CLOSED), (402, "", Kind.CLOSED), (403, "", Kind.CLOSED),
     (404, "", Kind.CLOSED), (408, "", Kind.PASSING), (409, "", Kind.PASSING), (413, "", Kind.REFUSED),
     (422, "", Kind.REFUSED), (425, "", Kind.PASSING), (429, "", Kind.PASSING),
     (429, "You exceeded your quota: insufficient_quota", Kind.CLOSED),
     (429, "You exceeded your current quota, please check your plan and billing details", Kind.PASSING),
     (400, "Your credit balance is too low", Kind.CLOSED), (500, "", Kind.PASSING),
     (503, "", Kind.PASSING), (529, "overloaded", Kind.PASSING)],
)  # fmt: skip
def test_a_status_says_what_is_to_be_done(status: int, said: str, kind: Kind) -> None:
    failed = failed_with_status(status, said, {}, now=NOON, key_hint="check X", model="m")
    assert failed.kind is kind
    assert str(status) in failed.what


class ConnectError(Exception):
    """As the SDKs' HTTP libraries call it."""


class APIConnectionError(Exception):
    """As the SDKs call it."""


def connecting_in_vain() -> Exception:
    try:
        raise ConnectError
    except ConnectError as error:
        made = APIConnectionError()
        made.__cause__ = error
        return made


@pytest.mark.parametrize(
    ("error", "kind", "was_charged"),
    [(TimeoutError(), Kind.PASSING, True), (ConnectError(), Kind.PASSING, False),
     (connecting_in_vain(), Kind.PASSING, False), (APIConnectionError(), Kind.PASSING, True),
     (ConnectionResetError(), Kind.PASSING, True), (ConnectionRefusedError(), Kind.PASSING, False),
     (ValueError(), Kind.UNUSABLE, True), (AttributeError(), Kind.UNUSABLE, True),
     (TypeError("f() got an unexpected keyword argument 'x'"), Kind.REFUSED, False),
     (RuntimeError("odd"), Kind.REFUSED, False)],
)  # fmt: skip
def test_an_error_without_a_status_says_what_is_to_be_done(error: Exception, kind: Kind, was_charged: bool) -> None:
    failed = failed_with(error, str(error))
    assert (failed.kind, failed.was_charged) == (kind, was_charged)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [("7", 7.0), ("0.5", 0.5), ("  3 ", 3.0), ("", None), ("soon", None), ("-5", None), ("1e9", None), ("nan", None),
     ("999999999", 86_400.0), (format_datetime(NOON + timedelta(seconds=90), usegmt=True), 90.0),
     (format_datetime(NOON - timedelta(seconds=90), usegmt=True), 0.0), ("Thu, 05 Mar 2026 12:00:09 -0000", 9.0)],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date(given: str, wanted: float | None) -> None:
    assert retry_after({"retry-AFTER": given}, NOON) == wanted
    assert retry_after({}, NOON) is None


def test_long_words_of_a_provider_are_cut_and_their_keys_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "Sw0rdfish-of-mine")
    keyed = type("Keyed", (Scripted,), {"key_variables": ("A_KEY",)})
    said = "y" * 295 + "Sw0rdfish-of-mine and sk-proj-" + "aB3" * 16 + "z" * 5000
    with pytest.raises(ExtractorError) as caught:
        ask(keyed(Refused(400, said)))
    assert "Sw0rd" not in str(caught.value)
    assert "aB3" not in str(caught.value)
    assert len(str(caught.value)) < 500
