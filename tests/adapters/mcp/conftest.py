"""A memory of where people live, as MCP clients meet it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.mcp.bench import made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A memory with attributes of several kinds, in which nothing is said yet."""
    return made(tmp_path / "memory.db")


@pytest.fixture(autouse=True)
def _no_words_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TENSEMEM_USER", raising=False)
