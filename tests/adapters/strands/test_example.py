"""The example of the documentation runs, and tells the story."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytest.importorskip("strands")

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "integrations"


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "strands_agents.py"), run_name="__main__")
    told = capsys.readouterr().out
    assert "  the model reads: <entry source=\"tensemem\">lives_in: Mysore (since " in told
    assert told.endswith("history: Delhi (superseded) Bangalore (corrected) Mysore (active)\n")
