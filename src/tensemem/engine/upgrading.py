"""Bringing a database up to the tables of this version, wherever it is."""

from __future__ import annotations

import os

from ..errors import StoreError
from ..model.results import Upgrade
from .wiring import file_of, is_postgres, needing_driver, resolve_path


def upgrade(
    path: str | os.PathLike[str] | None, *, dry_run: bool = False, key: str | bytes | None = None,
    backup: bool = True,
) -> Upgrade:  # fmt: skip
    """Run the steps a database lacks; a dry run changes nothing. Gives what was found, and the steps.

    A copy of a file is kept before, unless there is to be no ``backup``; of a database on a server none is made.

    Raises SchemaTooNewError where the database is ahead of this version, and StoreError.
    """
    text = resolve_path(path)
    if is_postgres(text):
        with needing_driver():
            from ..store.postgres.upgrading import upgrade as upgrade_database
        return upgrade_database(text, dry_run=dry_run)
    if text == ":memory:":
        raise StoreError("':memory:' begins anew each time; there is nothing to migrate")
    from ..store.sqlite.upgrading import upgrade as upgrade_file

    return upgrade_file(file_of(text), dry_run=dry_run, key=key, saves=backup)

