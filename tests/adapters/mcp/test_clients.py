"""Clients of others: the Python SDK of before 2.0, the TypeScript SDK, the inspector's command line.

`make test-mcp` installs them and says where they are; without that these tests are left out.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tensemem.adapters.cli import program
from tests.adapters.mcp.bench import ADA, environment, run, serving, started
from tests.adapters.mcp.test_tools import NAMES

CLIENTS = Path(__file__).parent / "clients"
OLD_PYTHON, NODE_FOLDER = "TENSEMEM_MCP_PYTHON", "TENSEMEM_MCP_NODE"
WANTED: dict[str, Any] = {
    "server": "tensemem", "tools": NAMES, "changed": True, "noticed": True, "current": True,
    "set": "lives_in: Delhi holds\nMemory now says: lives_in = Delhi from 2026-01-05",
    "get": "lives_in = Delhi from 2026-01-05", "state": ["Delhi"], "history": ["Delhi"], "recall": True,
    "templates": ["memory://history{?predicate,subject}"],
    "error": [
        True, "the predicate 'nothing' is not registered. These are: age, born_on, diet, languages, lives_in."
    ],
}  # fmt: skip


def place_of(variable: str) -> Path:
    """Where `make test-mcp` has put something; the test is left out where it has not."""
    found = os.environ.get(variable)
    if not found:
        pytest.skip(f"{variable} is not set: `make test-mcp` brings this client, where Node is there if it needs that")
    return Path(found)


def command_of(client: str) -> tuple[list[str], Path]:
    """Give how a client's story is told, and from which folder."""
    if client == "python":
        return [str(place_of(OLD_PYTHON)), str(CLIENTS / "story.py")], CLIENTS
    folder = place_of(NODE_FOLDER)
    script = folder / "story.mjs"  # packages are looked for from where a script is
    script.write_text((CLIENTS / "story.mjs").read_text(encoding="utf-8"), encoding="utf-8")
    return ["node", str(script)], folder


async def told(client: str, how: dict[str, Any]) -> Any:
    command, folder = command_of(client)
    return json.loads(await printed([*command, json.dumps(how)], folder))


async def printed(command: list[str], folder: Path) -> str:
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


@pytest.mark.parametrize("client", ["python", "node"])
def test_a_client_of_others_starts_the_server_and_uses_all_of_it(path: Path, client: str) -> None:
    how = started(path)
    assert run(told(client, {"command": how.command, "args": how.args, "env": how.env})) == WANTED


@pytest.mark.parametrize("client", ["python", "node"])
def test_a_client_of_others_uses_all_of_it_over_http(path: Path, client: str) -> None:
    command_of(client)

    async def story() -> Any:
        async with serving(path, ADA) as (url, access):
            _, token = access.mint(role="write")
            return await told(client, {"url": url, "token": token})

    assert run(story()) == WANTED


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["tools/list"], '"name": "memory_correct"'),
        (["tools/call", "--tool-name", "memory_get", "--tool-arg", "predicate=lives_in"], "Nothing is known of"),
        (["resources/list"], '"uri": "memory://state"'),
        (["resources/read", "--uri", "memory://context"], "Nothing is known yet."),
        (["prompts/get", "--prompt-name", "recall"], "Nothing is known yet."),
    ],
)
def test_the_inspector_uses_what_is_installed_for_a_client(
    path: Path, tmp_path: Path, words: list[str], wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = place_of(NODE_FOLDER)
    monkeypatch.chdir(tmp_path)
    install = ["--db", str(path), "mcp", "install", "--client", "claude-code", "--scope", "project", "--user", "ada"]
    assert CliRunner().invoke(program, install, catch_exceptions=False).exit_code == 0
    configuration = json.loads((tmp_path / ".mcp.json").read_text(encoding="utf-8"))
    configuration["mcpServers"]["tensemem"]["env"] = {"PYTHONPATH": environment()["PYTHONPATH"]}
    (tmp_path / ".mcp.json").write_text(json.dumps(configuration), encoding="utf-8")
    inspector = folder / "node_modules" / "@modelcontextprotocol" / "inspector" / "cli" / "build" / "cli.js"
    chosen = ["--cli", "--config", str(tmp_path / ".mcp.json"), "--server", "tensemem"]
    out = run(printed(["node", str(inspector), *chosen, "--method", *words], folder))
    json.loads(out)
    assert wanted in out


def test_the_interpreter_of_before_is_another(path: Path) -> None:
    assert place_of(OLD_PYTHON) != Path(sys.executable)
