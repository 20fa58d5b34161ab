"""The SQL of this store, read once from the ``.sql`` files beside this module."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from .. import scripts


def named(file: str) -> dict[str, str]:
    """Give the statements of a file beside this module by name."""
    return scripts.named(__package__, file)


def script(text: str) -> Iterator[str]:
    """Give the statements of a script one by one.

    ``executescript`` would commit what is open before it begins, so that a script could not be rolled back.
    """
    statement = ""
    for line in text.splitlines(keepends=True):
        if not statement and (not line.strip() or line.startswith("--")):
            continue
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement.strip()
            statement = ""


def text_of(file: str) -> str:
    """Give the text of a file beside this module."""
    return scripts.text_of(__package__, file)
