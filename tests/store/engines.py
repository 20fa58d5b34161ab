"""The SQLite libraries that tests of files run with, where they are installed.

Two packages install a module `apsw`: that of this name, and apsw-sqlite3mc, which encrypts too. The development
environment has the second; `tools/engines.py` runs the tests of stores with the first, and says so by a variable.
"""

from __future__ import annotations

import importlib.util
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tensemem.store.sqlite import drivers
from tensemem.store.sqlite.keys import Key
from tests.settings import in_ci

KEY = "correct horse battery staple"
PLAIN_APSW = "TENSEMEM_PLAIN_APSW"


def are_ciphers_there() -> bool:
    """Whether the apsw that is installed encrypts."""
    if importlib.util.find_spec("apsw") is None:
        return False
    import apsw

    return hasattr(apsw, "mc_version")


def _needs(is_there: bool, package: str) -> pytest.MarkDecorator:
    """Skip where something is not installed; on a build server it must be, except beside apsw without ciphers."""
    is_needed = in_ci() and not os.environ.get(PLAIN_APSW)
    return pytest.mark.skipif(not is_there and not is_needed, reason=f"{package} is not installed")


needs_apsw = _needs(importlib.util.find_spec("apsw") is not None, "apsw")
needs_ciphers = _needs(are_ciphers_there(), "apsw-sqlite3mc")

OPTIONS: dict[str, dict[str, Any]] = {
    "sqlite3": {"driver": "sqlite3"},
    "apsw": {"driver": "apsw"},
    "encrypted": {"key": KEY},
}
"""What SqliteStore takes for a file of each kind."""

ENGINES = ("sqlite3", pytest.param("apsw", marks=needs_apsw), pytest.param("encrypted", marks=needs_ciphers))
"""Parameters for tests about files."""


def raw(engine: str, path: Path) -> Any:
    """Connect to a file of a kind by its library, past the store: what runs are plain statements."""
    if engine == "sqlite3":
        return sqlite3.connect(path, isolation_level=None)
    driver = drivers.choose("apsw")
    connection = driver.connect(str(path), 0.0)
    if engine == "encrypted":
        drivers.unlock(driver, connection, Key(KEY))
    return connection
