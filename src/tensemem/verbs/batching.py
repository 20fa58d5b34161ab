"""Messages in batches, from plain and async iterables alike."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Iterable
from contextlib import aclosing

from ..model.operation import Message


async def batches_of(messages: Iterable[Message] | AsyncIterable[Message], size: int) -> AsyncGenerator[list[Message]]:
    """Give messages as they come, so many at a time, and fewer at the end."""
    waiting: list[Message] = []
    async with aclosing(_each(messages)) as each:
        async for message in each:
            waiting.append(message)
            if len(waiting) >= size:
                some, waiting = waiting, []
                yield some
    if waiting:
        yield waiting


async def _each(messages: Iterable[Message] | AsyncIterable[Message]) -> AsyncGenerator[Message]:
    if isinstance(messages, AsyncIterable):
        async for message in messages:
            yield message
    else:
        for message in messages:
            yield message
