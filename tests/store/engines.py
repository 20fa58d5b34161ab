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

KEY = "correct horse battery staple"
PLAIN_APSW = "TENSEMEM_PLAIN_APSW"


def is_apsw_missing() -> bool:
    """Whether tests with apsw are to be skipped; on a build server it must be there."""
    return importlib.util.find_spec("apsw") is None and not os.environ.get("CI")


def are_ciphers_missing() -> bool:
    """Whether tests of encryption are to be skipped: not on a build server, except beside apsw without ciphers."""
    if is_apsw_missing() or os.environ.get(PLAIN_APSW):
        return True
    import apsw

    return not hasattr(apsw, "mc_version") and not os.environ.get("CI")


needs_apsw = pytest.mark.skipif(is_apsw_missing(), reason="apsw is not installed")
needs_ciphers = pytest.mark.skipif(are_ciphers_missing(), reason="apsw-sqlite3mc is not installed")

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
