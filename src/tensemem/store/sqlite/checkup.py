"""Looking at a memory's file from inside: its version, its pages, what SQLite itself says of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing

from ...model.diagnosis import Finding
from ..sizes import size_text
from .drivers import Connection
from .file_checkup import examine_files, wal_bytes
from .files import DatabaseFile
from .migrations import VERSION, version_of
from .opening import open_to_read, own_errors

MANY_FREE = 0.25
"""The share of a file's pages that may be free before it is worth telling."""
FEW_BYTES = 2**20
_COMPLAINTS = 5


def examine(file: DatabaseFile, *, thorough: bool, quick: bool) -> Iterator[Finding]:
    """Look at the files, then into the one that is a database. ``thorough`` compares indexes with tables, too."""
    yield from examine_files(file.path)
    yield _sqlite(file)
    with own_errors(file.path), closing(open_to_read(file, 5.0, mode="ro")) as connection:
        yield _schema(connection)
        yield _free_pages(connection)
        if not quick:
            yield _pages(connection, "integrity_check" if thorough else "quick_check")


def sizes(file: DatabaseFile) -> dict[str, int]:
    """Give the bytes of the file and its log, and of its free pages."""
    with own_errors(file.path), closing(open_to_read(file, 5.0, mode="ro")) as connection:
        free = _number(connection, "freelist_count") * _number(connection, "page_size")
    return {"file_bytes": os.path.getsize(file.path), "wal_bytes": wal_bytes(file.path), "free_bytes": free}


def _sqlite(file: DatabaseFile) -> Finding:
    version = ".".join(map(str, file.driver.version))
    state = "encrypted" if file.key is not None else "not encrypted"
    return Finding("sqlite", "ok", f"SQLite {version} by {file.driver.name}; the file is {state}")


def _schema(connection: Connection) -> Finding:
    version = version_of(connection.cursor())
    if version < VERSION:
        return Finding("schema", "warning", f"version {version} of {VERSION}", "tensemem migrate")
    return Finding("schema", "ok", f"version {version}, the one this tensemem writes")


def _free_pages(connection: Connection) -> Finding:
    free, count = _number(connection, "freelist_count"), _number(connection, "page_count")
    size = free * _number(connection, "page_size")
    said = f"{size_text(size)} of the file are free"
    if size > FEW_BYTES and free > count * MANY_FREE:
        return Finding("free pages", "note", said, "they are used again; a copy (`tensemem copy`) is without them")
    return Finding("free pages", "ok", said)


def _pages(connection: Connection, check: str) -> Finding:
    complaints = [str(row[0]) for row in connection.execute(f"PRAGMA {check}({_COMPLAINTS})").fetchall()]
    if complaints == ["ok"]:
        return Finding("integrity", "ok", f"{check}: every page is in order")
    # What SQLite complains of names tables, indexes and pages, and no row's content.
    todo = "stop writing; restore a backup, or keep the file and copy what can be read: `tensemem copy`"
    return Finding("integrity", "error", f"{check}: {'; '.join(complaints)}", todo)


def _number(connection: Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
