"""The files of released schemas, unpacked, and libraries that know other steps than this one."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tensemem.store.sqlite import migrations
from tensemem.store.sqlite.migrations import MIGRATIONS, Migration
from tensemem.store.sqlite.statements import script

HERE = Path(__file__).parent
LOG, LEDGER = "-wal", "-forgotten"

TODAY = MIGRATIONS[-1].version
OLDER = [step.version for step in MIGRATIONS]
"""Versions of which there are files; the newest is among them, so that they are there before it is an older one."""

OLDEST = OLDER[0]

MADE_UP = (
    Migration(TODAY + 1, "CREATE TABLE made_up (scope INTEGER PRIMARY KEY, x TEXT) STRICT;\n"
                         "INSERT INTO made_up SELECT id, user_id FROM scopes;", "a table"),
    Migration(TODAY + 2, "ALTER TABLE made_up ADD COLUMN y TEXT;\nCREATE INDEX made_up_y ON made_up (y);", "a column"),
)  # fmt: skip
"""Steps that come after today's: what a later version may do to a file of today."""


def unpacked(version: int, folder: Path, *, killed: bool = False) -> Path:
    """Give a file as that version closed it, or as it was left with its log by a process that was killed."""
    name = f"schema{version}{'-killed' if killed else ''}.db"
    path = folder / "memory.db"
    for ending in ("", LOG, LEDGER):
        packed = HERE / f"{name}{ending}.gz"
        if packed.exists():
            Path(f"{path}{ending}").write_bytes(gzip.decompress(packed.read_bytes()))
    return path


def recorded(version: int) -> dict[str, Any]:
    """Give what the memory told when the file was made."""
    found: dict[str, Any] = json.loads(gzip.decompress((HERE / f"schema{version}.json.gz").read_bytes()))
    return found


def rows(version: int) -> str:
    """Give the statements that put the same conversation into tables of that version on PostgreSQL."""
    return gzip.decompress((HERE / f"schema{version}.postgres.sql.gz").read_bytes()).decode()


def know_steps(patch: pytest.MonkeyPatch, *steps: Migration) -> None:
    """Make it a version of the library that knows these steps."""
    patch.setattr(migrations, "MIGRATIONS", steps)


def statements_from(version: int) -> int:
    """Give how many statements lead from a version to the last made-up one, with those that note the version."""
    steps = (*MIGRATIONS, *MADE_UP)
    return sum(len(list(script(step.script))) + 1 for step in steps if step.version > version)


def digest_of(text: str) -> str:
    """Give what a step's text is known by once it is released."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
