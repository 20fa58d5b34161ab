"""Where a run's memory is, and what can befall it there: each kind of store is a place with faults of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tests.servers import Server

DISK = 64 * 1024 * 1024
"""Bytes of the small disk that a run may fill."""

STORES = (os.environ.get("TENSEMEM_HISTORY_STORES") or "sqlite").split()
"""The kinds of store that the tests of this folder run on."""

Fault = Callable[[], None]


class Place(Protocol):
    """A store to run on. ``faults`` are those of the store itself, by name; each is over when its call returns.

    ``durabilities`` are those that promise to survive them. ``key`` opens it, where it is encrypted; ``shred`` tells
    whether each person has a key there. ``left_out`` says which fault can't be had on this machine, and why.
    """

    url: str
    key: str | None
    shred: bool
    durabilities: tuple[str, ...]
    faults: dict[str, Fault]
    left_out: str


class FilePlace:
    """An SQLite file, on a small disk of its own where there is one to fill."""

    durabilities: tuple[str, ...] = ("process", "power")

    def __init__(self, folder: Path, *, can_fill: bool, key: str | None = None, shred: bool = False) -> None:
        self.url, self.key, self.shred = str(folder / "memory.db"), key, shred
        self._balloon = folder / "balloon"
        self.faults: dict[str, Fault] = {"full disk": self._fill} if can_fill else {}
        self.left_out = "" if can_fill else "the fault of a full disk is left out: it needs root on Linux, and mount"

    def _fill(self) -> None:
        """Leave no byte free for a moment: whoever must write then is told that the disk is full.

        The write-ahead log is emptied before, for one that has its room already needs no more.
        """
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(self.url, timeout=0.2)) as file:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        until = time.monotonic() + 0.3
        with contextlib.suppress(OSError), self._balloon.open("wb", buffering=0) as balloon:
            size = 1 << 20
            while time.monotonic() < until:  # what the others give back is taken too
                try:
                    balloon.write(b"\0" * size)
                except OSError:
                    size = max(size // 2, 512)
                    time.sleep(0.002)
        self._balloon.unlink(missing_ok=True)


def place_on(store: str, folder: Path) -> contextlib.AbstractContextManager[Place]:
    """Give a place on a kind of store, by its name; raises KeyError for one that is not known."""
    return PLACES[store](folder)


@contextlib.contextmanager
def file_place(folder: Path, key: str | None = None, *, shred: bool = False) -> Iterator[FilePlace]:
    """Give a file to run on; on a disk in memory where this process may make one, so that it can be filled."""
    disk = folder / "disk"
    disk.mkdir()
    if not _mount(disk):
        yield FilePlace(disk, can_fill=False, key=key, shred=shred)
        return
    try:
        yield FilePlace(disk, can_fill=True, key=key, shred=shred)
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True, capture_output=True)


def _mount(disk: Path) -> bool:
    """Mount a small disk; tells whether that was allowed."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(disk)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


class PostgresPlace:
    """A database on a PostgreSQL server of its own; its connections are cut, the server is stopped, or killed."""

    durabilities: tuple[str, ...] = ("power",)
    key: str | None = None
    shred = False
    left_out = ""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.url = server.create_database("memory")
        self.faults: dict[str, Fault] = {
            "cut connections": self._cut, "killed server": self._kill, "paused server": self._pause,
        }  # fmt: skip

    def _cut(self) -> None:
        self._server.cut_connections("memory")

    def _kill(self) -> None:
        self._server.kill9()
        self._server.run()

    def _pause(self) -> None:
        self._server.pause()
        time.sleep(0.3)
        self._server.resume()


@contextlib.contextmanager
def postgres_place(folder: Path) -> Iterator[PostgresPlace]:
    """Give a database to run on; a server that is not here fails the run: nobody asks for it by the way."""
    from tests.servers import Server  # there is none on Windows

    with Server.start("18") as server:
        try:
            yield PostgresPlace(server)
        finally:
            shutil.copyfile(server.log, folder / "server.log")


PLACES: dict[str, Callable[[Path], contextlib.AbstractContextManager[Place]]] = {
    "sqlite": file_place,
    "encrypted": lambda folder: file_place(folder, "a key of the tests"),
    "sealed": lambda folder: file_place(folder, "a key of the tests", shred=True),
    "postgres": postgres_place,
}
