"""The present state: told fast from what is written already, and never when it may be another one."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, State
from tensemem.access import Access
from tensemem.engine import state as reading
from tensemem.wire import read
from tests.adapters.rest.bench import Web, served
from tests.engine.bench import Clock, Told, day, lives


class Counted:
    """Counts how often the state was told at a glance, and how often read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.glances = self.reads = 0
        real = reading.states_in

        def states_in(*given: Any) -> Any:
            self.reads += 1
            return real(*given)

        monkeypatch.setattr(reading, "states_in", states_in)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


def state(web: Web, **given: Any) -> State:
    found: State = read(State, web.ok("GET", "state", **{"user_id": "ann", **given}))
    return found


def test_a_state_is_read_once_and_told_from_then_on_as_it_is(web: Web, mem: Memory, counted: Counted) -> None:
    mem.set("ann", "lives_in", "Delhi")
    first = state(web)
    again = [state(web) for _ in range(5)]
    assert counted.reads == 1
    assert again == [first] * 5 == [mem.state("ann")] * 5


def test_the_moment_it_speaks_of_is_that_of_the_request(web: Web, mem: Memory, clock: Clock, counted: Counted) -> None:
    mem.set("ann", "lives_in", "Delhi")
    state(web)
    clock.advance(hours=1)
    assert state(web).at == clock.now
    assert counted.reads == 1


CHANGES: dict[str, Callable[[Memory], object]] = {
    "a write": lambda mem: mem.set("ann", "lives_in", "Pune"),
    "a correction": lambda mem: mem.correct(mem.state("ann").facts[0].id),
    "a message": lambda mem: mem.add("ann", "I moved"),
    "a message that is extracted": lambda mem: (mem.add("ann", "I moved"), mem.flush("ann")),
    "a message that failed": lambda mem: (mem.add("ann", "nonsense"), mem.flush("ann")),
    "a message that waits and is dismissed": lambda mem: mem.dismiss("ann", mem.add("ann", "hm").seq),
    "a predicate": lambda mem: mem.register_predicate("diet"),
    "an alias": lambda mem: mem.register_entity("Delhi", aliases=["Dilli"]),
    "forgetting": lambda mem: mem.forget("ann"),
    "forgetting a part": lambda mem: mem.forget("ann", predicate="lives_in"),
    "forgetting, and the same again": lambda mem: (mem.forget("ann"), mem.set("ann", "lives_in", "Delhi")),
    "erasing": lambda mem: mem.erase("ann", 1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_another_process_does_is_seen_by_the_next_request(
    web: Web, mem: Memory, told: Told, change: str
) -> None:
    told.answers |= {"I moved": [lives("Goa", quote="I moved", modality="asserted")], "nonsense": "nonsense"}
    mem.set("ann", "lives_in", "Delhi")
    for _ in range(2):
        state(web)
    CHANGES[change](mem)
    for _ in range(2):
        assert state(web) == mem.state("ann")


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_this_process_does_is_seen_too(path: Path, clock: Clock, told: Told, mem: Memory, change: str) -> None:
    told.answers |= {"I moved": [lives("Goa", quote="I moved")], "nonsense": "nonsense"}
    mem.set("ann", "lives_in", "Delhi")
    with served(path, clock=clock, llm=told) as web:
        for _ in range(2):
            state(web)
        CHANGES[change](web.application.serving.plain)  # type: ignore[attr-defined]
        for _ in range(2):
            assert state(web) == mem.state("ann")


def test_a_value_that_begins_or_ends_by_itself_is_seen_when_its_moment_comes(
    web: Web, mem: Memory, clock: Clock
) -> None:
    clock.now = day(0)
    mem.record("ann", "lives_in", "Pune", valid_from=day(5), valid_to=day(9))
    for number, place in ((1, None), (4.99, None), (5, "Pune"), (8.99, "Pune"), (9, None), (20, None)):
        clock.now = day(number)
        for _ in range(2):
            assert state(web).values.get("lives_in") == place


def test_a_clock_that_goes_back_is_not_answered_from_the_future(web: Web, mem: Memory, clock: Clock) -> None:
    clock.now = day(0)
    mem.record("ann", "lives_in", "Pune", valid_from=day(5))
    clock.now = day(6)
    assert state(web).values == {"lives_in": "Pune"}
    clock.now = day(4)
    assert state(web).values == mem.state("ann").values == {}


def test_the_version_is_the_tag_and_who_has_it_is_told_so(web: Web, mem: Memory, counted: Counted) -> None:
    mem.set("ann", "lives_in", "Delhi")
    first = web.verb("GET", "state", user_id="ann")
    assert first.headers["etag"] == f'"{mem.state("ann").version}"'
    for given in (first.headers["etag"], f"W/{first.headers['etag']}", "*", f'"x", {first.headers["etag"]}'):
        answer = web.verb("GET", "state", headers={"if-none-match": given}, user_id="ann")
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == first.headers["etag"]
        assert answer.headers["tensemem-current"] == "true"
    assert counted.reads == 2  # of the server once, and once of this test
    assert web.verb("GET", "state", headers={"if-none-match": '"x"'}, user_id="ann").status_code == 200
    mem.set("ann", "lives_in", "Pune")
    answer = web.verb("GET", "state", headers={"if-none-match": first.headers["etag"]}, user_id="ann")
    assert answer.json()["values"] == {"lives_in": "Pune"}


def test_an_unchanged_state_that_is_not_fresh_any_more_says_so_with_its_304(web: Web, mem: Memory, told: Told) -> None:
    told.answers["nonsense"] = "nonsense"
    mem.set("ann", "lives_in", "Delhi")
    mem.add("ann", "nonsense")
    seen = web.verb("GET", "state", user_id="ann").headers["etag"]
    for _ in range(9):
        mem.retry("ann")
        mem.flush("ann")
    answer = web.verb("GET", "state", headers={"if-none-match": seen}, user_id="ann")
    fresh = mem.state("ann").freshness
    assert answer.headers["tensemem-failed"] == str(fresh.failed)
    assert answer.headers["tensemem-current"] == "false"


def test_a_large_state_is_sent_packed_to_who_takes_it(web: Web, mem: Memory) -> None:
    for number in range(20):
        mem.add_value("ann", "languages", f"language {number}")
    for _ in range(3):
        with web.stream("GET", "/v1/state?user_id=ann", headers={"accept-encoding": "gzip"}) as answer:
            raw = b"".join(answer.iter_raw())
            assert answer.headers["content-encoding"] == "gzip"
            assert int(answer.headers["content-length"]) == len(raw) < 3000
        plain = web.get("/v1/state?user_id=ann", headers={"accept-encoding": "gzip;q=0, identity"})
        assert "content-encoding" not in plain.headers
        assert gzip.decompress(raw) == plain.content
    assert state(web) == mem.state("ann")


def test_what_was_forgotten_is_kept_nowhere(path: Path, clock: Clock, mem: Memory) -> None:
    mem.set("ann", "lives_in", "plumwood")
    with served(path, clock=clock) as web:
        states: Any = web.application._states  # type: ignore[attr-defined]
        state(web)
        assert b"plumwood" in next(iter(states._written_states.values())).head
        web.ok("POST", "forget", user_id="ann")
        assert states._written_states == {}
        assert states._plain == {}
        assert states._bytes == 0


def test_who_is_forgotten_while_their_state_is_written_is_kept_nowhere(
    path: Path, clock: Clock, mem: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    mem.set("ann", "lives_in", "plumwood")
    with served(path, clock=clock) as web:
        states: Any = web.application._states  # type: ignore[attr-defined]
        real = states._write

        def late(*given: Any) -> Any:
            written = real(*given)
            mem.forget("ann")
            states.forget()
            return written

        monkeypatch.setattr(states, "_write", late)
        assert state(web).facts[0].value == "plumwood"
        assert states._written_states == {}


def test_who_is_forgotten_by_another_process_is_kept_no_longer_than_a_while(
    path: Path, clock: Clock, mem: Memory
) -> None:
    mem.set("ann", "lives_in", "plumwood")
    mem.set("bob", "lives_in", "Oslo")
    now = [0.0]
    with served(path, clock=clock) as web:
        states: Any = web.application._states  # type: ignore[attr-defined]
        engine = states.serving.engine
        states._clock = engine.states._clock = lambda: now[0]
        engine.states._swept_at = 0.0
        for _ in range(3):
            state(web)
            state(web, user_id="bob")
        mem.forget("ann")
        now[0] = 40.0
        state(web, user_id="bob")
        now[0] = 70.0
        web.portal.call(states.sweep)  # type: ignore[union-attr]
        assert [whose[1] for whose in states._written_states] == ["bob"]
        assert len(engine.states) == 1


def test_only_so_much_is_kept(
    path: Path, clock: Clock, mem: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = 100
    monkeypatch.setattr("tensemem.adapters.rest.states.BESIDE", beside)
    monkeypatch.setattr("tensemem.adapters.rest.states.KEPT_BYTES", 5000)
    monkeypatch.setattr("tensemem.adapters.rest.states.LARGEST", 3000)
    monkeypatch.setattr("tensemem.adapters.rest.states.KEPT_QUERIES", 5)
    for number in range(12):
        for _ in range(number):
            mem.add_value(f"u{number}", "languages", f"language {_}")
    with served(path, clock=clock) as web:
        states: Any = web.application._states  # type: ignore[attr-defined]
        for _ in range(2):
            for number in range(12):
                assert state(web, user_id=f"u{number}") == mem.state(f"u{number}")
                kept = states._written_states.values()
                assert states._bytes == sum(len(one.head) + beside for one in kept) <= 5000
                assert len(states._plain) <= 5


def test_states_of_nobody_fill_no_storage(
    path: Path, clock: Clock, mem: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that somebody made up counts for what is kept of it, which is more than the little there is to say."""
    monkeypatch.setattr("tensemem.adapters.rest.states.KEPT_BYTES", 40_000)
    with served(path, clock=clock) as web:
        states: Any = web.application._states  # type: ignore[attr-defined]
        for number in range(30):
            state(web, user_id=f"nobody{number}")
            assert len(states._written_states) < 10


def test_a_limited_key_is_told_nothing_of_others_from_what_is_kept(path: Path, clock: Clock, mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    mem.set("bob", "lives_in", "Oslo")
    with Access.open(f"{path}-access") as keys:
        _, all_of_it = keys.mint("all", "read")
        _, of_bob = keys.mint("bob's", "read", users=["bob"])
        revoked, gone = keys.mint("gone", "read")
        with served(path, clock=clock, access=keys) as web:
            def ask(token: str, user: str) -> int:
                answer = web.get(f"/v1/state?user_id={user}", headers={"authorization": f"Bearer {token}"})
                return answer.status_code

            for _ in range(2):
                assert [ask(token, "ann") for token in (all_of_it, of_bob, gone)] == [200, 403, 200]
                assert [ask(token, "bob") for token in (all_of_it, of_bob, gone)] == [200, 200, 200]
            keys.revoke(revoked.id)
            assert ask(gone, "ann") == 401
            assert web.get("/v1/state?user_id=ann").status_code == 401


def test_what_is_told_at_once_is_counted_as_any_verb(web: Web, mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    for _ in range(5):
        state(web)
    assert 'tensemem_calls_total{verb="state",outcome="ok"} 5' in web.get("/metrics").text
