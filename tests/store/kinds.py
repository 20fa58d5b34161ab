"""Every kind of store that works on this machine, by name: one function opens any of them in a folder."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

from tensemem.ports import Store
from tensemem.store.plain import PlainStore
from tensemem.store.sqlite import SqliteStore

FILE = "memory.db"


def needs_apsw(kind: str) -> Any:
    """A kind as a parameter; skipped where apsw is not installed, except in CI, where it must be."""
    is_missing = importlib.util.find_spec("apsw") is None and not os.environ.get("CI")
    return pytest.param(kind, marks=pytest.mark.skipif(is_missing, reason="apsw is not installed"))


# What each kind of file is opened with.
OPTIONS: dict[str, dict[str, Any]] = {"file": {"driver": "sqlite3"}, "apsw": {"driver": "apsw"}}

FILE_KINDS = ("file", needs_apsw("apsw"))
"""Parameters for tests about files."""

LOCAL_KINDS = ("plain", "memory", *FILE_KINDS)
"""Parameters for tests about every store that needs no server."""


def open_store(kind: str, folder: Path, **options: Any) -> Store:
    """Open a store of a kind; one in a file is ``memory.db`` in the folder, which is made unless it is there."""
    if kind == "plain":
        return PlainStore()
    if kind == "memory":
        return SqliteStore(":memory:", **options)
    return SqliteStore(folder / FILE, **OPTIONS[kind], **options)
