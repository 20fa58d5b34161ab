"""The ``.sql`` files of a store, and the statements in them."""

from __future__ import annotations

import pkgutil

from ..errors import StoreError


def named(package: str, file: str) -> dict[str, str]:
    """Give the statements of a file by name; each stands under a line ``-- name: x`` and lines on its purpose."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text_of(package, file).splitlines():
        if line.startswith("-- name: "):
            name = line.removeprefix("-- name: ").strip()
            found[name] = []
        elif name and line.strip() and not line.startswith("--"):
            found[name].append(line)
    return {name: "\n".join(lines).rstrip(";") for name, lines in found.items()}


def text_of(package: str, file: str) -> str:
    """Give the text of a file in a package, also where that is in a zip archive. Raises StoreError."""
    found = pkgutil.get_data(package, file)
    if found is None:
        raise StoreError(f"{file} is missing from the installed package")
    return found.decode()
