"""Encrypted files whose key is changed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from tensemem.errors import StoreKeyError
from tensemem.store.sqlite import SqliteStore
from tests.store import test_sqlite_files as files

OLD, NEW = "the old key", "the new key"


def make(path: Path, key: Any = OLD) -> None:
    with closing(SqliteStore(path, durability="process", key=key)) as store:
        files.write_something(store)


def opens_with(path: Path, *keys: Any) -> list[Any]:
    """Give those of the keys that open the file, and see that all of it is there."""
    fitting = []
    for key in keys:
        try:
            store = SqliteStore(path, key=key)
        except StoreKeyError:
            continue
        fitting.append(key)
        with closing(store), store.read() as reader:
            assert [entry.body for entry in reader.entries(1)] == [{"content": "Delhi"}]
            assert reader._run("PRAGMA integrity_check").fetchall() == [("ok",)]
    return fitting
