"""What processes that were killed left unfinished: files and folders whose names say who made them.

Only what a process of this machine made that lives no more is removed: a process is known by its number and the moment
it was started, and a machine by its name and its own id, so that folders that several machines share are safe.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from contextlib import suppress
from functools import cache

from .processes import RUNNING, host_name, process_started

_MARK = r"([0-9a-f]{8})-([0-9]{1,10})-([0-9a-f]{8})"
_MACHINE = "/etc/machine-id"


def own_mark() -> str:
    """Give what says that this process made something, as a part of its name."""
    return f"{_here()}-{os.getpid()}-{_short(process_started(os.getpid()) or '')}"


def sweep(folder: str, before: str, behind: str = "") -> None:
    """Remove from a folder what dead processes left whose name is their mark between two texts, and anything after.

    What can't be removed is left: whoever comes next tries again.
    """
    named = re.compile(f"{re.escape(before)}{_MARK}{behind}")
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        found = named.match(name)
        if found is not None and _is_of_the_dead(found[1], int(found[2]), found[3]):
            _remove(os.path.join(folder, name))


def _is_of_the_dead(machine: str, pid: int, started: str) -> bool:
    if machine != _here():
        return False
    lives = process_started(pid)
    return lives is None or (lives != RUNNING and _short(lives) != started)


def _remove(path: str) -> None:
    with suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)


@cache
def _here() -> str:
    try:
        with open(_MACHINE, encoding="ascii", errors="replace") as file:
            machine = file.read().strip()
    except OSError:
        machine = ""
    return _short(f"{host_name()} {machine}")


def _short(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
