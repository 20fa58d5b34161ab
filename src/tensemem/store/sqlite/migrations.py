"""From an older file to the tables of today, step by step.

A step is never changed once it was released. ``schema.sql`` shows where they lead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import SchemaTooNewError
from .drivers import Cursor
from .statements import script, text_of


@dataclass(frozen=True, slots=True)
class Migration:
    """The script that leads to a version from the one before, and what it does, in a few words."""

    version: int
    script: str
    title: str = ""


MIGRATIONS = (
    Migration(1, text_of("schema_1.sql"), "the tables"),
    Migration(2, text_of("schema_2.sql"), "forgetting"),
)
VERSION = MIGRATIONS[-1].version


def migrate(cursor: Cursor, location: str, steps: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply what is missing, inside the transaction that is open, so that all of it holds or none.

    Raises SchemaTooNewError where the file is ahead of the steps.
    """
    version = version_of(cursor)
    refuse_newer(version, location, steps[-1].version)
    for step in steps:
        if step.version > version:
            for statement in script(step.script):
                cursor.execute(statement)
            cursor.execute(f"PRAGMA user_version = {step.version:d}")


def version_of(cursor: Cursor) -> int:
    """Give the version a database says it has; 0 where nothing is in it yet."""
    version: int = cursor.execute("PRAGMA user_version").fetchone()[0]
    return version


def refuse_newer(version: int, location: str, known: int = VERSION) -> None:
    """Raise SchemaTooNewError, naming both versions, where a file is ahead of this code."""
    if version > known:
        raise SchemaTooNewError(
            f"{location} has schema version {version}, written by a newer tensemem; this one knows versions up to "
            f"{known}. Upgrade the library; the file was left as it is."
        )
