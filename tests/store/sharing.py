"""Writers that share a transaction, in an order the test decides, with faults where it wants them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

from tensemem.store.sqlite import SqliteStore

Work = Callable[[], object]


class Watched:
    """The cursor that writes: keeps the statements that ran, and lets a test do something before one of them."""

    def __init__(self, store: SqliteStore) -> None:
        links: Any = store._links
        self._cursor = links._cursor
        self.ran: list[str] = []
        self.before: dict[str, Callable[[], object]] = {}
        links._cursor = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Any:
        verb = statement.split(maxsplit=1)[0]
        self.ran.append(verb)
        if verb in self.before:
            self.before[verb]()
        return self._cursor.execute(statement, values)

    def count(self, verb: str) -> int:
        """How often a statement that begins so ran."""
        return self.ran.count(verb)

    def roll_back(self) -> None:
        """Take back the transaction as SQLite does by itself where the disk fails."""
        self._cursor.execute("ROLLBACK")


class Writer(threading.Thread):
    """One that works in a thread of its own; ``error`` is what that raised."""

    def __init__(self, work: Work) -> None:
        super().__init__(daemon=True)
        self.work = work
        self.error: type[BaseException] | None = None
        self.message = ""

    def run(self) -> None:
        try:
            self.work()
        except BaseException as error:
            self.error, self.message = type(error), str(error)


def is_in_line(store: SqliteStore, writer: threading.Thread) -> bool:
    """Whether it waits for its turn."""
    return any(place.thread == writer.ident for place in tuple(store._links._turn._waiting))


def line_up(store: SqliteStore, writers: Sequence[Writer]) -> None:
    """Start writers one after the other, each once the one before waits for its turn, or is through."""
    for writer in writers:
        writer.start()
        while writer.is_alive() and not is_in_line(store, writer):
            os.sched_yield() if hasattr(os, "sched_yield") else None


def ended(writers: Sequence[threading.Thread]) -> None:
    """Wait for all of them; whoever is left over was stranded."""
    for writer in writers:
        writer.join(60)
    assert [writer for writer in writers if writer.is_alive()] == [], "somebody was stranded"


def together(store: SqliteStore, first: Work, *others: Work) -> list[Writer]:
    """Let works write in one transaction: the first opens it, the others wait in their order until it is done.

    ``first`` runs inside a block of its own; the others open theirs themselves.
    """
    rest = [Writer(work) for work in others]

    def open_first() -> None:
        with store.write():
            line_up(store, rest)
            first()

    opener = Writer(open_first)
    opener.start()
    ended([opener])
    ended([writer for writer in rest if writer.ident is not None])
    return [opener, *rest]
