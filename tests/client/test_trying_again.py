"""What breaks on the way is tried again where that does no harm, and counts once; else it is told for what it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import Change, Client, Memory, Message, Operation, WriteResult, errors
from tests.client.bench import TOKEN, Pauses, Proxy, Served, between, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served") / "m.db") as running, Client(running.url, TOKEN) as client:
        client.register_predicate("lives_in")
        client.register_predicate("languages", "many")
        yield running


@pytest.fixture
def proxy(server: Served) -> Iterator[Proxy]:
    with between(server.url) as found:
        yield found


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
def client(proxy: Proxy, pauses: Pauses) -> Iterator[Client]:
    with Client(proxy.url, TOKEN, retries=3) as found:
        found._sender.sleep = pauses
        yield found


@pytest.fixture
def direct(server: Served) -> Iterator[Client]:
    with Client(server.url, TOKEN) as found:
        yield found


# Writes count once


@pytest.mark.parametrize("act", ["cut", "lose", "gateway"])
def test_a_write_whose_answer_is_lost_counts_once(client: Client, direct: Client, proxy: Proxy, act: str) -> None:
    who = f"ann {act}"
    proxy.script += [act, act]
    result = client.set(who, "lives_in", "Oslo")
    assert [seen.split()[0] for seen in proxy.seen[:3]] == [act, act, "pass"]
    assert (result.seq, result.duplicate, result.changed, result.current) == (1, False, True, True)
    assert [fact.object for fact in direct.history(who).facts] == ["Oslo"]
    assert direct.state(who).freshness.latest_seq == 1


WRITES: dict[str, Any] = {
    "add": lambda mem, who: mem.add(who, "hello there"),
    "add a conversation": lambda mem, who: mem.add(who, [{"role": "user", "content": f"hello {n}"} for n in range(3)]),
    "write": lambda mem, who: mem.write(who, [Operation("set", "lives_in", "Oslo")]),
    "add_value": lambda mem, who: mem.add_value(who, "languages", "Thai"),
    "replace_values": lambda mem, who: mem.replace_values(who, "languages", ["Thai", "Irish"]),
    "retract": lambda mem, who: mem.retract(who, "lives_in"),
    "record": lambda mem, who: mem.record(who, "lives_in", "Oslo", valid_from="2020-01-01"),
    "add_many": lambda mem, who: list(mem.add_many([Message(who, f"hello {n}") for n in range(3)])),
}


@pytest.mark.parametrize("name", WRITES)
def test_every_write_is_sent_under_a_key(client: Client, direct: Client, proxy: Proxy, name: str) -> None:
    broken, whole = f"{name} broken off", f"{name} whole"
    proxy.script += ["cut"]
    mine = WRITES[name](client, broken)
    theirs = WRITES[name](direct, whole)
    for one, other in zip(*[found if isinstance(found, list) else [found] for found in (mine, theirs)], strict=True):
        assert (one.seq, one.rev, one.duplicate) == (other.seq, other.rev, other.duplicate)
        if isinstance(one, WriteResult):
            assert [_told(change) for change in one.changes] == [_told(change) for change in other.changes]
    assert direct.state(broken).freshness.latest_seq == direct.state(whole).freshness.latest_seq
    assert proxy.seen[0].startswith("cut")


def _told(change: Change) -> tuple[Any, ...]:
    return change.rev, change.kind, change.predicate, change.value, change.why, change.seq


def test_a_correction_whose_answer_is_lost_is_made_once(client: Client, direct: Client, proxy: Proxy) -> None:
    fact = direct.set("bea", "lives_in", "Oslo").fact_id
    assert fact is not None
    proxy.script += ["cut"]
    assert client.correct(fact, "Lima", dry_run=True).changed
    proxy.script += ["cut"]
    assert client.correct(fact, "Rome", user_id="bea").changed
    proxy.script += ["cut"]
    assert client.reinstate(fact).duplicate  # whose memory it is was not said, so what changed can't be asked for
    assert direct.state("bea").values == {"lives_in": "Oslo"}
    proxy.script += ["cut"]
    assert client.for_user("bea").correct(fact, "Rome").changed
    assert direct.state("bea").values == {"lives_in": "Rome"}
    assert direct.state("bea").freshness.latest_seq == 4


def test_what_was_there_before_stays_a_duplicate(client: Client, proxy: Proxy) -> None:
    first = client.add("cam", "hello", said_at="2026-05-05T10:00:00+00:00")
    proxy.script += ["cut"]
    again = client.add("cam", "hello", said_at="2026-05-05T10:00:00+00:00")
    assert (again.seq, again.duplicate) == (first.seq, True)
    client.set("cam", "lives_in", "Oslo", idempotency_key="mine")
    proxy.script += ["cut"]
    assert client.set("cam", "lives_in", "Oslo", idempotency_key="mine").duplicate


def test_two_equal_calls_are_two_writes(client: Client, direct: Client) -> None:
    client.add("dot", "hello")
    client.add("dot", "hello")
    assert direct.state("dot").freshness.latest_seq == 2


# Reads, and what may not be repeated


@pytest.mark.parametrize("act", ["cut", "lose", "busy", "gateway", "part", "often"])
def test_a_read_is_tried_again(client: Client, direct: Client, proxy: Proxy, act: str) -> None:
    direct.set("eli", "lives_in", "Oslo", idempotency_key="once")
    proxy.script += [act, act]
    assert client.get("eli", "lives_in") == "Oslo"
    assert len(proxy.seen) == 3


@pytest.mark.parametrize("act", ["busy", "often"])
def test_what_a_server_did_not_take_is_sent_again_whatever_it_is(client: Client, proxy: Proxy, act: str) -> None:
    proxy.script += [act]
    assert client.forget("nobody at all").scopes == 0
    assert proxy.seen == [f"{act} /v1/forget", "pass /v1/forget"]


@pytest.mark.parametrize("act", ["cut", "lose", "gateway"])
def test_what_has_no_key_is_never_sent_twice(client: Client, proxy: Proxy, act: str) -> None:
    proxy.script += [act]
    with pytest.raises(errors.OutcomeUnknownError, match=r"forget was done: .* read what is there"):
        client.forget("nobody at all")
    assert proxy.seen == [f"{act} /v1/forget"]


# When it is enough


def test_tries_have_an_end_and_the_error_says_how_to_go_on(client: Client, direct: Client, proxy: Proxy) -> None:
    proxy.script += ["cut"] * 4
    with pytest.raises(errors.OutcomeUnknownError, match="idempotency_key='mine'"):
        client.set("fin", "lives_in", "Oslo", idempotency_key="mine")
    assert len(proxy.seen) == 4
    assert client.set("fin", "lives_in", "Oslo", idempotency_key="mine").duplicate
    proxy.script += ["lose"] * 4
    with pytest.raises(errors.OutcomeUnknownError) as raised:
        client.set("fin", "lives_in", "Rome")
    key = str(raised.value).partition("idempotency_key='")[2].partition("'")[0]
    assert client.set("fin", "lives_in", "Rome", idempotency_key=key).changed
    proxy.script += ["lose"] * 4
    with pytest.raises(errors.StoreError, match="broke off") as told:
        client.state("fin")
    assert type(told.value) is errors.StoreError


def test_none_is_made_where_none_is_wanted(server: Served, proxy: Proxy) -> None:
    proxy.script += ["busy"]
    with Client(proxy.url, TOKEN, retries=0) as client, pytest.raises(errors.StoreBusyError):
        client.state("ann")


def test_pauses_grow_within_bounds_and_are_as_long_as_the_server_asks(
    client: Client, proxy: Proxy, pauses: Pauses
) -> None:
    proxy.script += ["often", "busy", "lose"]
    client.state("ann")
    assert len(pauses) == 3
    assert pauses[0] >= 2
    assert pauses[1] >= 1
    assert all(0 <= pause <= 5 for pause in pauses)


def test_a_server_that_is_not_there_is_told_of(pauses: Pauses, server: Served) -> None:
    with between(server.url) as proxy:
        gone = proxy.url
    with Client(gone, TOKEN, retries=2) as client:
        client._sender.sleep = pauses
        calls = (lambda: client.state("ann"), lambda: client.set("ann", "lives_in", "x"), lambda: client.forget("ann"))
        for call in calls:
            with pytest.raises(errors.StoreError, match=r"can't be reached, and nothing was done") as told:
                call()
            assert type(told.value) is errors.StoreError
    assert len(pauses) == 6


def test_an_answer_that_does_not_come_in_time_is_told_of(server: Served) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Client(url, TOKEN, retries=0, timeout=0.05) as client:
            with pytest.raises(errors.StoreError, match=r"no answer came within 0\.05 s; a longer timeout="):
                client.state("ann")
            with pytest.raises(errors.OutcomeUnknownError, match=r"no answer came within .*idempotency_key='"):
                client.set("ann", "lives_in", "Oslo")


@pytest.mark.parametrize("act", ["strange", "away"])
def test_what_is_no_answer_of_ours_is_told_of(client: Client, proxy: Proxy, act: str) -> None:
    proxy.script += [act] * 2
    for call in (lambda: client.state("ann"), lambda: client.set("ann", "lives_in", "x")):
        with pytest.raises(errors.StoreError, match=r"tensemem server|elsewhere"):
            call()
    assert len(proxy.seen) == 2


def test_a_file_served_again_under_the_same_address_is_found_again(tmp_path: Path, pauses: Pauses) -> None:
    with served(tmp_path / "m.db") as first:
        client = Client(first.url, TOKEN)
        client._sender.sleep = pauses
        client.register_predicate("lives_in")
        client.set("ann", "lives_in", "Oslo")
        port = first.port
    with served(tmp_path / "m.db", port=port):
        assert client.get("ann", "lives_in") == "Oslo"
        client.close()
    with Memory(tmp_path / "m.db") as mem:
        assert mem.get("ann", "lives_in") == "Oslo"
