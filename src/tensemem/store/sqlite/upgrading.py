"""Bringing a file up to the tables of this version on purpose, or only telling what that would take.

Opening a file for writing does the same by itself.
"""

from __future__ import annotations

import os
from contextlib import closing

from ...errors import StoreError
from ...model.results import Upgrade
from .. import forks
from . import drivers, holders
from .files import DatabaseFile
from .keys import Key
from .migrations import missing, newest, version_of
from .opening import look, open_to_write, own_errors

_SECONDS = 60.0
"""How long whoever writes is waited for."""


def upgrade(path: str, *, dry_run: bool, key: str | bytes | None = None, saves: bool = True) -> Upgrade:
    """Run the steps that are missing, all or none; a dry run changes nothing.

    ``saves`` tells whether a copy of the file is kept before.

    Raises StoreError where there is no such file, StoreCorruptError for one that is not ours, SchemaTooNewError for a
    newer one.
    """
    where = os.path.abspath(path)
    if not os.path.isfile(where):
        raise StoreError(f"There is no database {where}; only opening it for writing makes one.")
    driver = drivers.choose(holders.library(where, None), encrypts=key is not None)
    file = DatabaseFile(where, driver, None if key is None else Key(key), saves)
    look(file)
    with own_errors(where), closing(file.connect("ro", timeout=1.0)) as connection:
        found = version_of(connection.cursor())
    left = missing(found, where)
    copies: list[str] = []
    if left and not dry_run:
        with forks.opening(), own_errors(where):
            open_to_write(file, _SECONDS, "FULL", copies).close()
    steps = tuple((step.version, step.title) for step in left)
    return Upgrade(where, found, newest(), steps, not dry_run, copies[0] if copies else None)
