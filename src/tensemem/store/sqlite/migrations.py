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


MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, text_of("schema_1.sql"), "the tables"),
    Migration(2, text_of("schema_2.sql"), "forgetting"),
    Migration(3, text_of("schema_3.sql"), "reads that cost what they give"),
)
VERSION = MIGRATIONS[-1].version


def migrate(cursor: Cursor, location: str, steps: Sequence[Migration] | None = None) -> None:
    """Apply what is missing, inside the transaction that is open, so that all of it holds or none.

    Raises SchemaTooNewError where the file is ahead of the steps.
    """
    version = version_of(cursor)
    for step in missing(version, location, steps):
        for statement in script(step.script):
            cursor.execute(statement)
        cursor.execute(f"PRAGMA user_version = {step.version:d}")


def missing(version: int, location: str, steps: Sequence[Migration] | None = None) -> list[Migration]:
    """Give the steps that a file of some version lacks. Raises SchemaTooNewError where it is ahead of them."""
    steps = MIGRATIONS if steps is None else steps
    refuse_newer(version, location, steps[-1].version)
    return [step for step in steps if step.version > version]


def newest() -> int:
    """Give the version that the steps lead to."""
    return MIGRATIONS[-1].version


def version_of(cursor: Cursor) -> int:
    """Give the version a database says it has; 0 where nothing is in it yet."""
    version: int = cursor.execute("PRAGMA user_version").fetchone()[0]
    return version


def refuse_newer(version: int, location: str, known: int | None = None) -> None:
    """Raise SchemaTooNewError, naming both versions, where a file is ahead of this code."""
    known = newest() if known is None else known
    if version > known:
        raise SchemaTooNewError(
            f"{location} has schema version {version}, written by a newer tensemem; this one knows versions up to "
            f"{known}. Upgrade the library; the file was left as it is."
        )
