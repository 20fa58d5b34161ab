"""Small disks that a test can fill: in memory, where this process may mount one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def can_mount(folder: Path, size: str) -> bool:
    """Mount a disk in memory on a folder; tells whether that was allowed."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


@contextmanager
def small_disk(folder: Path, size: str = "4m") -> Iterator[Path]:
    """Give a folder on a disk of a size; where none can be made the test is skipped, saying so."""
    folder.mkdir(exist_ok=True)
    if not can_mount(folder, size):
        pytest.skip("a small disk is mounted by root on Linux only")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)


class Balloon:
    """A file that takes all the room a disk has, until it is let go of."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "balloon"

    def blow_up(self, leave: int = 0) -> None:
        """Take all of it, or leave so many bytes."""
        self.let_go()
        with self._path.open("wb", buffering=0) as file:
            chunk = 1 << 16
            while chunk:
                try:
                    if not file.write(b"\0" * chunk):
                        chunk //= 2
                except OSError:
                    chunk //= 2
        if leave:
            with self._path.open("r+b") as file:
                file.truncate(max(0, self._path.stat().st_size - leave))

    def let_go(self) -> None:
        """Give the room back."""
        self._path.unlink(missing_ok=True)
