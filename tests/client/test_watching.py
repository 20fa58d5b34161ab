"""Changes as they come: each once and in order, also where the connection is lost or the server begins anew."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncClient, Change, Client, Operation, errors
from tensemem.client.calling import Setting
from tensemem.client.watching import stream_of
from tests.client.bench import TOKEN, Pauses, Served, between, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served") / "m.db") as running, Client(running.url, TOKEN) as client:
        client.register_predicate("lives_in")
        client.register_predicate("languages", "many")
        yield running


@pytest.fixture
def client(server: Served) -> Iterator[Client]:
    with Client(server.url, TOKEN) as found:
        yield found


def take(changes: Iterator[Change], count: int) -> list[Change]:
    return [next(changes) for _ in range(count)]


def test_what_happens_while_one_watches_is_told(client: Client) -> None:
    client.set("ann", "lives_in", "Oslo")
    changes = client.watch("ann")
    assert [change.value for change in take(changes, 1)] == ["Oslo"]
    writer = threading.Thread(target=lambda: [client.set("ann", "lives_in", town) for town in ("Rome", "Lima")])
    writer.start()
    assert tuple(take(changes, 4)) == client.changes("ann", 1)
    writer.join()
    changes.close()  # type: ignore[attr-defined]


def test_one_may_begin_anywhere_and_for_one_agent(client: Client) -> None:
    for agent in ("", "guide"):
        for town in ("Oslo", "Rome"):
            client.set("bob", "lives_in", f"{town} {agent}", agent_id=agent)
    found = take(client.watch("bob", after_rev=1, agent_id="guide"), 2)
    assert {(change.rev, change.value) for change in found} == {(2, "Rome guide"), (2, "Oslo guide")}


@pytest.mark.parametrize("act", ["lose", "busy", "gateway", "often", "cut"])
def test_a_lost_connection_is_made_anew_and_nothing_told_twice(server: Served, act: str) -> None:
    with between(server.url) as proxy, Client(server.url, TOKEN) as direct, Client(proxy.url, TOKEN) as client:
        who = f"cy {act}"
        for number in range(4):
            direct.write(who, [Operation("add", "languages", f"{number} {n}") for n in range(3)])
        expected = direct.changes(who)
        proxy.script += [act, act, act]
        pauses = client._sender.sleep = Pauses()
        changes = client.watch(who)
        assert tuple(take(changes, len(expected))) == expected
        assert len(pauses) == 3
        changes.close()  # type: ignore[attr-defined]


def test_who_is_ahead_of_the_log_is_told(server: Served, client: Client) -> None:
    client.set("hal", "lives_in", "Oslo")
    for found in (client.watch("hal", after_rev=50), iter(lambda: client.changes("hal", 50), None)):
        with pytest.raises(errors.ConflictError, match="ends with revision 1"):
            next(found)

    async def watched() -> None:
        async with AsyncClient(server.url, TOKEN) as awaited:
            with pytest.raises(errors.ConflictError):
                await anext(awaited.watch("hal", after_rev=50))

    asyncio.run(watched())


def test_a_server_that_begins_anew_is_found_again(tmp_path: Path) -> None:
    with served(tmp_path / "m.db") as first:
        client = Client(first.url, TOKEN)
        client.register_predicate("lives_in")
        client.set("ann", "lives_in", "Oslo")
        changes = client.watch("ann")
        assert next(changes).value == "Oslo"
        port = first.port
    pauses = Pauses()
    client._sender.sleep = pauses
    with served(tmp_path / "m.db", port=port):
        client.set("ann", "lives_in", "Rome")
        assert {change.value for change in take(changes, 2)} == {"Oslo", "Rome"}
        changes.close()  # type: ignore[attr-defined]
    client.close()
    assert pauses


def test_patience_has_an_end(server: Served) -> None:
    now = [0.0]

    def pass_on(seconds: float) -> None:
        now[0] += seconds + 1

    with between(server.url) as proxy:
        gone = proxy.url
    with Client(gone, TOKEN) as client:
        client._setting.clock = lambda: now[0]
        client._sender.sleep = pass_on
        with pytest.raises(errors.StoreError, match="can't be reached"):
            next(client.watch("ann", patience=20))
        assert 20 < now[0] < 40
        with pytest.raises(errors.StoreError):
            next(client.watch("ann", patience=0))


def test_what_does_not_pass_ends_it_at_once(server: Served, client: Client) -> None:
    with Client(server.url, "a-token-that-opens-nothing") as stranger, pytest.raises(errors.UnauthenticatedError):
        next(stranger.watch("ann"))
    with Client(server.url, server.mint("read", users=["bob"])) as other, pytest.raises(errors.ForbiddenError):
        next(other.watch("ann"))


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ({"after_rev": -1}, errors.InvalidValueError), ({"after_rev": "1"}, errors.InvalidValueError),
        ({"patience": -1}, errors.InvalidValueError), ({"namespace": 7}, errors.InvalidScopeError),
    ],
)  # fmt: skip
def test_what_can_not_be_watched_is_refused_before_anything_is_asked(
    client: Client, bad: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        client.watch("ann", **bad)
    with pytest.raises(errors.InvalidScopeError):
        client.watch(7)  # type: ignore[arg-type]


class Event:
    """An event of a stream."""

    def __init__(self, id: str, data: str, event: str = "change") -> None:
        self.id, self.data, self.event = id, data, event


def test_of_a_revision_that_broke_off_nothing_was_told(client: Client) -> None:
    for n in range(2):
        client.write("dan", [Operation("add", "languages", f"{n} {name}") for name in "ab"])
    expected = client.changes("dan")
    stream = stream_of(_setting(client), "dan", {"after_rev": 0, "agent_id": "", "namespace": None}, 1)
    events = [Event(*each) for each in _events(expected)]
    assert stream.take(events[0]) == []
    assert "after_rev" not in stream.request().target  # none was told, so it begins with the first again
    assert [change for event in events[:2] for change in stream.take(event)] == list(expected[:2])
    assert stream.take(events[2]) == []
    assert "after_rev=1" in stream.request().target
    assert [change for event in events[2:] for change in stream.take(event)] == list(expected[2:])
    assert stream.take(Event("", "", "other")) == []
    with pytest.raises(errors.StoreError, match="no change"):
        stream.take(Event("3", "nonsense"))


def _setting(client: Client) -> Setting:
    return client._setting


def _events(changes: tuple[Change, ...]) -> list[tuple[str, str]]:
    import json

    from tensemem.wire import document

    last = {change.rev: place for place, change in enumerate(changes)}
    before = ""
    found = []
    for place, change in enumerate(changes):
        before = str(change.rev) if last[change.rev] == place else before
        found.append((before, json.dumps(document(change))))
    return found


def test_an_event_loop_may_watch_too(server: Served) -> None:
    async def use() -> None:
        async with AsyncClient(server.url, TOKEN) as client:
            await client.set("eve", "lives_in", "Oslo")
            changes = client.watch("eve")
            assert (await anext(changes)).value == "Oslo"
            waiting = asyncio.ensure_future(anext(changes))
            await client.set("eve", "lives_in", "Rome")
            assert (await waiting).rev == 2
            await changes.aclose()  # type: ignore[attr-defined]

    asyncio.run(use())


def test_an_event_loop_takes_up_what_was_lost(server: Served) -> None:
    async def no_pause(seconds: float) -> None:
        pauses.append(seconds)

    async def use(url: str) -> list[Any]:
        async with AsyncClient(url, TOKEN) as client:
            client._sender.sleep = no_pause
            changes = client.watch("fay")
            found = [(await anext(changes)).value for _ in range(3)]
            await changes.aclose()  # type: ignore[attr-defined]
            return found

    pauses: list[float] = []
    with between(server.url, "lose", "busy") as proxy, Client(server.url, TOKEN) as direct:
        for town in ("Oslo", "Rome"):
            direct.set("fay", "lives_in", town)
        assert sorted(asyncio.run(use(proxy.url))) == ["Oslo", "Oslo", "Rome"]
    assert len(pauses) == 2
