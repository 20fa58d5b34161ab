"""Stale bytes inside the pages of a file: finding them, and overwriting them where they lie.

SQLite overwrites what is deleted (``secure_delete``), but not the copies its balancing leaves: where cells move from
one page to another, the first keeps their bytes between its cell pointers and its cells until something new is put
there. Nothing reads them, and no statement reaches them; so they are overwritten in the file itself, by whoever holds
the lock of writers while the file has every page as it is now (`links` sees to that). Only bytes that belong to nothing
are touched: whatever becomes of such a write, no page means anything else than before.
"""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass

_BTREE_KINDS = {2: 12, 5: 12, 10: 8, 13: 8}
"""The first byte of a page of a tree, and how long its header is."""

MOST_PAGES = 2 * 2**24
"""In a larger file the first byte of a page that is not one of a tree might be one of these."""

_FILE_HEADER = 100
_LOCK_BYTE = 2**30
_AT_ONCE = 2**20
_PAGE_HEADER = struct.Struct(">BHHH")
_BLOCK = struct.Struct(">HH")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file is laid out: the size of its pages, how much of each is used, and how many there are."""

    page_size: int
    usable: int
    pages: int


class OpenFile:
    """A file of a database, opened beside SQLite's own connections.

    It is never closed: closing it would drop every lock that this process has on the file. Who opens a file again gets
    the same one. ``identity`` is the device and the number of the file: its name may be another one's by now.
    """

    def __init__(self, opened: int) -> None:
        there = os.fstat(opened)
        self.identity = (there.st_dev, there.st_ino)
        self._opened = opened
        self._lock = threading.Lock()

    def layout(self) -> Layout | None:
        """Give the layout; None where the file is none of which this module knows what its pages are."""
        header = self._read(0, _FILE_HEADER)
        if len(header) < _FILE_HEADER or not header.startswith(b"SQLite format 3\0"):
            return None
        size = int.from_bytes(header[16:18])
        size = 65536 if size == 1 else size
        pages = os.fstat(self._opened).st_size // size
        moves_pages = int.from_bytes(header[52:56]) != 0
        return None if moves_pages or pages >= MOST_PAGES else Layout(size, size - header[20], pages)

    def clean(self, layout: Layout, first: int, last: int) -> int:
        """Overwrite what is stale in the pages from first (0 is the first of the file) up to last; gives how many."""
        cleaned = 0
        step = max(1, _AT_ONCE // layout.page_size)
        for begin in range(first, last, step):
            data = self._read(begin * layout.page_size, (min(begin + step, last) - begin) * layout.page_size)
            for number in range(len(data) // layout.page_size):
                place = (begin + number) * layout.page_size
                if place <= _LOCK_BYTE < place + layout.page_size:
                    continue
                page = data[number * layout.page_size : (number + 1) * layout.page_size]
                found = list(stale_in(page, _FILE_HEADER if begin + number == 0 else 0, layout.usable))
                for start, stop in found:
                    self._write(place + start, bytes(stop - start))
                cleaned += bool(found)
        if cleaned:
            os.fsync(self._opened)
        return cleaned

    def _read(self, place: int, size: int) -> bytes:
        data = b""
        while len(data) < size:
            found = self._read_some(place + len(data), size - len(data))
            if not found:
                break  # the file ends here
            data += found
        return data

    def _write(self, place: int, data: bytes) -> None:
        while data:
            written = self._write_some(place, data)
            place, data = place + written, data[written:]

    # A place is named with each call: a forked child has the same open file, and would move the place of its parent.
    if hasattr(os, "pread"):

        def _read_some(self, place: int, size: int) -> bytes:
            return os.pread(self._opened, size, place)

        def _write_some(self, place: int, data: bytes) -> int:
            return os.pwrite(self._opened, data, place)

    else:  # where nothing is forked either

        def _read_some(self, place: int, size: int) -> bytes:
            with self._lock:
                os.lseek(self._opened, place, os.SEEK_SET)
                return os.read(self._opened, size)

        def _write_some(self, place: int, data: bytes) -> int:
            with self._lock:
                os.lseek(self._opened, place, os.SEEK_SET)
                return os.write(self._opened, data)


def stale_in(page: bytes, header: int, usable: int) -> Iterator[tuple[int, int]]:
    """Give the stretches of a page that belong to nothing and are not empty; none where it is no page of a tree."""
    size = _BTREE_KINDS.get(page[header])
    if size is None:
        return
    _, block, cells, content = _PAGE_HEADER.unpack_from(page, header)
    begin, content = header + size + 2 * cells, content or 65536
    if not begin <= content <= usable:
        return
    blocks = _blocks_of(page, block, content, usable)
    if blocks is None:
        return
    for start, stop in ((begin, content), *blocks):
        if page[start:stop].count(0) != stop - start:
            yield start, stop


def _blocks_of(page: bytes, block: int, content: int, usable: int) -> list[tuple[int, int]] | None:
    """Give what the free blocks of a page hold behind their own headers; None where they make no sense."""
    found: list[tuple[int, int]] = []
    after = content
    while block:
        if not after <= block <= usable - _BLOCK.size:
            return None
        following, size = _BLOCK.unpack_from(page, block)
        after = block + size
        if size < _BLOCK.size or after > usable:
            return None
        found.append((block + _BLOCK.size, after))
        block = following
    return found


_opened: dict[tuple[int, int], OpenFile] = {}


def open_file(path: str) -> OpenFile:
    """Give the file of a database, opened once in this process and never closed. Raises OSError."""
    there = os.stat(path)
    known = _opened.get((there.st_dev, there.st_ino))
    if known is None:
        opened = OpenFile(os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)))
        known = _opened.setdefault(opened.identity, opened)  # not under a lock, which a fork could leave locked
    return known
