from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.mem0.stub_model import DIMENSIONS, stub_model

os.environ["MEM0_TELEMETRY"] = "False"  # it is read when mem0 is imported, and would speak to a server elsewhere

SAID = {
    "I live in Delhi": ["lives in: Delhi"],
    "I moved to Bangalore": ["lives in: Bangalore"],
    "How are you?": [],
}
"""What the stub model reads in each message."""


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A real mem0 whose model and embedder are on this machine."""
    monkeypatch.setenv("MEM0_DIR", str(tmp_path / "home"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    mem0 = pytest.importorskip("mem0")
    with stub_model(SAID) as url:
        made = mem0.Memory.from_config({
            "llm": {"provider": "openai", "config": {"model": "m", "openai_base_url": url}},
            "embedder": {
                "provider": "openai",
                "config": {"model": "e", "openai_base_url": url, "embedding_dims": DIMENSIONS},
            },
            "vector_store": {
                "provider": "qdrant",
                "config": {"path": str(tmp_path / "vectors"), "embedding_model_dims": DIMENSIONS, "on_disk": False},
            },
            "history_db_path": str(tmp_path / "history.db"),
        })  # fmt: skip
        try:
            yield made
        finally:
            made.vector_store.client.close()
            made.close()
