"""The example runs with every provider, and prints the same whichever string it is given."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.extract.models.loopback import Asked, Loopback, Says, Status
from tests.extract.models.wires import Wire, answer, each_wire, operation

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "model_extractor.py"
READING = {
    "I live in Delhi and I write Go.": [
        operation(value="Delhi", quote="I live in Delhi"),
        operation(op="add", predicate="languages", value="Go", quote="I write Go"),
    ],
    "Ich bin gestern nach Graz gezogen.": [
        operation(value="Graz", since="2026-03-04", quote="Ich bin gestern nach Graz gezogen"),
    ],
}
PRINTED = """\
message 1: set lives_in Delhi -> admitted
message 1: add languages Go -> admitted
message 2: set lives_in Graz -> admitted
{'languages': ('Go',), 'lives_in': 'Graz'}
"""


def reading(wire: Wire, asked: Asked) -> Says:
    """Answer as a good model would, however many messages are asked about at once."""
    ((_, told),) = wire.read(asked).turns
    messages = json.loads(told.partition("<messages>")[2].partition("</messages>")[0])
    return Says(
        answer(*[{**op, "message": said["message"]} for said in messages for op in READING.get(said["text"], [])])
    )


def run(llm: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LLM", llm)
    runpy.run_path(str(EXAMPLE), run_name="__main__")


@each_wire
def test_the_same_script_runs_with_each_provider(
    wire: Wire, server: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    pytest.importorskip(wire.sdk, reason=f"the SDK {wire.sdk} is not installed")
    server.answer = lambda asked: reading(wire, asked)
    run(f"{wire.name}:{wire.model}@{server.url}{wire.suffix}", tmp_path, monkeypatch)
    assert capsys.readouterr().out == PRINTED


def test_the_script_says_that_messages_wait_where_the_provider_is_away(
    server: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    pytest.importorskip("ollama")
    server.answer = lambda asked: Status(404, "model not found")
    run(f"ollama:qwen3@{server.url}", tmp_path, monkeypatch)
    told = capsys.readouterr().out
    assert "the messages are kept and wait: ollama: there is no model 'qwen3'" in told
    assert "ollama pull qwen3" in told
