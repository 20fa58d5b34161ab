"""The SQL of this store, read once from the ``.sql`` files beside this module."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ...errors import StoreError
from .address import DEFAULT_SCHEMA

FILES = ("read.sql", "write.sql")
SPREAD = "spread.sql"
"""Other forms of some of them, for tables that are spread over servers."""
_PREFIX = f"{DEFAULT_SCHEMA}."


@cache
def statements(schema: str = DEFAULT_SCHEMA, is_spread: bool = False) -> Mapping[str, bytes]:
    """Give every statement by name, for tables in an SQL schema; ``is_spread``: for those of a coordinator."""
    found: dict[str, bytes] = {}
    for file in (*FILES, SPREAD) if is_spread else FILES:
        for name, text in named(file).items():
            found[name] = in_schema(text, schema).encode()
    return MappingProxyType(found)


def named(file: str) -> dict[str, str]:
    """Give the statements of a file by name; each stands under a line ``-- name: x`` and lines on its purpose."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text_of(file).splitlines():
        if line.startswith("-- name: "):
            name = line.removeprefix("-- name: ").strip()
            found[name] = []
        elif name and line.strip() and not line.startswith("--"):
            found[name].append(line)
    return {name: "\n".join(lines).rstrip(";") for name, lines in found.items()}


def in_schema(text: str, schema: str) -> str:
    """Give SQL for another SQL schema than the usual one."""
    if schema == DEFAULT_SCHEMA:
        return text
    name = schema_name(schema)
    return text.replace(_PREFIX, f"{name}.").replace(f"EXISTS {DEFAULT_SCHEMA};", f"EXISTS {name};")


def schema_name(schema: str) -> str:
    """Give an SQL schema's name as SQL takes it, also where it is a word of the language, like ``user``."""
    return schema if schema == DEFAULT_SCHEMA else f'"{schema}"'


def text_of(file: str) -> str:
    """Give the text of a file beside this module, also where the package is a zip archive."""
    found = pkgutil.get_data(__package__, file)
    if found is None:
        raise StoreError(f"{file} is missing from the installed package")
    return found.decode()
