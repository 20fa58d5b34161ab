"""Many messages as requests: no larger than a server takes, each message under a key, so that it counts once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..errors import InvalidValueError
from ..model.operation import Message
from ..wire import SERVED, document
from .arguments import message_of, prepared
from .calling import Flow, Setting
from .requests import request_of, result_of

LARGEST = 2 * 1024 * 1024
"""Characters of the messages of one request; a server takes bodies of some MiB."""


class Batches:
    """Sends batches. Raises InvalidValueError for what is no size of one."""

    def __init__(self, setting: Setting, batch: Any, namespace: str | None) -> None:
        if not isinstance(batch, int) or isinstance(batch, bool) or batch < 1:
            raise InvalidValueError("batch must be a number of messages of 1 or more")
        self._setting = setting
        self._given = prepared("add_many", {"batch": batch, "namespace": namespace}, setting.namespace)

    def flows(self, messages: Sequence[object]) -> Iterator[Flow]:
        """Give the flows that log a batch: one, or several where the messages are long."""
        checked = [message_of(message) for message in messages]
        for some in _parts(checked):
            yield self._added(some)

    def _added(self, messages: Sequence[Message]) -> Flow:
        keyed = [one if one.idempotency_key is not None else self._named(one) for one in messages]
        request = request_of(SERVED["add_many"], {**self._given, "messages": keyed}, self._setting.timeout)
        answer = yield replace(request, is_repeatable=True)
        results = result_of(request, answer)
        if not answer.was_repeated:
            return results
        fresh = [one.idempotency_key is None and one.said_at is None for one in messages]
        return tuple(
            replace(result, duplicate=False) if is_ours else result
            for result, is_ours in zip(results, fresh, strict=True)
        )

    def _named(self, message: Message) -> Message:
        return replace(message, idempotency_key=self._setting.new_key())


def _parts(messages: Sequence[Message]) -> Iterator[list[Message]]:
    some: list[Message] = []
    size = 0
    for message in messages:
        length = len(message.content) + (len(str(document(message.metadata))) if message.metadata else 0)
        if some and size + length > LARGEST:
            yield some
            some, size = [], 0
        some.append(message)
        size += length
    if some:
        yield some
