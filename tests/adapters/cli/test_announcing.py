"""What is served says where, in one JSON document, once it listens; and Starlette has no part in the server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("mcp")

SOURCE = Path(__file__).resolve().parents[3] / "src"
RUN = """
import sys
if "mcp" not in sys.argv:
    sys.modules["starlette"] = None
from tensemem.adapters.cli import main
main(sys.argv[1:])
"""


def announced(folder: Path, *words: str) -> tuple[Any, str]:
    """Start a server; gives the document it printed, and what it answers to a sign of life."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TENSEMEM")}
    with subprocess.Popen(
        [sys.executable, "-c", RUN, "--db", "m.db", "--json", *words], cwd=folder, text=True,
        env=kept | {"PYTHONPATH": str(SOURCE)}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        lines = []
        for line in server.stdout:
            lines.append(line)
            if line == "}\n":
                break
        document = json.loads("".join(lines))
        with urllib.request.urlopen(document["url"].removesuffix("/mcp") + "/healthz") as answer:
            alive = answer.read().decode()
        server.send_signal(signal.SIGINT)
        assert server.stdout.read() == ""
    assert server.returncode == 0
    return document, alive


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (("serve", "--port", "0"), {"url", "studio", "openapi", "key", "token"}),
        (("mcp", "--any-user", "--transport", "http", "--port", "0"), {"url", "key", "token"}),
    ],
    ids=["serve", "mcp"],
)
def test_a_server_tells_its_address_and_the_key_it_made(tmp_path: Path, words: Any, fields: set[str]) -> None:
    document, alive = announced(tmp_path, *words)
    assert set(document) == fields
    assert document["key"]["role"] == "admin"
    assert document["token"].startswith("tsm_")
    assert "alive" in alive
    again, _ = announced(tmp_path, *words)
    assert (again["key"], again["token"]) == (None, None)


def test_the_studio_tells_its_address(tmp_path: Path) -> None:
    document, _ = announced(tmp_path, "studio", "--no-browser")
    assert document["studio"].startswith(f"{document['url']}/studio/#token=")
