"""Looking at a memory's files from outside: are they there, whose are they, who may read them, is there room.

Nothing is opened but what the system tells of names, so it can be done of a file that can't be opened at all.
"""

from __future__ import annotations

import glob
import os
import shutil
import stat
from collections.abc import Iterator

from ...model.diagnosis import Finding
from ..sizes import size_text
from .filesystems import NETWORKED, PASSING, kind_of
from .logsize import LONGEST_LOG
from .replacing import COPY, FINISHED
from .saving import BEFORE

BESIDE = (
    "-wal", "-shm", "-journal", "-keys", "-keys-wal", "-keys-shm", "-keys-journal", "-forgotten", "-access",
    "-access-wal", "-access-shm", "-access-journal",
)  # fmt: skip
"""What the names of files end with that belong to a memory: what it holds, whom it has forgotten, who may use it."""

LITTLE_ROOM = 256 * 2**20
ALMOST_NONE = 16 * 2**20
"""Bytes of room on the disk below which there is a warning, and an error."""


def examine_files(path: str) -> Iterator[Finding]:
    """Look at a file and what lies beside it; ends where there is no file to look at."""
    folder = os.path.dirname(path) or "."
    there = list(_is_there(path, folder))
    yield from there
    if any(finding.level == "error" for finding in there):
        return
    yield from _permissions(path, folder)
    yield _room(path, folder)
    yield from _system(path)
    yield from _leftovers(path)
    yield _log(path)


def _is_there(path: str, folder: str) -> Iterator[Finding]:
    if not os.path.isdir(folder):
        yield Finding("file", "error", f"the folder {folder} does not exist", "make the folder, or name another file")
        return
    try:
        found = os.stat(path)
    except FileNotFoundError:
        todo = "check the path (--db, $TENSEMEM_DB); opening it for writing makes a new, empty memory"
        yield Finding("file", "error", f"there is no file {path}", todo)
        return
    except OSError as error:
        yield Finding("file", "error", f"{path} can't be looked at: {error.strerror}", _allow(folder))
        return
    if not stat.S_ISREG(found.st_mode):
        what = "a folder" if stat.S_ISDIR(found.st_mode) else "no regular file"
        yield Finding("file", "error", f"{path} is {what}", "name the memory's file")
    elif not os.access(path, os.R_OK):
        yield Finding("file", "error", f"{path} may not be read by this user", _allow(path))
    elif found.st_size == 0:
        yield Finding("file", "error", f"{path} is empty", "opening it for writing makes a memory of it")
    else:
        yield _writable(path, folder, found.st_size)


def _writable(path: str, folder: str, size: int) -> Finding:
    said = f"{path}, {size_text(size)}"
    if not os.access(path, os.W_OK):
        return Finding("file", "note", f"{said}; this user may only read it", f"to write to it: {_allow(path)}")
    for beside in (path + end for end in BESIDE):
        if os.path.exists(beside) and not os.access(beside, os.W_OK):
            return Finding("file", "warning", f"{said}; this user may not write to {beside}", _allow(beside))
    if not os.access(folder, os.W_OK):
        todo = f"a log is kept beside the file: {_allow(folder)}"
        return Finding("file", "warning", f"{said}; this user may not write to its folder", todo)
    return Finding("file", "ok", said)


def _allow(path: str) -> str:
    return f"run as the user it belongs to, or let this one at {path}"


def _permissions(path: str, folder: str) -> Iterator[Finding]:
    if os.name != "posix":  # elsewhere the bits say nothing of who may read
        return
    open_to_others = []
    for file in (path, *(path + end for end in BESIDE), *kept_before(path)):
        try:
            mode = os.stat(file).st_mode
        except OSError:
            continue
        if mode & 0o077:
            open_to_others.append(f"{os.path.basename(file)} ({stat.S_IMODE(mode):04o})")
    if open_to_others:
        found = f"others on this machine may get at {', '.join(open_to_others)}"
        yield Finding("permissions", "warning", found, f"chmod 600 '{path}'* (only the owner needs them)")
    else:
        yield Finding("permissions", "ok", "only the owner may read and write the files")
    yield from _folder(folder)
    if os.stat(path).st_nlink > 1:
        found = "the file has a second name (a hard link)"
        yield Finding("second name", "warning", found, "remove it: two logs beside one file would damage it")


def _folder(folder: str) -> Iterator[Finding]:
    mode = os.stat(folder).st_mode
    if mode & stat.S_IWOTH and mode & stat.S_ISVTX:
        found = f"everybody may put files into {folder}"
        yield Finding("folder", "note", found, "keep the memory in a folder of its own that only its user can write to")
    elif mode & stat.S_IWOTH:
        yield Finding("folder", "warning", f"everybody may replace files in {folder}", f"chmod o-w '{folder}'")


def _room(path: str, folder: str) -> Finding:
    try:
        room = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding("disk room", "note", f"it can't be told: {error.strerror}")
    size = os.path.getsize(path)
    said = f"{size_text(room)} are free beside a file of {size_text(size)}"
    todo = "make room, or move the memory: `tensemem copy`"
    if room < ALMOST_NONE:
        return Finding("disk room", "error", said, todo)
    if room < LITTLE_ROOM:
        return Finding("disk room", "warning", said, todo)
    if room < size:
        return Finding("disk room", "note", f"{said}; another key or a backup needs as much again", todo)
    return Finding("disk room", "ok", said)


def _system(path: str) -> Iterator[Finding]:
    kind = kind_of(path)
    if kind in NETWORKED:
        found = f"{kind} is shared over a network, where SQLite's locks and its log can't be relied on"
        todo = "keep the file on a local disk; for several machines, use PostgreSQL"
        yield Finding("file system", "warning", found, todo)
    elif kind in PASSING:
        yield Finding("file system", "note", f"{kind}: what is on it may be gone after a restart", "use a lasting disk")
    elif kind is not None:
        yield Finding("file system", "ok", kind)


def _leftovers(path: str) -> Iterator[Finding]:
    real = os.path.realpath(path)
    if os.path.exists(real + FINISHED):
        found = "giving the file another key was broken off when it was nearly done"
        yield Finding("other key", "warning", found, "open it for writing, with the new key: that finishes it")
    elif os.path.exists(real + COPY):
        found = "a copy under another key lies beside the file, or is being made"
        yield Finding("other key", "note", found, "the next who opens the file for writing removes a left-over one")


    if kept := kept_before(path):
        names = ", ".join(os.path.basename(file) for file in kept)
        found = f"{names}: what was kept before an upgrade, and has not forgotten what was forgotten since"
        yield Finding("kept copies", "note", found, "remove them once the newer version is trusted")


def _log(path: str) -> Finding:
    size = wal_bytes(path)
    if size > LONGEST_LOG:
        found = f"it has grown to {size_text(size)}: somebody has been reading one state for long"
        return Finding("write-ahead log", "warning", found, "end or close what reads without end; then it shrinks")
    return Finding("write-ahead log", "ok", size_text(size))


def kept_before(path: str) -> list[str]:
    """Give the copies that upgrades have left beside a file."""
    return sorted(glob.glob(glob.escape(path + BEFORE) + "*"))


def wal_bytes(path: str) -> int:
    """Give the size of a file's write-ahead log; 0 where there is none."""
    try:
        return os.path.getsize(path + "-wal")
    except OSError:
        return 0
