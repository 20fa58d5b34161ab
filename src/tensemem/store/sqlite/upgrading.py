"""Bringing a file up to the tables of this version on purpose, or only telling what that would take.

Opening a file for writing does the same by itself.
"""

from __future__ import annotations

import os
from contextlib import closing

from ...errors import StoreError
from ...model.results import Upgrade
from . import drivers, holders
from .keys import Key
from .migrations import MIGRATIONS, VERSION, refuse_newer, version_of
from .opening import DatabaseFile, look, own_errors
from .store import SqliteStore


def upgrade(path: str, *, dry_run: bool, key: str | bytes | None = None) -> Upgrade:
    """Run the steps that are missing, all or none; a dry run changes nothing.

    Raises StoreError where there is no such file, StoreCorruptError for one that is not ours, SchemaTooNewError for a
    newer one.
    """
    where = os.path.abspath(path)
    if not os.path.isfile(where):
        raise StoreError(f"There is no database {where}; only opening it for writing makes one.")
    driver = drivers.choose(holders.library(where, None), encrypts=key is not None)
    file = DatabaseFile(where, driver, None if key is None else Key(key))
    look(file)
    with own_errors(where), closing(file.connect("ro", timeout=1.0)) as connection:
        found = version_of(connection.cursor())
    refuse_newer(found, where)
    left = [step for step in MIGRATIONS if step.version > found]
    if left and not dry_run:
        SqliteStore(where, key=key).close()
    return Upgrade(where, found, VERSION, tuple((step.version, step.title) for step in left), not dry_run)
