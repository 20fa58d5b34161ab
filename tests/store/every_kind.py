"""Every kind of store there is. What is promised of stores is tested on all of them; a new one is a line in KINDS."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.settings import in_ci
from tests.store.engines import KEY, PLAIN_APSW, are_ciphers_there
from tests.store.shelves import (
    FileShelf,
    MemoryShelf,
    PlainShelf,
    PostgresShelf,
    SealedFileShelf,
    SealedPostgresShelf,
    Shelf,
)

CIPHERS = "apsw-sqlite3mc"


@dataclass(frozen=True)
class StoreKind:
    """One kind: its name, how its shelf is made in a folder, and the module that it needs.

    ``lasts`` tells whether what is opened again is what was closed; ``server`` is the PostgreSQL server it is on.
    """

    name: str
    make: Callable[[Path], Shelf]
    needs: str = ""
    lasts: bool = True
    server: str = ""

    def __str__(self) -> str:
        return self.name


LOCAL_KINDS = (
    StoreKind("plain", lambda _: PlainShelf(), lasts=False),
    StoreKind("memory", MemoryShelf, lasts=False),
    StoreKind("file", FileShelf),
    StoreKind("apsw", partial(FileShelf, driver="apsw"), "apsw"),
    StoreKind("encrypted", partial(FileShelf, key=KEY), CIPHERS),
    StoreKind("sealed", SealedFileShelf, "cryptography"),
)
SERVER_KINDS = (
    StoreKind("postgres18", partial(PostgresShelf, version="18"), "psycopg", server="18"),
    StoreKind("postgres15", partial(PostgresShelf, version="15"), "psycopg", server="15"),
    StoreKind("sealed18", partial(SealedPostgresShelf, version="18"), "psycopg", server="18"),
)
KINDS = LOCAL_KINDS + SERVER_KINDS

_shelves: dict[str, Shelf] = {}


def shelf_of(kind: StoreKind, folders: pytest.TempPathFactory) -> Shelf:
    """Give the run's shelf of a kind, cleared.

    Where what it needs is not installed the test is skipped, and fails on a build server.
    """
    if kind.needs and not is_there(kind.needs):
        message = f"stores of kind {kind} need {kind.needs}"
        if in_ci() and not os.environ.get(PLAIN_APSW):
            pytest.fail(message)
        pytest.skip(message)
    if kind.name not in _shelves:
        _shelves[kind.name] = kind.make(folders.mktemp(kind.name))
    shelf = _shelves[kind.name]
    shelf.clear()
    return shelf


def is_there(needed: str) -> bool:
    """Whether a module is installed, or the one that encrypts."""
    return are_ciphers_there() if needed == CIPHERS else importlib.util.find_spec(needed) is not None


def close_shelves() -> None:
    """Let go of all of them."""
    while _shelves:
        _shelves.popitem()[1].close()
