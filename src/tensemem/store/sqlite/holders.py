"""Which of this process's stores have a file open, and with which library.

POSIX drops every lock a process holds on a file as soon as the process closes any descriptor of it. One SQLite library
knows of all its own descriptors and keeps them until it is safe; it knows nothing of another library's. So within a
process a file is opened by one library at a time.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from weakref import WeakSet

from ...errors import StoreError
from .inherited import is_held

if TYPE_CHECKING:
    from .drivers import DriverName
    from .file_links import FileLinks

_links: WeakSet[FileLinks] = WeakSet()


def add(links: FileLinks) -> None:
    """Count a store's connections among those of this process."""
    _links.add(links)


def others(path: str, *, than: FileLinks | None = None) -> list[FileLinks]:
    """Give those that have this file open, by whatever name; without ``than``."""
    return [links for links in list(_links) if links is not than and links.is_in_use and _is_same(path, links.location)]


def are_there(path: str) -> bool:
    """Tell whether a file is held in this process, so that to open and close it would drop its locks."""
    return bool(others(path)) or is_held(path)


def library(path: str, wanted: DriverName | None) -> DriverName | None:
    """Give the library to open a file with: the one that has it open, else the wanted one.

    Raises StoreError where another one is wanted.
    """
    for links in others(path):
        if wanted not in (None, links.file.driver.name):
            raise StoreError(
                f"{path} is open in this process with {links.file.driver.name}, and can't be opened with {wanted} "
                "beside it: the two would drop each other's locks. Close the other memory first, or open both alike."
            )
        return links.file.driver.name
    return wanted


def _is_same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:  # one of them is gone, or not there yet
        return path == other
