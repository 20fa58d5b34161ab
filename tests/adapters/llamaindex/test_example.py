"""The example of the documentation runs as a user runs it, and tells the story."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("llama_index.core")

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "integrations"


def test_the_example_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "llamaindex.py"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert "  the model reads: - lives_in: Mysore (since " in done.stdout
    assert done.stdout.endswith("history: Delhi (superseded) Bangalore (corrected) Mysore (active)\n")
    assert list(tmp_path.iterdir()) == []
