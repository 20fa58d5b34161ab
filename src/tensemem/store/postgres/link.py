"""A connection that does not wait for ever, and that knows whether the last COMMIT was told to hold everywhere."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg
from psycopg import errors as pg

T = TypeVar("T")

_WAITS_FOR_STANDBYS = "SyncRepWaitForLSN"
"""The server's function that warns where it stops waiting: its words are in the server's language, this is not."""


class Link(psycopg.Connection[tuple[Any, ...]]):
    """A connection. ``patience`` is how many seconds an answer is waited for: none may ever come where a network has
    lost the connection without a word. It is closed then, for nobody knows what would still arrive on it.
    """

    patience: float | None = None
    place: object = None
    """Its place in the pool, while somebody uses it."""
    is_unconfirmed = False
    """Whether a COMMIT was acknowledged though the standbys it should have waited for do not have it."""

    def wait(self, gen: Generator[Any, Any, T], *options: Any, **named: Any) -> T:
        """Wait for what a generator of the driver waits for; raises OperationalError where that takes too long."""
        if self.patience is None:
            return super().wait(gen, *options, **named)
        try:
            return super().wait(_bounded(gen, self.patience), *options, **named)
        except NoAnswer:
            self.pgconn.finish()
            raise

    def listen_to_warnings(self) -> None:
        """Notice what the server warns of."""
        self.add_notice_handler(self._noticed)

    def _noticed(self, notice: psycopg.errors.Diagnostic) -> None:
        if notice.source_function == _WAITS_FOR_STANDBYS:
            self.is_unconfirmed = True


class NoAnswer(pg.OperationalError):
    """The server has not answered in time."""


def _bounded(gen: Generator[Any, Any, T], seconds: float) -> Generator[Any, Any, T]:
    """Let a generator of the driver wait for some seconds. It is sent 0 where nothing has come for a moment."""
    give_up = time.monotonic() + seconds
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() >= give_up:
                raise NoAnswer(f"no answer in {seconds:g} seconds")
            wanted = gen.send(ready)
    except StopIteration as done:
        value: T = done.value
        return value
