"""The SQL of this store, read once from the ``.sql`` files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from .. import scripts
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
    """Give the statements of a file beside this module by name."""
    return scripts.named(__package__, file)


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
    """Give the text of a file beside this module."""
    return scripts.text_of(__package__, file)
