"""Changes as they come: a stream that is taken up again where it broke off, each change once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import InvalidValueError, StoreError
from ..model.results import Change
from ..verbs.reading import Reading
from ..wire import SERVED, read
from .arguments import bound, prepared
from .calling import Setting
from .failing import Failed, pause
from .requests import Request, request_of
from .sending import AwaitingSender, Sender

SILENCE_SECONDS = 60.0
"""For how long a stream may say nothing, not even that it is alive, before it counts as lost."""


@dataclass(slots=True)
class Stream:
    """How far a stream was followed. A revision's changes are given out together, when the last of them is there."""

    setting: Setting
    given: dict[str, Any]
    after: int
    patience: float
    lost_since: float | None = None
    _waiting: list[Change] = field(default_factory=list)

    def request(self) -> Request:
        """Give the request for what comes after what was given out."""
        self._waiting.clear()
        asked = request_of(SERVED["changes"], {**self.given, "after_rev": self.after}, SILENCE_SECONDS)
        return replace(asked, seconds=SILENCE_SECONDS, headers={"Accept": "text/event-stream"})

    def take(self, event: Any) -> list[Change]:
        """Take an event; gives the changes that are complete with it."""
        self.lost_since = None
        if event.event != "change":
            return []
        try:
            change = read(Change, json.loads(event.data))
        except (ValueError, InvalidValueError) as error:
            raise StoreError(f"the server's stream has what is no change: {error}") from None
        self._waiting.append(change)
        if event.id != str(change.rev):
            return []
        self.after = change.rev
        found, self._waiting = self._waiting, []
        return found

    def lost(self, failed: Failed) -> None:
        """Note that the stream is lost. Raises the error where that won't pass, or has lasted too long."""
        now = self.setting.clock()
        self.lost_since = now if self.lost_since is None else self.lost_since
        if not failed.passes or now - self.lost_since > self.patience:
            raise failed.error from failed.__cause__


def stream_of(setting: Setting, user_id: str, arguments: dict[str, Any], patience: Any) -> Stream:
    """Check what is to be watched. Raises InvalidValueError and InvalidScopeError."""
    after = arguments["after_rev"]
    if isinstance(after, bool) or not isinstance(after, int) or after < 0:
        raise InvalidValueError("after_rev must be a revision: an integer of 0 or more")
    if isinstance(patience, bool) or not isinstance(patience, (int, float)) or patience < 0:
        raise InvalidValueError("patience must be seconds of 0 or more")
    given = prepared("changes", bound(Reading.changes, (user_id,), arguments), setting.namespace)
    kept = {name: given[name] for name in ("user_id", "agent_id", "namespace")}
    return Stream(setting, kept, after, float(patience))


def watched(sender: Sender, stream: Stream) -> Iterator[Change]:
    """Give changes as they come, without end."""
    lost = 0
    while True:
        try:
            with sender.streaming(stream.request()) as response:
                for event in sender.events(response):
                    lost = 0
                    yield from stream.take(event)
            raise Failed(StoreError("the server ended its stream of changes"), passes=True)
        except Failed as failed:
            stream.lost(failed)
            lost += 1
            sender.sleep(pause(lost, failed.pause))


async def watched_awaiting(sender: AwaitingSender, stream: Stream) -> AsyncIterator[Change]:
    """Give changes as they come, without end; the event loop goes on meanwhile."""
    lost = 0
    while True:
        try:
            async with sender.streaming(stream.request()) as response, aclosing(sender.events(response)) as events:
                async for event in events:
                    lost = 0
                    for change in stream.take(event):
                        yield change
            raise Failed(StoreError("the server ended its stream of changes"), passes=True)
        except Failed as failed:
            stream.lost(failed)
            lost += 1
            await sender.sleep(pause(lost, failed.pause))
