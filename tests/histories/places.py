"""Where a run's memory is, and what can befall it there: each kind of store is a place with faults of its own."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

DISK = 64 * 1024 * 1024
"""Bytes of the small disk that a run may fill."""

Fault = Callable[[], None]


class Place(Protocol):
    """A store to run on. ``faults`` are those of the store itself, by name; each is over when its call returns."""

    url: str
    faults: dict[str, Fault]


class FilePlace:
    """An SQLite file, on a small disk of its own where there is one to fill."""

    def __init__(self, folder: Path, *, can_fill: bool) -> None:
        self.url = str(folder / "memory.db")
        self._balloon = folder / "balloon"
        self.faults: dict[str, Fault] = {"full disk": self._fill} if can_fill else {}

    def _fill(self) -> None:
        """Leave no byte free for a moment: whoever must write then is told that the disk is full."""
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
def file_place(folder: Path) -> Iterator[FilePlace]:
    """Give a file to run on; on a disk in memory where this process may make one, so that it can be filled."""
    disk = folder / "disk"
    disk.mkdir()
    if not _mount(disk):
        yield FilePlace(disk, can_fill=False)
        return
    try:
        yield FilePlace(disk, can_fill=True)
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True, capture_output=True)


def _mount(disk: Path) -> bool:
    """Mount a small disk; tells whether that was allowed."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(disk)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


PLACES: dict[str, Callable[[Path], contextlib.AbstractContextManager[Place]]] = {"sqlite": file_place}
