"""Everything that is promised of files, on apsw and encrypted: the same tests, with other files under them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensemem.store.sqlite import SqliteStore
from tests.store import engines, test_sqlite_files
from tests.store.test_sqlite_files import *  # noqa: F403 -- the tests themselves

OTHERS = [engine for engine in engines.ENGINES if engine != "sqlite3"]


@pytest.fixture(params=OTHERS, autouse=True)
def _engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open every file with this engine, unless it is said with which; and look into it with the same."""
    opened = SqliteStore.__init__

    def open_with(self: SqliteStore, path: Any, **options: Any) -> None:
        chosen = {} if str(path) == ":memory:" else engines.OPTIONS[request.param]
        opened(self, path, **{**chosen, **options})

    def raw(path: Path) -> Any:
        return engines.raw(request.param, path)

    monkeypatch.setattr(SqliteStore, "__init__", open_with)
    monkeypatch.setattr(test_sqlite_files, "raw", raw)
