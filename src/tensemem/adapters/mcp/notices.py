"""Notices to whoever subscribed to a resource, or to the list of tools: it has changed, read it again.

What changes is seen in the memory itself, so that it does not matter which process did it. Values are noticed as they
are written; what no value tells of (a message that waits, a registry that changed, a moment that has come) within some
seconds, by looking.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
import anyio.abc
import mcp_types as types
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)  # fmt: skip
from mcp.shared.exceptions import MCPError

from ...errors import ClosedError, TensememError
from ...logs import Log
from . import addresses
from .reach import Reach

log = Log("adapters.mcp")

PACE = 2.0
"""Seconds between two looks at what no value tells of."""
_TOOLS = "tools/list"
MOST = 256
"""What is watched at a time: a user's memory, or the tools; and of how many addresses an older client is told by one
watch. One more is refused, as it is to a key that has half of all: one key leaves room for others.
"""

Tell = Callable[[], Awaitable[None]]
Still = Callable[[], Awaitable[bool]]
"""Tells whether a client that listens may still be told."""


async def always() -> bool:
    """Say that it may."""
    return True


def there() -> bool:
    """Say that a client is there."""
    return True


@dataclass(frozen=True, slots=True)
class Client:
    """An older client: what tells it from others, the id of its key, and whether it may, and can, still be told."""

    name: str | None
    who: str | None = None
    still: Still = always
    is_there: Callable[[], bool] = there


def _share(who: str | None) -> int:
    """Give how much may be watched with one key; without keys there is one client only."""
    return MOST if who is None else max(1, MOST // 2)


def _too_many() -> MCPError:
    return MCPError(types.INTERNAL_ERROR, "There are too many subscriptions. End some, or try again later.")


class Watcher:
    """Looks at one memory for those who subscribed.

    What it gives are moments: the first when it knows what is there now, then one for every change.
    """

    def __init__(self, memory: Any, pace: float = PACE) -> None:
        self._memory, self._pace = memory, pace

    async def of_user(self, reach: Reach, user_id: str) -> AsyncIterator[None]:
        """Give the moments at which what one user's resources hold has changed."""
        scoped = self._memory.for_user(user_id, agent_id=reach.agent_id, namespace=reach.namespace)
        seen = await scoped.state()
        yield
        while True:
            await scoped.changes(seen.rev, limit=1, wait=self._patience(seen))
            found = await scoped.state()
            has_changed = (found.version, found.freshness) != (seen.version, seen.freshness)
            seen = found
            if has_changed:
                yield

    def _patience(self, seen: Any) -> float:
        """Give how long to wait for a change of value: not beyond the moment at which one comes by itself."""
        if seen.next_change_at is None:
            return self._pace
        left: float = (seen.next_change_at - seen.at).total_seconds()
        return min(self._pace, max(left, 0.01))

    async def of_tools(self, reach: Reach) -> AsyncIterator[None]:
        """Give the moments at which the registry has changed, from which the tools are made."""
        seen = await self._memory.predicates(namespace=reach.namespace)
        yield
        while True:
            await anyio.sleep(self._pace)
            found = await self._memory.predicates(namespace=reach.namespace)
            has_changed, seen = found != seen, found
            if has_changed:
                yield


async def watch_until(
    moments: AsyncIterator[None], tell: Tell, still: Still, end: Callable[[], None], *, task_status: Any
) -> None:
    """Tell of every moment but the first, at which this is ready, for as long as the client may be told.

    Then it calls ``end``, and where the memory can't be looked at any more: the client subscribes and reads anew.
    """
    is_ready = False
    try:
        async for _ in moments:
            if not is_ready:
                is_ready = True
                task_status.started()
            elif await still():
                await tell()
            else:
                break
        end()
    except TensememError as error:
        if not is_ready:
            raise
        if not isinstance(error, ClosedError):
            log.failure("watching ended", "a subscription ended", error=error)
        end()


class Streams:
    """The subscriptions of clients of today: a request whose answer is the stream of notices."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._open: dict[ListenHandler, tuple[str | None, int]] = {}

    async def listen(
        self, context: Any, params: Any, reach: Reach, still: Still = always, who: str | None = None
    ) -> Any:
        """Serve one stream until the client goes, or the server ends it; ``who`` is the id of the client's key.

        Raises MCPError, TensememError.
        """
        users = _by_user(params.notifications.resource_subscriptions or (), reach)
        watched = max(1, len(users) + bool(params.notifications.tools_list_changed))
        self._check_room(who, watched)
        bus = InMemorySubscriptionBus()  # one for each stream: nobody hears what another client subscribed to
        stream = ListenHandler(bus)
        self._open[stream] = who, watched
        failed: Exception | None = None
        found: Any = None
        async with anyio.create_task_group() as tasks:
            begin = partial(tasks.start, watch_until)
            try:
                for user_id, uris in users.items():
                    events = tuple(map(ResourceUpdated, uris))
                    moments = self._watcher.of_user(reach, user_id)
                    await begin(moments, _telling(bus, events), still, stream.close)
                if params.notifications.tools_list_changed:
                    moments = self._watcher.of_tools(reach)
                    await begin(moments, _telling(bus, (ToolsListChanged(),)), still, stream.close)
                found = await stream(context, params)
            except (MCPError, TensememError) as error:  # raised within, it would be one of a group
                failed = error
            finally:
                del self._open[stream]
                tasks.cancel_scope.cancel()
        if failed is not None:
            raise failed
        return found

    def _check_room(self, who: str | None, more: int) -> None:
        of_all = sum(watched for _, watched in self._open.values())
        of_one = sum(watched for other, watched in self._open.values() if other == who)
        if of_all + more > MOST or of_one + more > _share(who):
            raise _too_many()

    def close(self) -> None:
        """End every stream as one that was ended on purpose."""
        for stream in tuple(self._open):
            stream.close()


def _by_user(uris: Iterable[str], reach: Reach) -> dict[str, list[str]]:
    """Give the addresses by whose memory they are of; raises TensememError for one that names nothing here."""
    found: dict[str, list[str]] = {}
    for uri in uris:
        found.setdefault(addresses.read(uri, reach).user_id, []).append(uri)
    return found


def _telling(bus: InMemorySubscriptionBus, events: Iterable[ServerEvent]) -> Tell:
    async def tell() -> None:
        for event in events:
            await bus.publish(event)

    return tell


@dataclass(slots=True)
class _Watch:
    """What is watched for one client, whom it is told of which addresses, and whether it may and can be told."""

    client: Client
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    addresses: dict[str, Any] = field(default_factory=dict)
    is_ready: anyio.Event = field(default_factory=anyio.Event)


class Subscribed:
    """The subscriptions of older clients, told on their connection, until they unsubscribe or it is gone."""

    def __init__(self, watcher: Watcher, tasks: anyio.abc.TaskGroup) -> None:
        self._watcher, self._tasks = watcher, tasks
        self._watches: dict[tuple[Any, ...], _Watch] = {}

    async def subscribe(self, client: Client, session: Any, uri: str, reach: Reach) -> None:
        """Tell a client of changes from now on; one watch of a user's memory is for all addresses of it.

        Raises TensememError for an address that names nothing here, MCPError where there is no room for more.
        """
        address = addresses.read(uri, reach)
        place = (client.name, reach.namespace, reach.agent_id, address.user_id)
        while True:
            known = self._watches.get(place)
            if known is None:
                break
            if uri not in known.addresses and len(known.addresses) >= MOST:
                raise _too_many()
            await known.is_ready.wait()
            if self._watches.get(place) is known:  # else it ended, or never began
                known.addresses[uri], known.client = session, client
                return
        watch = _Watch(client, addresses={uri: session})

        async def tell() -> None:
            for one, told in tuple(watch.addresses.items()):
                await told.send_resource_updated(one)

        self._check_room(client)
        await self._begin(place, watch, self._watcher.of_user(reach, address.user_id), tell)

    async def tell_of_tools(self, client: Client, session: Any, reach: Reach) -> None:
        """Tell a client that has just seen the list of tools when it changes, as long as there is room for that."""
        place = (client.name, _TOOLS)
        if place in self._watches:
            return
        try:
            self._check_room(client)
        except MCPError:  # it asked for the list alone, and has it
            return
        await self._begin(place, _Watch(client), self._watcher.of_tools(reach), session.send_tool_list_changed)

    def unsubscribe(self, client: Client, uri: str) -> None:
        """Tell a client no more of an address; nothing happens where it has not subscribed."""
        for place, watch in tuple(self._watches.items()):
            if place[0] == client.name and watch.addresses.pop(uri, None) is not None and not watch.addresses:
                self._end(place, watch)

    def _check_room(self, client: Client) -> None:
        """Refuse one more where there are enough, of all clients or with one key; who is gone makes room before."""
        if len(self._watches) >= MOST or self._of(client.who) >= _share(client.who):
            for place, watch in tuple(self._watches.items()):
                if not watch.client.is_there():
                    self._end(place, watch)
        if len(self._watches) >= MOST or self._of(client.who) >= _share(client.who):
            raise _too_many()

    def _of(self, who: str | None) -> int:
        return sum(watch.client.who == who for watch in self._watches.values())

    async def _begin(self, place: tuple[Any, ...], watch: _Watch, moments: AsyncIterator[None], tell: Tell) -> None:
        self._watches[place] = watch

        def end() -> None:
            self._end(place, watch)

        async def still() -> bool:
            return watch.client.is_there() and await watch.client.still()

        async def watched(*, task_status: Any) -> None:
            with watch.scope:
                await watch_until(moments, tell, still, end, task_status=task_status)

        try:
            await self._tasks.start(watched)
        except BaseException:
            end()
            raise
        finally:
            watch.is_ready.set()

    def _end(self, place: tuple[Any, ...], watch: _Watch) -> None:
        if self._watches.get(place) is watch:
            del self._watches[place]
            watch.scope.cancel()


@asynccontextmanager
async def subscribing(watcher: Watcher) -> AsyncIterator[Subscribed]:
    """Give the subscriptions of a server that runs; they end with it."""
    async with anyio.create_task_group() as tasks:
        try:
            yield Subscribed(watcher, tasks)
        finally:
            tasks.cancel_scope.cancel()
