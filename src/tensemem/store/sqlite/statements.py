"""The SQL of this store, read once from the ``.sql`` files beside this module."""

from __future__ import annotations

import pkgutil
import sqlite3
from collections.abc import Iterator

from ...errors import StoreError


def named(file: str) -> dict[str, str]:
    """Give the statements of a file by name; each stands under a line ``-- name: x`` and a line on its purpose."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text_of(file).splitlines():
        if line.startswith("-- name: "):
            name = line.removeprefix("-- name: ").strip()
            found[name] = []
        elif name and line.strip() and not line.startswith("--"):
            found[name].append(line)
    return {name: "\n".join(lines).rstrip(";") for name, lines in found.items()}


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
    """Give the text of a file beside this module, also where the package is a zip archive."""
    found = pkgutil.get_data(__package__, file)
    if found is None:
        raise StoreError(f"{file} is missing from the installed package")
    return found.decode()
