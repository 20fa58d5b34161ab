"""Floors: what the disk and bare `sqlite3` do on the same machine in the same minute, for `perf.py` to compare with."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from typing import Literal

from tensemem.store.sqlite.statements import named

Durability = Literal["power", "process"]
_SYNCHRONOUS = {"power": "FULL", "process": "NORMAL"}
_MOST = 256


class Appending:
    """An append of 256 bytes and its flush: what a durable write costs at least."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def append(self, _: int) -> None:
        """Append and flush."""
        os.write(self._file, b"x" * 256)
        getattr(os, "fdatasync", os.fsync)(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


class Bare:
    """The same tables and rows, without the library: what the disk format itself costs.

    ``source`` is a memory in which the user "u" has twenty facts.
    """

    def __init__(self, source: Path, path: Path, durability: Durability) -> None:
        with sqlite3.connect(source) as old, sqlite3.connect(path) as new:
            old.backup(new)
        self._db = db = sqlite3.connect(path, isolation_level=None, cached_statements=256, check_same_thread=False)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute(f"PRAGMA synchronous={_SYNCHRONOUS[durability]}")
        self._scope = db.execute("SELECT id FROM scopes WHERE user_id = 'u'").fetchone()[0]
        self._entry = db.execute("SELECT body FROM entries WHERE kind = 'write' LIMIT 1").fetchone()[0]
        self._claim = db.execute("SELECT body FROM claims LIMIT 1").fetchone()[0]
        self._fact = db.execute("SELECT body FROM facts LIMIT 1").fetchone()[0]
        self._rev = 1_000_000
        shown = db.execute("SELECT slot, key, start FROM facts WHERE stop = 9223372036854775807")
        self._start = {slot: row for slot, *row in shown}
        self._live = named("read.sql")["live"]
        self.run = db.execute

    def write(self, n: int) -> None:
        """A transaction of one write."""
        self.run("BEGIN IMMEDIATE")
        self.put(n)
        self.run("COMMIT")

    def put(self, n: int) -> None:
        """One entry, one claim, the old fact closed, the new one, slot and head."""
        run, scope, slot = self.run, self._scope, 1 + n % 20
        self._rev = at = self._rev + 1
        now = 1_900_000_000_000_000 + at
        key, start = self._start[slot]
        run("INSERT INTO entries VALUES (?, ?, 'write', ?, 0, ?, ?, ?)", (scope, at, at, now, now, self._entry))
        values = (scope, slot, at, f"v{n}", self._claim)
        run("INSERT INTO claims VALUES (?, ?, ?, 0, 0, 'value', 'admitted', ?, ?)", values)
        closed = (now, self._fact, scope, slot, key, start)
        run("UPDATE facts SET stop = ?, body = ? WHERE scope = ? AND slot = ? AND kind = 0 AND key = ? AND start = ?",
            closed)  # fmt: skip
        run("INSERT INTO facts VALUES (?, ?, 0, ?, ?, 9223372036854775807, ?)", (scope, slot, f"v{n}", now, self._fact))
        told = (now, now, at, scope, slot)
        run("UPDATE slots SET horizon = ?, last_said = ?, last_seq = ? WHERE scope = ? AND id = ?", told)
        head = (at, at, now, now, scope)
        run("UPDATE scopes SET rev = ?, seq = ?, last_said = ?, last_recorded = ? WHERE id = ?", head)
        self._start[slot] = [f"v{n}", now]

    def read(self, _: int) -> object:
        """The rows of a state, by the store's own statement."""
        return self.run(self._live, (self._scope, 9_000_000_000_000_000_000)).fetchall()

    @staticmethod
    def timed(work: Callable[[int], object], n: int) -> float:
        """Give the seconds that some work takes."""
        begin = perf_counter()
        work(n)
        return perf_counter() - begin

    def close(self) -> None:
        """Close the connection."""
        self._db.close()


class BareGroup:
    """One thread that writes for many, a savepoint for each and one COMMIT for all that wait: bare group commit."""

    def __init__(self, bare: Bare) -> None:
        self._bare = bare
        self._asked: SimpleQueue[tuple[int, threading.Lock] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def write(self, n: int) -> None:
        """Have one write done; returns when it is committed."""
        done = threading.Lock()
        done.acquire()
        self._asked.put((n, done))
        done.acquire()

    def close(self) -> None:
        """End the thread."""
        self._asked.put(None)
        self._thread.join()

    def _serve(self) -> None:
        run = self._bare.run
        while (asked := self._asked.get()) is not None:
            run("BEGIN IMMEDIATE")
            together = [self._put(*asked)]
            while len(together) < _MOST and not self._asked.empty():
                more = self._asked.get()
                if more is None:  # the end, after this batch
                    self._asked.put(None)
                    break
                together.append(self._put(*more))
            run("COMMIT")
            for done in together:
                done.release()

    def _put(self, n: int, done: threading.Lock) -> threading.Lock:
        self._bare.run("SAVEPOINT one")
        self._bare.put(n)
        self._bare.run("RELEASE one")
        return done


def by_threads(write: Callable[[int, int], object], threads: int, each: int) -> Callable[[], None]:
    """Give what lets so many threads write so often at once; ``write`` is given a thread's number and its count."""

    def work(number: int) -> None:
        for n in range(each):
            write(number, n)

    def all_at_once() -> None:
        writers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()

    return all_at_once
