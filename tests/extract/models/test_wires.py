"""Every provider, through its own SDK: what is sent, what is read, and what becomes of each thing that goes wrong."""

from __future__ import annotations

import asyncio
import logging
import traceback
from typing import Any

import pytest

from tensemem.errors import ExtractorError, ExtractorOutputError, ExtractorUnavailable
from tensemem.extract.calling import Answer, Malformed, as_extractor
from tensemem.extract.models import flat
from tensemem.extract.models.prompt import render
from tests.extract.models.loopback import TOKENS, Cut, Loopback, Raw, Reply, Says, Silence, Status
from tests.extract.models.wires import GOOD, KEY, REQUEST, SAID, WANTED, Wire, answer, each_wire, operation

pytestmark = each_wire


class Asking:
    """An extractor that is asked in an event loop of its own, and how long it would have waited."""

    def __init__(self, wire: Wire, server: Loopback, *replies: Reply, **options: Any) -> None:
        server.replies[:] = replies
        self.waits: list[float] = []
        self.extractor = wire.make(server.url, **options)
        self.extractor._sleep = self._rest

    async def _rest(self, seconds: float) -> None:
        self.waits.append(seconds)

    def ask(self) -> Answer:
        return asyncio.run(as_extractor(self.extractor).acall(REQUEST))


def error_of(asking: Asking) -> ExtractorError:
    with pytest.raises(ExtractorError) as caught:
        asking.ask()
    return caught.value


# What is sent, and what comes back


def test_a_good_answer_is_operations_and_what_they_cost(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Says(GOOD))
    found = asking.ask()
    assert found.operations == WANTED
    assert found.usage is not None
    assert {name: found.usage[name] for name in found.usage if name != "seconds"} == {
        "calls": 1, "input_tokens": TOKENS[0], "output_tokens": TOKENS[1], "retries": 0, "repaired": 0,
    }  # fmt: skip
    assert found.usage["seconds"] >= 0
    assert asking.extractor.usage == found.usage


def test_it_works_blocking_too_and_leaves_no_connection_open(wire: Wire, server: Loopback) -> None:
    server.replies[:] = [Says(GOOD), Says(GOOD)]
    wired = as_extractor(wire.make(server.url))
    assert wired.call(REQUEST).operations == WANTED
    wired.close()
    assert wired.call(REQUEST).operations == WANTED
    wired.close()


def test_the_question_says_all_it_has_to(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Says(GOOD), max_output_tokens=777)
    asking.ask()
    (asked,) = server.asked
    assert asked.path.partition("?")[0].endswith(wire.path)
    sent, prompt = wire.read(asked), render(REQUEST)
    assert (sent.model, sent.temperature, sent.most) == ("some-model", 0, 777)
    assert sent.instructions == prompt.instructions
    assert sent.turns == [("user", f"{prompt.registry}\n\n{prompt.material}")]
    assert sent.schema == flat.schema()


def test_the_key_is_sent_and_is_nowhere_else(wire: Wire, server: Loopback, caplog: pytest.LogCaptureFixture) -> None:
    if wire.variable is None:
        pytest.skip("it needs no key")
    caplog.set_level(logging.DEBUG)
    said = f"your key {KEY} is of no use"
    asking = Asking(wire, server, Status(401, said), Status(401, said))
    error = error_of(asking)
    (asked, *_) = server.asked
    assert any(KEY in value for value in asked.headers.values())
    assert KEY not in asked.path
    shown = "".join(traceback.format_exception(error)) + repr(asking.extractor) + caplog.text
    assert KEY not in shown
    assert "sk-this" not in shown
    assert wire.variable in str(error) or wire.name == "litellm"


def test_a_temperature_that_a_model_refuses_is_left_out_from_then_on(wire: Wire, server: Loopback) -> None:
    refusal = Status(400, "Unsupported value: 'temperature' does not support 0 with this model.")
    asking = Asking(wire, server, refusal, Says(GOOD), Says(GOOD), max_retries=0)
    assert asking.ask().operations == WANTED
    assert asking.ask().operations == WANTED
    assert [wire.read(asked).temperature for asked in server.asked] == [0, None, None]


# Answers that are no good


BAD = answer(operation(op="become", value="Delhi", quote="I live in Delhi"))


def test_a_malformed_answer_is_asked_for_once_more(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Says("Sure! Here you are: {"), Says(GOOD))
    found = asking.ask()
    assert found.operations == WANTED
    assert found.usage is not None
    assert (found.usage["calls"], found.usage["repaired"], found.usage["retries"]) == (2, 1, 0)
    first, second = (wire.read(asked).turns for asked in server.asked)
    assert second[:2] == [*first, ("assistant", "Sure! Here you are: {")]
    role, told = second[2]
    assert role == "user"
    assert "it is not JSON" in told


def test_a_wrong_schema_is_asked_for_once_more(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Says('{"facts": {"lives_in": "Delhi"}}'), Says(GOOD))
    assert asking.ask().operations == WANTED
    assert '{"operations": [...]}' in wire.read(server.asked[1]).turns[2][1]


def test_one_operation_that_is_wrong_is_asked_for_once_more(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Says(BAD), Says(GOOD))
    assert asking.ask().operations == WANTED
    assert "operation 0: op is 'become'" in wire.read(server.asked[1]).turns[2][1]


def test_what_is_malformed_twice_is_an_error_and_no_third_question(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Says("no"), Says("no"))
    error = error_of(asking)
    assert type(error) is ExtractorOutputError
    assert "malformed twice: it is not JSON" in str(error)
    assert len(server.asked) == 2
    assert error.usage == asking.extractor.usage
    assert error.usage is not None
    assert {name: error.usage[name] for name in error.usage if name != "seconds"} == {
        "calls": 2, "input_tokens": 2 * TOKENS[0], "output_tokens": 2 * TOKENS[1], "retries": 0, "repaired": 0,
    }  # fmt: skip


def test_what_is_good_of_a_half_good_answer_is_kept(wire: Wire, server: Loopback) -> None:
    half = answer(operation(value="Delhi", quote="I live in Delhi"), operation(message=7))
    asking = Asking(wire, server, Says(half), Says("no"))
    first, second = asking.ask().operations
    assert first == WANTED[0]
    assert isinstance(second, Malformed)


def test_of_a_huge_answer_a_thousand_operations_are_taken(wire: Wire, server: Loopback) -> None:
    many = answer(*[operation(value=f"Delhi {n}", quote="I live in Delhi") for n in range(1200)])
    operations = Asking(wire, server, Says(many)).ask().operations
    assert len(operations) == 1001
    assert operations[-1] == Malformed("", "200 operations were cut: an answer may have 1000")


@pytest.mark.parametrize(
    ("ended", "told"), [("length", "cut off; raise max_output_tokens"), ("refusal", "refused|filter"),
                        ("filter", "filter|refused")],
)  # fmt: skip
def test_an_answer_that_ended_badly_is_an_error(wire: Wire, server: Loopback, ended: str, told: str) -> None:
    if wire.name == "ollama" and ended != "length":
        pytest.skip("it knows neither refusals nor filters")
    asking = Asking(wire, server, Says(GOOD[:40], ended))
    with pytest.raises(ExtractorOutputError, match=told):
        asking.ask()
    assert len(server.asked) == 1


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_answer_is_an_error(wire: Wire, server: Loopback, text: str) -> None:
    asking = Asking(wire, server, Says(text))
    with pytest.raises(ExtractorOutputError, match="empty"):
        asking.ask()


@pytest.mark.parametrize("body", [b"<html>Gateway</html>", b"{}", b"[]", b"null", b'{"choices": []}', b"\xff\xfe{"])
def test_a_body_that_is_no_answer_is_an_error(wire: Wire, server: Loopback, body: bytes) -> None:
    error = error_of(Asking(wire, server, *[Raw(body)] * 3))
    assert isinstance(error, ExtractorOutputError | ExtractorUnavailable)


# Providers that do not answer


def test_a_busy_provider_is_asked_again_when_it_says(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Status(429, headers={"Retry-After": "7"}), Says(GOOD))
    found = asking.ask()
    assert found.operations == WANTED
    assert found.usage is not None
    assert (found.usage["calls"], found.usage["retries"]) == (2, 1)
    assert len(asking.waits) == 1
    assert 7 <= asking.waits[0] <= 8


def test_a_provider_that_wants_long_peace_gets_it(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Status(429, headers={"Retry-After": "3600"}), clock=lambda: SAID)
    first, second = error_of(asking), error_of(asking)
    assert type(first) is ExtractorUnavailable
    assert "not asked again before 2026-03-05T10:30:00Z" in str(first)
    assert str(second) == str(first)
    assert len(server.asked) == 1
    assert asking.waits == []


def test_a_failing_provider_is_asked_again_with_pauses_that_differ(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, *[Status(500)] * 4, max_retries=3)
    error = error_of(asking)
    assert type(error) is ExtractorUnavailable
    assert "500" in str(error)
    assert len(server.asked) == 4
    assert len(set(asking.waits)) == 3
    assert all(0 <= wait <= 20 for wait in asking.waits)


def test_a_slow_provider_is_not_waited_for(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Silence(), timeout=0.1, max_retries=0)
    error = error_of(asking)
    assert type(error) is ExtractorUnavailable
    assert "time-out" in str(error)


def test_a_cut_connection_is_tried_again(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Cut(), Says(GOOD))
    assert asking.ask().operations == WANTED
    assert len(asking.waits) == 1


def test_nobody_at_the_address_is_unavailable(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, max_retries=0)
    asking.extractor = wire.make("http://127.0.0.1:9", max_retries=0)  # the port of discard, where nobody listens
    error = error_of(asking)
    assert type(error) is ExtractorUnavailable
    assert "reached" in str(error) or "Connection error" in str(error)


@pytest.mark.parametrize(
    ("status", "told"), [(401, "access was refused"), (403, "access was refused"), (404, "no model '.*some-model'"),
                         (402, "nothing left to spend")],
)  # fmt: skip
def test_what_only_a_person_can_mend_is_asked_once_and_then_left_alone(
    wire: Wire, server: Loopback, status: int, told: str
) -> None:
    asking = Asking(wire, server, Status(status))
    with pytest.raises(ExtractorUnavailable, match=f"{told}.*not asked again before"):
        asking.ask()
    with pytest.raises(ExtractorUnavailable, match=f"{told}.*not asked again before"):
        asking.ask()
    assert len(server.asked) == 1


def test_a_request_that_is_not_taken_is_an_error_of_that_request(wire: Wire, server: Loopback) -> None:
    asking = Asking(wire, server, Status(400, "the context is too long"), Says(GOOD))
    error = error_of(asking)
    assert type(error) is ExtractorError
    assert "the context is too long" in str(error)
    assert asking.ask().operations == WANTED
