"""Waiting: as long as a call says, in requests that are short enough for any server; told by a clock set by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tensemem import AddResult, Change, Freshness, Items, Memory, State, errors
from tensemem.client.address import address_of
from tensemem.client.calling import CHUNK_SECONDS, Setting, flow_of
from tensemem.client.requests import LASTING_SECONDS, Answer, Request
from tensemem.model.results import Shown
from tensemem.verbs.scoped import public_verbs
from tensemem.wire import SERVED, document, problem_of, wrap

BEHIND = Freshness(0, 1, 1, 0, (), False, "extracting")
ADDED = AddResult(1, (1,), 1)


class Server:
    """Answers requests as told, and lets time go by."""

    def __init__(self) -> None:
        self.now = 100.0
        self.asked: list[Request] = []
        address = address_of("http://localhost:7340", "token", insecure=False)
        self.setting = Setting(address, None, 30.0, lambda: self.now)

    def call(self, name: str, *args: Any, answers: list[Callable[[], Answer]], **keywords: Any) -> Any:
        """Call a verb, whose requests are answered in turn; each of them must be asked."""
        flow = flow_of(self.setting, name, public_verbs()[name], args, keywords)
        try:
            request = next(flow)
            while True:
                self.asked.append(request)
                request = flow.send(answers[len(self.asked) - 1]())
        except StopIteration as done:
            assert len(self.asked) == len(answers)
            return done.value

    def after(self, seconds: float, name: str, result: Any) -> Callable[[], Answer]:
        def answer() -> Answer:
            self.now += seconds
            if isinstance(result, Exception):
                found = problem_of(result)
                return Answer(found["status"], {"content-type": "application/problem+json"}, _bytes(found))
            return Answer(200, {}, _bytes(wrap(SERVED[name], result)))

        return answer


def _bytes(found: Any) -> bytes:
    from tensemem.model.jsontext import encode

    return encode(found).encode()


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture(scope="module")
def states() -> dict[str, Any]:
    """A state that lags behind, and one that does not."""
    with Memory(":memory:", worker=False) as mem:
        mem.register_predicate("lives_in")
        found = {"current": mem.state("ann")}
        mem.add("ann", "I live in Oslo.")
        return {**found, "behind": mem.state("ann")}


def waits(server: Server) -> list[float]:
    """How long each request lets the server wait."""
    found = []
    for request in server.asked:
        query = dict(part.split("=") for part in request.target.partition("?")[2].split("&"))
        found.append(float(query["wait"]))
        assert request.seconds == 30 + found[-1]
    return found


def test_a_short_wait_is_one_request(server: Server, states: dict[str, Any]) -> None:
    found = server.call("state", "ann", wait=20, answers=[server.after(20, "state", states["behind"])])
    assert not found.freshness.is_current
    assert waits(server) == [20]


def test_true_is_the_usual_wait(server: Server, states: dict[str, Any]) -> None:
    server.call("state", "ann", wait=True, answers=[server.after(1, "state", states["current"])])
    assert waits(server) == [10]


def test_a_long_wait_is_several_requests_until_it_is_there(server: Server, states: dict[str, Any]) -> None:
    steps = [server.after(25, "state", states["behind"]), server.after(3, "state", states["current"])]
    assert server.call("state", "ann", wait=100, answers=steps).freshness.is_current
    assert waits(server) == [25, 25]


def test_a_long_wait_ends_when_it_is_over(server: Server, states: dict[str, Any]) -> None:
    found = _context(states["behind"])
    steps = [server.after(seconds, "context", found) for seconds in (25, 25, 10)]
    assert not server.call("context", "ann", wait=60, answers=steps).freshness.is_current
    assert waits(server) == [25, 25, 10]


def _context(state: Any) -> Any:
    from tensemem import Context

    return Context("", (), 0, 0, "1.0.", state.freshness)


def test_a_server_that_need_not_wait_is_not_asked_again(server: Server, states: dict[str, Any]) -> None:
    steps = [server.after(0.1, "state", states["behind"])]  # nobody extracts
    assert not server.call("state", "ann", wait=100, answers=steps).freshness.is_current


def test_a_stale_memory_is_waited_for_as_long_as_was_asked(server: Server, states: dict[str, Any]) -> None:
    stale = errors.StaleMemoryError("pending", freshness=BEHIND)
    steps = [server.after(25, "state", stale), server.after(2, "state", states["current"])]
    assert server.call("state", "ann", wait=40, on_stale="raise", answers=steps).freshness.is_current
    other = Server()
    steps = [other.after(25, "state", stale), other.after(15, "state", stale)]
    with pytest.raises(errors.StaleMemoryError) as raised:
        other.call("state", "ann", wait=40, on_stale="raise", answers=steps)
    assert raised.value.freshness == BEHIND
    at_once = Server()
    with pytest.raises(errors.StaleMemoryError):
        at_once.call("state", "ann", wait=40, on_stale="raise", answers=[at_once.after(0, "state", stale)])


def test_changes_are_waited_for(server: Server) -> None:
    none = Items[Change]((), BEHIND)
    steps = [server.after(25, "changes", none), server.after(25, "changes", none), server.after(1, "changes", none)]
    assert server.call("changes", "ann", wait=90, answers=steps) == ()
    assert waits(server) == [25, 25, 25]


def test_a_message_is_added_once_and_waited_for_as_a_state(server: Server, states: dict[str, Any]) -> None:
    fresh = Freshness(1, 1, 0, 0, (), True, None)
    settled = State(
        "ann", lambda: Shown((), (), ()), rev=1, version="1.0.", at=states["current"].at, next_change_at=None,
        freshness=fresh, many=frozenset(),
    )  # fmt: skip
    steps = [
        server.after(25, "add", ADDED), server.after(25, "state", states["behind"]), server.after(2, "state", settled),
    ]  # fmt: skip
    found = server.call("add", "ann", "hello", wait=70, answers=steps)
    assert found == replace(ADDED, settled=True)
    assert [request.served.name for request in server.asked] == ["add", "state", "state"]
    assert "min_seq=1" in server.asked[1].target
    assert "predicates=&" in server.asked[1].target  # whose values nobody needs


def test_a_flush_goes_on_as_long_as_its_time_lasts(server: Server) -> None:
    done = Freshness(1, 1, 0, 0, (), True, None)
    steps = [server.after(25, "flush", BEHIND), server.after(1, "flush", done)]
    assert server.call("flush", "ann", timeout=60, answers=steps) == done
    assert [request.seconds for request in server.asked] == [LASTING_SECONDS + CHUNK_SECONDS] * 2


@pytest.mark.parametrize("wait", [-1, "5", float("nan"), float("inf")])
def test_what_is_no_wait_is_refused_before_anything_is_sent(server: Server, wait: Any) -> None:
    for name in ("state", "add", "changes"):
        args = ("ann", "hello") if name == "add" else ("ann",)
        with pytest.raises(errors.InvalidValueError, match="wait must be seconds"):
            server.call(name, *args, wait=wait, answers=[])


def test_what_lasts_is_given_time(server: Server) -> None:
    from tensemem import RebuildReport

    report = server.after(1000, "verify", RebuildReport(True, "", 0, 0))
    server.call("verify", answers=[report])
    assert server.asked[0].seconds == LASTING_SECONDS
    assert document(report()) is not None
