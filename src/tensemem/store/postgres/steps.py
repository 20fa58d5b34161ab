"""The steps from an empty database to the tables of today, as text; nothing here needs the driver."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from .statements import in_schema, text_of


@dataclass(frozen=True, slots=True)
class Migration:
    """The script that leads to a version from the one before, and what it does, in a few words."""

    version: int
    title: str
    script: str

    @property
    def checksum(self) -> str:
        """A digest of the script."""
        return hashlib.blake2b(self.script.encode(), digest_size=16).hexdigest()


MIGRATIONS = (
    Migration(1, "the tables", text_of("schema_1.sql")),
    Migration(2, "forgetting", text_of("schema_2.sql")),
    Migration(3, "reads that cost what they give", text_of("schema_3.sql")),
)
VERSION = MIGRATIONS[-1].version


def preparation(schema: str) -> str:
    """Give the SQL that comes before the first step: the SQL schema, and the table of what was run."""
    return in_schema(text_of("preparation.sql"), schema)
